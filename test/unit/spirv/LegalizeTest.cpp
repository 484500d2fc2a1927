//===- LegalizeTest.cpp - What LLVM's target cannot take --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row would stop the process, make an invalid module or lose its meaning.
// A row that compiles was validated; where a device is there its values are
// compared with what the operation means.
//===----------------------------------------------------------------------===//
#include "test/unit/spirv/Harness.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tilewright::spirv::test {
namespace {

/// A kernel `void kernel(a, b, c, launch memory)`; %x and %y point to this
/// thread's elements of `type` in a and b, %z to that in c.
std::string kernelText(const std::string &type, const std::string &body,
                       const std::string &declarations = "") {
  return "declare spir_func i64 @_Z12get_local_idj(i32)\n" + declarations +
         "\ndefine spir_kernel void @kernel(ptr addrspace(1) %a, "
         "ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %memory) "
         "{\n"
         "entry:\n"
         "  %i = call spir_func i64 @_Z12get_local_idj(i32 0)\n"
         "  %x = getelementptr " +
         type + ", ptr addrspace(1) %a, i64 %i\n  %y = getelementptr " + type +
         ", ptr addrspace(1) %b, i64 %i\n  %z = getelementptr " + type +
         ", ptr addrspace(1) %c, i64 %i\n" + body + "\n  ret void\n}\n";
}

template <typename T>
std::vector<T> runOn(const std::string &ir, const std::vector<T> &a,
                     const std::vector<T> &b, const char *name) {
  Generated code = generate(ir, target(name));
  std::vector<char> x = toBytes(a), y = toBytes(b), z(x.size());
  Messages messages;
  Launch launch;
  launch.threads = unsigned(a.size());
  EXPECT_EQ(run(code, launch, {&x, &y, &z}, messages), TW_OK) << messages.text;
  return fromBytes<T>(z);
}

constexpr const char *kTarget = "spirv:opencl2.2+fp64";
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class OddVectors : public testing::TestWithParam<int> {};

TEST_P(OddVectors, BecomeScalars) {
  int lanes = GetParam();
  std::string type = "<" + std::to_string(lanes) + " x float>";
  std::string ir = kernelText(type, "  %p = load " + type +
                                        ", ptr addrspace(1) %x, align 4\n"
                                        "  %q = load " +
                                        type +
                                        ", ptr addrspace(1) %y, align 4\n"
                                        "  %r = fadd " +
                                        type + " %p, %q\n  store " + type +
                                        " %r, ptr addrspace(1) %z, align 4");
  Generated code = generate(ir, target(kTarget));
  EXPECT_EQ(code.llvmText.find(type), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(Widths, OddVectors,
                         testing::Values(1, 5, 6, 7, 12, 32, 64));

/// An address in floats that only bytes are added to: a[7 - i] is read.
TEST(Legalize, AddressesOfElementsAndBytes) {
  TW_NEED_DEVICE();
  std::string ir =
      kernelText("float", "  %m = mul i64 %i, -8\n"
                          "  %o = add i64 %m, 28\n"
                          "  %q = getelementptr i8, ptr addrspace(1) %x, "
                          "i64 %o\n"
                          "  %v = load float, ptr addrspace(1) %q, align 4\n"
                          "  store float %v, ptr addrspace(1) %z, align 4\n");
  std::vector<float> a = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(runOn<float>(ir, a, a, kTarget),
            (std::vector<float>{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(Legalize, PhisOfAggregates) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i32", R"(
  %p = load i32, ptr addrspace(1) %x
  %q = load i32, ptr addrspace(1) %y
  %is = icmp slt i32 %p, %q
  br i1 %is, label %then, label %else
then:
  %s0 = insertvalue {i32, [2 x i32]} poison, i32 %p, 0
  %s1 = insertvalue {i32, [2 x i32]} %s0, i32 %q, 1, 1
  br label %end
else:
  %t0 = insertvalue {i32, [2 x i32]} poison, i32 %q, 0
  %t1 = insertvalue {i32, [2 x i32]} %t0, i32 7, 1, 1
  br label %end
end:
  %both = phi {i32, [2 x i32]} [%s1, %then], [%t1, %else]
  %u = extractvalue {i32, [2 x i32]} %both, 0
  %v = extractvalue {i32, [2 x i32]} %both, 1, 1
  %w = mul i32 %u, %v
  store i32 %w, ptr addrspace(1) %z)");
  EXPECT_EQ(runOn<int32_t>(ir, {1, 5}, {2, 3}, kTarget),
            (std::vector<int32_t>{1 * 2, 3 * 7}));
}

TEST(Legalize, ExtremaKeepOrLoseNaN) {
  TW_NEED_DEVICE();
  std::vector<float> a = {1, kNaN, 2, kNaN, 0.0f, -0.0f};
  std::vector<float> b = {2, 1, kNaN, kNaN, -0.0f, 0.0f};
  struct Row {
    const char *name;
    std::vector<float> expected;
  } rows[] = {
      {"minimum", {1, kNaN, kNaN, kNaN, -0.0f, -0.0f}},
      {"maximum", {2, kNaN, kNaN, kNaN, 0.0f, 0.0f}},
      {"minimumnum", {1, 1, 2, kNaN, -0.0f, -0.0f}},
      {"maximumnum", {2, 1, 2, kNaN, 0.0f, 0.0f}},
  };
  for (const Row &row : rows) {
    std::string function = std::string("@llvm.") + row.name + ".f32";
    std::string ir = kernelText("float",
                                "  %p = load float, ptr addrspace(1) %x\n"
                                "  %q = load float, ptr addrspace(1) %y\n"
                                "  %r = call float " +
                                    function +
                                    "(float %p, float %q)\n"
                                    "  store float %r, ptr addrspace(1) %z",
                                "declare float " + function + "(float, float)");
    std::vector<float> got = runOn<float>(ir, a, b, kTarget);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(std::isnan(got[i]), std::isnan(row.expected[i]))
          << row.name << " " << i;
      if (!std::isnan(got[i]))
        EXPECT_EQ(std::memcmp(&got[i], &row.expected[i], 4), 0)
            << row.name << " " << i << ": " << got[i];
    }
  }
}

TEST(Legalize, FloatAtomicsAreLoops) {
  TW_NEED_DEVICE();
  // 64 threads add 1 to one cell and take the maximum in another.
  std::string ir = kernelText("float", R"(
  %u = atomicrmw fadd ptr addrspace(1) %a, float 1.0 syncscope("device") monotonic
  %j = uitofp i64 %i to float
  %v = atomicrmw fmax ptr addrspace(1) %b, float %j syncscope("device") monotonic)");
  Generated code = generate(ir, target(kTarget));
  std::vector<char> a = toBytes<float>({0}), b = toBytes<float>({0}), c(4);
  Messages messages;
  Launch launch;
  launch.threads = 64;
  launch.dims.x = 10;
  ASSERT_EQ(run(code, launch, {&a, &b, &c}, messages), TW_OK) << messages.text;
  EXPECT_EQ(fromBytes<float>(a)[0], 640);
  EXPECT_EQ(fromBytes<float>(b)[0], 63);
}

TEST(Legalize, IntegersWorkAsTheyAreWritten) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i32", R"(
  %p = load i32, ptr addrspace(1) %x
  %q = load i32, ptr addrspace(1) %y
  %k = call i32 @llvm.ctpop.i32(i32 %p)
  %l = call i32 @llvm.ctlz.i32(i32 %q, i1 false)
  %t = call i32 @llvm.cttz.i32(i32 %p, i1 false)
  %f = call i32 @llvm.fshl.i32(i32 %p, i32 %q, i32 9)
  %r = call i32 @llvm.bitreverse.i32(i32 %f)
  %s = call i32 @llvm.bswap.i32(i32 %r)
  %m = call i32 @llvm.smin.i32(i32 %p, i32 %q)
  %n = call i32 @llvm.abs.i32(i32 %m, i1 false)
  %o = call i32 @llvm.uadd.sat.i32(i32 %n, i32 -9)
  %e = add i32 %k, %l
  %g = add i32 %e, %t
  %h = xor i32 %g, %s
  %w = add i32 %h, %o
  store i32 %w, ptr addrspace(1) %z)",
                              R"(declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.uadd.sat.i32(i32, i32))");
  std::vector<uint32_t> a = {0x80000001u, 12, 0, 0xffffffffu};
  std::vector<uint32_t> b = {5, 0x00ff00ffu, 0, 3}, expected;
  for (size_t i = 0; i < a.size(); ++i) {
    uint32_t shifted = a[i] << 9 | b[i] >> 23, reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
      reversed |= (shifted >> bit & 1) << (31 - bit);
    int32_t least = std::min(int32_t(a[i]), int32_t(b[i]));
    uint32_t magnitude = least < 0 ? 0u - uint32_t(least) : uint32_t(least);
    uint32_t sum = magnitude > 8 ? 0xffffffffu : magnitude + 0xfffffff7u;
    uint32_t zeros = b[i] ? __builtin_clz(b[i]) : 32;
    uint32_t low = a[i] ? __builtin_ctz(a[i]) : 32;
    expected.push_back(((__builtin_popcount(a[i]) + zeros + low) ^
                        __builtin_bswap32(reversed)) +
                       sum);
  }
  EXPECT_EQ(runOn<uint32_t>(ir, a, b, kTarget), expected);
}

TEST(Legalize, FunnelShiftsByAnyAmount) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i32", R"(
  %p = load i32, ptr addrspace(1) %x
  %s = load i32, ptr addrspace(1) %y
  %q = xor i32 %p, 16711935
  %l = call i32 @llvm.fshl.i32(i32 %p, i32 %q, i32 %s)
  %r = call i32 @llvm.fshr.i32(i32 %p, i32 %q, i32 %s)
  %t = mul i32 %r, 3
  %w = add i32 %l, %t
  store i32 %w, ptr addrspace(1) %z)",
                              R"(declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32))");
  std::vector<uint32_t> a, b, expected;
  for (uint32_t shift : {0u, 1u, 9u, 31u, 32u, 33u, 64u, 0xffffffffu})
    for (uint32_t value : {0x80000001u, 0x12345678u, 0xffffffffu}) {
      a.push_back(value);
      b.push_back(shift);
      uint64_t both = uint64_t(value) << 32 | (value ^ 0x00ff00ffu);
      expected.push_back(uint32_t(both << shift % 32 >> 32) +
                         uint32_t(both >> shift % 32) * 3);
    }
  EXPECT_EQ(runOn<uint32_t>(ir, a, b, kTarget), expected);
}

TEST(Legalize, OddIntegersBecomeWider) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i32", R"(
  %p = load i32, ptr addrspace(1) %x
  %q = load i32, ptr addrspace(1) %y
  %a3 = trunc i32 %p to i3
  %b3 = trunc i32 %q to i3
  %r = call i3 @llvm.bitreverse.i3(i3 %a3)
  %s = add i3 %r, %b3
  %t = ashr i3 %s, 1
  %u = icmp slt i3 %t, %b3
  %v = select i1 %u, i3 %s, i3 %a3
  %w = sext i3 %v to i32
  store i32 %w, ptr addrspace(1) %z)",
                              "declare i3 @llvm.bitreverse.i3(i3)");
  std::vector<int32_t> a, b, expected;
  auto signed3 = [](int32_t value) {
    return int32_t(uint32_t(value) << 29) >> 29;
  };
  for (int32_t x = 0; x < 8; ++x)
    for (int32_t y = 0; y < 8; ++y) {
      a.push_back(x + 8 * y);
      b.push_back(y - 8 * x);
      int32_t reversed = x >> 2 | (x & 2) | (x & 1) << 2;
      int32_t sum = signed3(reversed + y);
      expected.push_back((sum >> 1) < signed3(y) ? sum : signed3(x));
    }
  EXPECT_EQ(runOn<int32_t>(ir, a, b, kTarget), expected);
}

