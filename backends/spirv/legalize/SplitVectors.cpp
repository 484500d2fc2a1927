//===- SplitVectors.cpp - Vectors of odd widths -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's scalarizer does the work, in functions that need it only: elsewhere it
// would take wide accesses apart. What it leaves are the bit casts of vectors.
//===----------------------------------------------------------------------===//
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

namespace tilewright::spirv {

static bool isOdd(llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return false;
  unsigned lanes = vector->getNumElements();
  return lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16;
}

/// Whether a type of memory has an odd vector somewhere inside.
static bool holdsOdd(llvm::Type *type) {
  return isOdd(type) || llvm::any_of(type->subtypes(), holdsOdd);
}

/// The type that an instruction gives memory, or null.
static llvm::Type *memoryType(const llvm::Instruction &instruction) {
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return address->getSourceElementType();
  if (auto *space = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return space->getAllocatedType();
  return nullptr;
}

static bool usesOddVectors(const llvm::Function &function) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    llvm::Type *memory = memoryType(instruction);
    if (isOdd(instruction.getType()) || (memory && holdsOdd(memory)))
      return true;
    for (const llvm::Use &operand : instruction.operands())
      if (isOdd(operand->getType()))
        return true;
  }
  return false;
}

/// <32 x i1> to i32: the bits one by one.
static void castToScalar(llvm::BitCastInst &cast) {
  auto *from = llvm::cast<llvm::FixedVectorType>(cast.getSrcTy());
  unsigned bits = from->getScalarSizeInBits();
  llvm::IRBuilder<> b(&cast);
  llvm::Type *integer = b.getIntNTy(bits * from->getNumElements());
  llvm::Value *whole = llvm::ConstantInt::get(integer, 0);
  for (unsigned i = 0; i < from->getNumElements(); ++i) {
    llvm::Value *part = b.CreateExtractElement(cast.getOperand(0), i);
    part = b.CreateZExt(b.CreateBitCast(part, b.getIntNTy(bits)), integer);
    whole = b.CreateOr(whole, b.CreateShl(part, i * bits));
  }
  cast.replaceAllUsesWith(b.CreateBitCast(whole, cast.getDestTy()));
  cast.eraseFromParent();
}

/// i32 to <32 x i1>.
static void castFromScalar(llvm::BitCastInst &cast) {
  auto *to = llvm::cast<llvm::FixedVectorType>(cast.getDestTy());
  unsigned bits = to->getScalarSizeInBits();
  llvm::IRBuilder<> b(&cast);
  llvm::Type *integer = b.getIntNTy(bits * to->getNumElements());
  llvm::Value *whole = b.CreateBitCast(cast.getOperand(0), integer);
  llvm::Value *vector = llvm::PoisonValue::get(to);
  for (unsigned i = 0; i < to->getNumElements(); ++i) {
    llvm::Value *part =
        b.CreateTrunc(b.CreateLShr(whole, i * bits), b.getIntNTy(bits));
    part = b.CreateBitCast(part, to->getElementType());
    vector = b.CreateInsertElement(vector, part, i);
  }
  cast.replaceAllUsesWith(vector);
  cast.eraseFromParent();
}

/// Between an odd vector and a scalar of at most 64 bits.
static void splitCasts(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast || cast->getType()->getPrimitiveSizeInBits() > 64)
      continue;
    if (isOdd(cast->getSrcTy()) && !cast->getDestTy()->isVectorTy())
      castToScalar(*cast);
    else if (isOdd(cast->getDestTy()) && !cast->getSrcTy()->isVectorTy())
      castFromScalar(*cast);
  }
}

/// Addresses and private memory in bytes instead of odd vectors.
static void untypeMemory(llvm::Function &function) {
  const llvm::DataLayout &data = function.getParent()->getDataLayout();
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Type *type = memoryType(instruction);
    if (!type || !holdsOdd(type))
      continue;
    llvm::IRBuilder<> b(&instruction);
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      llvm::Value *offset = llvm::emitGEPOffset(&b, data, address);
      address->replaceAllUsesWith(
          b.CreateGEP(b.getInt8Ty(), address->getPointerOperand(), offset));
      address->eraseFromParent();
      continue;
    }
    auto *space = llvm::cast<llvm::AllocaInst>(&instruction);
    uint64_t bytes = data.getTypeAllocSize(type).getFixedValue();
    space->setAllocatedType(llvm::ArrayType::get(b.getInt8Ty(), bytes));
  }
}

void splitOddVectors(llvm::Function &function) {
  if (!usesOddVectors(function))
    return;
  untypeMemory(function);
  splitCasts(function);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  options.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass(options));
  passes.addPass(llvm::ADCEPass());
  passes.run(function, functions);
}

} // namespace tilewright::spirv
