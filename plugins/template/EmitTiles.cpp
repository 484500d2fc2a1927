//===- EmitTiles.cpp - Shapes, reductions and products ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the shapes; compile time is short, so nothing is fused here.
//===----------------------------------------------------------------------===//
#include "Emitter.h"

#include <algorithm>

namespace tilewright::template_ {

//===--- Shapes -----------------------------------------------------------===//

static void emitConstant(Emitter &emitter, const Op &op) {
  const Value &result = op.result();
  std::string value =
      constantText(op.number(TW_PORTABLE_ATTR_VALUE), result.type->element);
  emitter.declare(result);
  if (result.type->isTensor())
    emitter.line("for (int64_t i = 0; i < $0; ++i)",
                 {text(result.type->count())});
  emitter.line("$0 = $1;", {emitter.element(result, "i"), value});
}

/// Repeats a scalar: linalg.fill and tensor.splat.
static void emitFill(Emitter &emitter, const Op &op) {
  const Value &result = op.result();
  emitter.declare(result);
  emitter.line("for (int64_t i = 0; i < $0; ++i)",
               {text(result.type->count())});
  emitter.line("$0 = $1;",
               {emitter.element(result, "i"), emitter.name(op.operand(0))});
}

static void emitSame(Emitter &emitter, const Op &op) {
  emitter.alias(op.result(), op.operand(0));
}

/// The result's index without the dimensions listed, in the operand's shape.
static void emitBroadcast(Emitter &emitter, const Op &op) {
  const Value &input = op.operand(0), &result = op.result();
  const std::vector<int64_t> &added = op.numbers(TW_PORTABLE_ATTR_DIMENSIONS);
  const std::vector<int64_t> &shape = result.type->shape;
  std::string from = "0";
  for (size_t d = 0; d < shape.size(); ++d)
    if (std::find(added.begin(), added.end(), int64_t(d)) == added.end())
      from = fill("($0) * $1 + i$2", {from, text(shape[d]), text(d)});
  emitter.declare(result);
  emitter.openLoops(shape);
  emitter.line("$0 = $1;", {emitter.element(result, Emitter::linear(shape)),
                            emitter.element(input, from)});
  emitter.closeLoops(shape.size());
}

/// Dimension d of the result is dimension permutation[d] of the operand.
static void emitTranspose(Emitter &emitter, const Op &op) {
  const Value &input = op.operand(0), &result = op.result();
  const std::vector<int64_t> &permutation =
      op.numbers(TW_PORTABLE_ATTR_PERMUTATION);
  const std::vector<int64_t> &shape = result.type->shape;
  std::vector<std::string> variables(shape.size());
  for (size_t d = 0; d < shape.size(); ++d)
    variables[permutation[d]] = "i" + text(d);
  std::string from = "0";
  for (size_t d = 0; d < shape.size(); ++d)
    from = fill("($0) * $1 + $2",
                {from, text(input.type->shape[d]), variables[d]});
  emitter.declare(result);
  emitter.openLoops(shape);
  emitter.line("$0 = $1;", {emitter.element(result, Emitter::linear(shape)),
                            emitter.element(input, from)});
  emitter.closeLoops(shape.size());
}

/// Dropped dimensions have extent 1, so the order of elements says it all.
static void emitSlice(Emitter &emitter, const Op &op) {
  const Value &source = op.operand(0), &result = op.result();
  const std::vector<int64_t> &offsets = op.numbers(TW_PORTABLE_ATTR_OFFSETS),
                             &sizes = op.numbers(TW_PORTABLE_ATTR_SIZES),
                             &strides = op.numbers(TW_PORTABLE_ATTR_STRIDES);
  std::string from = "0";
  for (size_t d = 0; d < sizes.size(); ++d)
    from = fill("($0) * $1 + $2 + i$3 * $4",
                {from, text(source.type->shape[d]), text(offsets[d]), text(d),
                 text(strides[d])});
  emitter.declare(result);
  emitter.openLoops(sizes);
  emitter.line("$0 = $1;", {emitter.element(result, Emitter::linear(sizes)),
                            emitter.element(source, from)});
  emitter.closeLoops(sizes.size());
}

static void emitRange(Emitter &emitter, const Op &op) {
  const Value &result = op.result();
  emitter.declare(result);
  emitter.line("for (int64_t i = 0; i < $0; ++i)",
               {text(result.type->count())});
  emitter.line("  $0[i] = (int32_t)($1 + i);",
               {emitter.name(result), text(op.number(TW_PORTABLE_ATTR_START))});
}

static void emitJoin(Emitter &emitter, const Op &op) {
  const Value &result = op.result();
  emitter.declare(result);
  emitter.line("for (int64_t i = 0; i < $0; ++i) {",
               {text(op.operand(0).type->count())});
  for (unsigned k = 0; k < 2; ++k)
    emitter.line("$0[2 * i + $1] = $2;", {emitter.name(result), text(k),
                                          emitter.element(op.operand(k), "i")});
  emitter.line("}");
}

static void emitSplit(Emitter &emitter, const Op &op) {
  for (const Value *result : op.results)
    emitter.declare(*result);
  emitter.line("for (int64_t i = 0; i < $0; ++i) {",
               {text(op.results[0]->type->count())});
  for (unsigned k = 0; k < 2; ++k)
    emitter.line("$0 = $1[2 * i + $2];",
                 {emitter.element(*op.results[k], "i"),
                  emitter.name(op.operand(0)), text(k)});
  emitter.line("}");
}

static void emitCat(Emitter &emitter, const Op &op) {
  emitter.declare(op.result());
  int64_t half = op.operand(0).type->count();
  emitter.copy(op.operand(0), emitter.name(op.result()));
  emitter.copy(op.operand(1), emitter.name(op.result()) + " + " + text(half));
}

/// Indices out of range are the program's error; they may not read elsewhere.
static void emitGatherInTile(Emitter &emitter, const Op &op) {
  const Value &source = op.operand(0), &indices = op.operand(1),
              &result = op.result();
  size_t axis = op.number(TW_PORTABLE_ATTR_AXIS);
  const std::vector<int64_t> &shape = result.type->shape;
  std::string last = text(source.type->shape[axis] - 1), from = "0";
  for (size_t d = 0; d < shape.size(); ++d)
    from = fill("($0) * $1 + $2", {from, text(source.type->shape[d]),
                                   d == axis ? "at" : "i" + text(d)});
  std::string linear = Emitter::linear(shape);
  emitter.declare(result);
  emitter.openLoops(shape);
  emitter.line("int64_t at = $0;", {emitter.element(indices, linear)});
  emitter.line("at = at < 0 ? 0 : at > $0 ? $0 : at;", {last});
  emitter.line("$0 = $1;", {emitter.element(result, linear),
                            emitter.element(source, from)});
  emitter.closeLoops(shape.size());
}

static void emitHistogram(Emitter &emitter, const Op &op) {
  const Value &source = op.operand(0), &result = op.result();
  const Value *mask = op.optional(1);
  emitter.declare(result);
  emitter.line("memset($0, 0, $1);",
               {emitter.name(result), text(storageBytes(*result.type))});
  emitter.line("for (int64_t i = 0; i < $0; ++i)",
               {text(source.type->count())});
  emitter.line("  if (0 <= $0 && $0 < $1 && $2)",
               {emitter.element(source, "i"), text(result.type->count()),
                mask ? emitter.element(*mask, "i") : "1"});
  emitter.line("    ++$0[$1];",
               {emitter.name(result), emitter.element(source, "i")});
}

void addShapes(EmitTable &table) {
  table[TW_PORTABLE_OP_ARITH_CONSTANT] = emitConstant;
  table[TW_PORTABLE_OP_LINALG_FILL] = emitFill;
  table[TW_PORTABLE_OP_TENSOR_SPLAT] = emitFill;
  table[TW_PORTABLE_OP_TENSOR_EMPTY] = [](Emitter &emitter, const Op &op) {
    emitter.declare(op.result());
  };
  table[TW_PORTABLE_OP_TENSOR_COLLAPSE_SHAPE] = emitSame;
  table[TW_PORTABLE_OP_TENSOR_EXPAND_SHAPE] = emitSame;
  table[TW_PORTABLE_OP_KERNEL_FACT] = emitSame;
  table[TW_PORTABLE_OP_LINALG_BROADCAST] = emitBroadcast;
  table[TW_PORTABLE_OP_LINALG_TRANSPOSE] = emitTranspose;
  table[TW_PORTABLE_OP_TENSOR_EXTRACT_SLICE] = emitSlice;
  table[TW_PORTABLE_OP_KERNEL_RANGE] = emitRange;
  table[TW_PORTABLE_OP_KERNEL_JOIN] = emitJoin;
  table[TW_PORTABLE_OP_KERNEL_SPLIT] = emitSplit;
  table[TW_PORTABLE_OP_KERNEL_CAT] = emitCat;
  table[TW_PORTABLE_OP_KERNEL_GATHER_IN_TILE] = emitGatherInTile;
  table[TW_PORTABLE_OP_KERNEL_HISTOGRAM] = emitHistogram;
}

//===--- Reductions -------------------------------------------------------===//

namespace {
/// A shape seen from one axis: `outer` x `extent` x `inner`.
struct Axis {
  int64_t outer = 1, extent, inner = 1;

