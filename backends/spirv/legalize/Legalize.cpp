//===- Legalize.cpp - LLVM IR that the SPIR-V target can take ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order matters: loops of atomics use aggregates and maxima, and the
// expansions of those are elementwise.
//===----------------------------------------------------------------------===//
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::spirv {

static constexpr uint32_t kNoForm = 4160;

static bool isLegalWidth(unsigned lanes) {
  return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

/// Why the target has no form for a type; null if it has one.
static const char *problemOf(llvm::Type *type, const Target &target) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    if (!isLegalWidth(vector->getNumElements()))
      return "a vector of this width";
    return problemOf(vector->getElementType(), target);
  }
  if (auto *integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    unsigned bits = integer->getBitWidth();
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64
               ? nullptr
               : "an integer of this width";
  }
  if (type->isDoubleTy() && !target.traits.hasDouble)
    return "double precision (fp64)";
  if (type->isHalfTy() && !target.traits.hasHalf)
    return "half floats (fp16)";
  if (type->isBFloatTy() || type->isX86_FP80Ty() || type->isFP128Ty() ||
      type->isPPC_FP128Ty())
    return "this floating-point format";
  return nullptr;
}

static std::string describe(const char *what, const llvm::Instruction &at) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << what << " in '";
  at.print(stream);
  stream << "'";
  return text;
}

/// Parts of atomics other than their types: struct results are legal there.
static const char *problemOf(const llvm::Instruction &at,
                             const Target &target) {
  if (!at.getType()->isStructTy())
    if (const char *problem = problemOf(at.getType(), target))
      return problem;
  for (const llvm::Use &operand : at.operands())
    if (const char *problem = problemOf(operand->getType(), target))
      return problem;
  if (llvm::isa<llvm::PHINode, llvm::SelectInst>(at) &&
      at.getType()->isAggregateType())
    return "a choice between aggregates";
  const llvm::Type *atomic = nullptr;
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&at))
    atomic = update->getValOperand()->getType();
  else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&at))
    atomic = exchange->getNewValOperand()->getType();
  if (!atomic || atomic->isIntegerTy(32))
    return nullptr;
  if (!atomic->isIntegerTy(64))
    return "an atomic operation on this type";
  return target.traits.hasLongAtomics
             ? nullptr
             : "an atomic operation on 64 bits (int64_atomics)";
}

std::string findIllegal(const llvm::Module &module, const Target &target) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const char *problem = problemOf(instruction, target))
        return describe(problem, instruction);
  return {};
}

/// Declarations that expansions have left make invalid modules.
static void dropDeclarations(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

bool legalize(llvm::Module &module, const Target &target, Report &report) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    expandFloatAtomics(function);
    splitOddVectors(function);
    splitAggregates(function);
    expandMinMax(function);
    widenIntegers(function);
    expandIntrinsics(function);
    flattenAddresses(function);
  }
  dropDeclarations(module);
  std::string problem = findIllegal(module, target);
  if (problem.empty())
    return true;
  report.error(kNoForm, "target " + target.name + " has no form for " + problem,
               "a device with that feature may do: features follow '+' in the "
               "target");
  return false;
}

} // namespace tilewright::spirv
