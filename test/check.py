"""Runs every check of the repository and prints one closing line with the totals.

Called by `./tw check`; `--full` adds the long forms, `--only STAGE` runs one stage of the table at the end. Totals come
from JUnit files where there are any, so that a stage that ran nothing is seen.
"""
import argparse
import os
import subprocess
import sys

from check_runner import JOBS, ROOT, Runner, today

LANGUAGE, PROGRAMS = "test/language", "test/language/test_programs.py"


def check_format(runner):
    """clang-format 22 would change no C or C++ source."""
    sources = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.hpp", "*.cpp"], cwd=ROOT, text=True, capture_output=True,
                             check=True).stdout.split()
    runner.check("format", ["clang-format-22", "--dry-run", "-Werror", *sources])


def check_unit(runner):
    """GoogleTest through ctest."""
    junit = runner.results / "unit.xml"
    runner.check_junit("unit tests", ["ctest", "--test-dir", runner.build, "--output-on-failure", "-j", str(JOBS),
                                      "--output-junit", junit, "--quiet"], junit)


def check_lit(runner):
    """IR and command tests."""
    junit = runner.results / "lit.xml"
    runner.check_junit("lit", [sys.executable, "-c", "from lit.main import main; main()", "-q", "-j", str(JOBS),
                               "--xunit-xml-output", junit, runner.build / "test"], junit)


def check_pytest(runner):
    """All pytest files, the language suite on cpu among them."""
    runner.pytest("pytest", "test", *(["--full"] if runner.full else []))


def check_reference(runner):
    """Accesses as written, under all checks that no right program fails; then raised to views, which has to write the same
    bytes."""
    runner.pytest("language suite on reference, raised and not", LANGUAGE, "--target=reference",
                  "--option=check=bounds,overflow,races,uninit", "--also=raise=1")


def check_portable(runner):
    """The IR travels in the portable form, which has to give the same artifacts."""
    for target in ("cpu", "reference"):
        runner.pytest(f"language suite on {target}, IR in the portable form", LANGUAGE, f"--target={target}",
                      "--alike=ir=portable", part=runner.part_of_day(24))
    for target, options in (("nvidia:sm_90a", ["--option=assembler=none"]), ("amd:gfx942", [])):
        runner.pytest(f"language suite for {target}, IR in the portable form", LANGUAGE, f"--target={target}", "--assemble",
                      "--alike=ir=portable", *options, part=runner.part_of_day(48))


def check_template(runner):
    """The backend that vendors copy: each kernel is a run of the C compiler."""
    runner.pytest("language suite on template", LANGUAGE, "--target=template", part=runner.part_of_day(40))


def has_opencl(runner):
    """Whether there is an OpenCL device; prints its name and versions of SPIR-V."""
    text = "from tilewright import engine; print(engine.device('spirv').name())"
    return runner.succeeds("the OpenCL device and its versions of SPIR-V", [sys.executable, "-c", text])


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


def check_opencl(runner):
    """The language suite on the OpenCL device, each row in the configurations of today's turns, and a part on the drivers that
    take SPIR; the long form takes all rows there, and more random conversions between layouts."""
    has_opencl(runner)
    for turn in opencl_turns(runner.full, today()):
        for quarter in range(4):  # the driver keeps memory of each program: some gigabytes in a process for all
            runner.pytest(f"language suite on spirv, turn {turn}, part {quarter + 1} of 4", LANGUAGE, "--target=spirv", *OPENCL,
                          f"--turn={turn}", part=(quarter, 4))
    for driver, parts in SPIR_DRIVERS.items():
        runner.pytest(f"language suite on {driver}", LANGUAGE, "--target=spirv", f"--opencl={driver}", part=runner.part_of_day(parts))
    runner.pytest("products on spirv, mapped as for matrix instructions", "test/language/test_dot.py", "--target=spirv",
                  "--option=emulate-atoms=1", part=runner.short_part(8))
    if runner.full:
        runner.check("10,000 random conversions between layouts", [runner.build / "bin/tw-simt-conversions", "10000"])


