//===- LaneServices.cpp - Calls of the machine ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures are those of machine/Services.h.
//===----------------------------------------------------------------------===//
#include "backends/simulate/hooks/LaneServices.h"

#include "llvm/IR/Module.h"

using llvm::Value;

namespace tilewright::simulate {

void LaneServices::begin(Builder &b, Value *newLane) {
  lane = newLane;
  place = llvm::ConstantPointerNull::get(b.getPtrTy());
}

llvm::CallInst *LaneServices::call(Builder &b, llvm::StringRef service,
                                   llvm::Type *result,
                                   llvm::ArrayRef<Value *> operands) {
  llvm::Module *module = b.GetInsertBlock()->getModule();
  llvm::SmallVector<Value *> all = {lane};
  all.append(operands.begin(), operands.end());
  llvm::SmallVector<llvm::Type *> types;
  for (Value *operand : all)
    types.push_back(operand->getType());
  auto *type = llvm::FunctionType::get(result, types, /*isVarArg=*/false);
  llvm::FunctionCallee callee =
      module->getOrInsertFunction(("tw_simulate_" + service).str(), type);
  llvm::CallInst *made = b.CreateCall(callee, all);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  made->addFnAttr(llvm::Attribute::Convergent);
  return made;
}

llvm::CallInst *LaneServices::meet(Builder &b, llvm::StringRef service,
                                   llvm::Type *result,
                                   llvm::ArrayRef<Value *> operands) {
  llvm::SmallVector<Value *> all(operands);
  all.push_back(b.getInt32(++sites));
  all.push_back(place);
  return call(b, service, result, all);
}

Value *LaneServices::field(Builder &b, llvm::Type *type, uint64_t offset) {
  return b.CreateLoad(type, b.CreatePtrAdd(lane, b.getInt64(offset)));
}

Value *LaneServices::spill(Builder &b, llvm::ArrayRef<Value *> values) {
  llvm::BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.begin());
  llvm::Type *type = values[0]->getType();
  Value *memory =
      atEntry.CreateAlloca(llvm::ArrayType::get(type, values.size()));
  for (auto [index, value] : llvm::enumerate(values))
    b.CreateStore(value, b.CreateConstGEP1_64(type, memory, index));
  return memory;
}

//===--- Places -----------------------------------------------------------===//

llvm::Constant *placeOf(const llvm::Instruction &instruction) {
  if (llvm::MDNode *node = instruction.getMetadata(kPlaceMetadata))
    return llvm::cast<llvm::ConstantAsMetadata>(node->getOperand(0))
        ->getValue();
  return llvm::ConstantPointerNull::get(
      llvm::PointerType::get(instruction.getContext(), 0));
}

llvm::Constant *LaneServices::makePlace(Builder &b,
                                        const simt::SourcePlace &where) {
  llvm::Constant *&made = places[{where.file, where.line}];
  if (made)
    return made;
  llvm::Module *module = b.GetInsertBlock()->getModule();
  auto *type = llvm::StructType::get(b.getPtrTy(), b.getInt32Ty());
  llvm::Constant *file = b.CreateGlobalString(where.file);
  made = new llvm::GlobalVariable(
      *module, type, /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
      llvm::ConstantStruct::get(type, {file, b.getInt32(where.line)}), "place");
  return made;
}

/// The builder copies metadata of an instruction that exists; this one does for
/// a moment.
void LaneServices::beginOperation(Builder &b, const simt::SourcePlace &where) {
  // What has no place of its own belongs to what was emitted last.
  if (!where.line)
    return;
  place = makePlace(b, where);
  llvm::LLVMContext &context = b.getContext();
  unsigned kind = context.getMDKindID(kPlaceMetadata);
  llvm::Instruction *carrier = new llvm::UnreachableInst(context);
  carrier->setMetadata(
      kind,
      llvm::MDNode::get(context, llvm::ValueAsMetadata::getConstant(place)));
  b.CollectMetadataToCopy(carrier, {kind});
  carrier->deleteValue();
}

//===--- Meetings ---------------------------------------------------------===//

/// Any scalar of up to 64 bits as i64.
static Value *toBits(llvm::IRBuilderBase &b, Value *value) {
  llvm::Type *type = value->getType();
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  value = b.CreateBitCast(value, b.getIntNTy(type->getPrimitiveSizeInBits()));
  return b.CreateZExt(value, b.getInt64Ty());
}

static Value *fromBits(llvm::IRBuilderBase &b, Value *bits, llvm::Type *type) {
  if (type->isPointerTy())
    return b.CreateIntToPtr(bits, type);
  bits = b.CreateTrunc(bits, b.getIntNTy(type->getPrimitiveSizeInBits()));
  return b.CreateBitCast(bits, type);
}

Value *LaneServices::uniform(Builder &b, Value *value) {
  Value *bits = meet(b, "uniform", b.getInt64Ty(), {toBits(b, value)});
  return fromBits(b, bits, value->getType());
}

Value *LaneServices::shuffle(Builder &b, Value *value, Value *from) {
  Value *bits = meet(b, "shuffle", b.getInt64Ty(), {toBits(b, value), from});
  return fromBits(b, bits, value->getType());
}

Value *LaneServices::ballot(Builder &b, Value *predicate, unsigned lanes) {
  Value *votes = meet(b, "ballot", b.getInt64Ty(),
                      {b.CreateZExt(predicate, b.getInt32Ty())});
  return b.CreateTrunc(votes, b.getIntNTy(lanes));
}

/// The instruction's MatrixShape as a constant of the module.
static Value *describe(llvm::IRBuilderBase &b, const MatrixShape &shape) {
  const uint32_t words[] = {shape.family,      shape.m,        shape.n,
                            shape.k,           shape.lhs,      shape.rhs,
                            shape.result,      shape.lhsCount, shape.rhsCount,
                            shape.resultCount, shape.form};
  auto *value = llvm::ConstantDataArray::get(b.getContext(), words);
  return new llvm::GlobalVariable(
      *b.GetInsertBlock()->getModule(), value->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, value, "matrix");
}

void LaneServices::multiply(Builder &b, const MatrixShape &shape, Value *lhs,
                            Value *rhs, Value *accumulator) {
  meet(b, "matrix", b.getVoidTy(),
       {describe(b, shape), lhs, rhs, accumulator, accumulator});
}

//===--- The host ---------------------------------------------------------===//

/// As C's printf is called.
void LaneServices::print(Builder &b, llvm::StringRef format,
                         llvm::ArrayRef<Value *> values) {
  llvm::Module *module = b.GetInsertBlock()->getModule();
  auto *type = llvm::FunctionType::get(
      b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, /*isVarArg=*/true);
  llvm::SmallVector<Value *> operands = {lane, b.CreateGlobalString(format)};
  operands.append(values.begin(), values.end());
  b.CreateCall(module->getOrInsertFunction("tw_simulate_print", type),
               operands);
}

void LaneServices::fail(Builder &b, unsigned code, llvm::StringRef message,
                        const simt::SourcePlace &where) {
  call(b, "fail", b.getVoidTy(),
       {b.getInt32(code), b.CreateGlobalString(message),
        b.CreateGlobalString(where.file), b.getInt32(where.line)});
}

Value *LaneServices::clock(Builder &b, bool isGlobalTimer) {
  return call(b, "clock", b.getInt64Ty(), {b.getInt32(isGlobalTimer)});
}

} // namespace tilewright::simulate
