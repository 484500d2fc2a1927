"""The installed package: two C and C++ programs build against it and run; what a wheel holds."""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=600, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def examples(build, tmp_path_factory):
    """The folder of the built examples."""
    folder = tmp_path_factory.mktemp("install")
    run("cmake", "--install", build, "--prefix", folder / "prefix")
    run("cmake", "-G", "Ninja", "-S", ROOT / "docs/examples/native", "-B", folder / "out",
        f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    run("cmake", "--build", folder / "out")
    return folder / "out"


def test_compile_at_run_time(examples):
    text = run(examples / "compile_and_run", ROOT / "docs/examples/native/add.py")
    assert text.startswith("added 100000 numbers on cpu:")


def test_run_artifact_of_build_time(examples):
    assert run(examples / "run_artifact").startswith("added 100000 numbers on ")


def test_runtime_needs_no_llvm(examples):
    libraries = run("ldd", examples / "run_artifact")
    assert "libtilewright_runtime" in libraries
    assert "llvm" not in libraries.lower() and "MLIR" not in libraries


def test_wheel_holds_all_plugins(build, tmp_path):
    """The part that is packed: each plugin of the build, the worker, and the libraries beside the extension."""
    run("cmake", "--install", build, "--component", "python", "--prefix", tmp_path)
    package = tmp_path / "tilewright"
    vendors = ("cpu", "reference", "nvidia", "amd", "spirv")  # others are of the tests, or to copy
    names = {f"libtilewright_{vendor}{kind}.so" for vendor in vendors for kind in ("", "_driver")}
    built = {path.name for path in (build / "lib/tilewright").glob("*.so")} & names
    assert {f"libtilewright_{vendor}.so" for vendor in vendors} <= built
    assert {path.name for path in (package / "lib/tilewright").glob("*.so")} == built
    assert (package / "lib/tilewright/tilewright-worker").stat().st_mode & 0o100
    assert list(package.glob("_native*.so"))
    assert {"libtilewright_compiler.so.0", "libtilewright_llvm.so.0"} <= {path.name for path in (package / "lib").iterdir()}


def test_import_loads_little():
    """What takes long to import is imported when it is used."""
    heavy = "numpy statistics torch concurrent.futures decimal"
    loaded = run(sys.executable, "-c", f"import sys, tilewright; print([m for m in {heavy.split()!r} if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_wheel_of_several_versions(tmp_path, monkeypatch):
    """One wheel is for all versions of Python that it has an extension for, and records what is in it."""
    monkeypatch.syspath_prepend(str(ROOT / "frontend/python/wheel"))
    import wheel as maker
    content = tmp_path / "stage/tilewright/_native.cpython-312-x86_64-linux-gnu.so"
    content.parent.mkdir(parents=True)
    content.write_bytes(b"extension")
    packed = maker.pack(tmp_path / "stage", tmp_path / "out", ["cp311", "cp312"])
    assert re.fullmatch(r"tilewright-[\d.]+-cp311\.cp312-cp311\.cp312-linux_x86_64\.whl", packed.name)
    with zipfile.ZipFile(packed) as archive:
        names = archive.namelist()
        info = names[-1].partition("/")[0]
        tags = re.findall(r"^Tag: (\S+)$", archive.read(f"{info}/WHEEL").decode(), re.M)
        record = archive.read(f"{info}/RECORD").decode()
    assert tags == ["cp311-cp311-linux_x86_64", "cp312-cp312-linux_x86_64"]
    assert {line.split(",")[0] for line in record.splitlines()} == set(names)
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"extension").digest()).rstrip(b"=").decode()
    assert f"tilewright/{content.name},sha256={digest},9\n" in record


def test_wheel_is_for_known_interpreters(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "frontend/python/wheel"))
    import wheel as maker
    assert maker.version_of(sys.executable) == f"cp{sys.version_info.major}{sys.version_info.minor}"
