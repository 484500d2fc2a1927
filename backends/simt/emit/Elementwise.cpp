//===- Elementwise.cpp - Arithmetic, one element at a time ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arith and math after their expansions map to one instruction an element.
// Floats that are kept as bits allow sign operations and selections only.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"

#include "backends/simt/analysis/Contiguity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

using Operands = llvm::ArrayRef<Value *>;

static llvm::CmpInst::Predicate predicateOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return llvm::CmpInst::ICMP_EQ;
  case arith::CmpIPredicate::ne:
    return llvm::CmpInst::ICMP_NE;
  case arith::CmpIPredicate::slt:
    return llvm::CmpInst::ICMP_SLT;
  case arith::CmpIPredicate::sle:
    return llvm::CmpInst::ICMP_SLE;
  case arith::CmpIPredicate::sgt:
    return llvm::CmpInst::ICMP_SGT;
  case arith::CmpIPredicate::sge:
    return llvm::CmpInst::ICMP_SGE;
  case arith::CmpIPredicate::ult:
    return llvm::CmpInst::ICMP_ULT;
  case arith::CmpIPredicate::ule:
    return llvm::CmpInst::ICMP_ULE;
  case arith::CmpIPredicate::ugt:
    return llvm::CmpInst::ICMP_UGT;
  case arith::CmpIPredicate::uge:
    return llvm::CmpInst::ICMP_UGE;
  }
  llvm_unreachable("unknown integer predicate");
}

static llvm::CmpInst::Predicate predicateOf(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return llvm::CmpInst::FCMP_FALSE;
  case arith::CmpFPredicate::OEQ:
    return llvm::CmpInst::FCMP_OEQ;
  case arith::CmpFPredicate::OGT:
    return llvm::CmpInst::FCMP_OGT;
  case arith::CmpFPredicate::OGE:
    return llvm::CmpInst::FCMP_OGE;
  case arith::CmpFPredicate::OLT:
    return llvm::CmpInst::FCMP_OLT;
  case arith::CmpFPredicate::OLE:
    return llvm::CmpInst::FCMP_OLE;
  case arith::CmpFPredicate::ONE:
    return llvm::CmpInst::FCMP_ONE;
  case arith::CmpFPredicate::ORD:
    return llvm::CmpInst::FCMP_ORD;
  case arith::CmpFPredicate::UEQ:
    return llvm::CmpInst::FCMP_UEQ;
  case arith::CmpFPredicate::UGT:
    return llvm::CmpInst::FCMP_UGT;
  case arith::CmpFPredicate::UGE:
    return llvm::CmpInst::FCMP_UGE;
  case arith::CmpFPredicate::ULT:
    return llvm::CmpInst::FCMP_ULT;
  case arith::CmpFPredicate::ULE:
    return llvm::CmpInst::FCMP_ULE;
  case arith::CmpFPredicate::UNE:
    return llvm::CmpInst::FCMP_UNE;
  case arith::CmpFPredicate::UNO:
    return llvm::CmpInst::FCMP_UNO;
  case arith::CmpFPredicate::AlwaysTrue:
    return llvm::CmpInst::FCMP_TRUE;
  }
  llvm_unreachable("unknown float predicate");
}

