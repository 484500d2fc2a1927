"""Suites of `tilewright verify`: manifests, what they refuse, resuming, the page, the schemas of both files."""
import html.parser
import json
import pathlib
import re
import subprocess
import tomllib

import ml_dtypes
import numpy as np
import pytest
import schema
from scaled import SCALE, cell, statuses

ROOT = pathlib.Path(__file__).resolve().parents[2]

MANIFEST = """
version = 1
suite = "test"

[[kernels]]
name = "scaled"
file = "k.py"
kernel = "scale"
grid = "cdiv(n, BLOCK)"
dtypes = ["fp32", "fp16"]
cases = [{ n = 100 }, { n = 257, extra = 3 }]
math = ["portable"]
[kernels.arguments]
x_ptr = "{dtype}[{n}]~edges(seed=1)"
out_ptr = "{dtype}[{n}]"
n = "{n}"
factor = 1.5
"""

TABLES = """
version = 1

[[kernels]]
name = "pick"
file = "pick.py"
kernel = "pick"
grid = "2"
outputs = ["first", "second"]
math = ["accurate"]
[kernels.arguments]
table = "u64[2]~addresses(first, second)"
[kernels.buffers]
first = "fp32[16]~normal(seed=1)"
second = "fp32[16]~normal(seed=2)"
"""

PICK = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def pick(table):
    p = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32)) + tl.arange(0, 16)
    tl.store(p, tl.load(p) * 2)
"""


COPY = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def copy(x_ptr, out_ptr):
    i = tl.arange(0, 2)
    tl.store(out_ptr + i, tl.load(x_ptr + i))
"""


@pytest.fixture
def manifest(folder):
    """Writes a manifest into the folder; gives its name."""

    def write(text, name="suite.toml"):
        (folder / name).write_text(text)
        return name

    return write


def test_rows_are_the_combinations(verify, manifest):
    done = verify(manifest(MANIFEST), "--target", "reference,cpu")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [row["id"] for row in done.report["rows"]] == [
        "scaled.n100.fp32.portable", "scaled.n100.fp16.portable", "scaled.extra3.n257.fp32.portable",
        "scaled.extra3.n257.fp16.portable"]
    assert set(statuses(done.report).values()) == {"pass"}
    assert done.report["rows"][3]["arguments"] == ["factor=1.5", "n=257", "out_ptr=fp16[257]", "x_ptr=fp16[257]~edges(seed=1)"]


def test_json_says_the_same_as_toml(verify, manifest):
    name = manifest(json.dumps(tomllib.loads(MANIFEST)), "suite.json")
    done = verify(name, "--target", "cpu", "--only", "fp16")
    assert done.returncode == 0 and len(done.report["rows"]) == 2


def test_sources_may_stand_in_the_manifest(verify, manifest):
    kernel = {"source": PICK.replace("def pick(table)", "def other(table)"), "kernel": "other", "grid": "2", "math": ["accurate"],
              "arguments": {"table": "u64[2]~addresses(first, second)"}, "outputs": ["first", "second"],
              "buffers": {"first": "fp32[16]~bytes(0000003f)", "second": "fp32[16]~bytes(000080bf)"}}
    done = verify(manifest(json.dumps({"version": 1, "kernels": [kernel]}), "suite.json"), "--target", "cpu", "--save", "kept")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.report["rows"][0]["file"] == "suite.json"
    for wrong in ({**kernel, "file": "k.py"}, {key: value for key, value in kernel.items() if key != "source"}):
        document = {"version": 1, "kernels": [wrong]}
        done = verify(manifest(json.dumps(document), "suite.json"), "--target", "cpu")
        assert done.returncode == 1 and "error: TW7030: " in done.stderr and "'file'" in done.stderr
        assert schema.problems(json.loads((ROOT / "docs/schemas/verify-manifest.schema.json").read_text()), document)
    assert not schema.problems(json.loads((ROOT / "docs/schemas/verify-manifest.schema.json").read_text()), {"version": 1, "kernels": [kernel]})


def test_tables_of_addresses(verify, manifest, folder):
    (folder / "pick.py").write_text(PICK)
    done = verify(manifest(TABLES), "--target", "reference,cpu,spirv")
    assert done.returncode == 0, done.stdout
    assert {c["array"] for c in cell(done.report, "cpu")["comparisons"]} == {"first", "second"}


