//===- HostServices.cpp - What the host lends to plugins --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function may be called from any thread of a plugin.
//===----------------------------------------------------------------------===//
#include "plugins/loader/HostServices.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace tilewright::plugins {

static void *allocateMemory(void *, uint64_t bytes, uint64_t alignment) {
  void *memory = nullptr;
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  if (posix_memalign(&memory, alignment, bytes ? bytes : 1))
    return nullptr;
  return memory;
}

static void releaseMemory(void *, void *memory) { std::free(memory); }

static uint32_t threadHint(void *) {
  uint32_t threads = std::thread::hardware_concurrency();
  return threads ? threads : 1;
}

HostServices::HostServices(HostCallbacks given)
    : callbacks(std::move(given)), services(), printer() {
  if (!callbacks.print)
    callbacks.print = [](std::string_view text) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
    };
  services.size = sizeof services;
  services.ctx = this;
  services.log = [](void *ctx, uint32_t severity, tw_str text) {
    auto &log = static_cast<HostServices *>(ctx)->callbacks.log;
    if (log)
      log(severity, std::string_view(text.data, text.size));
  };
  services.allocate = allocateMemory;
  services.release = releaseMemory;
  services.thread_hint = threadHint;
  services.get_interface = [](void *ctx, tw_str name,
                              uint32_t version) -> const void * {
    bool isPrint = tw_str_equal(name, tw_string(TW_PRINT_INTERFACE_NAME));
    return isPrint && version == 1 ? &static_cast<HostServices *>(ctx)->printer
                                   : nullptr;
  };
  printer.size = sizeof printer;
  printer.ctx = this;
  printer.write = [](void *ctx, const char *text, uint64_t bytes) {
    static_cast<HostServices *>(ctx)->callbacks.print(
        std::string_view(text, bytes));
  };
}

} // namespace tilewright::plugins
