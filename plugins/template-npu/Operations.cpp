//===- Operations.cpp - Tiles: shapes, sums, products, DMA ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each family; an operation that the machine does in another
// shape only is refused with what it would take.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include <algorithm>

namespace tilewright::npu {

using Word = Assembler::Word;

//===--- Elementwise ------------------------------------------------------===//

bool Lowering::lowerElementwise(const Op &op) {
  if (!hasFunction(op.id) || op.results.size() != 1)
    return false;
  const Value &result = op.result();
  bool isSelect = op.id == TW_PORTABLE_OP_ARITH_SELECT;
  const Type &source = *op.operand(isSelect ? 1 : 0).type;
  uint32_t from = source.isPointer() ? uint32_t(TW_DTYPE_I64) : source.element;
  uint32_t to =
      result.type->isPointer() ? uint32_t(TW_DTYPE_I64) : result.type->element;
  if (op.number(TW_PORTABLE_ATTR_ROUNDING) || op.has(TW_PORTABLE_ATTR_SATURATE))
    refuse(op, "conversions round to nearest", "leave the rounding out");
  uint32_t detail =
      uint32_t(op.id == TW_PORTABLE_OP_ARITH_CMPF
                   ? op.number(TW_PORTABLE_ATTR_FLOAT_PREDICATE)
               : op.id == TW_PORTABLE_OP_KERNEL_ADDPTR
                   ? tw_dtype_bytes(result.type->element)
                   : op.number(TW_PORTABLE_ATTR_INTEGER_PREDICATE));
  if (op.id == TW_PORTABLE_OP_KERNEL_ADDPTR) // the offset's sign
    from = op.operand(1).type->element;
  std::vector<Operand> operands;
  bool isUniform = true;
  for (const Value *operand : op.operands) {
    operands.push_back(at(*operand));
    isUniform &= operands.back().isRegister;
  }
  if (isUniform) {
    places[&result] = compute(op.id, from, to, detail, operands);
    return true;
  }
  Operand place = newPlace(result, op);
  operands.resize(3, operands[0]);
  code.emit(Compute, {op.id | from << 8 | to << 16, detail,
                      uint32_t(result.type->count()), place, operands[0],
                      operands[1], operands[2]});
  return true;
}

//===--- Shapes -----------------------------------------------------------===//

namespace {
/// A copy between strided places: one entry a dimension.
struct Stride {
  int64_t extent, to, from;
};
} // namespace

static std::vector<Word> copyWords(uint32_t dtype, Operand to, Operand from,
                                   const std::vector<Stride> &strides) {
  std::vector<Word> words = {tw_dtype_bytes(dtype), uint32_t(strides.size()),
                             to, from};
  for (const Stride &stride : strides) {
    words.push_back(uint32_t(stride.extent));
    words.push_back(uint32_t(stride.to));
    words.push_back(uint32_t(stride.from));
  }
  return words;
}

/// Elements between neighbours of each dimension.
static std::vector<int64_t> stridesOf(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

void Lowering::lowerBroadcast(const Op &op) {
  const Value &input = op.operand(0), &result = op.result();
  if (at(input).isRegister) {
    places[&result] = at(input);
    return;
  }
  const std::vector<int64_t> &added = op.numbers(TW_PORTABLE_ATTR_DIMENSIONS),
                             &shape = result.type->shape;
  std::vector<int64_t> to = stridesOf(shape),
                       from = stridesOf(input.type->shape);
  std::vector<Stride> strides;
  size_t k = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool isAdded =
        std::find(added.begin(), added.end(), int64_t(d)) != added.end();
    strides.push_back({shape[d], to[d], isAdded ? 0 : from[k++]});
  }
  Operand place = newPlace(result, op);
  code.emit(Copy, copyWords(result.type->element, place, at(input), strides));
}

void Lowering::lowerTranspose(const Op &op) {
  const Value &input = op.operand(0), &result = op.result();
  if (at(input).isRegister) {
    places[&result] = at(input);
    return;
  }
  const std::vector<int64_t> &permutation =
                                 op.numbers(TW_PORTABLE_ATTR_PERMUTATION),
                             &shape = result.type->shape;
  std::vector<int64_t> to = stridesOf(shape),
                       from = stridesOf(input.type->shape);
  std::vector<Stride> strides;
  for (size_t d = 0; d < shape.size(); ++d)
    strides.push_back({shape[d], to[d], from[permutation[d]]});
  Operand place = newPlace(result, op);
  code.emit(Copy, copyWords(result.type->element, place, at(input), strides));
}

void Lowering::lowerSlice(const Op &op) {
  const Value &source = op.operand(0), &result = op.result();
  if (at(source).isRegister) {
    places[&result] = at(source);
    return;
  }
  const std::vector<int64_t> &offsets = op.numbers(TW_PORTABLE_ATTR_OFFSETS),
                             &sizes = op.numbers(TW_PORTABLE_ATTR_SIZES),
                             &steps = op.numbers(TW_PORTABLE_ATTR_STRIDES);
  std::vector<int64_t> to = stridesOf(sizes),
                       from = stridesOf(source.type->shape);
  std::vector<Stride> strides;
  Operand start = at(source);
  for (size_t d = 0; d < sizes.size(); ++d) {
    strides.push_back({sizes[d], to[d], from[d] * steps[d]});
    start.offset +=
        uint32_t(offsets[d] * from[d] * tw_dtype_bytes(source.type->element));
  }
  Operand place = newPlace(result, op);
  code.emit(Copy, copyWords(result.type->element, place, start, strides));
}

bool Lowering::lowerShape(const Op &op) {
  switch (op.id) {
  case TW_PORTABLE_OP_ARITH_CONSTANT:
    places[&op.result()] = constant(op.number(TW_PORTABLE_ATTR_VALUE));
    return true;
  case TW_PORTABLE_OP_TENSOR_EMPTY: // whatever: nothing reads it
    places[&op.result()] = constant(0);
    return true;
  case TW_PORTABLE_OP_TENSOR_SPLAT:
  case TW_PORTABLE_OP_LINALG_FILL:
  case TW_PORTABLE_OP_TENSOR_COLLAPSE_SHAPE:
  case TW_PORTABLE_OP_TENSOR_EXPAND_SHAPE:
  case TW_PORTABLE_OP_KERNEL_FACT:
    places[&op.result()] = at(op.operand(0));
    return true;
  case TW_PORTABLE_OP_LINALG_BROADCAST:
    lowerBroadcast(op);
    return true;
  case TW_PORTABLE_OP_LINALG_TRANSPOSE:
    lowerTranspose(op);
    return true;
  case TW_PORTABLE_OP_TENSOR_EXTRACT_SLICE:
    lowerSlice(op);
    return true;
  case TW_PORTABLE_OP_KERNEL_RANGE: {
    Operand place = newPlace(op.result(), op);
    code.emit(Iota, {place, uint32_t(op.number(TW_PORTABLE_ATTR_START)),
                     uint32_t(op.result().type->count())});
    return true;
  }
  case TW_PORTABLE_OP_KERNEL_PROGRAM_ID:
  case TW_PORTABLE_OP_KERNEL_NUM_PROGRAMS: {
    bool isId = op.id == TW_PORTABLE_OP_KERNEL_PROGRAM_ID;
    Operand place = newPlace(op.result(), op);
    code.emit(isId ? ProgramId : ProgramCount,
              {place, uint32_t(op.number(TW_PORTABLE_ATTR_AXIS))});
    return true;
  }
  case TW_PORTABLE_OP_LINALG_REDUCE: {
    const std::vector<int64_t> &gone = op.numbers(TW_PORTABLE_ATTR_DIMENSIONS);
    if (gone.size() != 1)
      refuse(op, "the vector unit folds one dimension at a time",
             "reduce one axis after the other");
    lowerReduce(op, size_t(gone[0]), &op.operand(1));
    return true;
  }
  case TW_PORTABLE_OP_KERNEL_REDUCE:
    lowerReduce(op, size_t(op.number(TW_PORTABLE_ATTR_AXIS)), nullptr);
    return true;
  }
  return false;
}

//===--- Reductions -------------------------------------------------------===//

/// The one operation that combines, which has to be a function of both
/// arguments that any order gives.
static uint32_t combinerOf(const Op &op) {
  const Region &region = op.regions[0];
  const Op &combine = *region.ops[0];
  bool isOne = op.results.size() == 1 && region.ops.size() == 2 &&
               combine.operands.size() == 2 && hasFunction(combine.id) &&
               combine.operands[0] != combine.operands[1];
  if (isOne)
    for (const Value *operand : combine.operands)
      isOne &= operand->producer == nullptr; // an argument of the region
  if (!isOne)
    refuse(op, "the vector unit folds with one function, such as a sum",
           "reduce values and indices separately, or use another target");
  return combine.id;
}

void Lowering::lowerReduce(const Op &op, size_t axis, const Value *init) {
  uint32_t function = combinerOf(op);
  const Value &source = op.operand(0), &result = op.result();
  const std::vector<int64_t> &shape = source.type->shape;
  uint32_t dtype = source.type->element;
  uint32_t outer = 1, inner = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    (d < axis ? outer : inner) *= uint32_t(d == axis ? 1 : shape[d]);
  Operand tile = asTile(source, op);
  Operand folded = newPlace(result, op);
  code.emit(Reduce, {function | dtype << 8, folded, tile, outer,
                     uint32_t(shape[axis]), inner});
  if (!init)
    return;
  Operand place = newPlace(result, op);
  uint32_t count = result.type->isTensor() ? uint32_t(result.type->count()) : 0;
  code.emit(Compute, {function | dtype << 8 | dtype << 16, 0u, count, place,
                      folded, at(*init), folded});
}

//===--- Products ---------------------------------------------------------===//

void Lowering::lowerMatmul(const Op &op) {
  const Value &a = op.operand(0), &b = op.operand(1), &result = op.result();
  uint32_t dtype = a.type->element;
  if ((dtype != TW_DTYPE_F16 && dtype != TW_DTYPE_BF16) ||
      result.type->element != TW_DTYPE_F32)
    refuse(op, "the matrix unit multiplies fp16 or bf16 and sums in fp32",
           "convert the operands with .to(tl.float16)");
  int64_t rows = result.type->shape[0], columns = result.type->shape[1],
          depth = a.type->shape[1];
  if (rows % kMatrixSize || columns % kMatrixSize || depth % kMatrixSize)
    refuse(op,
           "the matrix unit takes tiles of 16 x 16, got a product of " +
               std::to_string(rows) + " x " + std::to_string(columns) + " x " +
               std::to_string(depth),
           "use blocks that are multiples of 16");
  Operand left = asTile(a, op), right = asTile(b, op);
  Operand sum = newPlace(result, op);
  copyWhole(*result.type, at(op.operand(2)), sum);
  uint32_t wide = uint32_t(columns * 4), leftRow = uint32_t(depth * 2),
           rightRow = uint32_t(columns * 2);
  auto part = [](Operand tile, int64_t row, int64_t column, uint32_t rowBytes,
                 uint32_t bytes) {
    tile.offset += uint32_t(row * rowBytes + column * bytes);
    return tile;
  };
  for (int64_t m = 0; m < rows; m += kMatrixSize)
    for (int64_t n = 0; n < columns; n += kMatrixSize)
      for (int64_t k = 0; k < depth; k += kMatrixSize)
        code.emit(Matrix,
                  {dtype, part(sum, m, n, wide, 4),
                   part(left, m, k, leftRow, 2), part(right, k, n, rightRow, 2),
                   wide, leftRow, rightRow});
}

//===--- DMA --------------------------------------------------------------===//

/// A box of a view, by one instruction; dimensions as the view has them.
void Lowering::lowerBox(const Op &op, bool isLoad) {
  enum { Checked, Unchecked };
  unsigned first = isLoad ? 0 : 1; // a store's first slot is the value
  const Op &view = *op.slot(first)[0]->producer;
  std::vector<const Value *> offsets = op.slot(first + 1),
                             lo = op.slot(first + 2), hi = op.slot(first + 3),
                             strides = view.slot(3);
  if (op.optional(first + 4))
    refuse(op, "the DMA engine moves boxes only, and rows at an index are none",
           "let rows follow one another, or use another target");
  if (op.optional(first + 5))
    refuse(op, "the DMA engine moves boxes with bounds, but knows no mask",
           "write the mask as comparisons of positions with bounds");
  const Value *other = isLoad ? op.optional(6) : nullptr;
  if (other && !at(*other).isRegister)
    refuse(op, "the DMA engine fills with one value",
           "load with a scalar `other` and select");
  const std::vector<int64_t> &boundary = op.numbers(TW_PORTABLE_ATTR_BOUNDARY);
  const Value &tile = isLoad ? op.result() : op.operand(0);
  uint32_t dtype = tile.type->element;
  Operand base = at(view.operand(0));
  if (const Value *offset = view.optional(1))
    base = compute(TW_PORTABLE_OP_KERNEL_ADDPTR, offset->type->element,
                   TW_DTYPE_I64, tw_dtype_bytes(dtype), {base, at(*offset)});
  auto wide = [&](const Value &value) {
    if (value.type->element == TW_DTYPE_I64)
      return at(value);
    return compute(TW_PORTABLE_OP_ARITH_EXTSI, value.type->element,
                   TW_DTYPE_I64, 0, {at(value)});
  };
  std::vector<Operand> registers;
  for (size_t d = 0; d < offsets.size(); ++d) {
    if (boundary[d] > Unchecked)
      refuse(op, "the DMA engine does not wrap around",
             "use another target for this kernel");
    for (const Value *value : {offsets[d], lo[d], hi[d], strides[d]})
      registers.push_back(wide(*value));
  }
  Operand fill = other ? at(*other) : isLoad ? constant(0) : Operand();
  Operand place = isLoad                  ? newPlace(tile, op)
                  : tile.type->isTensor() ? asTile(tile, op)
                                          : at(tile);
  std::vector<Word> words = {dtype, uint32_t(offsets.size()), place, base,
                             isLoad ? Word(fill) : Word(0u)};
  for (size_t d = 0; d < offsets.size(); ++d) {
    words.push_back(uint32_t(tile.type->shape[d]));
    for (size_t k = 0; k < 4; ++k)
      words.push_back(registers[4 * d + k]);
    words.push_back(uint32_t(boundary[d] == Checked));
  }
  code.emit(isLoad ? Load : Store, words);
}

void Lowering::lowerAssert(const Op &op) {
  const Value &condition = op.operand(0);
  Operand all = at(condition);
  if (!all.isRegister) {
    Operand folded;
    folded.number = code.newRegister();
    code.emit(Reduce, {TW_PORTABLE_OP_ARITH_ANDI | uint32_t(TW_DTYPE_I1) << 8,
                       folded, all, 1u, uint32_t(condition.type->count()), 1u});
    all = folded;
  }
  Operand fails = compute(TW_PORTABLE_OP_ARITH_CMPI, TW_DTYPE_I1, TW_DTYPE_I1,
                          0, {all, constant(0)});
  size_t holds = code.emit(JumpIfZero, {fails, 0u});
  fail(op, 6030, op.text(TW_PORTABLE_ATTR_MESSAGE));
  code.setTarget(holds, code.here());
}

} // namespace tilewright::npu
