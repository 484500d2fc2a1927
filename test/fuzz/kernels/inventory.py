"""Which pairs of operation and element type exist, by the compiler's own table, and which of them programs used.

The names come from the built-in table of the compiler (`list-builtins`), the language's library and Python's grammar; the
element types of a name are those that the compiler accepts in a probe.
"""
import ast
import collections
import pathlib
import re
import subprocess

import elements
import operations
import programs
from tree import call

ROOT = pathlib.Path(__file__).resolve().parents[3]
#: Operators of Python's grammar by their class in `ast`.
OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.And: "and", ast.Or: "or", ast.Not: "not", ast.USub: "unary -", ast.Invert: "~", ast.IfExp: "ternary",
    ast.For: "for", ast.While: "while", ast.If: "if", ast.Subscript: "subscript", ast.Tuple: "tuple", ast.Return: "return"
}
#: Names without run-time elements: prefix or name -> why they are no row of the table.
WITHOUT_ELEMENTS = {
    "py.": "compile-time Python", "math.": "compile-time Python", "str.": "compile-time Python", "dict.": "compile-time Python",
    "list.": "compile-time Python", "triton.": "compile-time Python", "dtype.": "types at compile time", "tl.extra.": "of one target",
    "tl.target_info.": "of one target", "tl.constexpr": "compile time", "tl.dtype": "types", "tl.pointer_type": "types",
    "tl.get_int_dtype": "types", "tl.block_type": "types", "tl.tensor": "types", "tl.tuple": "compile time", "tl._log2": "compile time",
    "tl.next_power_of_2": "compile time", "tl.static_assert": "compile time", "tl.static_print": "compile time",
    "tl.device_print": "writes text, no elements", "tl.device_assert": "stops the launch", "tl.hint": "advice to one target",
    "tl.inline_asm_elementwise": "of one target"
}
#: Functions under `py.` that work on tensors.
ON_TENSORS = {"py.max", "py.min", "py.abs"}


def without_elements(name):
    """Why a name is no row, or None."""
    if name in ON_TENSORS:
        return None
    return next((why for key, why in WITHOUT_ELEMENTS.items() if name == key or (key.endswith(".") and name.startswith(key))), None)


def device_files():
    """Files of the library whose functions belong to libdevice."""
    rows = (ROOT / "frontend" / "library" / "Library.cpp").read_text()
    return {"libdevice.py", *re.findall(r'\{"(\w+\.py)",\s*\w+,\s*true\}', rows)}


def names(build):
    """{name: number of operands that a call needs} of the language, as far as it works on elements."""
    listing = subprocess.run([str(pathlib.Path(build) / "bin" / "list-builtins")], text=True, capture_output=True, check=True).stdout
    found = {}
    for line in listing.splitlines():
        name, _, parameters = line.rstrip(")").partition("(")
        found[name] = sum(1 for text in parameters.split(", ") if text and not text.endswith("=") and not text.startswith("*"))
    device = device_files()
    for file in (ROOT / "frontend" / "library").glob("*.py"):
        prefix = "libdevice." if file.name in device else "tl."
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                found[prefix + node.name] = len(node.args.args) - len(node.args.defaults)
    found.update({operator: 0 for operator in OPERATORS.values()})
    return {name: count for name, count in sorted(found.items()) if without_elements(name) is None}


def runs(program):
    """Whether the compiler takes a program."""
    import execute
    import tilewright as tw
    from tree import Printer
    try:
        execute.run(program, "reference", Printer(asserts=False).program(program))
        return True
    except tw.TilewrightError:
        return False


def accepted(op, dtype):
    """Whether the compiler takes an operation with a row on a further type, in one of two probes."""
    for number in range(2):
        try:
            program = programs.single(op, dtype, number)
        except Exception:
            # The row has no rule for this type and cannot grow a use.
            continue
        if runs(program):
            return True
    return False


def takes(name, count, dtype):
    """Whether a function without a row takes `count` tiles of this type."""
    grower = programs.Grower(0, 0)
    grower.effect(call(name, [grower.operand(dtype, (8,)) for _ in range(count)]))
    return runs(grower.program)


def table(build):
    """{name: element types that exist}."""
    result = {}
    for name, count in names(build).items():
        row = operations.TABLE.get(name)
        if row is None:
            result[name] = {d for d in elements.ALL if takes(name, count, d)}
        else:
            result[name] = set(row.dtypes) | {d for d in elements.ALL if d not in row.dtypes and accepted(name, d)}
    return result


def report(build, covered):
    """Prints what is missing; gives the covered share."""
    pairs = {(name, dtype) for name, dtypes in table(build).items() for dtype in dtypes}
    missing = collections.defaultdict(list)
    for name, dtype in sorted(pairs - covered):
        missing[name].append(dtype)
    for name, dtypes in missing.items():
        print(f"not covered: {name}: {', '.join(dtypes)}")
    share = len(pairs & covered) / len(pairs)
    print(f"covered: {len(pairs & covered)} of {len(pairs)} pairs of operation and element type ({100 * share:.1f} %)")
    return share
