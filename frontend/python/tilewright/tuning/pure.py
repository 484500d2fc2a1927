"""Which functions of `heuristics` give the same for the same arguments, so that a launch need not call them again.

A function is taken apart, not trusted: its bytecode may read arguments as `named["NAME"]`, constants, and globals that are numbers
or functions known here, and may compute with them. Whatever else it does, it is called at every launch.
"""
from __future__ import annotations

import dis
import inspect
import math
import types
from typing import Any

from ..host import cdiv, next_power_of_2

#: Values that cannot change, on which every operator is known.
_PLAIN = (int, float, bool, str, type(None))
_FUNCTIONS = [abs, bool, divmod, float, int, len, max, min, pow, round, cdiv, next_power_of_2, math.ceil, math.floor, math.gcd, math.log2,
              math.sqrt]

#: Names are those of Python 3.11 to 3.13; an unknown one is of a function that is called each time.
_OPCODES = {
    "RESUME", "NOP", "COPY", "SWAP", "POP_TOP", "PUSH_NULL", "LOAD_FAST", "LOAD_FAST_LOAD_FAST", "STORE_FAST", "STORE_FAST_LOAD_FAST",
    "STORE_FAST_STORE_FAST", "LOAD_CONST", "LOAD_GLOBAL", "BINARY_OP", "BINARY_SUBSCR", "COMPARE_OP", "CONTAINS_OP", "TO_BOOL",
    "UNARY_NEGATIVE", "UNARY_NOT", "UNARY_INVERT", "UNARY_POSITIVE", "PRECALL", "CALL", "RETURN_VALUE", "RETURN_CONST",
    "JUMP_FORWARD", "JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP",
    *(f"POP_JUMP_{way}IF_{test}" for way in ("", "FORWARD_") for test in ("TRUE", "FALSE", "NONE", "NOT_NONE"))
}
_FLAGS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def _is_plain(value):
    """Whether a constant of the code, or a global, is a value that cannot change."""
    if type(value) in (tuple, frozenset):
        return all(map(_is_plain, value))
    return type(value) in _PLAIN


def _is_known(value):
    return _is_plain(value) or any(value is function for function in _FUNCTIONS)


def reads(function: Any) -> tuple[types.CodeType, list[tuple[str, bool]], list[tuple[dict, str, Any, bool]]] | None:
    """(its code, arguments that it reads, globals that it reads), where its value depends on nothing else; otherwise None.

    An argument is (name, whether it is only compared with None), a global (dictionary, name, value, whether it is there).
    """
    if type(function) is not types.FunctionType:
        return None
    code = function.__code__
    if type(function.__globals__) is not dict or type(function.__builtins__) is not dict:
        return None
    if (code.co_argcount, code.co_kwonlyargcount) != (1, 0) or code.co_flags & _FLAGS or code.co_freevars or code.co_cellvars:
        return None
    arguments, variables = [], []
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    at = 0
    while at < len(steps):
        ahead = steps[at:at + 5]
        taken = _argument(code, ahead, arguments) or _global(function, ahead, variables) or _identity(ahead) or _plain(code, ahead[0])
        if not taken:
            return None
        at += taken
    return code, arguments, variables


def _argument(code, steps, arguments):
    """How many instructions are `named["NAME"]`, with a comparison with None behind it."""
    names = [step.opname for step in steps]
    if names[:3] != ["LOAD_FAST", "LOAD_CONST", "BINARY_SUBSCR"] or steps[0].argval != code.co_varnames[0]:
        return 0
    if type(steps[1].argval) is not str or any(step.is_jump_target for step in steps[1:3]):
        return 0
    jumps = len(steps) > 3 and names[3].startswith("POP_JUMP_") and names[3].endswith("NONE") and not steps[3].is_jump_target
    compares = len(steps) > 3 and _identity(steps[3:]) and steps[3].argval is None and not steps[3].is_jump_target
    arguments.append((steps[1].argval, bool(jumps or compares)))
    return 4 if jumps else 5 if compares else 3


def _identity(steps):
    """How many instructions compare with None, True or False; which of equal numbers is which object is no matter of value."""
    if [step.opname for step in steps[:2]] != ["LOAD_CONST", "IS_OP"] or steps[1].is_jump_target:
        return 0
    return 2 if any(steps[0].argval is value for value in (None, True, False)) else 0


def _global(function, steps, variables):
    """How many instructions are a global, or an attribute of a module, that is known; each is noted with where it stands."""
    if steps[0].opname != "LOAD_GLOBAL":
        return 0
    name = steps[0].argval
    held = function.__globals__
    if name not in held:
        held = function.__builtins__
        variables.append((function.__globals__, name, None, False))
        if name not in held:
            return 0
    value = held[name]
    variables.append((held, name, value, True))
    if type(value) is types.ModuleType:
        if len(steps) < 2 or steps[1].opname not in ("LOAD_ATTR", "LOAD_METHOD") or steps[1].is_jump_target:
            return 0
        held, name = vars(value), steps[1].argval
        if name not in held:
            return 0
        variables.append((held, name, held[name], True))
        return 2 if _is_known(held[name]) else 0
    return 1 if _is_known(value) else 0


def _plain(code, step):
    """1 for an instruction that only computes."""
    named = code.co_varnames[0]
    if step.opname not in _OPCODES or step.opname == "LOAD_GLOBAL":
        return 0
    if "FAST" in step.opname and named in (step.argval if isinstance(step.argval, tuple) else (step.argval,)):
        return 0
    if step.opname in ("LOAD_CONST", "RETURN_CONST") and not _is_plain(step.argval):
        return 0
    return 1
