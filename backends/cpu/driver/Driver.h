//===- Driver.h - Objects of the CPU driver ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind the opaque types of plugin.h, and the two tables.
// Launches run before `launch` returns; so streams are in order by nature, and
// what a stream keeps is its scratch memory and its sticky error.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_DRIVER_DRIVER_H
#define TILEWRIGHT_BACKENDS_CPU_DRIVER_DRIVER_H

#include "backends/cpu/driver/KernelABI.h"
#include "backends/cpu/driver/ThreadPool.h"
#include "tilewright/plugin.h"
#include "tilewright/sdk/HostRuntime.h"

#include <string>

namespace tilewright::cpu {

/// Serialises device prints of all streams of a backend.
struct Printer {
  const tw_print_interface *interface = nullptr; // NULL: text is dropped
  std::mutex mutex;
};

struct Stream;

/// The services that `stream`'s kernels get.
tw_cpu_services makeServices(Stream *stream);

/// Emits an unlocated error.
void emitError(const tw_sink *sink, uint32_t code, const std::string &message,
               const char *hint);

extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;

// The slots that live in Modules.cpp.
int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

} // namespace tilewright::cpu

struct tw_backend {
  explicit tw_backend(unsigned threads) : pool(threads) {}
  tilewright::cpu::ThreadPool pool;
  tilewright::cpu::Printer printer;
};

struct tw_device {
  tw_backend *backend;
};

/// Every tw_stream of this plugin is one.
struct tilewright::cpu::Stream : tw_stream {
  explicit Stream(tw_backend *backend)
      : backend(backend), services(makeServices(this)) {}
  tw_backend *backend;
  Scratch scratch;
  tw_cpu_services services;
};

struct tw_module {
  void *library; // from dlopen
};

struct tw_kernel {
  tw_cpu_kernel_fn function;
  uint32_t blockBytes;
  uint32_t flags; // TW_KERNEL_*
  uint64_t scratchBytes;
  uint64_t scratchAlignment;
};

#endif // TILEWRIGHT_BACKENDS_CPU_DRIVER_DRIVER_H
