//===- BriefPipeline.cpp - LLVM's passes that kernels need ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR has folded, shared and hoisted already, and level 1 asks the same again
// up to ten times over. Targets add their own passes at the usual points.
//===----------------------------------------------------------------------===//
#include "backends/simt/codegen/BriefPipeline.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/BDCE.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopInstSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopSimplifyCFG.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

using namespace llvm;

namespace tilewright::simt {

static const OptimizationLevel level = OptimizationLevel::O1;

/// Loops of kernels carry their sums in values: there is no memory to keep in a
/// register, and looking for it takes quadratic time.
static LICMPass hoist(bool speculates) {
  return LICMPass(SetLicmMssaOptCap, /*LicmMssaNoAccForPromotionCap=*/0,
                  speculates);
}

static SimplifyCFGPass simplifyBranches(bool movesCommonCode = false) {
  return SimplifyCFGPass(SimplifyCFGOptions()
                             .convertSwitchRangeToICmp(true)
                             .hoistCommonInsts(movesCommonCode)
                             .sinkCommonInsts(movesCommonCode));
}

static void addCombiner(PassBuilder &builder, FunctionPassManager &passes) {
  passes.addPass(InstCombinePass());
  builder.invokePeepholeEPCallbacks(passes, level);
}

static void addLoopPasses(PassBuilder &builder, FunctionPassManager &passes) {
  LoopPassManager invariants;
  invariants.addPass(LoopInstSimplifyPass());
  invariants.addPass(LoopSimplifyCFGPass());
  invariants.addPass(hoist(/*speculates=*/false));
  invariants.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  invariants.addPass(hoist(/*speculates=*/true));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariants),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(simplifyBranches());
  addCombiner(builder, passes);
  LoopPassManager counters;
  counters.addPass(IndVarSimplifyPass());
  builder.invokeLateLoopOptimizationsEPCallbacks(counters, level);
  counters.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
}

static FunctionPassManager buildSimplification(PassBuilder &builder) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(simplifyBranches());
  addCombiner(builder, passes);
  passes.addPass(ReassociatePass());
  addLoopPasses(builder, passes);
  passes.addPass(SCCPPass());
  passes.addPass(BDCEPass());
  addCombiner(builder, passes);
  passes.addPass(ADCEPass());
  passes.addPass(simplifyBranches(/*movesCommonCode=*/true));
  addCombiner(builder, passes);
  builder.invokeScalarOptimizerLateEPCallbacks(passes, level);
  return passes;
}

static FunctionPassManager buildOptimization() {
  FunctionPassManager passes;
  passes.addPass(InferAlignmentPass());
  passes.addPass(VectorCombinePass());
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(hoist(/*speculates=*/true),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(DivRemPairsPass());
  return passes;
}

ModulePassManager buildBriefPipeline(PassBuilder &builder) {
  ModulePassManager passes;
  builder.invokePipelineStartEPCallbacks(passes, level);
  builder.invokePipelineEarlySimplificationEPCallbacks(
      passes, level, ThinOrFullLTOPhase::None);
  passes.addPass(
      createModuleToFunctionPassAdaptor(buildSimplification(builder)));
  CGSCCPassManager components;
  builder.invokeCGSCCOptimizerLateEPCallbacks(components, level);
  passes.addPass(
      createModuleToPostOrderCGSCCPassAdaptor(std::move(components)));
  builder.invokeOptimizerEarlyEPCallbacks(passes, level,
                                          ThinOrFullLTOPhase::None);
  passes.addPass(createModuleToFunctionPassAdaptor(buildOptimization()));
  builder.invokeOptimizerLastEPCallbacks(passes, level,
                                         ThinOrFullLTOPhase::None);
  passes.addPass(GlobalDCEPass());
  return passes;
}

} // namespace tilewright::simt