/// i1 has no maxima; signed, true is -1.
TEST(Legalize, ExtremaOfTruthValues) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i32", R"(
  %p = load i32, ptr addrspace(1) %x
  %q = load i32, ptr addrspace(1) %y
  %a1 = icmp ne i32 %p, 0
  %b1 = icmp ne i32 %q, 0
  %umax = call i1 @llvm.umax.i1(i1 %a1, i1 %b1)
  %umin = call i1 @llvm.umin.i1(i1 %a1, i1 %b1)
  %smax = call i1 @llvm.smax.i1(i1 %a1, i1 %b1)
  %smin = call i1 @llvm.smin.i1(i1 %a1, i1 %b1)
  %r0 = select i1 %umax, i32 1, i32 0
  %r1 = select i1 %umin, i32 2, i32 0
  %r2 = select i1 %smax, i32 4, i32 0
  %r3 = select i1 %smin, i32 8, i32 0
  %s0 = add i32 %r0, %r1
  %s1 = add i32 %r2, %r3
  %s = add i32 %s0, %s1
  store i32 %s, ptr addrspace(1) %z)",
                              "declare i1 @llvm.umax.i1(i1, i1)\n"
                              "declare i1 @llvm.umin.i1(i1, i1)\n"
                              "declare i1 @llvm.smax.i1(i1, i1)\n"
                              "declare i1 @llvm.smin.i1(i1, i1)");
  std::vector<int32_t> expected = {0, 1 + 8, 1 + 8, 1 + 2 + 4 + 8};
  EXPECT_EQ(runOn<int32_t>(ir, {0, 0, 1, 1}, {0, 1, 0, 1}, kTarget), expected);
}

