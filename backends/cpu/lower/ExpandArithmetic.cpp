//===- ExpandArithmetic.cpp - What takes several instructions ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared expansions, and functions on f64 through the driver's service.
//===----------------------------------------------------------------------===//
#include "backends/cpu/lower/Passes.h"

#include "backends/cpu/driver/KernelABI.h"
#include "backends/math/MathExpansion.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilewright::cpu {

#define GEN_PASS_DEF_CPUEXPANDARITHMETICPASS
#include "backends/cpu/lower/Passes.h.inc"

/// Position of the services pointer among a program function's arguments.
static constexpr unsigned kServicesArgument = 7;

/// Calls the driver's math64 service on one pair of scalars.
static Value callService(OpBuilder &builder, Location loc, Value services,
                         math::MathFunction function, Value a, Value b) {
  Type pointer = services.getType();
  Value slot = LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI8Type(), services,
      ArrayRef<LLVM::GEPArg>{int32_t(offsetof(tw_cpu_services, math64))});
  Value callee = LLVM::LoadOp::create(builder, loc, pointer, slot, 8);
  Value number = arith::ConstantIntOp::create(builder, loc,
                                              int64_t(uint32_t(function)), 32);
  Type f64 = builder.getF64Type();
  auto type =
      LLVM::LLVMFunctionType::get(f64, {builder.getI32Type(), f64, f64});
  return LLVM::CallOp::create(builder, loc, type,
                              ValueRange{callee, number, a, b})
      .getResult();
}

static Value constant64(OpBuilder &builder, Location loc, Type type,
                        double value) {
  Attribute attribute = builder.getF64FloatAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, attribute);
  return arith::ConstantOp::create(builder, loc, type,
                                   cast<TypedAttr>(attribute));
}

/// Lane by lane: these functions cost far more than moving a lane.
static Value callPerLane(OpBuilder &builder, Location loc, Value services,
                         math::MathFunction function, Value a, Value b) {
  auto type = dyn_cast<VectorType>(a.getType());
  if (!type)
    return callService(builder, loc, services, function, a, b);
  SmallVector<Value> lanes;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    Value x = vector::ExtractOp::create(builder, loc, a, i);
    Value y = vector::ExtractOp::create(builder, loc, b, i);
    lanes.push_back(callService(builder, loc, services, function, x, y));
  }
  return vector::FromElementsOp::create(builder, loc, type, lanes);
}

static Value lowerFloat64(OpBuilder &builder, Location loc,
                          math::MathFunction function, ValueRange operands) {
  Type type = operands.front().getType();
  if (function == math::MathFunction::Rsqrt)
    return arith::DivFOp::create(
        builder, loc, constant64(builder, loc, type, 1.0),
        mlir::math::SqrtOp::create(builder, loc, operands.front()));
  auto program = builder.getInsertionBlock()
                     ->getParentOp()
                     ->getParentOfType<func::FuncOp>();
  if (!program)
    program =
        dyn_cast<func::FuncOp>(builder.getInsertionBlock()->getParentOp());
  if (!program || program.getNumArguments() <= kServicesArgument)
    return nullptr;
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.getRank() != 1)
    return nullptr;
  Value services = program.getArgument(kServicesArgument);
  if (function == math::MathFunction::Exp10)
    return callPerLane(builder, loc, services, math::MathFunction::Pow,
                       constant64(builder, loc, type, 10.0), operands.front());
  Value second =
      operands.size() > 1 ? operands[1] : constant64(builder, loc, type, 0.0);
  return callPerLane(builder, loc, services, function, operands.front(),
                     second);
}

namespace {
struct ExpandArithmeticPass
    : public impl::CpuExpandArithmeticPassBase<ExpandArithmeticPass> {
  using CpuExpandArithmeticPassBase::CpuExpandArithmeticPassBase;

  void runOnOperation() override {
    math::ArithmeticOptions options;
    math::MathExpansionOptions &maths = options.functions;
    maths.mode = llvm::StringSwitch<math::MathMode>(math)
                     .Case("portable", math::MathMode::Portable)
                     .Case("fast", math::MathMode::Fast)
                     .Default(math::MathMode::Accurate);
    // Portable results need the same fma everywhere; where it is no
    // instruction, the operation itself is expanded exactly.
    maths.hasFma = hasFma || maths.mode == math::MathMode::Portable;
    maths.hasRounding = hasRounding;
    maths.hasBranches = true;
    maths.lowerFloat64 = lowerFloat64;
    options.hasFma = hasFma;
    options.casts.hasNativeFloat16 = hasHalfConversion;
    // vcvtneps2bf16 flushes denormals: never used for casts.
    options.casts.hasNativeBFloat16 = false;
    math::expandArithmetic(getOperation(), options);
  }
};
} // namespace

} // namespace tilewright::cpu
