"""Damaged IR and damaged requests to the plugins of this machine: errors only, no crash, no hang (README.md)."""
import subprocess

import pytest

KERNEL = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def kernel(x, out, n):
    i = tl.program_id(0) * 16 + tl.arange(0, 16)
    a = tl.load(x + i, mask=i < n, other=0.0)
    for _ in range(n):
        a = tl.where(a > 1, tl.exp(a), a + tl.sum(a))
    tl.store(out + i, a, mask=i < n)
"""
SIGNATURE = "x:*fp32[:16], out:*fp32[:16], n:i32"


@pytest.fixture(scope="module")
def requests(build, tmp_path_factory):
    """A request that compiles, by target and form of the IR."""
    folder = tmp_path_factory.mktemp("requests")
    (folder / "kernel.py").write_text(KERNEL)
    made = {}

    def get(target, form):
        if (target, form) not in made:
            file = folder / f"{target}-{form}.twrequest"
            done = subprocess.run([build / "bin/tilewright", "compile", folder / "kernel.py", "--sig", SIGNATURE, "--target", target,
                                   "--opt", f"ir={form}", "--emit=request", "-o", file], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            made[target, form] = file
        return made[target, form]

    return get


@pytest.mark.parametrize("what, form", [("ir", "exact"), ("sealed", "portable"), ("request", "portable")])
@pytest.mark.parametrize("target", ["cpu", "reference"])
def test_damage_gives_errors(build, request, requests, target, what, form):
    program = build / "bin/random-request"
    if not program.exists():
        pytest.skip("random-request is not built: the compiler has no fuzzer/FuzzedDataProvider.h")
    runs = 100000 if request.config.getoption("--full") else 200
    done = subprocess.run([program, f"--plugin={build}/lib/tilewright/libtilewright_{target}.so",
                           f"--request={requests(target, form)}", f"--what={what}", f"--runs={runs}"],
                          capture_output=True, text=True, timeout=14400)
    assert done.returncode == 0 and f"{runs} runs" in done.stdout, done.stderr[-2000:]