/// A driver takes the negation for uniform: all get that of the last one.
TEST(Legalize, NegationsAreReadBehindBarriers) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("float", R"(
  %isLow = icmp ult i64 %i, 20
  br i1 %isLow, label %then, label %end
then:
  %p = load float, ptr addrspace(1) %x
  br label %end
end:
  %q = phi float [ %p, %then ], [ 0.0, %entry ]
  %n = fneg float %q
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 776)
  store float %n, ptr addrspace(1) %z)",
                              "declare spir_func void "
                              "@_Z22__spirv_ControlBarrierjjj(i32, i32, i32) "
                              "convergent");
  std::vector<float> a, expected;
  for (int i = 0; i < 32; ++i) {
    a.push_back(float(i + 1));
    expected.push_back(i < 20 ? -float(i + 1) : -0.0f);
  }
  EXPECT_EQ(runOn<float>(ir, a, a, kTarget), expected);
}

/// A driver knows shifts that reverse two bits, and then reads what one
/// work-item asked for in all of them.
TEST(Legalize, ReversedNumbersAreIndicesBehindBarriers) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i8", R"(
  %t = trunc i64 %i to i32
  %low = and i32 %t, 1
  %up = shl i32 %low, 1
  %high = and i32 %t, 2
  %down = lshr i32 %high, 1
  %swapped = xor i32 %up, %down
  %others = and i32 %t, 124
  %isFirst = icmp eq i32 %others, 0
  br i1 %isFirst, label %then, label %end
then:
  %p = load i8, ptr addrspace(1) %x
  %to = getelementptr inbounds i8, ptr addrspace(3) @buffer, i32 %t
  store i8 %p, ptr addrspace(3) %to
  br label %end
end:
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 264)
  %from = getelementptr inbounds i8, ptr addrspace(3) @buffer, i32 %swapped
  %q = load i8, ptr addrspace(3) %from
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 776)
  store i8 %q, ptr addrspace(1) %z)",
                              "@buffer = internal addrspace(3) global "
                              "[16 x i8] undef, align 16\n"
                              "declare spir_func void "
                              "@_Z22__spirv_ControlBarrierjjj(i32, i32, i32) "
                              "convergent");
  std::vector<uint8_t> a(128), expected;
  for (int i = 0; i < 128; ++i)
    a[i] = 3 * i + 7;
  for (int i = 0; i < 128; ++i)
    expected.push_back(a[(i & 1) << 1 | (i >> 1 & 1)]);
  EXPECT_EQ(runOn<uint8_t>(ir, a, a, kTarget), expected);
}

