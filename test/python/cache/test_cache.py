"""The cache of compiled kernels: what changes a key, what is refused, what is said."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import warnings

import numpy as np
import pytest

import tilewright as tw

SOURCE = """
import tilewright as tw
import tilewright.language as tl

SCALE = tl.constexpr(3)

@tw.jit
def helper(x):
    return x + 1

@tw.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, helper(tl.load(x + i, mask=i < n)) * SCALE, mask=i < n)
"""
SIGNATURE = "x:*fp32, out:*fp32, n:i32, BLOCK=64"


@pytest.fixture
def folder(tmp_path):
    """An empty cache folder in use."""
    path = tmp_path / "cache"
    tw.cache.configure(folder=path, shared=())
    yield path
    tw.cache.configure(folder=None, shared=())


def load(tmp_path, text=SOURCE):
    """The kernel `scale` of a text, as a fresh process sees it."""
    path = tmp_path / "module_with_kernel.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("module_with_kernel", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.pop("module_with_kernel", None)
    import linecache
    linecache.clearcache()
    spec.loader.exec_module(module)
    return module.scale


def entries(folder):
    return sorted(folder.glob("v1/??/*.twc"))


def launch(kernel, **options):
    x, out = np.arange(50, dtype=np.float32), np.zeros(50, np.float32)
    compiled = kernel[(1,)](x, out, 50, BLOCK=64, **options)
    return compiled, out


def test_another_llvm_in_the_process_is_not_part_of_the_key(tmp_path):
    """OpenCL's drivers bring libraries called libLLVM; which are loaded changes no artifact and no key."""
    import shutil
    (tmp_path / "module_with_kernel.py").write_text(SOURCE)
    # A library of any content by that name.
    shutil.copy(tw._native.__file__, tmp_path / "libLLVM-99.so")
    program = f"""
        import ctypes, sys
        import tilewright as tw
        from module_with_kernel import scale
        if "other" in sys.argv:
            ctypes.CDLL({str(tmp_path / "libLLVM-99.so")!r})
        tw.cache.configure(folder={str(tmp_path / "cache")!r}, shared=())
        print(tw.compile(scale, {SIGNATURE!r}).is_from_cache)
        """
    (tmp_path / "program.py").write_text(textwrap.dedent(program))
    found = [subprocess.run([sys.executable, tmp_path / "program.py", *more], text=True, capture_output=True, check=True).stdout.strip()
             for more in ((), ("other",))]
    assert found == ["False", "True"]


def test_second_compile_is_found(folder, tmp_path):
    first, out = launch(load(tmp_path))
    assert not first.is_from_cache
    again, out_again = launch(load(tmp_path))
    assert again.is_from_cache and again.artifact == first.artifact and again.target == first.target
    assert again.remarks == first.remarks
    for result in (out, out_again):
        np.testing.assert_array_equal(result, (np.arange(50) + 1) * 3)
    assert len(entries(folder)) == 1


@pytest.mark.parametrize("change", [
    lambda text: text.replace("constexpr(3)", "constexpr(4)"),
    lambda text: text.replace("x + 1", "x + 2"),
    lambda text: text.replace("i < n)) * SCALE", "i < n)) + SCALE"),
    lambda text: "\n" + text,
], ids=["captured", "helper", "body", "line"])
def test_change_of_source_changes_key(folder, tmp_path, change):
    launch(load(tmp_path))
    changed, _ = launch(load(tmp_path, change(SOURCE)))
    assert not changed.is_from_cache and len(entries(folder)) == 2


@pytest.mark.parametrize("signature, target, options", [
    ("x:*fp32, out:*fp32, n:i32, BLOCK=32", "cpu", {}),
    ("x:*fp32[:16], out:*fp32, n:i32, BLOCK=64", "cpu", {}),
    (SIGNATURE, "cpu:x86-64-v3", {}),
    (SIGNATURE, "cpu", {"math": "portable"}),
    (SIGNATURE, "cpu", {"opt_level": 1}),
    (SIGNATURE, "reference", {}),
    (SIGNATURE, "reference", {"target_info": "cpu"}),
])
def test_change_of_request_changes_key(folder, tmp_path, signature, target, options):
    tw.compile(load(tmp_path), SIGNATURE)
    assert not tw.compile(load(tmp_path), signature, target, **options).is_from_cache
    assert tw.compile(load(tmp_path), signature, target, **options).is_from_cache


