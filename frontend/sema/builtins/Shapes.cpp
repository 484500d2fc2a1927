//===- Shapes.cpp - Changes of shape ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reshape, trans, expand_dims, broadcast_to, join, split, cat, gather.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/Combine.h"

#include "dialects/tile/TileOps.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::sema;

static int64_t countOf(Shape shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// reshape and view; variant 1 frees the order of elements.
static Value emitReshape(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> shape = in.constantShape(args, "shape");
  std::optional<bool> mayReorder = in.constantBool(args, "can_reorder");
  Value input = in.emitter.toTensor(args["input"]);
  if (!shape || !mayReorder || input.isError())
    return Value::error();
  if (!in.emitter.checkShape(*shape))
    return Value::error();
  if (countOf(*shape) != countOf(input.shape()) || shape->empty())
    return in.argumentError(args, "shape", 2250,
                            "expected a shape of " +
                                llvm::Twine(countOf(input.shape())) +
                                " elements for " + input.describe() +
                                ", got one of " + llvm::Twine(countOf(*shape)));
  return in.emitter.reshape(input, *shape,
                            *mayReorder || args.builtin->variant == 1);
}

static Value emitTrans(Interpreter &in, CallArgs &args) {
  const Value &input = args["input"];
  if (!in.expectTile(args, "input"))
    return Value::error();
  std::optional<std::vector<int64_t>> dims = in.constantShape(args, "dims");
  if (!dims)
    return Value::error();
  int64_t rank = input.rank();
  if (dims->empty()) {
    if (rank < 2)
      return in.argumentError(args, "input", 2251,
                              "expected a tensor of rank 2 or more, got " +
                                  input.describe());
    for (int64_t i = 0; i < rank; ++i)
      dims->push_back(i);
    std::swap((*dims)[rank - 1], (*dims)[rank - 2]);
  }
  std::vector<bool> seen(rank, false);
  bool isPermutation = static_cast<int64_t>(dims->size()) == rank;
  for (int64_t &dim : *dims) {
    if (dim < 0)
      dim += rank;
    isPermutation &= dim >= 0 && dim < rank && !seen[dim];
    if (isPermutation)
      seen[dim] = true;
  }
  if (!isPermutation)
    return in.argumentError(args, "dims", 2252,
                            "expected a permutation of the " +
                                llvm::Twine(rank) + " dimensions of " +
                                input.describe());
  return in.emitter.transpose(input, *dims);
}

static Value emitExpandDims(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> axes = in.constantShape(args, "axis");
  Value input = in.emitter.toTensor(args["input"]);
  if (!axes || input.isError())
    return Value::error();
  int64_t rank = input.rank() + static_cast<int64_t>(axes->size());
  for (int64_t &axis : *axes) {
    if (axis < 0)
      axis += rank;
    if (axis < 0 || axis >= rank)
      return in.argumentError(args, "axis", 2205,
                              "expected an axis from " + llvm::Twine(-rank) +
                                  " to " + llvm::Twine(rank - 1));
  }
  llvm::sort(*axes);
  if (std::adjacent_find(axes->begin(), axes->end()) != axes->end())
    return in.argumentError(args, "axis", 2205, "expected different axes");
  std::vector<int64_t> shape(input.shape());
  for (int64_t axis : *axes)
    shape.insert(shape.begin() + axis, 1);
  return in.emitter.reshape(input, shape);
}

static Value emitBroadcastTo(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> shape = in.constantShape(args, "shape");
  Value input = in.emitter.toTensor(args["input"]);
  if (!shape || input.isError() || !in.emitter.checkShape(*shape))
    return Value::error();
  if (input.rank() && input.rank() != static_cast<int64_t>(shape->size()))
    return in.argumentError(
        args, "shape", 2253,
        "expected a shape of rank " + llvm::Twine(input.rank()) + " for " +
            input.describe() + ", got rank " + llvm::Twine(shape->size()),
        "add dimensions with x[:, None] first");
  return in.emitter.broadcastTo(input, *shape);
}

static Value emitBroadcast(Interpreter &in, CallArgs &args) {
  Value left = in.emitter.toTensor(args["input"]);
  Value right = in.emitter.toTensor(args["other"]);
  if (!in.emitter.broadcastTogether(left, right))
    return Value::error();
  return Value::tuple({left, right});
}

static Value emitJoin(Interpreter &in, CallArgs &args) {
  Value left = args["a"], right = args["b"];
  for (Value *value : {&left, &right})
    *value = in.emitter.toTensor(*value);
  if (!in.emitter.broadcastTogether(left, right))
    return Value::error();
  if (left.dtype() != right.dtype())
    return in.error(2051,
                    "expected two values of one type, got " + left.describe() +
                        " and " + right.describe(),
                    "convert one of them with .to(...)");
  std::vector<int64_t> shape(left.shape());
  shape.push_back(2);
  return Value::tensor(
      tile::JoinOp::create(in.builder(),
                           in.emitter.typeFor(left.dtype(), shape), left.ssa(),
                           right.ssa()),
      left.dtype());
}

static Value emitSplit(Interpreter &in, CallArgs &args) {
  const Value &input = args["a"];
  if (!in.expectTile(args, "a"))
    return Value::error();
  if (input.shape().back() != 2)
    return in.argumentError(
        args, "a", 2254, "expected a last extent of 2, got " + input.describe(),
        "reshape the tensor so that its last dimension "
        "has extent 2");
  mlir::Type half =
      in.emitter.typeFor(input.dtype(), input.shape().drop_back());
  auto op = tile::SplitOp::create(in.builder(), half, half, input.ssa());
  return Value::tuple({Value::tensor(op->getResult(0), input.dtype()),
                       Value::tensor(op->getResult(1), input.dtype())});
}

static Value emitCat(Interpreter &in, CallArgs &args) {
  const Value &left = args["input"], &right = args["other"];
  std::optional<bool> mayReorder = in.constantBool(args, "can_reorder");
  if (!mayReorder || !in.expectTile(args, "input") ||
      !in.expectTile(args, "other"))
    return Value::error();
  bool matches = left.rank() == 1 && left.shape() == right.shape() &&
                 left.dtype() == right.dtype();
  if (!matches)
    return in.error(2255, "expected two 1-D tensors of one type, got " +
                              left.describe() + " and " + right.describe());
  mlir::Type type = in.emitter.typeFor(left.dtype(), {left.shape()[0] * 2});
  return Value::tensor(tile::CatOp::create(in.builder(), type, left.ssa(),
                                           right.ssa(), *mayReorder),
                       left.dtype());
}

static Value emitGather(Interpreter &in, CallArgs &args) {
  const Value &source = args["src"];
  Value index = args["index"];
  if (!in.expectTile(args, "src") || !in.expectTile(args, "index"))
    return Value::error();
  std::optional<int64_t> axis = in.axis(args, "axis", source.rank());
  if (!axis)
    return Value::error();
  if (!index.dtype().isInt())
    return in.argumentError(args, "index", 2256,
                            "expected integer indices, got " +
                                index.describe());
  bool matches = index.rank() == source.rank();
  for (int64_t i = 0; matches && i < source.rank(); ++i)
    matches = i == *axis || index.shape()[i] == source.shape()[i];
  if (!matches)
    return in.argumentError(args, "index", 2257,
                            "expected indices with the source's shape except "
                            "along the axis, got " +
                                index.describe() + " for " + source.describe());
  // The operation reads its indices as signed: 200 of u8 would be -56.
  if (index.dtype().isUnsigned())
    index = in.emitter.cast(index, index.dtype().width() < 32 ? Scalar::I32
                                                              : Scalar::I64);
  return Value::tensor(
      tile::GatherOp::create(in.builder(),
                             in.emitter.typeFor(source.dtype(), index.shape()),
                             source.ssa(), index.ssa(), *axis),
      source.dtype());
}

/// A tensor of one element as a scalar.
static Value emitItem(Interpreter &in, CallArgs &args) {
  Value input = in.emitter.toTensor(args["input"]);
  if (input.isError() || input.shape().empty())
    return input;
  if (countOf(input.shape()) != 1)
    return in.argumentError(args, "input", 2258,
                            "expected a tensor of one element, got " +
                                input.describe());
  std::vector<Value> parts = {in.emitter.reshape(input, {1})};
  // The combine function never runs on a single element.
  return emitReduction(in, parts, 0, [&](auto left, auto right) {
    return std::vector<Value>{left[0]};
  })[0];
}

void sema::registerShapes(BuiltinTable &table) {
  auto method = [&](llvm::StringRef name, llvm::StringRef parameters,
                    Value (*emit)(Interpreter &, CallArgs &),
                    int64_t variant = 0) {
    Builtin &builtin = table.add(name, parameters, emit);
    builtin.isMethod = true;
    builtin.variant = variant;
  };
  method("tl.reshape", "input, *shape, can_reorder=False", emitReshape);
  method("tl.view", "input, *shape, can_reorder=False", emitReshape, 1);
  method("tl.trans", "input, *dims", emitTrans);
  method("tl.permute", "input, *dims", emitTrans);
  method("tl.expand_dims", "input, axis", emitExpandDims);
  method("tl.broadcast_to", "input, *shape", emitBroadcastTo);
  table.add("tl.broadcast", "input, other", emitBroadcast);
  table.add("tl.join", "a, b", emitJoin);
  method("tl.split", "a", emitSplit);
  method("tl.cat", "input, other, can_reorder=False", emitCat);
  method("tl.gather", "src, index, axis", emitGather);
  method("tensor.item", "input", emitItem);
}
