//===- Hints.cpp - Hints for one backend ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tl.hint(value, "backend.name", v)` and `#@hint: name=v` comments become
// attributes `tw.opt.<backend>.<name>`. They never change what a kernel means,
// so a name that the backend does not publish is a warning.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

/// The attribute for a compile-time number, bool or text; null for others.
static mlir::Attribute settingAttribute(mlir::Builder &b, const Value &value) {
  if (value.isBool())
    return b.getBoolAttr(value.boolValue());
  if (value.isInt() && value.intValue().fitsSigned(64))
    return b.getI64IntegerAttr(*value.intValue().asInt64());
  if (value.isFloat())
    return b.getF64FloatAttr(value.floatValue());
  if (value.isStr())
    return b.getStringAttr(value.strValue());
  return {};
}

static bool isIdentifier(StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::optional<mlir::NamedAttribute>
Interpreter::hintAttribute(StringRef name, const Value &setting) {
  auto [backend, hint] = name.split('.');
  if (hint.empty())
    std::tie(backend, hint) = std::pair(StringRef(request.target.vendor), name);
  mlir::Attribute value = settingAttribute(builder(), setting);
  if (!isIdentifier(backend) || !isIdentifier(hint) || !value) {
    error(2306, "expected a hint such as \"cpu.unroll\" with a number, a bool "
                "or text, got '" +
                    name + "' with " + setting.describe());
    return std::nullopt;
  }
  const auto &published = request.target.hints;
  bool isUnknown = backend == request.target.vendor && published &&
                   !llvm::is_contained(*published, hint);
  if (isUnknown) {
    std::string known = published->empty()
                            ? "it has none"
                            : "its hints are " + llvm::join(*published, ", ");
    theReporter.warning(
        2307, "the target '" + backend + "' has no hint '" + hint + "'",
        didYouMean(hint, *published, known));
  }
  return builder().getNamedAttr(("tw.opt." + backend + "." + hint).str(),
                                value);
}

/// The value of `name=value` in a comment: a number, True, False or text.
static Value settingOf(StringRef text) {
  text = text.trim();
  if (text.empty() || text == "True" || text == "true")
    return Value::boolean(true);
  if (text == "False" || text == "false")
    return Value::boolean(false);
  if (std::optional<BigInt> number = BigInt::fromDecimal(text))
    return Value::integer(*number);
  double real;
  if (!text.getAsDouble(real))
    return Value::number(real);
  return Value::str(text.trim("'\"").str());
}

void ModuleEnv::bindHints(const ast::Module &module) {
  for (const ast::Comment &comment : module.hints) {
    uint32_t line = comment.range.line;
    uint32_t start = module.lineStarts[line - 1];
    StringRef before = ref(module.source).substr(start, comment.range.column);
    // On a line of its own it is for the statement on the next one.
    bool isAlone = before.trim().empty();
    hintLines.push_back({isAlone ? line + 1 : line, comment});
  }
  // Of several such lines all are for what follows the last.
  for (size_t i = hintLines.size(); i-- > 1;)
    if (hintLines[i - 1].first == hintLines[i].second.range.line &&
        hintLines[i].first > hintLines[i].second.range.line)
      hintLines[i - 1].first = hintLines[i].first;
}

std::vector<ast::Comment> ModuleEnv::hintsFor(const ast::Stmt *stmt) const {
  if (hintLines.empty())
    return {};
  uint32_t first = stmt->range.line, last = stmt->range.endLine;
  if (const auto *loop = ast::asNode<ast::For>(stmt))
    last = loop->body[0]->range.line - 1;
  else if (const auto *loop = ast::asNode<ast::While>(stmt))
    last = loop->body[0]->range.line - 1;
  std::vector<ast::Comment> found;
  for (const auto &[line, comment] : hintLines)
    if (line >= first && line <= std::max(first, last))
      found.push_back(comment);
  return found;
}

/// Whether a hint on a statement is meant for this operation.
static bool takesHints(mlir::Operation *op, bool isLoop) {
  if (isLoop)
    return llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op);
  return llvm::isa<tile::LoadOp, tile::StoreOp, tile::DotOp, tile::DotScaledOp,
                   tile::AtomicRMWOp, tile::AtomicCASOp, tile::ReduceOp,
                   tile::ScanOp, tile::GatherOp, tile::DescriptorLoadOp,
                   tile::DescriptorStoreOp, tile::CallOpOp>(op);
}

void Interpreter::attachHints(const ast::Stmt *stmt, mlir::Block *block,
                              mlir::Operation *last) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  for (const ast::Comment &comment : active->frame.module->hintsFor(stmt)) {
    RangeScope scope(*this, comment.range);
    StringRef text = ref(comment.text);
    text.consume_front("#@hint:");
    for (StringRef part : llvm::split(text, ',')) {
      auto [name, value] = part.trim().split('=');
      if (name.trim().empty())
        continue;
      if (auto attribute = hintAttribute(name.trim(), settingOf(value)))
        attributes.push_back(*attribute);
    }
  }
  bool isLoop = ast::isNode<ast::For>(stmt) || ast::isNode<ast::While>(stmt);
  auto begin = last ? std::next(last->getIterator()) : block->begin();
  mlir::Operation *fallback = nullptr;
  bool isPlaced = false;
  auto place = [&](mlir::Operation &op) {
    for (mlir::NamedAttribute attribute : attributes)
      op.setAttr(attribute.getName(), attribute.getValue());
    isPlaced = true;
  };
  for (mlir::Operation &op : llvm::make_range(begin, block->end())) {
    if (takesHints(&op, isLoop))
      place(op);
    else if (op.getNumResults() > 0 &&
             !op.hasTrait<mlir::OpTrait::ConstantLike>())
      fallback = &op;
  }
  if (!isPlaced && fallback && !isLoop)
    place(*fallback);
}
