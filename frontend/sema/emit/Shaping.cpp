//===- Shaping.cpp - Broadcasting and changes of shape ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules F1, F2 and F5 of the language.
//===----------------------------------------------------------------------===//

#include "frontend/sema/emit/Emitter.h"

#include "dialects/tile/TileOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::sema;

mlir::Type Emitter::typeFor(DType type, Shape shape) {
  mlir::Type element = type.toMLIR(b.getContext());
  if (shape.empty())
    return element;
  return mlir::RankedTensorType::get(shape, element);
}

bool Emitter::checkShape(Shape shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || !llvm::isPowerOf2_64(extent)) {
      reporter.error(2030,
                     "expected extents that are powers of two, got " +
                         std::to_string(extent),
                     "round the extent up with triton.next_power_of_2 and "
                     "mask the rest");
      return false;
    }
    if (extent > (1 << 20) || (count *= extent) > (1 << 20)) {
      reporter.error(2031, "expected at most 1048576 elements in a tensor",
                     "use smaller blocks and a loop or a larger grid");
      return false;
    }
  }
  return true;
}

std::optional<std::vector<int64_t>> Emitter::commonShape(Shape a, Shape b) {
  size_t rank = std::max(a.size(), b.size());
  std::vector<int64_t> result(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t x = i < rank - a.size() ? 1 : a[i - (rank - a.size())];
    int64_t y = i < rank - b.size() ? 1 : b[i - (rank - b.size())];
    if (x != y && x != 1 && y != 1)
      return std::nullopt;
    result[i] = std::max(x, y);
  }
  return result;
}

Value Emitter::broadcastTo(const Value &value, Shape shape) {
  if (value.isError() || value.shape() == shape)
    return value;
  if (value.isScalar()) {
    mlir::TypedAttr constant;
    if (mlir::matchPattern(value.ssa(), mlir::m_Constant(&constant)))
      return wrap(mlir::arith::ConstantOp::create(
                      b, mlir::DenseElementsAttr::get(
                             llvm::cast<mlir::ShapedType>(
                                 typeFor(value.dtype(), shape)),
                             mlir::Attribute(constant))),
                  value.dtype());
    return wrap(
        tile::SplatOp::create(b, typeFor(value.dtype(), shape), value.ssa()),
        value.dtype());
  }
  std::vector<int64_t> padded(value.shape());
  bool fits = padded.size() <= shape.size();
  if (fits)
    padded.insert(padded.begin(), shape.size() - padded.size(), 1);
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = padded[i] == 1 || padded[i] == shape[i];
  if (!fits)
    return reporter.error(2032, "expected a value that broadcasts to " +
                                    describeType(value.dtype(), shape) +
                                    ", got " + value.describe());
  Value result = reshape(value, padded);
  if (result.shape() == shape)
    return result;
  return wrap(
      tile::BroadcastOp::create(b, typeFor(value.dtype(), shape), result.ssa()),
      value.dtype());
}

bool Emitter::broadcastTogether(Value &left, Value &right) {
  if (left.isError() || right.isError())
    return false;
  std::optional<std::vector<int64_t>> shape =
      commonShape(left.shape(), right.shape());
  if (!shape) {
    reporter.error(2032,
                   "expected shapes that broadcast together, got " +
                       left.describe() + " and " + right.describe(),
                   "extents must be equal or 1, aligned at the last "
                   "dimension; add dimensions with x[:, None]");
    return false;
  }
  left = broadcastTo(left, *shape);
  right = broadcastTo(right, *shape);
  return !left.isError() && !right.isError();
}

Value Emitter::reshape(const Value &value, Shape shape, bool mayReorder) {
  if (value.isError() || value.shape() == shape)
    return value;
  if (value.isScalar())
    return broadcastTo(value, shape);
  mlir::TypedAttr constant;
  if (auto dense = mlir::DenseElementsAttr();
      mlir::matchPattern(value.ssa(), mlir::m_Constant(&dense)) &&
      dense.isSplat())
    return wrap(mlir::arith::ConstantOp::create(
                    b, dense.resizeSplat(llvm::cast<mlir::ShapedType>(
                           typeFor(value.dtype(), shape)))),
                value.dtype());
  auto op = tile::ReshapeOp::create(b, typeFor(value.dtype(), shape),
                                    value.ssa(), mayReorder);
  return wrap(op.getResult(), value.dtype());
}

Value Emitter::expandDims(const Value &value, int64_t axis) {
  std::vector<int64_t> shape(value.shape());
  shape.insert(shape.begin() + axis, 1);
  return reshape(value, shape);
}

Value Emitter::transpose(const Value &value, llvm::ArrayRef<int64_t> order) {
  if (value.isError())
    return value;
  std::vector<int64_t> shape;
  bool isIdentity = true;
  for (size_t i = 0; i < order.size(); ++i) {
    shape.push_back(value.shape()[order[i]]);
    isIdentity &= order[i] == static_cast<int64_t>(i);
  }
  if (isIdentity)
    return value;
  return wrap(tile::TransposeOp::create(b, typeFor(value.dtype(), shape),
                                        value.ssa(), order),
              value.dtype());
}

Value Emitter::range(int64_t start, int64_t end) {
  int64_t extent = end - start;
  return wrap(tile::RangeOp::create(b, typeFor(Scalar::I32, {extent}),
                                    static_cast<int32_t>(start),
                                    static_cast<int32_t>(end)),
              Scalar::I32);
}