#: Profiles of the lane simulator, and one in how many rows the short form takes besides the programs; 0: none.
SIMULATED = {"wave32": 16, "wave64": 16, "gfx942": 32, "gfx1100": 32, "gfx950": 0, "gfx1201": 0}


def check_simulator(runner):
    """The language suite on the lane simulator: the programs and a part of the rest; every row in the long form."""
    for profile, parts in SIMULATED.items():
        title, target = f"language suite on simulate:{profile}", f"--target=simulate:{profile}"
        if not runner.full:
            runner.pytest(f"{title}, programs", PROGRAMS, target)
        if runner.full or parts:
            runner.pytest(title, LANGUAGE, target, part=runner.short_part(parts))


#: GPUs that are not here, and one in how many programs the short form takes.
ASSEMBLED = {"nvidia:sm_80": 1, "nvidia:sm_90a": 1, "amd:gfx942": 4, "amd:gfx950": 4, "amd:gfx1100": 4, "amd:gfx1201": 4}


def check_assembled(runner):
    """What the suite launches, compiled and assembled for GPUs; skipped where there is no ptxas."""
    for target, parts in ASSEMBLED.items():
        runner.pytest(f"language suite assembled for {target}", LANGUAGE if runner.full else PROGRAMS, "--assemble",
                      f"--target={target}", part=runner.short_part(parts))


def check_verify(runner):
    """`tilewright verify` over the examples."""
    runner.check("verify: the examples on reference, cpu and spirv",
                 [runner.build / "bin/tilewright", "verify", "docs/examples/verify.toml", "--strict",
                  "--target", "reference,cpu,spirv", "--html", runner.results / "verify.html"])


def check_fuzz(runner):
    """Random kernels on the reference, on cpu and on the OpenCL device; the long form counts what they cover and hunts
    seeded faults."""
    command = [sys.executable, "test/fuzz/kernels"]
    build = f"--build={runner.build}"
    count = ["--count=10000", "--least-coverage=0.9"] if runner.full else ["--count=300"]
    runner.check("random kernels", [*command, "run", *count, build])
    count = 1000 if runner.full else 100
    title = f"{count} random kernels on spirv"
    if has_opencl(runner):
        runner.check(title, [*command, "run", f"--count={count}", "--target=spirv", build])
    else:
        runner.totals.add_result(title, None)
    if runner.full:
        runner.check("seeded faults", [*command, "seeded", build])


def check_conformance(runner):
    """flag-gems and liger-kernel, unchanged, over our `triton`: every kernel compiled, the operators run; long form only."""
    if not runner.full:
        return
    folder = ROOT / "test/conformance"
    made = subprocess.run([sys.executable, folder / "environment.py", runner.build / "conformance-venv"], text=True,
                          stdout=subprocess.PIPE)
    runner.totals.add_result("conformance environment", made.returncode == 0)
    if made.returncode != 0:
        return
    for name, options in (("kernels", []), ("operators", ["--at-least", "150"])):
        runner.check(f"conformance: {name}", [made.stdout.strip(), folder / f"{name}.py", "--report",
                                              runner.results / f"{name}.json", *options])


#: In this order: what is quick and what most changes break comes first.
STAGES = {
    "format": check_format,
    "unit": check_unit,
    "lit": check_lit,
    "pytest": check_pytest,
    "reference": check_reference,
    "portable": check_portable,
    "template": check_template,
    "opencl": check_opencl,
    "simulator": check_simulator,
    "assembled": check_assembled,
    "verify": check_verify,
    "fuzz": check_fuzz,
    "conformance": check_conformance,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", action="append", choices=STAGES, metavar="STAGE",
                        help=f"run this stage alone, may be repeated: {', '.join(STAGES)}")
    arguments = parser.parse_args()
    os.environ["TILEWRIGHT_CACHE"] = "off"  # checks see the compiler work
    runner = Runner((ROOT / arguments.build).resolve(), arguments.full)
    runner.clear_results()
    for stage in arguments.only or STAGES:
        STAGES[stage](runner)
    runner.totals.print()
    return 1 if runner.totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
