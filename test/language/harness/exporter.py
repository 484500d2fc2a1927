"""A machine that runs nothing: it writes down what the suite launches and compares, as a manifest of `tilewright verify` (docs/formats.md).

Rows that other rules judge than a comparison of arrays, and launches whose arguments a manifest cannot state (tuples,
descriptors, arrays that overlap or have gaps), are counted by reason.
"""
import collections
import json
import linecache

import numpy as np
import pytest

from tilewright import arrays
from tilewright.jit import _IGNORED_OPTIONS, _VENDOR_OPTIONS
from tilewright.specialize import constant_text, signature_entries

from runner import Machine

_HEAD = "import tilewright as tw\nimport tilewright.language as tl\n"
#: What the name of a row may not hold, since it may name a file.
_PLAIN = str.maketrans({"/": "%2F", "\\": "%5C", "\n": "%0A"})


class NotStated(Exception):
    """A launch that a manifest cannot hold; the text says why."""


class Suite:
    """The rows of one run of pytest."""

    def __init__(self):
        self.kernels = {}
        self.left_out = collections.Counter()

    def add(self, name, row):
        """Adds a row; further launches of a test get numbers."""
        number = 1
        while (unique := name if number == 1 else f"{name}.{number}") in self.kernels:
            number += 1
        self.kernels[unique] = row

    def text(self):
        """The manifest, rows by name."""
        rows = [{"name": name, **row} for name, row in sorted(self.kernels.items())]
        lines = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
        return f'{{"version": 1, "suite": "The language suite", "kernels": [\n{lines}\n]}}\n'


class Exporter(Machine):
    """Adds what one test launches to `suite`."""

    on_host = False  # addresses of this process mean nothing to those that read the manifest

    def __init__(self, suite, test):
        super().__init__("reference", {})
        self.suite = suite
        self.name = test.removeprefix("test/language/").replace(".py::", ".").translate(_PLAIN)
        self.tolerance = None  # of the launch that `check` is making

    def check(self, body, expected, inputs=None, constants=None, ulps=0, bound=None, initial=None, **options):
        # Two results that are each this far from the expected value are twice as far from one another.
        self.tolerance = f"ulp={2 * ulps}" if bound is None else f"absolute={2 * float(np.max(bound))!r}"
        try:
            super().check(body, expected, inputs, constants, ulps, bound, initial, **options)
        except AssertionError:
            pass  # nothing ran
        finally:
            self.tolerance = None

    def launch(self, function, grid, arguments, options):
        try:
            if self.name.startswith("test_harness."):
                raise NotStated("the test is one of the harness")
            if self.tolerance is None:
                raise NotStated("the test judges results by a rule of its own")
            self.suite.add(self.name, {**stated(function, grid, arguments, options), "tolerance": self.tolerance})
        except NotStated as reason:
            self.suite.left_out[str(reason)] += 1
            pytest.skip(f"not in a manifest: {reason}")

    def refuse(self, *arguments, **options):
        self.suite.left_out["the compiler refuses it, on every target"] += 1

    def accept(self, *arguments, **options):
        self.suite.left_out["static assertions are the test"] += 1


def stated(function, grid, arguments, options):
    """The row of a launch."""
    bound, options = function._bound((), {**arguments, **{k: v for k, v in options.items() if v is not None}})
    values = [bound[name] for name in function.arg_names]
    text = "".join(linecache.getlines(function.fn.__code__.co_filename))
    if not function.fn.__code__.co_filename.startswith("<language suite"):
        raise NotStated("the kernel stands in another file")
    require_apart([value for value in values if isinstance(value, np.ndarray)])
    signature, _ = signature_entries(function.params, values, function._module_of)
    given = {parameter.name: argument_text(parameter, value, function._module_of)
             for parameter, value in zip(function.params, values, strict=True)}
    programs = grid(dict(bound)) if callable(grid) else grid
    mode = options.pop("math", "accurate")
    return {"source": _HEAD + text, "kernel": function.fn.__name__, "signature": signature, "arguments": given,
            "grid": ", ".join(str(int(extent)) for extent in programs), "math": [mode],
            "options": option_texts(options)}


def option_texts(options):
    """Options as a manifest has them; launches give those of one vendor to that vendor alone."""
    texts = []
    for key, value in options.items():
        text = f"{key}={int(value) if isinstance(value, bool) else value}"
        vendors = [vendor for vendor, own in _VENDOR_OPTIONS.items() if key in own]
        if vendors:
            texts += [f"{vendor}:{text}" for vendor in vendors]
        elif key not in _IGNORED_OPTIONS:
            texts.append(text)
    return texts


def require_apart(given):
    """Refuses arrays of which two share memory, or that have gaps."""
    for value in given:
        if not value.flags.c_contiguous:
            raise NotStated("an array has gaps")
    for i, one in enumerate(given):
        if any(np.shares_memory(one, other) for other in given[i + 1:]):
            raise NotStated("arrays overlap")


def shortest(content):
    """The shortest power of two of bytes that gives `content` when it is repeated; outputs are full of one byte."""
    length = 1
    while len(content) % length == 0 and length < len(content):
        if content == content[:length] * (len(content) // length):
            return content[:length]
        length *= 2
    return content


def argument_text(parameter, value, module_of):
    """A value as `--arg` has it: bytes of arrays exactly."""
    if parameter.is_constexpr or value is None:
        return constant_text(parameter.name, value, module_of)
    if isinstance(value, np.ndarray):
        extents = ", ".join(map(str, value.shape))
        if value.size == 0:
            return f"{arrays.dtype_name(value)}[{extents}]"
        return f"{arrays.dtype_name(value)}[{extents}]~bytes({shortest(value.tobytes()).hex()})"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if hasattr(value, "__float__"):
        return repr(float(value))
    raise NotStated(f"an argument is a {type(value).__name__}")
