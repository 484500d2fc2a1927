"""Values of a running kernel as NumPy arrays, and names that hold several."""
from __future__ import annotations

import ast
import dataclasses
import re
import types
import typing

import numpy as np


#: Signature types whose bits NumPy reads as they are: the word, and what it means.
_PLAIN = {
    **{f"i{bits}": (f"u{bits // 8}", f"i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (f"u{bits // 8}", f"u{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"fp{bits}": (f"u{bits // 8}", f"f{bits // 8}") for bits in (16, 32, 64)},
}
#: Floats that are the upper bits of a larger one: that one, and the bits that it has more.
_UPPER = {"bf16": ("fp32", 16), "fp8e5": ("fp16", 8)}
#: Other floats of 8 bits: exponent's bits and bias, and the bit patterns of NaN.
_SMALL = {"fp8e4nv": (4, 7, (0x7F, 0xFF)), "fp8e4b8": (4, 8, (0x80, )), "fp8e5b16": (5, 16, (0x80, )),
          "fp8e4b15": (4, 15, ())}


def _decode_small(bits, exponent_bits, bias, nans):
    mantissa_bits = 7 - exponent_bits
    exponent = (bits >> mantissa_bits & (1 << exponent_bits) - 1).astype(np.int64)
    mantissa = (bits & (1 << mantissa_bits) - 1).astype(np.float32) / (1 << mantissa_bits)
    magnitude = np.ldexp(np.where(exponent > 0, 1 + mantissa, mantissa), np.maximum(exponent, 1) - bias)
    value = np.where(bits >> 7, -magnitude, magnitude).astype(np.float32)
    return np.where(np.isin(bits, nans), np.float32("nan"), value)


def decode(kind, words):
    """The elements behind 64-bit words, of a type as signatures spell it; floats that NumPy lacks become float32, pointers their
    addresses."""
    bits = np.frombuffer(words, np.uint64)
    if kind == "i1":
        return bits != 0
    if kind in _PLAIN:
        word, meaning = _PLAIN[kind]
        return bits.astype(word).view(meaning)
    if kind in _UPPER:
        wide, shift = _UPPER[kind]
        return decode(wide, (bits << shift).tobytes()).astype(np.float32)
    return _decode_small(bits, *_SMALL[kind]) if kind in _SMALL else bits


class Opaque(str):
    """What a name is bound to, where that is no data: a range, a type, a descriptor."""

    def __repr__(self):
        return str(self)


def _constant(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return float(text) if text in ("inf", "-inf", "nan") else Opaque(text)


@dataclasses.dataclass
class Value:
    """What a name, or a part of one ("pair[0]"), is bound to.

    `type` is as in a signature, "" for constants; `data` an array, a NumPy scalar, or the constant; `active` says of each element
    whether a masked load read it (None: no such load).
    """

    type: str
    data: typing.Any
    active: typing.Any = None

    @staticmethod
    def of(kind: str, text: str, shape: tuple[int, ...], words: bytes | None, active: bytes | None) -> Value:
        """From what a step of the native launch says."""
        if not kind:
            return Value("", _constant(text))
        array = decode(kind, words).reshape(shape)
        array.setflags(write=False)
        mask = None if active is None else (np.frombuffer(active, np.uint64) != 0).reshape(shape)
        return Value(kind, array if shape else array[()], mask)

    @property
    def masked(self) -> np.ma.MaskedArray:
        """The data as a NumPy masked array, without the elements that were not read."""
        return np.ma.masked_array(self.data, np.zeros(np.shape(self.data), bool) if self.active is None else ~self.active)


def root_of(path):
    """"pair" of "pair[0].x"."""
    return re.match(r"\w+", path)[0]


def assign(paths, changes):
    """Rebinds names in a dict of values by path: all parts of a name that changes go."""
    roots = {root_of(path) for path in changes}
    for path in [path for path in paths if root_of(path) in roots]:
        del paths[path]
    paths.update(changes)


def _assembled(node):
    if isinstance(node, Value):
        return node.data
    if all(isinstance(key, int) for key in node):
        return tuple(_assembled(node[key]) for key in sorted(node))
    return types.SimpleNamespace(**{key: _assembled(part) for key, part in node.items()})


def names_of(paths):
    """Plain Python objects by name: arrays, scalars, constants, tuples, and namespaces for records."""
    tree = {}
    for path, value in paths.items():
        *above, last = [int(index) if index else field for field, index in re.findall(r"\.?(\w+)|\[(\d+)\]", path)
                        if field or index]
        node = tree
        for part in above:
            node = node.setdefault(part, {})
        node[last] = value
    return {name: _assembled(node) for name, node in tree.items()}