def test_nothing_else_changes_key(folder, tmp_path):
    """Neither what the kernel does not use, nor the order of options, nor another spelling of the target."""
    tw.compile(load(tmp_path), SIGNATURE, math="portable", opt_level=1)
    other = load(tmp_path, SOURCE + "\nUNUSED = tl.constexpr(5)\n")
    assert tw.compile(other, SIGNATURE, opt_level=1, math="portable").is_from_cache
    assert tw.compile(other, SIGNATURE, target="cpu:host", opt_level=1, math="portable").is_from_cache
    assert len(entries(folder)) == 1


def test_damaged_entry_is_not_loaded(folder, tmp_path, tilewright):
    compiled, _ = launch(load(tmp_path))
    (entry,) = entries(folder)
    whole = entry.read_bytes()
    places = [0, 5, 9, 40, 64, 70, len(whole) // 2, len(whole) - 1]
    for damaged in [*(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:] for at in places), b"", whole[:100], whole[:-1],
                    whole + b"\0"]:
        entry.write_bytes(damaged)
        checked = subprocess.run([tilewright, "cache", "check", "--folder", folder], text=True, capture_output=True)
        assert checked.returncode == 1 and "TW7202" in checked.stdout and "0 entries are good, 1 are damaged" in checked.stdout
        again, out = launch(load(tmp_path))
        assert not again.is_from_cache and again.artifact == compiled.artifact
        np.testing.assert_array_equal(out, (np.arange(50) + 1) * 3)
    assert subprocess.run([tilewright, "cache", "check", "--folder", folder], capture_output=True).returncode == 0


def test_entry_of_another_key_is_not_loaded(folder, tmp_path):
    launch(load(tmp_path))
    (first,) = entries(folder)
    launch(load(tmp_path, SOURCE.replace("x + 1", "x + 2")))
    (second,) = set(entries(folder)) - {first}
    first.write_bytes(second.read_bytes())
    compiled, out = launch(load(tmp_path))
    assert not compiled.is_from_cache
    np.testing.assert_array_equal(out, (np.arange(50) + 1) * 3)


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_folder_that_others_can_write_is_refused(folder, tmp_path, mode):
    launch(load(tmp_path))
    folder.chmod(mode)
    tw.cache.configure(folder=folder)
    with pytest.warns(tw.CacheWarning, match="TW7201.*others can write"):
        compiled, out = launch(load(tmp_path))
    assert not compiled.is_from_cache
    np.testing.assert_array_equal(out, (np.arange(50) + 1) * 3)


def test_folder_below_one_that_others_can_write_is_refused(folder, tmp_path):
    launch(load(tmp_path))
    tmp_path.chmod(0o777)
    tw.cache.configure(folder=folder)
    with pytest.warns(tw.CacheWarning, match="TW7201.*above it"):
        assert not launch(load(tmp_path))[0].is_from_cache
    tmp_path.chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_folder_of_another_user_is_refused(folder, tmp_path):
    """Unless it is named as a shared one."""
    launch(load(tmp_path))
    for path in (folder, tmp_path):
        os.chown(path, 12345, -1)
        tw.cache.configure(folder=folder, shared=())
        with pytest.warns(tw.CacheWarning, match="TW7201.*(belongs to another user|above it)"):
            assert not launch(load(tmp_path))[0].is_from_cache
        tw.cache.configure(folder=None, shared=[folder])
        assert launch(load(tmp_path))[0].is_from_cache
        os.chown(path, 0, -1)


def test_folder_that_cannot_be_written(tmp_path):
    tw.cache.configure(folder="/proc/tilewright")
    with pytest.warns(tw.CacheWarning, match="TW7203"):
        compiled, out = launch(load(tmp_path))
    np.testing.assert_array_equal(out, (np.arange(50) + 1) * 3)
    tw.cache.configure(folder=None)


def run_python(text, *arguments, **environment):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text), *map(str, arguments)], text=True, capture_output=True,
                          env={**os.environ, **environment}, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


def test_full_disk(folder, tmp_path):
    """A write that fails after some bytes, as on a full disk, leaves no file."""
    load(tmp_path)
    words = run_python("""
        import resource, signal, sys, warnings
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        sys.path.insert(0, sys.argv[1])
        import tilewright as tw
        tw.cache.configure(folder=sys.argv[2])
        import module_with_kernel
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compiled = tw.compile(module_with_kernel.scale, sys.argv[3], target="reference")
        print(compiled.is_from_cache, [str(w.message)[:6] for w in caught])
    """, tmp_path, folder, SIGNATURE, PYTHONDONTWRITEBYTECODE="1")
    assert words == ["False", "['TW7203']"]
    assert not entries(folder) and not list(folder.glob("v1/writing/*"))


