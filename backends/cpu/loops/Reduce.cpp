//===- Reduce.cpp - Reductions along dimensions -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outer loops over the dimensions kept, inner loops over those reduced with
// vector accumulators. Wide vectors (up to four registers) give independent
// chains; long float sums are cut into blocks so that errors do not pile up.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

/// Terms that one float accumulator takes before it is added to a total.
static constexpr int64_t kBlockTerms = 64;

/// Small floats are combined in f32 when one operation does it.
static Type accumulatorType(Block *combine, Type element) {
  bool isSmall =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  if (isSmall && singleCombine(combine))
    return Float32Type::get(element.getContext());
  return element;
}

/// Neutral elements as starting values; empty when there is none.
SmallVector<Value> Emitter::neutrals(const Reduction &reduction,
                                     unsigned width) {
  if (reduction.inputs.size() != 1)
    return {};
  Type element =
      accumulatorType(reduction.combine, elementOf(reduction.inputs[0]));
  TypedAttr neutral = neutralElement(reduction.combine, element);
  if (!neutral)
    return {};
  return {splat(constant(neutral), width)};
}

/// One step: the inputs at an index, combined with what is carried.
SmallVector<Value> Emitter::reduceAt(const Reduction &reduction,
                                     const Indices &at, ValueRange carried) {
  nest->identity = at;
  SmallVector<Value> values;
  for (Value input : reduction.inputs) {
    Value value = evaluate(input, at, nest->width);
    Type element = accumulatorType(reduction.combine, elementOf(input));
    values.push_back(isa<FloatType>(element) ? convertFloat(value, element)
                                             : value);
  }
  if (carried.empty())
    return values;
  return cloneCombine(reduction.combine, carried, values, nest->width);
}

/// The same, once for chunks within bounds and once for others.
SmallVector<Value> Emitter::reduceChunk(const Reduction &reduction,
                                        const Indices &at, ValueRange carried) {
  SmallVector<Type> types;
  for (Value input : reduction.inputs)
    types.push_back(laneType(
        accumulatorType(reduction.combine, elementOf(input)), nest->width));
  return emitGuarded(reduction.isGuarded, types,
                     [&](bool) { return reduceAt(reduction, at, carried); });
}

/// Lanes advance together, other dimensions one by one.
static int64_t stepOf(const Nest &nest, ArrayRef<int64_t> shape, int64_t dim) {
  return dim == laneDimension(shape) ? nest.width : 1;
}

/// A long float sum along the innermost dimension: blocks of partial sums.
SmallVector<Value> Emitter::reduceBlocked(const Reduction &reduction,
                                          int64_t dim, Indices &at,
                                          ValueRange carried) {
  ArrayRef<int64_t> shape = shapeOf(reduction.inputs[0]);
  int64_t step = stepOf(*nest, shape, dim), block = step * kBlockTerms;
  while (shape[dim] % block != 0)
    block /= 2;
  return emitLoop(
      shape[dim], block, carried, [&](Index outer, ValueRange sums) {
        SmallVector<Value> partial =
            emitLoop(block, step, neutrals(reduction, nest->width),
                     [&](Index inner, ValueRange terms) {
                       Index index;
                       index.base = add(outer.base, inner.base);
                       index.level = nest->levels.size() - 1;
                       index.step = step > 1 ? 1 : 0;
                       at[dim] = index;
                       return reduceChunk(reduction, at, terms);
                     });
        return cloneCombine(reduction.combine, sums, partial, nest->width);
      });
}

SmallVector<Value> Emitter::reduceAlong(const Reduction &reduction,
                                        ArrayRef<int64_t> dims, Indices &at,
                                        ValueRange carried) {
  if (dims.empty())
    return reduceChunk(reduction, at, carried);
  int64_t dim = dims.front();
  ArrayRef<int64_t> shape = shapeOf(reduction.inputs[0]);
  int64_t step = stepOf(*nest, shape, dim);
  Operation *single = singleCombine(reduction.combine);
  bool isLong = shape[dim] / step > kBlockTerms && shape[dim] / step % 2 == 0;
  if (dims.size() == 1 && isLong && single && isa<arith::AddFOp>(single))
    return reduceBlocked(reduction, dim, at, carried);
  return emitLoop(shape[dim], step, carried, [&](Index iv, ValueRange sums) {
    iv.step = step > 1 ? 1 : 0;
    at[dim] = iv;
    return reduceAlong(reduction, dims.drop_front(), at, sums);
  });
}

/// All reduced dimensions at one index of those kept.
SmallVector<Value> Emitter::reduceDims(const Reduction &reduction,
                                       Indices &at) {
  SmallVector<Value> start = neutrals(reduction, nest->width);
  if (!start.empty())
    return reduceAlong(reduction, reduction.dims, at, start);
  // Nothing to start from: the first element does, the loop takes the rest.
  int64_t dim = reduction.dims[0];
  ArrayRef<int64_t> shape = shapeOf(reduction.inputs[0]);
  int64_t step = stepOf(*nest, shape, dim);
  Index first;
  first.step = step > 1 ? 1 : 0;
  at[dim] = first;
  start = reduceChunk(reduction, at, {});
  if (shape[dim] == step)
    return start;
  return emitLoop(shape[dim] - step, step, start,
                  [&](Index iv, ValueRange carried) {
                    iv.step = step > 1 ? 1 : 0;
                    iv.constant = step;
                    at[dim] = iv;
                    return reduceChunk(reduction, at, carried);
                  });
}

