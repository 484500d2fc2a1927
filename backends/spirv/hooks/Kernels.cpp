//===- Kernels.cpp - Kernel functions, ids, tickets -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a work-group. Threads are numbered by sub-group and lane where
// there are sub-groups, so that a warp of the mapping is one of them whatever
// order the driver deals work-items out in.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/KernelABI.h"
#include "backends/spirv/hooks/Builtins.h"
#include "backends/spirv/hooks/SpirvHooks.h"

#include "llvm/IR/Module.h"

using llvm::Value;

namespace tilewright::spirv {

static llvm::Metadata *constantOf(llvm::LLVMContext &context, uint64_t value) {
  return llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
}

/// Block size and sub-group width become execution modes of the entry point.
static void setModes(llvm::Function &function, unsigned threads,
                     uint64_t subgroupWidth) {
  llvm::LLVMContext &context = function.getContext();
  llvm::Metadata *size[] = {constantOf(context, threads),
                            constantOf(context, 1), constantOf(context, 1)};
  function.setMetadata("reqd_work_group_size",
                       llvm::MDNode::get(context, size));
  if (subgroupWidth)
    function.setMetadata(
        "intel_reqd_sub_group_size",
        llvm::MDNode::get(context, constantOf(context, subgroupWidth)));
}

simt::KernelFrame
SpirvHooks::beginKernel(Builder &b, llvm::Module &module,
                        const simt::KernelSignature &signature) {
  llvm::SmallVector<llvm::Type *> types;
  auto addType = [&](llvm::Type *type) {
    types.push_back(type);
    if (type->isPointerTy() && !traits.hasAddresses)
      types.push_back(b.getInt64Ty()); // a handle's offset
  };
  for (const simt::KernelArgument &argument : signature.arguments)
    addType(argument.type);
  addType(b.getPtrTy(target().globalSpace));
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), types, false),
      llvm::Function::ExternalLinkage, signature.symbol, &module);
  function->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  setModes(*function, signature.threads, traits.subgroupWidth);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));

  simt::KernelFrame frame;
  auto parameter = function->arg_begin();
  auto take = [&](llvm::StringRef name) -> Value * {
    llvm::Argument *given = &*parameter++;
    given->setName(name);
    if (!given->getType()->isPointerTy() || traits.hasAddresses)
      return given;
    return b.CreateGEP(b.getInt8Ty(), given, &*parameter++);
  };
  // Never `noalias`: to LLVM a barrier does not reach such memory, and what
  // other threads wrote would not be seen.
  for (const simt::KernelArgument &argument : signature.arguments)
    frame.arguments.push_back(take(argument.name));
  launchMemory = take("launch_memory");
  std::fill(std::begin(tickets), std::end(tickets), nullptr);
  if (signature.needsProgress)
    takeTicket(b);
  return frame;
}

Value *SpirvHooks::callId(Builder &b, llvm::StringRef name, unsigned axis) {
  Value *id =
      callBuiltin(b, name, b.getInt64Ty(), b.getInt32(axis), Effect::Pure);
  return b.CreateTrunc(id, b.getInt32Ty());
}

Value *SpirvHooks::laneId(Builder &b) {
  if (!traits.subgroupWidth)
    return TargetHooks::laneId(b);
  return callBuiltin(b, "_Z22get_sub_group_local_idv", b.getInt32Ty(), {},
                     Effect::Pure);
}

Value *SpirvHooks::warpId(Builder &b) {
  if (!traits.subgroupWidth)
    return TargetHooks::warpId(b);
  return callBuiltin(b, "_Z16get_sub_group_idv", b.getInt32Ty(), {},
                     Effect::Pure);
}

Value *SpirvHooks::threadId(Builder &b) {
  if (!traits.subgroupWidth)
    return callId(b, "_Z12get_local_idj", 0);
  Value *first = b.CreateMul(warpId(b), b.getInt32(traits.subgroupWidth));
  return b.CreateAdd(first, laneId(b));
}

Value *SpirvHooks::programId(Builder &b, unsigned axis) {
  return tickets[axis] ? tickets[axis] : callId(b, "_Z12get_group_idj", axis);
}

Value *SpirvHooks::numPrograms(Builder &b, unsigned axis) {
  return callId(b, "_Z14get_num_groupsj", axis);
}

/// OpenCL promises no order of work-groups. A counter does: whoever starts
/// takes the next id, so all lower ids have started. Without branches, so that
/// the kernel stays in its entry block: all threads add, the first one 1, and
/// all but the first write into a second slot.
void SpirvHooks::takeTicket(Builder &b) {
  llvm::Module *module = b.GetInsertBlock()->getModule();
  llvm::Function *function = b.GetInsertBlock()->getParent();
  auto *type = llvm::ArrayType::get(b.getInt32Ty(), 2);
  auto *slots = new llvm::GlobalVariable(
      *module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::UndefValue::get(type), function->getName() + ".ticket", nullptr,
      llvm::GlobalVariable::NotThreadLocal, target().sharedSpace);
  slots->setAlignment(llvm::Align(4));
  Value *isOther =
      b.CreateZExt(b.CreateICmpNE(threadId(b), b.getInt32(0)), b.getInt32Ty());
  Value *next = atomicRMW(
      b, kernel::AtomicKind::Add, kernel::MemorySemantics::Relaxed,
      kernel::MemoryScope::Device, launchWord(b, b.getInt32(TW_SPIRV_TICKET)),
      b.CreateXor(isOther, b.getInt32(1)));
  b.CreateStore(next, b.CreateGEP(b.getInt32Ty(), slots, isOther));
  barrier(b, simt::Spaces::Shared);
  Value *id = b.CreateLoad(b.getInt32Ty(), slots);
  for (unsigned axis = 0; axis < 2; ++axis) {
    Value *count = numPrograms(b, axis);
    tickets[axis] = b.CreateURem(id, count);
    id = b.CreateUDiv(id, count);
  }
  tickets[2] = id;
}

} // namespace tilewright::spirv
