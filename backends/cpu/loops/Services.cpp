//===- Services.cpp - Print, assert, trap, clock ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through the table of services that the driver passes (KernelABI.h).
// Lines are put together by a few functions of our own (PrintLibrary.mlir), so
// that kernels need no C library.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/KernelABI.h"
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <cstddef>

using namespace mlir;

namespace tilewright::cpu {

/// Room for the numbers of a line, besides its fixed text.
static constexpr int64_t kNumbersBytes = 512;
/// Codes that a running kernel may report.
static constexpr int32_t kAssertCode = 6030, kTrapCode = 6031;

/// A zero-terminated string constant of the module.
Value Emitter::text(StringRef content) {
  auto module = function->getParentOfType<ModuleOp>();
  std::string &name = textNames[content];
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  if (!name.empty())
    return LLVM::AddressOfOp::create(b, pointer, name);
  do
    name = (function.getName() + ".text" + Twine(textCount++)).str();
  while (module.lookupSymbol(name));
  std::string bytes = content.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name,
                           b.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, pointer, name);
}

/// Reads one pointer of the services table.
Value Emitter::serviceField(size_t offset) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value address = LLVM::GEPOp::create(b, pointer, b.getI8Type(), services,
                                      ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  return LLVM::LoadOp::create(b, pointer, address, 8);
}

void Emitter::callService(size_t offset, ArrayRef<Value> arguments) {
  SmallVector<Value> operands = {serviceField(offset),
                                 serviceField(offsetof(tw_cpu_services, ctx))};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types;
  for (Value operand : llvm::drop_begin(operands))
    types.push_back(operand.getType());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  LLVM::CallOp::create(b, type, operands);
}

void Emitter::callFail(int32_t code, StringRef message, Location location) {
  std::string file;
  int32_t line = 0;
  LocationAttr attribute = location;
  while (auto call = dyn_cast<CallSiteLoc>(attribute))
    attribute = call.getCallee();
  if (auto position = dyn_cast<FileLineColRange>(attribute)) {
    file = position.getFilename().str();
    line = position.getStartLine();
  }
  callService(offsetof(tw_cpu_services, fail),
              {constant(b.getI32IntegerAttr(code)), text(message), text(file),
               constant(b.getI32IntegerAttr(line))});
}

void Emitter::emitTrap(kernel::TrapOp op) {
  callFail(kTrapCode, op.getMessage(), op.getLoc());
}

void Emitter::emitAssert(kernel::AssertOp op) {
  Value condition = op.getCondition();
  NestPlan nestPlan = prepare(condition);
  emitNest(shapeOf(condition), nestPlan, 1, [&](const Indices &at, unsigned) {
    Value holds = evaluate(condition, at, 1);
    Value fails =
        arith::XOrIOp::create(b, holds, constant(b.getBoolAttr(true)));
    auto guarded = scf::IfOp::create(b, fails, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    callFail(kAssertCode, op.getMessage(), op.getLoc());
  });
}

/// Functions that append text to a line, added once a module.
void Emitter::addPrintLibrary() {
  static constexpr StringLiteral source =
#include "backends/cpu/loops/PrintLibrary.inc"
      ;
  auto module = function->getParentOfType<ModuleOp>();
  if (module.lookupSymbol("tw.append_text"))
    return;
  OwningOpRef<ModuleOp> library =
      parseSourceString<ModuleOp>(source, b.getContext());
  assert(library && "the print library is valid");
  for (Operation &op :
       llvm::make_early_inc_range(library->getBody()->getOperations())) {
    op.remove();
    module.push_back(&op);
  }
}

Value Emitter::append(StringRef name, Value end, ValueRange arguments) {
  SmallVector<Value> operands = {end};
  llvm::append_range(operands, arguments);
  return func::CallOp::create(b, ("tw.append_" + name).str(), end.getType(),
                              operands)
      .getResult(0);
}

Value Emitter::appendText(StringRef content, Value end) {
  return append("text", end, {text(content), i64(content.size())});
}

/// A line that fits the fixed text and all numbers, on the program's stack.
Value Emitter::makeLine(int64_t fixedBytes) {
  OpBuilder::InsertionGuard guard(b);
  Value bytes = i64(llvm::alignTo(fixedBytes + kNumbersBytes, 64));
  b.setInsertionPointAfterValue(bytes);
  return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                b.getI8Type(), bytes, 16);
}

