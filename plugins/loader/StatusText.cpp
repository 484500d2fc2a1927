//===- StatusText.cpp - Statuses for people ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the usual ones say.
//===----------------------------------------------------------------------===//
#include "plugins/loader/StatusText.h"

#include "tilewright/base.h"

namespace tilewright::plugins {

static const char *meaningOf(int32_t status) {
  switch (status) {
  case TW_E_INVALID_ARGUMENT:
    return ": invalid argument";
  case TW_E_EXHAUSTED:
    return ": memory or another resource is used up";
  case TW_E_UNIMPLEMENTED:
    return ": not implemented";
  case TW_E_INTERNAL:
    return ": internal error of the plugin";
  case TW_E_DATA_LOSS:
    return ": damaged bytes";
  case TW_E_UNKNOWN_FIELD:
    return ": the request has a field that it does not know";
  case TW_E_UNKNOWN_OPTION:
    return ": an option is not known to it";
  case TW_E_DIAGNOSED:
    return ": it promised diagnostics and gave none";
  default:
    return "";
  }
}

std::string statusText(int32_t status) {
  return "status " + std::to_string(status) + meaningOf(status);
}

} // namespace tilewright::plugins
