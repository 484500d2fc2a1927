/*===- numbers.h - Small floats and total arithmetic --------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The arithmetic of docs/kernel-ir.md as C11, which is C++, too: fp16, bf16, */
/* the fp8 types, arithmetic of integers that is defined everywhere. For code */
/* that a plugin runs on the host, and for the text of kernels in C.          */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_SDK_NUMBERS_H
#define TILEWRIGHT_SDK_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/*--- Bits -------------------------------------------------------------------*/

static inline float f32_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline uint32_t f32_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double f64_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline uint64_t f64_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/*--- Small floats -----------------------------------------------------------*/

/* How a small float is laid out. IEEE has infinities; FINITE has one NaN, all
   bits set; FNUZ has one NaN, the code of -0. */
enum { IEEE, FINITE, FNUZ };
enum { NEAREST, DOWN, UP, TOWARD_ZERO, NEAREST_AWAY };

static inline float unpack(uint32_t code, int exponents, int digits, int bias,
                           int kind) {
  uint32_t most = (1u << exponents) - 1, sign = code >> (exponents + digits);
  uint32_t exponent = code >> digits & most;
  uint32_t mantissa = code & ((1u << digits) - 1);
  float x;
  if ((kind == IEEE && exponent == most && mantissa) ||
      (kind == FINITE && exponent == most && mantissa == (1u << digits) - 1) ||
      (kind == FNUZ && sign && !exponent && !mantissa))
    return NAN;
  if (kind == IEEE && exponent == most)
    x = INFINITY;
  else if (exponent)
    x = ldexpf((float)(mantissa | 1u << digits), (int)exponent - bias - digits);
  else
    x = ldexpf((float)mantissa, 1 - bias - digits);
  return sign ? -x : x;
}

/* Which way the remainder of a magnitude goes. */
static inline int rounds_up(double rest, int is_odd, int is_negative,
                            int rounding) {
  switch (rounding) {
  case DOWN:
    return is_negative && rest > 0;
  case UP:
    return !is_negative && rest > 0;
  case TOWARD_ZERO:
    return 0;
  case NEAREST_AWAY:
    return rest >= 0.5;
  default:
    return rest > 0.5 || (rest == 0.5 && is_odd);
  }
}

/* Rounds once, from the number itself. */
static inline uint32_t pack(double x, int exponents, int digits, int bias,
                            int kind, int rounding, int saturate) {
  uint32_t most = (1u << exponents) - 1;
  uint32_t sign = signbit(x) ? 1u << (exponents + digits) : 0;
  uint32_t nan = kind == FNUZ     ? 1u << (exponents + digits)
                 : kind == FINITE ? sign | ((1u << (exponents + digits)) - 1)
                                  : sign | most << digits | 1u << (digits - 1);
  uint32_t largest = kind == FNUZ     ? (1u << (exponents + digits)) - 1
                     : kind == FINITE ? (1u << (exponents + digits)) - 2
                                      : (most << digits) - 1;
  double size = fabs(x), scaled, whole;
  int exponent = 0, quantum;
  uint64_t code;
  if (x != x)
    return nan;
  if (size == 0)
    return kind == FNUZ ? 0 : sign;
  if (!isinf(size)) {
    frexp(size, &exponent);
    quantum = (exponent - 1 < 1 - bias ? 1 - bias : exponent - 1) - digits;
    scaled = ldexp(size, -quantum);
    whole = floor(scaled);
    code = (uint64_t)whole;
    code += rounds_up(scaled - whole, code & 1, sign != 0, rounding);
    /* A carry into the exponent is a carry in the code. */
    code += (uint64_t)(quantum + digits + bias - 1) << digits;
    if (code <= largest)
      return code == 0 && kind == FNUZ ? 0 : sign | (uint32_t)code;
    if (rounding == TOWARD_ZERO || rounding == (sign ? UP : DOWN))
      return sign | largest;
  }
  if (saturate)
    return sign | largest;
  return kind == IEEE ? sign | most << digits : nan;
}

