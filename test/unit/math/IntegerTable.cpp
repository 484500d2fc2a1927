//===- IntegerTable.cpp - Total integers, casts, min and max ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of expected values written by hand from the language's rules, then
// random operands against plain C++ where C++ defines the result.
//
//===----------------------------------------------------------------------===//

#include "test/unit/math/Jit.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace tilewright::math::test {

namespace {
struct Row {
  const char *op;
  unsigned width;
  int64_t x, y, expected; // low `width` bits count
};
} // namespace

static constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();

// clang-format off
static const Row kTable[] = {
    // Division by zero: all ones; the remainder is the dividend.
    {"divsi", 8, 5, 0, -1},         {"divsi", 8, -128, 0, -1},
    {"divsi", 16, 0, 0, -1},        {"divsi", 32, 7, 0, -1},
    {"divsi", 64, kMin64, 0, -1},   {"divui", 8, 200, 0, 255},
    {"divui", 16, 1, 0, 65535},     {"divui", 32, 9, 0, 0xffffffff},
    {"divui", 64, 9, 0, -1},        {"remsi", 8, -5, 0, -5},
    {"remsi", 16, -32768, 0, -32768}, {"remsi", 32, 7, 0, 7},
    {"remsi", 64, kMin64, 0, kMin64}, {"remui", 8, 200, 0, 200},
    {"remui", 16, 65535, 0, 65535}, {"remui", 32, 0xffffffff, 0, 0xffffffff},
    {"remui", 64, -1, 0, -1},
    // The overflowing division wraps.
    {"divsi", 8, -128, -1, -128},   {"divsi", 16, -32768, -1, -32768},
    {"divsi", 32, -2147483648LL, -1, -2147483648LL},
    {"divsi", 64, kMin64, -1, kMin64},
    {"remsi", 8, -128, -1, 0},      {"remsi", 16, -32768, -1, 0},
    {"remsi", 32, -2147483648LL, -1, 0}, {"remsi", 64, kMin64, -1, 0},
    {"divui", 8, 128, 255, 0},      {"divui", 32, 0x80000000, 0xffffffff, 0},
    {"remui", 8, 128, 255, 128},    {"divsi", 32, 5, -1, -5},
    // Truncation towards zero; the remainder has the dividend's sign.
    {"divsi", 8, -7, 2, -3},        {"divsi", 8, 7, -2, -3},
    {"remsi", 8, -7, 2, -1},        {"remsi", 8, 7, -2, 1},
    {"divsi", 32, -2147483648LL, 2147483647, -1},
    {"divsi", 32, 2147483647, 2147483646, 1},
    {"divsi", 32, 2147483646, 2147483647, 0},
    {"divui", 32, 0xffffffff, 0xfffffffe, 1},
    {"divui", 32, 0xfffffffe, 0xffffffff, 0},
    {"remui", 32, 0xffffffff, 0xfffffffe, 1},
    {"remsi", 64, kMin64, 10, -8},  {"divui", 64, -1, 10, 1844674407370955161LL},
    // One bit: -1 and 0, or 1 and 0.
    {"divsi", 1, 1, 1, 1},          {"divsi", 1, 0, 1, 0},
    {"divsi", 1, 0, 0, 1},          {"divsi", 1, 1, 0, 1},
    {"divui", 1, 1, 1, 1},          {"divui", 1, 0, 0, 1},
    {"remsi", 1, 1, 1, 0},          {"remsi", 1, 1, 0, 1},
    {"remui", 1, 1, 0, 1},          {"remui", 1, 1, 1, 0},
    {"remui", 1, 0, 0, 0},
    // Floor and ceiling.
    {"floordivsi", 32, -7, 2, -4},  {"floordivsi", 32, 7, -2, -4},
    {"floordivsi", 32, 7, 2, 3},    {"floordivsi", 32, -7, -2, 3},
    {"floordivsi", 32, -8, 2, -4},  {"floordivsi", 32, 3, 0, -1},
    {"floordivsi", 64, kMin64, -1, kMin64},
    {"ceildivsi", 32, 7, 2, 4},     {"ceildivsi", 32, -7, 2, -3},
    {"ceildivsi", 32, 7, -2, -3},   {"ceildivsi", 32, -7, -2, 4},
    {"ceildivsi", 32, 8, 2, 4},     {"ceildivsi", 32, 3, 0, -1},
    {"ceildivsi", 32, -3, 0, -1},
    {"ceildivui", 32, 7, 2, 4},     {"ceildivui", 32, 0xffffffff, 2, 0x80000000},
    {"ceildivui", 32, 6, 2, 3},     {"ceildivui", 32, 6, 0, 0xffffffff},
    {"ceildivui", 32, 0, 5, 0},
    // Shifts.
    {"shli", 8, 1, 7, 128},         {"shli", 8, 1, 8, 0},
    {"shli", 8, 255, 255, 0},       {"shli", 32, 1, 31, 0x80000000},
    {"shli", 32, 1, 32, 0},         {"shli", 32, 1, -1, 0},
    {"shli", 64, 1, 63, kMin64},    {"shli", 64, 1, 64, 0},
    {"shli", 16, 3, 16, 0},         {"shli", 1, 1, 0, 1}, {"shli", 1, 1, 1, 0},
    {"shrui", 8, 128, 7, 1},        {"shrui", 8, 128, 8, 0},
    {"shrui", 16, 0x8000, 15, 1},   {"shrui", 16, 0x8000, 16, 0},
    {"shrui", 32, 0x80000000, 31, 1}, {"shrui", 32, -1, 32, 0},
    {"shrui", 64, -1, 63, 1},       {"shrui", 64, -1, 64, 0},
    {"shrui", 1, 1, 1, 0},          {"shrui", 1, 1, 0, 1},
    {"shrsi", 8, -128, 7, -1},      {"shrsi", 8, -128, 8, -1},
    {"shrsi", 8, 127, 200, 0},      {"shrsi", 16, -2, 100, -1},
    {"shrsi", 32, -2147483648LL, 31, -1}, {"shrsi", 32, -5, 32, -1},
    {"shrsi", 32, 5, 1000, 0},      {"shrsi", 64, kMin64, 64, -1},
    {"shrsi", 64, kMax64, -1, 0},   {"shrsi", 1, 1, 1, 1},
    {"shrsi", 1, 0, 1, 0},
};

