//===- FailureReport.cpp - Device code that reports a failure -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function a module, called where something fails.
//===----------------------------------------------------------------------===//
#include "backends/simt/services/FailureReport.h"

#include "backends/simt/driver/KernelABI.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::simt {

GlobalVariable *makeText(Module &module, StringRef text, unsigned globalSpace) {
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(
      module, data->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
      data, "text", nullptr, GlobalValue::NotThreadLocal, globalSpace);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

GlobalVariable *driverSlot(Module &module, StringRef name,
                           unsigned globalSpace) {
  if (GlobalVariable *slot = module.getGlobalVariable(name))
    return slot;
  Type *type = Type::getInt64Ty(module.getContext());
  return new GlobalVariable(module, type, /*isConstant=*/false,
                            GlobalValue::ExternalLinkage,
                            ConstantInt::get(type, 0), name, nullptr,
                            GlobalValue::NotThreadLocal, globalSpace,
                            /*isExternallyInitialized=*/true);
}

/// Fills the record's fields from the function's parameters.
static void fillRecord(IRBuilderBase &b, Function &function, Value *base) {
  const unsigned offsets[] = {offsetof(tw_gpu_failure, code),
                              offsetof(tw_gpu_failure, line),
                              offsetof(tw_gpu_failure, message_bytes),
                              offsetof(tw_gpu_failure, message),
                              offsetof(tw_gpu_failure, file),
                              offsetof(tw_gpu_failure, file_bytes),
                              offsetof(tw_gpu_failure, kernel),
                              offsetof(tw_gpu_failure, kernel_bytes)};
  for (unsigned i = 0; i < std::size(offsets); ++i)
    b.CreateStore(function.getArg(i),
                  b.CreateConstGEP1_64(b.getInt8Ty(), base, offsets[i]),
                  /*isVolatile=*/true);
}

/// The first failure wins; the fields are filled before `state` becomes 2.
static Function *failureFunction(Module &module, TargetHooks &hooks) {
  constexpr const char *name = "tw_report_failure";
  if (Function *found = module.getFunction(name))
    return found;
  LLVMContext &context = module.getContext();
  unsigned space = hooks.target().globalSpace;
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
  Value *record =
      b.CreateLoad(i64, driverSlot(module, TW_GPU_FAILURE_SYMBOL, space),
                   /*isVolatile=*/true);
  b.CreateCondBr(b.CreateICmpEQ(record, b.getInt64(0)), done, claim);
  b.SetInsertPoint(claim);
  Value *base = b.CreateIntToPtr(record, b.getPtrTy(space));
  Value *old = hooks.compareAndSwap(b, kernel::MemorySemantics::Relaxed,
                                    kernel::MemoryScope::System, base,
                                    b.getInt32(0), b.getInt32(1));
  b.CreateCondBr(b.CreateICmpEQ(old, b.getInt32(0)), fill, done);
  b.SetInsertPoint(fill);
  fillRecord(b, *function, base);
  hooks.fence(b, kernel::MemorySemantics::AcquireRelease,
              kernel::MemoryScope::System);
  b.CreateStore(b.getInt32(2), base, /*isVolatile=*/true);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return function;
}

void reportFailure(IRBuilderBase &b, TargetHooks &hooks, unsigned code,
                   StringRef message, const SourcePlace &place) {
  Module &module = *b.GetInsertBlock()->getModule();
  Function *report = failureFunction(module, hooks);
  auto address = [&](StringRef text) {
    return b.CreatePtrToInt(makeText(module, text, hooks.target().globalSpace),
                            b.getInt64Ty());
  };
  StringRef kernel = b.GetInsertBlock()->getParent()->getName();
  b.CreateCall(report, {b.getInt32(code), b.getInt32(place.line),
                        b.getInt32(message.size()), address(message),
                        address(place.file), b.getInt32(place.file.size()),
                        address(kernel), b.getInt32(kernel.size())});
}

} // namespace tilewright::simt
