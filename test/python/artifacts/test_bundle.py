"""`tilewright bundle`: variants for targets and kinds of arguments, from Python, from C++ and from C."""
import json
import pathlib
import subprocess

import numpy as np
import pytest

import tilewright as tw

SOURCE = """
import tilewright as tw
import tilewright.language as tl

@tw.jit
def scale(x, out, factor, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * factor + (BLOCK * 0.0), mask=i < n)
"""
COMMON = "x:*fp32, out:*fp32, factor:fp32"
LARGE = f"{COMMON}, n:i32, BLOCK=256; cdiv(n, BLOCK); n >= 1000"
ALIGNED = f"{COMMON}, n:i32[:16], BLOCK=16; n // BLOCK"
ANY = f"{COMMON}, n:i32, BLOCK=64; (cdiv(n, BLOCK), 1)"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("bundle") / "scale.py"
    path.write_text(SOURCE)
    return path


def bundle(tilewright, source, output, *variants, targets="cpu", status=0, more=()):
    command = [tilewright, "bundle", source, "--target", targets, "-o", output, *more]
    for variant in variants:
        command += ["--variant", variant]
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    assert done.returncode == status, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def three(tilewright, source):
    path = source.parent / "three.twb"
    bundle(tilewright, source, path, LARGE, ALIGNED, ANY)
    return path


@pytest.mark.parametrize("n, chosen", [(5000, 0), (1000, 0), (999, 2), (992, 1), (1, 2), (0, 1)])
def test_first_variant_that_allows_the_arguments(three, n, chosen):
    kernel = tw.load(three)
    assert kernel.arguments == [("x", "*fp32"), ("out", "*fp32"), ("factor", "fp32"), ("n", "i32")]
    x, out = np.arange(5000, dtype=np.float32), np.zeros(5000, np.float32)
    assert kernel(x, out, 3.0, n) == chosen
    np.testing.assert_array_equal(out[:n], x[:n] * 3)
    assert not out[n:].any()
    out[:] = 0
    assert kernel(x, out, n=n, factor=2.0) == chosen and (out[:n] == x[:n] * 2).all()


def test_no_variant_is_left(tilewright, source, tmp_path):
    bundle(tilewright, source, tmp_path / "two.twb", LARGE, ALIGNED)
    kernel = tw.load(tmp_path / "two.twb")
    x, out = np.ones(2000, np.float32), np.zeros(2000, np.float32)
    assert kernel(x, out, 1.0, 1999) == 0
    out[:] = 0
    with pytest.raises(tw.LaunchError, match="TW6063: no variant of kernel 'scale' takes these arguments: .*BLOCK=256; .*BLOCK=16"):
        kernel(x, out, 1.0, 17)
    assert not out.any()


def test_targets_of_other_machines_are_left_aside(tilewright, source, tmp_path):
    bundle(tilewright, source, tmp_path / "many.twb", ANY, targets="reference,cpu:x86-64-v2,cpu")
    for device in ("cpu", "reference"):
        x, out = np.ones(100, np.float32), np.zeros(100, np.float32)
        assert tw.load(tmp_path / "many.twb", device=device)(x, out, 5.0, 100) == 0
        assert (out == 5).all()
    bundle(tilewright, source, tmp_path / "other.twb", ANY, targets="reference")
    with pytest.raises(tw.LaunchError, match="TW6062: no artifact of the bundle fits this device: it has reference"):
        tw.load(tmp_path / "other.twb")


def test_wrong_arguments(three):
    kernel = tw.load(three)
    x = np.ones(8, np.float32)
    with pytest.raises(tw.LaunchError, match="TW6052: expected an array of fp32 for 'x', got fp64"):
        kernel(np.ones(8), x, 1.0, 8)
    with pytest.raises(tw.LaunchError, match="TW6055"):
        kernel(x, x, 1.0)
    with pytest.raises(tw.LaunchError, match="TW6010.*'other'"):
        tw.load(three, "other")


