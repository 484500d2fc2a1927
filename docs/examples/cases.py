"""Launches of every kernel in tile_kernels.py, each beside what NumPy says it gives.

A case makes its arrays for a shape and an element type, launches, and computes the expected result in float64 from the
same inputs. The demo, the tests and the benchmarks use these.
"""
import dataclasses
import math
from typing import Callable

import ml_dtypes
import numpy as np

import tile_kernels as kernels
import tilewright as tw
import tilewright.language as tl

DTYPES = {"fp32": np.dtype(np.float32), "fp16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
#: Spacing of numbers at 1.0: results are rounded to the type once.
EPSILON = {"fp32": 2.0**-23, "fp16": 2.0**-10, "bf16": 2.0**-7}
#: Spacing of the smallest numbers.
TINY = {"fp32": 2.0**-149, "fp16": 2.0**-24, "bf16": 2.0**-133}
_TYPES = {"fp32": tl.float32, "fp16": tl.float16, "bf16": tl.bfloat16}


@dataclasses.dataclass
class Outcome:
    """Results of one launch: what the kernel wrote, what it should be, and the size of the terms that were summed."""
    got: np.ndarray
    expected: np.ndarray
    terms: np.ndarray

    def error(self, dtype):
        """Largest error in units of (rounding of the type x result) + 1e-5 x terms; at most 1 is right."""
        got, expected = self.got.astype(np.float64), self.expected.astype(np.float64)
        if not np.isfinite(expected).all():
            raise ValueError("a case must expect finite numbers")
        allowed = EPSILON[dtype] * np.abs(expected) + TINY[dtype] + 1e-5 * self.terms
        return float(np.max(np.abs(got - expected) / allowed, initial=0.0))


@dataclasses.dataclass
class Prepared:
    """A launch with its arrays made: `launch()` runs the kernel, then `outcomes()` gives results by name; `peer()`, where
    there is one, computes the same with NumPy in the arrays' own type."""
    launch: Callable
    outcomes: Callable
    peer: Callable = None


@dataclasses.dataclass
class Case:
    """One kernel at some shapes; `prepare(shape, dtype, rng)` makes the arrays."""
    name: str
    shapes: list
    prepare: Callable
    dtypes: tuple = ("fp32", "fp16", "bf16")


def normal(rng, shape, dtype):
    """Standard normal numbers in the given element type."""
    return rng.standard_normal(shape).astype(DTYPES[dtype])


def _add(shape, dtype, rng):
    (n,) = shape
    x, y = normal(rng, n, dtype), normal(rng, n, dtype)
    out = np.empty_like(x)
    launch = lambda: kernels.add_kernel[(tw.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
    exact = x.astype(np.float64) + y.astype(np.float64)
    return Prepared(launch, lambda: {"out": Outcome(out, exact, np.abs(exact))}, lambda: x + y)


def softmax_reference(x):
    """Softmax along the last axis in float64."""
    e = np.exp(x.astype(np.float64) - x.astype(np.float64).max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmax_peer(x):
    """Softmax along the last axis in the array's own type."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _softmax(shape, dtype, rng):
    rows, cols = shape
    x = normal(rng, shape, dtype)
    out = np.empty_like(x)
    launch = lambda: kernels.softmax_kernel[(rows,)](x, out, cols, cols, BLOCK=tw.next_power_of_2(cols))
    exact = softmax_reference(x)
    return Prepared(launch, lambda: {"out": Outcome(out, exact, exact)}, lambda: softmax_peer(x))


def _softmax_looped(shape, dtype, rng):
    rows, cols = shape
    x = normal(rng, shape, dtype)
    out = np.empty_like(x)
    launch = lambda: kernels.softmax_looped_kernel[(rows,)](x, out, cols, cols, BLOCK=256)
    exact = softmax_reference(x)
    return Prepared(launch, lambda: {"out": Outcome(out, exact, exact)}, lambda: softmax_peer(x))


def _layernorm_inputs(shape, dtype, rng):
    rows, cols = shape
    x, w, b = normal(rng, shape, dtype), normal(rng, cols, dtype), normal(rng, cols, dtype)
    x64 = x.astype(np.float64)
    mean, rstd = x64.mean(-1), 1 / np.sqrt(x64.var(-1) + 1e-5)
    normed = (x64 - mean[:, None]) * rstd[:, None]
    return x, w, b, mean, rstd, normed


def _layernorm(shape, dtype, rng):
    rows, cols = shape
    x, w, b, mean, rstd, normed = _layernorm_inputs(shape, dtype, rng)
    out, mean_out, rstd_out = np.empty_like(x), np.empty(rows, np.float32), np.empty(rows, np.float32)
    launch = lambda: kernels.layernorm_kernel[(rows,)](x, w, b, out, mean_out, rstd_out, cols, cols, 1e-5,
                                      BLOCK=tw.next_power_of_2(cols))
    w64, b64 = w.astype(np.float64), b.astype(np.float64)
    size = np.abs(x.astype(np.float64)).mean(-1)
    terms = (np.abs(normed) + (size * rstd)[:, None]) * np.abs(w64) + np.abs(b64)
    return Prepared(launch, lambda: {"out": Outcome(out, normed * w64 + b64, terms), "mean": Outcome(mean_out, mean, size),
            "rstd": Outcome(rstd_out, rstd, rstd)},
                    lambda: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + x.dtype.type(1e-5)) * w + b)


def _layernorm_backward(shape, dtype, rng):
    rows, cols = shape
    x, w, _, mean, rstd, normed = _layernorm_inputs(shape, dtype, rng)
    dy = normal(rng, shape, dtype)
    programs = min(rows, 8)
    dx, dw, db = np.empty_like(x), np.empty((programs, cols), np.float32), np.empty((programs, cols), np.float32)
    launch = lambda: kernels.layernorm_backward_kernel[(programs,)](dy, x, w, mean.astype(np.float32), rstd.astype(np.float32), dx, dw, db,
                                                   rows, cols, cols, BLOCK=tw.next_power_of_2(cols))
    dy64 = dy.astype(np.float64)
    g = dy64 * w.astype(np.float64)
    exact = (g - normed * (g * normed).mean(-1, keepdims=True) - g.mean(-1, keepdims=True)) * rstd[:, None]
    size = (np.abs(g) + np.abs(normed) * np.abs(g * normed).mean(-1, keepdims=True) +
            np.abs(g).mean(-1, keepdims=True)) * rstd[:, None]
    return Prepared(launch, lambda: {"dx": Outcome(dx, exact, size),
            "dw": Outcome(dw.sum(0), (dy64 * normed).sum(0), np.abs(dy64 * normed).sum(0) + np.abs(dy64).sum(0)),
            "db": Outcome(db.sum(0), dy64.sum(0), np.abs(dy64).sum(0))})


def philox_uniform(seed, counters):
    """The language's `rand`: Philox 4x32, ten rounds, first word as a number in [0, 1)."""
    words = [counters.astype(np.uint64), *(np.zeros(counters.shape, np.uint64) for _ in range(3))]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        first, second = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [(second >> np.uint64(32)) ^ words[1] ^ key[0], second & low,
                 (first >> np.uint64(32)) ^ words[3] ^ key[1], first & low]
        key = [(key[0] + np.uint64(0x9E3779B9)) & low, (key[1] + np.uint64(0xBB67AE85)) & low]
    signed = words[0].astype(np.uint32).view(np.int32)
    folded = np.where(signed < 0, -signed - 1, signed)
    return folded.astype(np.float32) * np.float32(4.6566127342e-10)


def _dropout(shape, dtype, rng):
    (n,) = shape
    x = normal(rng, n, dtype)
    out = np.empty_like(x)
    launch = lambda: kernels.dropout_kernel[(tw.cdiv(n, 512),)](x, out, n, 0.25, 1234567890123, BLOCK=512)
    keep = philox_uniform(1234567890123, np.arange(n)) > np.float32(0.25)
    exact = np.where(keep, x.astype(np.float64) / 0.75, 0.0)
    return Prepared(launch, lambda: {"out": Outcome(out, exact, np.abs(exact))})


def _matmul_with(activation):

    def run(shape, dtype, rng):
        m, n, k = shape
        a, b = normal(rng, (m, k), dtype), normal(rng, (k, n), dtype)
        c = np.empty((m, n), DTYPES[dtype])
        grid = lambda meta: (tw.cdiv(m, meta["BM"]) * tw.cdiv(n, meta["BN"]),)
        launch = lambda: kernels.matmul_kernel[grid](a, b, c, m, n, k, k, 1, n, 1, n, 1, BM=64, BN=64, BK=32, GROUP_M=4,
                                    ACTIVATION=activation)
        a64, b64 = a.astype(np.float64), b.astype(np.float64)
        exact = a64 @ b64
        if activation:
            exact = np.where(exact >= 0, exact, 0.01 * exact)
        return Prepared(launch, lambda: {"c": Outcome(c, exact, np.abs(a64) @ np.abs(b64))}, lambda: a @ b)

    return run


def _matmul_persistent(shape, dtype, rng):
    m, n, k = shape
    a, b = normal(rng, (m, k), dtype), normal(rng, (n, k), dtype)
    c = np.empty((m, n), DTYPES[dtype])
    launch = lambda: kernels.matmul_persistent_kernel[(4,)](a, b, c, m, n, k, PROGRAMS=4, BM=64, BN=64, BK=32, GROUP_M=4)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    return Prepared(launch, lambda: {"c": Outcome(c, a64 @ b64.T, np.abs(a64) @ np.abs(b64).T)}, lambda: a @ b.T)


def attention_peer(q, k, v, scale, causal):
    """Attention in the arrays' own type, with the whole score matrix in memory."""
    scores = q @ k.transpose(0, 2, 1) * q.dtype.type(scale)
    if causal:
        scores = np.where(np.tri(q.shape[1], dtype=bool), scores, q.dtype.type(-np.inf))
    return softmax_peer(scores) @ v


def _attention_with(causal):

    def run(shape, dtype, rng):
        heads, length, d = shape
        q, k, v = (normal(rng, shape, dtype) for _ in range(3))
        out = np.empty_like(q)
        scale = 1 / math.sqrt(d)
        launch = lambda: kernels.attention_kernel[(tw.cdiv(length, 32), heads)](q, k, v, out, scale, length, D=d, BM=32, BN=32,
                                                               CAUSAL=causal)
        scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * scale
        if causal:
            scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
        weights = softmax_reference(scores)
        v64 = v.astype(np.float64)
        # The weights are rounded to the element type before the second product.
        terms = (1 + EPSILON[dtype] * 1e5) * (weights @ np.abs(v64))
        return Prepared(launch, lambda: {"out": Outcome(out, weights @ v64, terms)}, lambda: attention_peer(q, k, v, scale, causal))

    return run


def _grouped_matmul(shape, dtype, rng):
    sizes = np.array(shape, np.int32)
    a = [normal(rng, (m, k), dtype) for m, n, k in sizes]
    b = [normal(rng, (k, n), dtype) for m, n, k in sizes]
    c = [np.zeros((m, n), DTYPES[dtype]) for m, n, k in sizes]
    tables = [np.array([array.ctypes.data for array in group], np.int64) for group in (a, b, c)]
    launch = lambda: kernels.grouped_matmul_kernel[(3,)](*tables, sizes, len(sizes), TYPE=_TYPES[dtype], PROGRAMS=3, BM=32, BN=32, BK=32)

    def outcome(i):
        x, y = a[i].astype(np.float64), b[i].astype(np.float64)
        return Outcome(c[i], x @ y, np.abs(x) @ np.abs(y))

    return Prepared(launch, lambda: {f"c{i}": outcome(i) for i in range(len(sizes))})


def _cumsum(shape, dtype, rng):
    rows, cols = shape
    x = normal(rng, shape, dtype)
    out = np.empty_like(x)
    launch = lambda: kernels.cumsum_kernel[(rows,)](x, out, cols, BLOCK=tw.next_power_of_2(cols))
    x64 = x.astype(np.float64)
    return Prepared(launch, lambda: {"out": Outcome(out, np.cumsum(x64, -1), np.cumsum(np.abs(x64), -1))}, lambda: np.cumsum(x, -1))


def _argmax(shape, dtype, rng):
    rows, cols = shape
    x = normal(rng, shape, dtype)
    out = np.empty(rows, np.int32)
    launch = lambda: kernels.argmax_kernel[(rows,)](x, out, cols, BLOCK=tw.next_power_of_2(cols))
    expected = np.argmax(x.astype(np.float64), -1)
    return Prepared(launch, lambda: {"out": Outcome(out, expected, np.zeros(rows))}, lambda: np.argmax(x, -1))


def _histogram(shape, dtype, rng):
    n, bins = shape
    x = rng.integers(0, bins, n, dtype=np.int32)
    counts = np.zeros(bins, np.int32)
    launch = lambda: kernels.histogram_kernel[(tw.cdiv(n, 256),)](x, counts, n, BLOCK=256)
    return Prepared(launch, lambda: {"bins": Outcome(counts, np.bincount(x, minlength=bins), np.zeros(bins))},
                    lambda: np.bincount(x, minlength=bins))


def _scale_rows(shape, dtype, rng):
    rows, cols = shape
    x = normal(rng, shape, dtype)
    lengths = rng.integers(0, cols + 1, rows, dtype=np.int32)
    lengths[0] = 0
    exact = np.where(np.arange(cols) < lengths[:, None], x.astype(np.float64) * 1.5, x.astype(np.float64))
    launch = lambda: kernels.scale_rows_kernel[(rows,)](x, lengths, cols, 1.5, BLOCK=tw.next_power_of_2(cols))
    return Prepared(launch, lambda: {"x": Outcome(x, exact, np.abs(exact))})


def _lower_bound(shape, dtype, rng):
    n, queries = shape
    table = np.sort(normal(rng, n, dtype))
    values = normal(rng, queries, dtype)
    out = np.empty(queries, np.int32)
    launch = lambda: kernels.lower_bound_kernel[(queries,)](table, values, out, n)
    return Prepared(launch, lambda: {"out": Outcome(out, np.searchsorted(table, values), np.zeros(queries))},
                    lambda: np.searchsorted(table, values))


CASES = [
    Case("add", [(1024,), (98432,), (1000003,)], _add),
    Case("softmax", [(4, 256), (64, 781), (7, 4096)], _softmax),
    Case("softmax looped", [(4, 256), (64, 781), (7, 4096)], _softmax_looped),
    Case("layernorm", [(4, 256), (64, 781), (7, 4096)], _layernorm),
    Case("layernorm backward", [(4, 256), (64, 781), (7, 4096)], _layernorm_backward),
    Case("dropout", [(512,), (98432,), (1000003,)], _dropout),
    Case("matmul", [(64, 64, 64), (256, 192, 128), (200, 168, 104)], _matmul_with("")),
    Case("matmul leaky_relu", [(64, 64, 64), (256, 192, 128), (200, 168, 104)], _matmul_with("leaky_relu")),
    Case("matmul persistent", [(64, 64, 64), (256, 192, 128), (200, 168, 104)], _matmul_persistent),
    Case("attention", [(2, 64, 32), (3, 128, 64), (2, 100, 64)], _attention_with(False)),
    Case("attention causal", [(2, 64, 32), (3, 128, 64), (2, 100, 64)], _attention_with(True)),
    Case("grouped matmul", [((32, 32, 32),), ((64, 32, 64), (32, 96, 32)), ((50, 70, 40), (8, 16, 100), (33, 31, 65))],
         _grouped_matmul),
    Case("cumsum", [(4, 256), (64, 781), (7, 4096)], _cumsum),
    Case("argmax", [(4, 256), (64, 781), (7, 4096)], _argmax),
    Case("histogram", [(1024, 16), (98432, 256), (100003, 1000)], _histogram, ("fp32",)),
    Case("early return", [(4, 256), (64, 781), (7, 4096)], _scale_rows),
    Case("while loop", [(256, 16), (781, 100), (100003, 33)], _lower_bound),
]
