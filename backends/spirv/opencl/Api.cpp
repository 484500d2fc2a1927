//===- Api.cpp - OpenCL's functions, found at run time ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One look-up a process. Which drivers the loader finds is the loader's affair
// (/etc/OpenCL/vendors).
//===----------------------------------------------------------------------===//
#include "backends/spirv/opencl/Api.h"

#include <dlfcn.h>
#include <mutex>

namespace tilewright::opencl {

static const char *const kLoader = "libOpenCL.so.1";

template <typename Function>
static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Fills `api`; returns the first required function that is missing.
static const char *findAll(void *library, Api &api) {
#define TW_CL_REQUIRED(name)                                                   \
  if (!find(library, #name, api.name))                                         \
    return #name;
#define TW_CL_OPTIONAL(name) find(library, #name, api.name);
#include "backends/spirv/opencl/Functions.def"
  return nullptr;
}

const Api *openApi(std::string &why) {
  static std::mutex mutex;
  static Api api;
  static bool isOpen = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (isOpen)
    return &api;
  void *library = dlopen(kLoader, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    why = dlerror();
    return nullptr;
  }
  if (const char *missing = findAll(library, api)) {
    why = std::string(kLoader) + " lacks " + missing;
    return nullptr;
  }
  isOpen = true;
  return &api;
}

std::string statusName(cl_int status) {
  switch (status) {
#define TW_CL_STATUS(name)                                                     \
  case name:                                                                   \
    return #name;
    TW_CL_STATUS(CL_SUCCESS)
    TW_CL_STATUS(CL_DEVICE_NOT_FOUND)
    TW_CL_STATUS(CL_DEVICE_NOT_AVAILABLE)
    TW_CL_STATUS(CL_COMPILER_NOT_AVAILABLE)
    TW_CL_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    TW_CL_STATUS(CL_OUT_OF_RESOURCES)
    TW_CL_STATUS(CL_OUT_OF_HOST_MEMORY)
    TW_CL_STATUS(CL_BUILD_PROGRAM_FAILURE)
    TW_CL_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    TW_CL_STATUS(CL_INVALID_VALUE)
    TW_CL_STATUS(CL_INVALID_DEVICE)
    TW_CL_STATUS(CL_INVALID_CONTEXT)
    TW_CL_STATUS(CL_INVALID_COMMAND_QUEUE)
    TW_CL_STATUS(CL_INVALID_MEM_OBJECT)
    TW_CL_STATUS(CL_INVALID_BINARY)
    TW_CL_STATUS(CL_INVALID_BUILD_OPTIONS)
    TW_CL_STATUS(CL_INVALID_PROGRAM)
    TW_CL_STATUS(CL_INVALID_PROGRAM_EXECUTABLE)
    TW_CL_STATUS(CL_INVALID_KERNEL_NAME)
    TW_CL_STATUS(CL_INVALID_KERNEL)
    TW_CL_STATUS(CL_INVALID_ARG_INDEX)
    TW_CL_STATUS(CL_INVALID_ARG_VALUE)
    TW_CL_STATUS(CL_INVALID_ARG_SIZE)
    TW_CL_STATUS(CL_INVALID_KERNEL_ARGS)
    TW_CL_STATUS(CL_INVALID_WORK_DIMENSION)
    TW_CL_STATUS(CL_INVALID_WORK_GROUP_SIZE)
    TW_CL_STATUS(CL_INVALID_WORK_ITEM_SIZE)
    TW_CL_STATUS(CL_INVALID_EVENT)
    TW_CL_STATUS(CL_INVALID_OPERATION)
    TW_CL_STATUS(CL_INVALID_BUFFER_SIZE)
    TW_CL_STATUS(CL_INVALID_GLOBAL_WORK_SIZE)
    TW_CL_STATUS(CL_PLATFORM_NOT_FOUND_KHR)
#undef TW_CL_STATUS
  default:
    return "OpenCL status " + std::to_string(status);
  }
}

} // namespace tilewright::opencl