@pytest.mark.parametrize("variant, error", [
    (f"{COMMON}, n:i32, BLOCK=64", "TW7015"),
    (f"{COMMON}, n:i32, BLOCK=64; cdiv(m, BLOCK)", "TW7022"),
    (f"{COMMON}, n:i32, BLOCK=64; n ** 2", "TW7021"),
    (f"{COMMON}, n:i32, BLOCK=64; (1, 2, 3, 4)", "TW7025"),
    (f"{COMMON}, n:i32, BLOCK=65; n", "TW2"),
])
def test_refusals(tilewright, source, tmp_path, variant, error):
    assert error in bundle(tilewright, source, tmp_path / "bad.twb", variant, status=1)
    assert not (tmp_path / "bad.twb").exists()


def test_variants_with_other_arguments_are_refused(tilewright, source, tmp_path):
    said = bundle(tilewright, source, tmp_path / "bad.twb", ANY, f"{COMMON}, n=64, BLOCK=64; 1", status=1)
    assert "TW7109" in said


@pytest.mark.parametrize("expression, values, expected", [
    ("n + 2 * m - 1", (5, 7), 18), ("n // m", (-7, 2), None), ("cdiv(n, m)", (7, 2), 4), ("n % m", (7, 4), 3),
    ("min(n, m, 3)", (5, 9), 3), ("max(n, m)", (5, 9), 9), ("n if n > m else m", (5, 9), 9), ("(n < m) + 1", (5, 9), 2),
    ("(2 <= n < m) + (not n) + (n and m) + (n or m)", (5, 9), 15), ("B * n", (2, 1), 32), ("-(-n)", (4, 1), 4),
    ("(n != m) + (n == m) + (n >= m)", (4, 4), 2),
])
def test_expressions(tilewright, tmp_path, expression, values, expected):
    """The grid is what Python computes; a negative one is refused at the launch."""
    (tmp_path / "count.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n@tw.jit\n"
                                       "def count(out, n, m, B: tl.constexpr):\n    tl.store(out, tl.num_programs(0))\n")
    bundle(tilewright, tmp_path / "count.py", tmp_path / "count.twb", f"out:*i32, n:i32, m:i32, B=16; {expression}")
    out = np.zeros(1, np.int32)
    kernel = tw.load(tmp_path / "count.twb")
    if expected is None:
        with pytest.raises(tw.LaunchError, match="TW6007"):
            kernel(out, *values)
        return
    kernel(out, *values)
    named = {"n": values[0], "m": values[1], "B": 16, "cdiv": tw.cdiv}
    assert out[0] == expected == int(eval(expression, named))


