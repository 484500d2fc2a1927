"""Random numbers: Philox-4x32 bit for bit against a second implementation, and recorded numbers (rule M1)."""
import numpy as np
import pytest

SEEDS = [0, 1, 1234, -1, 2**31 - 1, 2**40, -2**40 + 7]


def philox(seed, counters, rounds=10):
    """The four 32-bit words of Philox-4x32 for counters [4, n] and a 64-bit seed, in Python integers."""
    mask, (c0, c1, c2, c3) = 0xFFFFFFFF, [[int(v) for v in row] for row in counters]
    words = []
    for state in zip(c0, c1, c2, c3):
        a, b, c, d = state
        k0, k1 = seed & mask, seed >> 32 & mask
        for _ in range(rounds):
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b, c, d = (q >> 32) ^ b ^ k0, q & mask, (p >> 32) ^ d ^ k1, p & mask
            k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
        words.append((a, b, c, d))
    return np.array(words, np.uint64).T.astype(np.uint32)


def counters(offsets):
    offsets = np.asarray(offsets).astype(np.int64) & 0xFFFFFFFF
    zero = np.zeros_like(offsets)
    return [offsets, zero, zero, zero]


def uniform(bits):
    """The documented map of 32 bits to [0, 1)."""
    signed = bits.view(np.int32).astype(np.int64)
    folded = np.where(signed < 0, -signed - 1, signed)
    return (folded.astype(np.float32) * np.float32(4.6566127342e-10)).astype(np.float32)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rounds", [10, 7, 3])
@pytest.mark.parametrize("base", [0, 1000, 2**31 - 64])
def test_bits(machine, seed, rounds, base):
    words = philox(seed, counters(base + np.arange(64)), rounds)
    body = """
        i = tl.arange(0, 64)
        a, b, c, d = tl.randint4x(seed, base + i, ROUNDS)
        tl.store(out + i, a.to(tl.uint32, bitcast=True))
        tl.store(out + 64 + i, b.to(tl.uint32, bitcast=True))
        tl.store(out + 128 + i, c.to(tl.uint32, bitcast=True))
        tl.store(out + 192 + i, d.to(tl.uint32, bitcast=True))
        tl.store(one + i, tl.randint(seed, base + i, ROUNDS).to(tl.uint32, bitcast=True))
        """
    machine.check(body, {"out": words, "one": words[0]}, {"seed": seed, "base": base}, {"ROUNDS": rounds})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("base", [0, 123456])
def test_uniform(machine, seed, base):
    words = philox(seed, counters(base + np.arange(64)))
    machine.check("""
        i = tl.arange(0, 64)
        tl.store(out + i, tl.rand(seed, base + i))
        a, b, c, d = tl.rand4x(seed, base + i)
        tl.store(four + i, a)
        tl.store(four + 64 + i, b)
        tl.store(four + 128 + i, c)
        tl.store(four + 192 + i, d)
        """, {"out": uniform(words[0]), "four": uniform(words)}, {"seed": seed, "base": base})


@pytest.mark.parametrize("seed", SEEDS)
def test_normal(machine, seed):
    """Box and Muller on two uniform numbers."""
    words = philox(seed, counters(np.arange(64)))
    u1, u2 = np.maximum(np.float32(1.0e-7), uniform(words[0])).astype(np.float64), uniform(words[1]).astype(np.float64)
    expected = np.sqrt(-2 * np.log(u1)) * np.cos(6.283185307179586 * u2)
    machine.check("i = tl.arange(0, 64)\ntl.store(out + i, tl.randn(seed, i))", {"out": expected.astype(np.float32)}, {"seed": seed},
                  bound=1e-5)


def test_recorded_uniform(machine):
    """Probe 20: rand(1234) of Triton 3.6."""
    recorded = ["0x1.0485980000000p-2", "0x1.8444860000000p-1", "0x1.fe4e440000000p-2", "0x1.2765960000000p-1", "0x1.4a762c0000000p-3",
                "0x1.aeb6f00000000p-2", "0x1.79aeee0000000p-6", "0x1.33c7740000000p-1"]
    machine.check("i = tl.arange(0, 8)\ntl.store(out + i, tl.rand(1234, i))",
                  {"out": np.array([float.fromhex(text) for text in recorded], np.float32)})


RECORDED = {
    0: [0x6627e8d5, 0xf8e4cca4, 0x4faa329, 0xc990ef29, 0xef3dc354, 0x734893fb, 0xb6af4bf8, 0xa8b31d31,
        0x9b00dbd8, 0x97eff67, 0x459135e4, 0x6d413e04, 0xeabefd5a, 0x5affd9e7, 0x8d74fa0, 0x73ddf25e],
    1234: [0x2090b348, 0x9eeede35, 0x3fc9c8d8, 0xb6269a3e, 0x14a762d7, 0xca2921c9, 0xfd0ca21e, 0xb30e22ad,
        0xcbca470e, 0x147edd50, 0x891d3b11, 0xe87c375e, 0xf998a4bd, 0x96051f38, 0xb0287d17, 0x865132fe],
    -1: [0x72a47709, 0x19fed511, 0x17625282, 0x8e8fd014, 0x99f01fee, 0x6e5f04e2, 0x63d996e2, 0x6e20f2b1,
        0x22799a5a, 0x9fe857b4, 0x98e39092, 0x9392702f, 0x6c1161d7, 0x408274dd, 0xcab2114c, 0x5cf56484],
    2**40: [0x141be512, 0x30c890f8, 0x6ce0ee46, 0x942ccdcb, 0x9d0115ec, 0x29377652, 0xd3ce6e3, 0x3d731e09,
        0xb462a2cc, 0xc2e6d838, 0xca0e3d44, 0x90285aa3, 0xd5fd3366, 0xb03a536, 0xf1035e15, 0x6ba84908]
}


@pytest.mark.parametrize("seed", list(RECORDED))
def test_recorded_bits(machine, seed):
    """Probe 20: the first and the fourth word of Triton 3.6 for four seeds, negative and above 32 bits too."""
    machine.check("""
        i = tl.arange(0, 8)
        tl.store(out + i, tl.randint(seed, i).to(tl.uint32, bitcast=True))
        a, b, c, d = tl.randint4x(seed, i)
        tl.store(out + 8 + i, d.to(tl.uint32, bitcast=True))
        """, {"out": np.array(RECORDED[seed], np.uint32)}, {"seed": seed})
