//===- OpSweepTest.cpp - Every elementwise op on every generation *- C++ --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel an element type holds all ops that Kernel IR allows for it. It has
// to compile for every processor without calling anything, and in portable mode
// all processors have to agree bit by bit.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace tilewright::cpu::test {
namespace {

constexpr int kLanes = 64;
constexpr int kSlotBytes = kLanes * 8;

struct Element {
  const char *type;
  const char *dtype;
  unsigned bytes;
  bool isFloat;
};

const Element elements[] = {
    {"i1", "i1", 1, false},
    {"i8", "i8", 1, false},
    {"i16", "i16", 2, false},
    {"i32", "i32", 4, false},
    {"i64", "i64", 8, false},
    {"f16", "fp16", 2, true},
    {"bf16", "bf16", 2, true},
    {"f32", "fp32", 4, true},
    {"f64", "fp64", 8, true},
    {"f8E4M3FN", "fp8e4nv", 1, true},
    {"f8E5M2", "fp8e5", 1, true},
    {"f8E4M3FNUZ", "fp8e4b8", 1, true},
    {"f8E5M2FNUZ", "fp8e5b16", 1, true},
};

bool isFloat8(const Element &element) {
  return element.isFloat && element.bytes == 1;
}

unsigned bits(const Element &element) {
  return element.type == std::string("i1") ? 1 : element.bytes * 8;
}

/// Writes one kernel: an op a line, each result to its own slot.
class Writer {
public:
  explicit Writer(const Element &element) : element(element) {}

  void op(const std::string &text, const char *result) {
    std::string n = std::to_string(names.size());
    std::string at = std::to_string(names.size() * kSlotBytes);
    names.push_back(text);
    results.push_back(result);
    body += replaceAll(replaceAll(replaceAll("  %rN = " + text + R"(
  %offsetN = arith.constant AT : i64
  %slotN = kernel.addptr %o, %offsetN : !kernel.ptr<i8>, i64
  %pointerN = kernel.ptr_cast %slotN : !kernel.ptr<i8> -> !kernel.ptr<RESULT>
  %viewN = kernel.view %pointerN sizes [%size] strides [%one] : !kernel.ptr<RESULT> -> !kernel.view<1, RESULT>
  kernel.store %rN, %viewN[%zero] lo [%zero] hi [%size] boundary [1] : tensor<64xRESULT>, !kernel.view<1, RESULT>
)",
                                             "RESULT", result),
                                  "AT", at),
                       "N ", n + " ");
    body = replaceAll(body, "%rN,", "%r" + n + ",");
    body = replaceAll(body, "%offsetN :", "%offset" + n + " :");
    body = replaceAll(body, "%viewN[", "%view" + n + "[");
  }
  void unary(const char *name) {
    op(std::string(name) + " %a : tensor<64xE>", element.type);
  }
  void binary(const char *name) {
    op(std::string(name) + " %a, %b : tensor<64xE>", element.type);
  }
  void cast(const char *name, const char *to) {
    op(std::string(name) + " %a : tensor<64xE> to tensor<64x" + to + ">", to);
  }

  std::string finish() const {
    std::string text = R"(
func.func @k(
    %x: !kernel.ptr<E> {tw.name = "x", tw.dtype = "*DTYPE", tw.index = 0 : i32},
    %o: !kernel.ptr<i8> {tw.name = "o", tw.dtype = "*i8", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 64 : i64
  %twice = arith.constant 128 : i64
  %xv = kernel.view %x sizes [%size] strides [%one] : !kernel.ptr<E> -> !kernel.view<1, E>
  %a = kernel.load %xv[%zero] lo [%zero] hi [%size] boundary [1] : !kernel.view<1, E> -> tensor<64xE>
  %b = kernel.load %xv[%size] lo [%zero] hi [%size] boundary [1] : !kernel.view<1, E> -> tensor<64xE>
  %c = kernel.load %xv[%twice] lo [%zero] hi [%size] boundary [1] : !kernel.view<1, E> -> tensor<64xE>
BODY  return
}
)";
    text = replaceAll(text, "BODY", body);
    text = replaceAll(text, "DTYPE", element.dtype);
    text = replaceAll(text, "xE>", std::string("x") + element.type + ">");
    text = replaceAll(text, "<E>", std::string("<") + element.type + ">");
    return replaceAll(text, ", E>", std::string(", ") + element.type + ">");
  }