TEST(Legalize, RefusesWhatHasNoForm) {
  EXPECT_NE(refusal(kernelText("i64", "  %p = load i64, ptr addrspace(1) %x\n"
                                      "  %w = zext i64 %p to i128\n"
                                      "  %s = mul i128 %w, %w\n"
                                      "  %h = lshr i128 %s, 64\n"
                                      "  %t = trunc i128 %h to i64\n"
                                      "  store i64 %t, ptr addrspace(1) %z"),
                    target(kTarget))
                .find("TW4160"),
            std::string::npos);
  std::string doubles =
      kernelText("double", "  %p = load double, ptr addrspace(1) %x\n"
                           "  %r = fadd double %p, %p\n"
                           "  store double %r, ptr addrspace(1) %z");
  EXPECT_NE(refusal(doubles, target("spirv:opencl2.0")).find("fp64"),
            std::string::npos);
  std::string atomics = kernelText(
      "i64", "  %u = atomicrmw add ptr addrspace(1) %a, i64 1 monotonic");
  EXPECT_NE(refusal(atomics, target("spirv:opencl2.0")).find("int64_atomics"),
            std::string::npos);
  EXPECT_TRUE(generate(atomics, target("spirv:opencl2.0+int64_atomics"))
                  .needs.hasLongAtomics);
}

