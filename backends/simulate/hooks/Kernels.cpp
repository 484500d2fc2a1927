//===- Kernels.cpp - Lanes as functions of the host -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry, ids, and functions.
//===----------------------------------------------------------------------===//
#include "backends/simulate/hooks/SimulateHooks.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using llvm::Value;

namespace tilewright::simulate {

/// The profile's mapping, with the fragments of left operands spoilt on demand:
/// two lanes hold each other's rows.
static simt::SimtTarget describe(const Profile &profile, const Faults &faults) {
  simt::SimtTarget target = profile.target;
  if (!faults.wrongFragment)
    return target;
  for (simt::MatrixAtom &atom : target.atoms) {
    const simt::LinearLayout &layout = atom.lhsLayout;
    std::vector<uint64_t> columns = layout.columns();
    std::swap(columns[columns.size() - 1], columns[columns.size() - 2]);
    atom.lhsLayout =
        simt::LinearLayout(layout.inputs(), layout.outputs(), columns);
  }
  return target;
}

SimulateHooks::SimulateHooks(const Profile &profile, const Faults &faults)
    : TargetHooks(describe(profile, faults)), profile(profile), faults(faults) {
}

/// Arguments lie in the block of the user, each at a multiple of its size.
simt::KernelFrame
SimulateHooks::beginKernel(Builder &b, llvm::Module &module,
                           const simt::KernelSignature &signature) {
  llvm::Type *pointer = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer},
                                       /*isVarArg=*/false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                          signature.symbol, module);
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  b.SetInsertPoint(llvm::BasicBlock::Create(b.getContext(), "entry", function));
  services.begin(b, function->getArg(0));
  simt::KernelFrame frame;
  frame.function = function;
  uint64_t offset = 0;
  for (const simt::KernelArgument &argument : signature.arguments) {
    uint64_t bytes = module.getDataLayout().getTypeStoreSize(argument.type);
    offset = llvm::alignTo(offset, bytes);
    Value *address = b.CreatePtrAdd(function->getArg(1), b.getInt64(offset));
    frame.arguments.push_back(
        b.CreateLoad(argument.type, address, argument.name));
    offset += bytes;
  }
  return frame;
}

Value *SimulateHooks::threadId(Builder &b) {
  return services.field(b, b.getInt32Ty(), offsetof(LaneView, thread));
}

Value *SimulateHooks::programId(Builder &b, unsigned axis) {
  return services.field(b, b.getInt32Ty(),
                        offsetof(LaneView, program) + 4 * axis);
}

Value *SimulateHooks::numPrograms(Builder &b, unsigned axis) {
  return services.field(b, b.getInt32Ty(),
                        offsetof(LaneView, programs) + 4 * axis);
}

//===--- Functions --------------------------------------------------------===//

/// The C library's, as cpu and reference have them.
bool SimulateHooks::isNativeFunction(math::MathFunction, unsigned bits,
                                     bool) const {
  return bits == 64;
}

Value *SimulateHooks::function(Builder &b, math::MathFunction function,
                               llvm::ArrayRef<Value *> operands) {
  if (!operands[0]->getType()->isDoubleTy())
    return nullptr;
  Value *second = operands.size() > 1
                      ? operands[1]
                      : llvm::ConstantFP::get(b.getDoubleTy(), 0);
  return services.call(b, "math64", b.getDoubleTy(),
                       {b.getInt32(uint32_t(function)), operands[0], second});
}

} // namespace tilewright::simulate