namespace {
struct CastRow {
  const char *op;
  const char *from;
  unsigned width;
  double x;
  int64_t expected;
};
} // namespace

static const double kInfinity = std::numeric_limits<double>::infinity();
static const double kNaN = std::numeric_limits<double>::quiet_NaN();

static const CastRow kCasts[] = {
    {"fptosi", "f32", 8, 127.9, 127},   {"fptosi", "f32", 8, 128, 127},
    {"fptosi", "f32", 8, -128.9, -128}, {"fptosi", "f32", 8, -1000, -128},
    {"fptosi", "f32", 8, 1e30, 127},    {"fptosi", "f32", 8, kNaN, 0},
    {"fptosi", "f32", 8, -0.9, 0},      {"fptosi", "f32", 8, -3.7, -3},
    {"fptosi", "f32", 16, 32768, 32767}, {"fptosi", "f32", 16, -kInfinity, -32768},
    {"fptosi", "f32", 32, 2147483520.0, 2147483520},
    {"fptosi", "f32", 32, 2147483648.0, 2147483647},
    {"fptosi", "f32", 32, -2147483648.0, -2147483648LL},
    {"fptosi", "f32", 32, -2147483904.0, -2147483648LL},
    {"fptosi", "f32", 32, kInfinity, 2147483647}, {"fptosi", "f32", 32, kNaN, 0},
    {"fptosi", "f32", 64, 0x1.fffffep62, 0x7fffff8000000000},
    {"fptosi", "f32", 64, 0x1p63, kMax64}, {"fptosi", "f32", 64, -0x1p63, kMin64},
    {"fptosi", "f32", 64, -0x1p80, kMin64}, {"fptosi", "f32", 64, kNaN, 0},
    {"fptosi", "f64", 32, 2147483647.9, 2147483647},
    {"fptosi", "f64", 32, 2147483648.0, 2147483647},
    {"fptosi", "f64", 32, -2147483648.9, -2147483648LL},
    {"fptosi", "f64", 64, 0x1.fffffffffffffp62, 0x7ffffffffffffc00},
    {"fptosi", "f64", 64, 1e300, kMax64}, {"fptosi", "f64", 8, -129, -128},
    {"fptosi", "f64", 16, 1e10, 32767},
    {"fptosi", "f32", 1, 0.5, 0},       {"fptosi", "f32", 1, -1, 1},
    {"fptosi", "f32", 1, 3, 0},         {"fptosi", "f32", 1, -9, 1},
    {"fptosi", "f32", 1, kNaN, 0},
    {"fptoui", "f32", 8, 255.9, 255},   {"fptoui", "f32", 8, 256, 255},
    {"fptoui", "f32", 8, -5, 0},        {"fptoui", "f32", 8, kNaN, 0},
    {"fptoui", "f32", 8, -0.5, 0},      {"fptoui", "f32", 8, 200.5, 200},
    {"fptoui", "f32", 16, 65536, 65535}, {"fptoui", "f32", 16, 65535, 65535},
    {"fptoui", "f32", 32, 4294967040.0, 4294967040},
    {"fptoui", "f32", 32, 4294967296.0, 0xffffffff},
    {"fptoui", "f32", 32, 3e9, 3000000000}, {"fptoui", "f32", 32, -kInfinity, 0},
    {"fptoui", "f32", 64, 0x1.fffffep63, -0x10000000000},
    {"fptoui", "f32", 64, 0x1p64, -1},  {"fptoui", "f32", 64, 0x1p63, kMin64},
    {"fptoui", "f64", 32, 4294967295.9, 0xffffffff},
    {"fptoui", "f64", 64, kInfinity, -1}, {"fptoui", "f64", 64, kNaN, 0},
    {"fptoui", "f32", 1, 1.5, 1},       {"fptoui", "f32", 1, 7, 1},
    {"fptoui", "f32", 1, 0.5, 0},       {"fptoui", "f32", 1, -3, 0},
};
// clang-format on

