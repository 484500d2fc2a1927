"""One cache folder under many processes: work is done once, and kills leave whole entries or none."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

import tilewright as tw

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cache_workers

PROGRAM = pathlib.Path(__file__).with_name("cache_workers.py")


def run(*arguments):
    """The JSON that the program prints; errors of its workers are part of the test's output."""
    done = subprocess.run([sys.executable, PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=3000)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stderr)
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path):
    yield tmp_path / "cache"
    tw.cache.configure(folder=None)


def test_processes_compile_a_kernel_once(folder, full):
    """Claims are advice: one process compiles, seldom a second; the others wait for it."""
    assert 1 <= run("race", folder, 32 if full else 6) <= 2


def test_kills_damage_nothing(folder, full, tilewright):
    answer = run("kill", folder, *((32, 200) if full else (4, 12)))
    assert answer["failures"] == 0, "a worker met a wrong kernel or an error"
    assert answer["done"]
    checked = subprocess.run([tilewright, "cache", "check", "--folder", folder, "--json"], text=True, capture_output=True)
    counts = json.loads(checked.stdout)
    assert checked.returncode == 0 and counts["damaged"] == [] and counts["good"] >= len(answer["done"])
    # What was reported done is there.
    tw.cache.configure(folder=folder)
    with tw.no_jit():
        for constant in answer["done"]:
            assert tw.compile(cache_workers.shifted, cache_workers.signature(constant)).is_from_cache
    # What the killed were writing goes when it is old.
    for file in (folder / "v1/writing").iterdir():
        os.utime(file, (0, 0))
    subprocess.run([tilewright, "cache", "gc", "--folder", folder], check=True, capture_output=True)
    assert not list((folder / "v1/writing").iterdir())
