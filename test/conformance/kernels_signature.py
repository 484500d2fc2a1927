"""Signatures for kernels that no launch was recorded of: tuning configurations, heuristics, defaults, usage, and a table.

`kernels_rules.json` holds the table: the first pattern that is found in a parameter's name says a constant's value, a
scalar's type or a pointer's element type; "functions" overrides single parameters of single functions.
"""
import inspect
import json
import pathlib
import re
import types

import kernels_usage

RULES = json.loads((pathlib.Path(__file__).resolve().parent / "kernels_rules.json").read_text())
_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")
#: Whole signatures are tried with these element types in place of fp32, in this order.
ELEMENTS = ("fp32", "fp16", "bf16", "i32", "i64", "i8", "u8", "i1", "fp8e4nv", "fp64")


def _matching(table, name):
    return next(value for pattern, value in RULES[table] if re.search(pattern, name))


def configuration(function):
    """(constants, options) of the first tuning configuration around a kernel."""
    constants, options = {}, {}
    for wrapper in function.wrappers:
        configs = getattr(wrapper, "configs", None)
        if configs:
            chosen = configs[0].all_kwargs()
            options = {name: chosen.pop(name) for name in _OPTIONS if name in chosen}
            constants.update(chosen)
    return constants, {name: value for name, value in options.items() if name in ("num_warps", "num_stages")}


def heuristic_values(function, named):
    """Constants that the kernel's heuristics compute from the other arguments, where they can."""
    values = {}
    for wrapper in function.wrappers:
        for name, compute in (getattr(wrapper, "values", None) or {}).items():
            try:
                values[name] = compute({**named, **values})
            except Exception:
                continue
    return values


class Deriver:
    """Makes a signature from what is known about a function."""

    def __init__(self, function, usage):
        self.function, self.kernel, self.usage = function, function.kernel, usage
        self.overrides = RULES["functions"].get(function.label, {})
        self.configured, self.options = configuration(function)

    def constant(self, parameter, flag):
        """A value for a constexpr parameter."""
        name = parameter.name
        if name in self.usage.texts:
            return self.usage.texts[name]
        if name in self.usage.dtypes:
            return "tl.float32"
        if name in self.usage.optional and name not in self.usage.flags:
            return None
        if name in self.usage.flags or re.match(r"(?i)(is|has|have|use|need|return|even|descending|reverse)(_|$)", name):
            return flag
        return _matching("constants", name)

    def scalar(self, parameter):
        """The type of a run-time number."""
        if parameter.fixed_type:
            return parameter.fixed_type
        return _matching("scalars", parameter.name)

    def runtime(self, parameter, element):
        """The type of a run-time parameter."""
        name = parameter.name
        if name in self.usage.descriptors and name not in self.usage.pointers:
            extents = [1] * (self.usage.descriptors[name] - 2) + [32, 32]
            return f"tensordesc<fp16[{','.join(map(str, extents))}]>"
        if name in self.usage.pointers or re.search(r"(?i)_ptrs?($|_|\d)|^ptr_|_pointer$", name):
            kind = _matching("elements", name)
            if name in self.usage.indices and kind == "fp32":
                kind = "i32"
            return "*" + (element if kind == "fp32" else kind)
        return self.scalar(parameter)

    def entries(self, element="fp32", flag=False):
        """(name, entry) pairs of a signature."""
        pairs, named = [], {}
        for parameter in self.kernel.params:
            name = parameter.name
            if name in self.overrides:
                entry = self.overrides[name]
            elif not parameter.is_constexpr:
                entry = ":" + self.runtime(parameter, element)
                named[name] = 64 if entry[1] in "iu" else 0.5
            elif name in self.configured:
                entry = self.configured[name]
            elif parameter.default is not inspect.Parameter.empty:
                entry = parameter.default
            else:
                entry = self.constant(parameter, flag)
            pairs.append([name, entry])
            if parameter.is_constexpr:
                named[name] = entry
        computed = heuristic_values(self.function, named)
        for pair in pairs:
            if pair[0] in computed and pair[0] not in self.overrides:
                pair[1] = computed[pair[0]]
        return pairs

    def text(self, element="fp32", flag=False):
        """A signature as text."""
        from tilewright.specialize import constant_text
        parts = []
        for name, entry in self.entries(element, flag):
            if isinstance(entry, str) and entry.startswith(":"):
                parts.append(name + entry)
            elif isinstance(entry, str) and entry.startswith("tl."):
                parts.append(f"{name}={entry}")
            elif isinstance(entry, str) and entry.startswith("="):
                parts.append(name + entry)
            else:
                parts.append(f"{name}={constant_text(name, entry, self.kernel.module_of)}")
        return ", ".join(parts)


def candidates(function, usages, flags=(False, True)):
    """Signatures to try, likeliest first, as (text, options, None)."""
    deriver = Deriver(function, usages(function.kernel))
    seen = set()
    for flag in flags:
        for element in ELEMENTS:
            try:
                text = deriver.text(element, flag)
            except Exception:  # A library's own configuration or heuristic is at fault; the next may do.
                continue
            if text not in seen:
                seen.add(text)
                yield text, deriver.options, None


#: Types of the values that a helper is called with where its names say nothing, and shapes of the tiles.
_VALUES = ("fp32", "i32", "u32", "i64", "u64", "i1", "fp64", "fp16")
_SHAPES = ("", "tl.arange(0, 64)", "tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]")


def call_candidates(function, usages, flags=(False,)):
    """Kernels around a helper, as (signature, options, source tree): numbers and tiles of each type as arguments."""
    kernel = function.kernel
    deriver = Deriver(function, usages(kernel))
    head = "import triton.language as tl; from tilewright_called import " + kernel.fn.__name__
    for shape in _SHAPES:
        for kind in _VALUES:
            entries, values = [], []
            for name, entry in deriver.entries():
                is_value = isinstance(entry, str) and entry.startswith(":") and "*" not in entry and "tensordesc" not in entry
                if is_value and shape:
                    entries.append(f"{name}:*{kind}")
                    values.append(f"tl.load({name} + {shape})")
                elif is_value:
                    entries.append(f"{name}:{kind}")
                    values.append(name)
                else:
                    entries.append(name + entry if isinstance(entry, str) and entry[0] in ":=" else
                                   f"{name}={entry}" if isinstance(entry, str) and entry.startswith("tl.") else
                                   f"{name}={entry!r}")
                    values.append(name)
            names = ", ".join(name for name, _ in deriver.entries())
            text = f"{head}\n@jit\ndef calls({names}):\n    {kernel.fn.__name__}({', '.join(values)})\n"
            modules = [("tilewright_called", kernel.tree.file, kernel.tree.text), *kernel.tree.modules]
            yield ", ".join(entries), {}, types.SimpleNamespace(name="calls", text=text, file=kernel.tree.file,
                                                                modules=modules)