  Axis(const Type &type, size_t axis) : extent(type.shape[axis]) {
    for (size_t d = 0; d < type.shape.size(); ++d)
      (d < axis ? outer : inner) *= d == axis ? 1 : type.shape[d];
  }
  /// The index of element k, a text, of the row (o, n).
  std::string at(const std::string &k) const {
    return fill("(o * $0 + $1) * $2 + n", {text(extent), k, text(inner)});
  }
};
} // namespace

static void openRows(Emitter &emitter, const Axis &axis) {
  emitter.line("for (int64_t o = 0; o < $0; ++o)", {text(axis.outer)});
  emitter.line("for (int64_t n = 0; n < $0; ++n) {", {text(axis.inner)});
}

/// Folds the upper half onto the lower until one is left: the order that
/// `order = stated` asks for, exact enough and good for vectors.
static void emitReduce(Emitter &emitter, const Op &op) {
  Axis axis(*op.operand(0).type, op.number(TW_PORTABLE_ATTR_AXIS));
  std::vector<std::string> work;
  for (const Value *result : op.results)
    emitter.declare(*result);
  for (const Value *operand : op.operands) {
    std::string type = storageType(*operand->type);
    work.push_back(emitter.temporary(type, storageBytes(*operand->type)));
    emitter.copy(*operand, work.back());
  }
  emitter.line("for (int64_t left = $0; left > 1; left = (left + 1) / 2) {",
               {text(axis.extent)});
  emitter.line("int64_t half = (left + 1) / 2;");
  emitter.line("for (int64_t o = 0; o < $0; ++o)", {text(axis.outer)});
  emitter.line("for (int64_t k = 0; k + half < left; ++k)");
  emitter.line("for (int64_t n = 0; n < $0; ++n) {", {text(axis.inner)});
  std::vector<std::string> values;
  for (const std::string &buffer : work)
    values.push_back(buffer + "[" + axis.at("k") + "]");
  for (const std::string &buffer : work)
    values.push_back(buffer + "[" + axis.at("(k + half)") + "]");
  std::vector<std::string> made = emitter.inlineRegion(op.regions[0], values);
  for (size_t i = 0; i < work.size(); ++i)
    emitter.line("$0 = $1;", {values[i], made[i]});
  emitter.line("}");
  emitter.line("}");
  openRows(emitter, axis);
  for (size_t i = 0; i < work.size(); ++i)
    emitter.line("$0 = $1[$2];",
                 {emitter.element(*op.results[i],
                                  fill("o * $0 + n", {text(axis.inner)})),
                  work[i], axis.at("0")});
  emitter.line("}");
}

static void emitScan(Emitter &emitter, const Op &op) {
  Axis axis(*op.operand(0).type, op.number(TW_PORTABLE_ATTR_AXIS));
  bool isReverse = op.has(TW_PORTABLE_ATTR_REVERSE);
  for (size_t i = 0; i < op.results.size(); ++i) {
    emitter.declare(*op.results[i]);
    emitter.copy(op.operand(i), emitter.name(*op.results[i]));
  }
  std::string last = text(axis.extent - 1);
  openRows(emitter, axis);
  emitter.line("for (int64_t k = 1; k < $0; ++k) {", {text(axis.extent)});
  std::vector<std::string> values;
  for (const char *k : {"(k - 1)", "k"})
    for (const Value *result : op.results)
      values.push_back(emitter.element(
          *result, axis.at(isReverse ? fill("($0 - $1)", {last, k}) : k)));
  std::vector<std::string> made = emitter.inlineRegion(op.regions[0], values);
  for (size_t i = 0; i < made.size(); ++i)
    emitter.line("$0 = $1;", {values[made.size() + i], made[i]});
  emitter.line("}");
  emitter.line("}");
}

/// Over any dimensions, from the value of `init` on.
static void emitNamedReduce(Emitter &emitter, const Op &op) {
  const Value &input = op.operand(0), &init = op.operand(1),
              &result = op.result();
  const std::vector<int64_t> &gone = op.numbers(TW_PORTABLE_ATTR_DIMENSIONS);
  const std::vector<int64_t> &shape = input.type->shape;
  std::string to = "0";
  for (size_t d = 0; d < shape.size(); ++d)
    if (std::find(gone.begin(), gone.end(), int64_t(d)) == gone.end())
      to = fill("($0) * $1 + i$2", {to, text(shape[d]), text(d)});
  emitter.declare(result);
  emitter.copy(init, emitter.name(result));
  emitter.openLoops(shape);
  std::string target = emitter.element(result, to);
  std::vector<std::string> made = emitter.inlineRegion(
      op.regions[0], {emitter.element(input, Emitter::linear(shape)), target});
  emitter.line("$0 = $1;", {target, made[0]});
  emitter.closeLoops(shape.size());
}

void addReductions(EmitTable &table) {
  table[TW_PORTABLE_OP_KERNEL_REDUCE] = emitReduce;
  table[TW_PORTABLE_OP_KERNEL_SCAN] = emitScan;
  table[TW_PORTABLE_OP_LINALG_REDUCE] = emitNamedReduce;
}

//===--- Products ---------------------------------------------------------===//

/// C += A B. Sums of floats are kept in float (double for f64), more exact than
/// any `precision` asks for, and rounded to the type of C once.
static void emitMatmul(Emitter &emitter, const Op &op) {
  const Value &a = op.operand(0), &b = op.operand(1), &result = op.result();
  const std::vector<int64_t> &shape = result.type->shape;
  size_t rank = shape.size();
  std::string batches = text(rank == 3 ? shape[0] : 1),
              rows = text(shape[rank - 2]), columns = text(shape[rank - 1]),
              depth = text(a.type->shape[rank - 1]);
  bool isFloat = result.type->isFloat();
  std::string sum = !isFloat                               ? "uint64_t"
                    : result.type->element == TW_DTYPE_F64 ? "double"
                                                           : "float";
  auto number = [&](const std::string &stored, uint32_t dtype) {
    return isFloat ? asNumber(stored, dtype) : "(uint64_t)(int64_t)" + stored;
  };
  emitter.declare(result);
  std::string line = emitter.temporary(sum, 8 * shape[rank - 1]);
  emitter.line("for (int64_t m = 0; m < $0 * $1; ++m) {", {batches, rows});
  emitter.line("for (int64_t n = 0; n < $0; ++n)", {columns});
  emitter.line(
      "$0[n] = $1;",
      {line, number(emitter.element(op.operand(2), "m * " + columns + " + n"),
                    result.type->element)});
  emitter.line("for (int64_t k = 0; k < $0; ++k) {", {depth});
  emitter.line("$0 x = $1;",
               {sum, number(emitter.element(a, "m * " + depth + " + k"),
                            a.type->element)});
  emitter.line("for (int64_t n = 0; n < $0; ++n)", {columns});
  emitter.line(
      "$0[n] += x * $1;",
      {line, number(emitter.element(b, fill("(m / $0 * $1 + k) * $2 + n",
                                            {rows, depth, columns})),
                    b.type->element)});
  emitter.line("}");
  emitter.line("for (int64_t n = 0; n < $0; ++n)", {columns});
  emitter.line("$0 = $1;", {emitter.element(result, "m * " + columns + " + n"),
                            asStored(line + "[n]", result.type->element)});
  emitter.line("}");
}

namespace {
/// One operand of dot_scaled; K runs along its dimension `kDim`.
struct ScaledOperand {
  const Value &data;
  const Value *scale;
  bool isPacked; ///< two e2m1 a byte, along `packedDim`
  size_t kDim, packedDim;