def test_excuses_and_unordered_rows(verify, manifest):
    text = MANIFEST.replace('math = ["portable"]', 'math = ["portable"]\nunordered = "sums of programs"\nexcuses = { cpu = "too small" }')
    done = verify(manifest(text), "--target", "cpu,spirv", "--only", "n100")
    assert (cell(done.report, "cpu")["status"], cell(done.report, "cpu")["reason"]) == ("cannot-run", "too small")
    assert cell(done.report, "spirv")["comparisons"][0]["rule"] == "ulp=4,scale=32"


@pytest.mark.parametrize("old, new, text", [
    ("version = 1", "version = 2", "expected version 1, got 2"),
    ("version = 1", "", "expected the key 'version'"),
    ("version = 1", "version = 1\nversions = 1", "unknown key 'versions'"),
    ('grid = "cdiv(n, BLOCK)"', "", "expected the key 'grid'"),
    ('grid = "cdiv(n, BLOCK)"', 'grid = "cdiv(n, BLOCK)"\ntolerence = "bits"', "unknown key 'tolerence'"),
    ("n = 100 }", 'n = "100" }', "expected an integer for 'n'"),
    ('["fp32", "fp16"]', '"fp32"', "expected a list of texts for 'dtypes'"),
    ("{dtype}[{n}]~edges", "{dtype}[{n~edges", "expected '}'"),
    ("factor = 1.5", "factor = [1]", "expected a text, a number or a truth value"),
    ("cases =", "cases = = 1 #", "suite.toml:11:"),
])
def test_malformed_manifests_are_refused(verify, manifest, old, new, text):
    done = verify(manifest(MANIFEST.replace(old, new)))
    assert done.returncode == 1 and "error: TW7030: " in done.stderr and text in done.stderr


@pytest.mark.parametrize("old, new, text", [
    ('n = "{n}"', 'n = "{m}"', "TW7022: suite.toml: kernels[0].arguments.n: 'm' in 'm'"),
    ('"{dtype}[{n}]"', '"{dtype}[{rows * 2}]"', "TW7022: suite.toml: kernels[0].arguments.out_ptr: 'rows' in 'rows * 2'"),
    ('"cdiv(n, BLOCK)"', '"{n //}"', "TW7021: suite.toml: kernels[0].grid: "),
])
def test_wrong_expressions_say_where_they_stand(verify, manifest, old, new, text):
    done = verify(manifest(MANIFEST.replace(old, new)))
    assert done.returncode == 1 and f"error: {text}" in done.stderr, done.stderr


def test_rows_of_one_name_are_refused(verify, manifest):
    done = verify(manifest(MANIFEST + MANIFEST[MANIFEST.index("[[kernels]]"):]))
    assert done.returncode == 1 and "two rows are called 'scaled.n100.fp32.portable'" in done.stderr


@pytest.mark.parametrize("name", ["../../evil", "", "/tmp/evil", "..", "a/b", "a\\\\b", ".hidden"])
def test_names_of_rows_stay_in_their_folder(verify, manifest, folder, name):
    done = verify(manifest(MANIFEST.replace('name = "scaled"', f'name = "{name}"')), "--save", "kept/deep")
    assert done.returncode == 1 and "error: TW7030: " in done.stderr and "can name a file" in done.stderr
    assert not (folder / "kept").exists()


def test_a_manifest_takes_no_arguments(verify, manifest):
    for options in (["--arg", "n=3"], ["--only", "nothing"]):
        done = verify(manifest(MANIFEST), *options)
        assert done.returncode == 1 and "error: TW7038: " in done.stderr


def test_a_tolerance_of_the_command_holds_for_a_manifest(verify, manifest):
    text = MANIFEST.replace('["portable"]', '["accurate"]\ntolerance = "ulp=9"')
    done = verify(manifest(text), "--target", "cpu", "--only", "n100.fp32", "--tolerance", "absolute=0.5")
    assert cell(done.report, "cpu")["comparisons"][0]["rule"] == "absolute=0.5"
    done = verify(manifest(text), "--target", "cpu", "--tolerance", "ulps=1")
    assert done.returncode == 1 and "TW7031" in done.stderr


