//===- Record.cpp - Kernel records from Kernel IR ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packed user block has every argument at its natural alignment, in order;
// hidden parameters follow it in the device block, where a backend adds them.
// Which facts the code used is not tracked: all present ones are listed, which
// is safe (a launch that breaks one takes another variant or is refused).
//===----------------------------------------------------------------------===//
#include "backends/common/Record.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "tilewright/sdk/Predicate.h"

using namespace mlir;

namespace tilewright::backend {

static constexpr uint32_t kScratchAlignment = 64;

uint32_t parseDtype(StringRef spelling) {
  return llvm::StringSwitch<uint32_t>(spelling)
      .Cases({"i1", "u1"}, TW_DTYPE_I1)
      .Case("i8", TW_DTYPE_I8)
      .Case("i16", TW_DTYPE_I16)
      .Case("i32", TW_DTYPE_I32)
      .Case("i64", TW_DTYPE_I64)
      .Case("u8", TW_DTYPE_U8)
      .Case("u16", TW_DTYPE_U16)
      .Case("u32", TW_DTYPE_U32)
      .Case("u64", TW_DTYPE_U64)
      .Case("fp16", TW_DTYPE_F16)
      .Case("bf16", TW_DTYPE_BF16)
      .Case("fp32", TW_DTYPE_F32)
      .Case("fp64", TW_DTYPE_F64)
      .Case("fp8e4nv", TW_DTYPE_F8E4NV)
      .Case("fp8e5", TW_DTYPE_F8E5)
      .Case("fp8e4b8", TW_DTYPE_F8E4B8)
      .Case("fp8e5b16", TW_DTYPE_F8E5B16)
      .Case("fp8e4b15", TW_DTYPE_F8E4B15)
      .Default(TW_DTYPE_NONE);
}

/// Fills one parameter from the argument's attributes; the offset comes later.
static LogicalResult readParameter(func::FuncOp kernel, unsigned index,
                                   KernelRecord &record) {
  auto malformed = [&](const Twine &what) {
    return kernel.emitError("TW4109: argument " + Twine(index) + ": " + what);
  };
  auto dtype = kernel.getArgAttrOfType<StringAttr>(index, "tw.dtype");
  if (!dtype)
    return malformed("expected a tw.dtype attribute");
  auto position = kernel.getArgAttrOfType<IntegerAttr>(index, "tw.index");
  if (position && position.getInt() != int64_t(index))
    return malformed("expected tw.index " + Twine(index) + ", got " +
                     Twine(position.getInt()));
  StringRef spelling = dtype.getValue();
  bool isPointer = spelling.consume_front("*");
  if (isPointer)
    spelling.consume_front("k"); // read-only pointers, "*kfp32"
  if (isPointer && spelling.starts_with("*"))
    spelling = "i64"; // a table of pointers
  tw_parameter parameter{};
  parameter.kind =
      isPointer ? TW_PARAMETER_USER_POINTER : TW_PARAMETER_USER_SCALAR;
  parameter.dtype = parseDtype(spelling);
  if (parameter.dtype == TW_DTYPE_NONE)
    return malformed("expected an element type, got '" + dtype.getValue() +
                     "'");
  parameter.bytes = isPointer ? 8 : tw_dtype_bytes(parameter.dtype);
  parameter.alignment = parameter.bytes;
  auto name = kernel.getArgAttrOfType<StringAttr>(index, "tw.name");
  record.parameterNames.push_back(name ? name.getValue().str()
                                       : ("arg" + Twine(index)).str());
  const std::string &text = record.parameterNames.back();
  parameter.name = tw_str{text.data(), text.size()};
  record.parameters.push_back(parameter);
  return success();
}

static void addFact(KernelRecord &record, uint32_t kind, uint32_t argument,
                    int64_t value, int64_t upper = 0, uint32_t other = 0) {
  tw_fact fact{};
  fact.kind = kind;
  fact.argument = argument;
  fact.other = other;
  fact.value = value;
  fact.upper = upper;
  record.facts.push_back(fact);
}

static LogicalResult readRange(func::FuncOp kernel, unsigned index,
                               KernelRecord &record) {
  Attribute attribute = kernel.getArgAttr(index, "tw.range");
  if (!attribute)
    return success();
  SmallVector<int64_t> bounds;
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    for (Attribute bound : array)
      if (auto integer = dyn_cast<IntegerAttr>(bound))
        bounds.push_back(integer.getInt());
  } else if (auto dense = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    bounds.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
  }
  if (bounds.size() != 2)
    return kernel.emitError("TW4109: argument " + Twine(index) +
                            ": expected tw.range = [lo, hi]");
  addFact(record, TW_FACT_RANGE, index, bounds[0], bounds[1]);
  return success();
}

