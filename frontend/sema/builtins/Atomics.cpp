//===- Atomics.cpp - Atomic operations --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules K1 to K6.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/MemoryAccess.h"

#include "dialects/tile/TileOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::sema;
using kernel::AtomicKind;
using kernel::MemoryScope;
using kernel::MemorySemantics;

namespace {
struct Ordering {
  MemorySemantics semantics;
  MemoryScope scope;
};
/// The language's operations, before the element type is known.
enum class AtomicName : int64_t { Add, Max, Min, And, Or, Xor, Xchg };
} // namespace

static std::optional<Ordering> orderingOf(Interpreter &in,
                                          const CallArgs &args) {
  std::optional<std::string> semantics = in.constantStr(args, "sem");
  std::optional<std::string> scope = in.constantStr(args, "scope");
  if (!semantics || !scope)
    return std::nullopt;
  auto order = llvm::StringSwitch<std::optional<MemorySemantics>>(*semantics)
                   .Cases({"", "acq_rel"}, MemorySemantics::AcquireRelease)
                   .Case("relaxed", MemorySemantics::Relaxed)
                   .Case("acquire", MemorySemantics::Acquire)
                   .Case("release", MemorySemantics::Release)
                   .Default(std::nullopt);
  if (!order) {
    in.argumentError(args, "sem", 2270,
                     "expected 'relaxed', 'acquire', 'release' or 'acq_rel', "
                     "got '" +
                         *semantics + "'");
    return std::nullopt;
  }
  auto reach = llvm::StringSwitch<std::optional<MemoryScope>>(*scope)
                   .Cases({"", "gpu"}, MemoryScope::Device)
                   .Case("cta", MemoryScope::Block)
                   .Case("sys", MemoryScope::System)
                   .Default(std::nullopt);
  if (!reach) {
    in.argumentError(args, "scope", 2271,
                     "expected 'cta', 'gpu' or 'sys', got '" + *scope + "'");
    return std::nullopt;
  }
  return Ordering{*order, *reach};
}

/// K4 and K6: what each operation takes; nullopt when it does not.
static std::optional<AtomicKind> kindFor(AtomicName name, DType type) {
  bool isInteger = type.isInt() && type.width() >= 32;
  bool isWideFloat = type.is(Scalar::FP32) || type.is(Scalar::FP64);
  switch (name) {
  case AtomicName::Add:
    if (isWideFloat || type.is(Scalar::FP16) || type.is(Scalar::BF16))
      return AtomicKind::FAdd;
    return isInteger ? std::optional(AtomicKind::Add) : std::nullopt;
  case AtomicName::Max:
    if (isWideFloat)
      return AtomicKind::FMax;
    if (!isInteger)
      return std::nullopt;
    return type.isSigned() ? AtomicKind::Max : AtomicKind::UMax;
  case AtomicName::Min:
    if (isWideFloat)
      return AtomicKind::FMin;
    if (!isInteger)
      return std::nullopt;
    return type.isSigned() ? AtomicKind::Min : AtomicKind::UMin;
  case AtomicName::And:
    return isInteger ? std::optional(AtomicKind::And) : std::nullopt;
  case AtomicName::Or:
    return isInteger ? std::optional(AtomicKind::Or) : std::nullopt;
  case AtomicName::Xor:
    return isInteger ? std::optional(AtomicKind::Xor) : std::nullopt;
  case AtomicName::Xchg:
    return type.width() >= 32 ? std::optional(AtomicKind::Xchg) : std::nullopt;
  }
  return std::nullopt;
}

static bool checkWritable(Interpreter &in, const CallArgs &args) {
  if (!checkPointer(in, args, "pointer"))
    return false;
  if (!args["pointer"].dtype().readOnly)
    return true;
  in.argumentError(args, "pointer", 2227,
                   "expected a pointer that may be stored through, got the "
                   "read-only " +
                       args["pointer"].describe());
  return false;
}

