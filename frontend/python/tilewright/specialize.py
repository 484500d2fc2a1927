"""From launch arguments to a signature: types, facts and constants of each parameter.

Rules (docs/language.md, "Specialisation"): an int equal to 1 becomes a constant; ints and addresses divisible by 16 get
that fact; ints are i32, else i64, else u64; floats are fp32; arrays that overlap no other array are `disjoint`.
"""
import inspect

from . import arrays
from .descriptor import TensorDescriptor
from .errors import LaunchError
from .language import dtype as dtype_class

_INT_TYPES = {"int": None, "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
              "uint16": "u16", "uint32": "u32", "uint64": "u64", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
              "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64"}
_FLOAT_TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "fp16": "fp16",
                "bf16": "bf16", "fp32": "fp32", "fp64": "fp64"}


def annotated_type(annotation):
    """The scalar type that a parameter's annotation fixes ("i64", "fp16"), or None."""
    if annotation is None:
        return None
    name = annotation.name if isinstance(annotation, dtype_class) else str(annotation).split(".")[-1].strip("'\"")
    return _INT_TYPES.get(name) or _FLOAT_TYPES.get(name)


def plain_constant(value):
    """A number or text as the Python type that it stands for: NumPy's scalars and enumerations have another `repr`."""
    if value is None or isinstance(value, type) or arrays.is_array(value):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    if hasattr(value, "__index__"):
        return value.__index__()
    if isinstance(value, str):
        return str.__str__(value)
    return float(value) if hasattr(value, "__float__") else value


def is_named_tuple(value):
    """Whether a value is an instance of a named tuple."""
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def constant_text(name, value, module_of):
    """A constant as it stands in a signature; `module_of(function)` names the source module of a kernel function."""
    function = getattr(getattr(value, "__tilewright_inner__", value), "__tilewright_function__", None)
    if function is not None:
        return f"{module_of(function)}:{function.__name__}"
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if isinstance(value, dtype_class):
        return value.name
    value = plain_constant(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if is_named_tuple(value):
        fields = (f"{field}={constant_text(name, entry, module_of)}" for field, entry in zip(value._fields, value))
        return f"{type(value).__name__}({', '.join(fields)})"
    if isinstance(value, (tuple, list)):
        return "(" + "".join(constant_text(name, entry, module_of) + ", " for entry in value) + ")"
    if str(value).startswith("torch."):
        return str(value).removeprefix("torch.")
    found = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    hint = "\n  hint: dtypes of kernels are tl.float32, tl.int32, ..." if isinstance(value, type) else ""
    raise LaunchError(f"TW6050: expected a number, text, dtype, tuple or None for the constexpr '{name}', "
                      f"got {found}{hint}", 6050)


def _integer(value, fixed, specialize):
    """(type with facts, whether the value is folded away)."""
    if fixed is not None:
        return (fixed + "[:16]" if specialize and value % 16 == 0 else fixed), False
    if value == 1 and specialize:
        return "i32[1]", True
    if -2**31 <= value < 2**31:
        kind = "i32"
    elif -2**63 <= value < 2**63:
        kind = "i64"
    elif 0 <= value < 2**64:
        kind = "u64"
    else:
        raise LaunchError(f"TW6051: expected an integer of at most 64 bits, got {value}", 6051)
    return (kind + "[:16]" if specialize and value % 16 == 0 else kind), False


def disjoint_arrays(ranges):
    """Positions of the address ranges that overlap no other range."""
    order = sorted(ranges, key=lambda entry: entry[1])
    touching, last_end, last = set(), None, None
    for position, low, high in order:
        if last is not None and low < last_end:
            touching.update((last, position))
        if last is None or high > last_end:
            last_end, last = high, position
    return {position for position, _, _ in ranges} - touching


def signature_entries(parameters, values, module_of):
    """(signature text, run-time values) for parameters with their bound values."""
    ranges = []
    for position, (parameter, value) in enumerate(zip(parameters, values)):
        if not parameter.is_constexpr and arrays.is_array(value):
            _, low, high = arrays.address_range(value)
            # An empty array has no place, so nothing is said about it.
            if low < high:
                ranges.append((position, low, high))
    disjoint = disjoint_arrays(ranges)
    entries, runtime = [], []
    for position, (parameter, value) in enumerate(zip(parameters, values)):
        name = parameter.name
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            # `**META` of old kernels: constants that the kernel looks up by name.
            entries += [f"{key}={constant_text(key, entry, module_of)}" for key, entry in value.items()]
            continue
        if parameter.is_constexpr or value is None:
            entries.append(f"{name}={constant_text(name, value, module_of)}")
            continue
        text, passed = _runtime_entry(parameter, value, position in disjoint, module_of)
        entries.append(f"{name}:{text}")
        runtime += passed
    return ", ".join(entries), tuple(runtime)


def _tuple_entry(parameter, value, module_of):
    """The entry of a tuple: `P(x:*fp32, n:i32, mode="relu")` where its elements have names."""
    texts, runtime = [], []
    names = value._fields if is_named_tuple(value) else [""] * len(value)
    for name, entry in zip(names, value):
        is_number = hasattr(entry, "__index__") or hasattr(entry, "__float__")
        is_argument = (arrays.is_array(entry) or isinstance(entry, (tuple, TensorDescriptor)) or
                       (is_number and type(entry).__name__ != "constexpr"))
        if is_argument:
            text, passed = _runtime_entry(parameter, entry, False, module_of)
            texts.append(f"{name}:{text}" if name else text)
            runtime += passed
        else:
            texts.append(f"{name}={constant_text(parameter.name, entry, module_of)}")
    kind = type(value).__name__ if is_named_tuple(value) else ""
    return f"{kind}({', '.join(texts)}{',' if len(texts) == 1 else ''})", runtime


def _runtime_entry(parameter, value, disjoint, module_of):
    """(type text, values to pass: none when it was folded, several for a tuple)."""
    if isinstance(value, tuple):
        return _tuple_entry(parameter, value, module_of)
    if isinstance(value, TensorDescriptor):
        return value.signature_type(), value.runtime_values()
    if arrays.is_array(value):
        kind = arrays.dtype_name(value)
        if kind is None:
            raise LaunchError(f"TW6052: expected an array of a known number type for '{parameter.name}', "
                              f"got {value.dtype}", 6052)
        address, low, high = arrays.address_range(value)
        facts = [":16"] if parameter.specialize and address % 16 == 0 else []
        if disjoint:
            facts.append("disjoint")
        # Read-only memory gets a read-only pointer, so that storing through it is a compile error.
        const = "" if arrays.is_writable(value) and not parameter.is_const else "k"
        return f"*{const}{kind}" + (f"[{','.join(facts)}]" if facts else ""), [(address, high - address)]
    value = plain_constant(value)
    if isinstance(value, bool):
        return "i1", [value]
    if isinstance(value, int):
        number = value
        if parameter.fixed_type in _FLOAT_TYPES.values():
            return parameter.fixed_type, [float(number)]
        text, folded = _integer(number, parameter.fixed_type, parameter.specialize)
        return text, [] if folded else [number]
    if isinstance(value, float):
        return parameter.fixed_type or "fp32", [value]
    raise LaunchError(f"TW6053: expected an array, number, bool, tuple or None for '{parameter.name}', "
                      f"got {type(value).__name__}", 6053)
