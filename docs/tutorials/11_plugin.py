"""Building a backend.

A target is one shared library. `plugins/template` is a whole one to copy: it turns Kernel IR into C and has the machine's C compiler make a library of
it, needs no LLVM, and passes every rule of the kit that examines plugins. This program does what its README says: build it
against an installed Tilewright, examine it, run a kernel on it.

    cmake --install build --prefix P
    python docs/tutorials/11_plugin.py --prefix P
"""
import argparse
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

KERNEL = """
import tilewright as tw
import tilewright.language as tl

@tw.jit
def squares(out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, i * i, mask=i < n)
"""


def run(*command):
    """Runs a command, shows it, gives what it printed."""
    print("$", *command)
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit(done.stdout)
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prefix", required=True, type=pathlib.Path, help="where Tilewright is installed")
    prefix = parser.parse_args().prefix.resolve()
    tilewright = prefix / "bin/tilewright"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Your backend starts as a copy of this folder.
        run("cmake", "-S", ROOT / "plugins/template", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", folder / "build")
        plugin, = (folder / "build").rglob("libtilewright_template.so")
        # The kit: exported symbols, negotiation with older and newer hosts, damaged input, numbers against the reference, ...
        print(run(tilewright, "plugin-check", plugin).splitlines()[-1])
        (folder / "squares.py").write_text(KERNEL)
        printed = run(tilewright, "run", folder / "squares.py", "--plugin", plugin, "--target", "template", "--grid", "1",
                      "--arg", "n=10", "--arg", "BLOCK=16", "--arg", "out_ptr=i32[10]", "--print", "out_ptr")
        print(printed.strip())
        assert [str(i * i) for i in range(10)] == [word.strip("[],") for word in printed.split() if word.strip("[],").isdigit()][-10:]


if __name__ == "__main__":
    main()
