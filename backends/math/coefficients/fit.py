#!/usr/bin/env python3
# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives every polynomial of the maths expansions and prints Coefficients.h.

    python3 fit.py > Coefficients.h        (needs mpmath)

Each row of `TABLE` states one minimax problem: find the polynomial p of the
given degree in z(x) that minimises  max |weight(x) * (p(z(x)) - f(x))|  over
the interval. It is solved by the Remez exchange algorithm on a Chebyshev grid
with 200-bit arithmetic; the coefficients of 32-bit rows are then rounded to
single precision. The weight is chosen so that the reported error, measured with
the rounded coefficients, is the relative error of the function that is finally
computed; it is printed as a comment.
"""

import struct
import sys

from mpmath import (asin, atan, cos, erf, erfc, exp, log, matrix, lu_solve, mp,
                    mpf, pi, sin, sqrt, tan, tanh)

mp.prec = 200
GRID = 600


def to_single(value):
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def solve(points, basis, target, weight):
    """The levelled solution on one reference: n coefficients and the error."""
    n = len(basis)
    system, rhs = matrix(n + 1), matrix(n + 1, 1)
    for i, x in enumerate(points):
        for j in range(n):
            system[i, j] = basis[j][x]
        system[i, n] = (-1) ** i / weight[x]
        rhs[i] = target[x]
    return list(lu_solve(system, rhs))[:n]


def exchange(error, count):
    """One extremum per run of equal sign; the smallest end runs are dropped."""
    runs = []
    for i, e in enumerate(error):
        if e == 0:
            continue
        if runs and (error[runs[-1]] > 0) == (e > 0):
            if abs(e) > abs(error[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    while len(runs) > count:
        runs.pop(0 if abs(error[runs[0]]) < abs(error[runs[-1]]) else -1)
    return runs


def remez(basis, target, weight):
    """Coefficients of the weighted minimax fit, and its largest error."""
    n, size = len(basis), len(target)
    points = [(i * (size - 1)) // n for i in range(n + 1)]
    coefficients, worst = [], None
    for _ in range(30):
        coefficients = solve(points, basis, target, weight)
        error = [weight[i] * (sum(c * b[i] for c, b in zip(coefficients, basis))
                              - target[i]) for i in range(size)]
        largest = max(abs(e) for e in error)
        runs = exchange(error, n + 1)
        if len(runs) < n + 1 or (worst and abs(largest / worst - 1) < 1e-6):
            worst = largest
            break
        points, worst = runs, largest
    return coefficients, worst


def fit(f, low, high, degree, z, weight, single):
    xs = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf(1) / 2) / GRID)
          for i in range(GRID)]
    target, weights = [f(x) for x in xs], [weight(x) for x in xs]
    powers = [[z(x) ** k for x in xs] for k in range(degree + 1)]
    coefficients, worst = remez(powers, target, weights)
    if single:
        coefficients = [to_single(c) for c in coefficients]
        worst = max(abs(w * (sum(c * p[i] for c, p in zip(coefficients, powers))
                             - target[i])) for i, w in enumerate(weights))
    return coefficients, worst


half_ln2 = log(2) / 2 * mpf("1.001")
low_log, high_log = sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1
quarter = pi / 4 * mpf("1.001")
tiny = mpf(2) ** -40
log2e = 1 / log(2)
square = lambda x: x * x
same = lambda x: x


def erfc_scaled(x):
    return exp(x * x) * erfc(x)


def tail_argument(w):
    return mpf("3.75") * (1 + w) / (1 - w)


# name, precision, what it approximates, f, low, high, degree, z, weight
TABLE = [
    ("ExpF32", 32, "(exp(r) - 1 - r) / r^2, |r| <= ln2 / 2",
     lambda r: (exp(r) - 1 - r) / r**2, -half_ln2, half_ln2, 4, same,
     lambda r: r**2 / exp(r)),
    ("Exp2F32", 32, "(2^r - 1) / r, |r| <= 1/2",
     lambda r: (2**r - 1) / r, mpf("-0.5005"), mpf("0.5005"), 5, same,
     lambda r: r / 2**r),
    ("LogF32", 32, "(log(1+f) - f + f^2/2) / f^3, 1+f in [sqrt(1/2), sqrt(2)]",
     lambda f: (log(1 + f) - f + f**2 / 2) / f**3, low_log, high_log, 8, same,
     lambda f: f**3 / log(1 + f)),
    ("Log2F32", 32, "(log2(1+f) - f * log2(e)) / f^2, same interval",
     lambda f: (log(1 + f) - f) * log2e / f**2, low_log, high_log, 9, same,
     lambda f: f**2 / (log(1 + f) * log2e)),
    ("TanhF32", 32, "(tanh(x) - x) / x^3 in x^2, |x| <= 0.6",
     lambda x: (tanh(x) - x) / x**3, tiny, mpf("0.6"), 4, square,
     lambda x: x**3 / tanh(x)),
    ("ErfF32", 32, "erf(x) / x - 1 in x^2, |x| <= 0.92",
     lambda x: erf(x) / x - 1, tiny, mpf("0.92"), 6, square,
     lambda x: x / erf(x)),
    ("ErfTailF32", 32, "-log(erfc(x)) / x in x, 0.92 <= x <= 3.95",
     lambda x: -log(erfc(x)) / x, mpf("0.92"), mpf("3.95"), 8, same,
     lambda x: x * erfc(x) / erf(x)),
    ("SinF32", 32, "(sin(r) - r) / r^3 in r^2, |r| <= pi / 4",
     lambda r: (sin(r) - r) / r**3, tiny, quarter, 2, square,
     lambda r: r**3 / sin(r)),
    ("CosF32", 32, "(cos(r) - 1 + r^2/2) / r^4 in r^2, |r| <= pi / 4",
     lambda r: (cos(r) - 1 + r**2 / 2) / r**4, tiny, quarter, 2, square,
     lambda r: r**4 / cos(r)),
    ("Exp", 64, "(exp(r) - 1 - r) / r^2, |r| <= ln2 / 2",
     lambda r: (exp(r) - 1 - r) / r**2, -half_ln2, half_ln2, 7, same,
     lambda r: r**2 / exp(r)),
    ("Log", 64, "(2 atanh(s) - 2 s) / s^3 in s^2, |s| <= (sqrt2-1)/(sqrt2+1)",
     lambda s: (log((1 + s) / (1 - s)) - 2 * s) / s**3, tiny,
     high_log / (2 + high_log) * mpf("1.001"), 4, square,
     lambda s: s**3 / log((1 + s) / (1 - s))),
    ("Sin", 64, "(sin(r) - r) / r^3 in r^2, |r| <= pi / 4",
     lambda r: (sin(r) - r) / r**3, tiny, quarter, 4, square,
     lambda r: r**3 / sin(r)),
    ("Cos", 64, "(cos(r) - 1 + r^2/2) / r^4 in r^2, |r| <= pi / 4",
     lambda r: (cos(r) - 1 + r**2 / 2) / r**4, tiny, quarter, 3, square,
     lambda r: r**4 / cos(r)),
    ("Asin", 64, "(asin(x) - x) / x^3 in x^2, |x| <= 1/2",
     lambda x: (asin(x) - x) / x**3, tiny, mpf("0.5"), 8, square,
     lambda x: x**3 / asin(x)),
    ("Atan", 64, "(atan(x) - x) / x^3 in x^2, |x| <= tan(pi/8)",
     lambda x: (atan(x) - x) / x**3, tiny, tan(pi / 8) * mpf("1.001"), 7,
     square, lambda x: x**3 / atan(x)),
    ("Erf", 64, "erf(x) / x in x^2, |x| <= 1/2",
     lambda x: erf(x) / x, tiny, mpf("0.5"), 5, square, lambda x: x / erf(x)),
    ("ErfcTail", 64, "(1 + 2x) exp(x^2) erfc(x) in (x - 3) / (x + 3), x >= 1/2",
     lambda x: (1 + 2 * x) * erfc_scaled(x), mpf("0.5"), mpf("10.2"), 12,
     lambda x: (x - 3) / (x + 3), lambda x: 1 / ((1 + 2 * x) * erfc_scaled(x))),
    ("ErfcTailF64", 64,
     "(1 + 2x) exp(x^2) erfc(x) in w = (x - 3.75) / (x + 3.75), x >= 1/2; x(w)",
     lambda w: (1 + 2 * tail_argument(w)) * erfc_scaled(tail_argument(w)),
     mpf("-0.7648"), mpf("0.764"), 24, same,
     lambda w: 1 / ((1 + 2 * tail_argument(w)) * erfc_scaled(tail_argument(w)))),
]

HEADER = """\
//===- Coefficients.h - Polynomials of the maths expansions -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printed by coefficients/fit.py, which states the minimax problem behind each
// row; do not edit. Coefficients are listed from the lowest degree upwards.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_COEFFICIENTS_H
#define TILEWRIGHT_BACKENDS_MATH_COEFFICIENTS_H

