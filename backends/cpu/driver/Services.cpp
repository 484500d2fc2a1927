//===- Services.cpp - What kernels may call ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints, errors, a clock, and the C library's functions on double.
//===----------------------------------------------------------------------===//
#include "backends/common/host/Math64.h"
#include "backends/cpu/driver/Driver.h"

namespace tilewright::cpu {

static void print(void *ctx, const char *text, uint64_t bytes) {
  Printer &printer = static_cast<Stream *>(ctx)->backend->printer;
  if (!printer.interface)
    return;
  std::lock_guard<std::mutex> lock(printer.mutex);
  printer.interface->write(printer.interface->ctx, text, bytes);
}

static void fail(void *ctx, uint32_t code, const char *message,
                 const char *file, uint32_t line) {
  static_cast<Stream *>(ctx)->error.set(code, message, file, line);
}

static uint64_t nanoseconds(void *) { return host::monotonicNanoseconds(); }

tw_cpu_services makeServices(Stream *stream) {
  tw_cpu_services services = {};
  services.size = sizeof services;
  services.print = print;
  services.fail = fail;
  services.ctx = stream;
  services.math64 = host::evaluateMath64;
  services.nanoseconds = nanoseconds;
  return services;
}

} // namespace tilewright::cpu
