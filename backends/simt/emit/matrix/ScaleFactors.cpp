//===- ScaleFactors.cpp - Factors of a scaled product -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factor that is NaN makes a whole row or column of the result NaN. Ballots
// say which lanes have one; a lane's low bits are the row inside of the atom.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/matrix/ScaleFactors.h"

#include "mlir/IR/BuiltinTypes.h"

using llvm::Value; // not MLIR's

namespace tilewright::simt {

static constexpr unsigned kNaNFactor = 255;

Value *ScaleFactors::at(bool isRhs, unsigned index, uint64_t k) {
  mlir::Value scale = op.getScales()[isRhs];
  EmittedLayout &layout = e.layout(scale);
  std::vector<uint64_t> indices = {result.offset(index, isRhs ? 1 : 0),
                                   k / kScaleRun};
  return e.registers(
      scale)[layout.find(packIndices(layout.map.outputs(), indices))];
}

Value *ScaleFactors::isNaN(Value *factor) const {
  return e.b.CreateICmpEQ(factor, e.b.getInt8(kNaNFactor));
}

/// i1, the same for the lanes of a warp; null where it is known that none is.
Value *ScaleFactors::hasNaN() {
  Value *any = e.b.getFalse();
  for (mlir::Value scale : op.getScales())
    for (Value *factor : e.registers(scale))
      any = e.b.CreateOr(any, isNaN(factor));
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(any))
    if (known->isZero())
      return nullptr;
  Value *lanes = e.hooks.ballot(e.b, any);
  return e.b.CreateICmpNE(lanes, llvm::ConstantInt::get(lanes->getType(), 0));
}

Value *ScaleFactors::rowsWithNaN(bool isRhs, unsigned index) {
  auto shape =
      mlir::cast<mlir::RankedTensorType>(op.getScales()[isRhs].getType());
  Value *any = e.b.getFalse();
  for (uint64_t k = 0; k < uint64_t(shape.getDimSize(1)) * kScaleRun;
       k += atom.k)
    any = e.b.CreateOr(any, isNaN(at(isRhs, index, k)));
  Value *lanes = e.hooks.ballot(e.b, any);
  unsigned rows = isRhs ? atom.n : atom.m;
  // Lanes apart by the number of rows have other runs along k.
  for (unsigned step = rows; step < e.target.warpLanes(); step *= 2)
    lanes = e.b.CreateOr(lanes, e.b.CreateLShr(lanes, step));
  return lanes;
}

Registers ScaleFactors::markNaN(Registers sums) {
  Value *condition = hasNaN();
  if (!condition)
    return sums;
  return e.emitIf(condition, sums, [&] {
    Registers marked = sums;
    llvm::DenseMap<uint64_t, Value *> known[2];
    unsigned ofAtom = 1u << atom.resultLayout.inputBits(registerDim);
    for (auto [index, sum] : llvm::enumerate(marked)) {
      unsigned first = index & ~(ofAtom - 1);
      for (bool isRhs : {false, true}) {
        unsigned dim = isRhs ? 1 : 0;
        Value *&lanes = known[isRhs][result.offset(first, dim)];
        if (!lanes)
          lanes = rowsWithNaN(isRhs, first);
        Value *row = e.b.CreateAnd(e.coordinate(result, dim, index),
                                   e.i32((isRhs ? atom.n : atom.m) - 1));
        Value *bit =
            e.b.CreateLShr(lanes, e.b.CreateZExt(row, lanes->getType()));
        sum = e.b.CreateSelect(e.b.CreateTrunc(bit, e.b.getInt1Ty()),
                               llvm::ConstantFP::getNaN(sum->getType()), sum);
      }
    }
    return marked;
  });
}

} // namespace tilewright::simt
