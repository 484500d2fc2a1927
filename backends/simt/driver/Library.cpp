//===- Library.cpp - A driver's library, opened at run time -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins build and load on machines without a driver: its library is opened
// when a device is first asked for, and stays open.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Api.h"

#include <dlfcn.h>

namespace tilewright::gpu {

static void *openFirst(const Library &library) {
  for (const char *file : library.files)
    if (void *opened = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr)
      return opened;
  return nullptr;
}

/// Empty, or why there is no driver.
static std::string start(const Library &library) {
  void *opened = openFirst(library);
  if (!opened)
    return library.absent;
  if (const char *missing = lookUp(opened))
    return std::string(library.title) + " is too old: it lacks " + missing;
  if (Status status = library.api->init(0))
    return std::string(library.title) +
           " does not start: " + describe(*library.api, status);
  library.api->driverGetVersion(&library.api->version);
  return "";
}

const Api *openApi(std::string &why) {
  static const std::string problem = start(vendor.library);
  why = problem;
  return problem.empty() ? vendor.library.api : nullptr;
}

} // namespace tilewright::gpu
