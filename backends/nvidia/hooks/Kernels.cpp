//===- Kernels.cpp - Kernel functions, ids, services ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a kernel and what it asks of the machine.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/KernelABI.h"
#include "backends/nvidia/hooks/NvidiaHooks.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::nvidia {

Value *callPtx(IRBuilderBase &b, Type *result, StringRef text,
               StringRef constraints, ArrayRef<Value *> operands,
               bool hasSideEffects) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
  CallInst *call = b.CreateCall(
      InlineAsm::get(type, text, constraints, hasSideEffects), operands);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  if (!hasSideEffects)
    call->setDoesNotAccessMemory();
  return call;
}

//===--- Kernel functions -------------------------------------------------===//

static void describeArgument(Function &function, unsigned index,
                             const simt::KernelArgument &argument) {
  Argument *value = function.getArg(index);
  value->setName(argument.name);
  if (!argument.type->isPointerTy())
    return;
  AttrBuilder attributes(function.getContext());
  if (argument.alignment > 1)
    attributes.addAlignmentAttr(
        std::min<uint64_t>(argument.alignment & -argument.alignment, 256));
  // Together they let loads take the read-only path (ld.global.nc).
  if (argument.isReadOnly && argument.isDisjoint) {
    attributes.addAttribute(Attribute::NoAlias);
    attributes.addAttribute(Attribute::ReadOnly);
  }
  value->addAttrs(attributes);
}

simt::KernelFrame
NvidiaHooks::beginKernel(Builder &b, Module &module,
                         const simt::KernelSignature &signature) {
  SmallVector<Type *> types;
  for (const simt::KernelArgument &argument : signature.arguments)
    types.push_back(argument.type);
  types.append(unsigned(Hidden::Count), b.getInt32Ty());
  auto *type = FunctionType::get(b.getVoidTy(), types, /*isVarArg=*/false);
  simt::KernelFrame frame;
  frame.function = Function::Create(type, GlobalValue::ExternalLinkage,
                                    signature.symbol, module);
  Function &function = *frame.function;
  function.setCallingConv(CallingConv::PTX_Kernel);
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::Convergent);
  function.addFnAttr("target-cpu", target.processor);
  function.addFnAttr("nvvm.reqntid", std::to_string(signature.threads));
  if (this->options.maxRegisters)
    function.addFnAttr("nvvm.maxnreg",
                       std::to_string(this->options.maxRegisters));
  threads = signature.threads;
  userArguments = signature.arguments.size();
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    describeArgument(function, index, argument);
    frame.arguments.push_back(function.getArg(index));
  }
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", &function));
  return frame;
}

Value *NvidiaHooks::hidden(Builder &b, Hidden parameter) {
  Function *function = b.GetInsertBlock()->getParent();
  return function->getArg(userArguments + unsigned(parameter));
}

//===--- Ids --------------------------------------------------------------===//

static Value *readRegister(IRBuilderBase &b, Intrinsic::ID id) {
  return b.CreateIntrinsic(id, ArrayRef<Type *>(), ArrayRef<Value *>());
}

Value *NvidiaHooks::threadId(Builder &b) {
  return readRegister(b, Intrinsic::nvvm_read_ptx_sreg_tid_x);
}

