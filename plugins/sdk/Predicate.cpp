//===- Predicate.cpp - Launch predicates of kernel variants -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precedence climbing over a table of binary operators; every parse function
// returns the postfix code of what it read.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Predicate.h"

#include "tilewright/record.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilewright::sdk {

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

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool isWord(char c) { return isLetter(c) || isDigit(c) || c == '_'; }

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// A number as C writes it: decimal, 0x, 0b or octal behind 0.
std::optional<int64_t> integer(std::string_view digits) {
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    char kind = char(std::tolower(static_cast<unsigned char>(digits[1])));
    base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
    digits.remove_prefix(base != 8 || kind == 'o' ? 2 : 1);
  }
  int64_t value = 0;
  const char *end = digits.data() + digits.size();
  auto result = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || result.ec != std::errc() || result.ptr != end)
    return std::nullopt;
  return value;
}

/// The characters of a word at the start of a text.
std::string_view takeWord(std::string_view text) {
  return text.substr(0, std::find_if_not(text.begin(), text.end(), isWord) -
                            text.begin());
}

class Parser {
public:
  Parser(std::string_view text, const std::vector<std::string_view> &names,
         std::string &error)
      : rest(text), names(names), error(error) {}

  std::optional<std::string> run() {
    std::optional<Code> code = binary(kOr);
    if (!code)
      return std::nullopt;
    skip();
    if (!rest.empty())
      return fail("expected an operator, got '" + std::string(rest) + "'");
    if (code->depth > TW_EXPR_STACK)
      return fail("expected a shallower expression");
    return std::move(code->bytes);
  }

private:
  void skip() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest[0])))
      rest.remove_prefix(1);
  }
  bool consume(std::string_view token) {
    if (!startsWith(rest, token))
      return false;
    rest.remove_prefix(token.size());
    return true;
  }
  std::nullopt_t fail(const std::string &message) {
    if (error.empty())
      error = message;
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
      std::string_view spelling = op.spelling;
      if (!startsWith(rest, spelling))
        continue;
      char next = rest.size() > spelling.size() ? rest[spelling.size()] : ' ';
      if (isLetter(spelling[0]) && isWord(next))
        continue;
      return &op;
    }
    return nullptr;
  }

  std::optional<Code> binary(unsigned level);
  std::optional<Code> unary();
  std::optional<Code> atom();
  std::optional<Code> call(std::string_view name);
  bool expect(std::string_view token) {
    skip();
    if (consume(token))
      return true;
    fail("expected '" + std::string(token) + "', got '" + std::string(rest) +
         "'");
    return false;
  }

  std::string_view rest;
  const std::vector<std::string_view> &names;
  std::string &error;
  unsigned nesting = 0;
};

std::optional<Code> Parser::binary(unsigned level) {
  std::optional<Code> left = unary();
  while (left) {
    const Operator *op = peekOperator();
    if (!op || op->level < level)
      return left;
    rest.remove_prefix(std::string_view(op->spelling).size());
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
  if (startsWith(rest, "not") && rest.size() > 3 && !isWord(rest[3])) {
    rest.remove_prefix(3);
    result = binary(kCompare);
    if (result) {
      result->bytes.push_back(TW_EXPR_NOT);
      result->isTruth = true;
    }
  } else if (consume("-")) {
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
  if (consume("(")) {
    std::optional<Code> code = binary(kOr);
    if (!code || !expect(")"))
      return std::nullopt;
    return code;
  }
  if (!rest.empty() && isDigit(rest.front())) {
    std::string_view digits = takeWord(rest);
    std::optional<int64_t> value = integer(digits);
    if (!value)
      return fail("expected an integer, got '" + std::string(digits) + "'");
    rest.remove_prefix(digits.size());
    return constant(*value);
  }
  std::string_view name = takeWord(rest);
  if (name.empty())
    return fail("expected a name, a number or '(', got '" + std::string(rest) +
                "'");
  rest.remove_prefix(name.size());
  skip();
  if (consume("("))
    return call(name);
  if (name == "True" || name == "False") {
    Code code = constant(name == "True");
    code.isTruth = true;
    return code;
  }
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return fail("expected the name of an argument, got '" + std::string(name) +
                "'");
  size_t index = found - names.begin();
  Code code;
  code.bytes = {char(TW_EXPR_ARGUMENT), char(index), char(index >> 8)};
  return code;
}

std::optional<Code> Parser::call(std::string_view name) {
  if (name == "num_programs") {
    skip();
    if (rest.empty() || rest[0] < '0' || rest[0] > '2')
      return fail("expected an axis 0, 1 or 2 in num_programs()");
    char axis = char(rest[0] - '0');
    rest.remove_prefix(1);
    if (!expect(")"))
      return std::nullopt;
    Code code;
    code.bytes = {char(TW_EXPR_PROGRAMS), axis};
    return code;
  }
  uint8_t opcode = name == "min"    ? TW_EXPR_MIN
                   : name == "max"  ? TW_EXPR_MAX
                   : name == "cdiv" ? TW_EXPR_CEIL_DIV
                                    : 0;
  if (!opcode)
    return fail("expected min, max, cdiv or num_programs, got '" +
                std::string(name) + "'");
  std::optional<Code> left = binary(kOr);
  if (!left || !expect(","))
    return std::nullopt;
  std::optional<Code> right = binary(kOr);
  if (!right || !expect(")"))
    return std::nullopt;
  return join(std::move(*left), std::move(*right), opcode);
}

} // namespace

std::optional<std::string>
compilePredicate(std::string_view text,
                 const std::vector<std::string_view> &names,
                 std::string &error) {
  error.clear();
  return Parser(text, names, error).run();
}

} // namespace tilewright::sdk
