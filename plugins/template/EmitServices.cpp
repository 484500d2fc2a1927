//===- EmitServices.cpp - Ids, prints, checks, high-level ops ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that concern the launch, and calls of ops that are not claimed.
//===----------------------------------------------------------------------===//
#include "Emitter.h"

namespace tilewright::template_ {

static void emitProgramId(Emitter &emitter, const Op &op) {
  emitter.line("$0 $1 = launch->program[$2];",
               {storageType(*op.result().type), emitter.name(op.result()),
                text(op.number(TW_PORTABLE_ATTR_AXIS))});
}

static void emitNumPrograms(Emitter &emitter, const Op &op) {
  emitter.line("$0 $1 = launch->grid[$2];",
               {storageType(*op.result().type), emitter.name(op.result()),
                text(op.number(TW_PORTABLE_ATTR_AXIS))});
}

/// Both kinds count nanoseconds.
static void emitClock(Emitter &emitter, const Op &op) {
  emitter.line("$0 $1 = ($0)now();",
               {storageType(*op.result().type), emitter.name(op.result())});
}

static void emitAssert(Emitter &emitter, const Op &op) {
  const Value &condition = op.operand(0);
  emitter.line("for (int64_t i = 0; i < $0; ++i)",
               {text(condition.type->count())});
  emitter.line("  if (!$0)", {emitter.element(condition, "i")});
  emitter.line("    return $0;",
               {emitter.failure(op, 6030, op.text(TW_PORTABLE_ATTR_MESSAGE))});
}

static void emitTrap(Emitter &emitter, const Op &op) {
  emitter.line("return $0;",
               {emitter.failure(op, 6031, op.text(TW_PORTABLE_ATTR_MESSAGE))});
}

static std::string quote(const std::string &given) {
  std::string quoted = "\"";
  for (unsigned char c : given) {
    char octal[8];
    snprintf(octal, sizeof octal, "\\%03o", c);
    quoted += octal;
  }
  return quoted + "\"";
}

/// The statement that writes one element into `value`, a buffer of C.
static void emitNumberText(Emitter &emitter, const std::string &element,
                           const Type &type, bool isSigned, bool isHex) {
  if (isHex || type.isPointer()) {
    unsigned width = type.isPointer() ? 64 : widthOf(type.element);
    std::string bits = type.isFloat() && type.element == TW_DTYPE_F32
                           ? "f32_bits(" + element + ")"
                       : type.isFloat() && type.element == TW_DTYPE_F64
                           ? "f64_bits(" + element + ")"
                           : element;
    emitter.line("snprintf(value, sizeof value, \"0x%0*llx\", $0, (unsigned "
                 "long long)($1)$2);",
                 {text(std::max(width / 4, 1u)), unsignedType(type), bits});
  } else if (type.isFloat()) {
    emitter.line("print_number(value, sizeof value, $0);",
                 {asNumber(element, type.element)});
  } else if (isSigned && widthOf(type.element) > 1) {
    emitter.line("snprintf(value, sizeof value, \"%lld\", (long long)$0);",
                 {element});
  } else {
    emitter.line("snprintf(value, sizeof value, \"%llu\", (unsigned long "
                 "long)($0)$1);",
                 {unsignedType(type), element});
  }
}

/// `pid (x, y, z) idx (i, j) prefix: value`, one line an element.
static void emitPrint(Emitter &emitter, const Op &op) {
  std::string prefix = op.text(TW_PORTABLE_ATTR_PREFIX);
  if (op.operands.empty()) {
    emitter.line("print_text(launch, \"\", $0, \"\");", {quote(prefix)});
    return;
  }
  bool endsInColon =
      prefix.size() >= 2 && prefix.compare(prefix.size() - 2, 2, ": ") == 0;
  if (!endsInColon)
    prefix += ": ";
  const std::vector<int64_t> &signs = op.numbers(TW_PORTABLE_ATTR_SIGNEDNESS);
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const Type &type = *op.operand(k).type;
    emitter.openLoops(type.shape);
    emitter.line("{");
    emitter.line("char place[512] = \"\", value[512];");
    if (type.isTensor()) {
      std::string format = "idx (", numbers;
      for (size_t d = 0; d < type.shape.size(); ++d) {
        format += d ? ", %lld" : "%lld";
        numbers += ", (long long)i" + text(d);
      }
      emitter.line("snprintf(place, sizeof place, \"$0) \"$1);",
                   {format, numbers});
    }
    emitNumberText(emitter,
                   emitter.element(op.operand(k), Emitter::linear(type.shape)),
                   type, signs[k] != 0, op.has(TW_PORTABLE_ATTR_HEX));
    emitter.line("print_text(launch, place, $0, value);", {quote(prefix)});
    emitter.line("}");
    emitter.closeLoops(type.shape.size());
  }
}

/// Another op than the claimed ones is its own decomposition.
static void emitCall(Emitter &emitter, const Op &op) {
  if (emitOverride(emitter, op))
    return;
  const Region &region = op.regions[0];
  for (size_t i = 0; i < op.operands.size(); ++i)
    emitter.alias(*region.arguments[i], op.operand(i));
  emitter.emitOps(region);
  for (size_t i = 0; i < op.results.size(); ++i)
    emitter.alias(*op.results[i], *region.last().operands[i]);
}

void addServices(EmitTable &table) {
  EmitFunction nothing = [](Emitter &, const Op &) {};
  table[TW_PORTABLE_OP_KERNEL_PROGRAM_ID] = emitProgramId;
  table[TW_PORTABLE_OP_KERNEL_NUM_PROGRAMS] = emitNumPrograms;
  table[TW_PORTABLE_OP_KERNEL_CLOCK] = emitClock;
  table[TW_PORTABLE_OP_KERNEL_ASSERT] = emitAssert;
  table[TW_PORTABLE_OP_KERNEL_TRAP] = emitTrap;
  table[TW_PORTABLE_OP_KERNEL_PRINT] = emitPrint;
  table[TW_PORTABLE_OP_KERNEL_CALL_OP] = emitCall;
  table[TW_PORTABLE_OP_KERNEL_ASSUME] = nothing;
  table[TW_PORTABLE_OP_KERNEL_BARRIER] = nothing; // a program is one thread
}

} // namespace tilewright::template_
