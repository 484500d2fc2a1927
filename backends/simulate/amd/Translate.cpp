//===- Translate.cpp - AMD's kernels as code of the host --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body moves to a function of the machine's signature: arguments are read
// from the block, the hidden ones from the lane. Then intrinsics, one by one.
//===----------------------------------------------------------------------===//
#include "backends/simulate/amd/Translate.h"

#include "backends/amd/hooks/AmdHooks.h"
#include "backends/simulate/amd/AmdLaneHooks.h"
#include "backends/simulate/amd/Instructions.h"

#include "llvm/IR/InstIterator.h"

#include <cstddef>

using llvm::Value;

namespace tilewright::simulate {

/// Numbers of programs are the lane's; all launches begin at program 0.
static Value *readHidden(llvm::IRBuilderBase &b, Value *lane, unsigned index) {
  if (index >= unsigned(amd::Hidden::FirstX))
    return b.getInt32(0);
  uint64_t offset = offsetof(LaneView, programs) + 4 * index;
  return b.CreateLoad(b.getInt32Ty(), b.CreatePtrAdd(lane, b.getInt64(offset)));
}

/// Reads what the old function got as arguments.
static void replaceArguments(llvm::Function &from, llvm::Function &to) {
  llvm::IRBuilder<> b(&*to.getEntryBlock().begin());
  const llvm::DataLayout &layout = to.getParent()->getDataLayout();
  unsigned users = from.arg_size() - unsigned(amd::Hidden::Count);
  uint64_t offset = 0;
  for (auto [index, argument] : llvm::enumerate(from.args())) {
    Value *value;
    if (index >= users) {
      value = readHidden(b, to.getArg(0), index - users);
    } else {
      uint64_t bytes = layout.getTypeStoreSize(argument.getType());
      offset = llvm::alignTo(offset, bytes);
      value = b.CreateLoad(argument.getType(),
                           b.CreatePtrAdd(to.getArg(1), b.getInt64(offset)),
                           argument.getName());
      offset += bytes;
    }
    argument.replaceAllUsesWith(value);
  }
}

static llvm::Function *moveKernel(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  auto *type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(module.getContext()), {pointer, pointer},
      /*isVarArg=*/false);
  auto *moved =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, "", module);
  moved->takeName(&kernel);
  moved->addFnAttr(llvm::Attribute::Convergent);
  moved->addFnAttr(llvm::Attribute::NoUnwind);
  moved->splice(moved->begin(), &kernel);
  replaceArguments(kernel, *moved);
  kernel.eraseFromParent();
  return moved;
}

/// Private memory is the host's stack, which has one address space.
static void moveAlloca(llvm::AllocaInst &alloca) {
  llvm::IRBuilder<> b(&alloca);
  llvm::AllocaInst *made =
      b.CreateAlloca(alloca.getAllocatedType(), 0, alloca.getArraySize());
  made->setAlignment(alloca.getAlign());
  alloca.replaceAllUsesWith(b.CreateAddrSpaceCast(made, alloca.getType()));
  alloca.eraseFromParent();
}

/// What the vector unit orders -0 below +0 by, and the host's instructions do
/// not.
static llvm::Intrinsic::ID orderedMinMax(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::maxnum:
    return llvm::Intrinsic::maximumnum;
  case llvm::Intrinsic::minnum:
    return llvm::Intrinsic::minimumnum;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

static bool translateCall(llvm::CallInst &call,
                          InstructionTranslator &translator, std::string &why) {
  llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return true;
  if (auto id = orderedMinMax(callee->getIntrinsicID())) {
    llvm::IRBuilder<> b(&call);
    call.replaceAllUsesWith(b.CreateIntrinsic(
        id, {call.getType()}, {call.getArgOperand(0), call.getArgOperand(1)}));
    call.eraseFromParent();
    return true;
  }
  bool isMarker = callee->getName() == kLaneMarker;
  if (!isMarker && !callee->getName().starts_with("llvm.amdgcn."))
    return true;
  std::optional<Value *> value =
      isMarker ? call.getFunction()->getArg(0) : translator.translate(call);
  if (!value) {
    why = "the simulator does not know " + callee->getName().str();
    return false;
  }
  if (*value)
    call.replaceAllUsesWith(*value);
  call.eraseFromParent();
  return true;
}

bool translateAmd(llvm::Module &module, const amd::Target &target,
                  std::string &why) {
  llvm::SmallVector<llvm::Function *> kernels;
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
      kernels.push_back(&function);
  LaneServices services;
  for (llvm::Function *kernel : kernels) {
    llvm::Function *moved = moveKernel(*kernel);
    llvm::IRBuilder<> b(&*moved->getEntryBlock().begin());
    services.begin(b, moved->getArg(0));
    InstructionTranslator translator(services, target, moved->getArg(1));
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(*moved))) {
      if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        moveAlloca(*alloca);
      else if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
               call && !translateCall(*call, translator, why))
        return false;
    }
  }
  return true;
}

} // namespace tilewright::simulate
