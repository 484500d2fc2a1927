//===- Creation.cpp - Ids, ranges and filled tensors ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// program_id, num_programs, arange, full.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::sema;

static std::optional<int64_t> gridAxis(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> axis = in.constantInt(args, "axis");
  if (axis && (*axis < 0 || *axis > 2)) {
    in.argumentError(args, "axis", 2210,
                     "expected a grid axis of 0, 1 or 2, got " +
                         llvm::Twine(*axis));
    return std::nullopt;
  }
  return axis;
}

static Value emitProgramId(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> axis = gridAxis(in, args);
  if (!axis)
    return Value::error();
  auto &b = in.builder();
  return Value::tensor(tile::ProgramIdOp::create(b, b.getI32Type(), *axis),
                       Scalar::I32);
}

static Value emitNumPrograms(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> axis = gridAxis(in, args);
  if (!axis)
    return Value::error();
  auto &b = in.builder();
  return Value::tensor(tile::NumProgramsOp::create(b, b.getI32Type(), *axis),
                       Scalar::I32);
}

static Value emitArange(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> start = in.constantInt(args, "start");
  std::optional<int64_t> end = in.constantInt(args, "end");
  if (!start || !end)
    return Value::error();
  int64_t extent = *end - *start;
  if (extent <= 0)
    return in.error(2211, "expected an end above the start, got " +
                              llvm::Twine(*start) + " and " +
                              llvm::Twine(*end));
  if (!llvm::isPowerOf2_64(extent))
    return in.error(2030,
                    "expected a range whose length is a power of two, got " +
                        llvm::Twine(extent),
                    "round the length up with triton.next_power_of_2 and mask "
                    "the rest");
  if (!llvm::isInt<32>(*start) || !llvm::isInt<32>(*end))
    return in.error(2212, "expected bounds that fit 32 bits");
  if (!in.emitter.checkShape({extent}))
    return Value::error();
  return in.emitter.range(*start, *end);
}

static Value emitFull(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> shape = in.constantShape(args, "shape");
  std::optional<DType> type = in.constantType(args, "dtype");
  if (!shape || !type || !in.emitter.checkShape(*shape))
    return Value::error();
  const Value &value = args["value"];
  if (value.isNumber())
    return in.emitter.constant(value, *type, *shape);
  if (!value.isScalar())
    return in.argumentError(args, "value", 2213,
                            "expected a number or a scalar to fill with, got " +
                                value.describe());
  return in.emitter.broadcastTo(in.emitter.cast(value, *type), *shape);
}

static Value emitToTensor(Interpreter &in, CallArgs &args) {
  return in.emitter.toTensor(args["x"]);
}

void sema::registerCreation(BuiltinTable &table) {
  table.add("tl.program_id", "axis", emitProgramId);
  table.add("tl.num_programs", "axis", emitNumPrograms);
  table.add("tl.arange", "start, end", emitArange);
  table.add("tl.full", "shape, value, dtype", emitFull);
  table.add("tl.to_tensor", "x", emitToTensor);
}
