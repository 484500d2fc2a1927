"""Runs every check of the repository and prints one closing line with the totals.

Called by `./tw check`; `--full` adds the long forms. Each stage writes a JUnit file, from which the totals come, so
that a stage that ran nothing is seen.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Totals:
    """Counts of passed, failed and skipped checks over all stages."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.broken = []

    def add_junit(self, stage, path):
        """Adds the counts of a JUnit file; a missing or empty one is a failure of the stage."""
        cases = list(ElementTree.parse(path).iter("testcase")) if path.exists() else []
        if not cases:
            self.add_result(stage, False)
            return
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed += 1
                self.broken.append(f"{stage}: {case.get('classname', '')} {case.get('name')}")
            elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
                self.skipped += 1
            else:
                self.passed += 1

    def add_result(self, stage, ok):
        """Counts a stage that is one check; None is a skipped one."""
        if ok is None:
            self.skipped += 1
        elif ok:
            self.passed += 1
        else:
            self.failed += 1
            self.broken.append(stage)


def run(title, command, **options):
    """Runs one stage with its output shown; returns whether it succeeded."""
    print(f"\n== {title}", flush=True)
    start = time.monotonic()
    ok = subprocess.run(command, cwd=ROOT, **options).returncode == 0
    print(f"-- {title}: {'ok' if ok else 'FAILED'} in {time.monotonic() - start:.1f} s", flush=True)
    return ok


def run_shares(title, command, junit, count, parts=1, part=0, **options):
    """Runs a pytest command over one of `parts` of its tests, the one of number `part`, as `count` processes; returns their
    JUnit files."""
    print(f"\n== {title} ({count} processes)", flush=True)
    start = time.monotonic()
    files = [junit.with_name(f"{junit.stem}-{share}.xml") for share in range(count)]
    first = part % parts * count
    processes = [subprocess.Popen([*command, f"--share={first + share}/{count * parts}", f"--junitxml={file}"], cwd=ROOT, **options)
                 for share, file in enumerate(files)]
    ok = not any([process.wait() for process in processes])
    print(f"-- {title}: {'ok' if ok else 'FAILED'} in {time.monotonic() - start:.1f} s", flush=True)
    return files


def format_is_clean():
    """clang-format 22 would change no C or C++ source."""
    listing = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.hpp", "*.cpp"], cwd=ROOT, text=True, capture_output=True,
                             check=True)
    return run("format", ["clang-format-22", "--dry-run", "-Werror", *listing.stdout.split()])


def has_opencl(environment):
    """Whether there is an OpenCL device; prints its name and versions of SPIR-V."""
    text = "from tilewright import engine; print(engine.device('spirv').name())"
    return run("the OpenCL device and its versions of SPIR-V", [sys.executable, "-c", text], env=environment)


def fuzz_kernels(build, full, environment):
    """(stage, whether it passed, None if it was skipped): random kernels on the reference, on cpu and on the OpenCL device;
    the long form counts what they cover and hunts seeded faults."""
    command = [sys.executable, "test/fuzz/kernels"]
    count = ["--count=10000", "--least-coverage=0.9"] if full else ["--count=300"]
    yield "random kernels", run("random kernels", [*command, "run", *count, f"--build={build}"], env=environment)
    count = 1000 if full else 100
    title = f"{count} random kernels on spirv"
    if has_opencl(environment):
        yield title, run(title, [*command, "run", f"--count={count}", "--target=spirv", f"--build={build}"], env=environment)
    else:
        yield title, None
    if full:
        yield "seeded faults", run("seeded faults", [*command, "seeded", f"--build={build}"], env=environment)


#: What the language suite varies on an OpenCL device; sub-groups of 0 lanes are none. In as many turns as an axis has
#: values every row takes each of them, in as many as there are configurations each of those.
OPENCL = ["--vary", "target=spirv+sg0,spirv+sg8,spirv+sg16,spirv+sg32", "--vary", "num_warps=1,2,4,8"]
OPENCL_TURNS, OPENCL_CONFIGURATIONS = 4, 16
#: Drivers that take only SPIR, and one in how many rows the short form takes there. Oclgrind fails rows with races.
SPIR_DRIVERS = {"oclgrind": 40, "pocl": 80}


