//===- HighLevelOps.cpp - Library functions that plugins may claim -*- C++ -*-//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function marked `@op("softmax@1")`, of the library, of a vendor's module or
// of the user, becomes a tile.call_op with its body inside. The lowering keeps
// it for a target that claims the op and inlines the body for every other one.
// Arguments known at compile time travel as the dictionary `tw.arguments`.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::sema;

/// The decorator `@tw.op(...)` of a function, or null; `@op(...)` in modules of
/// the library and of vendors.
static const ast::Call *opDecorator(const FunctionPayload &function) {
  const auto *def = ast::asNode<ast::FunctionDef>(function.node);
  if (!def)
    return nullptr;
  for (const ast::Expr *decorator : def->decoratorList) {
    const auto *call = ast::asNode<ast::Call>(decorator);
    const auto *name = call ? ast::asNode<ast::Name>(call->func) : nullptr;
    const auto *member =
        call ? ast::asNode<ast::Attribute>(call->func) : nullptr;
    const auto *base = member && member->attr == "op"
                           ? ast::asNode<ast::Name>(member->value)
                           : nullptr;
    bool isOurs = base && (base->id == "tw" || base->id == "tilewright");
    bool hasShortForm = function.module->isLibrary() ||
                        function.module->name().starts_with("tl.extra.");
    if (isOurs || (hasShortForm && name && name->id == "op"))
      return call;
  }
  return nullptr;
}

/// Whether a name is `vendor.name@version`, of `vendor` if there is one, and
/// none of the language's own.
static bool isVendorOp(llvm::StringRef name, llvm::StringRef vendor) {
  auto isWord = [](llvm::StringRef text) {
    return !text.empty() && llvm::all_of(text, [](char c) {
      return llvm::isAlnum(c) || c == '_';
    });
  };
  auto [path, version] = name.split('@');
  auto [first, rest] = path.split('.');
  unsigned number;
  return isWord(first) && first != "libdevice" && isWord(rest) &&
         !version.getAsInteger(10, number) && number > 0 &&
         (vendor.empty() || first == vendor);
}

std::string Interpreter::opName(const FunctionPayload &function) {
  const ast::Call *decorator = opDecorator(function);
  if (!decorator)
    return "";
  const auto *text = decorator->args.size() == 1
                         ? ast::asNode<ast::Constant>(decorator->args[0])
                         : nullptr;
  std::string name =
      text && text->value.isStr() ? ref(text->value.text).str() : "";
  // Whoever writes another body of a known op compiles it so.
  if (function.module->isLibrary() ||
      (!name.empty() && option("overrides", "on") == "whole"))
    return name;
  llvm::StringRef vendor = function.module->name();
  if (!vendor.consume_front("tl.extra."))
    vendor = "";
  if (isVendorOp(name, vendor))
    return name;
  std::string expected = vendor.empty() ? "vendor" : vendor.str();
  theReporter.errorAt(
      decorator->range, 2309,
      "expected a name such as \"" + expected + ".name@1\" for an op, got " +
          (name.empty() ? "something else" : "\"" + name + "\""),
      "names without a vendor belong to the language");
  return "";
}

/// Arguments that are numbers or text, by name.
static mlir::DictionaryAttr knownArguments(mlir::Builder &b,
                                           const Scope &scope) {
  llvm::SmallVector<mlir::NamedAttribute> entries;
  for (const auto &[name, binding] : scope) {
    const Value &value = binding.value;
    mlir::Attribute attribute;
    if (value.isBool())
      attribute = b.getI64IntegerAttr(value.boolValue());
    else if (value.isInt() && value.intValue().fitsSigned(64))
      attribute = b.getI64IntegerAttr(*value.intValue().asInt64());
    else if (value.isFloat())
      attribute = b.getF64FloatAttr(value.floatValue());
    else if (value.isStr())
      attribute = b.getStringAttr(value.strValue());
    if (attribute)
      entries.push_back(b.getNamedAttr(name, attribute));
  }
  return b.getDictionaryAttr(entries);
}

Value Interpreter::wrapHighLevelOp(const FunctionPayload &function,
                                   Scope &scope,
                                   llvm::function_ref<Value()> body) {
  std::string name = opName(function);
  llvm::SmallVector<mlir::Value> operands;
  if (!name.empty())
    for (const auto &entry : scope)
      entry.second.value.flatten(operands);
  if (operands.empty())
    return body();

  auto &b = builder();
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Block *outside = b.getInsertionBlock();
  mlir::Block::iterator position = b.getInsertionPoint();
  mlir::Region region;
  auto *block = new mlir::Block();
  region.push_back(block);
  llvm::SmallVector<mlir::Value> inner;
  for (mlir::Value operand : operands)
    inner.push_back(block->addArgument(operand.getType(), b.getLoc()));
  mlir::DictionaryAttr known = knownArguments(b, scope);
  llvm::ArrayRef<mlir::Value> rest = inner;
  for (auto &entry : scope)
    entry.second.value = entry.second.value.rebuild(rest);
  b.setInsertionPointToEnd(block);
  Value result = body();
  if (result.isError())
    return result;

  llvm::SmallVector<mlir::Value> yielded;
  result.flatten(yielded);
  tile::YieldOp::create(b, yielded);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value value : yielded)
    types.push_back(value.getType());
  b.setInsertionPoint(outside, position);
  auto call = tile::CallOpOp::create(b, types, name, operands);
  call.getBody().takeBody(region);
  if (!known.empty())
    call->setAttr("tw.arguments", known);
  llvm::SmallVector<mlir::Value> results(call.getResults());
  llvm::ArrayRef<mlir::Value> outputs = results;
  return result.rebuild(outputs);
}

//===----------------------------------------------------------------------===//
// The maths mode of one call
//===----------------------------------------------------------------------===//

bool Interpreter::takeMathMode(llvm::SmallVectorImpl<Argument> &arguments,
                               std::string &mode) {
  for (auto it = arguments.begin(); it != arguments.end(); ++it) {
    if (it->name != "math")
      continue;
    llvm::StringRef text = it->value.isStr() ? it->value.strValue() : "";
    if (text != "accurate" && text != "portable" && text != "fast") {
      theReporter.errorAt(it->range, 2236,
                          "expected 'accurate', 'portable' or 'fast', got " +
                              it->value.describe());
      return false;
    }
    mode = text.str();
    arguments.erase(it);
    return true;
  }
  return true;
}

Value Interpreter::withMathMode(llvm::StringRef mode,
                                llvm::function_ref<Value()> body) {
  mlir::Block *block = builder().getInsertionBlock();
  mlir::Operation *last = block->empty() ? nullptr : &block->back();
  Value result = body();
  if (mode.empty() || mode == option("math", "accurate"))
    return result;
  mlir::StringAttr attribute = builder().getStringAttr(mode);
  auto begin = last ? std::next(last->getIterator()) : block->begin();
  for (mlir::Operation &op : llvm::make_range(begin, block->end()))
    op.walk([&](mlir::Operation *inner) {
      if (llvm::isa<mlir::math::MathDialect>(inner->getDialect()) ||
          llvm::isa<mlir::arith::DivFOp, mlir::arith::RemFOp>(inner))
        inner->setAttr("tw.math", attribute);
    });
  return result;
}
