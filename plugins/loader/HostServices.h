//===- HostServices.h - What the host lends to plugins ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, threads, log, and where the text of device prints goes.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_HOSTSERVICES_H
#define TILEWRIGHT_PLUGINS_LOADER_HOSTSERVICES_H

#include "tilewright/plugin.h"

#include <functional>
#include <string_view>

namespace tilewright::plugins {

/// Receivers of a host; empty ones drop logs and send prints to stdout.
struct HostCallbacks {
  std::function<void(uint32_t severity, std::string_view text)> log;
  std::function<void(std::string_view text)> print;
};

/// The services table over some callbacks; neither moves nor copies, because
/// plugins keep its address until their backend is closed.
class HostServices {
public:
  explicit HostServices(HostCallbacks callbacks);
  HostServices(const HostServices &) = delete;
  HostServices &operator=(const HostServices &) = delete;

  const tw_host_services *table() const { return &services; }

private:
  HostCallbacks callbacks;
  tw_host_services services;
  tw_print_interface printer;
};

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_HOSTSERVICES_H
