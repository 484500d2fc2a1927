//===- Services.cpp - Print, assert, trap, clock, escapes -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel tells or asks the host and the device; the text of a line is
// the same on every target.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Exchanges.h"
#include "backends/simt/emit/BoxAccess.h"
#include "backends/simt/emit/Families.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

/// Codes that a running kernel may report.
static constexpr unsigned kAssertCode = 6030, kTrapCode = 6031;

static SourcePlace placeOf(Location location) {
  LocationAttr attribute = location;
  while (auto call = dyn_cast<CallSiteLoc>(attribute))
    attribute = call.getCallee();
  SourcePlace place;
  if (auto position = dyn_cast<FileLineColRange>(attribute)) {
    place.file = position.getFilename().str();
    place.line = position.getStartLine();
  }
  return place;
}

//===----------------------------------------------------------------------===//
// Print
//===----------------------------------------------------------------------===//

namespace {
/// A line of printf under construction.
struct Line {
  std::string format;
  Registers values;

  void text(llvm::StringRef part) {
    for (char c : part) {
      format += c;
      if (c == '%')
        format += '%';
    }
  }
  void number(llvm::StringRef conversion, Value *value) {
    format += conversion;
    values.push_back(value);
  }
};
} // namespace

/// The value as printf takes it; simt-prepare has widened small floats, but for
/// hexadecimal.
static void appendElement(Emitter &e, Line &line, Value *value,
                          mlir::Type element, bool isSigned, bool isHex) {
  llvm::IRBuilder<> &b = e.b;
  if (isa<kernel::PointerType>(element))
    value = b.CreatePtrToInt(value, b.getInt64Ty());
  bool isFloat = value->getType()->isFloatingPointTy();
  if (isFloat && !isHex)
    return line.number("%f", b.CreateFPExt(value, b.getDoubleTy()));
  unsigned bits = value->getType()->getScalarSizeInBits();
  if (isFloat)
    value = b.CreateBitCast(value, b.getIntNTy(bits));
  if (isHex) {
    line.text("0x");
    line.format += "%0" + std::to_string(std::max(bits / 4, 1u));
    return line.number("llx", b.CreateZExt(value, b.getInt64Ty()));
  }
  bool isNegatable = isSigned && bits > 1;
  line.number(isNegatable ? "%lld" : "%llu",
              isNegatable ? b.CreateSExt(value, b.getInt64Ty())
                          : b.CreateZExt(value, b.getInt64Ty()));
}

static void appendList(Line &line, llvm::StringRef name,
                       llvm::ArrayRef<Value *> numbers) {
  line.text(name);
  line.text(" (");
  for (auto [position, number] : llvm::enumerate(numbers)) {
    if (position)
      line.text(", ");
    line.number("%d", number);
  }
  line.text(") ");
}

/// `pid (x, y, z) idx (i, j) prefix: value`
static void printElement(Emitter &e, kernel::PrintOp op, mlir::Value value,
                         unsigned index, bool isSigned) {
  Line line;
  Registers ids, indices;
  for (unsigned axis = 0; axis < 3; ++axis)
    ids.push_back(e.hooks.programId(e.b, axis));
  appendList(line, "pid", ids);
  auto tensor =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (tensor && tensor.getRank()) {
    for (unsigned dim = 0; dim < tensor.getRank(); ++dim)
      indices.push_back(e.coordinate(e.layout(value), dim, index));
    appendList(line, "idx", indices);
  }
  line.text(op.getPrefix());
  if (value && !op.getPrefix().ends_with(": "))
    line.text(": ");
  if (value)
    appendElement(e, line, e.registers(value)[index],
                  getElementTypeOrSelf(value.getType()), isSigned, op.getHex());
  line.text("\n");
  e.hooks.print(e.b, line.format, line.values);
}

