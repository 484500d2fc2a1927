"""Compares our syntax trees with those of CPython 3.11 over its standard library.

    python3.11 compare_with_cpython.py --tool build/bin/tilewright-ast [--attributes] [PATH ...]

test_cpython.py runs it under pytest. Every file that CPython parses must give the same
`ast.dump(tree, indent=2)`; every file that it rejects must be rejected with a coded error. Files that may differ are
listed with the reason in cpython_differences.txt.
"""
import argparse
import ast
import concurrent.futures
import difflib
import os
import pathlib
import subprocess
import sys
import sysconfig
import warnings

HERE = pathlib.Path(__file__).resolve().parent
LEAST_FILES = 1000
CHUNK = 40


def reference_version():
    """Trees are those of 3.11; other versions differ."""
    return sys.version_info[:2] == (3, 11)


def library_files(stdlib):
    """Every Python file below the standard library, its test suite included."""
    found = []
    for folder, folders, names in os.walk(stdlib):
        folders[:] = sorted(set(folders) - {"site-packages", "dist-packages", "__pycache__"})
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")]
    return found


def known_differences():
    """Maps the path suffixes of cpython_differences.txt to their reasons."""
    lines = (HERE / "cpython_differences.txt").read_text().splitlines()
    rows = [line.split(":", 1) for line in lines if line and not line.startswith("#")]
    return {path.strip(): reason.strip() for path, reason in rows}


class DropInterpolations(ast.NodeVisitor):
    """Gives expressions inside f-strings the position of the string.

    CPython 3.11 only estimates those positions, ours are exact.
    """

    def visit_FormattedValue(self, node):
        for inner in ast.walk(node.value):
            if isinstance(inner, (ast.expr, ast.arg, ast.keyword)):
                inner.lineno = inner.col_offset = inner.end_lineno = inner.end_col_offset = 0
        if node.format_spec:
            self.visit(node.format_spec)


def expected_dump(path, attributes):
    """CPython's dump, or None when it rejects the file; the second value is its message."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        if attributes:
            DropInterpolations().visit(tree)
        return ast.dump(tree, include_attributes=attributes, indent=2), ""
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, f"{type(error).__name__}: {error}"


def our_dumps(tool, paths, attributes):
    """(is_fine, text) of each path, from one run of the tool."""
    command = [str(tool)] + (["--attributes", "--hide-interpolations"] if attributes else [])
    output = subprocess.run(command, input="\n".join(paths).encode() + b"\n", stdout=subprocess.PIPE, check=True).stdout
    at = 0
    for _ in paths:
        end = output.index(b"\n", at)
        status, size = output[at:end].split()
        yield status == b"ok", output[end + 1 : end + 1 + int(size)].decode("utf-8", "surrogatepass")
        at = end + 2 + int(size)


def first_difference(expected, actual):
    """A few lines around the first line that differs."""
    old, new = expected.splitlines(), actual.splitlines()
    at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    window = slice(max(0, at - 3), at + 4)
    return "\n".join(difflib.unified_diff(old[window], new[window], "CPython", "tilewright", lineterm=""))


def compare_chunk(tool, paths, attributes):
    """Rows (path, kind, problem) of one chunk; kind is 'same', 'rejected' or 'different'."""
    rows = []
    for path, (is_fine, text) in zip(paths, our_dumps(tool, paths, attributes)):
        expected, message = expected_dump(path, attributes)
        if expected is None:
            good = not is_fine and ": error: TW1" in text
            rows.append((path, "rejected" if good else "different", "" if good else f"CPython rejects it: {message}"))
        elif not is_fine:
            rows.append((path, "different", "rejected by us:\n" + text[:1500]))
        elif text != expected:
            rows.append((path, "different", first_difference(expected, text)))
        else:
            rows.append((path, "same", ""))
    return rows


def compare(tool, paths, attributes=False):
    """Rows of all files, on all cores."""
    chunks = [paths[i : i + CHUNK] for i in range(0, len(paths), CHUNK)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        parts = pool.map(compare_chunk, [tool] * len(chunks), chunks, [attributes] * len(chunks))
        return [row for part in parts for row in part]


def summarize(rows, known):
    """Splits rows into unexpected differences and a line of totals."""
    def reason(path):
        return next((why for suffix, why in known.items() if path.endswith("/" + suffix)), None)

    different = [row for row in rows if row[1] == "different"]
    surprises = [row for row in different if reason(row[0]) is None]
    totals = {kind: sum(row[1] == kind for row in rows) for kind in ("same", "rejected", "different")}
    line = (f"{len(rows)} files: {totals['same']} equal, {totals['rejected']} rejected by both, "
            f"{len(different) - len(surprises)} known differences, {len(surprises)} unexpected")
    return surprises, line


# ---- command line ----


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--attributes", action="store_true", help="compare positions, too")
    parser.add_argument("--show", type=int, default=20, help="differences to print")
    parser.add_argument("paths", nargs="*", help="files to compare instead of the standard library")
    arguments = parser.parse_args()
    if not reference_version():
        sys.exit("run this with Python 3.11")
    paths = arguments.paths or library_files(sysconfig.get_paths()["stdlib"])
    rows = compare(arguments.tool, [os.path.abspath(path) for path in paths], arguments.attributes)
    surprises, line = summarize(rows, known_differences())
    for path, _, problem in surprises[: arguments.show]:
        print(f"--- {path}\n{problem}")
    print(line)
    too_few = not arguments.paths and len(rows) < LEAST_FILES
    if too_few:
        print(f"expected at least {LEAST_FILES} files; is the interpreter's test package installed?")
    return 1 if surprises or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