def test_an_interrupted_run_goes_on(verify, manifest, folder):
    name = manifest(MANIFEST)
    done = verify(name, "--target", "cpu", "--only", "fp16", "--resume", "journal")
    assert done.returncode == 0 and (folder / "journal").read_text().count("\n") == 2
    with open(folder / "journal", "a") as file:
        file.write('\n{"key": "cut sho')  # what an interruption leaves
    done = verify(name, "--target", "cpu", "--resume", "journal")
    assert done.returncode == 0 and len(done.report["rows"]) == 4 and set(statuses(done.report).values()) == {"pass"}
    assert "2 of 4 rows" in done.stderr and done.stderr.count("cpu pass") == 2
    (folder / "k.py").write_text((folder / "k.py").read_text() + "\n")
    done = verify(name, "--target", "cpu", "--resume", "journal")
    assert done.stderr.count("cpu pass") == 4


def test_lint_keeps_nothing(verify, manifest):
    """A run after it has everything to do."""
    name = manifest(MANIFEST)
    assert verify(name, "--target", "cpu", "--lint", "--resume", "journal").returncode == 0
    done = verify(name, "--target", "cpu", "--resume", "journal")
    assert len(statuses(done.report)) == 4 and done.stderr.count("cpu pass") == 4


@pytest.mark.parametrize("content", ["notes\n", '{"kind": "tilewright-verify-journal", "version": 0}\n', '{"version": 1, "suite": "x"}'])
def test_other_files_are_no_journals(verify, folder, content):
    (folder / "notes").write_text(content)
    done = verify(*SCALE, "--target", "cpu", "--resume", "notes")
    assert done.returncode == 1 and "error: TW7039: " in done.stderr
    assert (folder / "notes").read_text() == content


@pytest.mark.parametrize("old, new", [('math = ["portable"]', 'math = ["portable"]\noptions = ["sprv:num_warps=8"]'),
                                      ('math = ["portable"]', 'math = ["portable"]\nexcuses = { sprv = "too small" }')])
def test_unknown_vendors_of_manifests_are_refused(verify, manifest, old, new):
    done = verify(manifest(MANIFEST.replace(old, new)), "--target", "cpu")
    assert done.returncode == 1 and "error: TW7041: unknown vendor 'sprv'" in done.stderr
    done = verify(manifest(MANIFEST.replace(old, new.replace("sprv", "spirv"))), "--target", "cpu", "--only", "n100.fp32")
    assert done.returncode == 0, done.stderr


def test_rows_that_cannot_be_meant(verify):
    for words, text in ((["--opt", "nvdia:num_warps=8"], "TW7041: unknown vendor 'nvdia' of the option 'nvdia:num_warps=8'"),
                        (["--math", "accurate,accurate"], "TW7032: two rows are called 'scale.accurate'")):
        done = verify(*SCALE, "--target", "cpu", *words)
        assert done.returncode == 1 and "error: " + text in done.stderr, done.stderr
    without_grid = [word for word in SCALE if word not in ("--grid", "cdiv(n, BLOCK)")]
    done = verify(*without_grid, "--target", "cpu")
    assert done.returncode == 1 and "--grid" in done.stderr and "TW7025" in done.stderr


def test_help_says_the_default_target(tilewright):
    text = subprocess.run([tilewright, "verify", "--help"], text=True, capture_output=True).stdout
    assert "(default all" in " ".join(text.split()) and "default cpu)" not in " ".join(text.split())


def test_reports_that_cannot_be_written_are_refused_first(verify, tilewright, folder):
    for option in ("--json", "--html"):
        done = subprocess.run([tilewright, "verify", *SCALE, "--target", "cpu", option, "no/such/folder/report"], cwd=folder, text=True,
                              capture_output=True)
        assert done.returncode == 1 and "error: TW7002: cannot write 'no/such/folder/report'" in done.stderr
        assert "scale.accurate" not in done.stdout + done.stderr


def test_heads_of_the_page_say_what_ran(verify, folder):
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu,cpu:x86-64-v2,nvidia:sm_1", "--html", "page.html")
    heads = dict(re.findall(r'<th scope="col">([^<]*)<small title="([^"]*)"', (folder / "page.html").read_text()))
    assert "not here" not in heads.values() and heads["nvidia:sm_1"] == "did not run"
    assert heads["cpu"] == cell(done.report, "cpu")["device"] != ""