static LogicalResult readFacts(func::FuncOp kernel, unsigned index,
                               KernelRecord &record) {
  if (auto value =
          kernel.getArgAttrOfType<IntegerAttr>(index, "tw.divisibility"))
    if (value.getInt() > 1)
      addFact(record, TW_FACT_DIVISIBLE, index, value.getInt());
  if (auto value = kernel.getArgAttrOfType<IntegerAttr>(index, "tw.value"))
    addFact(record, TW_FACT_VALUE, index, value.getInt());
  if (failed(readRange(kernel, index, record)))
    return failure();
  if (kernel.getArgAttr(index, "tw.readonly"))
    addFact(record, TW_FACT_READONLY, index, 0);
  if (kernel.getArgAttr(index, "tw.disjoint"))
    for (unsigned other = 0; other < index; ++other)
      if (kernel.getArgAttr(other, "tw.disjoint"))
        addFact(record, TW_FACT_DISJOINT, other, 0, 0, index);
  return success();
}

static LogicalResult readPredicate(func::FuncOp kernel, KernelRecord &record) {
  auto text = kernel->getAttrOfType<StringAttr>("tw.predicate");
  if (!text)
    return success();
  std::vector<std::string_view> names(record.parameterNames.begin(),
                                      record.parameterNames.end());
  std::string error;
  std::optional<std::string> code =
      sdk::compilePredicate(text.getValue(), names, error);
  if (!code)
    return kernel.emitError("TW4109: tw.predicate: " + error);
  record.predicate = std::move(*code);
  return success();
}

FailureOr<KernelRecord> readRecord(func::FuncOp kernel) {
  KernelRecord record;
  record.symbol = kernel.getSymName().str();
  auto base = kernel->getAttrOfType<StringAttr>("tw.variant_of");
  record.name = base ? base.getValue().str() : record.symbol;
  record.needsProgress = kernel->hasAttr("tw.needs_progress");
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i)
    if (failed(readParameter(kernel, i, record)) ||
        failed(readFacts(kernel, i, record)))
      return failure();
  uint32_t offset = 0;
  for (tw_parameter &parameter : record.parameters) {
    offset = llvm::alignTo(offset, parameter.alignment);
    parameter.offset = parameter.device_offset = offset;
    offset += parameter.bytes;
  }
  record.blockBytes = record.deviceBytes = offset;
  if (failed(readPredicate(kernel, record)))
    return failure();
  return record;
}

void KernelRecord::addHidden(uint32_t kind, StringRef name, uint32_t bytes,
                             uint32_t axis) {
  tw_parameter parameter{};
  parameter.kind = kind;
  parameter.dtype = bytes == 8 ? TW_DTYPE_U64 : TW_DTYPE_I32;
  parameter.offset = TW_NO_OFFSET;
  parameter.device_offset = llvm::alignTo(deviceBytes, bytes);
  parameter.bytes = parameter.alignment = bytes;
  parameter.axis = axis;
  parameterNames.push_back(name.str());
  const std::string &text = parameterNames.back();
  parameter.name = tw_str{text.data(), text.size()};
  parameters.push_back(parameter);
  deviceBytes = parameter.device_offset + bytes;
}

void KernelRecord::addHiddenGrid(uint32_t firstAxis) {
  static constexpr const char *axes[] = {"x", "y", "z"};
  for (uint32_t axis = 0; axis < 3; ++axis)
    addHidden(TW_PARAMETER_HIDDEN_GRID, std::string("programs_") + axes[axis],
              4, axis);
  for (uint32_t axis = firstAxis; axis < 3; ++axis)
    addHidden(TW_PARAMETER_HIDDEN_FIRST, std::string("first_") + axes[axis], 4,
              axis);
}

tw_kernel_record KernelRecord::view() const {
  tw_kernel_record out{};
  out.size = sizeof out;
  out.flags = (needsProgress ? TW_KERNEL_NEEDS_PROGRESS : 0u) |
              (isStrided ? TW_KERNEL_STRIDED : 0u);
  out.name = tw_str{name.data(), name.size()};
  if (symbol != name)
    out.symbol = tw_str{symbol.data(), symbol.size()};
  out.parameters = parameters.data();
  out.parameter_count = parameters.size();
  out.facts = facts.data();
  out.fact_count = facts.size();
  out.predicate = tw_bytes{predicate.data(), predicate.size()};
  out.user_block_bytes = blockBytes;
  out.device_block_bytes = deviceBytes;
  for (unsigned i = 0; i < 3; ++i)
    out.block_size[i] = out.cluster_size[i] = 1;
  out.block_size[0] = threads;
  out.shared_static_bytes = sharedStaticBytes;
  out.shared_dynamic_bytes = sharedDynamicBytes;
  out.registers = registers;
  out.spill_bytes = spillBytes;
  out.scratch_bytes = scratchBytes;
  out.scratch_alignment = scratchBytes ? kScratchAlignment : 0;
  return out;
}

} // namespace tilewright::backend
