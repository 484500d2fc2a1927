//===- Services.cpp - Print, assert, trap, clock, escapes -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel tells or asks the host and the device; the text of a line is
// the same on every target.
//===----------------------------------------------------------------------===//
#include "backends/common/DeviceLibraries.h"
#include "backends/simt/analysis/Exchanges.h"
#include "backends/simt/emit/BoxAccess.h"
#include "backends/simt/emit/Families.h"

#include "llvm/IR/Module.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

/// Codes that a running kernel may report.
static constexpr unsigned kAssertCode = 6030, kTrapCode = 6031;

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

namespace {
/// Elements of one operand or result of assembly: `pack` of them, those below
/// 32 bits joined to words of `perWord`, the first one lowest.
struct AsmWords {
  AsmWords(llvm::Type *element, unsigned pack)
      : element(element), perWord(std::min(std::max(32 / bits(), 1u), pack)),
        words(pack / perWord) {}

  unsigned bits() const {
    return element->isPointerTy() ? 64 : element->getScalarSizeInBits();
  }
  llvm::Type *wordType(Emitter &e) const {
    return perWord == 1 ? element : e.b.getIntNTy(bits() * perWord);
  }
  llvm::Type *vectorType() const {
    return llvm::FixedVectorType::get(element, perWord);
  }

  llvm::Type *element;
  unsigned perWord, words;
};

/// Elementwise assembly while it is emitted.
class Assembly {
public:
  Assembly(Emitter &e, kernel::InlineAsmOp op);
  /// False if the target does not take the text, or the packing fits no words.
  bool emit();

private:
  bool emitInvocation(unsigned first);
  void join(const AsmWords &words, llvm::ArrayRef<Value *> elements,
            Registers &operands);
  llvm::Type *resultType();

  Emitter &e;
  kernel::InlineAsmOp op;
  unsigned pack, count;
  llvm::SmallVector<AsmWords> results;
  llvm::SmallVector<Registers> values; ///< one list a result
};
} // namespace

Assembly::Assembly(Emitter &e, kernel::InlineAsmOp op)
    : e(e), op(op), pack(op.getPack()), count(1) {
  for (mlir::Value result : op.getResults()) {
    results.emplace_back(e.registerType(result.getType()), pack);
    if (layoutOf(result.getType()))
      count = e.layout(result).registers;
  }
  values.resize(results.size());
}

llvm::Type *Assembly::resultType() {
  llvm::SmallVector<llvm::Type *> types;
  for (const AsmWords &words : results)
    types.append(words.words, words.wordType(e));
  return types.size() == 1 ? types[0]
                           : llvm::StructType::get(e.b.getContext(), types);
}

void Assembly::join(const AsmWords &words, llvm::ArrayRef<Value *> elements,
                    Registers &operands) {
  if (words.perWord == 1) {
    operands.append(elements.begin(), elements.end());
    return;
  }
  for (unsigned word = 0; word < words.words; ++word) {
    Value *vector = llvm::PoisonValue::get(words.vectorType());
    for (unsigned i = 0; i < words.perWord; ++i)
      vector = e.b.CreateInsertElement(vector,
                                       elements[word * words.perWord + i], i);
    operands.push_back(e.b.CreateBitCast(vector, words.wordType(e)));
  }
}

/// Registers [first, first + pack); those behind the last one repeat it.
bool Assembly::emitInvocation(unsigned first) {
  Registers operands;
  for (mlir::Value argument : op.getArgs()) {
    const Registers &all = e.registers(argument);
    Registers elements;
    for (unsigned i = first; i < first + pack; ++i)
      elements.push_back(all[std::min<size_t>(i, all.size() - 1)]);
    AsmWords words(elements[0]->getType(), pack);
    if (words.words * words.perWord != pack)
      return false;
    join(words, elements, operands);
  }
  Value *call =
      e.hooks.inlineAssembly(e.b, op.getAsmText(), op.getConstraints(),
                             resultType(), operands, op.getPure());
  if (!call)
    return false;
  unsigned part = 0;
  for (auto [words, list] : llvm::zip_equal(results, values))
    for (unsigned word = 0; word < words.words; ++word) {
      Value *value = call->getType()->isStructTy()
                         ? e.b.CreateExtractValue(call, part++)
                         : call;
      if (words.perWord == 1) {
        list.push_back(value);
        continue;
      }
      Value *vector = e.b.CreateBitCast(value, words.vectorType());
      for (unsigned i = 0; i < words.perWord; ++i)
        list.push_back(e.b.CreateExtractElement(vector, i));
    }
  return true;
}

bool Assembly::emit() {
  for (const AsmWords &words : results)
    if (words.words * words.perWord != pack)
      return false;
  for (unsigned first = 0; first < count; first += pack)
    if (!emitInvocation(first))
      return false;
  for (auto [result, list] : llvm::zip_equal(op.getResults(), values)) {
    list.resize(count);
    e.set(result, std::move(list));
  }
  return true;
}

void emitInlineAsm(Emitter &e, kernel::InlineAsmOp op) {
  if (op.getTarget() == e.target.vendor && Assembly(e, op).emit())
    return;
  e.refuse(op, 4127,
           "target " + llvm::StringRef(e.target.vendor) +
               " does not take this inline assembly, got text for '" +
               op.getTarget() + "' with pack " + llvm::Twine(op.getPack()));
  for (mlir::Value result : op.getResults())
    e.setPoison(result);
}

/// A call of a function of a library that the request brings.
static Value *callLibrary(Emitter &e, kernel::ExternCallOp op,
                          llvm::Type *result, const Registers &operands) {
  llvm::SmallVector<llvm::Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  llvm::Module *module = e.b.GetInsertBlock()->getModule();
  auto callee = module->getOrInsertFunction(
      op.getSymbol(), llvm::FunctionType::get(result, types, false));
  if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
    function->addFnAttr(backend::kLibraryAttribute, op.getLibrary());
  return e.b.CreateCall(callee, operands);
}

void emitExternCall(Emitter &e, kernel::ExternCallOp op) {
  bool isRefused = false;
  bool isLinked =
      op.getPure() && llvm::is_contained(e.options.libraries, op.getLibrary());
  emitElements(e, op, op.getResult(), [&](const Registers &operands) {
    llvm::Type *type = e.registerType(op.getResult().getType());
    Value *value = isLinked
                       ? callLibrary(e, op, type, operands)
                       : e.hooks.externCall(e.b, op.getLibrary(),
                                            op.getSymbol(), type, operands);
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
