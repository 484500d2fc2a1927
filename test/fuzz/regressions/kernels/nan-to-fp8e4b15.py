"""Found with seed 2, program 199, as a difference on cpu: the sign of a NaN became the sign of a number."""
SEED, NUMBER, GRID, MATH = 2, 199, (1,), "portable"
OPTIONS = {}
PARAMETERS = [dict(name="x1", role="in", dtype="float32", count=16, recipe="few"),
              dict(name="o2", role="out", dtype="uint8", count=16)]
TEXT = """
@tw.jit
def kernel(x1, o2):
    i3 = tl.arange(0, 16)
    v4 = tl.load(x1 + i3)
    v5 = (v4 - v4) / (v4 - v4) * (v4 - 0.5)
    tl.store(o2 + i3, v5.to(tl.float8e4b15).to(tl.uint8, bitcast=True))
"""