#define SMALL_FLOAT(name, type, exponents, digits, bias, kind)                 \
  static inline float from_##name(type code) {                                 \
    return unpack(code, exponents, digits, bias, kind);                        \
  }                                                                            \
  static inline type round_to_##name(double x, int rounding, int saturate) {   \
    return (type)pack(x, exponents, digits, bias, kind, rounding, saturate);   \
  }
SMALL_FLOAT(f8e4m3fn, uint8_t, 4, 3, 7, FINITE)
SMALL_FLOAT(f8e5m2, uint8_t, 5, 2, 15, IEEE)
SMALL_FLOAT(f8e4m3fnuz, uint8_t, 4, 3, 8, FNUZ)
SMALL_FLOAT(f8e5m2fnuz, uint8_t, 5, 2, 16, FNUZ)
static inline uint16_t round_to_f16(double x, int rounding, int saturate) {
  return (uint16_t)pack(x, 5, 10, 15, IEEE, rounding, saturate);
}
static inline uint16_t round_to_bf16(double x, int rounding, int saturate) {
  return (uint16_t)pack(x, 8, 7, 127, IEEE, rounding, saturate);
}

/* The float formats in common use have short ways. */
#if defined(__FLT16_MAX__) && (!defined(__cplusplus) || defined(__clang__))
static inline float from_f16(uint16_t code) {
  _Float16 x;
  memcpy(&x, &code, sizeof x);
  return (float)x;
}
static inline uint16_t to_f16(double x) {
  _Float16 rounded = (_Float16)x;
  uint16_t code;
  memcpy(&code, &rounded, sizeof code);
  return code;
}
#else
static inline float from_f16(uint16_t code) {
  return unpack(code, 5, 10, 15, IEEE);
}
static inline uint16_t to_f16(double x) { return round_to_f16(x, NEAREST, 0); }
#endif
static inline float from_bf16(uint16_t code) {
  return f32_of((uint32_t)code << 16);
}
static inline uint16_t to_bf16(double x) {
  uint32_t bits = f32_bits((float)x);
  if ((double)(float)x != x) /* rounded already, or NaN */
    return round_to_bf16(x, NEAREST, 0);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#define to_f8e4m3fn(x) round_to_f8e4m3fn(x, NEAREST, 0)
#define to_f8e5m2(x) round_to_f8e5m2(x, NEAREST, 0)
#define to_f8e4m3fnuz(x) round_to_f8e4m3fnuz(x, NEAREST, 0)
#define to_f8e5m2fnuz(x) round_to_f8e5m2fnuz(x, NEAREST, 0)

/* double -> float in a stated direction. */
static inline float round_to_f32(double x, int rounding, int saturate) {
  float y = (float)x; /* to nearest, ties to even */
  (void)saturate;
  if (x != x || isinf(x))
    return y;
  if (rounding == NEAREST_AWAY) {
    float next = nextafterf(y, y < x ? INFINITY : -INFINITY);
    if (fabs((double)next) > fabs((double)y) &&
        fabs((double)next - x) == fabs(x - (double)y))
      y = next;
  } else if ((rounding == DOWN || (rounding == TOWARD_ZERO && x > 0)) &&
             (double)y > x) {
    y = nextafterf(y, -INFINITY);
  } else if ((rounding == UP || (rounding == TOWARD_ZERO && x < 0)) &&
             (double)y < x) {
    y = nextafterf(y, INFINITY);
  }
  return y;
}

/* An integer as a double whose last bit says that more follow: rounding that to
   a small float rounds once. */
static inline double odd_signed(int64_t x) {
  uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
  double y;
  if (size >> 53)
    size = (size & ~(uint64_t)2047) | ((size & 2047) != 0) << 11;
  y = (double)size;
  return x < 0 ? -y : y;
}
static inline double odd_unsigned(uint64_t x) {
  if (x >> 53)
    x = (x & ~(uint64_t)4095) | ((x & 4095) != 0) << 12;
  return (double)x;
}

/* a * b + c as a double of that kind: products of small floats are exact. */
static inline double odd_fma(float a, float b, float c) {
  double p = (double)a * b, s = p + c, t = s - p;
  double rest = (p - (s - t)) + (c - t);
  if (rest != 0 && rest == rest && !isinf(s) && !(f64_bits(s) & 1))
    s = f64_of(f64_bits(s) + ((rest > 0) == (s > 0) ? 1 : -1));
  return s;
}

/*--- Total arithmetic -------------------------------------------------------*/

static inline int64_t div_signed(int64_t a, int64_t b) {
  return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
static inline int64_t rem_signed(int64_t a, int64_t b) {
  return b == 0 ? a : b == -1 ? 0 : a % b;
}
static inline uint64_t div_unsigned(uint64_t a, uint64_t b) {
  return b == 0 ? ~(uint64_t)0 : a / b;
}
static inline uint64_t rem_unsigned(uint64_t a, uint64_t b) {
  return b == 0 ? a : a % b;
}
/* `b` is the unsigned amount; `width` the bits of `a`. */
static inline uint64_t shift_left(uint64_t a, uint64_t b, int width) {
  return b >= (uint64_t)width ? 0 : a << b;
}
static inline uint64_t shift_right_unsigned(uint64_t a, uint64_t b, int width) {
  return b >= (uint64_t)width ? 0 : a >> b;
}
static inline int64_t shift_right_signed(int64_t a, uint64_t b, int width) {
  return a >> (b >= (uint64_t)width ? width - 1 : (int)b);
}
static inline uint64_t high_half(uint64_t a, uint64_t b, int width) {
  return (uint64_t)((unsigned __int128)a * b >> width);
}
static inline int leading_zeros(uint64_t a, int width) {
  return a ? __builtin_clzll(a) - (64 - width) : width;
}
static inline int trailing_zeros(uint64_t a, int width) {
  return a ? __builtin_ctzll(a) : width;
}
static inline int64_t floor_mod(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

/* Towards zero; the nearest integer where it is out of range, 0 for NaN. */
static inline int64_t to_signed(double x, int width) {
  double limit = ldexp(1.0, width - 1);
  if (x != x)
    return 0;
  if (x >= limit)
    return (int64_t)(((uint64_t)1 << (width - 1)) - 1);
  return x <= -limit ? (int64_t)(~(uint64_t)0 << (width - 1)) : (int64_t)x;
}
static inline uint64_t to_unsigned(double x, int width) {
  if (!(x > 0))
    return 0;
  return x >= ldexp(1.0, width) ? ~(uint64_t)0 >> (64 - width) : (uint64_t)x;
}

/* NaN is ignored by *_number and propagated by the others; -0 < +0. */
#define EXTREMA(type, letter)                                                  \
  static inline type max_number_##letter(type a, type b) {                     \
    if (a != a || b != b)                                                      \
      return a != a ? b : a;                                                   \
    return a > b || (a == b && !signbit(a)) ? a : b;                           \
  }                                                                            \
  static inline type min_number_##letter(type a, type b) {                     \
    if (a != a || b != b)                                                      \
      return a != a ? b : a;                                                   \
    return a < b || (a == b && signbit(a)) ? a : b;                            \
  }                                                                            \
  static inline type maximum_##letter(type a, type b) {                        \
    return a != a ? a : b != b ? b : max_number_##letter(a, b);                \
  }                                                                            \
  static inline type minimum_##letter(type a, type b) {                        \
    return a != a ? a : b != b ? b : min_number_##letter(a, b);                \
  }
EXTREMA(float, f)
EXTREMA(double, d)

/*--- Scaled products --------------------------------------------------------*/

static inline float from_e2m1(uint32_t code) {
  static const float sizes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  return code & 8 ? -sizes[code & 7] : sizes[code & 7];
}
static inline float scaled_by(float x, uint8_t scale) {
  return scale == 255 ? NAN : ldexpf(x, (int)scale - 127);
}

#endif /* TILEWRIGHT_SDK_NUMBERS_H */
