//===- Launch.cpp - Running an artifact on host arrays -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of calls of one launch, over runtime.hpp.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Launch.h"
#include "frontend/driver/tool/Failure.h"

#include "tilewright/runtime.hpp"

#include <algorithm>

namespace tilewright::tool {

namespace {

/// A runtime error as a Failure: the code and the hint taken out of the text.
Failure toFailure(const Error &error) {
  std::string text = error.what(), hint;
  if (size_t at = text.find("\n  hint: "); at != std::string::npos) {
    hint = text.substr(at + 9);
    text.resize(at);
  }
  std::string prefix = "TW" + std::to_string(error.code()) + ": ";
  if (text.compare(0, prefix.size(), prefix) == 0)
    text.erase(0, prefix.size());
  return Failure(error.code(), text, hint);
}

/// A device buffer that mirrors one array.
struct Mirror {
  Buffer buffer;
  Array *array;
  bool isWrapped;
};

Mirror mirror(Device &device, Stream &stream, Array &array) {
  try {
    return {device.wrap(array.data(), array.bytes()), &array, true};
  } catch (const Error &) { // this device copies
    Mirror copy = {device.allocate(array.bytes()), &array, false};
    copy.buffer.write(stream, array.data(), array.bytes());
    return copy;
  }
}

/// Device memory for an array whose content does not matter.
Mirror allocate(Device &device, Array &array) {
  return {device.allocate(array.bytes()), &array, false};
}

Value toValue(const Binding &binding) {
  if (binding.kind == Binding::Kind::Float)
    return Value(binding.number);
  if (binding.isUnsigned64)
    return Value(static_cast<uint64_t>(binding.integer));
  return Value(binding.integer);
}

Binding &findBinding(Arguments &arguments, const std::string &name) {
  for (Binding &binding : arguments.bindings())
    if (binding.name == name)
      return binding;
  throw Failure(7017, "no value for '" + name + "'");
}

/// Waits. A stream whose launch failed takes no event; it says why when waited
/// for.
void finish(Stream &stream, Event &end) {
  try {
    stream.record(end);
  } catch (const Error &) {
    stream.synchronize();
    throw;
  }
  stream.synchronize();
}

LaunchResult launch(const CommonOptions &common, const LaunchOptions &options,
                    tw_bytes bytes, Arguments &arguments,
                    const tw_rt_grid &grid) {
  ContextOptions config;
  config.pluginPaths = common.pluginPaths;
  config.searchFolders = common.pluginFolders;
  if (options.threads > 0)
    config.threads = options.threads;
  Context context(config);
  Device device = context.open(options.target);
  Stream stream = device.stream();
  Artifact artifact = device.loadBytes(bytes.data, bytes.size);
  Kernel kernel = artifact.kernel();

  // The record names the parameters that are left at run time.
  std::vector<Mirror> mirrors;
  std::vector<tw_rt_value> values;
  for (const Argument &argument : kernel.arguments()) {
    Binding &binding = findBinding(arguments, argument.name);
    if (binding.array) {
      bool isUnwritten = options.keepsUnwritten && !binding.isFilled;
      mirrors.push_back(isUnwritten ? allocate(device, *binding.array)
                                    : mirror(device, stream, *binding.array));
      values.push_back(Value(mirrors.back().buffer).value);
    } else {
      values.push_back(toValue(binding).value);
    }
  }

  std::vector<double> times;
  Event begin = device.event(), end = device.event();
  for (int i = 0; i < options.repeat; ++i) {
    stream.record(begin);
    detail::check(tw_rt_launch(stream.get(), kernel.get(), &grid, values.data(),
                               values.size()));
    finish(stream, end);
    times.push_back(begin.elapsed(end) / 1e6);
  }
  for (Mirror &copy : mirrors)
    if (!copy.isWrapped)
      copy.buffer.read(stream, copy.array->data(), copy.array->bytes());
  stream.synchronize();
  std::sort(times.begin(), times.end());
  return {device.name(), times[times.size() / 2]};
}

} // namespace

LaunchResult launchArtifact(const CommonOptions &common,
                            const LaunchOptions &options, tw_bytes artifact,
                            Arguments &arguments, const tw_rt_grid &grid) {
  try {
    return launch(common, options, artifact, arguments, grid);
  } catch (const Error &error) {
    throw toFailure(error);
  }
}

} // namespace tilewright::tool
