//===- Instrument.cpp - Announces accesses to the machine -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before the optimiser, so that every access is seen as the emitter made
// it, with its width and the alignment that it promises.
//===----------------------------------------------------------------------===//
#include "backends/simulate/codegen/Instrument.h"

#include "backends/simulate/hooks/LaneServices.h"
#include "backends/simulate/machine/Services.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace tilewright::simulate {

namespace {
struct MemoryAccess {
  llvm::Value *pointer;
  llvm::Type *type;
  llvm::Align alignment;
  services::Access kind;
};
} // namespace

static std::optional<MemoryAccess> readAccess(llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return MemoryAccess{load->getPointerOperand(), load->getType(),
                        load->getAlign(), services::Read};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return MemoryAccess{store->getPointerOperand(),
                        store->getValueOperand()->getType(), store->getAlign(),
                        services::Write};
  if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return MemoryAccess{rmw->getPointerOperand(), rmw->getType(),
                        rmw->getAlign(), services::Atomic};
  if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return MemoryAccess{swap->getPointerOperand(),
                        swap->getNewValOperand()->getType(), swap->getAlign(),
                        services::Atomic};
  return std::nullopt;
}

static void announce(llvm::Instruction &before, const MemoryAccess &access,
                     const char *service) {
  llvm::IRBuilder<> b(&before);
  llvm::Module &module = *before.getModule();
  llvm::Value *lane = before.getFunction()->getArg(0);
  uint64_t bytes = module.getDataLayout().getTypeStoreSize(access.type);
  llvm::Value *operands[] = {
      lane,
      b.CreateAddrSpaceCast(access.pointer, b.getPtrTy()),
      b.getInt32(uint32_t(bytes)),
      b.getInt32(uint32_t(access.alignment.value())),
      b.getInt32(access.kind),
      placeOf(before)};
  auto *type =
      llvm::FunctionType::get(b.getVoidTy(),
                              {b.getPtrTy(), b.getPtrTy(), b.getInt32Ty(),
                               b.getInt32Ty(), b.getInt32Ty(), b.getPtrTy()},
                              /*isVarArg=*/false);
  b.CreateCall(module.getOrInsertFunction(service, type), operands)
      ->addFnAttr(llvm::Attribute::NoUnwind);
}

static void announceIfWatched(llvm::Instruction &instruction,
                              const MemoryAccess &access,
                              const simt::SimtTarget &target) {
  unsigned space = access.pointer->getType()->getPointerAddressSpace();
  if (space == target.sharedSpace)
    announce(instruction, access, "tw_simulate_access_shared");
  else if (space == target.globalSpace)
    announce(instruction, access, "tw_simulate_access_global");
}

void announceAccesses(llvm::Module &module, const simt::SimtTarget &target) {
  unsigned kind = module.getContext().getMDKindID(kPlaceMetadata);
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (std::optional<MemoryAccess> access = readAccess(instruction))
        announceIfWatched(instruction, *access, target);
      instruction.setMetadata(kind, nullptr);
    }
}

} // namespace tilewright::simulate
