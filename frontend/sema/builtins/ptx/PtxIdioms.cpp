//===- PtxIdioms.cpp - PTX that only computes -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a text into instructions; puts the elements of tiles into registers,
// several in one where the call says so, and takes the results out again.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/ptx/PtxIdioms.h"

#include "frontend/sema/builtins/ptx/PtxEvaluator.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Splits operands at commas outside of braces.
static llvm::SmallVector<StringRef, 4> splitOperands(StringRef text) {
  llvm::SmallVector<StringRef, 4> parts;
  size_t start = 0;
  unsigned depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    depth += c == '{';
    depth -= c == '}';
    if (c != ',' || (depth && i < text.size()))
      continue;
    if (StringRef part = text.slice(start, i).trim(); !part.empty())
      parts.push_back(part);
    start = i + 1;
  }
  return parts;
}

bool PtxEvaluator::step(StringRef statement) {
  PtxInstruction instruction;
  instruction.text = statement;
  if (statement.consume_front("@")) {
    instruction.isNegated = statement.consume_front("!");
    std::tie(instruction.guard, statement) =
        statement.split(statement.find_first_of(" \t") == StringRef::npos
                            ? ' '
                            : statement[statement.find_first_of(" \t")]);
    statement = statement.trim();
  }
  size_t end = statement.find_first_of(" \t\n");
  llvm::SmallVector<StringRef> words;
  statement.take_front(end).split(words, '.');
  instruction.name = words[0];
  instruction.suffixes.append(words.begin() + 1, words.end());
  if (end != StringRef::npos)
    instruction.operands = splitOperands(statement.substr(end));
  return execute(instruction);
}

/// `.reg .b32 a, b<4>;` gives widths; b<4> is b0 to b3. A name that is in use
/// already would need two registers.
bool PtxEvaluator::declare(StringRef declaration) {
  StringRef text = declaration;
  text.consume_front(".reg");
  auto [suffix, list] = text.ltrim().split(' ');
  suffix.consume_front(".");
  std::optional<DType> type = ptxType(suffix), half = ptxHalf(suffix);
  if (!type && !half)
    return unsupported(declaration);
  unsigned width = half ? 2 * half->width() : type->width();
  for (StringRef name : splitOperands(list)) {
    auto [base, range] = name.split('<');
    unsigned count = 0;
    if (name.contains('<') && (!range.consume_back(">") ||
                               range.getAsInteger(10, count) || count > 1024))
      return unsupported(declaration);
    std::vector<std::string> declared;
    for (unsigned i = 0; i < count; ++i)
      declared.push_back((base + llvm::Twine(i)).str());
    if (!name.contains('<'))
      declared.push_back(name.str());
    for (const std::string &each : declared) {
      if (widths.count(each) || registers.count(each))
        return unsupported(declaration);
      widths[each] = width;
      scopes.back().push_back(each);
    }
  }
  return true;
}

void PtxEvaluator::closeScope() {
  for (const std::string &name : scopes.back()) {
    widths.erase(name);
    registers.erase(name);
  }
  scopes.pop_back();
}

bool PtxEvaluator::statement(StringRef text) {
  text = text.trim();
  if (text.empty())
    return true;
  return text.starts_with(".reg") ? declare(text) : step(text);
}

