//===- PrintFormat.h - Printed lines ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on devices record what they print as a format and numbers; drivers
// make text of it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_HOST_PRINTFORMAT_H
#define TILEWRIGHT_BACKENDS_COMMON_HOST_PRINTFORMAT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewright::host {

/// C's printf over values of 64 bits: integers zero-extended, floats as
/// doubles. Conversions without a value are left out.
std::string formatRecord(const std::string &format, const uint64_t *values,
                         size_t count);

} // namespace tilewright::host

#endif // TILEWRIGHT_BACKENDS_COMMON_HOST_PRINTFORMAT_H
