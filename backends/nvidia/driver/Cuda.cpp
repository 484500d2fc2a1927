//===- Cuda.cpp - The CUDA driver, opened at run time -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads libcuda.so.1 and looks up every function of Cuda.def.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Cuda.h"

#include <dlfcn.h>

namespace tilewright::nvidia::cuda {

std::string Driver::describe(Status status) const {
  const char *name = nullptr;
  const char *text = nullptr;
  if (getErrorName(status, &name) != Success || !name)
    return "CUDA error " + std::to_string(status);
  getErrorString(status, &text);
  return std::string(name) + (text ? std::string(": ") + text : "");
}

namespace {
struct Opened {
  Driver driver = {};
  bool usable = false;
  std::string why;
};
} // namespace

/// Fills the table; returns the first required symbol that is missing.
static const char *lookUp(void *library, Driver &driver) {
  const char *missing = nullptr;
#define CUDA_FUNCTION(member, symbol, ...)                                     \
  driver.member =                                                              \
      reinterpret_cast<Status (*)(__VA_ARGS__)>(dlsym(library, #symbol));      \
  if (!driver.member && !missing)                                              \
    missing = #symbol;
#define CUDA_OPTIONAL(member, symbol, ...)                                     \
  driver.member =                                                              \
      reinterpret_cast<Status (*)(__VA_ARGS__)>(dlsym(library, #symbol));
#include "backends/nvidia/driver/Cuda.def"
  return missing;
}

static Opened openOnce() {
  Opened opened;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    opened.why = "libcuda.so.1, the NVIDIA driver's library, cannot be opened";
    return opened;
  }
  if (const char *missing = lookUp(library, opened.driver)) {
    opened.why =
        std::string("the NVIDIA driver is too old: it lacks ") + missing;
    return opened;
  }
  if (Status status = opened.driver.init(0)) {
    opened.why =
        "the NVIDIA driver does not start: " + opened.driver.describe(status);
    return opened;
  }
  opened.driver.driverGetVersion(&opened.driver.version);
  opened.usable = true;
  return opened;
}

const Driver *openDriver(std::string &why) {
  static const Opened opened = openOnce();
  why = opened.why;
  return opened.usable ? &opened.driver : nullptr;
}

} // namespace tilewright::nvidia::cuda
