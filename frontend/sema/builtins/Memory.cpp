//===- Memory.cpp - Loads and stores ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules G1 to G5: pointers, masks and `other`. Block pointers go to
// BlockPointers.cpp.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/MemoryAccess.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
using kernel::CacheHint;
using kernel::EvictionHint;

/// The hint that the text names; unknown text is an error.
template <typename Hint>
static std::optional<Hint>
parseHint(Interpreter &in, const CallArgs &args, llvm::StringRef name,
          llvm::ArrayRef<std::pair<llvm::StringRef, Hint>> choices) {
  std::optional<std::string> text = in.constantStr(args, name);
  if (!text)
    return std::nullopt;
  std::string known;
  for (const auto &[spelling, hint] : choices) {
    if (spelling == *text)
      return hint;
    if (!spelling.empty())
      known += (known.empty() ? "" : ", ") + spelling.str();
  }
  in.argumentError(args, name, 2220,
                   "expected one of " + known + " for '" + name + "', got '" +
                       *text + "'");
  return std::nullopt;
}

std::optional<AccessHints> sema::accessHints(Interpreter &in,
                                             const CallArgs &args) {
  static const std::pair<llvm::StringRef, CacheHint> caches[] = {
      {"", CacheHint::None},  {".ca", CacheHint::CA}, {".cg", CacheHint::CG},
      {".cv", CacheHint::CV}, {".wb", CacheHint::WB}, {".cs", CacheHint::CS},
      {".wt", CacheHint::WT}};
  static const std::pair<llvm::StringRef, EvictionHint> evictions[] = {
      {"", EvictionHint::Normal},
      {"evict_normal", EvictionHint::Normal},
      {"evict_first", EvictionHint::EvictFirst},
      {"evict_last", EvictionHint::EvictLast}};
  auto cache = parseHint<CacheHint>(in, args, "cache_modifier", caches);
  auto eviction =
      parseHint<EvictionHint>(in, args, "eviction_policy", evictions);
  if (!cache || !eviction)
    return std::nullopt;
  return AccessHints{*cache, *eviction};
}

bool sema::checkPointer(Interpreter &in, const CallArgs &args,
                        llvm::StringRef name) {
  const Value &pointer = args[name];
  if (pointer.isTensor() && pointer.dtype().isPointer())
    return true;
  in.argumentError(args, name, 2221,
                   "expected a pointer or a tensor of pointers for '" + name +
                       "' of '" + in.nameOf(*args.builtin) + "', got " +
                       pointer.describe(),
                   pointer.is(Value::Kind::Descriptor)
                       ? "use the descriptor's own load and store"
                       : "");
  return false;
}

Value sema::maskFor(Interpreter &in, const CallArgs &args, Shape shape) {
  const Value &given = args["mask"];
  if (given.isNone())
    return given;
  Value mask = given;
  if (mask.isNumber())
    mask =
        in.emitter.constant(Value::boolean(mask.toDouble() != 0), Scalar::I1);
  if (!mask.isTensor() || !mask.dtype().isBool())
    return in.argumentError(args, "mask", 2222,
                            "expected an i1 mask, got " + given.describe(),
                            "compare to get a mask: x != 0");
  std::optional<std::vector<int64_t>> common =
      Emitter::commonShape(mask.shape(), shape);
  if (!common || Shape(*common) != shape)
    return in.argumentError(args, "mask", 2223,
                            "expected a mask that broadcasts to the pointer's "
                            "shape, got " +
                                mask.describe() + " for " +
                                describeType(Scalar::I1, shape));
  return in.emitter.broadcastTo(mask, shape);
}

static mlir::Value orNull(const Value &value) {
  return value.isNone() ? mlir::Value() : value.ssa();
}