Value *NvidiaHooks::programId(Builder &b, unsigned axis) {
  if (axis == 0)
    return readRegister(b, Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  Value *block =
      readRegister(b, axis == 1 ? Intrinsic::nvvm_read_ptx_sreg_ctaid_y
                                : Intrinsic::nvvm_read_ptx_sreg_ctaid_z);
  return b.CreateAdd(block,
                     hidden(b, axis == 1 ? Hidden::FirstY : Hidden::FirstZ));
}

Value *NvidiaHooks::numPrograms(Builder &b, unsigned axis) {
  constexpr Hidden counts[] = {Hidden::ProgramsX, Hidden::ProgramsY,
                               Hidden::ProgramsZ};
  return hidden(b, counts[axis]);
}

Value *NvidiaHooks::numBlocks(Builder &b) {
  return readRegister(b, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
}

//===--- Services ---------------------------------------------------------===//

/// Constant text in global memory, with a terminating zero.
static GlobalVariable *makeText(Module &module, StringRef text) {
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(
      module, data->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
      data, "text", nullptr, GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

/// vprintf(format, values): values as C's variadic call would pass them.
void NvidiaHooks::print(Builder &b, StringRef format,
                        ArrayRef<Value *> values) {
  Module &module = *b.GetInsertBlock()->getModule();
  PointerType *generic = b.getPtrTy();
  SmallVector<Type *> types;
  for (Value *value : values)
    types.push_back(value->getType());
  auto *packed = StructType::get(module.getContext(), types);
  Value *buffer = ConstantPointerNull::get(generic);
  if (!values.empty()) {
    IRBuilder<>::InsertPointGuard guard(b);
    BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    b.SetInsertPoint(&entry, entry.begin());
    buffer = b.CreateAlloca(packed);
  }
  for (auto [index, value] : llvm::enumerate(values))
    b.CreateStore(value, b.CreateStructGEP(packed, buffer, index));
  FunctionCallee printer = module.getOrInsertFunction(
      "vprintf", FunctionType::get(b.getInt32Ty(), {generic, generic}, false));
  Value *text = b.CreateAddrSpaceCast(makeText(module, format), generic);
  b.CreateCall(printer, {text, buffer});
}

/// The variable in which the driver leaves the failure record's address.
static GlobalVariable *failureSlot(Module &module) {
  if (GlobalVariable *slot = module.getGlobalVariable(TW_GPU_FAILURE_SYMBOL))
    return slot;
  Type *type = Type::getInt64Ty(module.getContext());
  return new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantInt::get(type, 0), TW_GPU_FAILURE_SYMBOL, nullptr,
      GlobalValue::NotThreadLocal, /*AddressSpace=*/1,
      /*isExternallyInitialized=*/true);
}

/// Device code in one function per module: the first failure wins, the fields
/// of tw_gpu_failure are filled before `state` becomes 2.
static Function *failureFunction(Module &module) {
  constexpr const char *name = "tw_report_failure";
  if (Function *found = module.getFunction(name))
    return found;
  LLVMContext &context = module.getContext();
  IRBuilder<> b(context);
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  auto *type = FunctionType::get(
      b.getVoidTy(), {i32, i32, i32, i64, i64, i32, i64, i32}, false);
  Function *function =
      Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  auto *entry = BasicBlock::Create(context, "entry", function);
  auto *claim = BasicBlock::Create(context, "claim", function);
  auto *fill = BasicBlock::Create(context, "fill", function);
  auto *done = BasicBlock::Create(context, "done", function);
  b.SetInsertPoint(entry);
  Value *record = b.CreateLoad(i64, failureSlot(module), /*isVolatile=*/true);
  b.CreateCondBr(b.CreateICmpEQ(record, b.getInt64(0)), done, claim);
  b.SetInsertPoint(claim);
  Value *base = b.CreateIntToPtr(record, b.getPtrTy(1));
  Value *old =
      callPtx(b, i32, "atom.relaxed.sys.global.cas.b32 $0, [$1], 0, 1;",
              "=r,l,~{memory}", {base});
  b.CreateCondBr(b.CreateICmpEQ(old, b.getInt32(0)), fill, done);
  b.SetInsertPoint(fill);
  const unsigned offsets[] = {offsetof(tw_gpu_failure, code),
                              offsetof(tw_gpu_failure, line),
                              offsetof(tw_gpu_failure, message_bytes),
                              offsetof(tw_gpu_failure, message),
                              offsetof(tw_gpu_failure, file),
                              offsetof(tw_gpu_failure, file_bytes),
                              offsetof(tw_gpu_failure, kernel),
                              offsetof(tw_gpu_failure, kernel_bytes)};
  for (unsigned i = 0; i < std::size(offsets); ++i)
    b.CreateStore(function->getArg(i),
                  b.CreateConstGEP1_64(b.getInt8Ty(), base, offsets[i]),
                  /*isVolatile=*/true);
  callPtx(b, b.getVoidTy(), "fence.acq_rel.sys;", "~{memory}", {});
  b.CreateStore(b.getInt32(2), base, /*isVolatile=*/true);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return function;
}

void NvidiaHooks::fail(Builder &b, unsigned code, StringRef message,
                       const simt::SourcePlace &place) {
  Module &module = *b.GetInsertBlock()->getModule();
  Function *report = failureFunction(module);
  auto address = [&](StringRef text) {
    return b.CreatePtrToInt(makeText(module, text), b.getInt64Ty());
  };
  StringRef kernel = b.GetInsertBlock()->getParent()->getName();
  b.CreateCall(report, {b.getInt32(code), b.getInt32(place.line),
                        b.getInt32(message.size()), address(message),
                        address(place.file), b.getInt32(place.file.size()),
                        address(kernel), b.getInt32(kernel.size())});
}

Value *NvidiaHooks::clock(Builder &b, bool isGlobalTimer) {
  return readRegister(b, isGlobalTimer
                             ? Intrinsic::nvvm_read_ptx_sreg_globaltimer
                             : Intrinsic::nvvm_read_ptx_sreg_clock64);
}

Value *NvidiaHooks::inlineAssembly(Builder &b, StringRef text,
                                   StringRef constraints, Type *result,
                                   ArrayRef<Value *> operands, bool isPure) {
  return callPtx(b, result, text, constraints, operands, !isPure);
}

} // namespace tilewright::nvidia
