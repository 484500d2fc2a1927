//===- ReportMissed.cpp - Remarks on the mapping to threads -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says at the user's line what costs speed and why. Scalars are not worth a
// remark.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/report/AccessPlans.h"
#include "backends/simt/report/RegisterPressure.h"
#include "backends/simt/report/SharedAccesses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTREPORTMISSEDPASS
#include "backends/simt/transforms/Passes.h.inc"

/// A remark of one kind on an operation; free if nobody listens.
static remark::detail::InFlightRemark missed(Operation *op, StringRef name) {
  return remark::missed(op->getLoc(),
                        remark::RemarkOpts::name(name).category("simt"));
}

/// "f16[128, 64]".
static std::string typeText(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << tensor.getElementType() << "[";
  llvm::interleaveComma(tensor.getShape(), stream);
  stream << "]";
  return text;
}

namespace {
struct ReportMissedPass
    : public impl::SimtReportMissedPassBase<ReportMissedPass> {
  using Base::Base;

  void runOnOperation() override {
    if (!getContext().getRemarkEngine())
      return;
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      report(kernel);
  }

private:
  void report(func::FuncOp kernel);
  template <typename Op> void reportBox(Op op, Type shaped, StringRef verb);
  void reportBanks(Operation *op, const ScratchRules &rules);
  void reportProduct(DotOp op);
};
} // namespace

template <typename Op>
void ReportMissedPass::reportBox(Op op, Type shaped, StringRef verb) {
  auto type = dyn_cast<RankedTensorType>(shaped);
  if (!type)
    return;
  LinearLayout layout = layoutOf(type).getLayout();
  AccessPlan plan = planOf(op, layout, maxVectorBytes);
  // Fewer registers than a vector has leave nothing to be said.
  uint64_t held = uint64_t(plan.elementBytes) << layout.inputBits(registerDim);
  if (plan.bytes() < std::min<uint64_t>(maxVectorBytes, held) &&
      plan.limit != VectorLimit::None)
    missed(op, "vector") << remark::add(
        "vector: a thread {0} {1} of up to {2} bytes at once: {3}", verb,
        plan.bytes(), std::min<uint64_t>(maxVectorBytes, held),
        describe(plan.limit));
  Coalescing sectors = sectorsOf(op, layout, plan, sectorBytes);
  if (sectors.segments > sectors.ideal)
    missed(op, "coalesce") << remark::add(
        "coalesce: what a warp {0} at once meets {1} sectors of {2} bytes, {3} "
        "would hold it",
        verb, sectors.segments, sectorBytes.getValue(), sectors.ideal);
}

void ReportMissedPass::reportBanks(Operation *op, const ScratchRules &rules) {
  for (const SharedAccess &access : sharedAccesses(op, rules))
    if (access.conflicts.wavefronts > access.conflicts.ideal)
      missed(op, "banks") << remark::add(
          "banks: a warp {0} shared memory in {1} passes, {2} would do",
          access.isWrite ? "writes" : "reads", access.conflicts.wavefronts,
          access.conflicts.ideal);
}

void ReportMissedPass::reportProduct(DotOp op) {
  if (!hasAtoms || op.getAtom())
    return;
  missed(op, "matrix") << remark::add(
      "matrix: no matrix instruction is used for {0} x {1} onto {2}, "
      "precision {3}: the products are summed one by one",
      typeText(op.getLhs().getType()), typeText(op.getRhs().getType()),
      typeText(op.getResult().getType()),
      kernel::stringifyDotPrecision(op.getPrecision()));
}

void ReportMissedPass::report(func::FuncOp kernel) {
  SimtTarget target;
  target.sharedBytes = sharedBytes;
  target.banks = {bankCount, bankBytes};
  auto read = [&](StringRef name, unsigned otherwise) {
    auto attribute = kernel->getAttrOfType<IntegerAttr>(name);
    return attribute ? unsigned(attribute.getInt()) : otherwise;
  };
  target.subgroupWidth = read(kLanesAttr, 32);
  ScratchRules rules =
      makeScratchRules(target, read(kNumWarpsAttr, 4), hasShuffles, hasAtoms);
  kernel.walk([&](Operation *op) {
    reportBanks(op, rules);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](kernel::LoadOp o) {
          reportBox(o, o.getResult().getType(), "reads");
        })
        .Case([&](kernel::StoreOp o) {
          reportBox(o, o.getValue().getType(), "writes");
        })
        .Case([&](DotOp o) { reportProduct(o); });
  });
  RegisterEstimate estimate = estimateRegisters(kernel, target.chunks);
  if (estimate.registers > registers)
    missed(estimate.op, "registers") << remark::add(
        "registers: tensors take about {0} registers of a thread here, {1} "
        "are there: use more warps or smaller tiles",
        estimate.registers, registers.getValue());
}

} // namespace tilewright::simt
