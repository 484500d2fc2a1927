"""`triton.tools.tensor_descriptor`: a tensor with the block shape in which kernels read and write it."""
from tilewright.descriptor import TensorDescriptor

__all__ = ["TensorDescriptor"]
