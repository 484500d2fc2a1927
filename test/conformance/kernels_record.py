"""Compiles kernels to Kernel IR and records how that went; launches of the libraries' own wrappers end here.

While a recorder is active, a launch stops after compiling: host code goes on with tensors that nobody computed, which is
enough to see the signatures that it uses.
"""
import collections
import contextlib
import json
import pathlib

from tilewright import engine
from tilewright.errors import from_result
from tilewright.jit import Call, JITFunction

#: What else a kernel is compiled for, a `kernels_targets.Targets`.
targets = None

#: Results of one operator beyond this are not looked at: they repeat with other sizes.
_MOST = 40


class _Stopped(Exception):
    """Enough was recorded."""


class _Compiled:
    """Stands for a compiled kernel that nobody launches."""

    def __init__(self, name, options):
        self.name, self.options = name, options


def compile_to_kernel(kernel, signature, options, tree=None):
    """The row of one compile of a JITFunction, or of a text that calls it: ends with Kernel IR, and calls a backend only for
    `targets`.
    """
    name = kernel.fn.__name__ if tree is None else tree.name
    tree = tree or kernel.tree
    row = {"signature": signature, "options": dict(options)}
    result = engine.compiler().compile(tree.text, tree.file, name, signature, "cpu", options, tree.modules,
                                       ["functions", "kernel"])
    errors = [entry for entry in result.diagnostics if entry[1] == 3]
    row["code"] = errors[0][0] if errors else result.status
    if result.status != 0:
        row["message"] = result.rendered.strip()
        row["place"] = f"{pathlib.Path(errors[0][4]).name}:{errors[0][5]}" if errors else ""
        return row, result
    counts = collections.Counter()
    for remark in result.remarks:
        if remark[2].startswith("raise: the access is a box"):
            counts["boxes"] += 1
        elif remark[2].startswith("raise:"):
            counts["atomics" if "an atomic has" in remark[2] else "gathers"] += 1
    row.update(counts)
    row["reasons"] = dict(collections.Counter(
        remark[2].rsplit(": ", 1)[1] for remark in result.remarks if "gather or scatter: " in remark[2]))
    row["functions"] = result.stages["functions"].split()
    row["milliseconds"] = round(1e3 * sum(seconds for stage, seconds in result.timings.items()
                                          if stage in ("parse", "emit", "lower")), 2)
    if targets and targets.takes(place_of(kernel)):
        targets.compile(place_of(kernel), tree, name, signature, options)
    return row, result


def place_of(kernel):
    """File and line of a kernel's first decorator, as `kernels_find` writes them."""
    code = kernel.fn.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


class Recorder:
    """Replaces compiling and launching of the package; collects a row for each compile."""

    def __init__(self):
        self.rows = []
        self._seen = {}

    def _compile(self, kernel, signature, target="cpu", options=None):
        key = (place_of(kernel), signature, json.dumps(options or {}, sort_keys=True, default=str))
        if key not in self._seen:
            if len(self.rows) >= _MOST:
                raise _Stopped()
            row, result = compile_to_kernel(kernel, signature, options or {})
            row["kernel"], row["name"] = place_of(kernel), kernel.fn.__name__
            self.rows.append(row)
            self._seen[key] = from_result(result) if result.status else None
        if self._seen[key] is not None:
            raise self._seen[key]
        return _Compiled(kernel.fn.__name__, dict(options or {}))

    @contextlib.contextmanager
    def active(self):
        """Launches are recorded inside."""
        saved = JITFunction.compile, Call.launch
        JITFunction.compile = lambda *args, **kwargs: self._compile(*args, **kwargs)
        Call.launch = lambda call, grid: None
        try:
            yield
        finally:
            JITFunction.compile, Call.launch = saved


def record_operator(operator, module):
    """Rows of the kernels that an operator of the tables launches."""
    from operators_device import on_device
    from operators_draw import Draw
    recorder = Recorder()
    problem = ""
    with recorder.active():
        try:
            function = operator.function(module)
            for call in operator.cases(Draw()):
                try:
                    with on_device():
                        function(*call.args, **call.kwargs)
                except _Stopped:
                    break
                except Exception as error:  # The host code looks at results that nobody computed.
                    problem = f"{type(error).__name__}: {error}"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
    return recorder.rows, problem


def _pointwise_arguments(schema, dtype):
    import torch
    for position in range(schema.num_inputs()):
        if schema.is_tensor(position):
            yield torch.ones((4, 6), dtype=dtype)
        else:
            kind = schema.input_type(position)
            yield kind(1) if kind in (bool, int, float) else "none" if kind is str else 1.0 if dtype.is_floating_point else 1


def record_pointwise(operator):
    """Rows of the kernels that are generated from a scalar function, for several element types."""
    import torch
    recorder = Recorder()
    problem = ""
    with recorder.active():
        for dtype in (torch.float32, torch.float16, torch.int32, torch.bool):
            try:
                operator(*_pointwise_arguments(operator.fx, dtype))
            except _Stopped:
                break
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
    return recorder.rows, problem
