//===- Driver.h - Objects of the OpenCL driver ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind the opaque types of plugin.h, and the two tables.
// Streams are in-order command queues; work on them is asynchronous.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_DRIVER_DRIVER_H
#define TILEWRIGHT_BACKENDS_SPIRV_DRIVER_DRIVER_H

#include "backends/spirv/driver/KernelABI.h"
#include "backends/spirv/driver/MemoryMap.h"
#include "backends/spirv/opencl/Device.h"
#include "tilewright/plugin.h"
#include "tilewright/sdk/Entry.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace tilewright::spirv {

using opencl::Api;

using host::keepInside;

/// Emits an unlocated error and returns TW_E_DIAGNOSED.
int32_t refuse(const tw_sink *sink, uint32_t code, const std::string &message,
               const std::string &hint = {});

/// TW_OK, or the nearest TW_E_* of an OpenCL status.
int32_t toStatus(cl_int status);

/// Texts of all modules that were ever loaded, by id.
class Texts {
public:
  /// False if another text has the same id.
  bool add(const std::string &text);
  std::string find(uint64_t id);

private:
  std::mutex mutex;
  std::map<uint64_t, std::string> texts;
};

/// A well-formed module as the translation to the SPIR of a device needs it.
std::vector<uint32_t> nameFences(const opencl::Device &device,
                                 tw_bytes payload);
/// Bitcode of SPIR for drivers that take no SPIR-V; empty with `why` set if
/// there is no translator or it refuses.
std::string translateToSpir(tw_bytes payload, std::string &why);

/// Makes the launch memory of a new stream.
int32_t makeLaunchMemory(tw_stream *stream);
/// Hands out what kernels printed and the error they reported, after the queue
/// has finished; TW_E_DEVICE_ERROR if there was one.
int32_t drainLaunchMemory(tw_stream *stream, const tw_sink *sink);

extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;

// The slots of the RUNTIME table, by file.
int32_t countDevices(tw_backend *backend, uint32_t *count);
int32_t openDevice(tw_backend *backend, uint32_t ordinal, const tw_sink *sink,
                   tw_device **device);
void closeDevice(tw_device *device);
int32_t nameDevice(tw_device *device, tw_writer out);
int32_t getCaps(tw_device *device, tw_capability *caps, uint64_t count);

int32_t allocateMemory(tw_device *device, uint64_t bytes, uint64_t alignment,
                       uint64_t *address);
int32_t freeMemory(tw_device *device, uint64_t address);
int32_t importMemory(tw_device *device, void *host, uint64_t bytes,
                     uint64_t *address);
int32_t unimportMemory(tw_device *device, uint64_t address);
int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                   uint64_t bytes, uint32_t kind);
int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                   uint32_t width, uint64_t bytes);

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

int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

} // namespace tilewright::spirv

struct tw_backend {
  const tw_print_interface *print = nullptr; ///< NULL: text is dropped
  std::mutex printMutex;
  tilewright::spirv::Texts texts;

  /// Devices, looked for when they are first asked for.
  const tilewright::opencl::Discovery &devices();

private:
  std::once_flag once;
  tilewright::opencl::Discovery found;
};

struct tw_device {
  tw_backend *backend;
  const tilewright::opencl::Device *info;
  const tilewright::opencl::Api *api;
  cl_context context = nullptr;
  tilewright::spirv::MemoryMap memory;
};

struct tw_stream {
  tw_device *device;
  cl_command_queue queue;
  uint64_t launchMemory = 0; ///< address, see KernelABI.h
  /// Whether the host may read and write the launch memory itself.
  bool isVisible = false;
  /// Whether a synchronisation saw a failure and had no sink to report it to.
  bool keepsFailure = false;

  /// TW_OK, or the nearest TW_E_* of a call on the queue.
  int32_t check(cl_int status) const {
    return tilewright::spirv::toStatus(status);
  }
  /// Whether a kernel has failed already, as far as the host can see.
  bool hasFailed() const;
};

struct tw_event {
  tw_device *device;
  cl_event event = nullptr;
};

struct tw_module {
  tw_device *device;
  cl_program program;
  bool usesHandles;
};

namespace tilewright::spirv {
/// One thread's own kernel object: arguments are the object's state.
struct KernelObject {
  std::thread::id owner;
  cl_kernel kernel;
  KernelObject *next;
};

struct KernelArgument {
  enum class Kind { Value, Pointer, LaunchMemory } kind;
  uint32_t offset; ///< in the user block
  uint32_t bytes;
};
} // namespace tilewright::spirv

struct tw_kernel {
  tw_module *module;
  std::string symbol;
  std::vector<tilewright::spirv::KernelArgument> arguments;
  uint32_t blockBytes;
  uint32_t flags; ///< TW_KERNEL_*
  size_t threads;
  std::atomic<tilewright::spirv::KernelObject *> objects{nullptr};
};

#endif // TILEWRIGHT_BACKENDS_SPIRV_DRIVER_DRIVER_H
