"""Dumps the layout of every struct of the C interfaces, and holds the recorded layout to it.

    layout.py --write    rewrites plugins/abi/<version>/layout.json and layout.def
    layout.py --check    fails if a header and the record disagree, if the record did more than append to an older version's,
                         or if a layout rule of base.h is broken

A struct that starts with `uint32_t size; uint32_t flags` may grow at its end within a major version; every other struct
is frozen. `--check` says which kind of change it found.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = "0.9"
FOLDER = ROOT / "plugins" / "abi" / VERSION
HEADERS = ["tilewright/plugin.h", "tilewright/extensions.h", "tilewright/artifact.h", "tilewright/expression.h", "tilewright/runtime.h",
           "tilewright/compiler.h", "backends/cpu/driver/KernelABI.h",
           "backends/simt/driver/KernelABI.h"]
INCLUDES = [ROOT, ROOT / "plugins/include", ROOT / "runtime/include", ROOT / "frontend/driver/include"]
COMPILERS = ["clang-22", "clang"]


def clang(arguments, text):
    """Runs the first clang that exists on a C source."""
    flags = ["-x", "c", "-std=c11"] + [f"-I{folder}" for folder in INCLUDES]
    for compiler in COMPILERS:
        try:
            return subprocess.run([compiler, *flags, *arguments, "-"], input=text, text=True, capture_output=True,
                                  check=True).stdout
        except FileNotFoundError:
            continue
        except subprocess.CalledProcessError as error:
            sys.exit(error.stderr)
    sys.exit(f"expected one of {', '.join(COMPILERS)} in the path")


def source():
    return "".join(f'#include "{header}"\n' for header in HEADERS)


def find_structs():
    """Names and field names of all complete tw_ structs, in the order of the headers."""
    tree = json.loads(clang(["-Xclang", "-ast-dump=json", "-fsyntax-only"], source()))
    structs = {}
    for node in tree["inner"]:
        if node["kind"] == "RecordDecl" and node.get("completeDefinition") and node.get("name", "").startswith("tw_"):
            fields = [(field["name"], field["type"]["qualType"]) for field in node.get("inner", [])
                      if field["kind"] == "FieldDecl"]
            structs[node["name"]] = fields
    return structs


def measure(structs):
    """Offsets and sizes, as the compiler lays the structs out."""
    lines = []
    for name, fields in structs.items():
        lines.append(f'printf("%zu\\n", sizeof(struct {name}));')
        for field, _ in fields:
            lines.append(f'printf("%zu %zu\\n", offsetof(struct {name}, {field}), sizeof(((struct {name} *)0)->{field}));')
    program = source() + "#include <stdio.h>\n#include <stddef.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "layout"
        clang(["-o", str(binary)], program)
        numbers = iter(subprocess.run([binary], text=True, capture_output=True, check=True).stdout.splitlines())
    layout = {}
    for name, fields in structs.items():
        entry = {"size": int(next(numbers)), "fields": []}
        for field, kind in fields:
            offset, size = map(int, next(numbers).split())
            entry["fields"].append({"name": field, "offset": offset, "size": size, "type": kind})
        layout[name] = entry
    return layout


def broken_rules(layout):
    """Breaches of the layout rules at the top of base.h."""
    basic = {"uint8_t", "uint32_t", "int32_t", "uint64_t", "int64_t", "double"}
    for name, entry in layout.items():
        end = 0
        for field in entry["fields"]:
            if field["offset"] != end:
                yield f"{name}.{field['name']}: hidden padding before it"
            end = field["offset"] + field["size"]
            kind = field["type"].split("[")[0].strip()
            plain = kind.removeprefix("const ").removeprefix("struct ")
            if "*" not in kind and plain not in basic and plain not in layout:
                yield f"{name}.{field['name']}: type {field['type']} has no fixed width"
        if end != entry["size"]:
            yield f"{name}: hidden padding at the end"
        if entry["size"] % 8:
            yield f"{name}: size {entry['size']} is not a multiple of 8"


def is_table(entry):
    return [field["name"] for field in entry["fields"][:2]] == ["size", "flags"]


def differences(recorded, current):
    """What changed, and whether the ABI allows it."""
    for name, old in recorded.items():
        new = current.get(name)
        if new is None:
            yield f"{name}: removed, which needs a new major version"
        elif old["fields"] != new["fields"][:len(old["fields"])]:
            yield f"{name}: changed, which needs a new major version"
        elif old["size"] != new["size"]:
            allowed = "bump the minor version and run layout.py --write" if is_table(old) else \
                "which needs a new major version, because the struct is frozen"
            yield f"{name}: grew: {allowed}"
    for name in current.keys() - recorded.keys():
        yield f"{name}: new; run layout.py --write"


def breaks_since_released(layout):
    """What the headers changed since each version before: within a major version there are appends to tables only."""
    major = VERSION.split(".")[0]
    for record in sorted(FOLDER.parent.glob(f"{major}.*/layout.json")):
        if record.parent == FOLDER:
            continue
        for name, old in json.loads(record.read_text())["structs"].items():
            new = layout.get(name)
            if new is None or old["fields"] != new["fields"][:len(old["fields"])] or \
                    (old["size"] != new["size"] and not is_table(old)):
                yield f"{name}: not what ABI {record.parent.name} has with fields appended, which needs a new major version"


def as_def(layout):
    """The same numbers for static assertions."""
    lines = [f"/* Generated by plugins/abi/layout.py from the headers of ABI {VERSION}. */"]
    for name, entry in layout.items():
        lines.append(f"TW_LAYOUT_SIZE({name}, {entry['size']})")
        lines += [f"TW_LAYOUT_FIELD({name}, {field['name']}, {field['offset']}, {field['size']})"
                  for field in entry["fields"]]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", action="store_true", help="rewrite the recorded layout")
    mode.add_argument("--check", action="store_true", help="compare with the recorded layout")
    arguments = parser.parse_args()
    layout = measure(find_structs())
    faults = [*broken_rules(layout), *breaks_since_released(layout)]
    record, definitions = FOLDER / "layout.json", FOLDER / "layout.def"
    if arguments.check:
        faults += differences(json.loads(record.read_text())["structs"], layout)
        if definitions.read_text() != as_def(layout):
            faults.append("layout.def is out of date: run layout.py --write")
    elif not faults:
        FOLDER.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps({"abi": VERSION, "structs": layout}, indent=1) + "\n")
        definitions.write_text(as_def(layout))
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(layout)} structs, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