  int64_t depth() const {
    return data.type->shape[kDim] * (isPacked && packedDim == kDim ? 2 : 1);
  }
  int64_t others() const {
    return data.type->shape[1 - kDim] * (isPacked && packedDim != kDim ? 2 : 1);
  }
  /// The number at (other, k), texts, times its scale.
  std::string at(Emitter &emitter, const std::string &other,
                 const std::string &k) const {
    std::string position[2];
    position[kDim] = k;
    position[1 - kDim] = other;
    std::string columns = text(data.type->shape[1]), number;
    if (isPacked) {
      std::string nibble = "4 * (" + position[packedDim] + " & 1)";
      position[packedDim] = "(" + position[packedDim] + " / 2)";
      number =
          fill("from_e2m1((uint8_t)$0[$1 * $2 + $3] >> ($4))",
               {emitter.name(data), position[0], columns, position[1], nibble});
    } else {
      number =
          asNumber(fill("$0[$1 * $2 + $3]", {emitter.name(data), position[0],
                                             columns, position[1]}),
                   data.type->element);
    }
    if (!scale)
      return number;
    return fill(
        "scaled_by($0, (uint8_t)$1[$2 * $3 + $4 / 32])",
        {number, emitter.name(*scale), other, text(scale->type->shape[1]), k});
  }
};
} // namespace

static void emitDotScaled(Emitter &emitter, const Op &op) {
  enum { E2M1 };
  bool lhsAlongK = op.number(TW_PORTABLE_ATTR_LHS_K_PACK, 1) != 0;
  bool rhsAlongK = op.number(TW_PORTABLE_ATTR_RHS_K_PACK, 1) != 0;
  ScaledOperand lhs{op.operand(0), op.optional(3),
                    op.number(TW_PORTABLE_ATTR_LHS_FORMAT) == E2M1, 1,
                    size_t(lhsAlongK ? 1 : 0)};
  ScaledOperand rhs{op.operand(1), op.optional(4),
                    op.number(TW_PORTABLE_ATTR_RHS_FORMAT) == E2M1, 0,
                    size_t(rhsAlongK ? 0 : 1)};
  std::string columns = text(rhs.others());
  emitter.declare(op.result());
  emitter.line("for (int64_t m = 0; m < $0; ++m)", {text(lhs.others())});
  emitter.line("for (int64_t n = 0; n < $0; ++n) {", {columns});
  emitter.line("double sum = $0[m * $1 + n];",
               {emitter.name(op.operand(2)), columns});
  emitter.line("for (int64_t k = 0; k < $0; ++k)", {text(lhs.depth())});
  emitter.line("  sum += (double)$0 * $1;",
               {lhs.at(emitter, "m", "k"), rhs.at(emitter, "n", "k")});
  emitter.line("$0[m * $1 + n] = (float)sum;",
               {emitter.name(op.result()), columns});
  emitter.line("}");
}

void addProducts(EmitTable &table) {
  table[TW_PORTABLE_OP_LINALG_MATMUL] = emitMatmul;
  table[TW_PORTABLE_OP_LINALG_BATCH_MATMUL] = emitMatmul;
  table[TW_PORTABLE_OP_KERNEL_DOT_SCALED] = emitDotScaled;
}

} // namespace tilewright::template_
