//===- AttributeSchema.cpp - What Kernel IR may carry -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of attribute names by operation, and one of argument attributes.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/verify/AttributeSchema.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/rules/OpRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilewright::kernel {

//===----------------------------------------------------------------------===//
// Attributes of operations
//===----------------------------------------------------------------------===//

static bool isUnit(Operation *, Attribute value) {
  return isa<UnitAttr>(value);
}

static bool isText(Operation *, Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  return text && !text.getValue().empty();
}

static bool isTextList(Operation *, Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, [](Attribute item) {
           return isa<StringAttr>(item);
         });
}

static bool isMathMode(Operation *, Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  return text &&
         llvm::is_contained({"accurate", "portable", "fast"}, text.getValue());
}

static bool isOptions(Operation *, Attribute value) {
  auto options = dyn_cast<DictionaryAttr>(value);
  return options && llvm::all_of(options, [](NamedAttribute option) {
           return isa<IntegerAttr, FloatAttr, StringAttr>(option.getValue());
         });
}

static bool isPrecision(Operation *, Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  return text && symbolizeDotPrecision(text.getValue());
}

static bool isNotNegative(Operation *, Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(32) &&
         number.getInt() >= 0;
}

static bool isSaturate(Operation *op, Attribute value) {
  return isa<UnitAttr>(value) &&
         rules::isFloat8(getElementTypeOrSelf(op->getResult(0).getType()));
}

namespace {

struct AttributeRule {
  llvm::StringLiteral op;
  llvm::StringLiteral name;
  llvm::StringLiteral expected;
  bool (*isValid)(Operation *op, Attribute value);
};

} // namespace

static constexpr AttributeRule attributeRules[] = {
    {"arith.truncf", "tw.saturate", "a unit on a conversion to fp8",
     isSaturate},
    {"builtin.module", "tw.math", "\"accurate\", \"portable\" or \"fast\"",
     isMathMode},
    {"builtin.module", "tw.options", "a dictionary of numbers and strings",
     isOptions},
    {"builtin.module", "tw.target", "a string such as \"cpu\"", isText},
    {"func.func", "tw.facts_used", "a list of \"argument:fact\"", isTextList},
    {"func.func", "tw.kernel", "a unit", isUnit},
    {"func.func", "tw.needs_progress", "a unit", isUnit},
    {"func.func", "tw.predicate", "an expression over arguments", isText},
    {"func.func", "tw.variant_of", "the name of a kernel", isText},
    {"kernel.call_op", "tw.arguments", "a dictionary of compile-time arguments",
     isOptions},
    {"linalg.batch_matmul", "kernel.max_imprecise_acc", "an i32 from 0 on",
     isNotNegative},
    {"linalg.batch_matmul", "kernel.precision",
     "a string: ieee, tf32, tf32x3, bf16x3 or bf16x6", isPrecision},
    {"linalg.matmul", "kernel.max_imprecise_acc", "an i32 from 0 on",
     isNotNegative},
    {"linalg.matmul", "kernel.precision",
     "a string: ieee, tf32, tf32x3, bf16x3 or bf16x6", isPrecision},
};

static bool isFunctionOp(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<arith::DivFOp, arith::RemFOp>(op);
}

/// What may be skipped: hints, and linalg's cache of its own indexing maps.
static bool maySkip(StringRef name) {
  return name.starts_with("tw.opt.") || name == "linalg.memoized_indexing_maps";
}

LogicalResult verifyAttributes(Operation *op) {
  bool isValid = true;
  StringRef opName = op->getName().getStringRef();
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName().getValue();
    if (maySkip(name))
      continue;
    // Any function may ask for its own mode.
    if (name == "tw.math" && isFunctionOp(op) &&
        isMathMode(op, attribute.getValue()))
      continue;
    const auto *rule =
        llvm::find_if(attributeRules, [&](const AttributeRule &rule) {
          return rule.op == opName && rule.name == name;
        });
    if (rule == std::end(attributeRules)) {
      op->emitError() << "TW3108: expected no attribute '" << name << "' on '"
                      << opName << "'; hints are named tw.opt.*";
      isValid = false;
    } else if (!rule->isValid(op, attribute.getValue())) {
      op->emitError() << "TW3110: expected '" << name << "' to be "
                      << rule->expected << ", got " << attribute.getValue();
      isValid = false;
    }
  }
  return success(isValid);
}

//===----------------------------------------------------------------------===//
// Attributes of arguments
//===----------------------------------------------------------------------===//

