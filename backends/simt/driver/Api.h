//===- Api.h - A GPU driver's functions, opened at run time -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's driver interface, which HIP repeats with other symbols and some other
// numbers. The plugin of a vendor fills the table and defines the functions
// that are declared under "What a vendor defines".
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_DRIVER_API_H
#define TILEWRIGHT_BACKENDS_SIMT_DRIVER_API_H

#include "tilewright/plugin.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewright::gpu {

using Status = int;
using Address = uint64_t;
using Context = struct ContextObject *;
using Stream = struct StreamObject *;
using Event = struct EventObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;

// CUDA's numbers, which are HIP's as well.
constexpr Status Success = 0;
constexpr Status OutOfMemory = 2;
constexpr Status NoDevice = 100;
constexpr Status InvalidImage = 200;
constexpr Status NoBinaryForGpu = 209;
constexpr Status NotFound = 500;
constexpr unsigned StreamNonBlocking = 1;
constexpr unsigned HostAllocPortable = 1;
constexpr unsigned HostAllocMapped = 2;
constexpr unsigned HostRegisterPortable = 1;
constexpr unsigned HostRegisterMapped = 2;
constexpr int CaptureModeRelaxed = 2;
constexpr int FunctionMaxThreads = 0;

// Words of the `extra` array of a launch with packed parameters; the word that
// ends it is the vendor's.
inline void *const launchBuffer = reinterpret_cast<void *>(1);
inline void *const launchBufferBytes = reinterpret_cast<void *>(2);

/// The functions of Api.def. One for the process, never closed.
struct Api {
#define GPU_FUNCTION(member, ...) Status (*member)(__VA_ARGS__);
#define GPU_OPTIONAL(member, ...) Status (*member)(__VA_ARGS__);
#include "backends/simt/driver/Api.def"
  int version = 0; ///< of the driver, as it counts
};

/// Device attributes in the vendor's numbers.
struct AttributeNumbers {
  int major, minor, threadsPerBlock, gridX, gridY, gridZ, processors,
      sharedBytes, cooperative, isIntegrated;
};

/// The library that has the functions.
struct Library {
  const char *files[4]; ///< tried in this order; null where there are fewer
  const char *absent;   ///< what to say where none can be opened
  const char *title;    ///< in messages, "the NVIDIA driver"
  Api *api;             ///< of the process; `lookUp` fills it
};

/// Texts and numbers of a vendor.
struct Vendor {
  const char *name;        ///< "nvidia"
  const char *title;       ///< "NVIDIA"
  const char *description; ///< of the plugin, "NVIDIA driver: runs ..."
  const char *buildId;
  const char *visibleDevices; ///< how devices are hidden from a process
  AttributeNumbers attributes;
  void *launchEnd;
  /// Threads of a launch along an axis; 0: blocks are limited only.
  uint64_t maxGridThreads;
  Library library;
};

/// Opens and initialises the driver once; nullptr when there is none, with the
/// reason in `why`. Thread-safe.
const Api *openApi(std::string &why);

//===--- What a vendor defines --------------------------------------------===//

extern const Vendor vendor;

/// Fills the table of `vendor.library` with symbols of an open library; returns
/// the first required one that is missing.
const char *lookUp(void *library);

/// "ERROR_X: what it means" in the driver's words.
std::string describe(const Api &api, Status status);

struct Limits;
/// "sm_90", "gfx942".
std::string architectureOf(const Api &api, int handle, const Limits &limits);

/// Capabilities that differ by vendor; false for what it does not know.
bool answerCapability(const tw_device &device, uint32_t id, int64_t &value);

/// Refuses a payload that is none of the vendor's, or text that ends early.
int32_t checkPayload(tw_str format, const std::string &image,
                     const tw_sink *sink);
/// Loads code; `log` is what the driver's own compiler says of it.
Status loadImage(const Api &api, const std::string &image, Module &module,
                 std::string &log);
/// What a failed load means, and what to do about it.
struct LoadProblem {
  std::string what;
  const char *hint;
};
LoadProblem explainLoad(const tw_device &device, Status status,
                        const std::string &log);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

/// Whether launches can have clusters, or promise to run all blocks at once.
bool hasClusters(const tw_device &device);
bool hasCooperativeLaunch(const tw_device &device);
/// Sets attributes of a function and loads its code, so that `launch` never
/// does.
Status prepareFunction(const tw_kernel &kernel);
/// A launch with clusters or the promise; only where the two above say so.
Status launchSpecial(const tw_kernel &kernel, Stream stream,
                     const unsigned grid[3], void **extra);

struct TensorMapRequest;
/// Encodes a tensor map of 128 bytes; an error where there are none.
int32_t encodeTensorMap(const tw_device &device,
                        const TensorMapRequest &request, void *out);

} // namespace tilewright::gpu

#endif // TILEWRIGHT_BACKENDS_SIMT_DRIVER_API_H
