//===- Matmul.cpp - Register-blocked matrix products ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands are laid out row-major in scratch memory in the accumulator's type
// (loads, conversions and transposes happen on the way). A micro-kernel keeps
// MR x NR accumulators in registers over all of K:
//
//   for k: for v: b[v] = B[k, j + v*W ..];  for r: acc[r, v] += A[i + r, k] *
//   b[v]
//
// With 32 registers 8 x 2 accumulators hide the latency of two FMA units.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/products/MatmulPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

/// In what type products are summed: at least as exact as the result's.
static Type computeType(Type operand, Type result) {
  MLIRContext *context = result.getContext();
  if (isa<FloatType>(result) && result.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(context);
  return result;
}

/// The operand as a row-major buffer of `element`.
Buffer Emitter::matmulOperand(Value value, Type element, bool &isTemporary) {
  isTemporary = false;
  const ValueInfo &info = plan[value];
  if (info.isReady && info.buffer.element == element)
    return info.buffer;
  if (info.isStored && !info.isReady && elementOf(value) == element) {
    materialise(value);
    return plan[value].buffer;
  }
  isTemporary = true;
  Buffer buffer = allocate(shapeOf(value), element);
  writeValue(value, buffer);
  return buffer;
}

/// A carried accumulator whose old value nobody wants after this product.
std::optional<Buffer> Emitter::carriedDestination(Value value) {
  for (OpOperand &use : value.getUses()) {
    auto yield = dyn_cast<scf::YieldOp>(use.getOwner());
    auto loop = yield ? dyn_cast<scf::ForOp>(yield->getParentOp()) : nullptr;
    if (!loop || yield->getBlock() != value.getParentBlock())
      continue;
    Value argument = loop.getRegionIterArg(use.getOperandNumber());
    auto it = carriedBuffers.find(argument);
    unsigned position = plan.positionOf(value.getDefiningOp());
    if (it != carriedBuffers.end() && plan[argument].lastRead <= position)
      return it->second;
  }
  return {};
}

/// Where the product goes: the carried accumulator if it dies here, else a
/// buffer of its own holding the initial value.
Buffer Emitter::matmulResult(linalg::LinalgOp op, bool &startsAtZero) {
  Value init = op.getDpsInits()[0], result = op->getResult(0);
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value filled = fill ? fill.getInputs()[0] : init;
  if (auto splatOp = init.getDefiningOp<tensor::SplatOp>())
    filled = splatOp.getInput();
  startsAtZero =
      matchPattern(filled, m_AnyZeroFloat()) || matchPattern(filled, m_Zero());
  std::optional<Buffer> carried = carriedDestination(result);
  if (carried && !startsAtZero) {
    bool onlyIdentity = true, ignored = true;
    readsOf(init, *carried, /*isIdentity=*/true, onlyIdentity);
    for (Value operand : op.getDpsInputs())
      if (readsOf(operand, *carried, true, ignored))
        onlyIdentity = false;
    if (!onlyIdentity)
      carried.reset();
  } else if (carried) {
    bool ignored = true;
    for (Value operand : op.getDpsInputs())
      if (readsOf(operand, *carried, true, ignored)) {
        carried.reset();
        break;
      }
  }
  Buffer buffer =
      carried ? *carried : allocate(shapeOf(result), elementOf(result));
  if (!startsAtZero) {
    const ValueInfo &info = plan[init];
    if (!info.isReady || info.buffer.offset != buffer.offset)
      writeValue(init, buffer);
  }
  bindBuffer(result, buffer, /*owns=*/!carried);
  return buffer;
}

Value Emitter::multiplyAdd(Value a, Value x, Value sum) {
  if (isa<IntegerType>(getElementTypeOrSelf(a.getType())))
    return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, a, x));
  if (options.hasFma)
    return math::FmaOp::create(b, a, x, sum);
  return arith::AddFOp::create(b, sum, arith::MulFOp::create(b, a, x));
}

