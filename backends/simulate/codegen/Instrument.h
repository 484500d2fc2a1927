//===- Instrument.h - Announces accesses to the machine ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call before every load, store and atomic of shared and of global memory.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_CODEGEN_INSTRUMENT_H
#define TILEWRIGHT_BACKENDS_SIMULATE_CODEGEN_INSTRUMENT_H

#include "backends/simt/SimtTarget.h"

#include "llvm/IR/Module.h"

namespace tilewright::simulate {

void announceAccesses(llvm::Module &module, const simt::SimtTarget &target);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_CODEGEN_INSTRUMENT_H
