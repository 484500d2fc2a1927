//===- Driver.h - Objects of a GPU driver plugin ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind the opaque types of plugin.h, and the two tables.
// Everything lives in a device's primary context, so that streams, pointers and
// events of PyTorch and of CUDA's or HIP's runtime can be used as they are.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_DRIVER_DRIVER_H
#define TILEWRIGHT_BACKENDS_SIMT_DRIVER_DRIVER_H

#include "backends/simt/driver/Api.h"
#include "backends/simt/driver/KernelABI.h"
#include "backends/simt/driver/Prints.h"
#include "tilewright/plugin.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tilewright::gpu {

constexpr uint32_t maxDeviceBlock = 4096; ///< bytes of a kernel's parameters
constexpr size_t maxArguments = 512;

/// What a device can do; read once.
struct Limits {
  int major = 0;
  int minor = 0;
  int threadsPerBlock = 0;
  int sharedBytes = 0; ///< of a block, opted in
  int grid[3] = {0, 0, 0};
  int processors = 0;
  bool cooperative = false;
};

/// Makes a device's context current for a scope. The host's own choice comes
/// back afterwards: frameworks read their current device from it.
class ContextScope {
public:
  explicit ContextScope(const tw_device &device);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;

private:
  const Api &api;
  Context previous = nullptr;
  bool changed = false;
};

/// Lets calls that allocate or load run while some stream is captured.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Api &api) : api(api) {
    api.threadExchangeCaptureMode(&mode);
  }
  ~RelaxedCapture() { api.threadExchangeCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;

private:
  const Api &api;
  int mode = CaptureModeRelaxed;
};

void emitError(const tw_sink *sink, uint32_t code, const std::string &message,
               const char *hint);

/// The TW_E_* of a driver's status outside launches.
int32_t toStatus(Status status);

extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;

// The slots of runtimeTable, by file.
// Streams.cpp
int32_t createStream(tw_device *device, tw_stream **stream);
int32_t wrapStream(tw_device *device, uint64_t native, tw_stream **stream);
int32_t nativeStream(tw_stream *stream, uint64_t *native);
void destroyStream(tw_stream *stream);
int32_t synchronizeStream(tw_stream *stream, const tw_sink *sink);
int32_t waitStream(tw_stream *stream, tw_event *event);
int32_t createEvent(tw_device *device, tw_event **event);
void destroyEvent(tw_event *event);
int32_t recordEvent(tw_event *event, tw_stream *stream);
int32_t synchronizeEvent(tw_event *event);
int32_t elapsedBetween(tw_event *start, tw_event *end, uint64_t *nanoseconds);
// Modules.cpp
int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);

// The slots of launchTable, by file.
// Prepare.cpp
int32_t prepareKernel(tw_module *module, const tw_kernel_record *record,
                      const tw_sink *sink, tw_kernel **kernel);
// Launch.cpp
int32_t launchKernel(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                     const void *args, uint32_t argsSize, const void *ext);
int32_t encodeArguments(tw_kernel *kernel, const tw_dims *dims,
                        const void *args, uint32_t argsSize, void *device,
                        uint32_t capacity, uint32_t *written);

} // namespace tilewright::gpu

struct tw_backend {
  const tw_print_interface *print = nullptr; // NULL: text is dropped
};

struct tw_device {
  const tilewright::gpu::Api *api;
  int handle;
  tilewright::gpu::Context context;
  tilewright::gpu::Limits limits;
  std::string arch;
  tw_gpu_failure *failure; // pinned, written by device code
  uint64_t failureOnDevice;
  const tw_print_interface *print;
  tilewright::gpu::Prints prints;
  std::mutex mutex;
  // What the driver gave for addresses aligned further than it aligns.
  std::map<tilewright::gpu::Address, tilewright::gpu::Address> bases;

  bool hasFailed() const {
    return __atomic_load_n(&failure->state, __ATOMIC_ACQUIRE) == 2;
  }
};

struct tw_stream {
  tw_device *device;
  tilewright::gpu::Stream native;
  bool owned;
  // Name of the kernel launched last, for messages; texts live for ever.
  std::atomic<const char *> lastKernel;
};

struct tw_event {
  tw_device *device;
  tilewright::gpu::Event native;
  bool recorded;
};

struct tw_module {
  tw_device *device;
  tilewright::gpu::Module native;
  std::vector<tilewright::gpu::Address> formats; // of what it prints
};

namespace tilewright::gpu {

/// One value of the device block that is no copy of the user's.
struct HiddenValue {
  enum Kind { Programs, First, Scratch, Scalar, TensorMap } kind;
  uint32_t offset = 0; ///< in the device block
  uint32_t axis = 0;
  uint32_t dtype = 0;
  std::vector<std::string> expressions;
  std::vector<uint32_t> attributes;
};

/// What a tensor map is made from; arrays of `rank`, the fastest first.
struct TensorMapRequest {
  uint32_t dtype;
  uint32_t rank;
  uint64_t address;
  const uint64_t *sizes;
  const uint64_t *strides; ///< bytes; one fewer
  const uint32_t *box;
  const uint32_t *steps;
  /// Swizzle and interleave in bytes, the fill, promotion in bytes.
  const uint32_t *rest;
};

/// A run of bytes that both blocks have.
struct CopiedBytes {
  uint32_t from;
  uint32_t to;
  uint32_t bytes;
};

/// An argument as the expressions of derived parameters see it.
struct ScalarArgument {
  uint32_t offset;
  uint32_t dtype;
};

} // namespace tilewright::gpu

struct tw_kernel {
  tw_device *device;
  tilewright::gpu::Function function;
  const char *name;
  uint32_t flags; // TW_KERNEL_*
  uint32_t userBytes;
  uint32_t deviceBytes;
  unsigned block[3];
  unsigned cluster[3];
  bool clustered;
  unsigned sharedBytes;   // dynamic
  int64_t maxGrid[3];     // blocks of one launch
  int64_t residentBlocks; // of a strided kernel; 0: one block a program
  uint64_t scratchBytes;
  std::string scratchFormula;
  std::vector<tilewright::gpu::CopiedBytes> copies;
  std::vector<tilewright::gpu::HiddenValue> hidden;
  std::vector<tilewright::gpu::ScalarArgument> arguments;
  bool needsValues; // expressions read the arguments
};

#endif // TILEWRIGHT_BACKENDS_SIMT_DRIVER_DRIVER_H
