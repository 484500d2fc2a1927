//===- LaunchTableTest.cpp - A plugin's launch table ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a driver must check itself, because a framework may call its table
// directly.
//===----------------------------------------------------------------------===//
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "test/unit/runtime/TestArtifact.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {
class LaunchTable : public testing::TestWithParam<const char *> {
protected:
  LaunchTable() : registry({}), services({}) {
    plugin = registry.find(GetParam(), TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH,
                           problem);
    if (!plugin)
      throw std::runtime_error(problem.str());
    backend = plugin->open(services.table(), nullptr, 0, problem);
    plugin->runtime().device_open(backend, 0, nullptr, &device);
    plugin->runtime().stream_create(device, &stream);
    bool cpu = plugin->info().vendor == "cpu";
    artifact::Bytes code = makeCpuArtifact(TEST_KERNELS, {}).payloads[0].bytes;
    EXPECT_EQ(plugin->runtime().module_load(
                  device, tw_string(cpu ? "elf-so" : "null"),
                  {code.data(), code.size()}, nullptr, &module),
              TW_OK);
    artifact::Kernel record =
        makeKernel("nothing", {scalar("n", TW_DTYPE_I32)});
    artifact::RecordView view(record);
    EXPECT_EQ(
        plugin->launch().prepare(module, &view.record(), nullptr, &kernel),
        TW_OK);
  }
  ~LaunchTable() override {
    plugin->launch().kernel_destroy(kernel);
    plugin->runtime().module_unload(module);
    plugin->runtime().stream_destroy(stream);
    plugin->runtime().device_close(device);
    plugin->close(backend);
  }
  int32_t launch(tw_dims dims, uint32_t bytes = 4, const void *ext = nullptr) {
    int32_t n = 1;
    return plugin->launch().launch(stream, kernel, &dims, &n, bytes, ext);
  }

  plugins::Registry registry;
  plugins::HostServices services;
  Problem problem;
  const plugins::Plugin *plugin;
  tw_backend *backend;
  tw_device *device = nullptr;
  tw_stream *stream = nullptr;
  tw_module *module = nullptr;
  tw_kernel *kernel = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Vendors, LaunchTable, testing::Values("cpu", "null"));
} // namespace

TEST_P(LaunchTable, AcceptsWhatIsRight) {
  EXPECT_EQ(launch({1, 1, 1}), TW_OK);
  EXPECT_EQ(launch({0, 1, 1}), TW_OK);
  EXPECT_EQ(launch({100, 2, 3}), TW_OK);
}

TEST_P(LaunchTable, ChecksTheBlocksSize) {
  EXPECT_EQ(launch({1, 1, 1}, 3), TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(launch({1, 1, 1}, 8), TW_E_INVALID_ARGUMENT);
}

TEST_P(LaunchTable, SkipsUnknownExtensionsUnlessTheyMustBeUnderstood) {
  tw_extension second = {};
  second.size = sizeof second;
  second.id = 12345;
  tw_extension first = second;
  first.next = &second;
  EXPECT_EQ(launch({1, 1, 1}, 4, &first), TW_OK);
  second.flags = TW_EXTENSION_MUST_UNDERSTAND;
  EXPECT_EQ(launch({1, 1, 1}, 4, &first), TW_E_UNKNOWN_FIELD);
}

TEST_P(LaunchTable, RefusesGridsOutOfRange) {
  constexpr int64_t most = 0x7fffffff;
  EXPECT_EQ(launch({most + 1, 1, 1}), TW_E_OUT_OF_RANGE);
  EXPECT_EQ(launch({1, -1, 1}), TW_E_OUT_OF_RANGE);
  EXPECT_EQ(launch({1, 1, INT64_MIN}), TW_E_OUT_OF_RANGE);
  EXPECT_EQ(launch({most, most, most}), TW_E_OUT_OF_RANGE);
  EXPECT_EQ(launch({most, most, 0}), TW_OK);
}

TEST_P(LaunchTable, EncodesIntoEnoughRoomOnly) {
  int32_t n = 77, device[2] = {0, 5};
  tw_dims dims = {1, 1, 1};
  uint32_t written = 0;
  auto encode = [&](uint32_t bytes, uint32_t capacity) {
    return plugin->launch().encode_args(kernel, &dims, &n, bytes, device,
                                        capacity, &written);
  };
  EXPECT_EQ(encode(4, 3), TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(encode(3, 8), TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(encode(4, 8), TW_OK);
  EXPECT_EQ(written, 4u);
  EXPECT_EQ(device[0], 77);
  EXPECT_EQ(device[1], 5);
}
