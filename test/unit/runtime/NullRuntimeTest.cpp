//===- NullRuntimeTest.cpp - The runtime over the null plugin ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile, artifact, load and launch through the C tables, with the plugin that
// vendors copy; and the C interface's own checks.
//===----------------------------------------------------------------------===//
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "runtime/artifact/Artifact.h"
#include "test/unit/runtime/TestArtifact.h"
#include "tilewright/runtime.hpp"

#include <gtest/gtest.h>
#include <mutex>

using namespace tilewright;

/// Compiles "bytes" with the null plugin into the bytes of an artifact.
static artifact::Bytes compileWithNull(std::vector<tw_str> entries) {
  plugins::Registry registry({});
  Problem problem;
  const plugins::Plugin *plugin =
      registry.find("null", TW_PROFILE_COMPILE, problem);
  if (!plugin)
    throw std::runtime_error(problem.str());
  plugins::HostServices services({});
  tw_backend *backend = plugin->open(services.table(), nullptr, 0, problem);
  artifact::Artifact artifact;
  plugin->compile().resolve_target(backend, tw_string("null"), nullptr,
                                   writerTo(artifact.target));
  plugin->compile().fingerprint(backend, writerTo(artifact.fingerprint));
  tw_compile_request request = {};
  request.size = sizeof request;
  request.ir_format = tw_string("any");
  request.entries = entries.data();
  request.entry_count = entries.size();
  tw_compile_response response = {};
  response.size = sizeof response;
  EXPECT_EQ(plugin->compile().compile(backend, &request, &response), TW_OK);
  artifact.compat = toString(response.compat);
  auto *payload = static_cast<const uint8_t *>(response.payload.data);
  artifact.payloads.push_back(
      {toString(response.format),
       artifact::Bytes(payload, payload + response.payload.size)});
  for (uint64_t i = 0; i < response.kernel_count; ++i)
    artifact.kernels.push_back(
        artifact::Kernel::fromRecord(*response.kernels[i]));
  response.release(response.release_ctx);
  plugin->close(backend);
  return artifact::writeArtifact(artifact);
}

TEST(NullRuntime, CompilesLoadsAndLaunchesNothing) {
  artifact::Bytes file = compileWithNull({tw_string("f"), tw_string("g")});
  Context context;
  Device device = context.open("null");
  Artifact artifact = device.loadBytes(file.data(), file.size());
  EXPECT_NE(artifact.manifest().find("\"target\": \"null:generic\""),
            std::string::npos);
  Kernel kernel = artifact.kernel("g");
  EXPECT_TRUE(kernel.arguments().empty());
  Stream stream = device.stream();
  kernel.launch(stream, {5, 5, 5});
  stream.synchronize();
  Buffer buffer = device.allocate(24);
  buffer.fill(stream, uint64_t(7));
  uint64_t back[3];
  buffer.read(stream, back, 24);
  EXPECT_EQ(back[2], 7u);
  Event start = device.event(), end = device.event();
  stream.record(start);
  stream.record(end);
  EXPECT_EQ(start.elapsed(end), 0u);
}

TEST(NullRuntime, CompileHonoursTheRulesOfTheRequest) {
  plugins::Registry registry({});
  Problem problem;
  const plugins::Plugin *plugin =
      registry.find("null", TW_PROFILE_COMPILE, problem);
  ASSERT_TRUE(plugin);
  plugins::HostServices services({});
  tw_backend *backend = plugin->open(services.table(), nullptr, 0, problem);
  struct {
    tw_compile_request request;
    uint64_t newer;
  } wide = {};
  wide.request.size = sizeof wide;
  tw_compile_response response = {};
  response.size = sizeof response;
  auto compile = [&] {
    return plugin->compile().compile(backend, &wide.request, &response);
  };
  ASSERT_EQ(compile(), TW_OK);
  response.release(response.release_ctx);
  wide.newer = 1;
  EXPECT_EQ(compile(), TW_E_UNKNOWN_FIELD);
  wide.newer = 0;
  tw_option option = {};
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  wide.request.options = &option;
  wide.request.option_count = 1;
  EXPECT_EQ(compile(), TW_E_UNKNOWN_OPTION);
  wide.request.option_count = 0;
  wide.request.cancelled = [](void *) -> int32_t { return 1; };
  EXPECT_EQ(compile(), TW_E_CANCELLED);
  std::string resolved;
  EXPECT_EQ(plugin->compile().resolve_target(backend, tw_string("null:x"),
                                             nullptr, writerTo(resolved)),
            TW_E_DIAGNOSED);
  plugin->close(backend);
}

