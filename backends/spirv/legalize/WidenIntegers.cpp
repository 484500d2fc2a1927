//===- WidenIntegers.cpp - Integers of odd widths -------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser makes integers such as i2 of masked bits (two bits that change
// places become a bitreverse). Each becomes the next width that SPIR-V has,
// with zeros above.
//===----------------------------------------------------------------------===//
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using llvm::Value;

namespace tilewright::spirv {

/// The next width that SPIR-V has; the same for widths that it has.
static unsigned widened(unsigned bits) {
  return bits == 1 ? 1 : std::max<unsigned>(llvm::PowerOf2Ceil(bits), 8);
}

/// Whether a type is an integer of at most 64 bits that SPIR-V lacks.
static bool isOdd(llvm::Type *type) {
  auto *integer = llvm::dyn_cast<llvm::IntegerType>(type);
  return integer && integer->getBitWidth() < 64 &&
         widened(integer->getBitWidth()) != integer->getBitWidth();
}

static bool touchesOdd(const llvm::Instruction &instruction) {
  return isOdd(instruction.getType()) ||
         llvm::any_of(instruction.operands(), [](const llvm::Use &use) {
           return isOdd(use->getType());
         });
}

namespace {

/// Rewrites one function.
class Widening {
public:
  explicit Widening(llvm::Function &function)
      : function(function), b(function.getContext()) {}
  void run();

private:
  /// The widened value of an operand of an odd type; others as they are.
  Value *wide(Value *value);
  /// The same with the sign bit of `bits` repeated above.
  Value *extended(Value *value, unsigned bits);
  /// Clears what lies above `bits`.
  Value *masked(Value *value, unsigned bits);
  /// Null where there is no rule.
  Value *rewrite(llvm::Instruction &instruction);
  Value *rewriteCast(llvm::CastInst &cast);
  Value *rewriteBinary(llvm::BinaryOperator &operation);
  Value *rewriteIntrinsic(llvm::IntrinsicInst &call);

  llvm::Function &function;
  llvm::IRBuilder<> b;
  llvm::DenseMap<Value *, Value *> replaced;
};

} // namespace

static unsigned bitsOf(const Value *value) {
  return value->getType()->getIntegerBitWidth();
}

Value *Widening::wide(Value *value) {
  if (!isOdd(value->getType()))
    return value;
  llvm::Type *type = b.getIntNTy(widened(bitsOf(value)));
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return llvm::ConstantInt::get(type, constant->getZExtValue());
  if (llvm::isa<llvm::UndefValue>(value)) // poison as well
    return llvm::ConstantInt::get(type, 0);
  return replaced.lookup(value);
}

Value *Widening::masked(Value *value, unsigned bits) {
  return b.CreateAnd(value, (uint64_t(1) << bits) - 1);
}

Value *Widening::extended(Value *value, unsigned bits) {
  unsigned above = bitsOf(value) - bits;
  return b.CreateAShr(b.CreateShl(value, above), above);
}

Value *Widening::rewriteCast(llvm::CastInst &cast) {
  Value *from = cast.getOperand(0), *source = wide(from);
  if (!source->getType()->isIntegerTy() || !cast.getType()->isIntegerTy())
    return nullptr;
  unsigned fromBits = bitsOf(from), toBits = bitsOf(&cast);
  bool isSigned = llvm::isa<llvm::SExtInst>(cast);
  if (isSigned && isOdd(from->getType()))
    source = extended(source, fromBits);
  Value *result =
      b.CreateIntCast(source, b.getIntNTy(widened(toBits)), isSigned);
  return isOdd(cast.getType()) ? masked(result, toBits) : result;
}

Value *Widening::rewriteBinary(llvm::BinaryOperator &operation) {
  unsigned bits = bitsOf(&operation);
  Value *lhs = wide(operation.getOperand(0));
  Value *rhs = wide(operation.getOperand(1));
  switch (operation.getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
  case llvm::Instruction::LShr:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::URem:
    return b.CreateBinOp(operation.getOpcode(), lhs, rhs);
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
    return masked(b.CreateBinOp(operation.getOpcode(), lhs, rhs), bits);
  case llvm::Instruction::AShr:
    return masked(b.CreateAShr(extended(lhs, bits), rhs), bits);
  default:
    return nullptr;
  }
}

Value *Widening::rewriteIntrinsic(llvm::IntrinsicInst &call) {
  if (!isOdd(call.getType()))
    return nullptr;
  Value *operand = wide(call.getArgOperand(0));
  unsigned above = bitsOf(operand) - bitsOf(&call);
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  switch (id) {
  case llvm::Intrinsic::bitreverse:
  case llvm::Intrinsic::bswap:
    return b.CreateLShr(b.CreateUnaryIntrinsic(id, operand), above);
  case llvm::Intrinsic::ctpop:
    return b.CreateUnaryIntrinsic(id, operand);
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
    return b.CreateBinaryIntrinsic(id, operand, wide(call.getArgOperand(1)));
  default:
    return nullptr;
  }
}

Value *Widening::rewrite(llvm::Instruction &instruction) {
  return llvm::TypeSwitch<llvm::Instruction *, Value *>(&instruction)
      .Case([&](llvm::CastInst *cast) { return rewriteCast(*cast); })
      .Case(
          [&](llvm::BinaryOperator *binary) { return rewriteBinary(*binary); })
      .Case([&](llvm::ICmpInst *compare) {
        Value *lhs = wide(compare->getOperand(0));
        Value *rhs = wide(compare->getOperand(1));
        if (compare->isSigned()) {
          unsigned bits = bitsOf(compare->getOperand(0));
          lhs = extended(lhs, bits);
          rhs = extended(rhs, bits);
        }
        return b.CreateICmp(compare->getPredicate(), lhs, rhs);
      })
      .Case([&](llvm::SelectInst *select) {
        return b.CreateSelect(select->getCondition(),
                              wide(select->getTrueValue()),
                              wide(select->getFalseValue()));
      })
      .Case([&](llvm::FreezeInst *freeze) {
        return b.CreateFreeze(wide(freeze->getOperand(0)));
      })
      .Case([&](llvm::IntrinsicInst *call) { return rewriteIntrinsic(*call); })
      .Default([](llvm::Instruction *) { return nullptr; });
}

void Widening::run() {
  llvm::SmallVector<llvm::Instruction *> odd;
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    for (llvm::Instruction &instruction : *block)
      if (touchesOdd(instruction))
        odd.push_back(&instruction);
  // Phis first: their operands may come later.
  for (llvm::Instruction *instruction : odd)
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      b.SetInsertPoint(phi);
      replaced[phi] = b.CreatePHI(b.getIntNTy(widened(bitsOf(phi))),
                                  phi->getNumIncomingValues());
    }
  for (llvm::Instruction *instruction : odd) {
    if (llvm::isa<llvm::PHINode>(instruction))
      continue;
    b.SetInsertPoint(instruction);
    Value *result = rewrite(*instruction);
    if (!result)
      return; // what is left is reported by name
    replaced[instruction] = result;
    if (!isOdd(instruction->getType()))
      instruction->replaceAllUsesWith(result);
  }
  for (llvm::Instruction *instruction : odd)
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        llvm::cast<llvm::PHINode>(replaced[phi])
            ->addIncoming(wide(phi->getIncomingValue(i)),
                          phi->getIncomingBlock(i));
  for (llvm::Instruction *instruction : llvm::reverse(odd)) {
    instruction->replaceAllUsesWith(
        llvm::PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
}

void widenIntegers(llvm::Function &function) { Widening(function).run(); }

} // namespace tilewright::spirv