  const Element &element;
  std::vector<std::string> names;
  std::vector<std::string> results; ///< element types

private:
  std::string body;
};

void addFloatOps(Writer &writer) {
  for (const char *name :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf",
        "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"})
    writer.binary(name);
  writer.unary("arith.negf");
  writer.unary("math.absf");
  for (const char *predicate : {"olt", "oeq", "une", "uge", "ord", "uno"})
    writer.op(std::string("arith.cmpf ") + predicate +
                  ", %a, %b : tensor<64xE>",
              "i1");
  for (const Element &to : elements) {
    if (!to.isFloat) {
      writer.cast("arith.fptosi", to.type);
      writer.cast("arith.fptoui", to.type);
    } else if (bits(to) < bits(writer.element)) {
      writer.cast("arith.truncf", to.type);
    } else if (bits(to) > bits(writer.element)) {
      writer.cast("arith.extf", to.type);
    }
  }
  if (isFloat8(writer.element))
    return;
  for (const char *name :
       {"math.acos",  "math.acosh",     "math.asin",  "math.asinh",
        "math.atan",  "math.atanh",     "math.cbrt",  "math.ceil",
        "math.cos",   "math.cosh",      "math.erf",   "math.erfc",
        "math.exp",   "math.exp2",      "math.expm1", "math.floor",
        "math.log",   "math.log10",     "math.log1p", "math.log2",
        "math.round", "math.roundeven", "math.rsqrt", "math.sin",
        "math.sinh",  "math.sqrt",      "math.tan",   "math.tanh",
        "math.trunc"})
    writer.unary(name);
  for (const char *name : {"math.atan2", "math.powf", "math.copysign"})
    writer.binary(name);
  for (const char *name : {"math.isfinite", "math.isinf", "math.isnan"})
    writer.op(std::string(name) + " %a : tensor<64xE>", "i1");
  writer.op("math.fma %a, %b, %c : tensor<64xE>", writer.element.type);
}

void addIntegerOps(Writer &writer) {
  for (const char *name :
       {"arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori",
        "arith.xori", "arith.maxsi", "arith.maxui", "arith.minsi",
        "arith.minui"})
    writer.binary(name);
  for (const char *predicate : {"slt", "ult", "eq", "sge"})
    writer.op(std::string("arith.cmpi ") + predicate +
                  ", %a, %b : tensor<64xE>",
              "i1");
  for (const Element &to : elements) {
    if (to.isFloat) {
      writer.cast("arith.sitofp", to.type);
      writer.cast("arith.uitofp", to.type);
    } else if (bits(to) < bits(writer.element)) {
      writer.cast("arith.trunci", to.type);
    } else if (bits(to) > bits(writer.element)) {
      writer.cast("arith.extsi", to.type);
      writer.cast("arith.extui", to.type);
    }
  }
  if (bits(writer.element) == 1)
    return;
  for (const char *name :
       {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
        "arith.shli", "arith.shrsi", "arith.shrui"})
    writer.binary(name);
  for (const char *name : {"math.absi", "math.ctlz", "math.ctpop", "math.cttz"})
    writer.unary(name);
  if (bits(writer.element) >= 32)
    writer.binary("kernel.mulhi");
}

/// Edge values and random bits.
std::vector<char> makeInput(const Element &element) {
  std::vector<char> bytes(3 * kLanes * element.bytes);
  std::mt19937_64 random(element.bytes * 2 + element.isFloat);
  for (int i = 0; i < 3 * kLanes; ++i) {
    uint64_t value = random();
    if (bits(element) == 1)
      value &= 1;
    else if (!element.isFloat && i % 3 == 0)
      value = uint64_t(int64_t(value % 9) - 4);
    else if (!element.isFloat && i % 7 == 0)
      value = uint64_t(1) << (bits(element) - 1);
    std::memcpy(&bytes[i * element.bytes], &value, element.bytes);
    if (element.bytes == 4 && element.isFloat && i % 3) {
      float ordinary = float(int64_t(value % 4001) - 2000) * 0.0137f;
      std::memcpy(&bytes[i * 4], &ordinary, 4);
    }
    if (element.bytes == 8 && element.isFloat && i % 3) {
      double ordinary = double(int64_t(value % 4001) - 2000) * 0.0137;
      std::memcpy(&bytes[i * 8], &ordinary, 8);
    }
  }
  return bytes;
}

