//===- Respell.h - PTX that assemblers translate rightly --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of spelling, none of meaning.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_RESPELL_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_RESPELL_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::nvidia {

/// LLVM's PTX without what ptxas (12.8 and 13.0 were looked at) takes for
/// something else:
///
/// - 0 - x in 16 bits, by `neg.s16`, `abs.s16` or `sub.s16`, becomes 32-bit
///   arithmetic on what is believed to fit, so that -(-32768) is 32768;
/// - a store of the low bits of a wider register converts the register's number
///   to an integer where the register holds a float.
///
/// Numbers of calls in comments go: LLVM counts them through a process.
///
///     neg.s16 %d, %a;            ->  sub.u16 %d, 0, %a;
///     st.global.b8 [%p], %rd1;   ->  { .reg .b16 %n0; cvt.u16.u64 %n0, %rd1;
///                                      st.global.b8 [%p], %n0; }
std::string respelled(llvm::StringRef ptx);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_RESPELL_H
