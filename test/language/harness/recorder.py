"""A machine whose driver library is the stand-in of test/backends/standin: launches are made and written down, kernels do
not run. Each launch is held to what it should be: grid, block, shared memory, module, and the bytes of its arguments."""
import json
import os
import pathlib
import re
import struct

import ml_dtypes
import numpy as np

from tilewright import engine
from tilewright.specialize import signature_entries

from assembler import BadCode, payload_of
from runner import BufferMemory, Machine, split_signature

_FORMATS = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q",
            "fp16": "e", "fp32": "f", "fp64": "d"}


#: A value that the kernel was compiled for, which is not passed: "n:i32[1]".
_KNOWN_VALUE = re.compile(r"\[-?\d")


def argument_types(signature):
    """The types of what a launch passes, in order; members of tuples one by one."""
    types = []

    def add(text):
        text = text.strip()
        if text.endswith(")"):  # "(*fp32, i32)", "Pair(first:*fp32, second:i32)"
            for member in split_signature(text[text.index("(") + 1:-1]):
                add(member.split(":", 1)[-1] if text[0] != "(" else member)
        elif text and "=" not in text and not _KNOWN_VALUE.search(text):
            types.append(text.split("[")[0])

    for entry in split_signature(signature):
        name, separator, rest = entry.partition(":")
        if separator and "=" not in name:
            add(rest)
    return types


def pack(types, values):
    """The user's part of a kernel's arguments: each at its natural alignment."""
    block = b""
    for kind, value in zip(types, values, strict=True):
        if kind.startswith("*"):
            data = struct.pack("<Q", value[0])
        elif kind == "bf16":
            data = np.asarray(value, ml_dtypes.bfloat16).tobytes()
        else:
            data = struct.pack("<" + _FORMATS[kind], value)
        block += b"\0" * (-len(block) % len(data)) + data
    return block


def digest(data):
    """As the stand-in computes it: FNV-1a of 64 bits."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return str(value)


class Recorder(Machine):
    """Launches on the stand-in, whose log the environment names."""

    def __init__(self, target, options):
        super().__init__(target, options)
        self.log = pathlib.Path(os.environ["TW_STANDIN_LOG"])

    def launch_once(self, function, grid, arguments, options):
        memory = BufferMemory(engine.vendor_of(self.target))
        moved = {name: memory.of(value) for name, value in arguments.items()}
        self.log.write_text("")
        compiled = function[grid](**moved, **options, target=self.target)
        self.compare(function, compiled, grid, moved, options)
        return compiled

    def compare(self, function, compiled, grid, arguments, options):
        """Raises BadCode where a launch is not as it should be."""
        launches = [json.loads(line) for line in self.log.read_text().splitlines()]
        options = {key: value for key, value in options.items() if value is not None}
        bound, _ = function._bound((), {**arguments, **options})
        constants = dict(bound)
        programs = [*(grid(constants) if callable(grid) else grid), 1, 1][:3]
        if 0 in programs:
            expect("launches of an empty grid", len(launches), 0)
            return
        expect("launches", len(launches), 1)
        launch = launches[0]
        lanes = 64 if "gfx9" in compiled.target else 32
        signature, values = signature_entries(function.params, [bound[name] for name in function.arg_names],
                                              function._module_of)
        user = pack(argument_types(signature), values)
        hidden = struct.pack("<6i", *programs, 0, 0, 0)
        wanted = user + b"\0" * (-len(user) % 4) + hidden
        expect("grid", launch["grid"], programs)
        expect("block", launch["block"], [options.get("num_warps", 4) * lanes, 1, 1])
        expect("shared memory", launch["shared"], 0)
        expect("module", launch["module"], digest(payload_of(bytes(compiled.artifact))))
        given = bytes.fromhex(launch["arguments"])
        expect("arguments", given[:len(wanted)].hex(), wanted.hex())
        expect("bytes behind the arguments", given[len(wanted):].strip(b"\0"), b"")


def expect(what, got, wanted):
    if got != wanted:
        raise BadCode(f"{what}: expected {wanted}, got {got}")