/// The text without comments, and with a blank for each other white space.
static std::string withoutComments(StringRef text) {
  std::string plain;
  while (!text.empty()) {
    if (text.consume_front("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.consume_front("/*")) {
      text = text.split("*/").second;
      plain += ' ';
    } else {
      plain += llvm::isSpace(text[0]) ? ' ' : text[0];
      text = text.drop_front();
    }
  }
  return plain;
}

bool PtxEvaluator::run(StringRef text) {
  std::string plain = withoutComments(text);
  std::string current;
  bool isInOperand = false;
  for (char c : plain) {
    bool isStart = StringRef(current).trim().empty();
    if (isInOperand || (c == '{' && !isStart)) {
      isInOperand = c != '}';
      current += c;
      continue;
    }
    if (c != ';' && c != '{' && c != '}') {
      current += c;
      continue;
    }
    // The end of a statement; braces between statements are scopes.
    if (!statement(current))
      return false;
    current.clear();
    if (c == '{')
      scopes.emplace_back();
    if (c == '}' && scopes.size() == 1)
      return unsupported("}");
    if (c == '}')
      closeScope();
  }
  return statement(current) && (scopes.size() == 1 || unsupported("{"));
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Every `count`-th element from each start, of a tile in one dimension.
static std::vector<Value> deal(Interpreter &in, const Value &tile,
                               int64_t count) {
  if (count == 1)
    return {tile};
  int64_t elements = tile.shape()[0];
  Value pairs = in.emitter.reshape(tile, {elements / 2, 2});
  Value halves =
      in.callValue(Value::builtin(builtinTable().find("tl.split")), {pairs});
  std::vector<Value> result(count);
  for (int64_t side = 0; side < 2; ++side) {
    Value half = halves.elements()[side];
    if (half.shape().empty())
      half = in.emitter.reshape(half, {1});
    std::vector<Value> dealt = deal(in, half, count / 2);
    for (int64_t i = 0; i < count / 2; ++i)
      result[2 * i + side] = dealt[i];
  }
  return result;
}

/// The opposite of deal.
static Value collect(Interpreter &in, llvm::ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts[0];
  std::vector<Value> even, odd;
  for (size_t i = 0; i < parts.size(); ++i)
    (i % 2 ? odd : even).push_back(parts[i]);
  Value joined = in.callValue(Value::builtin(builtinTable().find("tl.join")),
                              {collect(in, even), collect(in, odd)});
  return in.emitter.reshape(joined, {joined.shape()[0] * 2});
}

static unsigned registerCount(DType type, int64_t pack) {
  return std::max<int64_t>(1, type.width() * pack / 32 /
                                  std::max<int64_t>(1, type.width() / 32));
}

/// Bits of the register that a letter of the constraints asks for.
static unsigned registerWidth(char letter) {
  return letter == 'h' ? 16 : letter == 'l' || letter == 'd' ? 64 : 32;
}

/// The registers of one operand, from `next` on.
static void fillRegisters(Interpreter &in, PtxEvaluator &evaluator,
                          const Value &operand, int64_t pack, Shape shape,
                          unsigned &next) {
  Emitter &e = in.emitter;
  DType type = operand.dtype();
  Value raw = type.isBool() || type.isPointer()
                  ? operand
                  : e.bitcast(operand, DType::integer(type.width(), false));
  std::vector<Value> parts{raw};
  if (pack > 1)
    parts = deal(in, e.reshape(raw, {shape[0] * pack}), pack);
  unsigned each =
      std::max<unsigned>(1, parts.size() / registerCount(type, pack));
  DType bits = registerType(DType::integer(type.width() * each, false));
  for (size_t i = 0; i < parts.size(); i += each) {
    Value joined = e.cast(parts[i], bits);
    for (unsigned k = 1; k < each; ++k)
      joined =
          e.binary(BinaryOperator::BitOr, joined,
                   e.binary(BinaryOperator::LShift, e.cast(parts[i + k], bits),
                            e.constantInt(type.width() * k, bits, shape)));
    evaluator.registers["$" + std::to_string(next++)] = joined;
  }
}

/// One result from its registers, `at` on; nullopt when one was not written.
static std::optional<Value> takeResult(Interpreter &in, PtxEvaluator &evaluator,
                                       DType type, int64_t pack, Shape shape,
                                       Shape whole, unsigned &at) {
  Emitter &e = in.emitter;
  unsigned count = registerCount(type, pack);
  unsigned each = std::max<unsigned>(1, pack / count);
  DType raw = DType::integer(type.width(), false);
  std::vector<Value> parts;
  for (unsigned i = 0; i < count; ++i) {
    auto it = evaluator.registers.find("$" + std::to_string(at++));
    if (it == evaluator.registers.end())
      return std::nullopt;
    for (unsigned k = 0; k < each; ++k) {
      Value bits = it->second;
      if (k)
        bits = e.binary(BinaryOperator::RShift, bits,
                        e.constantInt(type.width() * k, bits.dtype(), shape));
      parts.push_back(e.cast(bits, raw));
    }
  }
  Value output = pack > 1 ? e.reshape(collect(in, parts), whole) : parts[0];
  return type.isBool() ? output : e.bitcast(output, type);
}

PtxResult sema::evaluatePtx(Interpreter &in, StringRef text,
                            StringRef constraints, int64_t pack,
                            llvm::ArrayRef<Value> operands,
                            llvm::ArrayRef<DType> results) {
  PtxResult result;
  std::vector<int64_t> whole;
  if (!operands.empty())
    whole = operands[0].shape().vec();
  int64_t elements = 1;
  for (int64_t extent : whole)
    elements *= extent;
  if (pack < 1 || elements % pack || (pack & (pack - 1))) {
    result.problem = "the tile has fewer elements than are packed together";
    return result;
  }
  std::vector<int64_t> shape = whole;
  if (pack > 1)
    shape = {elements / pack};
  PtxEvaluator evaluator(in, shape);
  unsigned next = 0, at = 0, stated = 0;
  for (DType type : results)
    next += registerCount(type, pack);
  for (const Value &operand : operands)
    fillRegisters(in, evaluator, operand, pack, shape, next);
  for (StringRef constraint : llvm::split(constraints, ',')) {
    constraint = constraint.trim();
    if (constraint.empty() || constraint.starts_with("~"))
      continue;
    evaluator.widths["$" + std::to_string(stated++)] =
        registerWidth(constraint.back());
  }
  if (stated != next) {
    result.problem = ("the constraints name " + llvm::Twine(stated) +
                      " registers, the operands fill " + llvm::Twine(next))
                         .str();
    return result;
  }
  if (!evaluator.run(text)) {
    result.problem = evaluator.problem;
    return result;
  }
  for (DType type : results) {
    std::optional<Value> output =
        takeResult(in, evaluator, type, pack, shape, whole, at);
    if (!output) {
      result.problem = "a result is never written";
      return result;
    }
    result.outputs.push_back(*output);
  }
  return result;
}