static const char *const kOps[] = {
    "divsi",     "divui",     "remsi", "remui", "floordivsi",
    "ceildivsi", "ceildivui", "shli",  "shrui", "shrsi"};

/// One bit travels in bytes: memory holds i8, the operation sees i1.
static Loop binaryLoop(const std::string &op, unsigned width, unsigned lanes) {
  Loop loop;
  loop.name = op + "_" + std::to_string(width);
  loop.inputType = loop.outputType = "i" + std::to_string(std::max(width, 8u));
  loop.lanes = lanes;
  loop.isBinary = true;
  if (width > 1) {
    loop.body = "%r = arith." + op + " %a, %b : $I";
    return loop;
  }
  std::string bit = lanes ? "vector<" + std::to_string(lanes) + "xi1>" : "i1";
  loop.body = "%x = arith.trunci %a : $I to " + bit +
              "\n%y = arith.trunci %b : $I to " + bit + "\n%z = arith." + op +
              " %x, %y : " + bit + "\n%r = arith.extui %z : " + bit + " to $I";
  return loop;
}

static std::vector<Loop> binaryLoops(unsigned lanes) {
  std::vector<Loop> loops;
  for (const char *op : kOps)
    for (unsigned width : {1, 8, 16, 32, 64})
      loops.push_back(binaryLoop(op, width, lanes));
  return loops;
}

static uint64_t lowBits(uint64_t value, unsigned width) {
  return width == 64 ? value : value & ((uint64_t(1) << width) - 1);
}

namespace {
/// Operands of one loop call, stored with the loop's element size.
struct Buffers {
  explicit Buffers(unsigned width)
      : size(std::max(width, 8u) / 8), a(kChunk * size), b(kChunk * size),
        out(kChunk * size) {}
  void set(unsigned index, int64_t x, int64_t y) {
    std::memcpy(&a[index * size], &x, size);
    std::memcpy(&b[index * size], &y, size);
  }
  uint64_t result(unsigned index) const {
    uint64_t value = 0;
    std::memcpy(&value, &out[index * size], size);
    return value;
  }
  void run(LoopFunction loop) { loop(a.data(), b.data(), out.data()); }