static Value emitAtomic(Interpreter &in, CallArgs &args) {
  std::optional<Ordering> ordering = orderingOf(in, args);
  if (!ordering || !checkWritable(in, args))
    return Value::error();
  const Value &pointer = args["pointer"];
  DType element = pointer.dtype().pointee();
  auto name = static_cast<AtomicName>(args.builtin->variant);
  std::optional<AtomicKind> kind = kindFor(name, element);
  if (!kind)
    return in.argumentError(args, "pointer", 2272,
                            "expected an element type that '" +
                                in.nameOf(*args.builtin) + "' takes, got " +
                                pointer.describe(),
                            "atomics work on 32- and 64-bit integers and "
                            "floats, atomic_add also on fp16 and bf16");
  Value value = in.emitter.broadcastTo(in.emitter.cast(args["val"], element),
                                       pointer.shape());
  Value mask = maskFor(in, args, pointer.shape());
  if (value.isError() || mask.isError())
    return Value::error();
  auto op = tile::AtomicRMWOp::create(
      in.builder(), value.ssa().getType(), *kind, ordering->semantics,
      ordering->scope, pointer.ssa(), value.ssa(),
      mask.isNone() ? mlir::Value() : mask.ssa());
  return Value::tensor(op, element);
}

static Value emitAtomicCAS(Interpreter &in, CallArgs &args) {
  std::optional<Ordering> ordering = orderingOf(in, args);
  if (!ordering || !checkWritable(in, args))
    return Value::error();
  const Value &pointer = args["pointer"];
  DType element = pointer.dtype().pointee();
  if (element.width() < 16)
    return in.argumentError(args, "pointer", 2272,
                            "expected elements of 16, 32 or 64 bits, got " +
                                pointer.describe());
  Value operands[2];
  for (auto [i, name] : {std::pair(0, "cmp"), std::pair(1, "val")}) {
    const Value &given = args[name];
    // K5: numbers take the element type, run-time values must have it.
    if (given.isTensor() && given.dtype() != element)
      return in.argumentError(args, name, 2273,
                              "expected " + element.spelling() + " for '" +
                                  name + "', got " + given.describe(),
                              "convert it with .to(...)");
    if (given.isNumber() && element.isInt()) {
      BigInt number = given.isFloat() ? BigInt(0) : given.intValue();
      if (given.isFloat() || !(number.fitsSigned(element.width()) ||
                               number.fitsUnsigned(element.width())))
        return in.argumentError(args, name, 2273,
                                "expected a number that " + element.spelling() +
                                    " holds for '" + name + "', got " +
                                    given.describe());
    }
    operands[i] = in.emitter.broadcastTo(in.emitter.cast(given, element),
                                         pointer.shape());
    if (operands[i].isError())
      return operands[i];
  }
  auto op = tile::AtomicCASOp::create(
      in.builder(), operands[1].ssa().getType(), ordering->semantics,
      ordering->scope, pointer.ssa(), operands[0].ssa(), operands[1].ssa());
  return Value::tensor(op, element);
}

void sema::registerAtomics(BuiltinTable &table) {
  auto add = [&](llvm::StringRef name, AtomicName variant) {
    Builtin &builtin = table.add(
        name, "pointer, val, mask=None, sem=None, scope=None", emitAtomic);
    builtin.isMethod = true;
    builtin.variant = static_cast<int64_t>(variant);
  };
  add("tl.atomic_add", AtomicName::Add);
  add("tl.atomic_max", AtomicName::Max);
  add("tl.atomic_min", AtomicName::Min);
  add("tl.atomic_and", AtomicName::And);
  add("tl.atomic_or", AtomicName::Or);
  add("tl.atomic_xor", AtomicName::Xor);
  add("tl.atomic_xchg", AtomicName::Xchg);
  table
      .add("tl.atomic_cas", "pointer, cmp, val, sem=None, scope=None",
           emitAtomicCAS)
      .isMethod = true;
}
