//===- runtime.hpp - Load and launch artifacts, C++ -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header-only, C++17: owning objects over runtime.h. Failures are thrown as
// tilewright::Error. Thread rules are those of runtime.h.
//
//   tilewright::Context context;
//   tilewright::Device device = context.open("cpu");
//   tilewright::Kernel kernel = device.load("add.twa").kernel();
//   tilewright::Buffer x = device.allocate(4 * n);
//   tilewright::Stream stream = device.stream();
//   kernel.launch(stream, {blocks}, x, y, out, n);
//   stream.synchronize();
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_HPP
#define TILEWRIGHT_RUNTIME_HPP

#include "tilewright/runtime.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tilewright {

/// A failed call: what() is "TW6003: message\n  hint: next step".
class Error : public std::runtime_error {
public:
  Error(int32_t status, uint32_t code, const std::string &text)
      : std::runtime_error(text), statusNumber(status), codeNumber(code) {}
  int32_t status() const { return statusNumber; } ///< TW_E_*
  uint32_t code() const { return codeNumber; }    ///< the number of `TWnnnn`

private:
  int32_t statusNumber;
  uint32_t codeNumber;
};

namespace detail {
inline tw_str str(std::string_view text) { return {text.data(), text.size()}; }

inline void check(int32_t status) {
  if (status == TW_OK)
    return;
  tw_rt_error error = {};
  error.size = sizeof error;
  tw_rt_last_error(&error);
  std::string text(error.message.data, error.message.size);
  if (error.hint.size)
    text += "\n  hint: " + std::string(error.hint.data, error.hint.size);
  throw Error(status, error.code, text);
}

/// Calls a function that writes text into a writer.
template <typename Function> std::string collect(Function function) {
  std::string text;
  tw_writer writer = {&text, [](void *ctx, const char *data, uint64_t size) {
                        static_cast<std::string *>(ctx)->append(data, size);
                      }};
  check(function(writer));
  return text;
}

template <typename Handle, void (*Release)(Handle *)> struct Deleter {
  void operator()(Handle *handle) const { Release(handle); }
};
template <typename Handle, void (*Release)(Handle *)>
using Owner = std::unique_ptr<Handle, Deleter<Handle, Release>>;
} // namespace detail

/// Number of programs on each axis.
struct Grid {
  Grid(int64_t x, int64_t y = 1, int64_t z = 1) : value{x, y, z} {}
  tw_rt_grid value;
};

class Event {
public:
  explicit Event(tw_rt_event *event) : owner(event) {}
  tw_rt_event *get() const { return owner.get(); }
  void synchronize() { detail::check(tw_rt_event_synchronize(get())); }
  /// Nanoseconds from this event to `end`.
  uint64_t elapsed(const Event &end) const {
    uint64_t nanoseconds = 0;
    detail::check(tw_rt_event_elapsed(get(), end.get(), &nanoseconds));
    return nanoseconds;
  }

private:
  detail::Owner<tw_rt_event, tw_rt_event_release> owner;
};

class Stream {
public:
  explicit Stream(tw_rt_stream *stream) : owner(stream) {}
  tw_rt_stream *get() const { return owner.get(); }
  /// Waits; throws the first error of device code since the last call.
  void synchronize() { detail::check(tw_rt_stream_synchronize(get())); }
  void record(Event &event) {
    detail::check(tw_rt_event_record(event.get(), get()));
  }
  void wait(Event &event) {
    detail::check(tw_rt_stream_wait(get(), event.get()));
  }

private:
  detail::Owner<tw_rt_stream, tw_rt_stream_release> owner;
};

class Buffer {
public:
  explicit Buffer(tw_rt_buffer *buffer) : owner(buffer) {}
  tw_rt_buffer *get() const { return owner.get(); }
  uint64_t address() const { return tw_rt_buffer_address(get()); }
  uint64_t bytes() const { return tw_rt_buffer_bytes(get()); }

  /// Copies host memory in; it must stay valid until the stream has been
  /// synchronised.
  void write(Stream &stream, const void *host, uint64_t size,
             uint64_t offset = 0) {
    detail::check(tw_rt_buffer_write(stream.get(), get(), offset, host, size));
  }
  void read(Stream &stream, void *host, uint64_t size,
            uint64_t offset = 0) const {
    detail::check(tw_rt_buffer_read(stream.get(), get(), offset, host, size));
  }
  /// Fills the whole buffer with a value of 1, 2, 4 or 8 bytes.
  template <typename T> void fill(Stream &stream, T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    uint64_t pattern = 0;
    __builtin_memcpy(&pattern, &value, sizeof value);
    detail::check(tw_rt_buffer_fill(stream.get(), get(), 0, bytes(), pattern,
                                    sizeof value));
  }

private:
  detail::Owner<tw_rt_buffer, tw_rt_buffer_release> owner;
};

