//===- Scratch.cpp - Scratch memory of operations -------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads types and attributes for the plans of MovePlans.h.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Scratch.h"

#include "backends/simt/analysis/DotPlan.h"
#include "backends/simt/analysis/Exchanges.h"
#include "backends/simt/layout/GF2.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

ScratchRules simt::makeScratchRules(const SimtTarget &target, unsigned numWarps,
                                    bool hasShuffles, bool hasMatrixAtoms) {
  ScratchRules rules;
  rules.threads = numWarps * target.warpLanes();
  rules.hasShuffles = hasShuffles;
  rules.hasMatrixAtoms = hasMatrixAtoms;
  rules.banks = target.banks;
  rules.limitBytes = target.sharedBytes / 2;
  return rules;
}

unsigned simt::memoryBytes(Type element) {
  if (!element.isIntOrFloat())
    return 8;
  return std::max(element.getIntOrFloatBitWidth() / 8, 1u);
}

static LinearLayout layoutMap(Value value) {
  return layoutOf(value.getType()).getLayout();
}

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

static std::vector<unsigned> elementBytes(ValueRange values) {
  std::vector<unsigned> bytes;
  for (Value value : values)
    bytes.push_back(memoryBytes(elementOf(value)));
  return bytes;
}

/// Whether the module promises the same bits on every target.
static bool isPortable(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto math = module ? module->getAttrOfType<StringAttr>("tw.math") : nullptr;
  return math && math.getValue() == "portable";
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

ConversionPlan simt::planOf(ConvertLayoutOp op, const ScratchRules &rules) {
  return planConversion(layoutMap(op.getSource()), layoutMap(op.getResult()),
                        memoryBytes(elementOf(op.getSource())), rules);
}

bool simt::isStated(kernel::ReduceOp op) {
  return op.getOrder() == kernel::ReduceOrder::Stated || isPortable(op);
}

ReductionPlan simt::planOf(kernel::ReduceOp op, const ScratchRules &rules) {
  Value operand = op.getOperands()[0];
  std::optional<LinearLayout> result;
  if (layoutOf(op.getResult(0).getType()))
    result = layoutMap(op.getResult(0));
  int64_t extent =
      cast<RankedTensorType>(operand.getType()).getDimSize(op.getAxis());
  return planReduction(layoutMap(operand), op.getAxis(), extent, isStated(op),
                       result, elementBytes(op.getOperands()), rules);
}

ScanPlan simt::planOf(kernel::ScanOp op, const ScratchRules &rules) {
  return planScan(layoutMap(op.getOperands()[0]), op.getAxis(), isPortable(op),
                  elementBytes(op.getOperands()), rules);
}

GatherPlan simt::planOf(kernel::GatherInTileOp op, const ScratchRules &rules) {
  return planGather(layoutMap(op.getSource()), op.getAxis(),
                    memoryBytes(elementOf(op.getSource())), rules);
}

BufferRounds simt::exchangeRounds(Type source, const ScratchRules &rules) {
  auto tensor = cast<RankedTensorType>(source);
  return splitRounds(ceilLog2(tensor.getNumElements()),
                     memoryBytes(tensor.getElementType()), rules.limitBytes);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static uint64_t exchangeBytes(Value source, const ScratchRules &rules) {
  return bufferBytes({memoryBytes(elementOf(source))},
                     uint64_t(1)
                         << exchangeRounds(source.getType(), rules).bits);
}

uint64_t simt::scratchBytes(Operation *op, const ScratchRules &rules) {
  return llvm::TypeSwitch<Operation *, uint64_t>(op)
      .Case([&](ConvertLayoutOp o) { return planOf(o, rules).scratchBytes; })
      .Case([&](kernel::ReduceOp o) { return planOf(o, rules).scratchBytes; })
      .Case([&](kernel::ScanOp o) { return planOf(o, rules).scratchBytes; })
      .Case([&](kernel::GatherInTileOp o) {
        return planOf(o, rules).scratchBytes;
      })
      .Case([&](DotOp o) {
        bool isInRegisters = o.getAtom() && rules.hasMatrixAtoms;
        return isInRegisters ? 0 : planOf(o, rules).scratchBytes();
      })
      .Case([&](kernel::HistogramOp o) {
        return bufferBytes(
            {4}, cast<RankedTensorType>(o.getType()).getNumElements());
      })
      .Default([&](Operation *) -> uint64_t {
        if (needsExchange(op))
          return exchangeBytes(op->getOperand(0), rules);
        return needsScalarBroadcast(op) ? 8 : 0;
      });
}