/// `rows` x (vectors * width) results at (row, column).
void Emitter::emitMicroKernel(const MatmulPlan &matmul, const Index &batch,
                              const Index &row, const Index &column,
                              int64_t rows) {
  unsigned width = matmul.width;
  auto shifted = [](Index index, int64_t constant, bool isLane) {
    index.constant += constant;
    index.step = isLane ? 1 : 0;
    return index;
  };
  auto place = [&](Index first, Index second) {
    Indices at;
    if (matmul.isBatched)
      at.push_back(batch);
    at.push_back(first);
    at.push_back(second);
    return at;
  };
  auto resultAt = [&](int64_t r, int64_t v) {
    return place(shifted(row, r, false), shifted(column, v * width, width > 1));
  };
  SmallVector<Value> sums;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < matmul.vectors; ++v) {
      if (matmul.startsAtZero) {
        sums.push_back(zero(laneType(matmul.element, width)));
        continue;
      }
      Value old = readBuffer(matmul.result, matmul.result.shape, resultAt(r, v),
                             width, matmul.result.element);
      sums.push_back(convertFloat(old, matmul.element));
    }
  sums = emitLoop(matmul.k, 1, sums, [&](Index k, ValueRange carried) {
    SmallVector<Value> next, columns;
    for (int64_t v = 0; v < matmul.vectors; ++v)
      columns.push_back(
          readBuffer(matmul.rhs, matmul.rhs.shape,
                     place(k, shifted(column, v * width, width > 1)), width,
                     matmul.element));
    for (int64_t r = 0; r < rows; ++r) {
      Value a = readBuffer(matmul.lhs, matmul.lhs.shape,
                           place(shifted(row, r, false), k), 1, matmul.element);
      a = splat(a, width);
      for (int64_t v = 0; v < matmul.vectors; ++v)
        next.push_back(
            multiplyAdd(a, columns[v], carried[r * matmul.vectors + v]));
    }
    return next;
  });
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < matmul.vectors; ++v)
      writeBuffer(sums[r * matmul.vectors + v], matmul.result, resultAt(r, v),
                  width);
}

/// Rows and vectors that fill the registers but leave some for operands.
static void chooseBlocking(MatmulPlan &matmul, const CpuLoopOptions &options) {
  int64_t lanes = options.vectorBytes / elementBytes(matmul.element);
  matmul.width = 1;
  while (matmul.width * 2 <= lanes && matmul.n % (matmul.width * 2) == 0)
    matmul.width *= 2;
  int64_t accumulators = options.registerCount / 2;
  int64_t columns = matmul.n / matmul.width;
  matmul.rows = std::min<int64_t>(matmul.m, accumulators / 2);
  while (matmul.vectors * 2 * matmul.rows <= accumulators &&
         columns % (matmul.vectors * 2) == 0)
    matmul.vectors *= 2;
}

void Emitter::emitMatmul(linalg::LinalgOp op) {
  Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1];
  Value result = op->getResult(0);
  MatmulPlan matmul;
  matmul.element = computeType(elementOf(lhs), elementOf(result));
  ArrayRef<int64_t> shape = shapeOf(lhs);
  matmul.isBatched = shape.size() == 3;
  matmul.batches = matmul.isBatched ? shape[0] : 1;
  matmul.m = shape[shape.size() - 2];
  matmul.k = shape.back();
  matmul.n = shapeOf(rhs).back();
  bool isLhsTemporary, isRhsTemporary;
  matmul.lhs = matmulOperand(lhs, matmul.element, isLhsTemporary);
  matmul.rhs = matmulOperand(rhs, matmul.element, isRhsTemporary);
  matmul.result = matmulResult(op, matmul.startsAtZero);
  chooseBlocking(matmul, options);

  b.setLoc(op.getLoc());
  Nest scope;
  llvm::SaveAndRestore<Nest *> restore(nest, &scope);
  if (isPortable() && isa<FloatType>(matmul.element))
    emitStatedMatmul(matmul);
  else
    emitBlockedMatmul(matmul);
  plan[result].isReady = true;
  if (isLhsTemporary)
    release(matmul.lhs);
  if (isRhsTemporary)
    release(matmul.rhs);
}

/// Columns outermost, so that a panel of B stays in the first-level cache.
void Emitter::emitBlockedMatmul(const MatmulPlan &matmul) {
  using Results = SmallVector<Value>;
  int64_t fullRows = matmul.m / matmul.rows * matmul.rows;
  emitLoop(matmul.batches, 1, {}, [&](Index batch, ValueRange) -> Results {
    emitLoop(
        matmul.n, matmul.vectors * matmul.width, {},
        [&](Index column, ValueRange) -> Results {
          emitLoop(fullRows, matmul.rows, {},
                   [&](Index row, ValueRange) -> Results {
                     emitMicroKernel(matmul, batch, row, column, matmul.rows);
                     return {};
                   });
          if (fullRows != matmul.m) {
            Index row;
            row.constant = fullRows;
            emitMicroKernel(matmul, batch, row, column, matmul.m - fullRows);
          }
          return {};
        });
    return {};
  });
}

} // namespace tilewright::cpu