def resumed(verify, *options):
    """Whether a run takes its only row from the journal."""
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--resume", "journal", *options)
    assert done.report and done.report["rows"][0]["cells"], done.stderr
    return "1 of 1 rows are in" in done.stderr


def test_changed_modules_are_seen(verify, folder):
    """Those of a folder below the kernel's and of --module-path."""
    for helper in (folder / "parts" / "helper.py", folder / "else where" / "deep" / "helper.py"):
        helper.parent.mkdir(parents=True)
        helper.write_text("FACTOR = 1\n")
        options = ["--module-path", "else where"]
        resumed(verify, *options)
        assert resumed(verify, *options)
        helper.write_text("FACTOR = 2\n")
        assert not resumed(verify, *options)


def test_changed_saved_arrays_are_seen(verify, folder):
    assert not resumed(verify, "--save", "kept")
    assert resumed(verify, "--save", "kept")
    array = folder / "kept/scale.accurate/cpu/out_ptr.npy"
    array.unlink()
    assert not resumed(verify, "--save", "kept") and array.exists()
    assert not resumed(verify, "--compare", "kept")
    assert resumed(verify, "--compare", "kept")
    content = bytearray(array.read_bytes())
    content[-1] ^= 0x40
    array.write_bytes(content)
    assert not resumed(verify, "--compare", "kept")
    assert not resumed(verify, "--ranges", "n=1..5")


def test_cells_that_ran_out_of_time_are_tried_again(verify, folder):
    (folder / "k.py").write_text("""
import tilewright as tw
import tilewright.language as tl


@tw.jit
def scale(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr = 128):
    while tl.load(x_ptr) == tl.load(x_ptr):
        tl.atomic_add(out_ptr, factor)
""")
    for _ in range(2):
        assert not resumed(verify, "--cell-seconds", "0.5")
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--cell-seconds", "0.5")
    assert cell(done.report, "cpu")["reason"] == "took longer than 0.5 seconds"


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "bf16", "fp64", "fp8e4nv", "fp8e5", "i32", "u8"])
def test_edges_hold_what_rules_are_about(verify, folder, dtype):
    (folder / "keep.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n\n@tw.jit\ndef keep(x):\n    pass\n")
    done = verify("keep.py", "--grid", "1", "--arg", f"x={dtype}[4000]~edges(seed=3)", "--target", "reference", "--math", "accurate",
                  "--save", "kept")
    assert done.returncode == 0, done.stdout
    bits = np.load(folder / "kept/keep.accurate/reference/x.npy")
    kept = bits.view({"bf16": ml_dtypes.bfloat16, "fp8e4nv": ml_dtypes.float8_e4m3fn, "fp8e5": ml_dtypes.float8_e5m2}.get(dtype, bits.dtype))
    if dtype in ("i32", "u8"):
        info = np.iinfo(kept.dtype)
        assert {info.min, info.max, 0, 1} <= set(kept.tolist())
        return
    info = ml_dtypes.finfo(kept.dtype)
    numbers = kept.astype(np.float64)
    assert np.isnan(numbers).any() and (np.isinf(numbers).any() or dtype == "fp8e4nv")
    for value in (info.smallest_subnormal, info.tiny, info.max, info.min, 1):
        assert (numbers == float(value)).any(), value
    assert (np.signbit(numbers) & (numbers == 0)).any()


@pytest.mark.parametrize("fill, expected", [("arange(2, 0.5)", [2, 2.5, 3, 3.5]), ("values(4, -1, 0.25, 8)", [4, -1, 0.25, 8]),
                                             ("bytes(0000803f000000BF)", [1, -0.5, 1, -0.5])])
def test_fills_that_are_spelled_out(verify, folder, fill, expected):
    done = verify(*[argument.replace("fp32[1000]~normal(seed=1)", f"fp32[4]~{fill}").replace("1000", "4") for argument in SCALE],
                  "--target", "reference", "--math", "accurate", "--save", "kept")
    assert done.returncode == 0, done.stdout
    np.testing.assert_array_equal(np.load(folder / "kept/scale.accurate/reference/x_ptr.npy"), np.float32(expected))


@pytest.mark.parametrize("fill", ["arange(1)", "values()", "values(1, 2)", "edges(3)", "triangular(1)", "bytes()", "bytes(0)", "bytes(0g)",
                                  "bytes(00)x", "bytes(000000)"])
