//===- PrintLines.cpp - Device code that prints -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function a number of values and module, because a tile prints its
// elements one by one.
//===----------------------------------------------------------------------===//
#include "backends/simt/services/PrintLines.h"

#include "backends/simt/driver/KernelABI.h"
#include "backends/simt/services/FailureReport.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace tilewright::simt {

Value *widenPrinted(IRBuilderBase &b, Value *value) {
  Type *type = value->getType();
  if (type->isFloatTy())
    value = b.CreateFPExt(value, b.getDoubleTy());
  if (value->getType()->isDoubleTy())
    return b.CreateBitCast(value, b.getInt64Ty());
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  return b.CreateZExt(value, b.getInt64Ty());
}

/// The constant of a format, which the driver finds by its name.
static GlobalVariable *formatOf(Module &module, StringRef format,
                                unsigned space) {
  Constant *data = ConstantDataArray::getString(module.getContext(), format);
  for (unsigned index = 0;; ++index) {
    std::string name = TW_GPU_FORMAT_SYMBOL + std::to_string(index);
    GlobalVariable *found = module.getGlobalVariable(name);
    if (found && found->getInitializer() == data)
      return found;
    if (!found)
      return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                GlobalValue::ExternalLinkage, data, name,
                                nullptr, GlobalValue::NotThreadLocal, space);
  }
}

/// Fills the line of `number`; the number is written last.
static void fillLine(IRBuilderBase &b, Value *queue, Value *number,
                     Function &function) {
  Value *slot = b.CreateAnd(number, uint64_t(TW_GPU_PRINT_LINES) - 1, "slot");
  Value *offset =
      b.CreateAdd(b.CreateMul(slot, b.getInt64(sizeof(tw_gpu_print_line))),
                  b.getInt64(offsetof(tw_gpu_prints, lines)));
  Value *line = b.CreateGEP(b.getInt8Ty(), queue, offset);
  auto store = [&](Value *value, uint64_t at) {
    b.CreateAlignedStore(value, b.CreateConstGEP1_64(b.getInt8Ty(), line, at),
                         Align(8), /*isVolatile=*/true);
  };
  store(function.getArg(0), offsetof(tw_gpu_print_line, format));
  for (unsigned i = 1; i < function.arg_size(); ++i)
    store(function.getArg(i),
          offsetof(tw_gpu_print_line, values) + 8 * (i - 1));
  b.CreateFence(AtomicOrdering::Release);
  store(b.CreateAdd(number, b.getInt64(1)),
        offsetof(tw_gpu_print_line, number));
}

/// void tw_print_N(format, value 0, ..., value N - 1).
static Function *printFunction(Module &module, unsigned values,
                               unsigned space) {
  std::string name = "tw_print_" + std::to_string(values);
  if (Function *found = module.getFunction(name))
    return found;
  LLVMContext &context = module.getContext();
  IRBuilder<> b(context);
  Type *i64 = b.getInt64Ty();
  SmallVector<Type *> types(values + 1, i64);
  Function *function =
      Function::Create(FunctionType::get(b.getVoidTy(), types, false),
                       GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  auto *entry = BasicBlock::Create(context, "entry", function);
  auto *take = BasicBlock::Create(context, "take", function);
  auto *fill = BasicBlock::Create(context, "fill", function);
  auto *done = BasicBlock::Create(context, "done", function);
  b.SetInsertPoint(entry);
  Value *address =
      b.CreateLoad(i64, driverSlot(module, TW_GPU_PRINTS_SYMBOL, space),
                   /*isVolatile=*/true);
  b.CreateCondBr(b.CreateIsNull(address), done, take);
  b.SetInsertPoint(take);
  Value *queue = b.CreateIntToPtr(address, b.getPtrTy(space));
  // Only threads of one device add; the host reads.
  Value *number = b.CreateAtomicRMW(AtomicRMWInst::Add, queue, b.getInt64(1),
                                    Align(8), AtomicOrdering::Monotonic);
  Value *limit =
      b.CreateAlignedLoad(i64,
                          b.CreateConstGEP1_64(b.getInt8Ty(), queue,
                                               offsetof(tw_gpu_prints, limit)),
                          Align(8), /*isVolatile=*/true);
  b.CreateCondBr(b.CreateICmpULT(number, limit), fill, done);
  b.SetInsertPoint(fill);
  fillLine(b, queue, number, *function);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return function;
}

void emitPrintLine(IRBuilderBase &b, StringRef format, ArrayRef<Value *> values,
                   unsigned globalSpace) {
  Module &module = *b.GetInsertBlock()->getModule();
  values = values.take_front(TW_GPU_PRINT_VALUES);
  SmallVector<Value *> arguments = {
      b.CreatePtrToInt(formatOf(module, format, globalSpace), b.getInt64Ty())};
  for (Value *value : values)
    arguments.push_back(widenPrinted(b, value));
  b.CreateCall(printFunction(module, values.size(), globalSpace), arguments);
}

} // namespace tilewright::simt
