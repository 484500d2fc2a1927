"""Makes a wheel of a build: `./tw wheel`.

    wheel.py --build build --output dist [--python python3.12 --python python3.13]

The wheel is for the build's Python and for those of `--python`, with an extension for each and one copy of all else. The package, the extension, the libraries, the plugins and the worker are installed into a folder and packed; auditwheel then puts
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

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = HERE.parent / "tilewright"


def version_of(python):
    """"cp312" of an interpreter."""
    code = "import sys; print(f'cp{sys.version_info.major}{sys.version_info.minor}', sys.implementation.name)"
    version, kind = subprocess.run([python, "-c", code], check=True, text=True, capture_output=True).stdout.split()
    if kind != "cpython" or int(version[3:]) < 11:
        sys.exit(f"expected CPython 3.11 or newer, got '{python}': {kind} {version}")
    return version


def add_extensions(pythons, build, output, package):
    """Builds the extension for each of these interpreters, which need their headers and nothing else, into the package."""
    import nanobind
    prefix = output / "prefix"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    cache = (build / "CMakeCache.txt").read_text()
    compilers = [f"-D{line}" for line in cache.splitlines() if line.startswith(("CMAKE_C_COMPILER:", "CMAKE_CXX_COMPILER:"))]
    for version, python in pythons.items():
        folder = output / version
        subprocess.run(["cmake", "-G", "Ninja", "-S", HERE, "-B", folder, *compilers, f"-DCMAKE_PREFIX_PATH={prefix}",
                        f"-Dnanobind_DIR={nanobind.cmake_dir()}", f"-DPython_EXECUTABLE={shutil.which(python)}"],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", folder], check=True, stdout=subprocess.DEVNULL)
        (extension,) = folder.glob("_native*.so")
        shutil.copy(extension, package)


def stage(build, folder, pythons):
    """Fills a folder with what is installed."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", folder], check=True,
                   stdout=subprocess.DEVNULL)
    package = folder / "tilewright"
    for source in [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.pyi"), SOURCES / "py.typed"]:
        target = package / source.relative_to(SOURCES)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    if pythons:
        add_extensions(pythons, build, folder.parent, package)
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


def pack(folder, output, versions):
    """Writes the wheel of a folder for these versions of Python; gives its path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{'.'.join(versions)}-{'.'.join(versions)}-{platform}"
    tags = "".join(f"Tag: {version}-{version}-{platform}\n" for version in versions)
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"
    files = {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode & 0o111)
             for path in sorted(folder.rglob("*")) if path.is_file()}
    files[f"{info}/METADATA"] = metadata(project).encode(), 0
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tilewright\nRoot-Is-Purelib: false\n{tags}".encode(), 0
    scripts = "".join(f"{command} = {function}\n" for command, function in project["scripts"].items())
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{scripts}".encode(), 0
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
    parser.add_argument("--python", default=[], action="append", help="an interpreter that the wheel is for, too (may be repeated)")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    own = version_of(sys.executable)
    others = {version: python for python in arguments.python if (version := version_of(python)) != own}
    stage(arguments.build.resolve(), output / "stage", others)
    wheel = pack(output / "stage", output / "plain", sorted({own, *others}))
    for old in output.glob("*.whl"):
        old.unlink()
    # libcuda, libamdhip64 and OpenCL's loader belong to the machine.
    subprocess.run([sys.executable, "-m", "auditwheel", "repair", "--strip", "--zip-compression-level", "9",
                    "--exclude", "libcuda.so.1", "--exclude", "libOpenCL.so.1", "--exclude", "libamdhip64.so*",
                    "-w", output, wheel], check=True)
    (repaired,) = output.glob("*.whl")
    print(f"{repaired}: {repaired.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
