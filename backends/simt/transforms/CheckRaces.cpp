//===- CheckRaces.cpp - Prove that no two accesses race -------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the race that Races.h finds, at both accesses.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/analysis/Races.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTCHECKRACESPASS
#include "backends/simt/transforms/Passes.h.inc"

static StringRef spaceName(const Access &access) {
  return access.space == MemorySpace::Shared ? "shared" : "global";
}

static StringRef verb(const Access &access) {
  return access.isWrite ? "writes" : "reads";
}

static void report(const Race &race) {
  InFlightDiagnostic diagnostic =
      race.second.op->emitError()
      << "TW4151: expected a barrier before this operation, which "
      << verb(race.second) << " " << spaceName(race.second)
      << " memory, got none";
  diagnostic.attachNote(race.first.op->getLoc())
      << "this operation " << verb(race.first) << " it"
      << (race.first.isAsync ? " and may still be under way" : "");
}

namespace {
struct CheckRacesPass : public impl::SimtCheckRacesPassBase<CheckRacesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (std::optional<Race> race = findRace(kernel)) {
        report(*race);
        signalPassFailure();
      }
  }
};
} // namespace

} // namespace tilewright::simt
