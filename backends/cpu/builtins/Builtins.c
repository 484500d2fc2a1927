/*===- Builtins.c - Functions that generated code may call --------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* What LLVM calls where a processor lacks the instruction (fma and rounding  */
/* before FMA and SSE4.1, casts to small floats) and for block copies. Results
 */
/* are those of the instruction, in round-to-nearest-even. Names and types are
 */
/* the C library's; all are hidden and linked only when used.                 */
/*===----------------------------------------------------------------------===*/
#include <stddef.h>
#include <stdint.h>

/*--- Memory -----------------------------------------------------------------*/

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  char *t = to;
  const char *f = from;
  while (bytes--)
    *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  char *t = to;
  const char *f = from;
  if ((uintptr_t)t - (uintptr_t)f >= bytes)
    return memcpy(to, from, bytes);
  while (bytes--)
    t[bytes] = f[bytes];
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  char *t = to;
  while (bytes--)
    *t++ = (char)value;
  return to;
}

int memcmp(const void *left, const void *right, size_t bytes) {
  const unsigned char *l = left, *r = right;
  for (; bytes--; ++l, ++r)
    if (*l != *r)
      return *l < *r ? -1 : 1;
  return 0;
}

/*--- Bits of floats ---------------------------------------------------------*/

static uint64_t bits64(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double float64(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static uint32_t bits32(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float float32(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

#define SIGN64 0x8000000000000000ull
#define INFINITY64 0x7ff0000000000000ull

/*--- Rounding to integers ---------------------------------------------------*/

/* Clears the fraction bits. */
double trunc(double x) {
  uint64_t bits = bits64(x);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent >= 52)
    return exponent == 1024 ? x + x : x;
  if (exponent < 0)
    return float64(bits & SIGN64);
  return float64(bits & ~(0x000fffffffffffffull >> exponent));
}

static double withSign(double magnitude, double sign) {
  return float64((bits64(magnitude) & ~SIGN64) | (bits64(sign) & SIGN64));
}

double floor(double x) {
  double t = trunc(x);
  return withSign(t > x ? t - 1 : t, x);
}

double ceil(double x) {
  double t = trunc(x);
  return withSign(t < x ? t + 1 : t, x);
}

double round(double x) {
  double t = trunc(x), rest = x - t;
  if (rest >= 0.5 || rest <= -0.5)
    t += x < 0 ? -1 : 1;
  return withSign(t, x);
}

double roundeven(double x) {
  double t = trunc(x), rest = x - t, half = t * 0.5;
  int isOdd = trunc(half) != half;
  rest = rest < 0 ? -rest : rest;
  if (rest > 0.5 || (rest == 0.5 && isOdd))
    t += x < 0 ? -1 : 1;
  return withSign(t, x);
}

double rint(double x) { return roundeven(x); }
double nearbyint(double x) { return roundeven(x); }

/* Each float is a double, and the results fit. */
float truncf(float x) { return (float)trunc(x); }
float floorf(float x) { return (float)floor(x); }
float ceilf(float x) { return (float)ceil(x); }
float roundf(float x) { return (float)round(x); }
float roundevenf(float x) { return (float)roundeven(x); }
float rintf(float x) { return (float)roundeven(x); }
float nearbyintf(float x) { return (float)roundeven(x); }

/*--- Remainder --------------------------------------------------------------*/

/* Significand with its leading bit at position 52 and the exponent of bit 0. */
static uint64_t normalise(uint64_t magnitude, int *exponent) {
  uint64_t significand = magnitude & 0x000fffffffffffffull;
  int biased = (int)(magnitude >> 52);
  if (biased == 0) {
    int shift = __builtin_clzll(significand) - 11;
    *exponent = -1074 - shift;
    return significand << shift;
  }
  *exponent = biased - 1075;
  return significand | 0x0010000000000000ull;
}

/* Long division, one quotient bit a step; exact. */
double fmod(double x, double y) {
  uint64_t a = bits64(x) & ~SIGN64, b = bits64(y) & ~SIGN64;
  uint64_t sign = bits64(x) & SIGN64;
  if (a >= INFINITY64 || b == 0 || b > INFINITY64)
    return (x * y) / (x * y);
  if (a < b)
    return x;
  int ea, eb;
  uint64_t ma = normalise(a, &ea), mb = normalise(b, &eb);
  for (; ea >= eb; --ea) {
    if (ma >= mb)
      ma -= mb;
    if (ma == 0)
      return float64(sign);
    ma <<= 1;
  }
  /* Undo the last shift; bit 0 weighs 2^eb. */
  ma >>= 1;
  int shift = __builtin_clzll(ma) - 11;
  if (eb - shift < -1074)
    shift = eb + 1074;
  /* Below the smallest exponent the low bits are zero: y was normalised. */
  uint64_t result = shift < 0 ? ma >> -shift : ma << shift;
  int biased = eb - shift + 1075;
  if (result & 0x0010000000000000ull)
    result = (result & 0x000fffffffffffffull) | (uint64_t)biased << 52;
  return float64(result | sign);
}

float fmodf(float x, float y) { return (float)fmod(x, y); }

/*--- Fused multiply-add -----------------------------------------------------*/

typedef unsigned __int128 wide;

/* Shifts right and keeps a sticky bit. */
static wide shiftSticky(wide value, int count) {
  if (count == 0)
    return value;
  if (count > 127)
    return value != 0;
  return value >> count | ((value & (((wide)1 << count) - 1)) != 0);
}

static int leadingZeros(wide value) {
  uint64_t high = (uint64_t)(value >> 64);
  return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)value);
}

/* value * 2^exponent to the nearest double; value is not zero. */
static double roundWide(wide value, int exponent, uint64_t sign) {
  int shift = leadingZeros(value);
  value <<= shift;
  exponent -= shift; /* the leading bit, 127, weighs 2^(exponent + 127) */
  int biased = exponent + 127 + 1023;
  int drop = 75;
  if (biased <= 0) {
    drop += 1 - biased;
    biased = 0;
  }
  value = shiftSticky(value, drop - 2);
  uint64_t rounded = (uint64_t)(value >> 2);
  int rest = (int)(value & 3);
  rounded += rest > 2 || (rest == 2 && (rounded & 1));
  /* A carry out of the significand moves into the exponent by itself. */
  uint64_t bits = biased ? rounded + ((uint64_t)(biased - 1) << 52) : rounded;
  return float64((bits >= INFINITY64 ? INFINITY64 : bits) | sign);
}

double fma(double x, double y, double z) {
  uint64_t a = bits64(x) & ~SIGN64, b = bits64(y) & ~SIGN64;
  uint64_t c = bits64(z) & ~SIGN64;
  if (a >= INFINITY64 || b >= INFINITY64 || a == 0 || b == 0)
    return x * y + z;
  if (c >= INFINITY64)
    return z + z;
  int ea, eb, ec;
  wide product = (wide)normalise(a, &ea) * normalise(b, &eb) << 20;
  uint64_t productSign = (bits64(x) ^ bits64(y)) & SIGN64;
  int productExponent = ea + eb - 20;
  if (c == 0)
    return roundWide(product, productExponent, productSign);
  wide addend = (wide)normalise(c, &ec) << 73;
  uint64_t addendSign = bits64(z) & SIGN64;
  int addendExponent = ec - 73, exponent;
  if (productExponent >= addendExponent) {
    addend = shiftSticky(addend, productExponent - addendExponent);
    exponent = productExponent;
  } else {
    product = shiftSticky(product, addendExponent - productExponent);
    exponent = addendExponent;
  }
  if (productSign == addendSign)
    return roundWide(product + addend, exponent, productSign);
  if (product == addend)
    return 0.0;
  return product > addend ? roundWide(product - addend, exponent, productSign)
                          : roundWide(addend - product, exponent, addendSign);
}

/* The product is exact in double; the sum is rounded to odd, so that rounding
   it once more to float is right. */
float fmaf(float x, float y, float z) {
  double product = (double)x * y, sum = product + z;
  uint64_t bits = bits64(sum);
  if ((bits & ~SIGN64) >= INFINITY64)
    return (float)sum;
  double part = sum - product;
  double error = (product - (sum - part)) + (z - part);
  if (error != 0 && !(bits & 1)) {
    if ((error > 0) == (sum > 0))
      sum = float64(bits + 1);
    else
      sum = float64(bits - 1);
  }
  return (float)sum;
}

/*--- Small floats -----------------------------------------------------------*/

/* Rounds a double to a format with `exponentBits` and `fractionBits`. */
static uint16_t narrow(double x, int exponentBits, int fractionBits) {
  uint64_t bits = bits64(x), magnitude = bits & ~SIGN64;
  uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
  int bias = (1 << (exponentBits - 1)) - 1;
  uint16_t infinity = (uint16_t)(((1 << exponentBits) - 1) << fractionBits);
  if (magnitude > INFINITY64)
    return sign | infinity | (uint16_t)(1 << (fractionBits - 1));
  if (magnitude == INFINITY64)
    return sign | infinity;
  if (magnitude < 0x0010000000000000ull)
    return sign; /* far below the smallest number of the format */
  int exponent;
  uint64_t significand = normalise(magnitude, &exponent);
  int biased = exponent + 52 + bias, drop = 52 - fractionBits;
  if (biased <= 0) {
    drop += 1 - biased;
    biased = 0;
  }
  if (drop > 54)
    return sign;
  uint64_t rest = significand & (((uint64_t)1 << drop) - 1);
  uint64_t half = (uint64_t)1 << (drop - 1), rounded = significand >> drop;
  rounded += rest > half || (rest == half && (rounded & 1));
  if (biased)
    rounded += (uint64_t)(biased - 1) << fractionBits;
  return sign | (rounded >= infinity ? infinity : (uint16_t)rounded);
}

static _Float16 asHalf(uint16_t bits) {
  _Float16 x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

_Float16 __truncdfhf2(double x) { return asHalf(narrow(x, 5, 10)); }
_Float16 __truncsfhf2(float x) { return asHalf(narrow(x, 5, 10)); }

float __extendhfsf2(_Float16 x) {
  uint16_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00)
    return float32(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400)
    return float32(sign | ((magnitude << 13) + 0x38000000));
  return float32(sign | bits32((float)magnitude * 0x1p-24f));
}

static __bf16 asBfloat(uint16_t bits) {
  __bf16 x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

__bf16 __truncdfbf2(double x) { return asBfloat(narrow(x, 8, 7)); }
__bf16 __truncsfbf2(float x) { return asBfloat(narrow(x, 8, 7)); }
