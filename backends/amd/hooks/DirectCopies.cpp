//===- DirectCopies.cpp - From global memory to the LDS ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// global_load_lds: lane l of a wave writes `bytes` at M0 + l * bytes. Copies
// count as loads, in order; a wait for a group lets as many be under way as the
// younger groups have. LLVM would wait for all of them before any other access
// of the LDS; scopes tell it that those, each behind a wait of ours, meet none.
//===----------------------------------------------------------------------===//
#include "backends/amd/hooks/AmdHooks.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::amd {

/// s_waitcnt ("AMD Instinct MI300 ISA", SOPP): vmcnt in bits 3:0 and 15:14,
/// expcnt in 6:4, lgkmcnt in 11:8.
void AmdHooks::waitCounts(Builder &b, unsigned vector, unsigned lds) {
  constexpr unsigned anyExports = 7 << 4;
  unsigned counts = (vector & 15) | (vector >> 4) << 14 | anyExports | lds << 8;
  b.CreateIntrinsic(Intrinsic::amdgcn_s_waitcnt, {}, {b.getInt32(counts)});
}

/// 16 bytes of zeros in global memory, which lanes copy that are masked off:
/// without a branch all waves have the same copies under way.
static Value *zeros(IRBuilderBase &b, PointerType *type) {
  constexpr const char *name = "tw_zeros";
  Module &module = *b.GetInsertBlock()->getModule();
  GlobalVariable *found =
      module.getGlobalVariable(name, /*AllowInternal=*/true);
  if (!found) {
    auto *bytes = ArrayType::get(b.getInt8Ty(), 16);
    found = new GlobalVariable(
        module, bytes, /*isConstant=*/true, GlobalValue::InternalLinkage,
        Constant::getNullValue(bytes), name, nullptr,
        GlobalValue::NotThreadLocal, type->getAddressSpace());
    found->setAlignment(Align(16));
  }
  return found;
}

/// The scopes of copies (first) and of other accesses of the LDS.
static std::pair<MDNode *, MDNode *> accessScopes(LLVMContext &context) {
  MDBuilder metadata(context);
  MDNode *domain = metadata.createAliasScopeDomain("tw.lds");
  auto scope = [&](StringRef name) {
    return MDNode::get(context, metadata.createAliasScope(name, domain));
  };
  return {scope("tw.lds.copies"), scope("tw.lds.accesses")};
}

bool AmdHooks::asyncCopy(Builder &b, Value *shared, Value *global,
                         unsigned bytes, Value *predicate) {
  if (!options.copiesDirectly || !(chip.copySizes & bytes))
    return false;
  if (predicate)
    global = b.CreateSelect(predicate, global,
                            zeros(b, cast<PointerType>(global->getType())));
  Value *none = b.getInt32(0);
  b.CreateIntrinsic(Intrinsic::amdgcn_global_load_lds, {},
                    {global, shared, b.getInt32(bytes), none, none});
  ++openCopies;
  return true;
}

void AmdHooks::asyncCommit(Builder &) {
  groups.push_back(openCopies);
  openCopies = 0;
}

/// Groups of one loop have the same copies, and a loop begins with none: the
/// last groups stand for those under way.
void AmdHooks::asyncWait(Builder &b, unsigned pending) {
  if (!options.copiesDirectly)
    return;
  unsigned younger = 0;
  for (unsigned count : ArrayRef(groups).take_back(pending))
    younger += count;
  waitCounts(b, std::min(younger, kMostVector), kMostLds);
}

/// Tells copies and other accesses of the LDS apart.
void AmdHooks::endKernel(Builder &b, simt::KernelFrame &frame) {
  TargetHooks::endKernel(b, frame);
  if (groups.empty())
    return;
  auto [copies, accesses] = accessScopes(b.getContext());
  for (Instruction &instruction : instructions(*frame.function)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (pointer &&
        pointer->getType()->getPointerAddressSpace() == target().sharedSpace) {
      instruction.setMetadata(LLVMContext::MD_alias_scope, accesses);
      instruction.setMetadata(LLVMContext::MD_noalias, copies);
    } else if (call &&
               call->getIntrinsicID() == Intrinsic::amdgcn_global_load_lds) {
      call->setMetadata(LLVMContext::MD_alias_scope, copies);
    }
  }
  groups.clear();
}

} // namespace tilewright::amd
