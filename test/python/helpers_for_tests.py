"""Helper functions that test_package imports into its kernels from another file."""
import tilewright as tw
import tilewright.language as tl

OFFSET = tl.constexpr(10)


@tw.jit
def plus_offset(x):
    """x + 10, through a global of this file."""
    return x + OFFSET


@tw.jit
def twice_plus_offset(x):
    """A helper that calls another one."""
    return plus_offset(x) * 2


@tw.jit
def broken_for_tests(x):
    """A helper with a mistake."""
    return x + not_defined_anywhere