/// `pid (x, y, z) idx (i, j) prefix: value`, one line an element.
void Emitter::emitPrint(kernel::PrintOp op) {
  addPrintLibrary();
  Value line = makeLine(op.getPrefix().size());
  if (op.getValues().empty())
    return printLine(op, line, Value(), {}, true);
  for (unsigned i = 0; i < op.getValues().size(); ++i) {
    Value value = op.getValues()[i];
    bool isSigned = op.getSignedness()[i];
    NestPlan nestPlan = prepare(value);
    emitNest(shapeOf(value), nestPlan, 1, [&](const Indices &at, unsigned) {
      printLine(op, line, value, at, isSigned);
    });
  }
}

/// Appends a number the way its type and the op's options ask for.
Value Emitter::appendElement(Value element, Value end, bool isSigned,
                             bool isHex) {
  Type type = element.getType();
  Value one = i64(1);
  if (isa<FloatType>(type) && !isHex)
    return append("float", end, {convertFloat(element, b.getF64Type())});
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    element = arith::BitcastOp::create(b, b.getIntegerType(bits), element);
  bool isNegatable = isSigned && !isHex && bits > 1;
  if (bits < 64)
    element = isNegatable
                  ? Value(arith::ExtSIOp::create(b, b.getI64Type(), element))
                  : Value(arith::ExtUIOp::create(b, b.getI64Type(), element));
  if (isHex)
    return append("digits", appendText("0x", end),
                  {element, i64(16), i64(std::max(bits / 4, 1u))});
  if (isNegatable)
    return append("signed", end, {element});
  return append("digits", end, {element, i64(10), one});
}

void Emitter::printLine(kernel::PrintOp op, Value line, Value value,
                        const Indices &at, bool isSigned) {
  Value end = line;
  auto appendList = [&](StringRef before, ArrayRef<Value> numbers) {
    for (Value number : numbers) {
      end = appendText(before, end);
      end = append("signed", end, {number});
      before = ", ";
    }
    end = appendText(") ", end);
  };
  SmallVector<Value> ids, indices;
  for (Value id : programIds)
    ids.push_back(arith::ExtSIOp::create(b, b.getI64Type(), id));
  appendList("pid (", ids);
  for (const Index &index : at)
    indices.push_back(baseOf(index));
  if (!at.empty())
    appendList("idx (", indices);
  std::string prefix = op.getPrefix().str();
  if (value && !StringRef(prefix).ends_with(": "))
    prefix += ": ";
  end = appendText(prefix, end);
  if (value)
    end = appendElement(evaluate(value, at, 1), end, isSigned, op.getHex());
  end = appendText("\n", end);
  Type i64Type = b.getI64Type();
  Value length =
      arith::SubIOp::create(b, LLVM::PtrToIntOp::create(b, i64Type, end),
                            LLVM::PtrToIntOp::create(b, i64Type, line));
  callService(offsetof(tw_cpu_services, print), {line, length});
}

/// Cycles of the processor, or nanoseconds of the driver's clock.
void Emitter::emitClock(kernel::ClockOp op) {
  if (op.getKind() == "globaltimer") {
    auto type = LLVM::LLVMFunctionType::get(
        b.getI64Type(), LLVM::LLVMPointerType::get(b.getContext()));
    scalars.map(
        op.getResult(),
        LLVM::CallOp::create(
            b, type,
            ValueRange{serviceField(offsetof(tw_cpu_services, nanoseconds)),
                       serviceField(offsetof(tw_cpu_services, ctx))})
            .getResult());
    return;
  }
  if (op.getKind() != "clock") {
    refuse(op, "TW4129: expected kind 'clock' or 'globaltimer', got '" +
                   op.getKind() + "'");
    return;
  }
  scalars.map(op.getResult(),
              LLVM::CallIntrinsicOp::create(
                  b, b.getI64Type(), b.getStringAttr("llvm.readcyclecounter"),
                  ValueRange())
                  .getResult(0));
}

} // namespace tilewright::cpu
