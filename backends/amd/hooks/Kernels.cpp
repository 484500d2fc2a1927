//===- Kernels.cpp - Kernel functions, ids, services ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a kernel and what it asks of the machine.
//===----------------------------------------------------------------------===//
#include "backends/amd/hooks/AmdHooks.h"
#include "backends/simt/services/FailureReport.h"
#include "backends/simt/services/KernelFunction.h"
#include "backends/simt/services/PrintLines.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::amd {

static simt::SimtTarget describeWithAtoms(const Target &target,
                                          const HookOptions &options) {
  simt::SimtTarget described = describe(target, options.waves);
  described.hasBFloat16Casts = options.hasBFloat16Casts;
  for (const BlockAtom &block : blockAtoms(target, options.atoms))
    described.atoms.push_back(block.atom);
  for (const ScaledAtom &scaled : scaledAtoms(target, options.atoms))
    described.atoms.push_back(scaled.atom);
  return described;
}

HookOptions hookOptions(const Target &target,
                        const simt::CompileOptions &options) {
  auto number = [&](StringRef name) { return options.integers.lookup(name); };
  HookOptions result;
  result.isPortable = options.math == "portable";
  result.isFast = options.math == "fast";
  result.waves = options.numWarps;
  result.maxRegisters = options.maxRegisters;
  result.wavesPerUnit = unsigned(number("waves_per_eu"));
  result.atoms.extent = unsigned(number("matrix_instr_nonkdim"));
  result.atoms.kpack = unsigned(number("kpack"));
  result.copiesDirectly = target.copiesDirectly(number("direct_copies"));
  return result;
}

AmdHooks::AmdHooks(const Target &target, const HookOptions &options)
    : TargetHooks(describeWithAtoms(target, options)), chip(target),
      options(options), atoms(blockAtoms(target, options.atoms)),
      scaled(scaledAtoms(target, options.atoms)) {}

simt::KernelFrame
AmdHooks::beginKernel(Builder &b, Module &module,
                      const simt::KernelSignature &signature) {
  threads = signature.threads;
  userArguments = signature.arguments.size();
  simt::KernelFrame frame = simt::createKernelFunction(
      b, module, signature, CallingConv::AMDGPU_KERNEL,
      unsigned(Hidden::Count));
  Function &function = *frame.function;
  std::string count = std::to_string(threads);
  function.addFnAttr("target-cpu", chip.processor);
  if (!chip.features.empty())
    function.addFnAttr("target-features", chip.features);
  function.addFnAttr("amdgpu-flat-work-group-size", count + "," + count);
  function.addFnAttr("uniform-work-group-size", "true");
  if (options.wavesPerUnit)
    function.addFnAttr("amdgpu-waves-per-eu",
                       std::to_string(options.wavesPerUnit));
  if (options.maxRegisters)
    function.addFnAttr("amdgpu-num-vgpr", std::to_string(options.maxRegisters));
  MDBuilder metadata(module.getContext());
  Metadata *size[] = {metadata.createConstant(b.getInt32(threads)),
                      metadata.createConstant(b.getInt32(1)),
                      metadata.createConstant(b.getInt32(1))};
  function.setMetadata("reqd_work_group_size",
                       MDNode::get(module.getContext(), size));
  return frame;
}

Value *AmdHooks::hidden(Builder &b, Hidden parameter) {
  Function *function = b.GetInsertBlock()->getParent();
  return function->getArg(userArguments + unsigned(parameter));
}

//===--- Ids --------------------------------------------------------------===//

Value *AmdHooks::threadId(Builder &b) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_workitem_id_x, {});
}

/// The same for all lanes, which a scalar register then holds.
Value *AmdHooks::warpId(Builder &b) {
  if (threads <= chip.lanes)
    return b.getInt32(0);
  return b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()},
                           {TargetHooks::warpId(b)});
}

Value *AmdHooks::programId(Builder &b, unsigned axis) {
  constexpr Intrinsic::ID ids[] = {Intrinsic::amdgcn_workgroup_id_x,
                                   Intrinsic::amdgcn_workgroup_id_y,
                                   Intrinsic::amdgcn_workgroup_id_z};
  constexpr Hidden firsts[] = {Hidden::FirstX, Hidden::FirstY, Hidden::FirstZ};
  return b.CreateAdd(b.CreateIntrinsic(ids[axis], {}), hidden(b, firsts[axis]));
}

Value *AmdHooks::numPrograms(Builder &b, unsigned axis) {
  constexpr Hidden counts[] = {Hidden::ProgramsX, Hidden::ProgramsY,
                               Hidden::ProgramsZ};
  return hidden(b, counts[axis]);
}

//===--- Services ---------------------------------------------------------===//

void AmdHooks::print(Builder &b, StringRef format, ArrayRef<Value *> values) {
  simt::emitPrintLine(b, format, values, target().globalSpace);
}

void AmdHooks::fail(Builder &b, unsigned code, StringRef message,
                    const simt::SourcePlace &place) {
  simt::reportFailure(b, *this, code, message, place);
}

/// Cycles of the shader clock; the constant counter ticks every 10 ns.
Value *AmdHooks::clock(Builder &b, bool isGlobalTimer) {
  if (!isGlobalTimer)
    return b.CreateIntrinsic(Intrinsic::readcyclecounter, {});
  Value *ticks = b.CreateIntrinsic(Intrinsic::readsteadycounter, {});
  return b.CreateMul(ticks, b.getInt64(10));
}

Value *AmdHooks::inlineAssembly(Builder &b, StringRef text,
                                StringRef constraints, Type *result,
                                ArrayRef<Value *> operands, bool isPure) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
  CallInst *call = b.CreateCall(
      InlineAsm::get(type, text, constraints, /*hasSideEffects=*/!isPure),
      operands);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  if (isPure)
    call->setDoesNotAccessMemory();
  return call;
}

} // namespace tilewright::amd
