"""The kernel language's names, so that kernels can be written and annotated in Python.

Functions of this module have their meaning inside kernels only, where the compiler reads the source text; docs/language.md
is their reference. Here they are placeholders that say so when called.
"""
from __future__ import annotations

import builtins
import operator
import re
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from ..lines import remember as _remember
from ._names import NAMESPACES as NAMESPACES, names_of


class constexpr:
    """A compile-time value: as annotation of a parameter, or around a global that kernels read.

    Outside of kernels it computes as its value does; the result is a constexpr again.
    """

    def __init__(self, value: Any):
        if isinstance(value, FunctionType):
            _remember(value)
        self._value = value.value if isinstance(value, constexpr) else value

    @property
    def value(self) -> Any:
        """What it stands for; it cannot be set, since kernels that read it are compiled with it."""
        return self._value

    def __repr__(self):
        return f"constexpr({self.value!r})"

    def __index__(self):
        return self.value.__index__()

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __hash__(self):
        return hash(self.value)

    def __getitem__(self, position: Any) -> constexpr:
        return constexpr(self.value[position])

    def __call__(self, *args, **kwargs):
        return constexpr(self.value(*args, **kwargs))


def _define_operators():
    """Operators of constexpr, in both orders where Python has them."""

    def plain(value):
        return value.value if isinstance(value, constexpr) else value

    def forward(function):
        return lambda self, *others: constexpr(function(self.value, *map(plain, others)))

    def reflected(function):
        return lambda self, other: constexpr(function(plain(other), self.value))

    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor"):
        method = name.rstrip("_")
        setattr(constexpr, f"__{method}__", forward(getattr(operator, name)))
        setattr(constexpr, f"__r{method}__", reflected(getattr(operator, name)))
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "invert"):
        setattr(constexpr, f"__{name}__", forward(getattr(operator, name)))


_define_operators()

_WIDTHS = re.compile(r"fp8|\d+")


class dtype:
    """An element type; `name` is its spelling in signatures ("fp32", "i1")."""

    def __init__(self, name: str):
        self.name = name
        digits = _WIDTHS.search(name)
        self.primitive_bitwidth = 8 if name.startswith("fp8") else int(digits.group()) if digits else 0

    def __repr__(self):
        return f"tilewright.language.{self.name}"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return type(other) is type(self) and other.name == self.name

    def __hash__(self):
        return hash(self.name)

    @property
    def scalar(self) -> dtype:
        """The element type itself."""
        return self

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return (self.primitive_bitwidth + 7) // 8

    def is_floating(self) -> bool:
        """Whether numbers of the type have a fraction."""
        return self.name.startswith(("fp", "bf"))

    def is_fp8(self) -> bool:
        """Whether it is a floating type of 8 bits."""
        return self.name.startswith("fp8")

    def is_int(self) -> bool:
        """Whether it is an integer type, i1 included."""
        return self.name[0] in "iu" and self.name[1:].isdigit()

    def is_int_signed(self) -> bool:
        """Whether it is a signed integer type; i1 is none."""
        return self.is_int() and self.name[0] == "i" and self.name != "i1"

    def is_int_unsigned(self) -> bool:
        """Whether it is an unsigned integer type."""
        return self.is_int() and self.name[0] == "u"

    def is_bool(self) -> bool:
        """Whether it is i1."""
        return self.name == "i1"

    def is_ptr(self) -> bool:
        """Whether it is a pointer type."""
        return False


class pointer_type(dtype):
    """A pointer to elements of a type."""

    def __init__(self, element_ty: dtype, address_space: int = 1, const: bool = False):
        super().__init__("*" + ("k" if const else "") + element_ty.name)
        self.element_ty = element_ty
        self.primitive_bitwidth = 64

    def is_floating(self) -> bool:
        """A pointer is no number."""
        return False

    is_int = is_floating

    def is_ptr(self) -> bool:
        """Whether it is a pointer type."""
        return True


class block_type:
    """A tile type: element type and shape."""

    def __init__(self, element_ty: dtype, shape: Sequence[int]):
        self.element_ty = self.scalar = element_ty
        self.shape = builtins.tuple(shape)


class const:
    """Annotation of a pointer that the kernel only reads."""


class tensor:
    """Annotation without meaning: a parameter that is a tile."""


class tuple(builtins.tuple):
    """Annotation without meaning: a parameter that is a tuple."""


int1 = dtype("i1")
int8, int16, int32, int64 = map(dtype, ("i8", "i16", "i32", "i64"))
uint8, uint16, uint32, uint64 = map(dtype, ("u8", "u16", "u32", "u64"))
float16, bfloat16, float32, float64 = map(dtype, ("fp16", "bf16", "fp32", "fp64"))
float8e4nv, float8e5, float8e4b8 = map(dtype, ("fp8e4nv", "fp8e5", "fp8e4b8"))
float8e5b16, float8e4b15 = map(dtype, ("fp8e5b16", "fp8e4b15"))
void = dtype("void")


__getattr__ = names_of(__name__, "tl.")