void emitPrint(Emitter &e, kernel::PrintOp op) {
  if (op.getValues().empty())
    return e.emitIf(e.isFirstThread(),
                    [&] { printElement(e, op, {}, 0, true); });
  for (auto [value, isSigned] :
       llvm::zip_equal(op.getValues(), op.getSignedness())) {
    mlir::Value printed = value;
    bool asSigned = isSigned;
    unsigned count = e.registers(printed).size();
    for (unsigned index = 0; index < count; ++index) {
      if (layoutOf(printed.getType()) &&
          Emitter::firstCopy(e.layout(printed), index) != index)
        continue;
      e.emitIf(accessMask(e, printed.getType(), index, /*isStore=*/true),
               [&] { printElement(e, op, printed, index, asSigned); });
    }
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void emitAssert(Emitter &e, kernel::AssertOp op) {
  mlir::Value condition = op.getCondition();
  Value *fails = nullptr;
  for (auto [index, holds] : llvm::enumerate(e.registers(condition))) {
    Value *broken = e.b.CreateNot(holds);
    if (Value *isElement =
            accessMask(e, condition.getType(), index, /*isStore=*/false))
      broken = e.b.CreateAnd(broken, isElement);
    fails = fails ? e.b.CreateOr(fails, broken) : broken;
  }
  e.emitIf(fails, [&] {
    e.hooks.fail(e.b, kAssertCode, op.getMessage(), placeOf(op.getLoc()));
  });
}

void emitTrap(Emitter &e, kernel::TrapOp op) {
  e.emitIf(e.isFirstThread(), [&] {
    e.hooks.fail(e.b, kTrapCode, op.getMessage(), placeOf(op.getLoc()));
  });
}

/// A promise to the optimiser; promises about tensors tell it nothing.
void emitAssume(Emitter &e, kernel::AssumeOp op) {
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    e.b.CreateAssumption(e.scalar(op.getCondition()));
}

/// One thread reads the counter: a program has one clock.
void emitClock(Emitter &e, kernel::ClockOp op) {
  Value *now = e.hooks.clock(e.b, op.getKind() == "globaltimer");
  if (!now) {
    e.refuse(op, 4129,
             "target " + llvm::StringRef(e.target.vendor) + " has no clock '" +
                 op.getKind() + "'");
    now = e.b.getInt64(0);
  }
  e.set(op.getResult(),
        e.broadcastFromFirst(op, now, op.getResult().getType()));
}

//===----------------------------------------------------------------------===//
// Escapes
//===----------------------------------------------------------------------===//

/// Runs `call` for every element with one operand each.
template <typename Op>
static void emitElements(Emitter &e, Op op, mlir::Value result,
                         llvm::function_ref<Value *(const Registers &)> call) {
  Registers results;
  unsigned count = layoutOf(result.getType()) ? e.layout(result).registers : 1;
  for (unsigned index = 0; index < count; ++index) {
    Registers operands;
    for (mlir::Value argument : op.getArgs()) {
      const Registers &all = e.registers(argument);
      operands.push_back(all.size() == 1 ? all[0] : all[index]);
    }
    results.push_back(call(operands));
  }
  e.set(result, std::move(results));
}

void emitInlineAsm(Emitter &e, kernel::InlineAsmOp op) {
  bool isRefused = op.getTarget() != e.target.vendor ||
                   op.getResults().size() != 1 || op.getPack() != 1;
  Value *probe = nullptr;
  if (!isRefused)
    emitElements(e, op, op.getResults()[0], [&](const Registers &operands) {
      llvm::Type *type = e.registerType(op.getResults()[0].getType());
      probe = e.hooks.inlineAssembly(e.b, op.getAsmText(), op.getConstraints(),
                                     type, operands, op.getPure());
      isRefused |= !probe;
      return probe ? probe : llvm::PoisonValue::get(type);
    });
  if (!isRefused)
    return;
  e.refuse(op, 4127,
           "target " + llvm::StringRef(e.target.vendor) +
               " does not take this inline assembly, got text for '" +
               op.getTarget() + "'");
  for (mlir::Value result : op.getResults())
    e.setPoison(result);
}

void emitExternCall(Emitter &e, kernel::ExternCallOp op) {
  bool isRefused = false;
  emitElements(e, op, op.getResult(), [&](const Registers &operands) {
    llvm::Type *type = e.registerType(op.getResult().getType());
    Value *value = e.hooks.externCall(e.b, op.getLibrary(), op.getSymbol(),
                                      type, operands);
    isRefused |= !value;
    return value ? value : llvm::PoisonValue::get(type);
  });
  if (isRefused)
    e.refuse(op, 4128,
             "target " + llvm::StringRef(e.target.vendor) +
                 " does not know function '" + op.getSymbol() + "' of '" +
                 op.getLibrary() + "'");
}

} // namespace tilewright::simt
