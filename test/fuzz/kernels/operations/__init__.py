"""The rows of the table: one operation with the element types that it takes and how a use of it is grown."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Operation:
    """`build(generator, dtype)` grows one use whose principal operand has the element type `dtype`."""

    op: str
    dtypes: tuple
    build: typing.Callable


#: By canonical name.
TABLE = {}


def operation(op, dtypes):
    """Adds a row; the decorated function takes (generator, dtype)."""

    def add(build):
        TABLE[op] = Operation(op, tuple(dtypes), build)
        return build

    return add


def family(ops, dtypes, build):
    """Adds rows that differ in their name: `build(generator, dtype, op)`."""
    for op in ops:
        TABLE[op] = Operation(op, tuple(dtypes), lambda g, dtype, op=op: build(g, dtype, op))


from . import access, arithmetic, atomics, control, functions, reductions, products, shapes  # noqa: E402,F401
