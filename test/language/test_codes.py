"""Codes of the frontend: every one that is reported has a page, and every TW1 and TW2 code is provoked by a test."""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
#: Codes that no input reaches, each with the reason; they guard the compiler against itself.
UNREACHABLE = {
    2009: "an operation that the frontend made is not valid: a fault of the compiler",
}


def sources(folder, *endings):
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in endings and path.is_file()]


def reported_codes():
    """Codes that the frontend's sources report, as numbers in calls or rows of the lexer's table."""
    codes = set()
    for path in sources("frontend", ".cpp", ".h", ".def"):
        for number in re.findall(r"\b([12][0-9]{3})\b", re.sub(r"//.*|\"(?:[^\"\\]|\\.)*\"", "", path.read_text())):
            codes.add(int(number))
    return codes


def page_codes():
    text = (ROOT / "plugins/include/tilewright/codes.def").read_text()
    return [int(number) for number in re.findall(r"^TW_CODE\((\d+)", text, re.MULTILINE)]


PAGES = page_codes()
FRONTEND = sorted(reported_codes() & set(PAGES))


def test_the_table_is_sorted():
    assert PAGES == sorted(set(PAGES))


def test_every_reported_code_has_a_page(tilewright):
    """Numbers that look like codes in calls that report."""
    pattern = re.compile(r"(?:error|errorAt|argumentError|warning|remark|fail|report)\w*\((?:[^;{}\"]*?,\s*)??([12]\d{3})\s*,", re.DOTALL)
    missing = set()
    for path in sources("frontend/sema", ".cpp", ".h"):
        missing.update(int(code) for code in pattern.findall(path.read_text()) if int(code) not in PAGES)
    assert not missing
    for code in FRONTEND:
        shown = subprocess.run([tilewright, "explain", f"TW{code}"], capture_output=True, text=True)
        assert shown.returncode == 0 and shown.stdout.startswith(f"TW{code}: ") and len(shown.stdout.splitlines()) >= 3, code


def test_every_code_of_plugins_driver_and_runtime_has_a_page():
    """Numbers in calls that report, and constants that are handed to them."""
    pattern = re.compile(r"(?:\bset|[eE]rror|fail\w*|Failure|warning|report\w*|refuse\w*|emit|explain|remark)\w*"
                         r"\((?:[^;{}\"]*?,\s*)??([3-7]\d{3})\s*,|\bk\w+ = ([3-7]\d{3});|\bcode = ([3-7]\d{3});", re.DOTALL)
    found = {}
    for folder in ("plugins", "frontend", "runtime", "backends", "dialects"):
        for path in sources(folder, ".cpp", ".h", ".c", ".py"):
            for numbers in pattern.findall(re.sub(r"//.*", "", path.read_text())):
                found.setdefault(int("".join(numbers)), path.name)
    del found[4096]  # bytes of a page of memory
    assert len(found) > 120 and {code: path for code, path in found.items() if code not in PAGES} == {}


def text_of_tests():
    folders = ["test/language", "test/frontend", "test/python", "test/unit/sema", "test/unit/syntax", "test/syntax", "docs/language"]
    paths = [path for folder in folders for path in sources(folder, ".py", ".cpp", ".test", ".md", ".txt") if path.name != "test_codes.py"]
    return "\n".join(path.read_text() for path in paths)


TESTS = text_of_tests()


@pytest.mark.parametrize("code", FRONTEND, ids=lambda code: f"TW{code}")
def test_code_is_provoked(code):
    """Some test names the code: TW2041, or 2041 as a number."""
    if code in UNREACHABLE:
        pytest.skip(UNREACHABLE[code])
    assert re.search(rf"\b(TW)?{code}\b", TESTS), f"no test provokes TW{code}"
