//===- BlockPointers.cpp - make_block_ptr and advance -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule G6. A block pointer is sugar over pointers and masks, written so that
// the raising of addresses sees base + sum of (offset_d + range_d) * stride_d
// in i64, and one comparison a checked dimension:
//
//   x_d  = offset_d + range(0, block_d)
//   ptr  = base + x_0[:, None] * stride_0 + x_1[None, :] * stride_1
//   mask = (0 <= x_0 < shape_0)[:, None] & (0 <= x_1 < shape_1)[None, :]
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/MemoryAccess.h"

#include "dialects/tile/TileOps.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using ast::CompareOperator;

static std::optional<std::vector<Value>> scalars(Interpreter &in,
                                                 const CallArgs &args,
                                                 llvm::StringRef name,
                                                 size_t rank) {
  const Value &given = args[name];
  if (!given.isTuple() || given.elements().size() != rank) {
    in.argumentError(args, name, 2280,
                     "expected " + llvm::Twine(rank) + " entries for '" + name +
                         "', got " + given.describe());
    return std::nullopt;
  }
  std::vector<Value> result;
  for (const Value &element : given.elements()) {
    result.push_back(in.emitter.toScalarInt(element, Scalar::I64, name));
    if (result.back().isError())
      return std::nullopt;
  }
  return result;
}

static Value emitMakeBlockPointer(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> block =
      in.constantShape(args, "block_shape");
  if (!block || !checkPointer(in, args, "base") ||
      !in.emitter.checkShape(*block))
    return Value::error();
  const Value &base = args["base"];
  if (!base.isScalar())
    return in.argumentError(args, "base", 2281,
                            "expected a scalar pointer as the base, got " +
                                base.describe());
  if (base.dtype().pointee().isPointer())
    return in.argumentError(args, "base", 2281,
                            "expected a pointer to numbers as the base, got " +
                                base.describe());
  size_t rank = block->size();
  auto shape = scalars(in, args, "shape", rank);
  auto strides = scalars(in, args, "strides", rank);
  auto offsets = scalars(in, args, "offsets", rank);
  if (!shape || !strides || !offsets)
    return Value::error();
  auto payload = std::make_shared<BlockPointerPayload>();
  payload->base = base;
  payload->shape = *shape;
  payload->strides = *strides;
  payload->offsets = *offsets;
  payload->block = *block;
  return Value::withPayload(Value::Kind::BlockPointer, std::move(payload));
}

static Value emitAdvance(Interpreter &in, CallArgs &args) {
  const Value &base = args["base"];
  if (!base.is(Value::Kind::BlockPointer))
    return in.argumentError(args, "base", 2290,
                            "expected a block pointer to advance, got " +
                                base.describe(),
                            "add offsets to ordinary pointers with +");
  auto payload = std::make_shared<BlockPointerPayload>(
      base.payload<BlockPointerPayload>());
  auto steps = scalars(in, args, "offsets", payload->block.size());
  if (!steps)
    return Value::error();
  for (size_t i = 0; i < steps->size(); ++i)
    payload->offsets[i] = in.emitter.add(payload->offsets[i], (*steps)[i]);
  return Value::withPayload(Value::Kind::BlockPointer, std::move(payload));
}

/// Dimensions to guard, as a flag a dimension.
static std::optional<std::vector<bool>>
checkedDimensions(Interpreter &in, const CallArgs &args, size_t rank) {
  std::vector<bool> checked(rank, false);
  const Value &given = args["boundary_check"];
  if (given.isNone())
    return checked;
  std::optional<std::vector<int64_t>> list =
      in.constantShape(args, "boundary_check");
  if (!list)
    return std::nullopt;
  for (int64_t dimension : *list) {
    if (dimension < 0 || dimension >= static_cast<int64_t>(rank)) {
      in.argumentError(args, "boundary_check", 2291,
                       "expected dimensions from 0 to " +
                           llvm::Twine(rank - 1) + ", got " +
                           llvm::Twine(dimension));
      return std::nullopt;
    }
    checked[dimension] = true;
  }
  return checked;
}

namespace {
struct Address {
  Value pointer;
  /// None when nothing is checked.
  Value mask = Value::none();
};
} // namespace

