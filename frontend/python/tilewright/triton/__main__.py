"""`python -m tilewright.triton script.py ...` or `... -m module ...`: runs a program with `triton` meaning Tilewright."""
import os
import runpy
import sys

from . import install


_USAGE = """usage: python -m tilewright.triton script.py [arguments]
       python -m tilewright.triton -m module [arguments]"""


def main():
    arguments = sys.argv[1:]
    is_module = arguments[:1] == ["-m"]
    if is_module:
        arguments = arguments[1:]
    if not is_module and arguments in (["-h"], ["--help"]):
        print(f"{_USAGE}\n\nRuns a program with `triton` meaning Tilewright.")
        return
    if not arguments:
        sys.exit(_USAGE)
    if not is_module and not os.path.exists(arguments[0]):
        sys.exit(f"expected a script or -m and a module, got '{arguments[0]}', which is no file\n{_USAGE}")
    install()
    sys.argv = arguments
    if is_module:
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        return
    # As when Python runs a script: its folder comes first on the path.
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
