//===- Entry.h - One file of the cache --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry holds the key, what the compiler said, and the artifact, under one
// digest. Format `.twc` of docs/formats.md.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CACHE_ENTRY_H
#define TILEWRIGHT_FRONTEND_DRIVER_CACHE_ENTRY_H

#include "frontend/driver/CompileSession.h"
#include "frontend/driver/cache/Key.h"

namespace tilewright::driver::cache {

struct Entry {
  Key key;
  std::string report;   // writeReport
  std::string artifact; // a .twa file
};

std::string writeEntry(const Entry &entry);
/// Nothing, with TW7202, unless all bytes are those that were written.
std::optional<Entry> readEntry(llvm::StringRef bytes, Problem &problem);

/// Warnings and remarks of a compile as JSON.
std::string writeReport(const CompileOutput &output);
/// Adds those of a report to an output; false when the report is no report.
bool readReport(llvm::StringRef report, CompileOutput &output);

} // namespace tilewright::driver::cache

#endif // TILEWRIGHT_FRONTEND_DRIVER_CACHE_ENTRY_H
