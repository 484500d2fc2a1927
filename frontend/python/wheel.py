"""Makes a wheel of a build: `./tw wheel`.

    wheel.py --build build --output dist

The package, the extension, the libraries, the plugins and the worker are installed into a folder and packed; auditwheel then puts
the shared libraries that they need (LLVM, MLIR and what those need) into the wheel under names of its own, so that the wheel
needs nothing of LLVM where it is installed and disturbs no other copy of it.
"""
import argparse
import base64
import hashlib
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = pathlib.Path(__file__).resolve().parent / "tilewright"


def stage(build, folder):
    """Fills a folder with what is installed."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", folder], check=True,
                   stdout=subprocess.DEVNULL)
    package = folder / "tilewright"
    for source in [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.pyi"), SOURCES / "py.typed"]:
        target = package / source.relative_to(SOURCES)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    plugins = package / "lib/tilewright"
    for library in plugins.glob("*.so"):
        manifest = build / "lib/tilewright" / f"{library.stem}.json"
        if manifest.exists():
            shutil.copy(manifest, plugins)
    for path in package.rglob("*"):
        if path.is_symlink():  # names for linking
            path.unlink()
        elif path.is_file() and path.open("rb").read(4) == b"\x7fELF":
            subprocess.run(["strip", "--strip-unneeded", path], check=True)


def metadata(project):
    """The text of METADATA."""
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
             *(f"Requires-Dist: {requirement}" for requirement in project["dependencies"])]
    for extra, requirements in project.get("optional-dependencies", {}).items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {one}; extra == "{extra}"' for one in requirements)]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()])


def pack(folder, output):
    """Writes the wheel of a folder; gives its path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"
    files = {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode & 0o111)
             for path in sorted(folder.rglob("*")) if path.is_file()}
    files[f"{info}/METADATA"] = metadata(project).encode(), 0
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tilewright\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes(), 0
    record = ""
    for path, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode(), 0
    output.mkdir(parents=True, exist_ok=True)
    wheel = output / f"{name}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_STORED) as archive:
        for path, (content, executable) in files.items():
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if executable else 0o644) << 16
            archive.writestr(entry, content)
    return wheel


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--output", default=ROOT / "build/wheel", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.output / "stage"
    stage(arguments.build.resolve(), folder)
    wheel = pack(folder, arguments.output / "plain")
    before = set(arguments.output.glob("*.whl"))
    for old in before:
        old.unlink()
    # libcuda, libamdhip64 and OpenCL's loader belong to the machine.
    subprocess.run([sys.executable, "-m", "auditwheel", "repair", "--strip", "--zip-compression-level", "9",
                    "--exclude", "libcuda.so.1", "--exclude", "libOpenCL.so.1", "--exclude", "libamdhip64.so*",
                    "-w", arguments.output, wheel], check=True)
    (repaired,) = arguments.output.glob("*.whl")
    print(f"{repaired}: {repaired.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
