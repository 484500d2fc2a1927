"""Installs a wheel into an environment of its own and checks what a wheel has to be.

    python3.12 frontend/python/wheel/check.py build/wheel/tilewright-*.whl [--beside-installed]

It is installed for the interpreter that runs this file. No compiler and no LLVM may be needed (PATH is empty, LD_LIBRARY_PATH unset),
libraries look for others beside themselves only, and export their own interface only. The import without torch takes less than
150 ms, and a process with a first kernel on the CPU less than 500 ms, with an empty cache; both in processor time, so that other work on
the machine does not count. With
`--beside-installed` the environment sees the interpreter's packages, so that nothing is downloaded; torch and triton that are there are
imported, in both orders, with a kernel run after each. `nm` and `readelf` are needed here.
"""
import argparse
import os
import pathlib
import re
import site
import subprocess
import sys
import tempfile
import venv

IMPORT_SECONDS, KERNEL_SECONDS, WHEEL_MEGABYTES = 0.150, 0.5, 60
#: What a library may need that is not in the wheel: what manylinux expects of a system, and the drivers of devices.
SYSTEM = re.compile(r"(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|z|cuda|OpenCL|amdhip64)|ld-linux-x86-64)\.so(\.\d+)?$")
#: What each of our libraries exports. LLVM's symbols have a version of their own, what it needs lies under other names.
EXPORTS = {"_native": r"PyInit__native$", "libtilewright_compiler": r"tw_", "libtilewright_runtime": r"tw_",
           "libtilewright_llvm": r".*@@TILEWRIGHT_LLVM$|TILEWRIGHT_LLVM", "libtilewright_": r"tw_|tilewright_"}
KERNEL = """
import numpy as np, tilewright as tw, tilewright.language as tl

@tw.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c + offsets, tl.load(a + offsets, offsets < n) + tl.load(b + offsets, offsets < n), offsets < n)

a = np.arange(1000, dtype=np.float32)
c = np.zeros_like(a)
add[(4,)](a, a, c, 1000, BLOCK=256)
assert (c == 2 * a).all()
"""


class Environment:
    """A virtual environment with the wheel in it."""

    def __init__(self, folder, wheel, beside_installed):
        self.folder = folder
        venv.EnvBuilder(with_pip=True).create(folder / "venv")
        self.python = folder / "venv/bin/python"
        self.packages = next((folder / "venv/lib").glob("python3*/site-packages"))
        if beside_installed:  # also where this interpreter has an environment of its own
            (self.packages / "installed.pth").write_text("\n".join(site.getsitepackages()) + "\n")
        self.pip("install", "--quiet", *(["--no-index"] if beside_installed else []), wheel)

    def pip(self, *arguments):
        subprocess.run([self.python, "-m", "pip", "--disable-pip-version-check", *arguments], check=True)

    def run(self, program, cache):
        """(output, processor seconds) of a program in a process that has no compiler at hand."""
        script = self.folder / "program.py"
        script.write_text(program)
        variables = {"HOME": str(self.folder), "TILEWRIGHT_CACHE_DIR": str(self.folder / cache), "PATH": ""}
        before = os.times()
        done = subprocess.run([self.python, script], env=variables, text=True, capture_output=True)
        after = os.times()
        if done.returncode:
            sys.exit(f"expected the program to run, got exit status {done.returncode}:\n{done.stdout}{done.stderr}")
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return done.stdout, spent

    def has(self, module):
        return subprocess.run([self.python, "-c", f"import {module}"], capture_output=True).returncode == 0


def expect_below(what, got, limit, unit):
    print(f"{what}: {got:.3f} {unit} (limit {limit})")
    if got >= limit:
        sys.exit(f"expected {what} below {limit} {unit}, got {got:.3f}")


def check_times(environment):
    """Import and first kernel; the lowest of several processes, since other work on the machine only adds."""
    timed = "import time; start = time.process_time(); import tilewright; print(time.process_time() - start)"
    expect_below("import", min(float(environment.run(timed, "none")[0]) for _ in range(7)), IMPORT_SECONDS, "s of processor time")
    spent = min(environment.run(KERNEL, f"cold{number}")[1] for number in range(5))
    expect_below("process with a first kernel, empty cache", spent, KERNEL_SECONDS, "s of processor time")
    print(f"the same with a warm cache: {min(environment.run(KERNEL, 'cold0')[1] for _ in range(5)):.3f} s")


def check_command(environment):
    """The command finds its libraries, the plugins and the worker."""
    source = environment.folder / "kernel.py"
    source.write_text(KERNEL)
    signature = "a:*fp32, b:*fp32, c:*fp32, n:i32, BLOCK=256"
    for target, text in (("cpu", "define"), ("nvidia:sm_90a", ".target sm_90a")):
        out = environment.folder / "out"
        stage = "llvm" if target == "cpu" else "asm"
        subprocess.run([environment.folder / "venv/bin/tilewright", "compile", source, "--kernel", "add", "--sig", signature,
                        "--target", target, "--emit", stage, "-o", out], check=True, env={"HOME": str(environment.folder), "PATH": ""},
                       stdout=subprocess.DEVNULL)
        if text not in out.read_text():
            sys.exit(f"expected '{text}' in what the command compiles for {target}")
    print("command: compiles for cpu and nvidia")


def check_neighbours(environment):
    """torch and triton beside the package, imported before and after it."""
    names = [name for name in ("torch", "triton") if environment.has(name)]
    for name in names:
        environment.run(f"import {name}\n{KERNEL}", "beside")
        environment.run(f"{KERNEL}\nimport {name}\nadd[(4,)](a, a, c, 1000, BLOCK=256)", "beside")
    print(f"beside: {', '.join(names) or 'neither torch nor triton is here'}")


def tool(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def check_libraries(environment):
    """Search paths, needed libraries and exported names of everything in the wheel."""
    files = [path for part in ("tilewright", "tilewright.libs") for path in (environment.packages / part).rglob("*")
             if path.is_file() and path.open("rb").read(4) == b"\x7fELF"]
    own = {path.name for path in files}
    for path in files:
        dynamic = tool("readelf", "-d", path)
        for entry in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
            if not all(part.startswith("$ORIGIN") for part in entry.split(":")):
                sys.exit(f"expected search paths beside the library, got '{entry}' in {path.name}")
        for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
            if needed not in own and not SYSTEM.match(needed):
                sys.exit(f"expected {path.name} to need libraries of the wheel or the system's, got '{needed}'")
        pattern = next((EXPORTS[start] for start in EXPORTS if path.name.startswith(start)), None)
        if pattern and ".so" in path.name:
            names = [line.split()[-1] for line in tool("nm", "-D", "--defined-only", path).splitlines()]
            foreign = [name for name in names if not re.match(pattern, name) and name not in ("_init", "_fini")]
            if foreign:
                sys.exit(f"expected {path.name} to export its interface only, got {', '.join(foreign[:5])}")
    print(f"libraries: {len(files)}, self-contained, only their interfaces exported")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--beside-installed", action="store_true", help="see the interpreter's packages; download nothing")
    arguments = parser.parse_args()
    expect_below("wheel", arguments.wheel.stat().st_size / 1e6, WHEEL_MEGABYTES, "MB")
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(pathlib.Path(folder), arguments.wheel.resolve(), arguments.beside_installed)
        environment.pip("check")
        check_libraries(environment)
        check_times(environment)
        check_command(environment)
        check_neighbours(environment)
    print(f"the wheel is right for Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
