"""The `tilewright` command of an installed package: `tilewright compile`, `verify`, `cache`, `bundle` and the rest."""
import os
import pathlib
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program that lies beside the package's libraries, with the same arguments."""
    program = pathlib.Path(__file__).resolve().parent / "bin/tilewright"
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
