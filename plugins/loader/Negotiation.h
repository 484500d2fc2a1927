//===- Negotiation.h - Offer and answer -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two-way handshake with a plugin's entry function, apart from files and
// dlopen so that tests can hand in any entry.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_NEGOTIATION_H
#define TILEWRIGHT_PLUGINS_LOADER_NEGOTIATION_H

#include "plugins/loader/Tables.h"
#include "tilewright/portable.h"

#include <functional>
#include <string>

namespace tilewright::plugins {

/// What the host says about itself.
struct HostVersions {
  uint32_t minVersion = TW_ABI_VERSION(0, 1);
  uint32_t maxVersion = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  std::string buildId = "tilewright 0.1";
  uint32_t portableMin = TW_PORTABLE_OLDEST; // versions of tw.portable
  uint32_t portableMax = TW_PORTABLE_NEWEST;
};

/// A plugin that agreed: copied texts, complete tables.
struct Agreement {
  uint32_t version = 0;
  uint32_t flags = 0;
  uint32_t profiles = 0;
  uint32_t portableMin = 0; // versions of tw.portable it reads; 0, 0: none
  uint32_t portableMax = 0;
  std::string vendor;
  std::string name;
  std::string buildId;
  std::function<int32_t(const tw_backend_config *, tw_backend **)> open;
  /// What went wrong in the last call that had no sink; may be empty.
  std::function<Problem(tw_backend *)> takeProblem;
  void (*close)(tw_backend *) = nullptr;
  bool isIsolated = false; // its profiles are served by another process
  Tables tables;
};

/// Calls the entry and checks the answer; false with a problem on refusal.
bool negotiate(tw_backend_entry_fn entry, const HostVersions &host,
               Agreement &agreement, Problem &problem);

/// "0.1" for TW_ABI_VERSION(0, 1).
std::string versionText(uint32_t version);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_NEGOTIATION_H