/// One launch argument; made implicitly from what launch() is given.
class Value {
public:
  Value(const Buffer &buffer, int64_t offset = 0) {
    value.kind = TW_RT_VALUE_BUFFER;
    value.buffer = buffer.get();
    value.integer = offset;
  }
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Value(T integer) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      value.kind = TW_RT_VALUE_UINT;
      value.address = integer;
    } else {
      value.kind = TW_RT_VALUE_INT;
      value.integer = integer;
    }
  }
  Value(double number) {
    value.kind = TW_RT_VALUE_FLOAT;
    value.number = number;
  }
  /// A device address; `bytes` (if known) lets the launcher prove that two
  /// arguments do not overlap.
  static Value address(uint64_t address, uint64_t bytes = 0) {
    Value result(0.0);
    result.value = {};
    result.value.kind = TW_RT_VALUE_ADDRESS;
    result.value.address = address;
    result.value.bytes = bytes;
    return result;
  }

  tw_rt_value value = {};
};

struct Argument {
  std::string name;
  uint32_t dtype; ///< TW_DTYPE_*; of a pointer: the pointee's
  bool isPointer;
  uint32_t offset; ///< in the packed block
  uint32_t bytes;
};

class Kernel {
public:
  explicit Kernel(tw_rt_kernel *kernel) : owner(kernel) {}
  tw_rt_kernel *get() const { return owner.get(); }

  template <typename... Values>
  void launch(Stream &stream, const Grid &grid, const Values &...values) {
    if constexpr (sizeof...(values) == 0) {
      detail::check(tw_rt_launch(stream.get(), get(), &grid.value, nullptr, 0));
    } else {
      tw_rt_value packed[] = {Value(values).value...};
      detail::check(tw_rt_launch(stream.get(), get(), &grid.value, packed,
                                 sizeof...(values)));
    }
  }
  /// For blocks that are packed once and launched often.
  void launchPacked(Stream &stream, const Grid &grid, const void *block,
                    uint64_t size) {
    detail::check(
        tw_rt_launch_packed(stream.get(), get(), &grid.value, block, size));
  }

  std::vector<Argument> arguments() const {
    std::vector<Argument> list;
    for (uint32_t i = 0, e = tw_rt_kernel_argument_count(get()); i < e; ++i) {
      tw_rt_argument argument = {};
      argument.size = sizeof argument;
      detail::check(tw_rt_kernel_argument(get(), i, &argument));
      list.push_back({std::string(argument.name.data, argument.name.size),
                      argument.dtype, argument.pointer != 0, argument.offset,
                      argument.bytes});
    }
    return list;
  }
  uint32_t blockBytes() const { return tw_rt_kernel_block_bytes(get()); }

private:
  detail::Owner<tw_rt_kernel, tw_rt_kernel_release> owner;
};

class Artifact {
public:
  explicit Artifact(tw_rt_artifact *artifact) : owner(artifact) {}
  tw_rt_artifact *get() const { return owner.get(); }
  /// A kernel by name; the only one without.
  Kernel kernel(std::string_view name = {}) const {
    tw_rt_kernel *kernel = nullptr;
    detail::check(tw_rt_kernel_find(get(), detail::str(name), &kernel));
    return Kernel(kernel);
  }
  /// JSON text (docs/formats.md).
  std::string manifest() const {
    return detail::collect(
        [&](tw_writer out) { return tw_rt_artifact_manifest(get(), out); });
  }

private:
  detail::Owner<tw_rt_artifact, tw_rt_artifact_release> owner;
};

/// A kernel of a bundle: picks variant and grid itself.
class Dispatch {
public:
  explicit Dispatch(tw_rt_dispatch *dispatch) : owner(dispatch) {}
  tw_rt_dispatch *get() const { return owner.get(); }
  /// The number of the variant that runs.
  template <typename... Values>
  uint32_t launch(Stream &stream, const Values &...values) {
    uint32_t chosen = 0;
    tw_rt_value packed[] = {Value(values).value..., Value(0).value};
    detail::check(tw_rt_dispatch_launch(stream.get(), get(), packed,
                                        sizeof...(values), &chosen));
    return chosen;
  }

private:
  detail::Owner<tw_rt_dispatch, tw_rt_dispatch_release> owner;
};

class Bundle {
public:
  explicit Bundle(tw_rt_bundle *bundle) : owner(bundle) {}
  tw_rt_bundle *get() const { return owner.get(); }
  /// A kernel by name; the only one without.
  Dispatch kernel(std::string_view name = {}) const {
    tw_rt_dispatch *dispatch = nullptr;
    detail::check(tw_rt_bundle_find(get(), detail::str(name), &dispatch));
    return Dispatch(dispatch);
  }
  /// JSON text (docs/formats.md).
  std::string manifest() const {
    return detail::collect(
        [&](tw_writer out) { return tw_rt_bundle_manifest(get(), out); });
  }

private:
  detail::Owner<tw_rt_bundle, tw_rt_bundle_release> owner;
};

