//===- DotScaled.cpp - Block-scaled products as plain ones ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel.dot_scaled` becomes conversions to f32, products with the scales and
// one `linalg.matmul`, all on tensors, before anything is planned.
//===----------------------------------------------------------------------===//
#include "backends/common/Decompose.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace tilewright::backend {

/// Elements along K that share a scale.
static constexpr int64_t kScaleBlock = 32;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

namespace {
/// Builds elementwise arithmetic on tensors of one shape.
class TensorBuilder {
public:
  TensorBuilder(Operation *op) : b(op->getLoc(), op) {}

  RankedTensorType typeLike(Value value, Type element) {
    return RankedTensorType::get(shapeOf(value), element);
  }
  Value constantLike(Value value, int64_t number) {
    auto type = cast<RankedTensorType>(value.getType());
    return arith::ConstantOp::create(
        b, SplatElementsAttr::get(
               type, b.getIntegerAttr(type.getElementType(), number)));
  }
  Value widen(Value value) {
    return arith::ExtUIOp::create(b, typeLike(value, b.getI32Type()), value);
  }
  Value asFloat(Value bits) {
    return arith::BitcastOp::create(b, typeLike(bits, b.getF32Type()), bits);
  }
  Value masked(Value value, int64_t bits) {
    return arith::AndIOp::create(b, value, constantLike(value, bits));
  }
  Value shiftedLeft(Value value, int64_t bits) {
    return arith::ShLIOp::create(b, value, constantLike(value, bits));
  }
  Value transposed(Value value, ArrayRef<int64_t> order) {
    SmallVector<int64_t> shape;
    for (int64_t dim : order)
      shape.push_back(shapeOf(value)[dim]);
    Value empty = tensor::EmptyOp::create(b, shape, elementOf(value));
    return linalg::TransposeOp::create(b, value, empty, order).getResult()[0];
  }
  Value collapsed(Value value, ArrayRef<ReassociationIndices> groups) {
    return tensor::CollapseShapeOp::create(b, value, groups);
  }

  Value unpack(Value packed, bool isAlongColumns);
  Value decodeE2M1(Value codes);
  Value decodeScale(Value scale);
  Value operand(Value value, StringRef format, bool isPackedAlongColumns);
  Value scaleOf(Value scale);

  ImplicitLocOpBuilder b;
};
} // namespace

/// Two 4-bit codes a byte, the low one first.
Value TensorBuilder::unpack(Value packed, bool isAlongColumns) {
  Value low = masked(packed, 15);
  Value high =
      masked(arith::ShRUIOp::create(b, packed, constantLike(packed, 4)), 15);
  SmallVector<int64_t> shape(shapeOf(packed));
  shape.push_back(2);
  Value pairs = kernel::JoinOp::create(
      b, RankedTensorType::get(shape, elementOf(packed)), low, high);
  if (isAlongColumns)
    return collapsed(pairs, {{0}, {1, 2}});
  return collapsed(transposed(pairs, {0, 2, 1}), {{0, 1}, {2}});
}

/// 1 sign, 2 exponent and 1 mantissa bits. In the place of an f32's exponent
/// and mantissa they are the value times 2^-126, denormals included.
Value TensorBuilder::decodeE2M1(Value codes) {
  Value bits = widen(codes);
  Value sign = shiftedLeft(masked(bits, 8), 28);
  Value size = asFloat(shiftedLeft(masked(bits, 7), 22));
  auto type = cast<RankedTensorType>(size.getType());
  Value factor = arith::ConstantOp::create(
      b, SplatElementsAttr::get(type, b.getF32FloatAttr(0x1p126f)));
  size = arith::MulFOp::create(b, size, factor);
  Value sizeBits =
      arith::BitcastOp::create(b, typeLike(size, b.getI32Type()), size);
  return asFloat(arith::OrIOp::create(b, sizeBits, sign));
}

/// e8m0: 2^(s - 127); 255 is NaN. 2^-127 is a denormal of f32.
Value TensorBuilder::decodeScale(Value scale) {
  Value bits = widen(scale);
  Value usual = shiftedLeft(bits, 23);
  auto isEqual = [&](int64_t code) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bits,
                                 constantLike(bits, code));
  };
  Value result = arith::SelectOp::create(b, isEqual(0),
                                         constantLike(bits, 0x00400000), usual);
  return asFloat(arith::SelectOp::create(
      b, isEqual(255), constantLike(bits, 0x7FC00000), result));
}

Value TensorBuilder::operand(Value value, StringRef format,
                             bool isPackedAlongColumns) {
  if (format == "e2m1")
    return decodeE2M1(unpack(value, isPackedAlongColumns));
  Type element = elementOf(value);
  if (element.isInteger(8)) {
    Type small = format == "e4m3" ? Type(b.getType<Float8E4M3FNType>())
                                  : Type(b.getType<Float8E5M2Type>());
    value = arith::BitcastOp::create(b, typeLike(value, small), value);
  } else if (isa<IntegerType>(element)) {
    Type small = format == "bf16" ? Type(b.getBF16Type()) : b.getF16Type();
    value = arith::BitcastOp::create(b, typeLike(value, small), value);
  }
  return arith::ExtFOp::create(b, typeLike(value, b.getF32Type()), value);
}

/// A scale for every element: [rows, K / 32] to [rows, K].
Value TensorBuilder::scaleOf(Value scale) {
  Value decoded = decodeScale(scale);
  SmallVector<int64_t> shape(shapeOf(decoded));
  shape.push_back(kScaleBlock);
  Value empty = tensor::EmptyOp::create(b, shape, b.getF32Type());
  Value spread =
      linalg::BroadcastOp::create(b, decoded, empty, ArrayRef<int64_t>{2})
          .getResult()[0];
  return collapsed(spread, {{0}, {1, 2}});
}

Value packAlongK(Operation *op, Value packed, bool isRhs) {
  TensorBuilder t(op);
  Value codes = t.unpack(packed, /*isAlongColumns=*/isRhs);
  if (isRhs)
    codes = t.transposed(codes, {1, 0});
  ArrayRef<int64_t> shape = shapeOf(codes);
  Value pairs = tensor::ExpandShapeOp::create(
      t.b, RankedTensorType::get({shape[0], shape[1] / 2, 2}, elementOf(codes)),
      codes, ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  auto halves = kernel::SplitOp::create(t.b, pairs);
  Value bytes = arith::OrIOp::create(t.b, halves.getLhs(),
                                     t.shiftedLeft(halves.getRhs(), 4));
  return isRhs ? t.transposed(bytes, {1, 0}) : bytes;
}

void decomposeDotScaled(func::FuncOp function) {
  SmallVector<kernel::DotScaledOp> products;
  function.walk([&](kernel::DotScaledOp op) { products.push_back(op); });
  for (kernel::DotScaledOp op : products) {
    TensorBuilder t(op);
    Value lhs = t.operand(op.getLhs(), op.getLhsFormat(), op.getLhsKPack());
    Value rhs = t.operand(op.getRhs(), op.getRhsFormat(), !op.getRhsKPack());
    if (Value scale = op.getLhsScale())
      lhs = arith::MulFOp::create(t.b, lhs, t.scaleOf(scale));
    if (Value scale = op.getRhsScale())
      rhs = arith::MulFOp::create(t.b, rhs,
                                  t.transposed(t.scaleOf(scale), {1, 0}));
    auto product =
        linalg::MatmulOp::create(t.b, TypeRange{op.getAcc().getType()},
                                 ValueRange{lhs, rhs}, op.getAcc());
    op.replaceAllUsesWith(product.getResult(0));
    op.erase();
  }
}

} // namespace tilewright::backend
