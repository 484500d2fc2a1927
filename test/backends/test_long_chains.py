"""Functions applied to their own results many times make one block of tens of thousands of instructions. Its compile
time must grow with its length, not with the square: LLVM has passes that scan the block for each instruction.
"""
import json

import pytest

from tilewright import engine

_LINKS = 20
_SOURCE = """import tilewright as tw
import tilewright.language as tl


@tw.jit
def chain(x, y):
    place = tl.arange(0, 1024)
    a = tl.load(x + place)
{links}
    tl.store(y + place, a)
"""
_CHAINS = {
    "sin": "tl.sin(a) * a",
    "exp": "tl.exp(a) * a",
    "divide": "(a + 2) / (a + 3)",
}
_TARGETS = {"amd:gfx942": {}, "amd:gfx1100": {}, "nvidia:sm_90a": {"assembler": "none"}}


def _milliseconds(link, count, target, repeats):
    """Processor time of LLVM, the best of some compiles."""
    text = _SOURCE.format(links="\n".join(f"    a = {link}" for _ in range(count)))
    best = None
    for _ in range(repeats):
        result = engine.compiler().compile(text, __file__, "chain", "x:*fp32, y:*fp32", target, dict(_TARGETS[target]), [], ["timings"])
        assert result.status == 0, result.rendered
        taken = json.loads(result.stages["timings"])["processor"]["codegen"]
        best = taken if best is None else min(best, taken)
    return best


@pytest.mark.parametrize("target", _TARGETS)
@pytest.mark.parametrize("name", _CHAINS)
def test_time_grows_with_the_length(name, target):
    short = _milliseconds(_CHAINS[name], _LINKS, target, repeats=2)
    long = _milliseconds(_CHAINS[name], 4 * _LINKS, target, repeats=1)
    assert long < 10 * short, f"{4 * _LINKS} links take {long:.0f} ms, {_LINKS} take {short:.0f} ms"