def test_environment(folder, tmp_path):
    load(tmp_path)
    text = """
        import sys
        sys.path.insert(0, sys.argv[1])
        import tilewright as tw
        import module_with_kernel
        print(tw.compile(module_with_kernel.scale, sys.argv[2]).is_from_cache, tw.cache.folder())
    """
    for expected in ("False", "True"):
        assert run_python(text, tmp_path, SIGNATURE, TILEWRIGHT_CACHE=str(folder)) == [expected, str(folder)]
    other = tmp_path / "other"
    assert run_python(text, tmp_path, SIGNATURE, TILEWRIGHT_CACHE=str(other),
                      TILEWRIGHT_CACHE_SHARED=str(folder)) == ["True", str(other)]
    assert run_python(text, tmp_path, SIGNATURE, TILEWRIGHT_CACHE="off") == ["False", "None"]
    home = tmp_path / "home"
    assert run_python(text, tmp_path, SIGNATURE, TILEWRIGHT_CACHE=str(home / ".cache/tilewright")) == [
        "False", str(home / ".cache/tilewright")]


def test_shared_folder_is_only_read(folder, tmp_path):
    launch(load(tmp_path))
    own = tmp_path / "own"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    tw.cache.configure(folder=own, shared=[folder])
    assert launch(load(tmp_path))[0].is_from_cache
    assert not launch(load(tmp_path, SOURCE.replace("x + 1", "x + 2")))[0].is_from_cache
    assert len(entries(own)) == 1
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_no_jit_names_what_is_missing(folder, tmp_path):
    kernel = load(tmp_path)
    kernel.precompile(["cpu"], "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], n:i32", {"BLOCK": [64, 128]})
    assert [variant.is_from_cache for variant in kernel.variants()] == [False, False]
    with tw.no_jit():
        assert tw.compile(load(tmp_path), "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], n:i32, BLOCK=128").is_from_cache
        with pytest.raises(tw.CacheError) as caught:
            tw.compile(load(tmp_path), "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], n:i32, BLOCK=256")
        with pytest.raises(tw.CacheError, match="source captured"):
            tw.compile(load(tmp_path, SOURCE.replace("constexpr(3)", "constexpr(5)")),
                       "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], n:i32, BLOCK=64")
    assert caught.value.code == 7204
    text = str(caught.value)
    assert "differs in signature" in text and "BLOCK=256' here" in text and "key " in text
    # Outside of the block kernels are compiled.
    assert not tw.compile(load(tmp_path), SIGNATURE).is_from_cache


def test_signature_of_a_launch(folder, tmp_path):
    kernel = load(tmp_path)
    x, out = np.zeros(64, np.float32), np.zeros(64, np.float32)
    signature, target, options = kernel.signature_of(x, out, 50, BLOCK=64)
    kernel.precompile(target, signature, **options)
    with tw.no_jit():
        load(tmp_path)[(1,)](x, out, 50, BLOCK=64)
    np.testing.assert_array_equal(out[:50], np.full(50, 3))


