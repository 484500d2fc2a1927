//===- RecordTest.cpp - Kernel records ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters, facts, variants and predicates as the launcher will read them.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include <gtest/gtest.h>

namespace tilewright::cpu::test {
namespace {

std::string str(tw_str text) { return std::string(text.data, text.size); }

const char *mixedKernel = R"(
func.func @mixed(
    %a: i1 {tw.name = "a", tw.dtype = "i1", tw.index = 0 : i32},
    %b: !kernel.ptr<f16> {tw.name = "b", tw.dtype = "*fp16", tw.index = 1 : i32, tw.divisibility = 16 : i64, tw.disjoint},
    %c: i16 {tw.name = "c", tw.dtype = "u16", tw.index = 2 : i32},
    %d: f64 {tw.name = "d", tw.dtype = "fp64", tw.index = 3 : i32},
    %e: !kernel.ptr<f8E4M3FN> {tw.name = "e", tw.dtype = "*kfp8e4nv", tw.index = 4 : i32, tw.readonly, tw.disjoint},
    %f: i32 {tw.name = "f", tw.dtype = "i32", tw.index = 5 : i32, tw.range = [0, 4096], tw.divisibility = 8 : i64},
    %g: i32 {tw.name = "g", tw.dtype = "i32", tw.index = 6 : i32, tw.value = 1 : i64})
    attributes {tw.kernel} {
  return
}
)";

TEST(Record, ParametersAreNaturallyAligned) {
  Request request;
  request.bytes = toBytes(mixedKernel);
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  const tw_kernel_record &record = compiled.record();
  EXPECT_EQ(str(record.name), "mixed");
  ASSERT_EQ(record.parameter_count, 7u);
  struct Expected {
    const char *name;
    uint32_t kind, dtype, offset, bytes;
  } expected[] = {
      {"a", TW_PARAMETER_USER_SCALAR, TW_DTYPE_I1, 0, 1},
      {"b", TW_PARAMETER_USER_POINTER, TW_DTYPE_F16, 8, 8},
      {"c", TW_PARAMETER_USER_SCALAR, TW_DTYPE_U16, 16, 2},
      {"d", TW_PARAMETER_USER_SCALAR, TW_DTYPE_F64, 24, 8},
      {"e", TW_PARAMETER_USER_POINTER, TW_DTYPE_F8E4NV, 32, 8},
      {"f", TW_PARAMETER_USER_SCALAR, TW_DTYPE_I32, 40, 4},
      {"g", TW_PARAMETER_USER_SCALAR, TW_DTYPE_I32, 44, 4},
  };
  for (unsigned i = 0; i < 7; ++i) {
    const tw_parameter &parameter = record.parameters[i];
    EXPECT_EQ(str(parameter.name), expected[i].name);
    EXPECT_EQ(parameter.kind, expected[i].kind) << expected[i].name;
    EXPECT_EQ(parameter.dtype, expected[i].dtype) << expected[i].name;
    EXPECT_EQ(parameter.offset, expected[i].offset) << expected[i].name;
    EXPECT_EQ(parameter.device_offset, expected[i].offset);
    EXPECT_EQ(parameter.bytes, expected[i].bytes) << expected[i].name;
  }
  EXPECT_EQ(record.user_block_bytes, 48u);
  EXPECT_EQ(record.block_size[0], 1u);
}

TEST(Record, ListsTheFactsThatArePresent) {
  Request request;
  request.bytes = toBytes(mixedKernel);
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  const tw_kernel_record &record = compiled.record();
  std::vector<std::string> facts;
  for (uint64_t i = 0; i < record.fact_count; ++i) {
    const tw_fact &fact = record.facts[i];
    facts.push_back(
        std::to_string(fact.kind) + ":" + std::to_string(fact.argument) + "," +
        std::to_string(fact.other) + ":" + std::to_string(fact.value) + "," +
        std::to_string(fact.upper));
  }
  std::vector<std::string> expected = {
      "1:1,0:16,0",   // b % 16 == 0
      "4:4,0:0,0",    // e is not written
      "5:1,4:0,0",    // b and e are disjoint
      "1:5,0:8,0",    // f % 8 == 0
      "3:5,0:0,4096", // 0 <= f <= 4096
      "2:6,0:1,0",    // g == 1
  };
  EXPECT_EQ(facts, expected);
}

TEST(Record, VariantsComeBeforeTheFallback) {
  std::string general = addKernel();
  std::string special = replaceAll(
      replaceAll(addKernel(), "@add", "@add__v1"), "{tw.kernel}",
      "{tw.kernel, tw.variant_of = \"add\", tw.predicate = \"n % 256 == 0\"}");
  Request request;
  request.bytes = toBytes("module {" + general + special + "}");
  request.entries = {"add"};
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  ASSERT_EQ(compiled.response.kernel_count, 2u);
  EXPECT_EQ(str(compiled.record(0).name), "add");
  EXPECT_EQ(str(compiled.record(0).symbol), "add__v1");
  EXPECT_GT(compiled.record(0).predicate.size, 0u);
  EXPECT_EQ(str(compiled.record(1).name), "add");
  EXPECT_EQ(compiled.record(1).predicate.size, 0u);
  Library library(compiled.payload);
  EXPECT_NE(library.find("add"), nullptr);
  EXPECT_NE(library.find("add__v1"), nullptr);
}

TEST(Record, OnlyRequestedKernels) {
  std::string both =
      "module {" + addKernel() + replaceAll(addKernel(), "@add", "@sum") + "}";
  Request request;
  request.bytes = toBytes(both);
  request.entries = {"sum"};
  Compiled one(request);
  ASSERT_EQ(one.status, TW_OK) << one.text();
  ASSERT_EQ(one.response.kernel_count, 1u);
  EXPECT_EQ(str(one.record().name), "sum");
  EXPECT_EQ(Library(one.payload).find("add"), nullptr);
  request.entries = {};
  Compiled all(request);
  EXPECT_EQ(all.response.kernel_count, 2u);
  request.entries = {"sum", "product"};
  Compiled missing(request);
  EXPECT_EQ(missing.status, TW_E_NOT_FOUND);
  EXPECT_TRUE(missing.hasCode(4108)) << missing.text();
}

TEST(Record, NeedsProgress) {
  Request request;
  request.bytes = toBytes(
      replaceAll(addKernel(), "{tw.kernel}", "{tw.kernel, tw.needs_progress}"));
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  EXPECT_EQ(compiled.record().flags, TW_KERNEL_NEEDS_PROGRESS);
}

} // namespace
} // namespace tilewright::cpu::test
