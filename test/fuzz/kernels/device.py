"""Arrays of programs in a device's own memory, with the guard bytes around them."""
import numpy as np

import tilewright as tw

#: Targets whose kernels reach NumPy arrays where they are.
HOSTS = ("cpu", "reference", "spirv")


class Placed:
    """A copy of a host buffer on a device; kernels see the array that starts at byte `start` of it, aligned to 64 bytes."""

    def __init__(self, buffer, start, view, vendor):
        self.lead = -start % 64
        self.memory = tw.empty(self.lead + buffer.size, np.uint8, vendor)
        self.memory.write(np.concatenate([np.zeros(self.lead, np.uint8), buffer]))
        self.address = self.memory.data_ptr() + self.lead + start
        self.dtype, self.shape, self.device = view.dtype, view.shape, self.memory.device

    def data_ptr(self):
        return self.address

    def element_size(self):
        return self.dtype.itemsize

    def stride(self):
        return (1,)

    def read_back(self, buffer):
        """Copies everything, guard bytes included, to the host buffer."""
        buffer[:] = self.memory.numpy()[self.lead:]