/// Integer arithmetic; null for other operations.
static Value *emitInteger(Emitter &e, Operation *op, Operands x) {
  llvm::IRBuilder<> &b = e.b;
  auto intrinsic = [&](llvm::Intrinsic::ID id) {
    return b.CreateBinaryIntrinsic(id, x[0], x[1]);
  };
  return llvm::TypeSwitch<Operation *, Value *>(op)
      .Case([&](arith::AddIOp) { return b.CreateAdd(x[0], x[1]); })
      .Case([&](arith::SubIOp) { return b.CreateSub(x[0], x[1]); })
      .Case([&](arith::MulIOp) { return b.CreateMul(x[0], x[1]); })
      .Case([&](arith::DivSIOp) { return b.CreateSDiv(x[0], x[1]); })
      .Case([&](arith::DivUIOp) { return b.CreateUDiv(x[0], x[1]); })
      .Case([&](arith::RemSIOp) { return b.CreateSRem(x[0], x[1]); })
      .Case([&](arith::RemUIOp) { return b.CreateURem(x[0], x[1]); })
      .Case([&](arith::AndIOp) { return b.CreateAnd(x[0], x[1]); })
      .Case([&](arith::OrIOp) { return b.CreateOr(x[0], x[1]); })
      .Case([&](arith::XOrIOp) { return b.CreateXor(x[0], x[1]); })
      .Case([&](arith::ShLIOp) { return b.CreateShl(x[0], x[1]); })
      .Case([&](arith::ShRSIOp) { return b.CreateAShr(x[0], x[1]); })
      .Case([&](arith::ShRUIOp) { return b.CreateLShr(x[0], x[1]); })
      .Case([&](arith::MaxSIOp) { return intrinsic(llvm::Intrinsic::smax); })
      .Case([&](arith::MaxUIOp) { return intrinsic(llvm::Intrinsic::umax); })
      .Case([&](arith::MinSIOp) { return intrinsic(llvm::Intrinsic::smin); })
      .Case([&](arith::MinUIOp) { return intrinsic(llvm::Intrinsic::umin); })
      .Case([&](arith::CmpIOp o) {
        return b.CreateICmp(predicateOf(o.getPredicate()), x[0], x[1]);
      })
      .Case([&](mlir::math::AbsIOp) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0],
                                       b.getFalse());
      })
      .Case([&](mlir::math::CtPopOp) {
        return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x[0]);
      })
      .Case([&](mlir::math::CountLeadingZerosOp) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x[0],
                                       b.getFalse());
      })
      .Case([&](mlir::math::CountTrailingZerosOp) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x[0],
                                       b.getFalse());
      })
      .Case(
          [&](kernel::MulHiOp) { return e.hooks.multiplyHigh(b, x[0], x[1]); })
      .Default([](Operation *) { return nullptr; });
}

/// bf16 is kept as bits, but for casts.
static Value *asBFloat(Emitter &e, Value *bits) {
  return e.b.CreateBitCast(bits, e.b.getBFloatTy());
}

