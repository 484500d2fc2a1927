"""Copies the null plugin elsewhere, builds it as its README says, and asks its entry function for an answer."""
import argparse
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


class Offer(ctypes.Structure):
    """tw_host_offer of ABI 0.1 and later."""
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("magic", ctypes.c_uint64),
                ("min_version", ctypes.c_uint32), ("max_version", ctypes.c_uint32), ("portable_min", ctypes.c_uint32),
                ("portable_max", ctypes.c_uint32), ("sanitizer", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("build_id", ctypes.c_char_p), ("build_id_size", ctypes.c_uint64)]


def readme_command(folder, compiler, prefix):
    """The shell command in the README with its placeholders filled in."""
    text = (folder / "README.md").read_text()
    command = re.search(r"^    cc .*?\.c$", text, re.S | re.M).group(0).replace("\\\n", " ")
    words = command.replace("<prefix>", str(prefix)).split()
    return [compiler, "-Wall", "-Wextra", "-Werror", "-pedantic", *words[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "mine"
        prefix = pathlib.Path(name) / "prefix"
        shutil.copytree(arguments.source / "null", folder)
        shutil.copytree(arguments.source / "include", prefix / "include")
        (prefix / "lib/cmake/Tilewright").mkdir(parents=True)
        shutil.copy(arguments.source / "backend.exports", prefix / "lib/cmake/Tilewright")
        subprocess.run(readme_command(folder, arguments.compiler, prefix), cwd=folder, check=True)
        library = ctypes.CDLL(str(folder / "libtilewright_mine.so"))
        offer = Offer(ctypes.sizeof(Offer), 0, 0x31424157454c4954, 1, 9, 0, 0, 0, 0, None, 0)
        answer = (ctypes.c_uint32 * 64)(256)
        status = library.tw_backend_entry(ctypes.byref(offer), answer)
        version, profiles = answer[2], answer[3]
    print(f"status {status}, ABI {version >> 16}.{version & 0xffff}, profiles {profiles}")
    return 0 if (status, version, profiles) == (0, 9, 15) else 1


if __name__ == "__main__":
    sys.exit(main())
