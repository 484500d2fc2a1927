"""What a row of the operator tables is, and how its expected value is made: by torch's own CPU operator.

Floating-point inputs are widened to fp64 before torch computes with them, as the libraries' own tests do; the result's
dtype and shape come from torch on the inputs as they are. Every argument is compared too, so that an operator that
writes where it should not, or not where it should, is wrong.
"""
import copy
import dataclasses
import typing

import torch

#: Every operator, in the order of the tables.
OPERATORS = []


@dataclasses.dataclass
class Case:
    """One call."""
    args: tuple
    kwargs: dict

    @property
    def label(self):
        """Short text of the arguments."""
        named = [f"{name}={_brief(value)}" for name, value in self.kwargs.items()]
        return ", ".join([_brief(value) for value in self.args] + named)


@dataclasses.dataclass
class Operator:
    """A row: a library's operator, its calls, and how to judge what it gives."""
    library: str
    name: str
    cases: typing.Callable
    #: (module) -> the operator.
    function: typing.Callable
    #: (args, kwargs) -> expected results, called with copies of the arguments that it may write to.
    expected: typing.Callable
    #: Number of terms in a sum, as the libraries count them for the tolerance: a number or a function of the case.
    terms: typing.Any = 1
    widen: bool = True
    #: (results, expected, case) -> None or what is wrong; replaces the comparison of results.
    judge: typing.Callable = None
    #: (result, expected) -> AssertionError if they differ, in place of flag-gems' table of tolerances.
    tolerance: typing.Callable = None


def case(*args, **kwargs):
    """A call with these arguments."""
    return Case(args, kwargs)


def _brief(value):
    if isinstance(value, torch.Tensor):
        text = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
        return text if value.is_contiguous() else f"{text}/{list(value.stride())}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_brief(entry) for entry in value) + "]"
    return str(value).removeprefix("torch.")


def map_tensors(function, value):
    """`value` with every tensor in it, at any depth, replaced by function(tensor)."""
    if isinstance(value, torch.Tensor):
        return function(value)
    if isinstance(value, list):
        return [map_tensors(function, entry) for entry in value]
    if isinstance(value, tuple):  # named ones, such as torch.return_types.max, too
        return tuple(map_tensors(function, entry) for entry in value)
    if isinstance(value, dict):
        return {name: map_tensors(function, entry) for name, entry in value.items()}
    return value


def flat_tensors(value):
    """All tensors and plain results in `value`, in order."""
    if isinstance(value, (list, tuple)):
        return [leaf for entry in value for leaf in flat_tensors(entry)]
    if isinstance(value, dict):
        return [leaf for entry in value.values() for leaf in flat_tensors(entry)]
    return [value]


def _wide(tensor):
    narrow = tensor.dtype.is_floating_point and tensor.dtype != torch.float64
    return tensor.double() if narrow else tensor


def expected_values(operator, call):
    """(results, arguments after the call): values from fp64, dtypes from the types as given."""
    args, kwargs = copy.deepcopy((call.args, call.kwargs))
    plain = operator.expected(*args, **kwargs)
    if not operator.widen:
        return plain, (args, kwargs)
    wide_args, wide_kwargs = map_tensors(_wide, copy.deepcopy((call.args, call.kwargs)))
    wide = operator.expected(*wide_args, **wide_kwargs)
    return (_narrowed(wide, plain), _narrowed((wide_args, wide_kwargs), (args, kwargs)))


def _narrowed(wide, plain):
    """`wide` in the dtypes of `plain`."""
    if isinstance(plain, torch.Tensor):
        return wide.to(plain.dtype)
    if isinstance(plain, (list, tuple)):
        return tuple(_narrowed(w, p) for w, p in zip(wide, plain))
    if isinstance(plain, dict):
        return {name: _narrowed(wide[name], plain[name]) for name in plain}
    return plain


def _aten_overload(name):
    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def _with_out(packet, cases):
    """`cases` with an `out` tensor of the right shape, full of another value."""
    def widened(draw):
        for call in cases(draw):
            out = getattr(torch.ops.aten, packet)(*call.args, **call.kwargs)
            yield Case(call.args, {**call.kwargs, "out": torch.full_like(out, 1)})
    return widened


def aten(*names, expected=None, **options):
    """Decorator of a case generator: rows for operators that flag-gems registers under these names of torch's."""
    def register(cases):
        for name in names:
            packet, _, overload = name.partition(".")
            reference = expected or _aten_overload(name)
            own = _with_out(packet, cases) if overload.endswith("out") else cases
            function = lambda gems, name=name: _registered(gems, name)
            OPERATORS.append(Operator("flag_gems", name, own, function, reference, **options))
        return cases
    return register


def gems(name, expected, **options):
    """Decorator of a case generator: a row for a function of flag-gems that torch has no operator for."""
    def register(cases):
        OPERATORS.append(Operator("flag_gems", name, cases, lambda module: getattr(module, name), expected, **options))
        return cases
    return register


def _registered(module, name):
    for entry in module._FULL_CONFIG:
        if entry[0] == name:
            return entry[1]
    raise LookupError(f"flag_gems registers no operator '{name}'")
