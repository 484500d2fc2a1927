"""Checks what shared libraries export and need: `exported_symbols.py <folder of libraries>`.

Plugins (in tilewright/) export the one entry function, libtilewright_*.so beside them only tw_*, but for LLVM's, whose
symbols have a version of their own and no definition of the C++ library among them. No GNU_UNIQUE symbol, no text
relocation, no executable stack; the drivers of devices, the runtime and the
null plugin need no LLVM, and nothing needs the system's.
"""
import pathlib
import re
import subprocess
import sys

LLVM = "libtilewright_llvm.so"
NO_LLVM = {"libtilewright_runtime.so", "libtilewright_cpu_driver.so", "libtilewright_null.so", "libtilewright_nvidia_driver.so",
           "libtilewright_amd_driver.so", "libtilewright_spirv_driver.so"}


def output(*command):
    return subprocess.run(command, text=True, capture_output=True, check=True).stdout


def dynamic_symbols(library):
    """(kind, name, version) of each defined dynamic symbol."""
    for line in output("nm", "-D", "--defined-only", str(library)).splitlines():
        _, kind, name = line.split(maxsplit=2)
        name, _, version = name.partition("@")
        yield kind, name, version.lstrip("@")


def faults_of(library, is_plugin):
    symbols = list(dynamic_symbols(library))
    names = sorted(name for _, name, _ in symbols)
    if is_plugin and names != ["tw_backend_entry"]:
        yield f"expected tw_backend_entry alone, got {', '.join(names) or 'nothing'}"
    if library.name == LLVM:
        foreign = [name for _, name, version in symbols
                   if name != "TILEWRIGHT_LLVM" and (version != "TILEWRIGHT_LLVM" or re.match("_ZN?K?St", name))]
        if foreign or not names:
            yield f"expected LLVM's symbols of version TILEWRIGHT_LLVM, got {', '.join(foreign[:5]) or 'nothing'}"
    elif not is_plugin:
        foreign = [name for name in names if not name.startswith("tw_")]
        if foreign or not names:
            yield f"expected tw_* only, got {', '.join(foreign) or 'nothing'}"
    if any(kind == "u" for kind, *_ in symbols):
        yield "a symbol is GNU_UNIQUE"
    headers = output("readelf", "-W", "-d", "-l", str(library))
    if "TEXTREL" in headers:
        yield "has text relocations"
    if re.search(r"GNU_STACK.*RWE", headers):
        yield "wants an executable stack"
    paths = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", headers)
    if is_plugin and any(str(library.parent.parent) in path for path in paths):
        yield "has a run path into the build folder"
    needed = re.findall(r"NEEDED.*\[(.*)\]", headers)
    if any(re.match("lib(LLVM|MLIR)", name) or library.name in NO_LLVM and name.startswith("libtilewright_llvm") for name in needed):
        yield f"needs {', '.join(needed)}"


def main():
    folder = pathlib.Path(sys.argv[1])
    plugins = sorted((folder / "tilewright").glob("libtilewright_*.so"))
    libraries = sorted(folder.glob("libtilewright_*.so"))
    faults = 0
    for library in plugins + libraries:
        for fault in faults_of(library, library in plugins):
            print(f"{library.name}: {fault}")
            faults += 1
    print(f"{len(plugins)} plugins, {len(libraries)} libraries, {faults} faults")
    return 1 if faults or not plugins or not libraries else 0


if __name__ == "__main__":
    sys.exit(main())