def test_damaged_bundles_are_refused(three):
    whole = three.read_bytes()
    with pytest.raises(tw.CacheError, match="TW7104: damaged bundle"):
        tw.load(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(tw.CacheError, match="TW7103: truncated bundle"):
        tw.load(whole[:-1])


def test_manifest_says_what_is_inside(three):
    whole = three.read_bytes()
    start, size = (int.from_bytes(whole[at:at + 8], "little") for at in (72, 80))
    manifest = json.loads(whole[start:start + size])
    assert [variant["grid_text"] for variant in manifest["variants"]] == ["cdiv(n, BLOCK)", "n // BLOCK", "(cdiv(n, BLOCK), 1)"]
    assert [variant["when_text"] for variant in manifest["variants"]] == ["n >= 1000", "", ""]
    assert [variant["artifact"] for variant in manifest["variants"]] == [0, 1, 2]


PROGRAM = r"""
#include "scale.h"
#include "tilewright/runtime.hpp"
#include <cstdio>
#include <vector>

int main(int, char **arguments) {
  std::vector<float> x(2000, 2.0f), out(2000);
  tilewright::Context context;
  tilewright::Device device = context.open("cpu");
  tilewright::Stream stream = device.stream();
  tilewright::Buffer a = device.wrap(x.data(), 8000), b = device.wrap(out.data(), 8000);
  tilewright::Dispatch kernel = device.loadBundle(arguments[1]).kernel();
  std::printf("%u %u %u\n", kernel.launch(stream, a, b, 3.0, 2000), kernel.launch(stream, a, b, 3.0, 160),
              kernel.launch(stream, a, b, 3.0, 17));
  // The same bytes and a typed function from the header.
  tilewright::Dispatch embedded = device.loadBundleBytes(scale_twb, scale_twb_size).kernel("scale");
  int status = scale_launch(stream.get(), embedded.get(), a.get(), b.get(), 4.0, 2000);
  stream.synchronize();
  std::printf("%d %g %g\n", status, out[0], out[1999]);
  return 0;
}
"""


def test_cpp_program_and_header(tilewright, build, source, three, tmp_path):
    bundle(tilewright, source, tmp_path / "again.twb", LARGE, ALIGNED, ANY, more=["--header", tmp_path / "scale.h"])
    assert (tmp_path / "again.twb").read_bytes() == three.read_bytes()
    (tmp_path / "main.cpp").write_text(PROGRAM)
    root = pathlib.Path(__file__).resolve().parents[3]
    subprocess.run(["clang++-22", "-std=c++17", tmp_path / "main.cpp", "-o", tmp_path / "main", f"-I{root}/runtime/include",
                    f"-I{root}/plugins/include", f"-L{build}/lib", "-ltilewright_runtime", f"-Wl,-rpath,{build}/lib"], check=True)
    done = subprocess.run([tmp_path / "main", three], text=True, capture_output=True)
    assert done.stdout.splitlines() == ["0 1 2", "0 8 8"], done.stderr
    # The header is C, too.
    (tmp_path / "main.c").write_text('#include "scale.h"\nint main(void) { return scale_twb_size == 0; }\n')
    subprocess.run(["clang-22", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only",
                    tmp_path / "main.c", f"-I{root}/runtime/include", f"-I{root}/plugins/include"], check=True)


HARD_NAMES = ["stream", "kernel", "values", "int_", "class_", "int", "register", "template", "co_await", "memset", "int64_t", "tw_rt_value",
              "tilewright_stream", "NULL", "errno", "true_", "linux", "hard_launch", "hard_twb", "uint64_t", "this"]


def test_headers_take_any_parameter_name(tilewright, build, tmp_path):
    """Names that C, C++, the runtime's header or the function itself use; each argument still arrives at its place."""
    total = " + ".join(f"{name} * {3 ** i % 1000}" for i, name in enumerate(HARD_NAMES))
    (tmp_path / "hard.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n\n@tw.jit\n"
                                      f"def hard(out, {', '.join(HARD_NAMES)}):\n    tl.store(out, {total})\n")
    signature = "out:*i64, " + ", ".join(f"{name}:i64" for name in HARD_NAMES)
    bundle(tilewright, tmp_path / "hard.py", tmp_path / "hard.twb", signature + "; 1", more=["--header", tmp_path / "hard.h"])
    given = [7 * i + 1 for i in range(len(HARD_NAMES))]
    (tmp_path / "main.cpp").write_text(f"""
#include <cerrno>
#include <cstdio>
#include "hard.h"
#include "tilewright/runtime.hpp"

int main() {{
  int64_t out = 0;
  tilewright::Context context;
  tilewright::Device device = context.open("cpu");
  tilewright::Stream queue = device.stream();
  tilewright::Buffer buffer = device.wrap(&out, 8);
  tilewright::Dispatch embedded = device.loadBundleBytes(hard_twb, hard_twb_size).kernel("hard");
  int status = hard_launch(queue.get(), embedded.get(), buffer.get(), {', '.join(map(str, given))});
  queue.synchronize();
  std::printf("%d %lld\\n", status, (long long)out);
}}
""")
    root = pathlib.Path(__file__).resolve().parents[3]
    folders = [f"-I{root}/runtime/include", f"-I{root}/plugins/include"]
    subprocess.run(["clang++-22", "-std=gnu++20", tmp_path / "main.cpp", "-o", tmp_path / "main", *folders, f"-L{build}/lib",
                    "-ltilewright_runtime", f"-Wl,-rpath,{build}/lib"], check=True)
    done = subprocess.run([tmp_path / "main"], text=True, capture_output=True)
    assert done.stdout.split() == ["0", str(sum(a * (3 ** i % 1000) for i, a in enumerate(given)))], done.stderr
    (tmp_path / "main.c").write_text('#include <errno.h>\n#include "hard.h"\nint main(void) { return hard_twb_size == 0; }\n')
    for standard in ("c11", "gnu2x"):
        subprocess.run(["clang-22", f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only",
                        tmp_path / "main.c", *folders], check=True)
