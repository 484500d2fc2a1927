//===- RefusalTest.cpp - What the CPU compiler does not accept --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every refusal has a status, a code and a next step, and leaves no response.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include <gtest/gtest.h>

namespace tilewright::cpu::test {
namespace {

Request good() {
  Request request;
  request.bytes = toBytes(addKernel());
  return request;
}

void expectRefusal(Request request, int32_t status, uint32_t code) {
  Compiled compiled(std::move(request));
  EXPECT_EQ(compiled.status, status) << compiled.text();
  EXPECT_TRUE(compiled.hasCode(code)) << compiled.text();
  EXPECT_EQ(compiled.response.release, nullptr);
  EXPECT_EQ(compiled.response.payload.size, 0u);
}

TEST(Refusal, Formats) {
  Request unknown = good();
  unknown.format = "org.example.ir";
  expectRefusal(unknown, TW_E_UNIMPLEMENTED, 4104);
  Request portable = good();
  portable.format = "tw.portable"; // of version 0, which nobody reads
  expectRefusal(portable, TW_E_VERSION, 4104);
  Request other = good();
  other.format = "mlir.exact:1-21.0.0-0000000000000000";
  expectRefusal(other, TW_E_VERSION, 4104);
}

TEST(Refusal, DamagedBytes) {
  Request empty = good();
  empty.bytes.clear();
  EXPECT_EQ(Compiled(empty).status, TW_E_DIAGNOSED);
  for (size_t at = 0; at < good().bytes.size(); at += 37) {
    Request damaged = good();
    damaged.bytes[at] = char(damaged.bytes[at] ^ 0x5a);
    Compiled compiled(damaged);
    EXPECT_EQ(compiled.status, TW_E_DIAGNOSED) << "byte " << at;
    EXPECT_FALSE(compiled.diagnostics.empty()) << "byte " << at;
    Request cut = good();
    cut.bytes.resize(at);
    EXPECT_EQ(Compiled(cut).status, TW_E_DIAGNOSED) << "cut at " << at;
  }
}

TEST(Refusal, IllegalKernelIR) {
  Request request;
  request.bytes = toBytes(R"(
    func.func @k(%a: i32 {tw.name = "a", tw.dtype = "i32", tw.index = 0 : i32})
        attributes {tw.kernel} {
      %0 = llvm.mlir.constant(1 : i32) : i32
      return
    })");
  Compiled compiled(std::move(request));
  EXPECT_EQ(compiled.status, TW_E_DIAGNOSED) << compiled.text();
  EXPECT_TRUE(compiled.hasCode(3101)) << compiled.text();
}

TEST(Refusal, Targets) {
  Request processor = good();
  processor.target = "cpu:znver44";
  expectRefusal(processor, TW_E_DIAGNOSED, 4102);
  Request feature = good();
  feature.target = "cpu:znver4+avx1024";
  expectRefusal(feature, TW_E_DIAGNOSED, 4103);
  Request vendor = good();
  vendor.target = "nvidia:sm_90a";
  expectRefusal(vendor, TW_E_DIAGNOSED, 4101);
}

TEST(Refusal, Options) {
  Request unknown = good();
  unknown.setOption("unroll", 4, TW_OPTION_MUST_UNDERSTAND);
  expectRefusal(unknown, TW_E_UNKNOWN_OPTION, 4107);
  Request range = good();
  range.setOption("opt_level", 4);
  expectRefusal(range, TW_E_DIAGNOSED, 4106);
  Request type = good();
  type.setOption("num_warps", "four");
  expectRefusal(type, TW_E_DIAGNOSED, 4106);
  Request math = good();
  math.setOption("math", "sloppy");
  expectRefusal(math, TW_E_DIAGNOSED, 4106);
  Request fine = good();
  fine.setOption("unroll", 4);
  fine.setOption("num_warps", 8, TW_OPTION_MUST_UNDERSTAND);
  fine.setOption("math", "portable", TW_OPTION_MUST_UNDERSTAND);
  EXPECT_EQ(Compiled(fine).status, TW_OK);
}

TEST(Refusal, OpsAndLibraries) {
  tw_op_use use{tw_string("spirv.Load"), 1, 1};
  Request ops = good();
  ops.ops = {use};
  expectRefusal(ops, TW_E_UNIMPLEMENTED, 4115);
  Request libraries = good();
  libraries.libraries = {
      tw_library{tw_string("spirv"), tw_string("vendor"), tw_bytes{}}};
  expectRefusal(libraries, TW_E_UNIMPLEMENTED, 4114);
  libraries.libraries[0].format = tw_string("llvm.bc"); // nothing in it
  expectRefusal(libraries, TW_E_DIAGNOSED, 4116);
}

TEST(Refusal, Extensions) {
  tw_extension extension{};
  extension.size = sizeof extension;
  extension.id = 1;
  Request request = good();
  request.extensions = &extension;
  EXPECT_EQ(Compiled(request).status, TW_OK) << "may be skipped";
  extension.flags = TW_EXTENSION_MUST_UNDERSTAND;
  EXPECT_EQ(Compiled(request).status, TW_E_UNKNOWN_FIELD);
}

TEST(Refusal, CancelAndDeadline) {
  Request cancelled = good();
  cancelled.cancelled = [] { return 1; };
  EXPECT_EQ(Compiled(cancelled).status, TW_E_CANCELLED);
  int polls = 0;
  Request later = good();
  later.cancelled = [&] { return ++polls > 3; };
  EXPECT_EQ(Compiled(later).status, TW_E_CANCELLED);
  Request slow = good();
  slow.timeLimit = 1;
  EXPECT_EQ(Compiled(slow).status, TW_E_DEADLINE);
}

TEST(Refusal, FieldsFromTheFuture) {
  struct {
    tw_compile_request known;
    uint64_t later;
  } raw{};
  raw.known.size = sizeof raw;
  raw.later = 1;
  tw_compile_response response{};
  response.size = sizeof response;
  EXPECT_EQ(plugin().table().compile(plugin().backend(), &raw.known, &response),
            TW_E_UNKNOWN_FIELD);
  EXPECT_EQ(plugin().table().compile(plugin().backend(), nullptr, &response),
            TW_E_INVALID_ARGUMENT);
}

TEST(Refusal, SettingsOfTheBackend) {
  tw_option option{};
  option.key = tw_string("threads");
  option.kind = TW_VALUE_INT;
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  tw_backend_config config{};
  config.size = sizeof config;
  config.options = &option;
  config.option_count = 1;
  tw_backend *backend = nullptr;
  EXPECT_EQ(plugin().getAnswer().open(&config, &backend), TW_E_UNKNOWN_OPTION);
  EXPECT_EQ(backend, nullptr);
}

TEST(Refusal, CanCompileAgrees) {
  tw_compile_request raw{};
  raw.size = sizeof raw;
  std::string format = exactFormat();
  raw.ir_format = {format.data(), format.size()};
  raw.target = tw_string("cpu:x86-64-v3");
  const tw_compile_table &table = plugin().table();
  EXPECT_EQ(table.can_compile(plugin().backend(), &raw), TW_OK);
  raw.target = tw_string("cpu:nonesuch");
  EXPECT_EQ(table.can_compile(plugin().backend(), &raw), TW_E_DIAGNOSED);
}

} // namespace
} // namespace tilewright::cpu::test