def opencl_turns(full, day):
    """The turns of a day: one, or in the long form those after which every row has had each number of warps and each width
    of sub-groups; other ones each day."""
    first = day * OPENCL_TURNS if full else day
    return [turn % OPENCL_CONFIGURATIONS for turn in range(first, first + (OPENCL_TURNS if full else 1))]


def opencl(build, full, environment, results, totals):
    """The language suite on the OpenCL device, each row in the configurations of today's turns, and a part on the drivers that
    take SPIR; the long form takes all rows there, and more random conversions between layouts."""
    has_opencl(environment)
    command = [sys.executable, "-m", "pytest", "-q", f"--build={build}"]
    jobs = os.cpu_count() or 2
    today = int(time.time() // 86400)
    for turn in opencl_turns(full, today):
        title = f"language suite on spirv, turn {turn}"
        for junit in run_shares(title, [*command, "test/language", "--target=spirv", *OPENCL, f"--turn={turn}"],
                                results / f"spirv-{turn}.xml", jobs, env=environment):
            totals.add_junit(title, junit)
    for driver, parts in SPIR_DRIVERS.items():
        title = f"language suite on {driver}"
        command_there = [*command, "test/language", "--target=spirv", f"--opencl={driver}"]
        for junit in run_shares(title, command_there, results / f"{driver}.xml", jobs, 1 if full else parts, today, env=environment):
            totals.add_junit(title, junit)
    title = "products on spirv, mapped as for matrix instructions"
    for junit in run_shares(title, [*command, "test/language/test_dot.py", "--target=spirv", "--option=emulate-atoms=1"],
                            results / "spirv-atoms.xml", jobs, 1 if full else 8, env=environment):
        totals.add_junit(title, junit)
    if full:
        title = "10,000 random conversions between layouts"
        totals.add_result(title, run(title, [str(build / "bin" / "tw-simt-conversions"), "10000"]))


#: Profiles of the lane simulator, and one in how many rows the short form takes besides the programs; 0: none.
SIMULATED = {"wave32": 16, "wave64": 16, "gfx942": 32, "gfx1100": 32, "gfx950": 0, "gfx1201": 0}


def simulator(build, full, environment, results, totals):
    """The language suite on the lane simulator: the programs and a part of the rest; every row in the long form."""
    suite = [sys.executable, "-m", "pytest", "-q", f"--build={build}"]
    for profile, parts in SIMULATED.items():
        title = f"language suite on simulate:{profile}"
        runs = [("test/language/test_programs.py", 1), ("test/language", parts)]
        for rows, part in [("test/language", 1)] if full else [run for run in runs if run[1]]:
            command = [*suite, rows, f"--target=simulate:{profile}"]
            junit = results / f"{profile}-{part}.xml"
            for file in run_shares(title, command, junit, os.cpu_count() or 2, part, env=environment):
                totals.add_junit(title, file)


def conformance(build, results, totals):
    """flag-gems and liger-kernel, unchanged, over our `triton`: every kernel compiled, the operators run."""
    folder = ROOT / "test" / "conformance"
    made = subprocess.run([sys.executable, folder / "environment.py", build / "conformance-venv"], text=True,
                          stdout=subprocess.PIPE)
    totals.add_result("conformance environment", made.returncode == 0)
    if made.returncode != 0:
        return
    environment = dict(os.environ, PYTHONPATH=str(build / "python"))
    for name, options in (("kernels", []), ("operators", ["--at-least", "150"])):
        command = [made.stdout.strip(), folder / f"{name}.py", "--report", results / f"{name}.json", *options]
        totals.add_result(f"conformance {name}", run(f"conformance: {name}", command, env=environment))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--full", action="store_true")
    arguments = parser.parse_args()
    build = (ROOT / arguments.build).resolve()
    os.environ["TILEWRIGHT_CACHE"] = "off"  # checks see the compiler work
    results = build / "results"
    results.mkdir(exist_ok=True)
    for old in results.glob("*.xml"):
        old.unlink()
    jobs = str(os.cpu_count() or 2)
    totals = Totals()

    totals.add_result("format", format_is_clean())

    junit = results / "unit.xml"
    run("unit tests", ["ctest", "--test-dir", str(build), "--output-on-failure", "-j", jobs, "--output-junit", str(junit),
                       "--quiet"])
    totals.add_junit("unit", junit)

    junit = results / "lit.xml"
    run("lit", [sys.executable, "-c", "from lit.main import main; main()", "-q", "-j", jobs, "--xunit-xml-output", str(junit), str(build / "test")])
    totals.add_junit("lit", junit)

    full = ["--full"] if arguments.full else []
    environment = dict(os.environ, PYTHONPATH=str(build / "python"))
    for junit in run_shares("pytest", [sys.executable, "-m", "pytest", "-q", "test", f"--build={build}", *full],
                            results / "pytest.xml", int(jobs), env=environment):
        totals.add_junit("pytest", junit)

    # Accesses as written, under all checks that no right program fails; then raised to views, which has to write the
    # same bytes.
    title = "language suite on reference, raised and not"
    for junit in run_shares(title, [sys.executable, "-m", "pytest", "-q", "test/language", f"--build={build}",
                                    "--target=reference", "--option=check=bounds,overflow,races,uninit", "--also=raise=1"],
                            results / "reference.xml", int(jobs), env=environment):
        totals.add_junit(title, junit)

    # The IR travels in the portable form, which has to give the same artifacts: all rows in the long form, else a part
    # that is another one each day.
    parts = 1 if arguments.full else 24
    for target in ("cpu", "reference"):
        title = f"language suite on {target}, IR in the portable form"
        junit = results / f"portable-{target}.xml"
        run(title, [sys.executable, "-m", "pytest", "-q", "test/language", f"--build={build}", f"--target={target}",
                    "--alike=ir=portable", f"--share={int(time.time() // 86400) % parts}/{parts}", f"--junitxml={junit}"],
            env=environment)
        totals.add_junit(title, junit)

    # The backend that vendors copy: each kernel is a run of the C compiler.
    parts = 1 if arguments.full else 40
    title = "language suite on template"
    run(title, [sys.executable, "-m", "pytest", "-q", "test/language", f"--build={build}", "--target=template",
                f"--share={int(time.time() // 86400) % parts}/{parts}", f"--junitxml={results / 'template.xml'}"], env=environment)
    totals.add_junit(title, results / "template.xml")

    opencl(build, arguments.full, environment, results, totals)
    simulator(build, arguments.full, environment, results, totals)

    # What the suite launches, compiled and assembled for GPUs that are not here; skipped where there is no ptxas. For AMD
    # a quarter of the programs each.
    rows = ["test/language"] if arguments.full else ["test/language/test_programs.py"]
    for target in ("nvidia:sm_80", "nvidia:sm_90a", "amd:gfx942", "amd:gfx950", "amd:gfx1100", "amd:gfx1201"):
        title = f"language suite assembled for {target}"
        for junit in run_shares(title, [sys.executable, "-m", "pytest", "-q", *rows, f"--build={build}", "--assemble",
                                        f"--target={target}"],
                                results / f"{target.replace(':', '-')}.xml", int(jobs),
                                4 if target.startswith("amd") and not arguments.full else 1, env=environment):
            totals.add_junit(title, junit)

    title = "verify: the examples on reference, cpu and spirv"
    totals.add_result(title, run(title, [str(build / "bin" / "tilewright"), "verify", "docs/examples/verify.toml", "--strict",
                                         "--target", "reference,cpu,spirv", "--html", str(results / "verify.html")],
                                 env=environment))

    for stage, ok in fuzz_kernels(build, arguments.full, environment):
        totals.add_result(stage, ok)

    if arguments.full:
        conformance(build, results, totals)

    print()
    for name in totals.broken:
        print(f"FAILED {name}")
    print(f"{totals.passed} passed, {totals.failed} failed, {totals.skipped} skipped")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