class Device {
public:
  explicit Device(tw_rt_device *device) : owner(device) {}
  tw_rt_device *get() const { return owner.get(); }
  std::string name() const {
    return detail::collect(
        [&](tw_writer out) { return tw_rt_device_name(get(), out); });
  }
  /// The value of a capability, empty when it is absent or not known.
  std::optional<int64_t> capability(uint32_t id) const {
    uint32_t answer = 0;
    int64_t value = 0;
    detail::check(tw_rt_device_capability(get(), id, &answer, &value, nullptr));
    return answer == 2 ? std::optional<int64_t>(value) : std::nullopt;
  }

  Buffer allocate(uint64_t bytes) const {
    tw_rt_buffer *buffer = nullptr;
    detail::check(tw_rt_buffer_create(get(), bytes, &buffer));
    return Buffer(buffer);
  }
  /// Host memory used in place; it must outlive the buffer.
  Buffer wrap(void *host, uint64_t bytes) const {
    tw_rt_buffer *buffer = nullptr;
    detail::check(tw_rt_buffer_wrap(get(), host, bytes, &buffer));
    return Buffer(buffer);
  }
  Stream stream() const {
    tw_rt_stream *stream = nullptr;
    detail::check(tw_rt_stream_create(get(), &stream));
    return Stream(stream);
  }
  /// A stream of the vendor's own runtime, e.g. a CUstream.
  Stream wrapStream(uint64_t native) const {
    tw_rt_stream *stream = nullptr;
    detail::check(tw_rt_stream_wrap(get(), native, &stream));
    return Stream(stream);
  }
  Event event() const {
    tw_rt_event *event = nullptr;
    detail::check(tw_rt_event_create(get(), &event));
    return Event(event);
  }
  Artifact load(std::string_view path) const {
    tw_rt_artifact *artifact = nullptr;
    detail::check(
        tw_rt_artifact_load_file(get(), detail::str(path), &artifact));
    return Artifact(artifact);
  }
  Artifact loadBytes(const void *data, uint64_t size) const {
    tw_rt_artifact *artifact = nullptr;
    detail::check(tw_rt_artifact_load(get(), {data, size}, &artifact));
    return Artifact(artifact);
  }

  Bundle loadBundle(std::string_view path) const {
    tw_rt_bundle *bundle = nullptr;
    detail::check(tw_rt_bundle_load_file(get(), detail::str(path), &bundle));
    return Bundle(bundle);
  }
  Bundle loadBundleBytes(const void *data, uint64_t size) const {
    tw_rt_bundle *bundle = nullptr;
    detail::check(tw_rt_bundle_load(get(), {data, size}, &bundle));
    return Bundle(bundle);
  }

private:
  detail::Owner<tw_rt_device, tw_rt_device_release> owner;
};

struct ContextOptions {
  std::vector<std::string> pluginPaths;
  std::vector<std::string> searchFolders;
  std::optional<int64_t> threads; ///< of the CPU; empty: all processors
};

class Context {
public:
  explicit Context(const ContextOptions &options = {}) {
    std::vector<tw_str> paths, folders;
    for (const std::string &path : options.pluginPaths)
      paths.push_back(detail::str(path));
    for (const std::string &folder : options.searchFolders)
      folders.push_back(detail::str(folder));
    tw_option threads = {};
    threads.key = detail::str("threads");
    threads.kind = TW_VALUE_INT;
    threads.integer = options.threads.value_or(0);
    tw_rt_config config = {};
    config.size = sizeof config;
    config.plugin_paths = paths.data();
    config.plugin_path_count = paths.size();
    config.search_folders = folders.data();
    config.search_folder_count = folders.size();
    config.options = &threads;
    config.option_count = options.threads ? 1 : 0;
    tw_rt_context *context = nullptr;
    detail::check(tw_rt_context_create(&config, &context));
    owner.reset(context);
  }
  tw_rt_context *get() const { return owner.get(); }
  uint32_t deviceCount(std::string_view target) const {
    uint32_t count = 0;
    detail::check(tw_rt_device_count(get(), detail::str(target), &count));
    return count;
  }
  Device open(std::string_view target) const {
    tw_rt_device *device = nullptr;
    detail::check(tw_rt_device_open(get(), detail::str(target), &device));
    return Device(device);
  }
  /// Each plugin found, and why those left out were left out.
  std::string pluginReport() const {
    return detail::collect(
        [&](tw_writer out) { return tw_rt_plugin_report(get(), out); });
  }

private:
  detail::Owner<tw_rt_context, tw_rt_context_release> owner;
};

} // namespace tilewright

#endif // TILEWRIGHT_RUNTIME_HPP
