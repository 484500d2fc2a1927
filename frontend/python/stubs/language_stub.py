"""Writes the stubs of `tilewright.language` for editors and type checkers: the compiler knows the functions, docs/language says what
they do.

    PYTHONPATH=build/python python stubs/language_stub.py DOCS FOLDER

FOLDER is the package's `language`. Inside kernels values have the types of the kernel language, which Python's checkers do not know: a
stub says which functions there are, what their parameters are called, and that they give a `tensor`.
"""
import ast
import inspect
import pathlib
import re
import sys
import textwrap

from tilewright import _native, language

_HEAD = '"""{title}"""\nfrom collections.abc import Iterator, Sequence\nfrom typing import Any\n\n'
_BINARY = "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul".split()
_OTHERS = "lt le gt ge".split()
#: Functions of the host that give what Python's own numbers are.
_PLAIN = {"cdiv": "Any", "next_power_of_2": "Any"}


def documented(folder):
    """Texts by function name ("tl.load"): what stands between a heading that names it and its examples."""
    texts = {}
    for page in sorted(pathlib.Path(folder).glob("*.md")):
        for heading, body in re.findall(r"^### (.*)\n((?:(?!^#).*\n)*)", page.read_text(encoding="utf-8"), re.M):
            text = body.partition("```")[0].strip() or "A function of the kernel language."
            for name in re.findall(r"`(tl\.\w+)\(", heading):
                texts.setdefault(name, f"{text}\n\nMore: docs/language/{page.name}")
    return texts


def function(line, texts):
    """The stub of a line such as "tl.load(pointer, mask=None)"."""
    name, _, parameters = line.partition("(")
    short = name.rpartition(".")[2]
    arguments = ast.parse(f"def f({parameters}: ...").body[0].args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument is not None:
            argument.annotation = ast.Name("Any")
    text = texts.get(name, "A function of the kernel language; docs/language.md is its reference.").replace("\\", "\\\\").replace('"""', "'''")
    body = textwrap.indent(text, "    ").strip()
    return f'def {short}({ast.unparse(arguments)}) -> {_PLAIN.get(short, "tensor")}:\n    """{body}\n    """\n'


def operators(result, other="Any"):
    """Stubs of the operators of values that kernels compute with."""
    lines = [f"    def __{prefix}{name}__(self, other: {other}) -> {result}: ..." for name in _BINARY for prefix in ("", "r")]
    lines += [f"    def __{name}__(self, other: {other}) -> {result}: ..." for name in _OTHERS]
    lines += [f"    def __{name}__(self, other: object) -> {result}: ...  # type: ignore[override]" for name in ("eq", "ne")]
    lines += [f"    def __{name}__(self) -> {result}: ..." for name in ("neg", "pos", "invert")]
    return lines


def classes():
    """The module's classes with their public methods, of which only the headers stay."""
    for node in ast.parse(inspect.getsource(language)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        fields = {"dtype": ["    name: str", "    primitive_bitwidth: int"], "pointer_type": ["    element_ty: dtype"],
                  "block_type": ["    element_ty: dtype", "    scalar: dtype", "    shape: Any"]}
        bases = "type" if node.name == "dtype" else ", ".join(map(ast.unparse, node.bases))
        lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:",
                 f'    """{ast.get_docstring(node)}"""', *fields.get(node.name, [])]
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and (member.returns or member.name == "__init__"):
                decorators = [f"    @{ast.unparse(entry)}" for entry in member.decorator_list]
                returns = ast.unparse(member.returns) if member.returns else "None"
                lines += [*decorators, f"    def {member.name}({ast.unparse(member.args)}) -> {returns}:", f'        """{ast.get_docstring(member) or ""}"""']
        if node.name == "constexpr":
            lines += [*operators("Any"), *(f"    def __{name}__(self) -> {name}: ..." for name in ("bool", "int", "float")),
                      "    def __index__(self) -> int: ...", "    def __hash__(self) -> int: ...",
                      "    def __call__(self, *args: Any, **kwargs: Any) -> constexpr: ..."]
        if node.name == "tensor":
            lines += ["    dtype: Any", "    shape: Any", "    T: tensor", *operators("tensor"), "    def __bool__(self) -> bool: ...",
                      "    def __index__(self) -> int: ...", "    def __getitem__(self, index: Any) -> tensor: ...",
                      "    def __iter__(self) -> Iterator[tensor]: ...", "    def __getattr__(self, name: str) -> Any: ..."]
        yield "\n".join(lines) + "\n"


def write(path, title, parts):
    """A stub file; written only where it changes, so that nothing is built anew for nothing."""
    text = _HEAD.format(title=title) + "\n".join(parts)
    ast.parse(text)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    docs, folder = map(pathlib.Path, sys.argv[1:])
    texts = documented(docs)
    lines = [line for line in _native.names("tl.").splitlines() if re.match(r"tl\.\w+\(", line)]
    known = {re.match(r"tl\.(\w+)", line)[1] for line in lines}
    # As an annotation an element type is the class of a kernel's values, elsewhere it is a dtype: a class whose class is that.
    types = [f'class {name}(tensor, metaclass=dtype):\n    """Element type {value.name}."""\n'
             for name, value in vars(language).items() if isinstance(value, language.dtype)]
    spaces = [f"{name}: Any" for name in sorted(language.NAMESPACES - known)]
    skipped = {"constexpr", "dtype", "pointer_type", "block_type", "tensor", "const", "tuple"}
    functions = [function(line, texts) for line in lines if re.match(r"tl\.(\w+)", line)[1] not in skipped]
    write(folder / "__init__.pyi", "The kernel language's names.", [*classes(), "\n".join(types + spaces) + "\n", *functions])
    rest = [function(line, texts) for line in _native.names("libdevice.").splitlines() if re.match(r"libdevice\.\w+\(", line)]
    write(folder / "extra" / "libdevice.pyi", "Maths functions by their libdevice names, the same on every target.",
          ["from tilewright.language import tensor\n", *rest])


if __name__ == "__main__":
    main()