namespace tilewright::math::coefficients {
"""


def two_over_pi_chunk(first_bit, bits):
    """Bits [first_bit, first_bit + bits) of 2/pi behind the binary point."""
    with_all = int(mp.floor(mpf(2) / pi * mpf(2) ** (first_bit + bits)))
    return mp.ldexp(mpf(with_all & ((1 << bits) - 1)), -(first_bit + bits))


def reduction_table():
    """Three pieces of 2/pi for each range of exponents; see ReduceQuadrant."""
    rows = []
    mp.prec = 400
    for first in (0, 24, 48, 72, 96, 112):
        start = max(0, first - 26)
        rows.append([two_over_pi_chunk(start, 28),
                     two_over_pi_chunk(start + 28, 28),
                     two_over_pi_chunk(start + 56, 53)])
    return rows


def main():
    print(HEADER)
    for name, precision, what, f, low, high, degree, z, weight in TABLE:
        values, error = fit(f, low, high, degree, z, weight, precision == 32)
        kind = "single" if precision == 32 else "double"
        print(f"// {what}.")
        print(f"// Relative error 2^{float(log(error, 2)):.1f}, {kind}.")
        print(f"inline constexpr double k{name}[] = {{")
        for value in values:
            print(f"    {float(value).hex()},")
        print("};\n", flush=True)
        print(name, float(log(error, 2)), file=sys.stderr)
    print("// 2/pi in pieces of 28, 28 and 53 bits for arguments whose exponent")
    print("// is below 24, 48, 72, 96, 112 and 128; bits that only contribute")
    print("// multiples of 4 are left out.")
    print("inline constexpr double kTwoOverPi[6][3] = {")
    for row in reduction_table():
        print("    {" + ",\n     ".join(float(v).hex() for v in row) + "},")
    print("};\n")
    print("} // namespace tilewright::math::coefficients\n")
    print("#endif // TILEWRIGHT_BACKENDS_MATH_COEFFICIENTS_H")


if __name__ == "__main__":
    main()
