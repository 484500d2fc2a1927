//===- Kernels.cpp - Kernel functions, ids, services ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a kernel and what it asks of the machine.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/hooks/NvidiaHooks.h"
#include "backends/simt/services/FailureReport.h"
#include "backends/simt/services/KernelFunction.h"
#include "backends/simt/services/PrintLines.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::nvidia {

Value *callPtx(IRBuilderBase &b, Type *result, StringRef text,
               StringRef constraints, ArrayRef<Value *> operands,
               bool hasSideEffects) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
  CallInst *call = b.CreateCall(
      InlineAsm::get(type, text, constraints, hasSideEffects), operands);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  if (!hasSideEffects)
    call->setDoesNotAccessMemory();
  return call;
}

//===--- Kernel functions -------------------------------------------------===//

simt::KernelFrame
NvidiaHooks::beginKernel(Builder &b, Module &module,
                         const simt::KernelSignature &signature) {
  threads = signature.threads;
  userArguments = signature.arguments.size();
  simt::KernelFrame frame = simt::createKernelFunction(
      b, module, signature, CallingConv::PTX_Kernel, unsigned(Hidden::Count));
  Function &function = *frame.function;
  function.addFnAttr("target-cpu", target.processor);
  function.addFnAttr("nvvm.reqntid", std::to_string(signature.threads));
  if (this->options.maxRegisters)
    function.addFnAttr("nvvm.maxnreg",
                       std::to_string(this->options.maxRegisters));
  return frame;
}

Value *NvidiaHooks::hidden(Builder &b, Hidden parameter) {
  Function *function = b.GetInsertBlock()->getParent();
  return function->getArg(userArguments + unsigned(parameter));
}

//===--- Ids --------------------------------------------------------------===//

static Value *readRegister(IRBuilderBase &b, Intrinsic::ID id) {
  return b.CreateIntrinsic(id, ArrayRef<Type *>(), ArrayRef<Value *>());
}

Value *NvidiaHooks::threadId(Builder &b) {
  return readRegister(b, Intrinsic::nvvm_read_ptx_sreg_tid_x);
}

Value *NvidiaHooks::programId(Builder &b, unsigned axis) {
  if (axis == 0)
    return readRegister(b, Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  Value *block =
      readRegister(b, axis == 1 ? Intrinsic::nvvm_read_ptx_sreg_ctaid_y
                                : Intrinsic::nvvm_read_ptx_sreg_ctaid_z);
  return b.CreateAdd(block,
                     hidden(b, axis == 1 ? Hidden::FirstY : Hidden::FirstZ));
}

Value *NvidiaHooks::numPrograms(Builder &b, unsigned axis) {
  constexpr Hidden counts[] = {Hidden::ProgramsX, Hidden::ProgramsY,
                               Hidden::ProgramsZ};
  return hidden(b, counts[axis]);
}

Value *NvidiaHooks::numBlocks(Builder &b) {
  return readRegister(b, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
}

//===--- Services ---------------------------------------------------------===//

void NvidiaHooks::print(Builder &b, StringRef format,
                        ArrayRef<Value *> values) {
  simt::emitPrintLine(b, format, values, /*globalSpace=*/1);
}

void NvidiaHooks::fail(Builder &b, unsigned code, StringRef message,
                       const simt::SourcePlace &place) {
  simt::reportFailure(b, *this, code, message, place);
}

Value *NvidiaHooks::clock(Builder &b, bool isGlobalTimer) {
  return readRegister(b, isGlobalTimer
                             ? Intrinsic::nvvm_read_ptx_sreg_globaltimer
                             : Intrinsic::nvvm_read_ptx_sreg_clock64);
}

Value *NvidiaHooks::inlineAssembly(Builder &b, StringRef text,
                                   StringRef constraints, Type *result,
                                   ArrayRef<Value *> operands, bool isPure) {
  return callPtx(b, result, text, constraints, operands, !isPure);
}

} // namespace tilewright::nvidia
