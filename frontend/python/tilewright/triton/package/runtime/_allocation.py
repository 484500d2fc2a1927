"""`triton.runtime._allocation`: the allocator of scratch memory, under the name that Triton 3.6 gives its module."""
from .allocation import NullAllocator, set_allocator

__all__ = ["NullAllocator", "set_allocator"]
