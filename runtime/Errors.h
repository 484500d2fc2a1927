//===- Errors.h - The last error of a thread --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a failure leaves this library: a status, and a text kept per thread.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_ERRORS_H
#define TILEWRIGHT_RUNTIME_ERRORS_H

#include "plugins/loader/Problem.h"

#include <exception>
#include <new>

namespace tilewright::runtime {

/// Keeps `problem` as the calling thread's last error; returns its status.
int32_t fail(Problem problem);

/// The same for a problem built in place.
int32_t fail(int32_t status, uint32_t code, std::string message,
             std::string hint = {});

/// A plugin's bare status, put into words. `what` is "copy", "launch", ...
int32_t failFromDevice(int32_t status, const char *what);

/// The status of a plugin's function that makes `object`. One that reports
/// success and makes none has failed inside.
inline int32_t statusOf(int32_t status, const void *object) {
  return status == TW_OK && !object ? TW_E_INTERNAL : status;
}

/// For a required pointer that is NULL.
int32_t failNull(const char *what);

/// Runs a function body so that no exception crosses the C interface.
template <typename Body> int32_t guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(TW_E_EXHAUSTED, 6002, "out of host memory");
  } catch (const std::exception &error) {
    return fail(TW_E_INTERNAL, 6019, error.what());
  } catch (...) {
    return fail(TW_E_INTERNAL, 6019, "unknown exception");
  }
}

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_ERRORS_H
