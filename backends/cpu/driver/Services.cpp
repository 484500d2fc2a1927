//===- Services.cpp - What kernels may call ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints, errors, and double-precision functions of the maths library.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/Driver.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace tilewright::cpu {

static void print(void *ctx, const char *text, uint64_t bytes) {
  Printer &printer = static_cast<tw_stream *>(ctx)->backend->printer;
  if (!printer.interface)
    return;
  std::lock_guard<std::mutex> lock(printer.mutex);
  printer.interface->write(printer.interface->ctx, text, bytes);
}

static void fail(void *ctx, uint32_t code, const char *message,
                 const char *file, uint32_t line) {
  StickyError &error = static_cast<tw_stream *>(ctx)->error;
  uint32_t expected = StickyError::None;
  if (!error.state.compare_exchange_strong(expected, StickyError::Writing))
    return;
  error.code = code;
  error.line = line;
  std::snprintf(error.message, sizeof error.message, "%s",
                message ? message : "the kernel failed");
  std::snprintf(error.file, sizeof error.file, "%s", file ? file : "");
  error.state.store(StickyError::Set, std::memory_order_release);
}

static double math64(uint32_t fn, double a, double b) {
  switch (fn) {
  case TW_CPU_MATH_EXP:
    return std::exp(a);
  case TW_CPU_MATH_EXP2:
    return std::exp2(a);
  case TW_CPU_MATH_LOG:
    return std::log(a);
  case TW_CPU_MATH_LOG2:
    return std::log2(a);
  case TW_CPU_MATH_LOG10:
    return std::log10(a);
  case TW_CPU_MATH_LOG1P:
    return std::log1p(a);
  case TW_CPU_MATH_EXPM1:
    return std::expm1(a);
  case TW_CPU_MATH_SIN:
    return std::sin(a);
  case TW_CPU_MATH_COS:
    return std::cos(a);
  case TW_CPU_MATH_TAN:
    return std::tan(a);
  case TW_CPU_MATH_ASIN:
    return std::asin(a);
  case TW_CPU_MATH_ACOS:
    return std::acos(a);
  case TW_CPU_MATH_ATAN:
    return std::atan(a);
  case TW_CPU_MATH_ATAN2:
    return std::atan2(a, b);
  case TW_CPU_MATH_SINH:
    return std::sinh(a);
  case TW_CPU_MATH_COSH:
    return std::cosh(a);
  case TW_CPU_MATH_TANH:
    return std::tanh(a);
  case TW_CPU_MATH_ASINH:
    return std::asinh(a);
  case TW_CPU_MATH_ACOSH:
    return std::acosh(a);
  case TW_CPU_MATH_ATANH:
    return std::atanh(a);
  case TW_CPU_MATH_POW:
    return std::pow(a, b);
  case TW_CPU_MATH_ERF:
    return std::erf(a);
  case TW_CPU_MATH_ERFC:
    return std::erfc(a);
  case TW_CPU_MATH_CBRT:
    return std::cbrt(a);
  case TW_CPU_MATH_FMOD:
    return std::fmod(a, b);
  case TW_CPU_MATH_HYPOT:
    return std::hypot(a, b);
  case TW_CPU_MATH_LGAMMA: {
    int sign; // lgamma() writes a global
    return lgamma_r(a, &sign);
  }
  case TW_CPU_MATH_TGAMMA:
    return std::tgamma(a);
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

tw_cpu_services makeServices(tw_stream *stream) {
  tw_cpu_services services = {};
  services.size = sizeof services;
  services.print = print;
  services.fail = fail;
  services.ctx = stream;
  services.math64 = math64;
  return services;
}

} // namespace tilewright::cpu
