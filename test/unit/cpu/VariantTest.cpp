//===- VariantTest.cpp - One answer on every generation ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, casts, reductions and products give equal bits on SSE2, AVX2 and
// AVX-512.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tilewright::cpu::test {
namespace {

/// o[i] = BODY(x[i]) over 128 elements.
std::string unary(const std::string &from, const std::string &fromName,
                  const std::string &to, const std::string &toName,
                  const std::string &body) {
  std::string text = R"(
func.func @k(
    %x: !kernel.ptr<FROM> {tw.name = "x", tw.dtype = "*FROMNAME", tw.index = 0 : i32},
    %o: !kernel.ptr<TO> {tw.name = "o", tw.dtype = "*TONAME", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 128 : i64
  %xv = kernel.view %x sizes [%size] strides [%one] : !kernel.ptr<FROM> -> !kernel.view<1, FROM>
  %ov = kernel.view %o sizes [%size] strides [%one] : !kernel.ptr<TO> -> !kernel.view<1, TO>
  %a = kernel.load %xv[%zero] lo [%zero] hi [%size] boundary [1] : !kernel.view<1, FROM> -> tensor<128xFROM>
  BODY
  kernel.store %r, %ov[%zero] lo [%zero] hi [%size] boundary [1] : tensor<128xTO>, !kernel.view<1, TO>
  return
}
)";
  text = replaceAll(text, "FROMNAME", fromName);
  text = replaceAll(text, "TONAME", toName);
  text = replaceAll(text, "FROM", from);
  text = replaceAll(text, "TO", to);
  return replaceAll(text, "BODY", body);
}

std::vector<char> runOn(const std::string &target, const std::string &kernel,
                        const void *input, size_t outputBytes) {
  Request request;
  request.bytes = toBytes(kernel);
  request.target = target;
  Compiled compiled(std::move(request));
  EXPECT_EQ(compiled.status, TW_OK) << target << " " << compiled.text();
  std::vector<char> output(outputBytes);
  if (compiled.status == TW_OK)
    run(compiled, Arguments().add(input).add(output.data()), 1);
  return output;
}

const char *const targets[] = {"cpu:x86-64", "cpu:x86-64-v2", "cpu:x86-64-v3",
                               "cpu:x86-64-v4"};

/// Runs on every generation that this machine has; all equal `expected`.
template <typename T>
void expectEverywhere(const std::string &kernel, const void *input,
                      const std::vector<T> &expected) {
  for (const char *target : targets) {
    if (!canRun(target)) {
      std::printf("skipped: this machine cannot run %s\n", target);
      continue;
    }
    std::vector<char> output =
        runOn(target, kernel, input, expected.size() * sizeof(T));
    for (size_t i = 0; i < expected.size(); ++i) {
      T value;
      std::memcpy(&value, output.data() + i * sizeof(T), sizeof(T));
      ASSERT_TRUE(std::memcmp(&value, &expected[i], sizeof(T)) == 0)
          << target << ", element " << i << ": " << double(value)
          << " instead of " << double(expected[i]);
    }
  }
}

std::vector<float> sampleFloats() {
  std::vector<float> x(128);
  for (int i = 0; i < 128; ++i)
    x[i] = std::ldexp(float(i * 977 % 4093) - 2048.5f, i % 41 - 24);
  x[0] = 0.5f, x[1] = 1.5f, x[2] = -2.5f, x[3] = -0.0f;
  return x;
}

template <typename Function> std::vector<float> mapFloats(Function function) {
  std::vector<float> y = sampleFloats();
  for (float &value : y)
    value = function(value);
  return y;
}

TEST(Variant, RoundingFunctions) {
  std::vector<float> x = sampleFloats();
  auto check = [&](const char *op, float (*function)(float)) {
    expectEverywhere(unary("f32", "fp32", "f32", "fp32",
                           std::string("%r = ") + op + " %a : tensor<128xf32>"),
                     x.data(), mapFloats(function));
  };
  check("math.floor", std::floor);
  check("math.ceil", std::ceil);
  check("math.trunc", std::trunc);
  check("math.roundeven", std::rint);
  expectEverywhere(unary("f32", "fp32", "f32", "fp32",
                         "%p = math.absf %a : tensor<128xf32>\n"
                         "%r = math.sqrt %p : tensor<128xf32>"),
                   sampleFloats().data(),
                   mapFloats([](float v) { return std::sqrt(std::fabs(v)); }));
}

TEST(Variant, FusedMultiplyAdd) {
  std::vector<float> x = sampleFloats();
  expectEverywhere(unary("f32", "fp32", "f32", "fp32",
                         "%r = math.fma %a, %a, %a : tensor<128xf32>"),
                   x.data(),
                   mapFloats([](float v) { return std::fma(v, v, v); }));
}

TEST(Variant, CastsToHalfAndBack) {
  std::vector<float> x = sampleFloats();
  expectEverywhere(
      unary("f32", "fp32", "f32", "fp32",
            "%h = arith.truncf %a : tensor<128xf32> to tensor<128xf16>\n"
            "%r = arith.extf %h : tensor<128xf16> to tensor<128xf32>"),
      x.data(), mapFloats([](float v) { return float(_Float16(v)); }));
}

TEST(Variant, HalfArithmetic) {
  std::vector<float> x = sampleFloats();
  expectEverywhere(
      unary("f32", "fp32", "f32", "fp32",
            "%h = arith.truncf %a : tensor<128xf32> to tensor<128xf16>\n"
            "%s = arith.addf %h, %h : tensor<128xf16>\n"
            "%m = arith.mulf %s, %h : tensor<128xf16>\n"
            "%r = arith.extf %m : tensor<128xf16> to tensor<128xf32>"),
      x.data(), mapFloats([](float v) {
        _Float16 h = _Float16(v);
        _Float16 s = _Float16(float(h) + float(h));
        return float(_Float16(float(s) * float(h)));
      }));
}

/// Nearest even on the upper half of the bits.
float throughBfloat(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  bits += 0x7fff + (bits >> 16 & 1);
  bits &= 0xffff0000;
  std::memcpy(&v, &bits, 4);
  return v;
}

TEST(Variant, CastsToBfloatKeepDenormals) {
  std::vector<float> x = sampleFloats();
  for (int i = 0; i < 64; ++i)
    x[i] = std::ldexp(x[i], -126);
  std::vector<float> expected = x;
  for (float &v : expected)
    v = throughBfloat(v);
  expectEverywhere(
      unary("f32", "fp32", "f32", "fp32",
            "%h = arith.truncf %a : tensor<128xf32> to tensor<128xbf16>\n"
            "%r = arith.extf %h : tensor<128xbf16> to tensor<128xf32>"),
      x.data(), expected);
}

TEST(Variant, TotalDivision) {
  std::vector<int32_t> x(128);
  std::vector<int32_t> expected(128);
  for (int i = 0; i < 128; ++i)
    x[i] = i % 5 == 0 ? INT32_MIN : (i - 64) * 1000003;
  for (int i = 0; i < 128; ++i)
    expected[i] = x[i] == INT32_MIN ? INT32_MIN : -x[i];
  expectEverywhere(unary("i32", "i32", "i32", "i32",
                         "%m = arith.constant dense<-1> : tensor<128xi32>\n"
                         "%r = arith.divsi %a, %m : tensor<128xi32>"),
                   x.data(), expected);
  std::vector<int32_t> all(128, -1);
  expectEverywhere(unary("i32", "i32", "i32", "i32",
                         "%m = arith.constant dense<0> : tensor<128xi32>\n"
                         "%r = arith.divsi %a, %m : tensor<128xi32>"),
                   x.data(), all);
}

TEST(Variant, SaturatingCasts) {
  std::vector<float> x = sampleFloats();
  x[5] = NAN, x[6] = INFINITY, x[7] = -1e30f, x[8] = 2147483648.0f;
  std::vector<int32_t> expected(128);
  for (int i = 0; i < 128; ++i)
    expected[i] = std::isnan(x[i])        ? 0
                  : x[i] >= 2147483648.0f ? INT32_MAX
                  : x[i] < -2147483648.0f ? INT32_MIN
                                          : int32_t(x[i]);
  expectEverywhere(
      unary("f32", "fp32", "i32", "i32",
            "%r = arith.fptosi %a : tensor<128xf32> to tensor<128xi32>"),
      x.data(), expected);
}

/// One 64x64x96 product, k in steps of 32; all sums are exact in f32.
const char *matmulKernel = R"(
func.func @k(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %o: !kernel.ptr<f32> {tw.name = "o", tw.dtype = "*fp32", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = arith.constant 64 : i64
  %k = arith.constant 96 : i64
  %from = arith.constant 0 : i32
  %to = arith.constant 96 : i32
  %step = arith.constant 32 : i32
  %skip = arith.constant 6144 : i64
  %y = kernel.addptr %x, %skip : !kernel.ptr<f32>, i64
  %av = kernel.view %x sizes [%m, %k] strides [%k, %one] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %bv = kernel.view %y sizes [%k, %m] strides [%m, %one] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %ov = kernel.view %o sizes [%m, %m] strides [%m, %one] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %from to %to step %step iter_args(%acc = %init) -> (tensor<64x64xf32>) : i32 {
    %i64 = arith.extsi %i : i32 to i64
    %a = kernel.load %av[%zero, %i64] lo [%zero, %zero] hi [%m, %k] boundary [0, 0] : !kernel.view<2, f32> -> tensor<64x32xf32>
    %b = kernel.load %bv[%i64, %zero] lo [%zero, %zero] hi [%k, %m] boundary [0, 0] : !kernel.view<2, f32> -> tensor<32x64xf32>
    %d = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32} ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%acc : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  kernel.store %r, %ov[%zero, %zero] lo [%zero, %zero] hi [%m, %m] boundary [0, 0] : tensor<64x64xf32>, !kernel.view<2, f32>
  return
}
)";

TEST(Variant, MatrixProduct) {
  std::vector<float> x(2 * 64 * 96), expected(64 * 64);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(int(i * 7 % 23) - 11);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j)
      for (int k = 0; k < 96; ++k)
        expected[i * 64 + j] += x[i * 96 + k] * x[6144 + k * 64 + j];
  expectEverywhere(matmulKernel, x.data(), expected);
}

TEST(Variant, DoubleFunctionsUseTheService) {
  std::vector<double> x(128), expected(128);
  for (int i = 0; i < 128; ++i)
    expected[i] = std::sin(x[i] = i * 0.25 - 7);
  expectEverywhere(
      unary("f64", "fp64", "f64", "fp64", "%r = math.sin %a : tensor<128xf64>"),
      x.data(), expected);
}

} // namespace
} // namespace tilewright::cpu::test
