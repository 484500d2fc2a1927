//===- EmitMemory.cpp - Loads, stores and atomics ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes of views, element by element, and computed addresses. An i1 is a byte
// in memory, of which every value but 0 is true.
//===----------------------------------------------------------------------===//
#include "Emitter.h"

namespace tilewright::template_ {

//===--- One element ------------------------------------------------------===//

static std::string memoryType(uint32_t dtype) {
  Type element;
  element.element = dtype;
  return storageType(element);
}

/// What lies at an address; it need not be aligned to more than the element.
static std::string readText(const std::string &address, uint32_t dtype) {
  return fill(dtype == TW_DTYPE_I1 ? "(*($0 *)($1) != 0)" : "*($0 *)($1)",
              {memoryType(dtype), address});
}

/// What an element is that is not read.
static std::string otherText(Emitter &emitter, const Value *other,
                             const std::string &index, uint32_t dtype) {
  return other ? emitter.element(*other, index) : constantText(0, dtype);
}

//===--- Boxes ------------------------------------------------------------===//

namespace {
/// The operands that kernel.load and kernel.store share, from slot `first` on.
struct Box {
  const Op &view;
  std::vector<const Value *> sizes, strides, offsets, lo, hi;
  const Value *base, *offset, *index, *mask;
  int64_t indexDim;
  const std::vector<int64_t> &boundary;

