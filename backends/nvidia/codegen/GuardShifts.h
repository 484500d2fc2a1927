//===- GuardShifts.h - Shifts that LLVM selects rightly ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of spelling that keep LLVM 22's selection of PTX away from two
// rewrites that are wrong.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_GUARDSHIFTS_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_GUARDSHIFTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::nvidia {

/// Respells shifts of an optimised module:
///
/// - LLVM drops the guard of a logical shift, because PTX clamps the amount;
///   but PTX reads 32 bits of it, so an amount of 2^32 shifts by 0 (fixed
///   upstream by llvm/llvm-project#201165). The amount is masked, so that it is
///   no longer the value that the guard compares:
///
///     %in = icmp ult i64 %n, 64              %in = icmp ult i64 %n, 64
///     %s = shl i64 %x, %n                ->  %m = and i64 %n, 63
///     %r = select i1 %in, i64 %s, i64 0      %s = shl i64 %x, %m
///                                            %r = select i1 %in, i64 %s, i64 0
///
/// - An extended `shl nsw` by all bits but one becomes a product with the
///   smallest number, which has the other sign (#200924): `nsw` is dropped.
void guardShifts(llvm::Module &module);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_GUARDSHIFTS_H