/// Folds lanes, adds the initial values and writes the results.
void Emitter::finishReduction(const Reduction &reduction, const Indices &at) {
  Indices inner = at;
  SmallVector<Value> values = reduceDims(reduction, inner);
  int64_t lane = laneDimension(shapeOf(reduction.inputs[0]));
  unsigned width = nest->width;
  if (llvm::is_contained(reduction.dims, lane)) {
    values = foldLanes(reduction, values, width);
    width = 1;
  }
  Indices kept;
  for (auto [dim, index] : llvm::enumerate(at))
    if (!llvm::is_contained(reduction.dims, int64_t(dim)))
      kept.push_back(index);
  if (!reduction.inits.empty()) {
    SmallVector<Value> inits;
    for (auto [init, value] : llvm::zip(reduction.inits, values))
      inits.push_back(convertFloat(evaluate(init, kept, width),
                                   getElementTypeOrSelf(value.getType())));
    values = cloneCombine(reduction.combine, inits, values, width);
  }
  for (auto [result, value] : llvm::zip(reduction.op->getResults(), values)) {
    Type element = elementOf(result);
    if (isa<FloatType>(element))
      value = convertFloat(value, element);
    if (isa<RankedTensorType>(result.getType()))
      writeBuffer(value, plan[result].buffer, kept, width);
    else
      scalars.map(result, value);
  }
}

/// Loops over the dimensions kept.
void Emitter::emitKept(const Reduction &reduction, ArrayRef<int64_t> dims,
                       Indices &at) {
  if (dims.empty())
    return finishReduction(reduction, at);
  int64_t dim = dims.front();
  ArrayRef<int64_t> shape = shapeOf(reduction.inputs[0]);
  int64_t step = stepOf(*nest, shape, dim);
  emitLoop(shape[dim], step, {},
           [&](Index iv, ValueRange) -> SmallVector<Value> {
             iv.step = step > 1 ? 1 : 0;
             at[dim] = iv;
             emitKept(reduction, dims.drop_front(), at);
             return {};
           });
}

void Emitter::emitReduce(Reduction reduction) {
  for (Value result : reduction.op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      bindBuffer(result, allocate(type.getShape(), type.getElementType()),
                 /*owns=*/true);
  auto ours = dyn_cast<kernel::ReduceOp>(reduction.op);
  if (ours && ours.getOrder() == kernel::ReduceOrder::Stated) {
    emitStatedReduce(reduction);
  } else {
    prepareElsewhere(reduction.inits);
    NestPlan nestPlan = prepare(reduction.inputs);
    ArrayRef<int64_t> shape = shapeOf(reduction.inputs[0]);
    int64_t lane = laneDimension(shape);
    nestPlan.widestBytes = std::max<unsigned>(
        nestPlan.widestBytes,
        elementBytes(accumulatorType(reduction.combine,
                                     elementOf(reduction.inputs[0]))));
    Nest scope;
    scope.width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan, 4);
    scope.fused = nestPlan.fused;
    reduction.isGuarded = wantsGuard(nestPlan);
    llvm::SaveAndRestore<Nest *> restore(nest, &scope);
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
      if (!llvm::is_contained(reduction.dims, dim))
        kept.push_back(dim);
    Indices at(shape.size());
    emitKept(reduction, kept, at);
    finish(nestPlan);
  }
  for (Value result : reduction.op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      plan[result].isReady = true;
}

/// The portable order: the upper half is combined onto the lower one until one
/// element is left (of an odd number the middle one stays), in a copy of the
/// inputs.
void Emitter::emitStatedReduce(const Reduction &reduction) {
  SmallVector<Buffer> work;
  for (Value input : reduction.inputs) {
    work.push_back(allocate(shapeOf(input), elementOf(input)));
    writeValue(input, work.back());
  }
  int64_t axis = reduction.dims[0];
  SmallVector<int64_t> shape(shapeOf(reduction.inputs[0]));
  NestPlan nestPlan;
  for (const Buffer &buffer : work)
    nestPlan.widestBytes =
        std::max<unsigned>(nestPlan.widestBytes, elementBytes(buffer.element));
  auto read = [&](const Indices &at, unsigned width) {
    SmallVector<Value> values;
    for (const Buffer &buffer : work)
      values.push_back(
          readBuffer(buffer, buffer.shape, at, width, buffer.element));
    return values;
  };
  for (int64_t extent = shape[axis]; extent > 1;) {
    int64_t half = (extent + 1) / 2;
    shape[axis] = extent - half;
    int64_t lane = laneDimension(shape);
    unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan);
    emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
      Indices upper = at;
      upper[axis].constant += half;
      SmallVector<Value> values = cloneCombine(
          reduction.combine, read(at, width), read(upper, width), width);
      for (auto [value, buffer] : llvm::zip(values, work))
        writeBuffer(value, buffer, at, width);
    });
    extent = half;
  }
  shape[axis] = 1;
  int64_t lane = laneDimension(shape);
  unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan);
  emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    Indices kept = at;
    kept.erase(kept.begin() + axis);
    for (auto [result, value] :
         llvm::zip(reduction.op->getResults(), read(at, width))) {
      if (isa<RankedTensorType>(result.getType()))
        writeBuffer(value, plan[result].buffer, kept, width);
      else
        scalars.map(result, value);
    }
  });
  for (const Buffer &buffer : work)
    release(buffer);
}

} // namespace tilewright::cpu
