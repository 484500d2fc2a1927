//===- Handles.h - Objects of the runtime for Python ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owning classes over runtime.h. A failed call throws; a launch that is refused
// because an earlier one failed throws that failure.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_HANDLES_H
#define TILEWRIGHT_FRONTEND_PYTHON_HANDLES_H

#include "tilewright/runtime.h"

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct tw_extension;

namespace tilewright::python {

using Strings = std::vector<std::string>;

inline tw_str toStr(const std::string &text) {
  return {text.data(), text.size()};
}
inline std::string toString(tw_str text) { return {text.data, text.size}; }
std::vector<tw_str> toStrs(const Strings &list);
/// A writer that appends to `text`.
tw_writer appendTo(std::string &text);

/// A failed runtime call; Python sees `_native.RuntimeFailure(code, text,
/// hint)`.
struct RuntimeFailure : std::exception {
  uint32_t code = 0;
  std::string message, hint;
};

/// Throws the thread's last error unless `status` is TW_OK.
void check(int32_t status);

template <typename T, void (*Free)(T *)> std::shared_ptr<T> own(T *object) {
  return std::shared_ptr<T>(object, Free);
}

/// One device, its own stream, and those of others that were launched on.
class DeviceState {
public:
  DeviceState(const std::string &target, const Strings &pluginPaths,
              const Strings &searchFolders, int threads);

  tw_rt_device *get() const { return device.get(); }
  tw_rt_stream *ownStream() const { return stream.get(); }
  /// The wrapped form of a vendor's stream; wrapped once.
  tw_rt_stream *wrapped(uint64_t native);

private:
  std::shared_ptr<tw_rt_context> context;
  std::shared_ptr<tw_rt_device> device;
  std::shared_ptr<tw_rt_stream> stream;
  std::map<uint64_t, std::shared_ptr<tw_rt_stream>> streams;
  uint64_t lastNative = 0;
  tw_rt_stream *lastWrapped = nullptr;
};

/// Where a launch goes: a vendor's stream, or the device's own, and then the
/// launch is waited for.
using NativeStream = std::optional<uint64_t>;

/// A kernel that is loaded and prepared.
class Kernel {
public:
  Kernel(std::shared_ptr<DeviceState> device,
         std::shared_ptr<tw_rt_kernel> kernel)
      : device(std::move(device)), kernel(std::move(kernel)) {}

  tw_rt_kernel *get() const { return kernel.get(); }
  /// With the interpreter lock held; it is released meanwhile.
  void launch(const tw_rt_grid &grid, const tw_rt_value *values, size_t count,
              NativeStream native) const;
  /// The same, on the device's own stream, with extensions of extensions.h.
  void launch(const tw_rt_grid &grid, const tw_rt_value *values, size_t count,
              const tw_extension &extensions) const;
  /// The same for a prepared launch.
  void launch(const tw_rt_call &call, NativeStream native) const;

private:
  std::shared_ptr<DeviceState> device;
  std::shared_ptr<tw_rt_kernel> kernel;
};

/// A kernel of a bundle, which picks variant and grid itself.
class BundleKernel {
public:
  BundleKernel(std::shared_ptr<DeviceState> device,
               std::shared_ptr<tw_rt_dispatch> dispatch)
      : device(std::move(device)), dispatch(std::move(dispatch)) {}

  const tw_rt_kernel *get() const {
    return tw_rt_dispatch_kernel(dispatch.get());
  }
  /// The number of the variant that was launched.
  uint32_t launch(const tw_rt_value *values, size_t count,
                  NativeStream native) const;

private:
  std::shared_ptr<DeviceState> device;
  std::shared_ptr<tw_rt_dispatch> dispatch;
};

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_HANDLES_H