/// Loop reduction writes `x & 7` as a cast through i3.
TEST(Legalize, MasksOfIndicesInLoops) {
  TW_NEED_DEVICE();
  std::string ir = kernelText("i32", R"(
  %t = trunc i64 %i to i32
  %mask = and i32 %t, 7
  %twice = shl nuw nsw i32 %mask, 1
  %column = zext i32 %twice to i64
  br label %loop
loop:
  %k = phi i64 [0, %entry], [%next, %loop]
  %sum = phi i32 [0, %entry], [%more, %loop]
  %row = shl i64 %k, 4
  %at = or i64 %row, %column
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %value = load i32, ptr addrspace(1) %from
  %more = add i32 %sum, %value
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %loop
end:
  store i32 %more, ptr addrspace(1) %z)");
  std::vector<int32_t> a(256), got = {};
  for (int i = 0; i < 256; ++i)
    a[i] = i * i;
  got = runOn<int32_t>(ir, a, a, kTarget);
  for (int i = 0; i < 256; ++i) {
    int32_t expected = 0;
    for (int row = 0; row < 16; ++row)
      expected += a[16 * row + 2 * (i % 8)];
    ASSERT_EQ(got[i], expected) << i;
  }
}

/// Contraction, denormals and division are those of IEEE 754.
TEST(Legalize, FloatsAreNotContractedOrFlushed) {
  TW_NEED_DEVICE();
  std::string ir =
      kernelText("float", "  %p = load float, ptr addrspace(1) %x\n"
                          "  %q = load float, ptr addrspace(1) %y\n"
                          "  %m = fmul float %p, %q\n"
                          "  %r = fsub float %m, 1.0\n"
                          "  store float %r, ptr addrspace(1) %z");
  float odd = 1 + 0x1p-12f; // its square, 1 + 2^-11 + 2^-24, is rounded
  float tiny = 0x1p-140f;
  std::vector<float> got =
      runOn<float>(ir, {odd, tiny}, {odd, 0x1p120f}, kTarget);
  EXPECT_EQ(got[0], 0x1p-11f) << "the product was not rounded";
  EXPECT_EQ(got[1], 0x1p-20f - 1.0f) << "the operand was flushed to zero";
}

} // namespace
} // namespace tilewright::spirv::test