static Value emitLoad(Interpreter &in, CallArgs &args) {
  if (args["pointer"].is(Value::Kind::BlockPointer))
    return loadBlockPointer(in, args);
  std::optional<AccessHints> hints = accessHints(in, args);
  std::optional<bool> isVolatile = in.constantBool(args, "volatile");
  if (!hints || !isVolatile || !checkPointer(in, args, "pointer"))
    return Value::error();
  Value pointer = args["pointer"];
  const Value &boundary = args["boundary_check"];
  if (boundary.isTuple() && !boundary.elements().empty())
    return in.argumentError(args, "boundary_check", 2224,
                            "expected a block pointer with boundary_check, "
                            "got " +
                                pointer.describe(),
                            "use mask");
  const Value &givenMask = args["mask"], &givenOther = args["other"];
  if (!givenOther.isNone() && givenMask.isNone())
    return in.argumentError(args, "other", 2225,
                            "expected a mask together with 'other'",
                            "'other' is the value of elements whose mask is "
                            "false");
  // G3: mask and other may make the access wider than the pointer.
  std::vector<int64_t> shape(pointer.shape());
  for (const Value *value : {&givenMask, &givenOther}) {
    if (!value->isTensor())
      continue;
    std::optional<std::vector<int64_t>> common =
        Emitter::commonShape(shape, value->shape());
    if (!common)
      return in.error(2223, "expected a mask and other that broadcast with the "
                            "pointer, got " +
                                value->describe() + " for " +
                                pointer.describe());
    if (pointer.shape().empty() && !common->empty())
      return in.argumentError(
          args, value == &givenMask ? "mask" : "other", 2226,
          "expected a scalar with a scalar pointer, got " + value->describe());
    shape = *common;
  }
  pointer = in.emitter.broadcastTo(pointer, shape);
  Value mask = maskFor(in, args, shape);
  if (mask.isError())
    return mask;
  DType element = pointer.dtype().pointee();
  Value other = Value::none();
  if (!givenOther.isNone()) {
    other = givenOther.isNumber()
                ? in.emitter.constant(givenOther, element, shape)
                : in.emitter.broadcastTo(in.emitter.cast(givenOther, element),
                                         shape);
    if (other.isError())
      return other;
  }
  auto &b = in.builder();
  auto op = tile::LoadOp::create(b, in.emitter.typeFor(element, shape),
                                 pointer.ssa(), orNull(mask), orNull(other),
                                 hints->cache, hints->eviction, *isVolatile);
  return Value::tensor(op, element);
}

static Value emitStore(Interpreter &in, CallArgs &args) {
  if (args["pointer"].is(Value::Kind::BlockPointer))
    return storeBlockPointer(in, args);
  std::optional<AccessHints> hints = accessHints(in, args);
  if (!hints || !checkPointer(in, args, "pointer"))
    return Value::error();
  const Value &pointer = args["pointer"];
  if (pointer.dtype().readOnly)
    return in.argumentError(args, "pointer", 2227,
                            "expected a pointer that may be stored through, "
                            "got the read-only " +
                                pointer.describe());
  const Value &value = args["value"];
  if (!value.isNumber() && !value.isTensor())
    return in.argumentError(args, "value", 2228,
                            "expected a number or a tensor to store, got " +
                                value.describe());
  Shape shape = pointer.shape();
  std::optional<std::vector<int64_t>> common =
      Emitter::commonShape(value.shape(), shape);
  if (!common || Shape(*common) != shape)
    return in.argumentError(
        args, "value", 2229,
        "expected a value that broadcasts to the pointer's shape, got " +
            value.describe() + " for " + pointer.describe(),
        shape.empty() ? "the pointer is a scalar; add a range of offsets" : "");
  DType element = pointer.dtype().pointee();
  Value stored =
      in.emitter.broadcastTo(in.emitter.cast(value.isFloat() && element.isInt()
                                                 ? in.emitter.toTensor(value)
                                                 : value,
                                             element),
                             shape);
  Value mask = maskFor(in, args, shape);
  if (mask.isError() || stored.isError())
    return Value::error();
  tile::StoreOp::create(in.builder(), pointer.ssa(), stored.ssa(), orNull(mask),
                        hints->cache, hints->eviction);
  return Value::none();
}

void sema::registerMemory(BuiltinTable &table) {
  table.add("tl.load",
            "pointer, mask=None, other=None, boundary_check=(), "
            "padding_option='', cache_modifier='', eviction_policy='', "
            "volatile=False",
            emitLoad);
  table.add("tl.store",
            "pointer, value, mask=None, boundary_check=(), "
            "cache_modifier='', eviction_policy=''",
            emitStore);
}
