//===- Builtins.cpp - Calls of OpenCL's functions ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes keep LLVM's optimiser from moving calls that lanes must reach
// together.
//===----------------------------------------------------------------------===//
#include "backends/spirv/hooks/Builtins.h"

#include "llvm/IR/Module.h"

namespace tilewright::spirv {

static void setEffect(llvm::Function &function, Effect effect) {
  function.addFnAttr(llvm::Attribute::NoUnwind);
  function.addFnAttr(llvm::Attribute::WillReturn);
  if (effect != Effect::Pure)
    function.addFnAttr(llvm::Attribute::Convergent);
  if (effect != Effect::Barrier)
    function.setMemoryEffects(llvm::MemoryEffects::none());
}

llvm::CallInst *callBuiltin(llvm::IRBuilderBase &b, llvm::StringRef mangled,
                            llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> operands,
                            Effect effect) {
  llvm::Module *module = b.GetInsertBlock()->getModule();
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = llvm::FunctionType::get(result, types, /*isVarArg=*/false);
  llvm::Function *function = module->getFunction(mangled);
  if (!function) {
    function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                      mangled, module);
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    setEffect(*function, effect);
  }
  llvm::CallInst *call = b.CreateCall(type, function, operands);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setAttributes(function->getAttributes());
  return call;
}

} // namespace tilewright::spirv
