"""`triton.tools`: host-made tensor descriptors."""
from . import tensor_descriptor
