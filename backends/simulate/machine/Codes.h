//===- Codes.h - Codes of the machine's findings ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of codes.def.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_CODES_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_CODES_H

#include <cstdint>

namespace tilewright::simulate {

inline constexpr uint32_t kUnordered = 6041;  ///< threads without a barrier
inline constexpr uint32_t kUnwritten = 6042;  ///< a copy that nobody waited for
inline constexpr uint32_t kApart = 6043;      ///< lanes do not meet
inline constexpr uint32_t kOutside = 6044;    ///< no such byte
inline constexpr uint32_t kMisaligned = 6045; ///< less than was promised
inline constexpr uint32_t kFragment = 6046;   ///< what lanes share differs

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_CODES_H
