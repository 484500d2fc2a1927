"""The kernel language's names, so that kernels can be written and annotated in Python.

Functions of this module have their meaning inside kernels only, where the compiler reads the source text; docs/language.md
is their reference. Here they are placeholders that say so when called.
"""

from ._names import names_of


class constexpr:
    """A compile-time value: as annotation of a parameter, or around a global that kernels read."""

    def __init__(self, value):
        self.value = value.value if isinstance(value, constexpr) else value

    def __repr__(self):
        return f"constexpr({self.value!r})"

    def __index__(self):
        return self.value.__index__()

    def __bool__(self):
        return bool(self.value)


class dtype:
    """An element type; `name` is its spelling in signatures."""

    def __init__(self, name, width):
        self.name = name
        self.primitive_bitwidth = width

    def __repr__(self):
        return f"tilewright.language.{self.name}"

    def __eq__(self, other):
        return isinstance(other, dtype) and other.name == self.name

    def __hash__(self):
        return hash(self.name)


class const:
    """Annotation of a pointer that the kernel only reads."""


class tensor:
    """Annotation without meaning: a parameter that is a tile."""


int1 = dtype("i1", 1)
int8, int16, int32, int64 = (dtype(f"i{width}", width) for width in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (dtype(f"u{width}", width) for width in (8, 16, 32, 64))
float16, bfloat16 = dtype("fp16", 16), dtype("bf16", 16)
float32, float64 = dtype("fp32", 32), dtype("fp64", 64)
float8e4nv, float8e5, float8e4b8 = dtype("fp8e4nv", 8), dtype("fp8e5", 8), dtype("fp8e4b8", 8)
float8e5b16, float8e4b15 = dtype("fp8e5b16", 8), dtype("fp8e4b15", 8)
void = dtype("void", 0)


__getattr__ = names_of(__name__)
