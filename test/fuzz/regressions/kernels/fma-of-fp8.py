"""Found with seed 0, program 74, as a refusal (TW3102): Kernel IR has no fma of 8-bit floats."""
SEED, NUMBER, GRID, MATH = 0, 74, (1,), "portable"
OPTIONS = {}
PARAMETERS = [dict(name="x1", role="in", dtype="float8e4nv", count=32), dict(name="o2", role="out", dtype="float8e4nv", count=32)]
TEXT = """
@tw.jit
def kernel(x1, o2):
    i3 = tl.arange(0, 32)
    v4 = tl.load(x1 + i3)
    tl.store(o2 + i3, tl.fma(v4, v4 * v4, v4))
"""
