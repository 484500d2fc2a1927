"""The plugin kit: the plugins of this repository pass it, and a plugin that breaks one rule fails by this rule's number."""
import concurrent.futures
import json
import os
import pathlib
import subprocess

import pytest

SOURCE = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def count(x, out):
    i = tl.program_id(0) + tl.num_programs(0) * (tl.program_id(1) + tl.num_programs(1) * tl.program_id(2))
    tl.store(out + i, tl.load(x + i) * 3)


@tw.jit
def flags(x, out):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.load(x + i) > 7)


@tw.jit
def gather(x, out):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.load(x + tl.load(x + i)))
"""

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NULL_LISTS = ROOT / "plugins" / "null" / "null.check.json"
#: Rules whose fault is another rule's, too: bytes that change between compiles are seen by all that compile twice, and a
#: kernel that does not run does not fail.
COMPANIONS = {105: {101}, 506: {308, 402, 516}, 601: {808}}
#: Rules that a wrapped reference breaks as the reference does.
REFERENCE_LISTS = "libtilewright_reference.check.json"
WRAPPED_REFERENCES = {509, 510, 511, 512, 518, 520, 601, 602, 603, 709, 808}
#: A suite: two rows of one kernel, of which one has programs along a third axis, one that writes truth values, one that gathers.
SUITE = {"version": 1, "suite": "test", "kernels": [
    {"name": name, "source": SOURCE, "kernel": kernel, "grid": grid, "math": ["accurate"], "tolerance": "ulp=0",
     "arguments": {"x": "i32[16]~arange(15, -1)", "out": "i1[16]~bytes(01)" if kernel == "flags" else "i32[16]~bytes(a5)"}}
    for name, kernel, grid in [("plane", "count", "16"), ("space", "count", "2, 2, 4"), ("flags", "flags", "1"), ("gather", "gather", "1")]]}


def check(build, library, *options):
    """(exit status, report) of the kit."""
    done = subprocess.run([build / "bin/tilewright", "plugin-check", library, "--json", "-", *options], text=True,
                          capture_output=True, timeout=600)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    return done.returncode, json.loads(done.stdout)


def failed(report):
    return {int(row["rule"].removeprefix("TWB-")): row["text"] for row in report["rules"]
            if row["result"] in ("fail", "unexpected-pass")}


@pytest.mark.parametrize("name", ["null", "reference", "cpu", "cpu_driver", "spirv", "spirv_driver", "nvidia", "nvidia_driver",
                                  "amd", "amd_driver", "simulate", "template", "npu"])
def test_plugins_of_this_repository_pass(build, name):
    status, report = check(build, build / f"lib/tilewright/libtilewright_{name}.so")
    assert failed(report) == {}
    assert status == 0 and report["passed"]
    assert report["counts"]["pass"] >= 20


def broken_plugins(build):
    return {int(path.stem.rsplit("_", 1)[1]): path for path in (build / "lib/broken").glob("libtilewright_broken_*.so")}


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The file of SUITE."""
    path = tmp_path_factory.mktemp("suite") / "suite.json"
    path.write_text(json.dumps(SUITE))
    return path


@pytest.fixture(scope="module")
def broken_reports(build, suite):
    """The kit's report on every broken plugin, by rule."""
    plugins = broken_plugins(build)

    def examine(item):
        rule, path = item
        if rule == 604:
            return rule, check(build, path, "--suite", suite)
        if rule == 521:
            return rule, check(build, path)
        options = ["--glibc", "2.35"] if rule == 110 else []
        lists = build / "lib/tilewright" / REFERENCE_LISTS if rule in WRAPPED_REFERENCES else NULL_LISTS
        return rule, check(build, path, "--lists", lists, *options)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(examine, sorted(plugins.items())))


def test_every_rule_catches_its_plugin(build, broken_reports):
    """Each rule has a plugin that breaks it, fails it, and fails no other one."""
    _, whole = check(build, build / "lib/tilewright/libtilewright_null.so", "--rule", "TWB-101")
    rules = {int(line.split("|")[1].strip().removeprefix("TWB-")) for line in
             subprocess.run([build / "bin/tilewright", "plugin-check", "--rules"], text=True, capture_output=True).stdout.splitlines()
             if line.startswith("| TWB-")}
    assert len(whole["rules"]) == 1 and len(rules) > 50
    assert set(broken_reports) == rules
    wrong = {}
    for rule, (status, report) in broken_reports.items():
        found = failed(report)
        if status != 1 or rule not in found or set(found) - {rule} - COMPANIONS.get(rule, set()):
            wrong[rule] = found
    assert wrong == {}


def row_results(report):
    return {row["row"].removesuffix(".accurate"): row["result"] for row in report["suite"]["rows"]}


def test_a_suite_names_the_rows_that_differ(broken_reports):
    _, report = broken_reports[604]
    assert report["suite"]["counts"] == {"fail": 1, "pass": 3} and row_results(report) == {"space": "fail"}
    assert "'space.accurate' out[0]: expected 45" in failed(report)[604]