  unsigned size;
  std::vector<uint8_t> a, b, out;
};
} // namespace

static void checkRow(Jit &jit, const Row &row) {
  LoopFunction run =
      jit.lookup(std::string(row.op) + "_" + std::to_string(row.width));
  if (!run)
    return;
  Buffers buffers(row.width);
  buffers.set(3, row.x, row.y);
  buffers.run(run);
  uint64_t actual = lowBits(buffers.result(3), row.width);
  if (actual == lowBits(uint64_t(row.expected), row.width))
    return;
  char text[160];
  std::snprintf(text, sizeof text, "%s i%u (%lld, %lld) = %lld, expected %lld",
                row.op, row.width, (long long)row.x, (long long)row.y,
                (long long)actual, (long long)row.expected);
  reportFailure(text);
}

/// Random operands for which C++ and the language agree.
template <typename Signed> static void checkRandom(Jit &jit) {
  using Unsigned = std::make_unsigned_t<Signed>;
  unsigned width = sizeof(Signed) * 8;
  std::string suffix = "_" + std::to_string(width);
  std::mt19937_64 random(11);
  Buffers buffers(width);
  std::vector<Signed> x(kChunk), y(kChunk);
  for (int round = 0; round < 8; ++round) {
    for (unsigned i = 0; i < kChunk; ++i) {
      x[i] = Signed(random() >> (random() % 64));
      y[i] = Signed(random() >> (random() % 64));
      if (random() % 4 == 0) // near a multiple of the divisor
        x[i] = Signed(Unsigned(y[i]) * Unsigned(random() % 1000) +
                      Unsigned(random() % 3) - 1);
      if (y[i] == 0 || y[i] == -1)
        y[i] = 1;
      buffers.set(i, x[i], y[i]);
    }
    for (const char *op : {"divsi", "remsi", "divui", "remui"}) {
      buffers.run(jit.lookup(op + suffix));
      std::string name = op;
      for (unsigned i = 0; i < kChunk; ++i) {
        Unsigned a = Unsigned(x[i]), b = Unsigned(y[i]);
        Unsigned expected = name == "divsi"   ? Unsigned(x[i] / y[i])
                            : name == "remsi" ? Unsigned(x[i] % y[i])
                            : name == "divui" ? Unsigned(a / b)
                                              : Unsigned(a % b);
        if (Unsigned(buffers.result(i)) != expected)
          return reportFailure(name + suffix + " of random operands " +
                               std::to_string(x[i]) + ", " +
                               std::to_string(y[i]));
      }
    }
  }
}

static void checkCasts(unsigned lanes, const std::string &processor) {
  std::vector<Loop> loops;
  for (std::string op : {"fptosi", "fptoui"})
    for (std::string from : {"f32", "f64"})
      for (unsigned width : {1, 8, 16, 32, 64}) {
        Loop loop;
        loop.name = op + "_" + from + "_" + std::to_string(width);
        loop.inputType = from;
        loop.outputType = "i" + std::to_string(std::max(width, 8u));
        loop.lanes = lanes;
        std::string bit =
            lanes ? "vector<" + std::to_string(lanes) + "xi1>" : "i1";
        loop.body = width > 1 ? "%r = arith." + op + " %a : $I to $O"
                              : "%z = arith." + op + " %a : $I to " + bit +
                                    "\n%r = arith.extui %z : " + bit + " to $O";
        loops.push_back(loop);
      }
  Jit jit(loops, "math-expand-integers", processor);
  if (!jit.isValid())
    return reportFailure("cannot compile the casts");
  for (const CastRow &row : kCasts) {
    LoopFunction run = jit.lookup(std::string(row.op) + "_" + row.from + "_" +
                                  std::to_string(row.width));
    if (!run)
      continue;
    std::vector<double> in(kChunk);
    Buffers out(row.width);
    float single = float(row.x);
    if (std::string(row.from) == "f32")
      std::memcpy(reinterpret_cast<char *>(in.data()) + 3 * 4, &single, 4);
    else
      in[3] = row.x;
    run(in.data(), in.data(), out.out.data());
    if (lowBits(out.result(3), row.width) !=
        lowBits(uint64_t(row.expected), row.width))
      reportFailure(std::string(row.op) + " " + row.from + " to i" +
                    std::to_string(row.width) + " of " + std::to_string(row.x));
  }
}

