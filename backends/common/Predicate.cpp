//===- Predicate.cpp - Launch predicates of kernel variants -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precedence climbing over a table of binary operators; every parse function
// returns the postfix code of what it read.
//===----------------------------------------------------------------------===//
#include "backends/common/Predicate.h"

#include "tilewright/record.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>

using llvm::StringRef;

namespace tilewright::backend {

namespace {

/// Code of a subexpression, the stack it needs and whether it is 0 or 1.
struct Code {
  std::string bytes;
  unsigned depth = 1;
  bool isTruth = false;
};

struct Operator {
  const char *spelling;
  unsigned level; // higher binds tighter
  uint8_t opcode;
  bool swaps; // evaluates its operands in reverse: a > b is b < a
};

constexpr unsigned kOr = 1, kAnd = 2, kCompare = 4;

// A spelling that begins another one comes after it.
const Operator operators[] = {
    {"or", kOr, TW_EXPR_OR, false},      {"and", kAnd, TW_EXPR_AND, false},
    {"==", kCompare, TW_EXPR_EQ, false}, {"!=", kCompare, TW_EXPR_NE, false},
    {"<=", kCompare, TW_EXPR_LE, false}, {">=", kCompare, TW_EXPR_LE, true},
    {"<", kCompare, TW_EXPR_LT, false},  {">", kCompare, TW_EXPR_LT, true},
    {"|", 5, TW_EXPR_OR, false},         {"^", 6, TW_EXPR_XOR, false},
    {"&", 7, TW_EXPR_AND, false},        {"+", 8, TW_EXPR_ADD, false},
    {"-", 8, TW_EXPR_SUB, false},        {"*", 9, TW_EXPR_MUL, false},
    {"//", 9, TW_EXPR_FLOOR_DIV, false}, {"%", 9, TW_EXPR_FLOOR_MOD, false},
};

class Parser {
public:
  Parser(StringRef text, llvm::ArrayRef<StringRef> names, std::string &error)
      : rest(text), names(names), error(error) {}

  std::optional<std::string> run() {
    std::optional<Code> code = binary(kOr);
    if (!code)
      return std::nullopt;
    skip();
    if (!rest.empty())
      return fail("expected an operator, got '" + rest + "'"), std::nullopt;
    if (code->depth > TW_EXPR_STACK)
      return fail("expected a shallower expression"), std::nullopt;
    return std::move(code->bytes);
  }

private:
  void skip() { rest = rest.ltrim(); }
  std::nullopt_t fail(const llvm::Twine &message) {
    if (error.empty())
      error = message.str();
    return std::nullopt;
  }
  static Code constant(int64_t value) {
    Code code;
    code.bytes.push_back(TW_EXPR_CONST);
    for (unsigned i = 0; i < 8; ++i)
      code.bytes.push_back(char(uint64_t(value) >> (8 * i)));
    return code;
  }
  static Code join(Code left, Code right, uint8_t opcode) {
    Code code;
    code.depth = std::max(left.depth, right.depth + 1);
    code.bytes = left.bytes + right.bytes;
    code.bytes.push_back(char(opcode));
    return code;
  }
  /// Any integer to 0 or 1.
  static Code truth(Code code) {
    if (!code.isTruth)
      code.bytes.append({char(TW_EXPR_NOT), char(TW_EXPR_NOT)});
    code.isTruth = true;
    return code;
  }

  const Operator *peekOperator() {
    skip();
    for (const Operator &op : operators) {
      StringRef spelling = op.spelling;
      if (!rest.starts_with(spelling))
        continue;
      char next = rest.size() > spelling.size() ? rest[spelling.size()] : ' ';
      if (llvm::isAlpha(spelling[0]) && (llvm::isAlnum(next) || next == '_'))
        continue;
      return &op;
    }
    return nullptr;
  }

  std::optional<Code> binary(unsigned level);
  std::optional<Code> unary();
  std::optional<Code> atom();
  std::optional<Code> call(StringRef name);
  bool expect(StringRef token) {
    skip();
    if (rest.consume_front(token))
      return true;
    fail("expected '" + token + "', got '" + rest + "'");
    return false;
  }