@pytest.mark.parametrize("lists, status, results, stale", [
    ({}, 1, {"gather": "fail"}, []),
    ({"unsupported-rows": {"TW4160": "boxes only"}}, 0, {"gather": "unsupported"}, []),
    ({"unsupported-rows": {"gath": "boxes only"}}, 0, {"gather": "unsupported"}, []),
    ({"expected-failure-rows": {"gather": "boxes only"}}, 0, {"gather": "expected-failure"}, []),
    ({"expected-failure-rows": {"TW4160": "boxes only", "spa": "no"}}, 1, {"gather": "expected-failure", "space": "unexpected-pass"}, []),
    ({"unsupported-rows": {"TW4160": "boxes only", "TW4161": "no"}}, 1, {"gather": "unsupported"}, ["TW4161"])])
def test_rows_are_judged_by_the_lists(build, suite, tmp_path, lists, status, results, stale):
    """What a plugin refuses or fails has to be listed, and what is listed has to be so."""
    path = tmp_path / "lists.json"
    path.write_text(json.dumps({"schema": 1, **lists}))
    got, report = check(build, build / "lib/tilewright/libtilewright_npu.so", "--suite", suite, "--rule", "TWB-604", "--lists", path)
    assert (got, row_results(report), report["suite"]["stale"]) == (status, results, stale)


def test_without_a_suite_its_rule_is_skipped(build):
    status, report = check(build, build / "lib/tilewright/libtilewright_template.so", "--rule", "TWB-604")
    assert status == 0 and report["rules"][0]["result"] == "skip" and "suite" not in report


def test_a_suite_that_does_not_exist_is_refused(build):
    done = subprocess.run([build / "bin/tilewright", "plugin-check", build / "lib/tilewright/libtilewright_template.so", "--suite", "nosuch"],
                          text=True, capture_output=True)
    assert done.returncode == 1 and "TW7001" in done.stderr and "language-suite" in done.stderr


def test_a_crash_fails_the_rule_at_work_only(broken_reports):
    _, report = broken_reports[401]
    row = next(row for row in report["rules"] if row["rule"] == "TWB-401")
    assert "SIGABRT" in row["text"]
    assert report["counts"]["pass"] > 40


def test_an_unexpected_pass_fails(build, tmp_path):
    lists = json.loads(NULL_LISTS.read_text())
    lists["expected-failure"]["TWB-205"] = "once upon a time"
    path = tmp_path / "lists.json"
    path.write_text(json.dumps(lists))
    status, report = check(build, build / "lib/tilewright/libtilewright_null.so", "--lists", path, "--rule", "TWB-205")
    assert status == 1 and report["rules"][0]["result"] == "unexpected-pass"


@pytest.mark.parametrize("text", ["[]", "{}", '{"schema": 2}', '{"schema": 1, "x": {}}', '{"schema": 1, "unsupported": {"TWB-999": "x"}}',
                                  '{"schema": 1, "unsupported": {"TWB-205": ""}}', '{"schema": 1, "expected-failure": ["TWB-205"]}'])
def test_lists_are_read_strictly(build, tmp_path, text):
    path = tmp_path / "lists.json"
    path.write_text(text)
    done = subprocess.run([build / "bin/tilewright", "plugin-check", build / "lib/tilewright/libtilewright_null.so", "--lists", path],
                          text=True, capture_output=True)
    assert done.returncode == 1 and "TW5030" in done.stderr


def test_a_ceiling_of_the_c_library(build):
    """The null plugin needs what any C library has; what is no version is refused."""
    library = build / "lib/tilewright/libtilewright_null.so"
    for glibc, wanted in [("2.35", "pass"), ("2.0", "fail")]:
        status, report = check(build, library, "--rule", "TWB-110", "--glibc", glibc)
        row, = report["rules"]
        assert row["result"] == wanted and "needs " in row["text"] and status == (wanted == "fail")
    # Relocations in the packed form have a name of their own for the version that reads them.
    _, report = check(build, build / "lib/libtilewright_llvm.so.0", "--rule", "TWB-110", "--glibc", "2.35")
    assert "GLIBC_ABI_DT_RELR" in report["rules"][0]["text"]
    done = subprocess.run([build / "bin/tilewright", "plugin-check", library, "--glibc", "new"], text=True, capture_output=True)
    assert done.returncode == 2 and "expected a version such as 2.28, got 'new'" in done.stderr


def test_what_is_no_plugin_fails(build, tmp_path):
    path = tmp_path / "libx.so"
    path.write_text("not an ELF file")
    status, report = check(build, path)
    assert status == 1 and {101, 102} <= set(failed(report))


def test_rules_are_explained(build):
    page = subprocess.run([build / "bin/tilewright", "explain", "TWB-205"], text=True, capture_output=True, check=True).stdout
    assert page.startswith("TWB-205: a plugin refuses unknown fields") and "tw_read_struct" in page


def test_the_table_in_the_documentation_is_this_one(build):
    table = subprocess.run([build / "bin/tilewright", "plugin-check", "--rules"], text=True, capture_output=True, check=True).stdout
    assert (ROOT / "docs/plugin-rules.md").read_text() == table
