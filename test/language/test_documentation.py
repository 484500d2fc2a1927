"""The examples of docs/language: each runs as written and gives what it states; every name of the language is documented."""
import pathlib
import re
import subprocess
import textwrap

import ml_dtypes
import numpy as np
import pytest

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "language"
HEADING = re.compile(r"^#{1,4} (.*)$")
DIRECTIVE = re.compile(r"^# (error|head|before|grid|[a-z]\w*)(: | = )(.*)$")
TYPES = {
    "float16": np.float16, "float32": np.float32, "float64": np.float64, "bfloat16": ml_dtypes.bfloat16, "float8e4nv": ml_dtypes.float8_e4m3fn,
    "float8e5": ml_dtypes.float8_e5m2, **{f"{sign}int{bits}": getattr(np, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)}
}


def blocks():
    """(name, text) of every example: the file, the first name of its heading, a number."""
    for path in sorted(FOLDER.glob("*.md")):
        heading, number, lines = "", 0, None
        for line in path.read_text().splitlines():
            if lines is None and HEADING.match(line):
                heading = re.sub(r"\W+", "-", HEADING.match(line).group(1).split("(")[0].split(",")[0]).strip("-")
            elif line == "```python":
                lines = []
            elif line == "```" and lines is not None:
                number += 1
                yield f"{path.stem}-{number}-{heading}", "\n".join(lines)
                lines = None
            elif lines is not None:
                lines.append(line)


def evaluated(text):
    """The values of `x = ..., y = ...`."""
    convert = {name: (lambda values, dtype=dtype: np.array(values, dtype)) for name, dtype in TYPES.items()}
    return eval(f"dict({text})", {"np": np, "float": float, **convert})


class Example:
    """An example taken apart: body, inputs, expected outputs, refusal."""

    def __init__(self, text):
        self.inputs, self.outputs, self.before, self.ulps = {}, {}, {}, {}
        self.error, self.head, self.grid, body = None, "", (1,), []
        for line in text.splitlines():
            match = DIRECTIVE.match(line)
            if not match:
                body.append(line)
            elif match.group(1) == "error":
                self.error = int(match.group(3).removeprefix("TW"))
            elif match.group(1) == "head":
                self.head = match.group(3).replace("; ", "\n")
            elif match.group(1) == "before":
                self.before.update(evaluated(match.group(3)))
            else:
                self.take_values(match.group(0)[2:], is_input=not body)
        self.body = "\n".join(body)

    def take_values(self, text, is_input):
        allowed = re.search(r" \((\d+) ulp\)$", text)
        values = evaluated(text[:allowed.start()] if allowed else text)
        if is_input:
            self.grid = values.pop("grid", self.grid)
            self.inputs.update(values)
            return
        self.outputs.update(values)
        self.ulps.update({name: int(allowed.group(1)) if allowed else 0 for name in values})


EXAMPLES = dict(blocks())


def signature(inputs):
    """Types of the inputs as a signature."""
    names = {np.dtype(dtype): name for name, dtype in
             {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64, "bf16": ml_dtypes.bfloat16, "fp8e4nv": ml_dtypes.float8_e4m3fn,
              "fp8e5": ml_dtypes.float8_e5m2, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u32": np.uint32}.items()}
    return ", ".join(f"{name}:*{names[value.dtype]}" if isinstance(value, np.ndarray) else f"{name}:{'fp32' if isinstance(value, float) else 'i32'}"
                     for name, value in inputs.items())


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_example(machine, name):
    example = Example(EXAMPLES[name])
    assert example.error or example.outputs, "an example states a result or a refusal"
    if example.error:
        types = signature(example.inputs) or "n:i32"
        outputs = {word for word in re.findall(r"tl\.store\((\w+)", example.body)} - set(example.inputs)
        machine.refuse(example.body, example.error, parameters=", ".join([types, *(f"{word}:*i32" for word in sorted(outputs))]), head=example.head)
        return
    machine.check(example.body, example.outputs, example.inputs, initial=example.before, ulps=max(example.ulps.values()), grid=example.grid,
                  head=example.head)


DOCUMENTED = "\n".join(path.read_text() for path in FOLDER.glob("*.md"))
#: Names that are the same function as a documented one, or parts of other names.
ALIASES = re.compile(r"^tl\.(math|extra\.cuda)\.")


def known_names(tilewright, prefix):
    listed = subprocess.run([tilewright, "explain", prefix], capture_output=True, text=True, check=True).stdout
    return [line.split("(")[0] for line in listed.splitlines() if line]


@pytest.mark.parametrize("prefix", ["tl.", "libdevice.", "tensor.", "dtype.", "desc.", "math.", "str.", "dict."])
def test_every_name_is_documented(tilewright, prefix):
    names = known_names(tilewright, prefix)
    assert names
    missing = []
    for name in names:
        last = name.rsplit(".", 1)[1]
        family = re.sub(r"_(rn|rz|rd|ru)$", "_", last)
        spellings = [name, f"`{last}`", f"`{family}`", f"x.{last}(", f"desc.{last}(", f"`{last}()`", f"s.{last}(", f"d.{last}(", f"`{last}("]
        if prefix == "tl.":
            spellings = [f"`{name}"]
        if not ALIASES.match(name) and not any(spelling in DOCUMENTED for spelling in spellings):
            missing.append(name)
    assert not missing, f"docs/language does not name {', '.join(missing)}"


def test_every_signature_is_current(tilewright):
    """A heading shows the parameters that the compiler has."""
    current = {}
    for prefix in ("tl.",):
        for line in subprocess.run([tilewright, "explain", prefix], capture_output=True, text=True, check=True).stdout.splitlines():
            current[line.split("(")[0]] = line
    for written in re.findall(r"^### (.*)$", DOCUMENTED, re.MULTILINE):
        for text in re.findall(r"`(tl\.[^`]*\))`", written):
            name = text.split("(")[0]
            if text.endswith("(...)") or name not in current:
                continue
            assert text == current[name], f"the compiler has {current[name]}"


def test_every_rule_has_its_sentence():
    rules = [f"{letter}{number}" for letter, count in zip("ABCDEFGHIJKLMN", (4, 6, 7, 4, 8, 5, 7, 8, 7, 6, 6, 2, 2, 4)) for number in range(1, count + 1)]
    missing = [rule for rule in rules if f"**{rule}.**" not in DOCUMENTED and f"({rule})" not in DOCUMENTED]
    assert not missing, f"docs/language has no sentence for {', '.join(missing)}"


def test_every_code_exists(tilewright):
    """Codes that the pages mention have a page of their own."""
    for code in sorted(set(re.findall(r"TW\d{4}", DOCUMENTED))):
        assert subprocess.run([tilewright, "explain", code], capture_output=True).returncode == 0, code
