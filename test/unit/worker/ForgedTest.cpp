//===- ForgedTest.cpp - Kernel IR that was made to break the reader -------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's bytecode reader aborts on payloads that were forged under a right
// checksum. In a worker each costs one error, and this process goes on.
//===----------------------------------------------------------------------===//
#include "plugins/loader/HostServices.h"
#include "plugins/worker/Isolation.h"
#include "plugins/worker/Reproducer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace tilewright;
using namespace tilewright::worker;

namespace {

const char *const source = R"(
import tilewright as tw
import tilewright.language as tl


@tw.jit
def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)
)";

/// Offset of the bytecode behind the header, whose last 16 bytes are size and
/// checksum (dialects/kernel/Serialization.cpp).
size_t bytecodeOffset(const std::string &ir) {
  uint32_t fingerprint;
  std::memcpy(&fingerprint, ir.data() + 8, sizeof fingerprint);
  return 12 + fingerprint + 16;
}

std::string forge(std::string ir, unsigned number) {
  size_t at = bytecodeOffset(ir);
  std::srand(number);
  for (unsigned i = 0; i <= number % 4; ++i)
    ir[at + size_t(std::rand()) % (ir.size() - at)] = char(std::rand());
  uint64_t checksum = XXH3_64bits(ir.data() + at, ir.size() - at);
  std::memcpy(&ir[at - 8], &checksum, sizeof checksum);
  return ir;
}

} // namespace

TEST(Forged, KernelIRCostsAnErrorAndNothingElse) {
  std::string pattern = testing::TempDir() + "forged-XXXXXX";
  fs::path folder = mkdtemp(pattern.data());
  std::ofstream(folder / "k.py") << source;
  std::string command =
      std::string(TILEWRIGHT_COMMAND) + " compile " +
      (folder / "k.py").string() +
      " --sig 'x_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=64' -t reference"
      " --emit request -o " +
      (folder / "k.twrequest").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(folder / "k.twrequest", std::ios::binary);
  Problem problem;
  auto saved = Reproducer::read(
      std::string(std::istreambuf_iterator<char>(file), {}), problem);
  ASSERT_TRUE(saved) << problem.str();
  std::string good(static_cast<const char *>(saved->request.ir.data),
                   saved->request.ir.size);
  ASSERT_EQ(forge(good, 1).size(), good.size());

  Limits limits;
  limits.reproducerFolder = folder.string();
  limits.compileNanoseconds = 20'000'000'000;
  auto plugin = loadIsolated(REFERENCE_PLUGIN, {}, limits, problem);
  ASSERT_TRUE(plugin) << problem.str();
  plugins::HostServices services({});
  tw_backend *backend = plugin->open(services.table(), nullptr, 0, problem);
  ASSERT_TRUE(backend) << problem.str();
  auto compile = [&](const std::string &ir, unsigned &errors) {
    tw_sink sink = {};
    sink.size = sizeof sink;
    sink.ctx = &errors;
    sink.emit = [](void *ctx, const tw_diagnostic *diagnostic) {
      *static_cast<unsigned *>(ctx) +=
          diagnostic->severity == TW_SEVERITY_ERROR;
    };
    tw_compile_request request = saved->request;
    request.ir = {ir.data(), ir.size()};
    request.sink = &sink;
    tw_compile_response response = {};
    response.size = sizeof response;
    int32_t status = plugin->compile().compile(backend, &request, &response);
    if (status == TW_OK)
      response.release(response.release_ctx);
    return status;
  };
  for (unsigned number = 0; number < 100; ++number) {
    unsigned errors = 0;
    int32_t status = compile(forge(good, number), errors);
    EXPECT_TRUE(status == TW_OK || errors > 0) << number << ": " << status;
  }
  unsigned errors = 0;
  EXPECT_EQ(compile(good, errors), TW_OK);
  plugin->close(backend);
  unsigned kept = 0; // one for each worker that was lost
  for (const auto &entry : fs::directory_iterator(folder))
    kept += entry.path().filename().string().rfind("tilewright-", 0) == 0;
  RecordProperty("workers_lost", int(kept));
  std::printf("%u of 100 forged payloads ended their worker\n", kept);
  fs::remove_all(folder);
}