def test_wrong_fills_are_refused(verify, fill):
    done = verify("k.py", "--kernel", "scale", "--grid", "1", "--arg", f"x_ptr=fp32[4]~{fill}", "--arg", "out_ptr=fp32[4]", "--arg",
                  "n=4", "--arg", "factor=1.5", "--target", "reference", "--math", "accurate")
    assert done.returncode == 1 and done.report["rows"][0]["errorCode"] == "TW7013"


@pytest.mark.parametrize("array, fits", [
    ("i8[2]~values(-128, 127)", True), ("i8[2]~values(-129, 0)", False), ("i8[2]~values(0, 128)", False),
    ("u8[2]~values(0, 255)", True), ("u8[2]~values(-1, 0)", False), ("u8[2]~values(256, 0)", False),
    ("i64[2]~values(-9223372036854775808, 9223372036854775807)", True), ("i64[2]~values(9223372036854775808, 0)", False),
    ("u64[2]~values(18446744073709551615, 9007199254740993)", True), ("u64[2]~values(18446744073709551616, 0)", False),
    ("i32[2]~arange(2147483647, 1)", False), ("u8[2]~arange(255, -255)", True), ("u8[2]~integers(-5, -1, seed=1)", False),
    ("i1[2]~values(3, 0)", True), ("i32[2]~values(1e12, 0)", False), ("i32[2]~values(nan, 0)", False),
])
def test_fills_stay_in_the_range_of_integers(verify, folder, array, fits):
    """What an integer type does not have is refused; what it has is exact."""
    name = array.split("[")[0]
    (folder / "copy.py").write_text(COPY)
    done = verify("copy.py", "--kernel", "copy", "--grid", "1", "--arg", f"x_ptr={array}", "--arg", f"out_ptr={name}[2]",
                  "--target", "reference", "--math", "accurate", "--save", "kept")
    if not fits:
        assert done.returncode == 1 and done.report["rows"][0]["errorCode"] == "TW7013"
        return
    assert done.returncode == 0, done.stdout
    numbers = [int(number) for number in array.split("(")[1].strip(")").split(",")]
    expected = [255, 0] if "arange" in array else [number != 0 for number in numbers] if name == "i1" else numbers
    assert np.load(folder / "kept/copy.accurate/reference/x_ptr.npy").tolist() == expected


class Page(html.parser.HTMLParser):
    """Collects tags, texts and addresses; open tags have to be closed in order."""
    VOID = {"meta", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.links, self.ids, self.text = [], [], set(), ""

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        self.ids.add(attributes.get("id"))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_stands_alone(verify, manifest, folder, build):
    name = manifest(MANIFEST.replace('suite = "test"', 'suite = "a <b> & c"'))
    done = verify(name, "--target", "reference,cpu,cpu:neoverse-n1", "--only", "n100.fp32", "--html", "page.html", "--plugin",
                  build / "lib/faulty/libtilewright_faulty_cpu.so", "--opt", "cpu:fault=store-mask")
    assert done.returncode == 1
    page = Page()
    text = (folder / "page.html").read_text()
    page.feed(text)
    assert not page.open and page.links == ["#f-scaled.n100.fp32.portable-cpu"] and page.links[0][1:] in page.ids
    assert "http" not in text and "@import" not in text and "url(" not in text and "<script" not in text
    for word in ("cannot run", "TW6011", "behind 'out_ptr'", "Likely:"):
        assert word in page.text


def test_report_and_manifest_follow_their_schemas(verify, manifest, folder):
    done = verify(manifest(MANIFEST), "--target", "reference,cpu,cpu:neoverse-n1", "--only", "n100")
    schemas = ROOT / "docs/schemas"
    report = json.loads((schemas / "verify-report.schema.json").read_text())
    assert schema.problems(report, done.report) == []
    done.report["rows"][0]["cells"][0]["status"] = "fine"
    del done.report["machine"]
    assert len(schema.problems(report, done.report)) == 2
    suite = json.loads((schemas / "verify-manifest.schema.json").read_text())
    for text in (MANIFEST, TABLES, (ROOT / "docs/examples/verify.toml").read_text()):
        assert schema.problems(suite, tomllib.loads(text)) == []
