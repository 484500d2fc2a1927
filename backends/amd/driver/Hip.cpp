//===- Hip.cpp - HIP's runtime, opened at run time --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads libamdhip64.so and looks up every function of Hip.def. HIP has a
// current device where CUDA has a current context: a context is the number of a
// device, plus one.
//===----------------------------------------------------------------------===//
#include "backends/amd/driver/Hip.h"

#include <algorithm>
#include <dlfcn.h>

using namespace tilewright::amd::hip;

namespace tilewright::gpu {

static Driver driver = {};

/// Of the library, the newest version that is installed; the bare name comes
/// with the development files.
const Vendor vendor = {
    "amd",
    "AMD",
    "AMD driver: runs kernels through libamdhip64.so",
    "amd driver 0.1",
    "HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES hide devices from a process",
    {/*major=*/23, /*minor=*/61, /*threadsPerBlock=*/56, /*gridX=*/29,
     /*gridY=*/30, /*gridZ=*/31, /*processors=*/63, /*sharedBytes=*/74,
     /*cooperative=*/10, /*isIntegrated=*/16},
    /*launchEnd=*/reinterpret_cast<void *>(3),
    /*maxGridThreads=*/0xffffffff,
    {{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
      "libamdhip64.so"},
     "libamdhip64.so, HIP's runtime library, cannot be opened (versions 7, 6 "
     "and 5 were tried)",
     "HIP's runtime library",
     &driver}};

std::string describe(const Api &api, Status status) {
  const char *name = driverOf(api).getErrorName(status);
  const char *text = driverOf(api).getErrorString(status);
  if (!name)
    return "HIP error " + std::to_string(status);
  return std::string(name) + (text ? std::string(": ") + text : "");
}

//===--- What HIP does another way ----------------------------------------===//

static Context contextOf(int device) {
  return reinterpret_cast<Context>(static_cast<uintptr_t>(device) + 1);
}

static Status retainContext(Context *context, int device) {
  *context = contextOf(device);
  return Success;
}

static Status releaseContext(int) { return Success; }

static Status getContext(Context *context) {
  int device = 0;
  Status status = driver.getDevice(&device);
  *context = contextOf(device);
  return status;
}

static Status setContext(Context context) {
  return driver.setDevice(
      static_cast<int>(reinterpret_cast<uintptr_t>(context) - 1));
}

/// Two halves of the first word, then copies that double what is there.
static Status fillLongWords(Address address, uint64_t pattern, size_t count,
                            Stream stream) {
  uint32_t low = static_cast<uint32_t>(pattern);
  uint32_t high = static_cast<uint32_t>(pattern >> 32);
  if (low == high)
    return driver.memsetD32Async(address, low, 2 * count, stream);
  Status status = driver.memsetD32Async(address, low, 1, stream);
  if (status == Success)
    status = driver.memsetD32Async(address + 4, high, 1, stream);
  for (size_t done = 1; done < count && status == Success;) {
    size_t more = std::min(done, count - done);
    status =
        driver.memcpyDtoDAsync(address + 8 * done, address, 8 * more, stream);
    done += more;
  }
  return status;
}

//===--- Opening ----------------------------------------------------------===//

const char *lookUp(void *library) {
  const char *missing = nullptr;
#define HIP_OPTIONAL(member, symbol)                                           \
  driver.member =                                                              \
      reinterpret_cast<decltype(driver.member)>(dlsym(library, #symbol));
#define HIP_FUNCTION(member, symbol)                                           \
  HIP_OPTIONAL(member, symbol)                                                 \
  if (!driver.member && !missing)                                              \
    missing = #symbol;
#define HIP_OWN(member, symbol) HIP_FUNCTION(member, symbol)
#include "backends/amd/driver/Hip.def"
  driver.primaryContextRetain = retainContext;
  driver.primaryContextRelease = releaseContext;
  driver.contextGetCurrent = getContext;
  driver.contextSetCurrent = setContext;
  driver.memsetD64Async = fillLongWords;
  if (!missing && !driver.getProperties6 && !driver.getProperties)
    missing = "hipGetDeviceProperties";
  return missing;
}

} // namespace tilewright::gpu
