//===- BarrierProbe.cpp - Takes barriers out one by one -------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the passes, then edits the IR and asks for races after each edit.
//===----------------------------------------------------------------------===//
#include "BarrierProbe.h"

#include "PlaceShared.h"

#include "backends/simt/analysis/Races.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace tilewright::simt::test {

static void probe(func::FuncOp kernel, ProbeResult &result) {
  result.isClean = !findRace(kernel);
  SmallVector<Operation *> fences;
  kernel.walk([&](Operation *op) {
    result.barriers += isa<BarrierOp>(op);
    result.waits += isa<AsyncWaitOp>(op);
    if (isa<BarrierOp, AsyncWaitOp>(op))
      fences.push_back(op);
  });
  for (Operation *fence : fences) {
    Operation *next = fence->getNextNode();
    fence->remove();
    result.missed += !findRace(kernel);
    next->getBlock()->getOperations().insert(next->getIterator(), fence);
  }
}

ProbeResult probeBarriers(const std::string &text,
                          const MachineOptions &options) {
  auto context = createContext();
  ProbeResult result;
  llvm::raw_string_ostream stream(result.text);
  auto module = placeShared(*context, text, options);
  if (!module) {
    stream << "not accepted: " << text;
    return result;
  }
  module->print(stream);
  for (auto kernel : module->getOps<func::FuncOp>())
    probe(kernel, result);
  return result;
}

} // namespace tilewright::simt::test