Writer makeKernel(const Element &element) {
  Writer writer(element);
  if (element.isFloat)
    addFloatOps(writer);
  else
    addIntegerOps(writer);
  return writer;
}

/// One lane of a slot; all NaNs of a type look alike, portable mode does not
/// state their payload.
uint64_t lane(const std::vector<char> &output, size_t slot,
              const std::string &type, int index) {
  for (const Element &element : elements) {
    if (type != element.type)
      continue;
    uint64_t value = 0;
    std::memcpy(&value, &output[slot * kSlotBytes + index * element.bytes],
                element.bytes);
    unsigned fraction = type == "f16"    ? 10
                        : type == "bf16" ? 7
                        : type == "f32"  ? 23
                        : type == "f64"  ? 52
                                         : 0;
    if (!fraction)
      return value;
    uint64_t magnitude = value & ~(uint64_t(1) << (element.bytes * 8 - 1));
    uint64_t infinity =
        (((uint64_t(1) << (element.bytes * 8 - 1)) - 1) >> fraction)
        << fraction;
    return magnitude > infinity ? ~uint64_t(0) : value;
  }
  return 0;
}

/// Lanes that differ, as text; empty when the slot agrees.
std::string differences(const Writer &writer, size_t slot,
                        const std::vector<char> &expected,
                        const std::vector<char> &output) {
  std::string text;
  for (int i = 0; i < kLanes; ++i) {
    uint64_t a = lane(expected, slot, writer.results[slot], i);
    uint64_t b = lane(output, slot, writer.results[slot], i);
    char line[80];
    std::snprintf(line, sizeof line, " lane %d: %llx, %llx;", i,
                  (unsigned long long)a, (unsigned long long)b);
    if (a != b)
      text += line;
  }
  return text;
}

class OpSweep : public ::testing::TestWithParam<Element> {};

std::vector<char> compileAndRun(const Writer &writer, const std::string &bytes,
                                const std::string &target,
                                const std::vector<char> &input) {
  Request request;
  request.bytes = bytes;
  request.target = target;
  request.setOption("math", "portable");
  Compiled compiled(std::move(request));
  EXPECT_EQ(compiled.status, TW_OK)
      << target << ", " << writer.element.type << "\n"
      << compiled.text();
  std::vector<char> output(writer.names.size() * kSlotBytes);
  if (compiled.status == TW_OK && canRun(target))
    run(compiled, Arguments().add(input.data()).add(output.data()), 1);
  return output;
}

TEST_P(OpSweep, CompilesAndAgrees) {
  Writer writer = makeKernel(GetParam());
  std::string bytes = toBytes(writer.finish());
  std::vector<char> input = makeInput(GetParam());
  std::vector<char> expected =
      compileAndRun(writer, bytes, "cpu:x86-64", input);
  for (const char *target :
       {"cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:x86-64-v4", "cpu:neoverse-n1"}) {
    std::vector<char> output = compileAndRun(writer, bytes, target, input);
    if (!canRun(target)) {
      std::printf("compiled only: this machine cannot run %s\n", target);
      continue;
    }
    for (size_t i = 0; i < writer.names.size(); ++i)
      EXPECT_EQ(differences(writer, i, expected, output), "")
          << target << " differs from cpu:x86-64: " << writer.names[i] << " ["
          << GetParam().type << "]";
  }
}

std::string elementName(const ::testing::TestParamInfo<Element> &info) {
  return info.param.type;
}

INSTANTIATE_TEST_SUITE_P(Elements, OpSweep, ::testing::ValuesIn(elements),
                         elementName);

} // namespace
} // namespace tilewright::cpu::test
