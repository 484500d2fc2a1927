//===- Response.h - What a plugin's compile gave ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked where the plugin's own memory is at hand: in the worker, and in the
// host for plugins that compile there.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_RESPONSE_H
#define TILEWRIGHT_PLUGINS_WORKER_RESPONSE_H

#include "plugins/loader/Problem.h"

#include "tilewright/plugin.h"

namespace tilewright::worker {

/// Refuses (TW5027) unknown flags, tables that the rule for unknown fields
/// refuses, counts without an array, texts without bytes, and sizes that no
/// compile has, however deep: what would be read as something else, or behind
/// its end.
bool checkResponse(const tw_compile_response &response, const std::string &path,
                   Problem &problem);

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_RESPONSE_H