static Address addressOf(Interpreter &in, const BlockPointerPayload &block,
                         llvm::ArrayRef<bool> checked) {
  Emitter &e = in.emitter;
  size_t rank = block.block.size();
  Address address;
  address.pointer = block.base;
  for (size_t d = 0; d < rank; ++d) {
    std::vector<int64_t> shape(rank, 1);
    shape[d] = block.block[d];
    Value index = e.add(block.offsets[d],
                        e.cast(e.range(0, block.block[d]), Scalar::I64));
    Value spread = e.reshape(index, shape);
    address.pointer =
        e.addPointer(address.pointer, e.mul(spread, block.strides[d]));
    if (!checked[d])
      continue;
    Value inside =
        e.binary(BinaryOperator::BitAnd,
                 e.compare(CompareOperator::GtE, spread, Value::integer(0)),
                 e.compare(CompareOperator::Lt, spread, block.shape[d]));
    address.mask = address.mask.isNone()
                       ? inside
                       : e.binary(BinaryOperator::BitAnd, address.mask, inside);
  }
  address.pointer = e.broadcastTo(address.pointer, block.block);
  if (!address.mask.isNone())
    address.mask = e.broadcastTo(address.mask, block.block);
  return address;
}

static std::optional<std::vector<bool>>
boundaries(Interpreter &in, const CallArgs &args, size_t rank) {
  if (!args["mask"].isNone()) {
    in.argumentError(args, "mask", 2292,
                     "expected no mask with a block pointer",
                     "use boundary_check");
    return std::nullopt;
  }
  return checkedDimensions(in, args, rank);
}

Value sema::loadBlockPointer(Interpreter &in, CallArgs &args) {
  const auto &block = args["pointer"].payload<BlockPointerPayload>();
  std::optional<AccessHints> hints = accessHints(in, args);
  std::optional<bool> isVolatile = in.constantBool(args, "volatile");
  std::optional<std::string> padding = in.constantStr(args, "padding_option");
  auto checked = boundaries(in, args, block.block.size());
  if (!hints || !isVolatile || !padding || !checked)
    return Value::error();
  if (!args["other"].isNone())
    return in.argumentError(args, "other", 2292,
                            "expected no 'other' with a block pointer",
                            "use padding_option");
  if (*padding != "" && *padding != "zero" && *padding != "nan")
    return in.argumentError(args, "padding_option", 2283,
                            "expected 'zero' or 'nan', got '" + *padding + "'");
  DType element = block.base.dtype().pointee();
  Address address = addressOf(
      in, block, llvm::SmallVector<bool>(checked->begin(), checked->end()));
  if (address.pointer.isError())
    return Value::error();
  mlir::Value mask, other;
  if (!address.mask.isNone())
    mask = address.mask.ssa();
  if (mask && *padding == "nan") {
    if (!element.isFloat())
      return in.argumentError(args, "padding_option", 2283,
                              "expected floats with NaN padding, got " +
                                  element.spelling());
    other = in.emitter.constant(Value::number(NAN), element, block.block).ssa();
  }
  auto op = tile::LoadOp::create(in.builder(),
                                 in.emitter.typeFor(element, block.block),
                                 address.pointer.ssa(), mask, other,
                                 hints->cache, hints->eviction, *isVolatile);
  return Value::tensor(op, element);
}

Value sema::storeBlockPointer(Interpreter &in, CallArgs &args) {
  const auto &block = args["pointer"].payload<BlockPointerPayload>();
  std::optional<AccessHints> hints = accessHints(in, args);
  auto checked = boundaries(in, args, block.block.size());
  if (!hints || !checked)
    return Value::error();
  if (block.base.dtype().readOnly)
    return in.argumentError(args, "pointer", 2227,
                            "expected a pointer that may be stored through");
  DType element = block.base.dtype().pointee();
  Value value = in.emitter.broadcastTo(in.emitter.cast(args["value"], element),
                                       block.block);
  Address address = addressOf(
      in, block, llvm::SmallVector<bool>(checked->begin(), checked->end()));
  if (value.isError() || address.pointer.isError())
    return Value::error();
  tile::StoreOp::create(in.builder(), address.pointer.ssa(), value.ssa(),
                        address.mask.isNone() ? mlir::Value()
                                              : address.mask.ssa(),
                        hints->cache, hints->eviction);
  return Value::none();
}

void sema::registerBlockPointers(BuiltinTable &table) {
  table.add("tl.make_block_ptr",
            "base, shape, strides, offsets, block_shape, order=None",
            emitMakeBlockPointer);
  table.add("tl.advance", "base, offsets", emitAdvance);
}
