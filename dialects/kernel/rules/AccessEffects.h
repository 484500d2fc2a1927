//===- AccessEffects.h - How our ops touch memory, told to MLIR -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few kinds of side effect that the tile dialect and Kernel IR have. All of
// global memory is one resource: passes never reorder accesses by guessing.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_RULES_ACCESSEFFECTS_H
#define TILEWRIGHT_DIALECTS_KERNEL_RULES_ACCESSEFFECTS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::kernel {

using EffectList = llvm::SmallVectorImpl<
    mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

/// What `assume` writes: keeps it alive and under its guard without ordering it
/// against accesses to memory.
struct AssumptionResource
    : public mlir::SideEffects::Resource::Base<AssumptionResource> {
  llvm::StringRef getName() final { return "tilewright assumption"; }
};

inline void addRead(EffectList &effects) {
  effects.emplace_back(mlir::MemoryEffects::Read::get());
}

inline void addWrite(EffectList &effects) {
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

/// The effect of everything that must stay where it is: atomics, volatile
/// reads, barriers, output, clocks.
inline void addReadWrite(EffectList &effects) {
  addRead(effects);
  addWrite(effects);
}

inline void addAssumption(EffectList &effects) {
  effects.emplace_back(mlir::MemoryEffects::Write::get(),
                       AssumptionResource::get());
}

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_RULES_ACCESSEFFECTS_H
