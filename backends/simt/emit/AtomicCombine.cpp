//===- AtomicCombine.cpp - The new value of an atomic -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation in a function of its own, then the shared expansions.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/AtomicCombine.h"

#include "backends/math/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::simt {

AtomicCombine::AtomicCombine(kernel::AtomicKind kind, Type element,
                             const SimtTarget &target)
    : kind(kind), element(element), target(target) {}

static Value createCombine(OpBuilder &b, Location loc, kernel::AtomicKind kind,
                           Value old, Value value) {
  using Kind = kernel::AtomicKind;
  switch (kind) {
  case Kind::Add:
    return arith::AddIOp::create(b, loc, old, value);
  case Kind::FAdd:
    return arith::AddFOp::create(b, loc, old, value);
  case Kind::Max:
    return arith::MaxSIOp::create(b, loc, old, value);
  case Kind::Min:
    return arith::MinSIOp::create(b, loc, old, value);
  case Kind::UMax:
    return arith::MaxUIOp::create(b, loc, old, value);
  case Kind::UMin:
    return arith::MinUIOp::create(b, loc, old, value);
  case Kind::FMax:
    return arith::MaxNumFOp::create(b, loc, old, value);
  case Kind::FMin:
    return arith::MinNumFOp::create(b, loc, old, value);
  case Kind::And:
    return arith::AndIOp::create(b, loc, old, value);
  case Kind::Or:
    return arith::OrIOp::create(b, loc, old, value);
  case Kind::Xor:
    return arith::XOrIOp::create(b, loc, old, value);
  case Kind::Xchg:
    return value;
  }
  llvm_unreachable("all kinds are listed");
}

void AtomicCombine::build() {
  OpBuilder b(element.getContext());
  Location loc = b.getUnknownLoc();
  library = ModuleOp::create(loc);
  b.setInsertionPointToStart(library->getBody());
  auto function = func::FuncOp::create(
      b, loc, "combine", b.getFunctionType({element, element}, {element}));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  Value result =
      createCombine(b, loc, kind, body->getArgument(0), body->getArgument(1));
  func::ReturnOp::create(b, loc, result);
  math::ArithmeticOptions options;
  options.hasFma = target.hasFma;
  options.casts.hasNativeFloat16 = target.hasFloat16;
  options.smallFloats.hasFloat16Arithmetic =
      target.hasFloat16 && target.hasFloat16Arithmetic;
  options.integers.divideVectorsThroughFloat = false;
  math::expandArithmetic(*library, options);
}

llvm::Value *AtomicCombine::emit(Emitter &e, llvm::Value *old,
                                 llvm::Value *value) {
  if (!library)
    build();
  auto function = cast<func::FuncOp>(library->getBody()->front());
  return e.emitCombine(function.getBody().front(), {old, value})[0];
}

} // namespace tilewright::simt