  StringRef rest;
  llvm::ArrayRef<StringRef> names;
  std::string &error;
  unsigned nesting = 0;
};

std::optional<Code> Parser::binary(unsigned level) {
  std::optional<Code> left = unary();
  while (left) {
    const Operator *op = peekOperator();
    if (!op || op->level < level)
      return left;
    rest = rest.drop_front(StringRef(op->spelling).size());
    std::optional<Code> right = binary(op->level + 1);
    if (!right)
      return std::nullopt;
    bool isLogical = op->level <= kAnd;
    if (isLogical) {
      left = truth(std::move(*left));
      right = truth(std::move(*right));
    }
    if (op->swaps)
      std::swap(left, right);
    left = join(std::move(*left), std::move(*right), op->opcode);
    left->isTruth = isLogical || op->level == kCompare;
  }
  return left;
}

std::optional<Code> Parser::unary() {
  if (++nesting > 64)
    return fail("expected a shallower expression");
  skip();
  std::optional<Code> result;
  if (rest.starts_with("not") && rest.size() > 3 && !llvm::isAlnum(rest[3]) &&
      rest[3] != '_') {
    rest = rest.drop_front(3);
    result = binary(kCompare);
    if (result) {
      result->bytes.push_back(TW_EXPR_NOT);
      result->isTruth = true;
    }
  } else if (rest.consume_front("-")) {
    result = unary();
    if (result)
      result = join(constant(0), std::move(*result), TW_EXPR_SUB);
  } else {
    result = atom();
  }
  --nesting;
  return result;
}

std::optional<Code> Parser::atom() {
  if (rest.consume_front("(")) {
    std::optional<Code> code = binary(kOr);
    if (!code || !expect(")"))
      return std::nullopt;
    return code;
  }
  if (!rest.empty() && llvm::isDigit(rest.front())) {
    int64_t value;
    StringRef digits = rest.take_while(llvm::isAlnum);
    if (digits.getAsInteger(0, value))
      return fail("expected an integer, got '" + digits + "'");
    rest = rest.drop_front(digits.size());
    return constant(value);
  }
  StringRef name =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (name.empty())
    return fail("expected a name, a number or '(', got '" + rest + "'");
  rest = rest.drop_front(name.size());
  skip();
  if (rest.consume_front("("))
    return call(name);
  if (name == "True" || name == "False") {
    Code code = constant(name == "True");
    code.isTruth = true;
    return code;
  }
  const StringRef *found = llvm::find(names, name);
  if (found == names.end())
    return fail("expected the name of an argument, got '" + name + "'");
  size_t index = found - names.begin();
  Code code;
  code.bytes = {char(TW_EXPR_ARGUMENT), char(index), char(index >> 8)};
  return code;
}

std::optional<Code> Parser::call(StringRef name) {
  if (name == "num_programs") {
    unsigned axis;
    skip();
    if (rest.consumeInteger(10, axis) || axis > 2)
      return fail("expected an axis 0, 1 or 2 in num_programs()");
    if (!expect(")"))
      return std::nullopt;
    Code code;
    code.bytes = {char(TW_EXPR_PROGRAMS), char(axis)};
    return code;
  }
  uint8_t opcode = name == "min"    ? TW_EXPR_MIN
                   : name == "max"  ? TW_EXPR_MAX
                   : name == "cdiv" ? TW_EXPR_CEIL_DIV
                                    : 0;
  if (!opcode)
    return fail("expected min, max, cdiv or num_programs, got '" + name + "'");
  std::optional<Code> left = binary(kOr);
  if (!left || !expect(","))
    return std::nullopt;
  std::optional<Code> right = binary(kOr);
  if (!right || !expect(")"))
    return std::nullopt;
  return join(std::move(*left), std::move(*right), opcode);
}

} // namespace

std::optional<std::string> compilePredicate(StringRef text,
                                            llvm::ArrayRef<StringRef> names,
                                            std::string &error) {
  error.clear();
  return Parser(text, names, error).run();
}

} // namespace tilewright::backend
