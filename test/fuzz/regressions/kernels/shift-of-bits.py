"""Found with seed 1, program 173, as a refusal (TW3102): Kernel IR has no shifts of i1."""
SEED, NUMBER, GRID, MATH = 1, 173, (1,), "portable"
OPTIONS = {}
PARAMETERS = [dict(name="x1", role="in", dtype="int1", count=16), dict(name="x2", role="in", dtype="int1", count=16),
              dict(name="o3", role="out", dtype="int1", count=64)]
TEXT = """
@tw.jit
def kernel(x1, x2, o3):
    i4 = tl.arange(0, 16)
    v5 = tl.load(x1 + i4)
    v6 = tl.load(x2 + i4)
    tl.store(o3 + i4, v5 << v6)
    tl.store(o3 + 16 + i4, v5 >> v6)
    tl.store(o3 + 32 + i4, v5 // v6)
    tl.store(o3 + 48 + i4, v5 % v6)
"""
