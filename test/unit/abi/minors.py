"""Builds one plugin and one host with the headers of each minor version and lets every host load every plugin.

The minors are those released (`plugins/abi/<version>/include`), the present one, and a synthetic newer one made here from the
present headers: fields appended to the tables, the minor raised. A host and a plugin of different minors have to work together,
and a plugin has to refuse a request that sets a field of which it knows nothing.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
TABLES = ["tw_host_offer", "tw_backend_config", "tw_backend_answer", "tw_compile_request", "tw_compile_response", "tw_compile_table"]
UNKNOWN_FIELD = 64


def make_newer(folder, minor):
    """The present headers with a field more in each table."""
    target = folder / "include" / "tilewright"
    target.mkdir(parents=True)
    for header in (ROOT / "plugins/include/tilewright").glob("*.h"):
        text = header.read_text()
        if header.name == "plugin.h":
            text, raised = re.subn(r"(#define TW_ABI_MINOR) \d+u", rf"\1 {minor}u\n#define TW_SYNTHETIC_FIELD", text)
            assert raised == 1
            for table in TABLES:
                text, grown = re.subn(rf"^}} {table};", f"  uint64_t synthetic;\n}} {table};", text, flags=re.M)
                assert grown == 1, table
        (target / header.name).write_text(text)
    return folder / "include"


def version_of(include):
    text = (include / "tilewright/plugin.h").read_text()
    return tuple(int(re.search(rf"#define TW_ABI_{part} (\d+)u", text).group(1)) for part in ("MAJOR", "MINOR"))


def build(compiler, folder, include):
    """(host, plugin) built with the headers of one version."""
    name = "{}.{}".format(*version_of(include))
    host, plugin = folder / f"host-{name}", folder / f"plugin-{name}.so"
    common = [compiler, "-std=c11", "-O1", "-Wall", "-Werror", f"-I{include}"]
    subprocess.run([*common, "-o", host, HERE / "minor_host.c", "-ldl"], check=True)
    subprocess.run([*common, "-fPIC", "-shared", "-fvisibility=hidden", "-o", plugin, HERE / "minor_plugin.c"], check=True)
    return host, plugin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    compiler = parser.parse_args().compiler
    faults, pairs = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        present = ROOT / "plugins/include"
        newest = make_newer(folder, version_of(present)[1] + 1)
        includes = sorted({*ROOT.glob("plugins/abi/*/include"), present, newest}, key=version_of)
        built = {version_of(include): build(compiler, folder, include) for include in includes}
        for host_version, (host, _) in built.items():
            for plugin_version, (_, plugin) in built.items():
                pairs += 1
                said = subprocess.run([host, plugin], text=True, capture_output=True).stdout
                wanted = "ABI {}.{}, abc\n".format(*min(host_version, plugin_version))
                if said != wanted:
                    faults.append(f"host {host_version}, plugin {plugin_version}: expected {wanted!r}, got {said!r}")
                if host_version != version_of(newest):
                    continue
                said = subprocess.run([host, plugin, "ask"], text=True, capture_output=True).stdout
                wanted = wanted if plugin_version == host_version else f"compile: status {UNKNOWN_FIELD}\n"
                if said != wanted:
                    faults.append(f"newest host asks plugin {plugin_version}: expected {wanted!r}, got {said!r}")
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(built)} minors, {pairs} pairs, {len(faults)} faults")
    return 1 if faults or len(built) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
