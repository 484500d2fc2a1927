//===- Errors.cpp - The last error of a thread ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept per thread, because a failed call may have no object to keep it in.
//===----------------------------------------------------------------------===//
#include "runtime/Errors.h"

#include "tilewright/plugin.h"
#include "tilewright/runtime.h"

namespace tilewright::runtime {

namespace {
struct LastError {
  Problem problem;
  std::string rendered; // with the "TWnnnn: " prefix
};
} // namespace

static LastError &lastError() {
  static thread_local LastError error;
  return error;
}

int32_t fail(Problem problem) {
  LastError &last = lastError();
  last.rendered = "TW" + std::to_string(problem.code) + ": " + problem.message;
  last.problem = std::move(problem);
  return last.problem.status;
}

int32_t fail(int32_t status, uint32_t code, std::string message,
             std::string hint) {
  Problem problem;
  problem.set(status, code, std::move(message), std::move(hint));
  return fail(std::move(problem));
}

int32_t failFromDevice(int32_t status, const char *what) {
  const std::string name(what);
  switch (status) {
  case TW_E_DEVICE_ERROR:
    return fail(status, 6017,
                name + " refused: an earlier launch on this stream failed",
                "synchronise the stream to see why and to clear the error");
  case TW_E_EXHAUSTED:
    return fail(status, 6002, name + " failed: out of device memory",
                "free buffers or use smaller ones");
  case TW_E_PRECONDITION:
    return fail(status, 6018, name + " failed: the event was not recorded",
                "record it on a stream first");
  case TW_E_UNIMPLEMENTED:
    return fail(status, 6019, name + " does not exist on this device",
                "the device's capabilities say what does");
  case TW_E_INTERNAL:
    return fail(status, 6019, name + " failed inside the plugin",
                "report it to the plugin's vendor; 'tilewright plugin-check' "
                "examines the plugin");
  default:
    return fail(status, 6019,
                name + " failed with status " + std::to_string(status),
                "tilewright/base.h says what the interface's statuses mean");
  }
}

int32_t failNull(const char *what) {
  return fail(TW_E_INVALID_ARGUMENT, 6013,
              std::string("expected ") + what + ", got NULL",
              "see tilewright/runtime.h");
}

} // namespace tilewright::runtime

using namespace tilewright::runtime;

extern "C" int32_t tw_rt_last_error(tw_rt_error *error) {
  if (!error)
    return TW_E_INVALID_ARGUMENT;
  const LastError &last = lastError();
  tw_rt_error mine = {};
  mine.status = last.problem.status;
  mine.code = last.problem.code;
  mine.message = tilewright::toStr(last.rendered);
  mine.hint = tilewright::toStr(last.problem.hint);
  return tw_write_struct(error, sizeof mine, &mine);
}

extern "C" uint32_t tw_rt_version(void) {
  return TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
}
