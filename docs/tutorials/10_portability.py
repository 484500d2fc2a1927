"""One kernel on several targets.

`reference` is an interpreter that says what a kernel means, slowly and with checks. A kernel that passes its checks and gives the same numbers there
and on `cpu` has a good chance elsewhere; `tilewright verify` does this for whole suites (docs/verify.md).
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def normalize(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.exp(x) / tl.sqrt(tl.sum(x * x, axis=0) + 1), mask=i < n)


@tw.jit
def forgets_its_mask(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i), mask=i < n)


def run(target, x, **options):
    out = np.zeros_like(x)
    normalize[(1,)](x, out, x.size, BLOCK=tw.next_power_of_2(x.size), target=target, **options)
    return out


def main():
    x = np.random.default_rng(0).standard_normal(100, np.float32)
    ulps = np.abs(run("cpu", x).view(np.int32) - run("reference", x).view(np.int32)).max()
    print(f"cpu and reference differ by {ulps} units in the last place at most")
    assert ulps <= 8
    # math="portable" asks for the same bits on every target: sums in a stated order, no contraction, one set of functions.
    np.testing.assert_array_equal(run("cpu", x, math="portable"), run("reference", x, math="portable"))
    print("and by nothing with math='portable'")

    # Checks find what goes unseen where the memory behind an array happens to be readable.
    try:
        forgets_its_mask[(1,)](x, np.zeros_like(x), x.size, BLOCK=128, target="reference", check="bounds")
    except tw.LaunchError as error:
        print("found:", str(error).splitlines()[0])
    else:
        raise AssertionError("the access out of bounds was not found")

    # Targets need not be here to be compiled for.
    for target in ("nvidia:sm_80", "amd:gfx942", "spirv:opencl2.0"):
        try:
            compiled = tw.compile(normalize, "x_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=128", target=target)
        except tw.PluginError as error:
            print(f"{target}: {error}")
            continue
        print(f"{compiled.target}: {len(compiled.asm['asm'].splitlines())} lines of assembly")


if __name__ == "__main__":
    main()
