//===- Launch.cpp - Running an artifact on host arrays -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RAII over the runtime's C interface and the order of calls of one launch.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Launch.h"
#include "frontend/driver/tool/Failure.h"

#include <algorithm>
#include <memory>

namespace tilewright::tool {

namespace {

template <typename T, void (*Free)(T *)> struct Releaser {
  void operator()(T *object) const { Free(object); }
};
template <typename T, void (*Free)(T *)>
using Handle = std::unique_ptr<T, Releaser<T, Free>>;
using Context = Handle<tw_rt_context, tw_rt_context_release>;
using Device = Handle<tw_rt_device, tw_rt_device_release>;
using Stream = Handle<tw_rt_stream, tw_rt_stream_release>;
using Event = Handle<tw_rt_event, tw_rt_event_release>;
using Buffer = Handle<tw_rt_buffer, tw_rt_buffer_release>;
using Artifact = Handle<tw_rt_artifact, tw_rt_artifact_release>;
using Kernel = Handle<tw_rt_kernel, tw_rt_kernel_release>;

/// Turns a failed status into a Failure with the runtime's own text.
void check(int32_t status) {
  if (status == TW_OK)
    return;
  tw_rt_error error = {};
  error.size = sizeof error;
  tw_rt_last_error(&error);
  std::string message = toString(error.message);
  std::string prefix = "TW" + std::to_string(error.code) + ": ";
  if (message.compare(0, prefix.size(), prefix) == 0)
    message.erase(0, prefix.size());
  throw Failure(error.code, message, toString(error.hint));
}

/// Calls `create(arguments..., &object)` and takes the object.
template <typename H, typename F, typename... A> H make(F create, A... a) {
  typename H::pointer raw = nullptr;
  check(create(a..., &raw));
  return H(raw);
}

Context makeContext(const CommonOptions &common, const LaunchOptions &options) {
  std::vector<tw_str> paths, folders;
  for (const std::string &path : common.pluginPaths)
    paths.push_back(toStr(path));
  for (const std::string &folder : common.pluginFolders)
    folders.push_back(toStr(folder));
  tw_option threads = {};
  threads.key = tw_string("threads");
  threads.kind = TW_VALUE_INT;
  threads.integer = options.threads;
  tw_rt_config config = {};
  config.size = sizeof config;
  config.plugin_paths = paths.data();
  config.plugin_path_count = paths.size();
  config.search_folders = folders.data();
  config.search_folder_count = folders.size();
  config.options = &threads;
  config.option_count = options.threads > 0;
  return make<Context>(tw_rt_context_create, &config);
}

/// A device buffer that mirrors one array.
struct Mirror {
  Buffer buffer;
  Array *array;
  bool isWrapped;
};

Mirror mirror(tw_rt_device *device, tw_rt_stream *stream, Array &array) {
  tw_rt_buffer *raw = nullptr;
  if (tw_rt_buffer_wrap(device, array.data(), array.bytes(), &raw) == TW_OK)
    return {Buffer(raw), &array, true};
  Mirror copy = {make<Buffer>(tw_rt_buffer_create, device, array.bytes()),
                 &array, false};
  check(tw_rt_buffer_write(stream, copy.buffer.get(), 0, array.data(),
                           array.bytes()));
  return copy;
}

tw_rt_value toValue(const Binding &binding) {
  tw_rt_value value = {};
  value.kind = binding.kind == Binding::Kind::Float ? TW_RT_VALUE_FLOAT
                                                    : TW_RT_VALUE_INT;
  value.integer = binding.integer;
  value.number = binding.number;
  return value;
}

} // namespace

LaunchResult launchArtifact(const CommonOptions &common,
                            const LaunchOptions &options, tw_bytes bytes,
                            Arguments &arguments, const tw_rt_grid &grid) {
  Context context = makeContext(common, options);
  Device device =
      make<Device>(tw_rt_device_open, context.get(), toStr(options.target));
  Stream stream = make<Stream>(tw_rt_stream_create, device.get());
  Artifact artifact = make<Artifact>(tw_rt_artifact_load, device.get(), bytes);
  Kernel kernel = make<Kernel>(tw_rt_kernel_find, artifact.get(), tw_str{});

  // The record names the parameters that are left at run time.
  std::vector<Mirror> mirrors;
  std::vector<tw_rt_value> values;
  for (uint32_t i = 0; i < tw_rt_kernel_argument_count(kernel.get()); ++i) {
    tw_rt_argument argument = {};
    argument.size = sizeof argument;
    check(tw_rt_kernel_argument(kernel.get(), i, &argument));
    std::string name = toString(argument.name);
    auto binding =
        std::find_if(arguments.bindings().begin(), arguments.bindings().end(),
                     [&](const Binding &b) { return b.name == name; });
    if (binding == arguments.bindings().end())
      throw Failure(7017, "no value for '" + name + "'");
    tw_rt_value value = toValue(*binding);
    if (binding->array) {
      mirrors.push_back(mirror(device.get(), stream.get(), *binding->array));
      value.kind = TW_RT_VALUE_BUFFER;
      value.buffer = mirrors.back().buffer.get();
    }
    values.push_back(value);
  }

  std::vector<double> times;
  Event begin = make<Event>(tw_rt_event_create, device.get());
  Event end = make<Event>(tw_rt_event_create, device.get());
  for (int i = 0; i < options.repeat; ++i) {
    check(tw_rt_event_record(begin.get(), stream.get()));
    check(tw_rt_launch(stream.get(), kernel.get(), &grid, values.data(),
                       values.size()));
    check(tw_rt_event_record(end.get(), stream.get()));
    check(tw_rt_stream_synchronize(stream.get()));
    uint64_t nanoseconds = 0;
    check(tw_rt_event_elapsed(begin.get(), end.get(), &nanoseconds));
    times.push_back(nanoseconds / 1e6);
  }
  for (Mirror &copy : mirrors)
    if (!copy.isWrapped)
      check(tw_rt_buffer_read(stream.get(), copy.buffer.get(), 0,
                              copy.array->data(), copy.array->bytes()));
  check(tw_rt_stream_synchronize(stream.get()));
  std::sort(times.begin(), times.end());
  LaunchResult result;
  result.medianMilliseconds = times.empty() ? 0 : times[times.size() / 2];
  check(tw_rt_device_name(device.get(), appendTo(result.device)));
  return result;
}

} // namespace tilewright::tool