def command(tilewright, *arguments):
    done = subprocess.run([tilewright, "cache", *map(str, arguments)], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_command(folder, tmp_path, tilewright):
    tw.compile(load(tmp_path), SIGNATURE)
    tw.compile(load(tmp_path), SIGNATURE, math="portable")
    listing = json.loads(command(tilewright, "list", "--folder", folder, "--json"))
    assert [entry["kernel"] for entry in listing["entries"]] == ["scale", "scale"]
    assert {entry["key"] for entry in listing["entries"]} == {path.stem for path in entries(folder)}
    assert all(entry["bytes"] == path.stat().st_size for entry, path in zip(listing["entries"], entries(folder)))
    assert "2 entries" in command(tilewright, "list", "--folder", folder)
    first, second = (entry["key"][:8] for entry in listing["entries"])
    explained = json.loads(command(tilewright, "explain", first, second, "--folder", folder, "--json"))
    assert [one["part"] for one in explained["nearest"]["differs"]] == ["option math"]
    assert "option math" in command(tilewright, "explain", first, second, "--folder", folder)
    os.utime(folder / f"v1/{first[:2]}" / f"{listing['entries'][0]['key']}.twc", (0, 0))
    assert "removed 1 entries" in command(tilewright, "gc", "--days", 1, "--folder", folder)
    assert [path.stem[:8] for path in entries(folder)] == [second]
    unknown = subprocess.run([tilewright, "cache", "explain", "ffff", "--folder", folder], text=True, capture_output=True)
    assert unknown.returncode == 1 and "TW7205" in unknown.stderr
    folder.chmod(0o777)
    refused = subprocess.run([tilewright, "cache", "list", "--folder", folder], text=True, capture_output=True)
    assert refused.returncode == 1 and "TW7201" in refused.stderr


def test_gc_keeps_what_was_used_last(folder, tmp_path, tilewright):
    for block in (64, 128, 256):
        tw.compile(load(tmp_path), SIGNATURE.replace("64", str(block)))
    paths = entries(folder)
    for age, path in enumerate(paths):
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    sizes = [path.stat().st_size for path in paths]
    tidied = command(tilewright, "gc", "--megabytes", (sizes[0] + sizes[1] + 10) / 1048576, "--folder", folder)
    assert "removed 1 entries, kept 2" in tidied
    assert entries(folder) == paths[:2]


def test_command_follows_imports(tmp_path, tilewright):
    """Files that a kernel imports are part of its key, from the command as well."""
    kernel, helper, folder = tmp_path / "kernel.py", tmp_path / "helper.py", tmp_path / "cache"
    kernel.write_text("import tilewright as tw\nimport tilewright.language as tl\nfrom helper import plus\n\n"
                      "@tw.jit\ndef scale(x):\n    tl.store(x, plus(tl.load(x)))\n")
    helper.write_text("import tilewright as tw\n\n@tw.jit\ndef plus(x):\n    return x + 1\n")

    def found():
        done = subprocess.run([tilewright, "compile", kernel, "--sig", "x:*i32", "--cache", folder, "--timings=json",
                               "-o", tmp_path / "out.twa"], text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return '"cache"' in done.stderr

    assert [found(), found()] == [False, True]
    explained = json.loads(command(tilewright, "explain", "--file", kernel, "--sig", "x:*i32", "--folder", folder, "--json"))
    assert explained["found"]
    helper.write_text(helper.read_text().replace("+ 1", "+ 2"))
    explained = json.loads(command(tilewright, "explain", "--file", kernel, "--sig", "x:*i32", "--folder", folder, "--json"))
    assert not explained["found"]
    assert [one["part"] for one in explained["nearest"]["differs"]] == [f"import {helper}"]
    assert [found(), found()] == [False, True]


TALKING = """import tilewright as tw
import tilewright.language as tl


@tw.jit
def scale(out_ptr, BLOCK: tl.constexpr):
    tl.static_print("BLOCK is", BLOCK)
    tl.store(out_ptr, tl.hint(tl.load(out_ptr) * 2, "nonsense"))
"""


def test_what_a_compile_says_reaches_python(folder, tmp_path, capsys):
    """Text of `static_print` when the kernel is compiled, not when it is found; warnings each time, at their line."""
    for printed in ("BLOCK is 8\n", ""):
        kernel, out = load(tmp_path, TALKING), np.ones(1, np.float32)
        with pytest.warns(tw.CompilationWarning, match="TW2307: the target 'reference' has no hint 'nonsense'\n  hint: ") as caught:
            kernel[(1,)](out, BLOCK=8, target="reference")
        assert out[0] == 2 and capsys.readouterr().out == printed
        assert [(entry.filename, entry.lineno) for entry in caught] == [(str(tmp_path / "module_with_kernel.py"), 8)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kernel[(1,)](out, BLOCK=8, target="reference")  # nothing is said twice
            kernel.variants()[0].asm["kernel"]
        assert capsys.readouterr().out == ""


@pytest.fixture
def fixed_folder(tilewright):
    """A cache folder with a damaged entry that nobody but root may change, and how to run as another user."""
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        (root / "k.py").write_text(SOURCE)
        subprocess.run([tilewright, "compile", root / "k.py", "--kernel", "scale", "--sig", SIGNATURE, "--cache", root / "cache", "-o",
                        root / "k.twa"], check=True, capture_output=True)
        entry, = entries(root / "cache")
        entry.write_bytes(entry.read_bytes()[:-1])
        root.chmod(0o755)
        for path in (root / "cache").rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        (root / "cache").chmod(0o555)
        yield root / "cache", {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
        for path in (root / "cache").rglob("*"):
            path.chmod(0o755)


@pytest.mark.parametrize("words", [["check", "--remove"], ["gc", "--megabytes", "0.000001"]])
def test_entries_that_cannot_be_removed_are_named(tilewright, fixed_folder, words):
    folder, user = fixed_folder
    entry, = entries(folder)
    done = subprocess.run([tilewright, "cache", *words, "--folder", folder], text=True, capture_output=True, **user)
    assert done.returncode == 1 and f"error: TW7207: cannot remove 1 cache entries, the first is '{entry}'" in done.stderr, done.stderr
    assert entry.exists()
    assert ("of which 0 were removed" if words[0] == "check" else "removed 0 entries, kept 1") in done.stdout


def test_explain_has_one_name_for_the_folder(tilewright, folder):
    done = subprocess.run([tilewright, "cache", "explain", "ffff", "--cache", folder], text=True, capture_output=True)
    assert done.returncode != 0 and "--cache" in done.stderr
