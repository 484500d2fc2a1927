//===- Services.cpp - Print, assert, trap, clock ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through the table of services that the driver passes (KernelABI.h).
// Text is formatted by the C library's snprintf.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/KernelABI.h"
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstddef>

using namespace mlir;

namespace tilewright::cpu {

/// Longest line that `print` writes.
static constexpr int64_t kLineBytes = 512;
/// Codes that a running kernel may report.
static constexpr int32_t kAssertCode = 6030, kTrapCode = 6031;

/// A zero-terminated string constant of the module.
Value Emitter::text(StringRef content) {
  auto module = function->getParentOfType<ModuleOp>();
  std::string name;
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
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()), name);
}

/// Reads one pointer of the services table.
Value Emitter::serviceField(size_t offset) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value address = LLVM::GEPOp::create(
      b, pointer, b.getI8Type(), services,
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

/// The C library's formatter, declared once a module.
LLVM::LLVMFuncOp Emitter::formatter() {
  auto module = function->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>("snprintf"))
    return known;
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      b.getI32Type(), {pointer, b.getI64Type(), pointer}, /*isVarArg=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  return LLVM::LLVMFuncOp::create(b, "snprintf", type);
}

/// `pid (x, y, z) idx (i, j) prefix: value`, one line an element.
void Emitter::emitPrint(kernel::PrintOp op) {
  if (!lineBuffer) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    lineBuffer = LLVM::AllocaOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(),
        i64(kLineBytes), 16);
    lineBuffer.getDefiningOp()->moveAfter(
        i64(kLineBytes).getDefiningOp());
  }
  if (op.getValues().empty())
    return printLine(op, Value(), {}, true);
  for (auto [value, isSigned] : llvm::zip(op.getValues(), op.getSignedness())) {
    NestPlan nestPlan = prepare(value);
    emitNest(shapeOf(value), nestPlan, 1, [&, v = value,
                                           s = isSigned](const Indices &at, unsigned) {
      printLine(op, v, at, s);
    });
  }
}

void Emitter::printLine(kernel::PrintOp op, Value value, const Indices &at,
                        bool isSigned) {
  std::string format = "pid (%d, %d, %d)";
  SmallVector<Value> arguments(std::begin(programIds), std::end(programIds));
  if (!at.empty()) {
    format += " idx (";
    for (auto [dim, index] : llvm::enumerate(at)) {
      format += dim ? ", %lld" : "%lld";
      arguments.push_back(baseOf(index));
    }
    format += ")";
  }
  format += " ";
  for (char c : op.getPrefix())
    format += c == '%' ? "%%" : std::string(1, c);
  if (value) {
    Value element = evaluate(value, at, 1);
    Type type = element.getType();
    format += op.getPrefix().ends_with(": ") ? "" : ": ";
    if (isa<FloatType>(type)) {
      format += op.getHex() ? "%a" : "%f";
      element = convertFloat(element, b.getF64Type());
    } else {
      bool isBool = type.isInteger(1);
      if (type.getIntOrFloatBitWidth() < 64)
        element = isSigned && !isBool
                      ? Value(arith::ExtSIOp::create(b, b.getI64Type(), element))
                      : Value(arith::ExtUIOp::create(b, b.getI64Type(), element));
      format += op.getHex() ? "0x%llx" : isSigned ? "%lld" : "%llu";
    }
    arguments.push_back(element);
  }
  format += "\n";
  SmallVector<Value> operands = {lineBuffer, i64(kLineBytes), text(format)};
  llvm::append_range(operands, arguments);
  auto call = LLVM::CallOp::create(b, formatter(), operands);
  Value length = arith::ExtSIOp::create(b, b.getI64Type(), call.getResult());
  length = arith::MinSIOp::create(b, length, i64(kLineBytes - 1));
  callService(offsetof(tw_cpu_services, print), {lineBuffer, length});
}

void Emitter::emitClock(kernel::ClockOp op) {
  if (op.getKind() == "globaltimer") {
    callClock(op);
    return;
  }
  scalars.map(op.getResult(),
              LLVM::CallIntrinsicOp::create(
                  b, b.getI64Type(),
                  b.getStringAttr("llvm.readcyclecounter"), ValueRange())
                  .getResult(0));
}

/// Nanoseconds of the C library's monotonic clock.
void Emitter::callClock(kernel::ClockOp op) {
  auto module = function->getParentOfType<ModuleOp>();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto get = module.lookupSymbol<LLVM::LLVMFuncOp>("clock_gettime");
  if (!get) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    get = LLVM::LLVMFuncOp::create(
        b, "clock_gettime",
        LLVM::LLVMFunctionType::get(b.getI32Type(), {b.getI32Type(), pointer}));
  }
  Buffer time = allocate({2}, b.getI64Type());
  constexpr int32_t kMonotonic = 1;
  LLVM::CallOp::create(
      b, get,
      ValueRange{constant(b.getI32IntegerAttr(kMonotonic)), time.pointer});
  Address seconds, rest;
  seconds.pointer = time.pointer;
  rest.pointer = elementPointer(time.pointer, b.getI64Type(), i64(1));
  Value total = multiply(load(seconds, b.getI64Type(), 1, Value()),
                         int64_t(1000000000));
  scalars.map(op.getResult(),
              add(total, load(rest, b.getI64Type(), 1, Value())));
  release(time);
}

} // namespace tilewright::cpu
