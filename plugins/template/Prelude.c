/*===- Prelude.c - What generated code calls ----------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The text before the kernels of every payload, behind KernelABI.h and       */
/* tilewright/sdk/numbers.h: printing, and functions of whole tiles.          */
/*===----------------------------------------------------------------------===*/
#include <stdio.h>
#include <time.h>

/*--- Services ---------------------------------------------------------------*/

static inline int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* One line of a print; `place` holds the position in the tile. */
static void print_text(const template_launch *launch, const char *place,
                       const char *prefix, const char *value) {
  char line[1024];
  const int32_t *at = launch->program;
  int size = snprintf(line, sizeof line, "pid (%d, %d, %d) %s%s%s\n", at[0],
                      at[1], at[2], place, prefix, value);
  if (size >= (int)sizeof line)
    size = (int)sizeof line - 1;
  if (launch->print)
    launch->print(launch->print_ctx, line, (uint64_t)size);
}
static inline void print_number(char *text, size_t size, double x) {
  snprintf(text, size, fabs(x) < 1e15 || isnan(x) || isinf(x) ? "%f" : "%e", x);
}

/*--- High-level ops: the functions behind this plugin's claims --------------*/

/* exp in float, within 2 ulp, in a form that compilers turn into vectors:
   2^n * 2^f with f in [-1/2, 1/2] by a polynomial in r = f * ln 2. */
static inline float fast_exp(float x) {
  const float limited = x < -104.0f ? -104.0f : x > 89.0f ? 89.0f : x;
  const float n = rintf(limited * 1.44269504f);
  const float r = (limited - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9841270e-4f;
  int32_t half, rest;
  p = p * r + 1.3888889e-3f;
  p = p * r + 8.3333333e-3f;
  p = p * r + 4.1666667e-2f;
  p = p * r + 1.6666667e-1f;
  p = p * r + 0.5f;
  p = p * r * r + r + 1.0f;
  /* 2^n in two factors, each a normal number */
  half = (int32_t)n >> 1;
  rest = (int32_t)n - half;
  p = p * f32_of((uint32_t)(half + 127) << 23) *
      f32_of((uint32_t)(rest + 127) << 23);
  return x != x ? x : p;
}

static void fast_sigmoid(float *out, const float *x, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = 1.0f / (1.0f + fast_exp(-x[i]));
}

/* Along the middle dimension of outer x extent x inner. */
static void fast_softmax(float *out, const float *x, int64_t outer,
                         int64_t extent, int64_t inner) {
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t n = 0; n < inner; ++n) {
      const float *from = x + o * extent * inner + n;
      float *to = out + o * extent * inner + n;
      float most = from[0], sum = 0.0f;
      for (int64_t k = 1; k < extent; ++k)
        most = max_number_f(most, from[k * inner]);
      for (int64_t k = 0; k < extent; ++k)
        to[k * inner] = fast_exp(from[k * inner] - most);
      for (int64_t k = 0; k < extent; ++k)
        sum += to[k * inner];
      for (int64_t k = 0; k < extent; ++k)
        to[k * inner] /= sum;
    }
}
