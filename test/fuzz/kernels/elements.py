"""Element types of generated kernels: storage, type rules and literals.

The rules come from the language suite, which states them independently of the compiler.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "language" / "harness"))

import dtypes as suite  # noqa: E402

SIGNED, UNSIGNED, INTS = suite.SIGNED, suite.UNSIGNED, suite.INTS
#: Integers as operands of bit operations, where i1 counts as one.
BITS = ["int1", *INTS]
WIDE_INTS = ["int32", "int64", "uint32", "uint64"]
SINGLES = ["float32", "float64"]
FLOATS = suite.FLOATS
#: fp8e4b15 has no array type: it travels as uint8 and is reinterpreted in the kernel.
LEGACY = "float8e4b15"
FP8 = [*suite.FP8, LEGACY]
ALL_FLOATS = [*FLOATS, *FP8]
NUMBERS = suite.NUMBERS
ALL = [*BITS, *ALL_FLOATS]

kind, limits = suite.kind, suite.limits


def width(dtype):
    """Bits of an element as a value."""
    return 8 if dtype == LEGACY else suite.width(dtype)


def is_float(dtype):
    return kind(dtype) == 2


def storage(dtype):
    """NumPy's type of the memory that holds elements of a type."""
    return suite.NUMPY["uint8" if dtype == LEGACY else dtype]


def mixes(left, right):
    """Whether two element types have a promoted type (rule B5)."""
    if left == right:
        return True
    return not ((left in FP8 and kind(right) < 2) or (right in FP8 and kind(left) < 2))


def promoted(left, right, division=False):
    """Result type of arithmetic on two tensors (rules B3 to B5, C3)."""
    if left == right and left in FP8:
        return left
    if "float64" in (left, right) or "float32" in (left, right):
        return suite.promoted(*(("float32" if name in FP8 else name) for name in (left, right)))
    if "float16" in (left, right):
        return "float32" if division else "float16"
    if left in FP8 and right in FP8:
        return "float16"
    if left in FP8 or right in FP8:
        return "float32"
    result = suite.promoted(left, right)
    return "float32" if division and (kind(result) < 2 or result == "bfloat16") else result


def with_literal(dtype, literal_kind, division=False):
    """Result type of arithmetic on a tensor and a number of a kind (rule B1)."""
    number = {0: "int1", 1: "int32", 2: "float32"}[literal_kind]
    if literal_kind > kind(dtype):
        return promoted(dtype, number, division)
    if division and dtype in ("float16", "bfloat16"):
        return "float32"
    return "float32" if division and kind(dtype) < 2 else dtype


def divides(left, right):
    """Whether `/`, `//` and `%` accept the pair: no mixed signedness of integers."""
    both_ints = kind(left) < 2 and kind(right) < 2
    return not both_ints or (left in SIGNED) == (right in SIGNED)


def literal(rng, dtype):
    """(text, kind) of a number that a tensor of `dtype` can be combined with and that does not change its type."""
    if dtype == "int1":
        return rng.choice(["True", "False"]), 0
    if is_float(dtype):
        return rng.choice(["0.0", "1.0", "2.0", "-0.5", "3", "1.5", "-1", "0.25"]), 2
    low, high = limits(dtype)
    choices = [0, 1, 2, 3, 7, high, rng.randint(0, min(high, 100)), rng.randint(0, high)]
    if low < 0:
        choices += [-1, -2, low, -rng.randint(1, min(high, 50))]
    return str(rng.choice(choices)), 1
