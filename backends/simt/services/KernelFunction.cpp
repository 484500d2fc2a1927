//===- KernelFunction.cpp - Kernels whose arguments are by value ----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declaration and attributes of arguments.
//===----------------------------------------------------------------------===//
#include "backends/simt/services/KernelFunction.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::simt {

static void describeArgument(Argument &value, const KernelArgument &argument) {
  value.setName(argument.name);
  if (!argument.type->isPointerTy())
    return;
  AttrBuilder attributes(value.getContext());
  if (argument.alignment > 1)
    attributes.addAlignmentAttr(
        std::min<uint64_t>(argument.alignment & -argument.alignment, 256));
  // Together they let loads take the path of memory that nobody writes.
  if (argument.isReadOnly && argument.isDisjoint) {
    attributes.addAttribute(Attribute::NoAlias);
    attributes.addAttribute(Attribute::ReadOnly);
  }
  value.addAttrs(attributes);
}

KernelFrame createKernelFunction(IRBuilderBase &b, Module &module,
                                 const KernelSignature &signature,
                                 CallingConv::ID convention,
                                 unsigned hiddenWords) {
  SmallVector<Type *> types;
  for (const KernelArgument &argument : signature.arguments)
    types.push_back(argument.type);
  types.append(hiddenWords, b.getInt32Ty());
  auto *type = FunctionType::get(b.getVoidTy(), types, /*isVarArg=*/false);
  KernelFrame frame;
  frame.function = Function::Create(type, GlobalValue::ExternalLinkage,
                                    signature.symbol, module);
  Function &function = *frame.function;
  function.setCallingConv(convention);
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::Convergent);
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    describeArgument(*function.getArg(index), argument);
    frame.arguments.push_back(function.getArg(index));
  }
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", &function));
  return frame;
}

} // namespace tilewright::simt