/// Casts between element types; null for other operations.
static Value *emitCast(Emitter &e, Operation *op, Operands x) {
  llvm::IRBuilder<> &b = e.b;
  if (op->getNumResults() != 1)
    return nullptr;
  mlir::Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  llvm::Type *to = e.registerType(op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, Value *>(op)
      .Case([&](arith::ExtSIOp) { return b.CreateSExt(x[0], to); })
      .Case([&](arith::ExtUIOp) { return b.CreateZExt(x[0], to); })
      .Case([&](arith::TruncIOp) { return b.CreateTrunc(x[0], to); })
      .Case([&](arith::ExtFOp) {
        return b.CreateFPExt(from.isBF16() ? asBFloat(e, x[0]) : x[0], to);
      })
      .Case([&](arith::TruncFOp) {
        return getElementTypeOrSelf(op->getResult(0).getType()).isBF16()
                   ? e.hooks.roundToBFloat(b, x[0])
                   : b.CreateFPTrunc(x[0], to);
      })
      .Case([&](arith::SIToFPOp) { return b.CreateSIToFP(x[0], to); })
      .Case([&](arith::UIToFPOp) { return b.CreateUIToFP(x[0], to); })
      .Case([&](arith::FPToSIOp) { return b.CreateFPToSI(x[0], to); })
      .Case([&](arith::FPToUIOp) { return b.CreateFPToUI(x[0], to); })
      .Case([&](arith::BitcastOp) { return b.CreateBitCast(x[0], to); })
      .Case<kernel::FactOp, kernel::PtrCastOp>([&](auto) { return x[0]; })
      .Case([&](kernel::IntToPtrOp) { return b.CreateIntToPtr(x[0], to); })
      .Case([&](kernel::PtrToIntOp) { return b.CreatePtrToInt(x[0], to); })
      .Case([&](kernel::AddPtrOp o) {
        auto pointer = cast<kernel::PointerType>(from);
        Value *offset = b.CreateSExt(x[1], b.getInt64Ty());
        return b.CreateGEP(e.memoryType(pointer.getPointee()), x[0], offset);
      })
      .Default([](Operation *) { return nullptr; });
}

/// Negation and magnitude of floats that are kept as bits.
static Value *emitSign(Emitter &e, Operation *op, Operands x) {
  llvm::Type *type = x[0]->getType();
  llvm::APInt sign = llvm::APInt::getSignMask(type->getIntegerBitWidth());
  if (isa<arith::NegFOp>(op))
    return e.b.CreateXor(x[0], llvm::ConstantInt::get(type, sign));
  if (isa<mlir::math::AbsFOp>(op))
    return e.b.CreateAnd(x[0], llvm::ConstantInt::get(type, ~sign));
  if (isa<mlir::math::CopySignOp>(op))
    return e.b.CreateOr(
        e.b.CreateAnd(x[0], llvm::ConstantInt::get(type, ~sign)),
        e.b.CreateAnd(x[1], llvm::ConstantInt::get(type, sign)));
  return nullptr;
}

static Value *emitSquareRoot(Emitter &e, Operation *op, Operands x) {
  return mayApproximate(e, op) ? e.hooks.approximateSquareRoot(e.b, x[0])
                               : e.hooks.squareRoot(e.b, x[0]);
}

/// Float arithmetic that is an instruction; null for other operations.
static Value *emitFloat(Emitter &e, Operation *op, Operands x) {
  llvm::IRBuilder<> &b = e.b;
  auto unary = [&](llvm::Intrinsic::ID id) {
    return b.CreateUnaryIntrinsic(id, x[0]);
  };
  return llvm::TypeSwitch<Operation *, Value *>(op)
      .Case([&](arith::AddFOp) { return b.CreateFAdd(x[0], x[1]); })
      .Case([&](arith::SubFOp) { return b.CreateFSub(x[0], x[1]); })
      .Case([&](arith::MulFOp) { return b.CreateFMul(x[0], x[1]); })
      .Case([&](arith::DivFOp) { return emitQuotient(e, op, x); })
      .Case([&](arith::NegFOp) { return b.CreateFNeg(x[0]); })
      .Case([&](arith::CmpFOp o) {
        return b.CreateFCmp(predicateOf(o.getPredicate()), x[0], x[1]);
      })
      .Case([&](mlir::math::AbsFOp) { return unary(llvm::Intrinsic::fabs); })
      .Case([&](mlir::math::FloorOp) { return unary(llvm::Intrinsic::floor); })
      .Case([&](mlir::math::CeilOp) { return unary(llvm::Intrinsic::ceil); })
      .Case([&](mlir::math::TruncOp) { return unary(llvm::Intrinsic::trunc); })
      .Case([&](mlir::math::RoundOp) { return unary(llvm::Intrinsic::round); })
      .Case([&](mlir::math::RoundEvenOp) {
        return unary(llvm::Intrinsic::roundeven);
      })
      .Case([&](mlir::math::CopySignOp) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x[0], x[1]);
      })
      .Case([&](arith::MaxNumFOp) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, x[0], x[1]);
      })
      .Case([&](arith::MinNumFOp) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, x[0], x[1]);
      })
      .Case([&](mlir::math::FmaOp) {
        return e.hooks.fusedMultiplyAdd(b, x[0], x[1], x[2]);
      })
      .Case([&](mlir::math::SqrtOp) { return emitSquareRoot(e, op, x); })
      .Default([](Operation *) { return nullptr; });
}

/// `contract` is the only freedom that arithmetic gives, and not in portable.
static void setFlags(Emitter &e, Operation *op) {
  llvm::FastMathFlags flags;
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    flags.setAllowContract(
        !e.options.isPortable &&
        bitEnumContainsAny(fast.getFastMathFlagsAttr().getValue(),
                           arith::FastMathFlags::contract));
  e.b.setFastMathFlags(flags);
}

Value *emitScalarOperation(Emitter &e, Operation *op, Operands operands) {
  if (isa<arith::SelectOp>(op))
    return e.b.CreateSelect(operands[0], operands[1], operands[2]);
  if (Value *value = emitInteger(e, op, operands))
    return value;
  if (Value *value = emitCast(e, op, operands))
    return value;
  mlir::Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!isa<FloatType>(element))
    return nullptr;
  if (operands[0]->getType()->isIntegerTy())
    return emitSign(e, op, operands);
  setFlags(e, op);
  Value *value = emitFloat(e, op, operands);
  if (!value)
    value = emitFunction(e, op, operands);
  e.b.clearFastMathFlags();
  return value;
}

static bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions())
    return false;
  return isa_and_nonnull<arith::ArithDialect, mlir::math::MathDialect>(
             op->getDialect()) ||
         isa<kernel::FactOp, kernel::PtrCastOp, kernel::IntToPtrOp,
             kernel::PtrToIntOp, kernel::AddPtrOp, kernel::MulHiOp>(op);
}

/// For each register the lowest one that surely has the same result: those of a
/// run of a comparison share one.
static llvm::SmallVector<unsigned> sharedResults(Emitter &e, Operation *op,
                                                 unsigned count) {
  auto indices = llvm::to_vector(llvm::seq(count));
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || count == 1)
    return indices;
  AlignedRuns runs = constantRunsOf(compare);
  if (runs.block == 1)
    return indices;
  EmittedLayout &layout = e.layout(compare.getResult());
  unsigned shift = layout.map.outputShift(tensorDim(runs.dim));
  uint64_t inside =
      ((runs.block - 1) << shift) & layout.map.outputMask(tensorDim(runs.dim));
  llvm::DenseMap<uint64_t, unsigned> first;
  for (unsigned &index : indices)
    index =
        first.try_emplace(layout.packed(index) & ~inside, index).first->second;
  return indices;
}

/// Whether one instruction of the target computes two registers.
static bool isPacked(Emitter &e, Operation *op) {
  return e.target.hasPackedFloat32 &&
         isa<arith::AddFOp, arith::MulFOp, mlir::math::FmaOp>(op) &&
         getElementTypeOrSelf(op->getResult(0)).isF32();
}

/// The results of two neighbouring registers, through vectors.
static void emitPair(Emitter &e, Operation *op, unsigned index,
                     Registers &results) {
  llvm::IRBuilder<> &b = e.b;
  llvm::SmallVector<Value *> operands;
  for (mlir::Value operand : op->getOperands()) {
    const Registers &all = e.registers(operand);
    Value *first = all.size() == 1 ? all[0] : all[index];
    Value *second = all.size() == 1 ? all[0] : all[index + 1];
    auto *type = llvm::FixedVectorType::get(first->getType(), 2);
    Value *pair =
        b.CreateInsertElement(llvm::PoisonValue::get(type), first, uint64_t(0));
    operands.push_back(b.CreateInsertElement(pair, second, uint64_t(1)));
  }
  setFlags(e, op);
  Value *pair = emitFloat(e, op, operands);
  e.b.clearFastMathFlags();
  for (uint64_t half : {0, 1})
    results.push_back(b.CreateExtractElement(pair, half));
}

bool emitElementwise(Emitter &e, Operation *op) {
  if (!isElementwise(op))
    return false;
  mlir::Value result = op->getResult(0);
  bool isTensor = isa<RankedTensorType>(result.getType());
  unsigned count = isTensor ? e.layout(result).registers : 1;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Attribute value = constant.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      value = dense.getSplatValue<Attribute>();
    e.set(result, Registers(count, e.constant(value, result.getType())));
    return true;
  }
  Registers results;
  bool isDone = false;
  if (isa<arith::DivFOp>(op) ||
      isa<mlir::math::MathDialect>(op->getDialect())) {
    setFlags(e, op);
    isDone = isa<arith::DivFOp>(op) ? emitQuotients(e, op, count, results)
                                    : emitFunctions(e, op, count, results);
    e.b.clearFastMathFlags();
  }
  if (isDone) {
    e.set(result, std::move(results));
    return true;
  }
  llvm::SmallVector<unsigned> shared = sharedResults(e, op, count);
  for (unsigned index = 0; index < count; ++index) {
    if (isPacked(e, op) && index + 1 < count) {
      emitPair(e, op, index++, results);
      continue;
    }
    if (shared[index] != index) {
      results.push_back(results[shared[index]]);
      continue;
    }
    Registers operands;
    for (mlir::Value operand : op->getOperands()) {
      const Registers &all = e.registers(operand);
      operands.push_back(all.size() == 1 ? all[0] : all[index]);
    }
    Value *value = emitScalarOperation(e, op, operands);
    if (!value) {
      e.refuse(op, 4140,
               "target " + llvm::StringRef(e.target.vendor) +
                   " does not compute '" + op->getName().getStringRef() +
                   "' on these types");
      value = llvm::PoisonValue::get(e.registerType(result.getType()));
    }
    results.push_back(value);
  }
  e.set(result, std::move(results));
  return true;
}

} // namespace tilewright::simt