TEST(NullRuntime, AnArtifactOfAnotherPluginIsRefused) {
  artifact::Bytes file = compileWithNull({tw_string("f")});
  Context context;
  Device device = context.open("cpu");
  try {
    device.loadBytes(file.data(), file.size());
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), 6011u);
  }
}

TEST(NullRuntime, SuccessWithoutAnObjectIsAnErrorOfThePlugin) {
  artifact::Bytes file = compileWithNull({tw_string("f")});
  ContextOptions options;
  options.pluginPaths = {OBJECTLESS_PLUGIN};
  Context context(options);
  auto use = [&](const char *target) {
    Device device = context.open(target);
    device.stream();
    device.wrapStream(0);
    device.event();
    device.loadBytes(file.data(), file.size()).kernel("f");
  };
  use("null@0");
  struct {
    const char *target;
    uint32_t code;
  } rows[] = {{"null@1", 6001}, {"null@2", 6019}, {"null@3", 6019},
              {"null@4", 6019}, {"null@5", 6015}, {"null@6", 6020}};
  for (auto [target, code] : rows)
    try {
      use(target);
      ADD_FAILURE() << target;
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), code) << target;
      EXPECT_EQ(error.status(), TW_E_INTERNAL) << target;
    }
}

TEST(CInterface, NullPointersAndUnknownFieldsAreRefused) {
  EXPECT_EQ(tw_rt_context_create(nullptr, nullptr), TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(tw_rt_device_open(nullptr, {}, nullptr), TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(tw_rt_launch(nullptr, nullptr, nullptr, nullptr, 0),
            TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(tw_rt_stream_synchronize(nullptr), TW_E_INVALID_ARGUMENT);
  tw_rt_error error = {};
  error.size = sizeof error;
  ASSERT_EQ(tw_rt_last_error(&error), TW_OK);
  EXPECT_EQ(error.code, 6013u);
  EXPECT_EQ(toString(error.message), "TW6013: expected a stream, got NULL");
  tw_rt_context_release(nullptr);
  tw_rt_buffer_release(nullptr);
  tw_rt_stream_release(nullptr);
  tw_rt_event_release(nullptr);
  tw_rt_kernel_release(nullptr);
  struct {
    tw_rt_config config;
    uint64_t newer;
  } wide = {};
  wide.config.size = sizeof wide;
  tw_rt_context *context = nullptr;
  ASSERT_EQ(tw_rt_context_create(&wide.config, &context), TW_OK);
  tw_rt_context_release(context);
  wide.newer = 1;
  EXPECT_EQ(tw_rt_context_create(&wide.config, &context), TW_E_UNKNOWN_FIELD);
}

TEST(CInterface, PrintsOfKernelsReachTheHost) {
  struct Text {
    std::mutex mutex;
    std::string text;
  } text;
  tw_rt_config config = {};
  config.size = sizeof config;
  config.print = {&text, [](void *ctx, const char *data, uint64_t size) {
                    auto *to = static_cast<Text *>(ctx);
                    std::lock_guard<std::mutex> lock(to->mutex);
                    to->text.append(data, size);
                  }};
  tw_rt_context *context = nullptr;
  ASSERT_EQ(tw_rt_context_create(&config, &context), TW_OK);
  tw_rt_device *opened = nullptr;
  ASSERT_EQ(tw_rt_device_open(context, tw_string("cpu"), &opened), TW_OK);
  tw_rt_context_release(context);
  Device device(opened);
  artifact::Bytes file = artifact::writeArtifact(test::makeCpuArtifact(
      TEST_KERNELS, {test::makeKernel("print_line", {})}));
  Stream stream = device.stream();
  device.loadBytes(file.data(), file.size()).kernel().launch(stream, {3});
  stream.synchronize();
  EXPECT_EQ(text.text, "hello\nhello\nhello\n");
}
