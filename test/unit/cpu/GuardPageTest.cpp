//===- GuardPageTest.cpp - Masked lanes touch no memory ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays end where an unmapped page begins, for every element type and vector
// width.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::cpu::test {
namespace {

/// Memory between two pages that may not be touched.
class Guarded {
public:
  explicit Guarded(size_t pages)
      : page(size_t(sysconf(_SC_PAGESIZE))), bytes(pages * page) {
    void *memory = mmap(nullptr, bytes + 2 * page, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base = static_cast<char *>(memory) + page;
    mprotect(base, bytes, PROT_READ | PROT_WRITE);
  }
  ~Guarded() { munmap(base - page, bytes + 2 * page); }
  char *begin() { return base; }
  char *end() { return base + bytes; }

private:
  size_t page;
  size_t bytes;
  char *base;
};

struct Element {
  const char *type;
  const char *dtype;
  unsigned bytes;
};

const Element elements[] = {{"i1", "i1", 1},
                            {"i8", "i8", 1},
                            {"i16", "i16", 2},
                            {"i32", "i32", 4},
                            {"i64", "i64", 8},
                            {"f16", "fp16", 2},
                            {"bf16", "bf16", 2},
                            {"f32", "fp32", 4},
                            {"f64", "fp64", 8},
                            {"f8E4M3FN", "fp8e4nv", 1},
                            {"f8E5M2", "fp8e5", 1},
                            {"f8E4M3FNUZ", "fp8e4b8", 1},
                            {"f8E5M2FNUZ", "fp8e5b16", 1}};

/// Copies n elements whose arrays end at the guard page; all programs run, so
/// whole blocks lie beyond the end too.
void checkCopy(const Compiled &compiled, const Element &element, int n) {
  Guarded source(1), target(1);
  char *x = source.end() - size_t(n) * element.bytes;
  char *o = target.end() - size_t(n) * element.bytes;
  for (size_t i = 0; i < size_t(n) * element.bytes; ++i)
    x[i] = element.type == std::string("i1") ? char(i % 3 == 0)
                                             : char((i * 37 + 11) & 0x3f);
  run(compiled, Arguments().add(x).add(o).add(n), 4);
  EXPECT_EQ(std::memcmp(x, o, size_t(n) * element.bytes), 0)
      << element.type << ", n = " << n;
}

class GuardPage : public ::testing::TestWithParam<const char *> {};

void checkKernel(const std::string &target,
                 std::string (*kernel)(const std::string &,
                                       const std::string &)) {
  for (const Element &element : elements) {
    Request request;
    request.bytes = toBytes(kernel(element.type, element.dtype));
    request.target = target;
    Compiled compiled(std::move(request));
    ASSERT_EQ(compiled.status, TW_OK) << element.type << "\n"
                                      << compiled.text();
    for (int n : {0, 1, 2, 3, 7, 15, 17, 31, 33, 63, 64, 65, 100, 255, 256})
      checkCopy(compiled, element, n);
  }
}

TEST_P(GuardPage, ViewsStopAtTheirBounds) {
  if (!canRun(GetParam()))
    GTEST_SKIP() << "this machine cannot run " << GetParam();
  checkKernel(GetParam(), copyThroughViews);
}

TEST_P(GuardPage, GatherAndScatterObeyTheMask) {
  if (!canRun(GetParam()))
    GTEST_SKIP() << "this machine cannot run " << GetParam();
  checkKernel(GetParam(), copyThroughGather);
}

/// Rows of 5 in an array that starts and ends at guard pages: positions below
/// zero and beyond both extents are out of bounds.
const char *shiftKernel = R"(
func.func @shift(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %o: !kernel.ptr<f32> {tw.name = "o", tw.dtype = "*fp32", tw.index = 1 : i32},
    %di: i32 {tw.name = "di", tw.dtype = "i32", tw.index = 2 : i32},
    %dj: i32 {tw.name = "dj", tw.dtype = "i32", tw.index = 3 : i32})
    attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %rows = arith.constant 3 : i64
  %columns = arith.constant 5 : i64
  %eight = arith.constant 8 : i64
  %nine = arith.constant 9.0 : f32
  %i = arith.extsi %di : i32 to i64
  %j = arith.extsi %dj : i32 to i64
  %xv = kernel.view %x sizes [%rows, %columns] strides [%columns, %one] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %ov = kernel.view %o sizes [%eight, %eight] strides [%eight, %one] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %a = kernel.load %xv[%i, %j] lo [%zero, %zero] hi [%rows, %columns] boundary [0, 0] other %nine : f32 : !kernel.view<2, f32> -> tensor<8x8xf32>
  kernel.store %a, %ov[%zero, %zero] lo [%zero, %zero] hi [%eight, %eight] boundary [1, 1] : tensor<8x8xf32>, !kernel.view<2, f32>
  return
}
)";

TEST_P(GuardPage, BothEndsOfEachDimension) {
  if (!canRun(GetParam()))
    GTEST_SKIP() << "this machine cannot run " << GetParam();
  Request request;
  request.bytes = toBytes(shiftKernel);
  request.target = GetParam();
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  for (bool atEnd : {false, true})
    for (int di = -9; di <= 4; ++di)
      for (int dj = -9; dj <= 6; ++dj) {
        Guarded source(1);
        float *x = reinterpret_cast<float *>(
            atEnd ? source.end() - 15 * sizeof(float) : source.begin());
        for (int i = 0; i < 15; ++i)
          x[i] = float(i + 1);
        float o[64];
        run(compiled, Arguments().add(x).add(&o[0]).add(di).add(dj), 1);
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j) {
            int r = di + i, c = dj + j;
            bool inside = r >= 0 && r < 3 && c >= 0 && c < 5;
            ASSERT_EQ(o[i * 8 + j], inside ? float(r * 5 + c + 1) : 9.0f)
                << di << " " << dj << " " << i << " " << j;
          }
      }
}

INSTANTIATE_TEST_SUITE_P(Widths, GuardPage,
                         ::testing::Values("cpu:x86-64", "cpu:x86-64-v3",
                                           "cpu:x86-64-v4"));

} // namespace
} // namespace tilewright::cpu::test
