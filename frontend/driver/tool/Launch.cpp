//===- Launch.cpp - Running an artifact on host arrays -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of calls of one launch, over runtime.hpp.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Launch.h"
#include "frontend/driver/tool/Expression.h"
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

/// A device buffer that mirrors one array, with its guards or without.
struct Mirror {
  Buffer buffer;
  void *host;
  uint64_t bytes;
  uint64_t offset; ///< of the data
  bool isWrapped;
};

Mirror mirror(Device &device, Stream &stream, Array &array, bool hasGuards) {
  void *host = hasGuards ? array.whole() : array.data();
  uint64_t bytes = hasGuards ? array.wholeBytes() : array.bytes();
  uint64_t offset = hasGuards ? array.guardBytes() : 0;
  try {
    return {device.wrap(host, bytes), host, bytes, offset, true};
  } catch (const Error &) { // this device copies
    Mirror copy = {device.allocate(bytes), host, bytes, offset, false};
    copy.buffer.write(stream, host, bytes);
    return copy;
  }
}

/// Device memory for an array whose content does not matter.
Mirror allocate(Device &device, Array &array) {
  return {device.allocate(array.bytes()), array.data(), array.bytes(), 0,
          false};
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

Context makeContext(const CommonOptions &common, int threads) {
  ContextOptions config;
  config.pluginPaths = common.pluginPaths;
  config.searchFolders = common.pluginFolders;
  if (threads > 0)
    config.threads = threads;
  return Context(config);
}

/// Puts arrays that are no parameters on the device and writes their addresses
/// into the tables.
void placeExtras(Device &device, Stream &stream, bool hasGuards,
                 Arguments &arguments, std::vector<Mirror> &mirrors) {
  std::map<std::string, uint64_t> addresses;
  for (Binding &binding : arguments.bindings()) {
    if (!binding.isExtra)
      continue;
    mirrors.push_back(mirror(device, stream, *binding.array, hasGuards));
    addresses[binding.name] =
        mirrors.back().buffer.address() + mirrors.back().offset;
  }
  for (Binding &binding : arguments.bindings())
    for (size_t i = 0; i < binding.addressesOf.size(); ++i) {
      auto found = addresses.find(binding.addressesOf[i]);
      if (found == addresses.end())
        throw Failure(7018, "'" + binding.addressesOf[i] +
                                "' is a parameter; only other arrays have "
                                "their addresses in a table");
      binding.array->setBits(static_cast<int64_t>(i), found->second);
    }
}

LaunchResult launch(Device &device, const LaunchOptions &options,
                    tw_bytes bytes, Arguments &arguments,
                    const tw_rt_grid &grid) {
  Stream stream = device.stream();
  Artifact artifact = device.loadBytes(bytes.data, bytes.size);
  Kernel kernel = artifact.kernel();

  std::vector<Mirror> mirrors;
  placeExtras(device, stream, options.hasGuards, arguments, mirrors);
  // The record names the parameters that are left at run time.
  std::vector<tw_rt_value> values;
  for (const Argument &argument : kernel.arguments()) {
    Binding &binding = findBinding(arguments, argument.name);
    if (binding.array) {
      bool isUnwritten = options.keepsUnwritten && !binding.isFilled;
      mirrors.push_back(isUnwritten ? allocate(device, *binding.array)
                                    : mirror(device, stream, *binding.array,
                                             options.hasGuards));
      const Mirror &made = mirrors.back();
      values.push_back(
          Value(made.buffer, static_cast<int64_t>(made.offset)).value);
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
      copy.buffer.read(stream, copy.host, copy.bytes);
  stream.synchronize();
  std::sort(times.begin(), times.end());
  return {device.name(), times[times.size() / 2]};
}

} // namespace

tw_rt_grid parseGrid(const std::string &text, const Arguments &arguments) {
  std::vector<int64_t> axes = evaluateIntegers(text, arguments.integers());
  if (axes.empty() || axes.size() > 3)
    throw Failure(7025, "expected a grid of 1 to 3 axes, got " +
                            std::to_string(axes.size()));
  axes.resize(3, 1);
  for (int64_t axis : axes)
    if (axis < 0 || axis > INT32_MAX)
      throw Failure(7025, "expected grid axes from 0 to 2147483647, got " +
                              std::to_string(axis));
  return {axes[0], axes[1], axes[2]};
}

struct Launcher::Opened {
  Context context;
  Device device;
};

Launcher::Launcher(const CommonOptions &common, const std::string &target,
                   int threads) {
  try {
    Context context = makeContext(common, threads);
    Device device = context.open(target);
    opened.reset(new Opened{std::move(context), std::move(device)});
  } catch (const Error &error) {
    throw toFailure(error);
  }
}

Launcher::~Launcher() = default;

LaunchResult Launcher::launch(const LaunchOptions &options, tw_bytes artifact,
                              Arguments &arguments, const tw_rt_grid &grid) {
  try {
    return tool::launch(opened->device, options, artifact, arguments, grid);
  } catch (const Error &error) {
    throw toFailure(error);
  }
}

LaunchResult launchArtifact(const CommonOptions &common,
                            const LaunchOptions &options, tw_bytes artifact,
                            Arguments &arguments, const tw_rt_grid &grid) {
  return Launcher(common, options.target, options.threads)
      .launch(options, artifact, arguments, grid);
}

} // namespace tilewright::tool
