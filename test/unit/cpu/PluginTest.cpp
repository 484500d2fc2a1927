//===- PluginTest.cpp - The CPU compiler through its C table ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negotiation, compilation, payload, stages and determinism.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace tilewright::cpu::test {
namespace {

Request addRequest() {
  Request request;
  request.bytes = toBytes(addKernel());
  request.entries = {"add"};
  return request;
}

TEST(Plugin, AnswersTheCompileProfileOnly) {
  const tw_backend_answer &answer = plugin().getAnswer();
  EXPECT_EQ(answer.profiles, TW_PROFILE_COMPILE);
  EXPECT_EQ(std::string(answer.vendor.data, answer.vendor.size), "cpu");
  EXPECT_GE(answer.build_id.size, 40u) << "a build id is a SHA-1 in hex";
  EXPECT_EQ(answer.flags & TW_BACKEND_UNLOADABLE, 0u);
}

TEST(Plugin, AddsNumbers) {
  Compiled compiled(addRequest());
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  const int n = 1000;
  std::vector<float> x(n), y(n), o(1024, -1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  std::iota(y.begin(), y.end(), 0.5f);
  run(compiled, Arguments().add(x.data()).add(y.data()).add(o.data()).add(n),
      4);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(o[i], 2 * i + 0.5f) << i;
  for (int i = n; i < 1024; ++i)
    ASSERT_EQ(o[i], -1.0f) << "element " << i << " is masked off";
}

TEST(Plugin, RunsTheProgramsOfARangeOnly) {
  Compiled compiled(addRequest());
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  const int n = 1024;
  std::vector<float> x(n, 1), y(n, 2), o(n, 0);
  Library library(compiled.payload);
  Arguments arguments;
  arguments.add(x.data()).add(y.data()).add(o.data()).add(n);
  tw_cpu_services services{};
  tw_cpu_grid grid{{4, 1, 1}, &services};
  std::vector<char> scratch(compiled.record().scratch_bytes + 64);
  uintptr_t start = (uintptr_t(scratch.data()) + 63) / 64 * 64;
  library.find("add")(arguments.data(), &grid, 1, 3,
                      reinterpret_cast<void *>(start));
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(o[i], i >= 256 && i < 768 ? 3.0f : 0.0f) << i;
}

const char *idKernel = R"(
func.func @ids(%o: !kernel.ptr<i32> {tw.name = "o", tw.dtype = "*i32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  %x = kernel.program_id 0 : i32
  %y = kernel.program_id 1 : i32
  %z = kernel.program_id 2 : i32
  %nx = kernel.num_programs 0 : i32
  %ny = kernel.num_programs 1 : i32
  %nz = kernel.num_programs 2 : i32
  %zy = arith.muli %z, %ny : i32
  %zy1 = arith.addi %zy, %y : i32
  %zyx = arith.muli %zy1, %nx : i32
  %id = arith.addi %zyx, %x : i32
  %c100 = arith.constant 100 : i32
  %a = arith.muli %x, %c100 : i32
  %b = arith.addi %a, %y : i32
  %c = arith.muli %b, %c100 : i32
  %d = arith.addi %c, %z : i32
  %e = arith.muli %d, %c100 : i32
  %f = arith.addi %e, %nz : i32
  %at = tensor.splat %id : tensor<1xi32>
  %v = tensor.splat %f : tensor<1xi32>
  kernel.scatter %v, %o [%at : tensor<1xi32>] : tensor<1xi32>, !kernel.ptr<i32>
  return
}
)";

TEST(Plugin, ProgramIdsRunXFastest) {
  Request request;
  request.bytes = toBytes(idKernel);
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  std::vector<int32_t> o(3 * 4 * 5, -1);
  run(compiled, Arguments().add(o.data()), 3, 4, 5);
  for (int z = 0; z < 5; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 3; ++x)
        EXPECT_EQ(o[x + 3 * (y + 4 * z)], ((x * 100 + y) * 100 + z) * 100 + 5);
}

TEST(Plugin, PayloadIsSelfContained) {
  Compiled compiled(addRequest());
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  EXPECT_EQ(
      std::string(compiled.response.format.data, compiled.response.format.size),
      TW_CPU_PAYLOAD_FORMAT);
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(compiled.payload, "payload"));
  ASSERT_TRUE(bool(file));
  auto *elf = llvm::cast<llvm::object::ELFObjectFileBase>(file->get());
  std::vector<std::string> exported;
  for (llvm::object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    std::string name = llvm::cantFail(symbol.getName()).str();
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if (name.empty())
      continue;
    EXPECT_FALSE(flags & llvm::object::SymbolRef::SF_Undefined) << name;
    exported.push_back(name);
  }
  EXPECT_EQ(exported, std::vector<std::string>{"add"});
}

TEST(Plugin, EqualRequestsGiveEqualBytes) {
  Compiled first(addRequest()), second(addRequest());
  ASSERT_EQ(first.status, TW_OK) << first.text();
  EXPECT_EQ(first.payload, second.payload);
  Request other = addRequest();
  other.target = "cpu:x86-64";
  EXPECT_NE(Compiled(std::move(other)).payload, first.payload);
}

TEST(Plugin, IsReentrant) {
  std::string expected = Compiled(addRequest()).payload;
  std::vector<std::thread> threads;
  std::vector<std::string> payloads(4);
  for (std::string &payload : payloads)
    threads.emplace_back(
        [&payload] { payload = Compiled(addRequest()).payload; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &payload : payloads)
    EXPECT_EQ(payload, expected);
}

TEST(Plugin, StagesOnRequest) {
  Request request = addRequest();
  request.stages = {"loops", "llvm", "asm", "timings", "ptx"};
  request.setOption("object", 1);
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  EXPECT_NE(compiled.stages["loops"].find("func.func @add"), std::string::npos);
  EXPECT_NE(compiled.stages["llvm"].find("void @add(ptr"), std::string::npos);
  EXPECT_NE(compiled.stages["asm"].find("add:"), std::string::npos);
  EXPECT_NE(compiled.stages["timings"].find("\"codegen\": "),
            std::string::npos);
  EXPECT_EQ(compiled.stages["object"].substr(0, 4), "\x7f"
                                                    "ELF");
  EXPECT_EQ(compiled.stages.count("ptx"), 0u) << "not a stage of this target";
  EXPECT_EQ(Compiled(addRequest()).response.stage_count, 0u);
}

TEST(Plugin, CompilesForOtherArchitectures) {
  Request request = addRequest();
  request.target = "cpu:neoverse-n1";
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  EXPECT_EQ(compiled.payload[18], char(183)) << "e_machine of AArch64";
}

TEST(Plugin, KernelsNamedLikeBuiltins) {
  Request request;
  request.bytes = toBytes(replaceAll(addKernel(), "@add", "@memset"));
  request.entries = {"memset"};
  Compiled compiled(std::move(request));
  ASSERT_EQ(compiled.status, TW_OK) << compiled.text();
  const int n = 10;
  std::vector<float> x(n, 1), y(n, 2), o(n, 0);
  run(compiled, Arguments().add(x.data()).add(y.data()).add(o.data()).add(n),
      1);
  EXPECT_EQ(o[9], 3.0f);
}

TEST(Plugin, FingerprintNamesBuildAndTools) {
  std::string text;
  tw_writer writer{&text, [](void *ctx, const char *data, uint64_t size) {
                     static_cast<std::string *>(ctx)->append(data, size);
                   }};
  ASSERT_EQ(plugin().table().fingerprint(plugin().backend(), writer), TW_OK);
  const tw_backend_answer &answer = plugin().getAnswer();
  EXPECT_NE(text.find(std::string(answer.build_id.data, answer.build_id.size)),
            std::string::npos);
  EXPECT_NE(text.find("llvm 22"), std::string::npos) << text;
  EXPECT_NE(text.find("math=accurate"), std::string::npos) << text;
}

TEST(Plugin, Capabilities) {
  tw_capability caps[4] = {};
  caps[0].id = TW_CAP_VECTOR_BITS;
  caps[1].id = TW_CAP_ARCH;
  caps[2].id = TW_CAP_TENSOR_MAP;
  caps[3].id = 0xffff;
  ASSERT_EQ(plugin().table().get_caps(plugin().backend(),
                                      tw_string("cpu:x86-64-v3"), caps, 4),
            TW_OK);
  EXPECT_EQ(caps[0].answer, TW_ANSWER_YES);
  EXPECT_EQ(caps[0].value, 256);
  EXPECT_EQ(std::string(caps[1].text.data, caps[1].text.size), "x86-64-v3");
  EXPECT_EQ(caps[2].answer, TW_ANSWER_NO);
  EXPECT_EQ(caps[3].answer, TW_ANSWER_UNKNOWN);
}

} // namespace
} // namespace tilewright::cpu::test