  Box(const Op &op, unsigned first)
      : view(*op.slot(first)[0]->producer), sizes(view.slot(2)),
        strides(view.slot(3)), offsets(op.slot(first + 1)),
        lo(op.slot(first + 2)), hi(op.slot(first + 3)), base(&view.operand(0)),
        offset(view.optional(1)), index(op.optional(first + 4)),
        mask(op.optional(first + 5)),
        indexDim(op.number(TW_PORTABLE_ATTR_INDEX_DIM)),
        boundary(op.numbers(TW_PORTABLE_ATTR_BOUNDARY)) {}
};
} // namespace

/// Declares the position and whether it is in bounds for one dimension.
static void emitPosition(Emitter &emitter, const Box &box, size_t d) {
  enum { Checked, Unchecked, Wrap };
  std::string at = text(d);
  std::string step = "i" + at;
  if (box.index && box.indexDim == int64_t(d))
    step = emitter.element(*box.index, step);
  emitter.line("int64_t p$0 = (int64_t)$1 + $2;",
               {at, emitter.name(*box.offsets[d]), step});
  if (box.boundary[d] == Wrap)
    emitter.line("p$0 = floor_mod(p$0, $1);",
                 {at, emitter.name(*box.sizes[d])});
  std::string isInside = d == 0 ? "1" : "ok" + text(d - 1);
  if (box.boundary[d] == Checked)
    isInside += fill(" && $0 <= p$1 && p$1 < $2",
                     {emitter.name(*box.lo[d]), at, emitter.name(*box.hi[d])});
  emitter.line("int ok$0 = $1;", {at, isInside});
}

/// Opens the loops over a box of that shape; gives (condition, address).
static std::pair<std::string, std::string>
openBox(Emitter &emitter, const Box &box, const std::vector<int64_t> &shape,
        const std::string &linear) {
  std::string address = emitter.name(*box.base);
  std::string steps =
      box.offset ? "(int64_t)" + emitter.name(*box.offset) : "0";
  for (size_t d = 0; d < shape.size(); ++d) {
    emitter.line("for (int64_t i$0 = 0; i$0 < $1; ++i$0) {",
                 {text(d), text(shape[d])});
    emitPosition(emitter, box, d);
    steps +=
        fill(" + p$0 * (int64_t)$1", {text(d), emitter.name(*box.strides[d])});
  }
  std::string condition =
      shape.empty() ? "1" : "ok" + text(int64_t(shape.size()) - 1);
  if (box.mask)
    condition += " && " + emitter.element(*box.mask, linear);
  uint64_t bytes = tw_dtype_bytes(box.base->type->element);
  return {condition,
          fill("$0 + (uint64_t)(($1) * $2)", {address, steps, text(bytes)})};
}

static void emitLoad(Emitter &emitter, const Op &op) {
  Box box(op, 0);
  const Value *other = op.optional(6), &result = op.result();
  const std::vector<int64_t> &shape = result.type->shape;
  uint32_t dtype = result.type->element;
  emitter.declare(result);
  std::string linear = Emitter::linear(shape);
  auto [condition, address] = openBox(emitter, box, shape, linear);
  emitter.line("$0 = $1 ? $2 : $3;",
               {emitter.element(result, linear), condition,
                readText(address, dtype),
                otherText(emitter, other, linear, dtype)});
  emitter.closeLoops(shape.size());
}

static void emitStore(Emitter &emitter, const Op &op) {
  Box box(op, 1);
  const Value &value = op.operand(0);
  const std::vector<int64_t> &shape = value.type->shape;
  std::string linear = Emitter::linear(shape);
  auto [condition, address] = openBox(emitter, box, shape, linear);
  emitter.line("if ($0)", {condition});
  emitter.line("  *($0 *)($1) = $2;", {storageType(*value.type), address,
                                       emitter.element(value, linear)});
  emitter.closeLoops(shape.size());
}

//===--- Computed addresses -----------------------------------------------===//

/// The address of element i.
static std::string addressText(Emitter &emitter, const Value &base,
                               const Value *offsets) {
  std::string address = emitter.element(base, "i");
  if (!offsets)
    return address;
  return fill("$0 + (uint64_t)((int64_t)$1 * $2)",
              {address, emitter.element(*offsets, "i"),
               text(tw_dtype_bytes(base.type->element))});
}

static void openElements(Emitter &emitter, const Type &type) {
  emitter.line("for (int64_t i = 0; i < $0; ++i) {", {text(type.count())});
}

static void emitGather(Emitter &emitter, const Op &op) {
  const Value &result = op.result();
  const Value *mask = op.optional(2), *other = op.optional(3);
  uint32_t dtype = result.type->element;
  emitter.declare(result);
  openElements(emitter, *result.type);
  emitter.line(
      "$0 = $1 ? $2 : $3;",
      {emitter.element(result, "i"), mask ? emitter.element(*mask, "i") : "1",
       readText(addressText(emitter, op.operand(0), op.optional(1)), dtype),
       otherText(emitter, other, "i", dtype)});
  emitter.line("}");
}

static void emitScatter(Emitter &emitter, const Op &op) {
  const Value &value = op.operand(0);
  const Value *mask = op.optional(3);
  openElements(emitter, *value.type);
  emitter.line("if ($0)", {mask ? emitter.element(*mask, "i") : "1"});
  emitter.line("  *($0 *)($1) = $2;",
               {storageType(*value.type),
                addressText(emitter, *op.slot(1)[0], op.optional(2)),
                emitter.element(value, "i")});
  emitter.line("}");
}

//===--- Atomics ----------------------------------------------------------===//

/// What memory holds after the operation, as stored.
static std::string combinedText(const Op &op, const std::string &old,
                                const std::string &value, const Type &type) {
  enum { Add, FAdd, Max, Min, UMax, UMin, FMax, FMin, And, Or, Xor, Xchg };
  std::string a = asNumber(old, type.element);
  std::string b = asNumber(value, type.element);
  std::string letter = type.element == TW_DTYPE_F64 ? "d" : "f";
  switch (op.number(TW_PORTABLE_ATTR_ATOMIC_KIND)) {
  case Add:
    return fill("($0)(($2)$1 + ($2)$3)",
                {storageType(type), old, unsignedType(type), value});
  case FAdd:
    return asStored(a + " + " + b, type.element);
  case Max:
    return fill("$0 > $1 ? $0 : $1", {old, value});
  case Min:
    return fill("$0 < $1 ? $0 : $1", {old, value});
  case UMax:
    return fill("($2)$0 > ($2)$1 ? $0 : $1", {old, value, unsignedType(type)});
  case UMin:
    return fill("($2)$0 < ($2)$1 ? $0 : $1", {old, value, unsignedType(type)});
  case FMax:
    return asStored(fill("max_number_$0($1, $2)", {letter, a, b}),
                    type.element);
  case FMin:
    return asStored(fill("min_number_$0($1, $2)", {letter, a, b}),
                    type.element);
  case And:
    return old + " & " + value;
  case Or:
    return old + " | " + value;
  case Xor:
    return old + " ^ " + value;
  default:
    return value;
  }
}

/// A compare-and-swap of the machine for each element: programs of other
/// streams may use the same memory. `wanted` is the text of the new value, from
/// `old`; a compare that fails ends the loop by `give`.
static void emitAtomic(Emitter &emitter, const Op &op, const Value &base,
                       const Value *offsets, const Value *mask,
                       const std::string &wanted, const std::string &give) {
  const Value &result = op.result();
  Type element;
  element.element = result.type->element;
  std::string word = unsignedType(element), stored = storageType(element);
  emitter.declare(result);
  openElements(emitter, *result.type);
  if (mask) {
    emitter.line("$0 = $1;", {emitter.element(result, "i"),
                              constantText(0, element.element)});
    emitter.line("if (!$0)", {emitter.element(*mask, "i")});
    emitter.line("  continue;");
  }
  emitter.line("$0 *at = ($0 *)($1);",
               {word, addressText(emitter, base, offsets)});
  emitter.line("$0 word = __atomic_load_n(at, __ATOMIC_SEQ_CST), next;",
               {word});
  emitter.line("$0 old, made;", {stored});
  emitter.line("do {");
  emitter.line("memcpy(&old, &word, sizeof old);");
  if (!give.empty())
    emitter.line("if ($0) break;", {give});
  emitter.line("made = $0;", {wanted});
  emitter.line("memcpy(&next, &made, sizeof next);");
  emitter.line("} while (!__atomic_compare_exchange_n(at, &word, next, 0, "
               "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));");
  emitter.line("$0 = old;", {emitter.element(result, "i")});
  emitter.line("}");
}

static void emitReadModifyWrite(Emitter &emitter, const Op &op) {
  const Value &value = op.operand(0);
  emitAtomic(emitter, op, *op.slot(1)[0], op.optional(2), op.optional(3),
             combinedText(op, "old", emitter.element(value, "i"), *value.type),
             "");
}

/// Compares bits, not numbers.
static void emitCompareAndSwap(Emitter &emitter, const Op &op) {
  const Value &compare = op.operand(0), &value = op.operand(1);
  std::string expected = emitter.fresh("t");
  emitAtomic(emitter, op, *op.slot(2)[0], op.optional(3), nullptr,
             emitter.element(value, "i"),
             fill("memcmp(&word, &($0){$1}, sizeof word) != 0",
                  {storageType(*compare.type), emitter.element(compare, "i")}));
}

void addMemory(EmitTable &table) {
  table[TW_PORTABLE_OP_KERNEL_VIEW] = [](Emitter &, const Op &) {};
  table[TW_PORTABLE_OP_KERNEL_LOAD] = emitLoad;
  table[TW_PORTABLE_OP_KERNEL_STORE] = emitStore;
  table[TW_PORTABLE_OP_KERNEL_GATHER] = emitGather;
  table[TW_PORTABLE_OP_KERNEL_SCATTER] = emitScatter;
}

void addAtomics(EmitTable &table) {
  table[TW_PORTABLE_OP_KERNEL_ATOMIC_RMW] = emitReadModifyWrite;
  table[TW_PORTABLE_OP_KERNEL_ATOMIC_CAS] = emitCompareAndSwap;
}

} // namespace tilewright::template_
