"""Small helpers of host code, usable inside kernels on compile-time values too."""


def cdiv(a: int, b: int) -> int:
    """The smallest integer not below a / b, for positive b."""
    return -(-a // b)


def next_power_of_2(n: int) -> int:
    """The smallest power of two that is at least n (1 for n <= 1)."""
    return 1 if n <= 1 else 1 << (n - 1).bit_length()
