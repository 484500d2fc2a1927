//===- Handles.cpp - Objects of the runtime for Python ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening devices, and the way of every launch into the runtime.
//===----------------------------------------------------------------------===//
#include "frontend/python/Handles.h"

#include <Python.h>

namespace tilewright::python {

static constexpr uint32_t earlierLaunchFailed = 6017;

std::vector<tw_str> toStrs(const Strings &list) {
  std::vector<tw_str> views;
  for (const std::string &text : list)
    views.push_back(toStr(text));
  return views;
}

tw_writer appendTo(std::string &text) {
  return {&text, [](void *ctx, const char *data, uint64_t size) {
            static_cast<std::string *>(ctx)->append(data, size);
          }};
}

static RuntimeFailure lastFailure() {
  tw_rt_error error = {};
  error.size = sizeof error;
  tw_rt_last_error(&error);
  RuntimeFailure failure;
  failure.code = error.code;
  failure.message = toString(error.message);
  failure.hint = toString(error.hint);
  return failure;
}

void check(int32_t status) {
  if (status != TW_OK)
    throw lastFailure();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

DeviceState::DeviceState(const std::string &target, const Strings &pluginPaths,
                         const Strings &searchFolders, int threads) {
  std::vector<tw_str> paths = toStrs(pluginPaths);
  std::vector<tw_str> folders = toStrs(searchFolders);
  tw_option option = {};
  option.key = tw_string("threads");
  option.kind = TW_VALUE_INT;
  option.integer = threads;
  tw_rt_config config = {};
  config.size = sizeof config;
  config.plugin_paths = paths.data();
  config.plugin_path_count = paths.size();
  config.search_folders = folders.data();
  config.search_folder_count = folders.size();
  config.options = &option;
  config.option_count = threads > 0;
  tw_rt_context *rawContext = nullptr;
  check(tw_rt_context_create(&config, &rawContext));
  context = own<tw_rt_context, tw_rt_context_release>(rawContext);
  tw_rt_device *rawDevice = nullptr;
  check(tw_rt_device_open(context.get(), toStr(target), &rawDevice));
  device = own<tw_rt_device, tw_rt_device_release>(rawDevice);
  tw_rt_stream *rawStream = nullptr;
  check(tw_rt_stream_create(device.get(), &rawStream));
  stream = own<tw_rt_stream, tw_rt_stream_release>(rawStream);
}

tw_rt_stream *DeviceState::wrapped(uint64_t native) {
  if (lastWrapped && native == lastNative)
    return lastWrapped;
  std::shared_ptr<tw_rt_stream> &entry = streams[native];
  if (!entry) {
    tw_rt_stream *raw = nullptr;
    check(tw_rt_stream_wrap(device.get(), native, &raw));
    entry = own<tw_rt_stream, tw_rt_stream_release>(raw);
  }
  lastNative = native;
  return lastWrapped = entry.get();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The reason why an earlier launch failed, which its stream knows.
[[noreturn]] static void throwLaunch(tw_rt_stream *stream) {
  RuntimeFailure failure = lastFailure();
  if (failure.code == earlierLaunchFailed && tw_rt_stream_synchronize(stream))
    failure = lastFailure();
  throw failure;
}

template <typename Start>
static void run(DeviceState &device, NativeStream native, const Start &start) {
  tw_rt_stream *stream = native ? device.wrapped(*native) : device.ownStream();
  PyThreadState *state = PyEval_SaveThread();
  int32_t status = start(stream);
  bool isStarted = status == TW_OK;
  if (isStarted && !native)
    status = tw_rt_stream_synchronize(stream);
  PyEval_RestoreThread(state);
  if (!isStarted)
    throwLaunch(stream);
  check(status);
}

void Kernel::launch(const tw_rt_grid &grid, const tw_rt_value *values,
                    size_t count, NativeStream native) const {
  run(*device, native, [&](tw_rt_stream *stream) {
    return tw_rt_launch(stream, get(), &grid, values, count);
  });
}

void Kernel::launch(const tw_rt_grid &grid, const tw_rt_value *values,
                    size_t count, const tw_extension &extensions) const {
  run(*device, std::nullopt, [&](tw_rt_stream *stream) {
    return tw_rt_launch_extended(stream, get(), &grid, values, count,
                                 &extensions);
  });
}

void Kernel::launch(const tw_rt_call &call, NativeStream native) const {
  run(*device, native,
      [&](tw_rt_stream *stream) { return tw_rt_call_launch(stream, &call); });
}

uint32_t BundleKernel::launch(const tw_rt_value *values, size_t count,
                              NativeStream native) const {
  uint32_t chosen = 0;
  run(*device, native, [&](tw_rt_stream *stream) {
    return tw_rt_dispatch_launch(stream, dispatch.get(), values, count,
                                 &chosen);
  });
  return chosen;
}

} // namespace tilewright::python
