"""Packs what another machine needs besides the sources to test a GPU target: the built stack and LLVM's libraries.

    python test/device/pack.py --build build --out dist/device

`llvm.tar.zst` (LLVM's library and what it links, stripped; slow to make, so it is kept while the libraries are the same)
and `stack.tar.zst` (what was built). `run.sh` beside this file unpacks and uses them, with the sources around it. The other machine needs glibc
2.36 or newer, a C++ compiler, and Python 3.11 or newer with NumPy, ml_dtypes, nanobind, pytest and torch.
"""
import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

#: Libraries that every machine has.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso|libtilewright_(?!llvm)")


def linked_libraries(binary):
    """Paths of the shared libraries that a binary loads, but for the system's."""
    lines = subprocess.run(["ldd", binary], text=True, capture_output=True, check=True).stdout.splitlines()
    found = [line.split("=>")[1].split("(")[0].strip() for line in lines if "=> /" in line]
    return [pathlib.Path(path) for path in found if not SYSTEM.search(path)]


def compress(folder, archive, level):
    """A tar of a folder's content, compressed with a long window."""
    part = archive.with_suffix(".part")
    tar = subprocess.Popen(["tar", "-C", folder, "-cf", "-", "."], stdout=subprocess.PIPE)
    subprocess.run(["zstd", "-q", "-f", f"-{level}", "--long=27", "-T0", "-o", part], stdin=tar.stdout, check=True)
    if tar.wait() != 0:
        sys.exit("tar failed")
    part.rename(archive)


def pack_llvm(build, out):
    """Writes llvm.tar.zst unless it is there for the same libraries."""
    binaries = [build / "bin/tilewright", *(build / "lib/tilewright").glob("*.so")]
    libraries = sorted({library for binary in binaries for library in linked_libraries(binary)})
    stamp = out / "llvm.txt"
    content = "".join(f"{library.name} {hashlib.sha256(library.read_bytes()).hexdigest()}\n" for library in libraries)
    if (out / "llvm.tar.zst").exists() and stamp.exists() and stamp.read_text() == content:
        return
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        for library in libraries:
            shutil.copy(library, folder / library.name)
        subprocess.run(["strip", *folder.glob("*.so*")], check=True)
        compress(folder, out / "llvm.tar.zst", 19)
    stamp.write_text(content)


def is_wanted(path, vendors):
    """Whether a file beside the plugins belongs to all of them or to a vendor of the list; no list wants everything."""
    plugin = re.match(r"libtilewright_([a-z]+)(_driver)?\.", path.name)
    return not plugin or not vendors or plugin[1] in vendors


def pack_stack(build, out, vendors):
    """Writes stack.tar.zst."""
    import nanobind
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        libraries = [path for path in (build / "lib").glob("libtilewright*.so*") if not path.name.startswith("libtilewright_llvm")]
        plugins = [path for path in (build / "lib/tilewright").rglob("*") if path.is_file() and is_wanted(path, vendors)]
        for name in ("bin/tilewright", "bin/list-builtins", *(path.relative_to(build) for path in libraries + plugins)):
            target = folder / "build" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(build / name, target, follow_symlinks=False)
        binaries = [path for path in (folder / "build").rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
        subprocess.run(["strip", "--strip-unneeded", *binaries], check=True)
        shutil.copytree(pathlib.Path(nanobind.__file__).parent, folder / "nanobind", ignore=shutil.ignore_patterns("__pycache__"))
        compress(folder, out / "stack.tar.zst", 12)


def pack_zstd(out):
    """The program that unpacks, with its libraries."""
    folder = out / "zstd"
    folder.mkdir(exist_ok=True)
    program = pathlib.Path(shutil.which("zstd"))
    for path in [program, *linked_libraries(program)]:
        shutil.copy(path, folder / path.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--out", default="dist/device", type=pathlib.Path)
    parser.add_argument("--vendors", default="", help="pack the plugins of these only, such as cpu,reference,nvidia")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    pack_zstd(arguments.out)
    pack_llvm(arguments.build.resolve(), arguments.out)
    pack_stack(arguments.build.resolve(), arguments.out, arguments.vendors.split(",") if arguments.vendors else [])
    total = sum(path.stat().st_size for path in arguments.out.rglob("*") if path.is_file())
    print(f"{arguments.out}: {total / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
