//===- Tables.h - The host's copies of a plugin's tables --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin's tables are copied into tables of the host's own size. Slots that
// an older plugin lacks, and optional slots left NULL, become functions that
// return TW_E_UNIMPLEMENTED, so that no caller ever tests a pointer.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_TABLES_H
#define TILEWRIGHT_PLUGINS_LOADER_TABLES_H

#include "plugins/loader/Problem.h"
#include "tilewright/plugin.h"

namespace tilewright::plugins {

/// The four tables, complete; those of absent profiles hold only stubs.
struct Tables {
  tw_compile_table compile;
  tw_runtime_table runtime;
  tw_launch_table launch;
  tw_override_table overrides;
};

/// Copies the tables that `answer` offers; fails when a required slot of an
/// offered profile is missing or a table is malformed.
bool copyTables(const tw_backend_answer &answer, Tables &tables,
                Problem &problem);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_TABLES_H
