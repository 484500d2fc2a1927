"""Every public name has a docstring and annotations; type checkers agree on a user's program."""
import ast
import importlib
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import types

import pytest

MODULES = ["tilewright", "tilewright.language", "tilewright.testing", "tilewright.tuning", "tilewright.cache", "tilewright.triton",
           "tilewright.debugger"]


def public_names(module):
    """(qualified name, object) of what a module offers: its `__all__`, or what is defined in it."""
    listed = getattr(module, "__all__", None)
    for name in listed or vars(module):
        value = getattr(module, name)
        ours = (getattr(value, "__module__", None) or "").startswith("tilewright")
        if not name.startswith("_") and ours and not isinstance(value, types.ModuleType):
            yield f"{module.__name__}.{name}", value


def members(name, value):
    """The name itself, and the public methods and properties that the class, or a base of ours, defines."""
    yield name, value
    if not inspect.isclass(value):
        return
    for base in value.__mro__:
        if not base.__module__.startswith("tilewright"):
            continue
        for key, member in vars(base).items():
            member = getattr(member, "__func__", getattr(member, "func", member))
            if (not key.startswith("_") or key in ("__init__", "__getitem__")) and (
                    inspect.isfunction(member) or isinstance(member, property)):
                yield f"{name}.{key}", member


def everything():
    return sorted({(name, member) for module in MODULES for public in public_names(importlib.import_module(module))
                   for name, member in members(*public)}, key=lambda row: row[0])


def unannotated(function):
    """Parameters, or "return", without an annotation."""
    function = function.fget if isinstance(function, property) else function
    if not inspect.isfunction(function) or function.__name__ == "<lambda>":
        return []
    parameters = list(inspect.signature(function).parameters.values())
    missing = [parameter.name for parameter in parameters
               if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls")]
    if inspect.signature(function).return_annotation is inspect.Signature.empty and function.__name__ != "__init__":
        missing.append("return")
    return missing


def test_every_public_name_has_a_docstring():
    bare = [name for name, member in everything() if not name.endswith(("__init__", "__getitem__"))
            and (inspect.isroutine(member) or inspect.isclass(member) or isinstance(member, property))
            and not (inspect.getdoc(member) or "").strip()]
    assert bare == []


def test_every_public_function_is_annotated():
    assert {name: missing for name, member in everything() if (missing := unannotated(member))} == {}


PROGRAM = """
import numpy as np
import tilewright as tw
import tilewright.language as tl
from tilewright.language.extra import libdevice


@tw.jit
def helper(value: tl.tensor, factor: tl.constexpr) -> tl.tensor:
    return libdevice.tanh(value) * factor if factor > 1 else -value


@tw.autotune([tw.Config({"BLOCK": 64}, num_warps=2)], key=["n"])
@tw.heuristics({"EVEN": lambda named: named["n"] % 64 == 0})
@tw.jit(do_not_specialize=["n"])
def add(x, out, n: tl.int32, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    low, high = tl.split(tl.reshape(tl.load(x + at, mask=mask).to(tl.float32), (BLOCK // 2, 2)))
    for step in range(tl.cdiv(n, 4)):
        low += step
    while low.sum() > 0:
        low -= 1
    tl.store(out + at, helper(tl.join(low, high), 2), mask=mask)


def main(n: int) -> float:
    x, out = np.ones(n, np.float32), np.zeros(n, np.float32)
    add[lambda named: (tw.cdiv(n, named["BLOCK"]),)](x, out, n)
    kernel: tw.JITFunction = helper
    compiled: tw.Compiled = kernel.compile("value:fp32, factor=2", target="cpu")
    text: str = compiled.asm["llvm"]
    trace = tw.debug(kernel, watch=["value"])[(1,)](x)
    again = helper.bind((1,), x)
    again()
    memory = tw.empty((4, n), np.float16)
    tw.testing.assert_close(memory.numpy(), x)
    width: int = tl.float32.itemsize + tw.next_power_of_2(n)
    with tw.no_jit():
        tw.load(compiled.artifact)
    try:
        tw.synchronize()
    except tw.TilewrightError as error:
        code: int = error.code
    milliseconds = tw.testing.do_bench(lambda: None, rep=10)
    return float(trace.at(3)["value"]) + width + len(text) + float(milliseconds)
"""

#: Lines that are wrong.
MISTAKES = [
    'tw.cdiv("a", 2)',
    "tw.jitt",
    "tl.laod",
    "tl.load()",
    "tl.sum(1, axes=0)",
    "tl.float32.itemsizes",
    "tw.Config({}, num_warp=3)",
    "tw.compile(lambda: None, 3)",
    'tw.load("a.twa", device=3)',
]


def found_by(checker, program, folder):
    """What a type checker says of a program, as lines."""
    file = folder / "program.py"
    file.write_text(program)
    package = str(pathlib.Path(importlib.import_module("tilewright").__file__).parents[1])
    environment = {**os.environ, "MYPYPATH": package, "PYTHONPATH": package}
    if checker == "mypy":
        command = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--follow-imports=silent", "--no-error-summary", f"--cache-dir={folder}"]
    else:
        (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [package], "pythonVersion": "3.11"}))
        command = [sys.executable, "-m", "pyright", "-p", str(folder), "--pythonpath", sys.executable]
    done = subprocess.run([*command, str(file)] if checker == "mypy" else command, cwd=folder, env=environment, text=True, capture_output=True)
    return [line for line in done.stdout.splitlines() if "error" in line and "program.py" in line], done.stdout + done.stderr


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_take_a_program_and_find_mistakes(checker, tmp_path):
    pytest.importorskip(checker)
    errors, output = found_by(checker, PROGRAM, tmp_path)
    assert errors == [], output
    head = "import tilewright as tw\nimport tilewright.language as tl\n\n\ndef wrong() -> None:\n"
    errors, output = found_by(checker, head + "".join(f"    {line}\n" for line in MISTAKES), tmp_path)
    flagged = {int(number) for error in errors for number in re.findall(r"program\.py:(\d+):", error)}
    first = head.count("\n") + 1
    assert flagged == set(range(first, first + len(MISTAKES))), output


def test_the_stub_has_what_the_compiler_knows():
    """Built from the compiler's list: the functions, their parameters, and a text for each."""
    from tilewright import _native, language
    stub = pathlib.Path(language.__file__).with_suffix(".pyi")
    if not stub.exists():
        pytest.skip("the stubs are not built: ninja tilewright_language_stubs")
    functions = {node.name: node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.FunctionDef)}
    assert all(ast.get_docstring(node) for node in functions.values())
    names = {line[3:].partition("(")[0] for line in _native.names("tl.").splitlines() if line.count(".") == 1}
    assert names - set(functions) <= {"constexpr", "dtype", "pointer_type", "block_type", "tensor", "const", "tuple"}
    assert [argument.arg for argument in functions["load"].args.args][:3] == ["pointer", "mask", "other"]
    assert "not read" in ast.get_docstring(functions["load"]) or "nothing is read" in ast.get_docstring(functions["load"])
    assert language.load.__doc__.startswith("tl.load(pointer, mask=None")
