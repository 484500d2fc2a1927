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

// (exp(r) - 1 - r) / r^2, |r| <= ln2 / 2.
// Relative error 2^-27.8, single.
inline constexpr double kExpF32[] = {
    0x1.fffffc0000000p-2, 0x1.5554900000000p-3,  0x1.5558f40000000p-5,
    0x1.123a6a0000000p-7, 0x1.6a23500000000p-10,
};

// (2^r - 1) / r, |r| <= 1/2.
// Relative error 2^-25.5, single.
inline constexpr double kExp2F32[] = {
    0x1.62e4320000000p-1, 0x1.ebfbe20000000p-3,  0x1.c6ae700000000p-5,
    0x1.3b270a0000000p-7, 0x1.5f737c0000000p-10, 0x1.470d620000000p-13,
};

// (log(1+f) - f + f^2/2) / f^3, 1+f in [sqrt(1/2), sqrt(2)].
// Relative error 2^-28.2, single.
inline constexpr double kLogF32[] = {
    0x1.5555480000000p-2,  -0x1.0000060000000p-2, 0x1.99a4b60000000p-3,
    -0x1.555c4e0000000p-3, 0x1.2337680000000p-3,  -0x1.fc220e0000000p-4,
    0x1.e6f0620000000p-4,  -0x1.de3be60000000p-4, 0x1.1457820000000p-4,
};

// (log2(1+f) - f * log2(e)) / f^2, same interval.
// Relative error 2^-26.1, single.
inline constexpr double kLog2F32[] = {
    -0x1.7154700000000p-1, 0x1.ec70960000000p-2,  -0x1.715a460000000p-2,
    0x1.277e6a0000000p-2,  -0x1.eacadc0000000p-3, 0x1.a3088e0000000p-3,
    -0x1.867c5c0000000p-3, 0x1.7c77bc0000000p-3,  -0x1.ca558e0000000p-4,
    0x1.9135ea0000000p-9,
};

// (tanh(x) - x) / x^3 in x^2, |x| <= 0.6.
// Relative error 2^-27.6, single.
inline constexpr double kTanhF32[] = {
    -0x1.55553e0000000p-2, 0x1.1109ae0000000p-3,  -0x1.b898e00000000p-5,
    0x1.54b8aa0000000p-6,  -0x1.8258840000000p-8,
};

// erf(x) / x - 1 in x^2, |x| <= 0.92.
// Relative error 2^-26.4, single.
inline constexpr double kErfF32[] = {
    0x1.06eba80000000p-3,  -0x1.8127440000000p-2, 0x1.ce2e240000000p-4,
    -0x1.b810e80000000p-6, 0x1.54df1c0000000p-8,  -0x1.ab10740000000p-11,
    0x1.5f95860000000p-14,
};

// -log(erfc(x)) / x in x, 0.92 <= x <= 3.95.
// Relative error 2^-27.5, single.
inline constexpr double kErfTailF32[] = {
    0x1.20e2be0000000p+0,   0x1.45b22c0000000p-1,  0x1.aa63840000000p-4,
    -0x1.5aa5c20000000p-6,  0x1.c3761a0000000p-10, 0x1.21a46e0000000p-11,
    -0x1.dfdd5a0000000p-13, 0x1.2e89de0000000p-15, -0x1.2f32200000000p-19,
};

// (sin(r) - r) / r^3 in r^2, |r| <= pi / 4.
// Relative error 2^-26.8, single.
inline constexpr double kSinF32[] = {
    -0x1.5555460000000p-3,
    0x1.1107300000000p-7,
    -0x1.9940640000000p-13,
};

// (cos(r) - 1 + r^2/2) / r^4 in r^2, |r| <= pi / 4.
// Relative error 2^-32.8, single.
inline constexpr double kCosF32[] = {
    0x1.55554a0000000p-5,
    -0x1.6c0c280000000p-10,
    0x1.99e86c0000000p-16,
};

// (exp(r) - 1 - r) / r^2, |r| <= ln2 / 2.
// Relative error 2^-45.8, double.
inline constexpr double kExp[] = {
    0x1.fffffffff121dp-2,  0x1.555555558a585p-3,  0x1.5555557e2c50bp-5,
    0x1.1111108d6ab12p-7,  0x1.6c163b6220613p-10, 0x1.a01b74ec49602p-13,
    0x1.a16edf139497ap-16, 0x1.710120f1d8cfbp-19,
};

// (2 atanh(s) - 2 s) / s^3 in s^2, |s| <= (sqrt2-1)/(sqrt2+1).
// Relative error 2^-44.9, double.
inline constexpr double kLog[] = {
    0x1.555555561f881p-1, 0x1.999996a52f5dbp-2, 0x1.249413e857963p-2,
    0x1.c62a5a068f2f7p-3, 0x1.91212b72e440bp-3,
};

// (sin(r) - r) / r^3 in r^2, |r| <= pi / 4.
// Relative error 2^-47.5, double.
inline constexpr double kSin[] = {
    -0x1.55555555521b6p-3, 0x1.1111110c7ddecp-7,   -0x1.a019f92c7bca6p-13,
    0x1.71d76620bb325p-19, -0x1.a95f135804b08p-26,
};

