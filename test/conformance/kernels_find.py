"""Finds every `@triton.jit` function in the sources of flag-gems and liger-kernel and the live object behind it."""
import ast
import dataclasses
import gc
import importlib
import importlib.util
import pathlib

LIBRARIES = ("flag_gems", "liger_kernel")
#: Every jit function that was made; libraries replace some of theirs and keep no reference.
_MADE = []


def keep_all():
    """Remembers every jit function made from now on."""
    from triton.runtime.jit import JITFunction
    make = JITFunction.__init__

    def remembered(self, *args, **kwargs):
        make(self, *args, **kwargs)
        _MADE.append(self)

    JITFunction.__init__ = remembered


@dataclasses.dataclass
class Function:
    """A jit function: where it stands, and what the library wrapped around it."""
    library: str
    #: Path inside the package, module name, name of the function, line of its first decorator, number of lines.
    file: str
    module: str
    name: str
    line: int
    length: int
    node: ast.FunctionDef
    #: The JITFunction; None when the module cannot be imported.
    kernel: object = None
    #: Autotuners, heuristics and launchers around it, outermost last.
    wrappers: list = dataclasses.field(default_factory=list)
    #: The pointwise operator that is generated from it, if there is one.
    pointwise: object = None
    problem: str = ""

    @property
    def label(self):
        """The function's name for people."""
        return f"{self.file}:{self.name}"


def _is_jit(decorator):
    return ast.unparse(decorator).split("(")[0] in ("triton.jit", "jit", "triton.runtime.jit")


def package_folder(library):
    """Folder of an installed package."""
    return pathlib.Path(importlib.util.find_spec(library).submodule_search_locations[0])


def _module_name(library, path, folder):
    parts = path.relative_to(folder).with_suffix("").parts
    vendor = next((i for i, part in enumerate(parts) if part.startswith("_") and parts[:i] == ("runtime", "backend")), None)
    # The library itself imports vendor trees with its backend folder on the path.
    parts = parts[vendor:] if vendor is not None and library == "flag_gems" else (library, *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources():
    """All jit functions of both libraries, in order of file and line."""
    found = []
    for library in LIBRARIES:
        folder = package_folder(library)
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text()
            if "jit" not in text:
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and any(map(_is_jit, node.decorator_list)):
                    line = min(decorator.lineno for decorator in node.decorator_list)
                    found.append(Function(library, str(path.relative_to(folder.parent)), _module_name(library, path, folder),
                                          node.name, line, node.end_lineno - node.lineno + 1, node))
    return found


def _place(kernel):
    code = kernel.fn.__code__
    return code.co_filename, code.co_firstlineno


def import_modules(functions):
    """Imports the functions' modules; says in `problem` why one cannot be imported."""
    outcome = {}
    for function in functions:
        if function.module not in outcome:
            try:
                importlib.import_module(function.module)
                outcome[function.module] = ""
            except Exception as error:
                outcome[function.module] = f"{type(error).__name__}: {error}"
        function.problem = outcome[function.module]


def attach(functions):
    """Connects functions with the live kernels, wrappers and pointwise operators."""
    from flag_gems.utils.pointwise_dynamic import PointwiseDynamicFunction
    from triton.runtime.jit import JITFunction, KernelInterface
    objects = gc.get_objects()
    kernels = {_place(entry): entry for entry in _MADE}
    wrappers = {}
    for entry in objects:
        if isinstance(entry, KernelInterface) and not isinstance(entry, JITFunction):
            wrappers.setdefault(id(entry.__tilewright_inner__), []).append(entry)
    pointwise = {id(entry._scalar_fn): entry for entry in objects if isinstance(entry, PointwiseDynamicFunction)}
    for function in functions:
        place = str(package_folder(function.library).parent / function.file), function.line
        function.kernel = kernels.get(place)
        if function.kernel is not None:
            function.wrappers = wrappers.get(id(function.kernel), [])
            function.pointwise = pointwise.get(id(function.kernel))
