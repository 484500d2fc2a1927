"""Makes the Python environment of the conformance stages: the libraries from PyPI, pinned, in a folder of their own.

    python3 test/conformance/environment.py build/conformance-venv

Downloads about 3 GB the first time (torch brings them); afterwards it only compares the list. Prints the interpreter.
"""
import argparse
import pathlib
import subprocess
import sys
import venv

PACKAGES = ("torch==2.11.0", "triton==3.6.0", "flag-gems==5.0.2", "liger-kernel==0.8.5", "numpy>=1.24,<2", "ml_dtypes")


def make(folder):
    """The environment's interpreter; creates or completes the environment."""
    interpreter, stamp = folder / "bin" / "python", folder / ".installed"
    wanted = "\n".join(PACKAGES) + "\n"
    if stamp.exists() and stamp.read_text() == wanted:
        return interpreter
    if not interpreter.exists():
        venv.EnvBuilder(with_pip=True).create(folder)
    subprocess.run([interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    stamp.write_text(wanted)
    return interpreter


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    print(make(parser.parse_args().folder.resolve()))


if __name__ == "__main__":
    sys.exit(main())