Type parseElementSpelling(StringRef spelling, MLIRContext *context) {
  Builder b(context);
  return llvm::StringSwitch<Type>(spelling)
      .Cases({"i1", "u1"}, b.getI1Type())
      .Cases({"i8", "u8", "fp8e4b15"}, b.getI8Type())
      .Cases({"i16", "u16"}, b.getI16Type())
      .Cases({"i32", "u32"}, b.getI32Type())
      .Cases({"i64", "u64"}, b.getI64Type())
      .Case("fp16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("fp32", b.getF32Type())
      .Case("fp64", b.getF64Type())
      .Case("fp8e4nv", b.getType<Float8E4M3FNType>())
      .Case("fp8e5", b.getType<Float8E5M2Type>())
      .Case("fp8e4b8", b.getType<Float8E4M3FNUZType>())
      .Case("fp8e5b16", b.getType<Float8E5M2FNUZType>())
      .Default(Type());
}

/// The argument type that a Triton spelling such as "*fp16" names; a table of
/// pointers ("**fp16") is memory of i64.
static Type parseArgumentSpelling(StringRef spelling, MLIRContext *context) {
  if (!spelling.consume_front("*"))
    return parseElementSpelling(spelling, context);
  Type pointee;
  if (spelling.starts_with("*")) {
    if (parseArgumentSpelling(spelling, context))
      pointee = IntegerType::get(context, 64);
  } else {
    spelling.consume_front("k"); // to memory that is only read
    pointee = parseElementSpelling(spelling, context);
  }
  return pointee ? PointerType::get(context, pointee) : Type();
}

static bool isAtLeast(Attribute value, int64_t least) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger() &&
         number.getInt() >= least;
}

/// Whether `value` is [lo, hi] with lo <= hi.
static bool isRange(Attribute value) {
  SmallVector<int64_t> bounds;
  if (auto dense = dyn_cast<DenseI64ArrayAttr>(value))
    bounds.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
  else if (auto array = dyn_cast<ArrayAttr>(value))
    for (auto bound : array.getAsRange<Attribute>()) {
      auto number = dyn_cast<IntegerAttr>(bound);
      if (!number)
        return false;
      bounds.push_back(number.getInt());
    }
  return bounds.size() == 2 && bounds[0] <= bounds[1];
}

/// What is wrong with one attribute of an argument of `type`; empty if nothing.
static StringRef argumentProblem(StringRef name, Attribute value, Type type) {
  bool isPointer = isa<PointerType>(type);
  if (name == "tw.name")
    return isa<StringAttr>(value) ? "" : "expected a string";
  if (name == "tw.dtype") {
    auto text = dyn_cast<StringAttr>(value);
    bool fits = text && parseArgumentSpelling(text.getValue(),
                                              value.getContext()) == type;
    return fits ? "" : "expected a spelling of the argument's type";
  }
  if (name == "tw.index")
    return isAtLeast(value, 0) ? "" : "expected a position from 0 on";
  if (name == "tw.divisibility")
    return isAtLeast(value, 1) ? "" : "expected a positive integer";
  if (name == "tw.value")
    return isa<IntegerAttr>(value) && isa<IntegerType>(type)
               ? ""
               : "expected an integer on an integer argument";
  if (name == "tw.range")
    return isRange(value) && isa<IntegerType>(type)
               ? ""
               : "expected [lo, hi] on an integer argument";
  if (name == "tw.readonly" || name == "tw.disjoint")
    return isa<UnitAttr>(value) && isPointer ? ""
                                             : "expected a unit on a pointer";
  return "expected no such attribute; hints are named tw.opt.*";
}

LogicalResult verifyArgumentAttributes(func::FuncOp function) {
  bool isValid = true;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto report = [&](StringRef name, StringRef problem) {
      mlir::emitError(argument.getLoc())
          << "TW3107: argument " << index << ", '" << name << "': " << problem;
      isValid = false;
    };
    DictionaryAttr attributes = function.getArgAttrDict(index);
    if (!attributes || !attributes.contains("tw.dtype"))
      report("tw.dtype", "expected the spelling of the argument's type");
    if (!attributes)
      continue;
    for (NamedAttribute attribute : attributes) {
      StringRef name = attribute.getName().getValue();
      StringRef problem =
          maySkip(name)
              ? ""
              : argumentProblem(name, attribute.getValue(), argument.getType());
      if (!problem.empty())
        report(name, problem);
    }
  }
  return success(isValid);
}

} // namespace tilewright::kernel