// (cos(r) - 1 + r^2/2) / r^4 in r^2, |r| <= pi / 4.
// Relative error 2^-42.9, double.
inline constexpr double kCos[] = {
    0x1.5555554ecbff3p-5,
    -0x1.6c16b81ba763cp-10,
    0x1.a010d55b171d7p-16,
    -0x1.241caa1a59110p-22,
};

// (asin(x) - x) / x^3 in x^2, |x| <= 1/2.
// Relative error 2^-43.9, double.
inline constexpr double kAsin[] = {
    0x1.555555565a920p-3, 0x1.333331f27222dp-4,  0x1.6db762b16904bp-5,
    0x1.f1ab43d12ef40p-6, 0x1.7027e543d4e44p-6,  0x1.0e118ff4d94d4p-6,
    0x1.30d98bd0e6307p-6, -0x1.6fe6d9a76d7cap-9, 0x1.056eed78c63ebp-5,
};

// (atan(x) - x) / x^3 in x^2, |x| <= tan(pi/8).
// Relative error 2^-45.0, double.
inline constexpr double kAtan[] = {
    -0x1.555555550ad15p-2, 0x1.9999992a777ecp-3,  -0x1.24922cbbe762ap-3,
    0x1.c715634155bf3p-4,  -0x1.73e001fb8e0f8p-4, 0x1.35f5e041cba66p-4,
    -0x1.e23ddf53ee975p-5, 0x1.f919b06e97601p-6,
};

// erf(x) / x in x^2, |x| <= 1/2.
// Relative error 2^-36.3, double.
inline constexpr double kErf[] = {
    0x1.20dd75041af19p+0,  -0x1.8127466e3c232p-2, 0x1.ce2ef1ab56589p-4,
    -0x1.b820176178263p-6, 0x1.54ceb2f1e5daep-8,  -0x1.9353c488d65bbp-11,
};

// (1 + 2x) exp(x^2) erfc(x) in (x - 3) / (x + 3), x >= 1/2.
// Relative error 2^-37.1, double.
inline constexpr double kErfcTail[] = {
    0x1.40c522d7edb36p+0,   -0x1.15c084bb9a2e9p-3,  -0x1.85a15d5216dd8p-5,
    0x1.09836699bd7a0p-3,   -0x1.e88b6edb270e2p-4,  0x1.17ca2f8d38fabp-4,
    -0x1.8578568503fd0p-6,  0x1.4b766b27f047ap-9,   0x1.f07365f098dcep-10,
    -0x1.969c34a4c0fb9p-11, -0x1.f50a3da46f1fbp-14, 0x1.cdae34144d3f4p-14,
    0x1.4ce73311d6dedp-16,
};

// (1 + 2x) exp(x^2) erfc(x) in w = (x - 3.75) / (x + 3.75), x >= 1/2; x(w).
// Relative error 2^-67.7, double.
inline constexpr double kErfcTailF64[] = {
    0x1.3ccda0b5d5dc2p+0,   -0x1.1f367683f89a7p-3,  0x1.d5f2948159d06p-9,
    0x1.510169d096803p-4,   -0x1.bda9309a28847p-4,  0x1.7a14188a99b34p-4,
    -0x1.e0d0fa6e0204ap-5,  0x1.d0b0037dcc4d9p-6,   -0x1.3f603c336b607p-7,
    0x1.cc3a0e227cbb1p-10,  0x1.33fb242c9d50bp-12,  -0x1.303f9da11a3e2p-12,
    0x1.b1444f813e2a1p-15,  0x1.778a3040576abp-16,  -0x1.8008cb771eed1p-17,
    -0x1.05278d9b7b9d9p-20, 0x1.d6b6b558d5dfbp-20,  -0x1.f3bb74b350c51p-25,
    -0x1.187255f5e5ecdp-22, 0x1.9e6a7e64f89f2p-26,  0x1.5ea2f36a80c51p-25,
    -0x1.200c50081e13fp-28, -0x1.ad009a733ddc7p-28, 0x1.c80279e90df6fp-32,
    0x1.6c711df1797f2p-31,
};

// 2/pi in pieces of 28, 28 and 53 bits for arguments whose exponent
// is below 24, 48, 72, 96, 112 and 128; bits that only contribute
// multiples of 4 are left out.
inline constexpr double kTwoOverPi[6][3] = {
    {0x1.45f306c000000p-1, 0x1.c9c882a000000p-29, 0x1.4fe13abe8fa98p-59},
    {0x1.45f306c000000p-1, 0x1.c9c882a000000p-29, 0x1.4fe13abe8fa98p-59},
    {0x1.b727220000000p-23, 0x1.529fc24000000p-52, 0x1.abe8fa9a6ee06p-79},
    {0x1.529fc00000000p-52, 0x1.3abe8fa000000p-75, 0x1.34ddc0db62958p-104},
    {0x1.3abe8e0000000p-75, 0x1.a9a6ee0000000p-99, 0x1.b6c52b3278870p-129},
    {0x1.e8fa9a6000000p-87, 0x1.dc0db60000000p-116, 0x1.4acc9e21c820fp-143},
};

} // namespace tilewright::math::coefficients

#endif // TILEWRIGHT_BACKENDS_MATH_COEFFICIENTS_H
