//===- Harness.h - Compiling and running LLVM IR in tests -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR text to SPIR-V through the code generator, and launches of it through
// the driver plugin's C tables, as a host makes them.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SPIRV_HARNESS_H
#define TILEWRIGHT_TEST_UNIT_SPIRV_HARNESS_H

#include "backends/spirv/codegen/Codegen.h"
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"

#include "llvm/IR/Module.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::spirv::test {

/// Errors and texts that a compilation or a launch reported.
struct Messages {
  std::string text;
  tw_sink sink();
};

Target target(const std::string &name);

/// Compiles a module; fails the test with the messages if it is refused.
Generated generate(llvm::Module &module, const Target &target,
                   const std::set<std::string> &texts = {});
Generated generate(const std::string &ir, const Target &target);
/// The messages of a module that must be refused.
std::string refusal(const std::string &ir, const Target &target);

/// The opened device of the driver plugin; null with a reason where there is
/// none, and then a test skips.
class Device {
public:
  Device();
  ~Device();
  Device(const Device &) = delete;

  std::string problem; ///< empty: there is a device
  std::string printed;
  tw_backend *backend = nullptr;
  tw_device *device = nullptr;
  tw_stream *stream = nullptr;
  const tw_runtime_table &runtime() const { return plugin->runtime(); }
  const tw_launch_table &launch() const { return plugin->launch(); }

private:
  std::unique_ptr<plugins::Plugin> plugin;
  std::unique_ptr<plugins::HostServices> services;
};

Device &device();
#define TW_NEED_DEVICE()                                                       \
  if (!device().problem.empty())                                               \
  GTEST_SKIP() << device().problem

/// What a launch gets besides the code.
struct Launch {
  std::string symbol = "kernel";
  unsigned threads = 1;
  tw_dims dims = {1, 1, 1};
  uint32_t flags = 0;
};

/// Runs a kernel on buffers that are copied in and out. Returns the status of
/// the synchronisation; messages of both go to `messages`.
int32_t run(const Generated &code, const Launch &launch,
            std::vector<std::vector<char> *> buffers, Messages &messages);

template <typename T> std::vector<char> toBytes(const std::vector<T> &values) {
  auto *begin = reinterpret_cast<const char *>(values.data());
  return std::vector<char>(begin, begin + values.size() * sizeof(T));
}
template <typename T> std::vector<T> fromBytes(const std::vector<char> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

} // namespace tilewright::spirv::test

#endif // TILEWRIGHT_TEST_UNIT_SPIRV_HARNESS_H