void checkIntegers() {
  struct {
    unsigned lanes;
    const char *passes;
    const char *processor;
  } const configurations[] = {
      {16, "math-expand-integers", ""},
      {16, "math-expand-integers{divide-vectors-through-float=false}", ""},
#if defined(__x86_64__)
      {4, "math-expand-integers", "x86-64"},
#endif
      {0, "math-expand-integers", ""}};
  for (const auto &configuration : configurations) {
    Jit jit(binaryLoops(configuration.lanes), configuration.passes,
            configuration.processor);
    if (!jit.isValid())
      return reportFailure("cannot compile the integer operations");
    for (const Row &row : kTable)
      checkRow(jit, row);
    checkRandom<int8_t>(jit);
    checkRandom<int16_t>(jit);
    checkRandom<int32_t>(jit);
    checkRandom<int64_t>(jit);
    checkCasts(configuration.lanes, configuration.processor);
  }
  std::printf("integers checked\n");
}

void measureIntegers() {
  std::vector<int64_t> values(kChunk, 0x0123456707654321);
  for (const char *passes :
       {"math-expand-integers",
        "math-expand-integers{divide-vectors-through-float=false}"}) {
    std::printf("%s\n", passes);
    measureLoops(binaryLoops(16), passes, values.data(), values.data());
  }
}

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

static double expectedMinMax(const std::string &op, double a, double b) {
  bool isMaximum = op == "maximumf" || op == "maxnumf";
  bool ignoresNaN = op == "maxnumf" || op == "minnumf";
  if (std::isnan(a) || std::isnan(b)) {
    if (!ignoresNaN)
      return kNaN;
    return std::isnan(a) ? b : a;
  }
  if (a == b) // zeros of both signs
    return std::signbit(a) == isMaximum ? b : a;
  return (a < b) == isMaximum ? b : a;
}

template <typename T>
static void checkMinMaxOf(Jit &jit, const std::string &suffix) {
  const double values[] = {0.0,  -0.0, 1.0,       -1.0,       2.5,
                           -2.5, kNaN, kInfinity, -kInfinity, 0x1p-126};
  for (std::string op : {"maximumf", "minimumf", "maxnumf", "minnumf"}) {
    std::vector<T> a(kChunk), b(kChunk), out(kChunk);
    unsigned count = 0;
    for (double x : values)
      for (double y : values) {
        a[count] = T(x);
        b[count++] = T(y);
      }
    LoopFunction run = jit.lookup(op + suffix);
    if (!run)
      return;
    run(a.data(), b.data(), out.data());
    for (unsigned i = 0; i < count; ++i) {
      double expected = expectedMinMax(op, a[i], b[i]);
      bool isRight = std::isnan(expected)
                         ? std::isnan(out[i])
                         : out[i] == expected &&
                               std::signbit(out[i]) == std::signbit(expected);
      if (!isRight)
        reportFailure(op + suffix + " of " + std::to_string(a[i]) + ", " +
                      std::to_string(b[i]));
    }
  }
}

static std::vector<Loop> minMaxLoops(unsigned lanes) {
  std::vector<Loop> loops;
  for (std::string op : {"maximumf", "minimumf", "maxnumf", "minnumf"})
    for (std::string type : {"f32", "f64"})
      loops.push_back({op + "_" + type, type, type,
                       "%r = arith." + op + " %a, %b : $I", lanes, true});
  return loops;
}

void measureMinMax() {
  std::vector<double> values(kChunk, 1.0);
  for (const char *passes : {"math-expand-min-max", "canonicalize"}) {
    std::printf("%s\n", passes);
    measureLoops(minMaxLoops(16), passes, values.data(), values.data());
  }
}

void checkMinMax() {
  Jit jit(minMaxLoops(8), "math-expand-min-max");
  if (!jit.isValid())
    return reportFailure("cannot compile min and max");
  checkMinMaxOf<float>(jit, "_f32");
  checkMinMaxOf<double>(jit, "_f64");
  std::printf("min and max checked\n");
}

} // namespace tilewright::math::test
