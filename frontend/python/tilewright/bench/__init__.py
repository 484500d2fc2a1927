"""Benchmarks that remember: cases of kernels, measured in turns and held against a baseline of the same machine.

A file of benchmarks names its cases, and `python -m tilewright.bench FILE.py` measures them (docs/tuning.md, "Benchmarks").
"""
import dataclasses
import itertools
import typing

__all__ = ["Case", "case"]


@dataclasses.dataclass
class Case:
    """One function to measure with one choice of its parameters."""

    name: str
    #: () -> what is measured: a function without arguments, or {name: function} of which the others are peers of the first.
    prepare: typing.Callable


#: The cases of the file that is being read, in its order.
_cases = []


def case(function=None, /, **parameters):
    """Decorator: the function is called with each combination of the parameters' values and returns what is measured.

    That is a function without arguments, whose milliseconds count, or a dict of them by name: then the time of the first over
    that of the fastest other, taken in the same turns, counts, which depends less on what else the machine does.
    """
    def register(function):
        for values in itertools.product(*parameters.values()):
            chosen = dict(zip(parameters, values))
            text = ", ".join(f"{name}={value}" for name, value in chosen.items())
            _cases.append(Case(f"{function.__name__}({text})", lambda chosen=chosen: function(**chosen)))
        return function

    return register if function is None else register(function)
