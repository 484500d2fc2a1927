//===- Signature.cpp - The signature grammar --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive-descent parser over one line of text.
//===----------------------------------------------------------------------===//

#include "frontend/sema/kernel/Signature.h"

#include "frontend/sema/value/Value.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <set>

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

Constant Constant::makeBool(bool value) {
  Constant constant;
  constant.kind = Kind::Bool;
  constant.boolean = value;
  return constant;
}
Constant Constant::makeInt(BigInt value) {
  Constant constant;
  constant.kind = Kind::Int;
  constant.integer = std::move(value);
  return constant;
}
Constant Constant::makeFloat(double value) {
  Constant constant;
  constant.kind = Kind::Float;
  constant.number = value;
  return constant;
}
Constant Constant::makeStr(std::string value) {
  Constant constant;
  constant.kind = Kind::Str;
  constant.text = std::move(value);
  return constant;
}
Constant Constant::makeType(DType value) {
  Constant constant;
  constant.kind = Kind::Type;
  constant.type = value;
  return constant;
}
Constant Constant::makeTuple(std::vector<Constant> elements) {
  Constant constant;
  constant.kind = Kind::Tuple;
  constant.elements = std::move(elements);
  return constant;
}
Constant Constant::makeFunction(std::string name, std::string module) {
  Constant constant;
  constant.kind = Kind::Function;
  constant.text = std::move(name);
  constant.module = std::move(module);
  return constant;
}

std::string SignatureType::str() const {
  std::string text;
  if (kind == Kind::Constant)
    return "=" + Value::fromConstant(constant).pythonRepr();
  if (kind == Kind::Tuple) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const SignatureType &element = elements[i];
      text += text.empty() ? "" : ", ";
      if (!fields.empty())
        text += fields[i] + (element.kind == Kind::Constant ? "" : ":");
      text += element.str();
    }
    return name + "(" + text + (elements.size() == 1 ? ",)" : ")");
  }
  std::string facts;
  if (divisibility)
    facts = ":" + std::to_string(divisibility);
  if (isDisjoint)
    facts += facts.empty() ? "disjoint" : ",disjoint";
  facts = facts.empty() ? "" : "[" + facts + "]";
  if (kind == Kind::Descriptor) {
    for (int64_t extent : block)
      text += (text.empty() ? "" : ",") + std::to_string(extent);
    return "tensordesc<" + type.spelling() + "[" + text + "]" +
           (padsWithNaN ? ",nan>" : ">") + facts;
  }
  text = type.spelling();
  if (value)
    return text + "[" + std::to_string(*value) + "]";
  return text + facts;
}

namespace {
class SignatureParser {
public:
  SignatureParser(StringRef text, syntax::DiagnosticSink &sink,
                  std::string fileName)
      : text(text), sink(sink), fileName(std::move(fileName)) {
    errorsBefore = sink.errorCount();
  }

  std::vector<SignatureArg> parseEntries();
  Constant parseConstantValue(unsigned depth = 0);
  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  bool ok() const { return sink.errorCount() == errorsBefore; }
  void error(size_t from, const llvm::Twine &message, StringRef hint = "");
  size_t offset() const { return position; }

private:
  SignatureArg parseEntry();
  SignatureType parseType(unsigned depth = 0);
  void parseElements(SignatureType &type, unsigned depth);
  void parseFacts(SignatureType &type);
  void parseDescriptor(SignatureType &type);
  Constant parseNumber();
  Constant parseString(char quote);
  Constant parseSequence(char close, unsigned depth);
  Constant parseRecord(std::string name, unsigned depth);

  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool consume(StringRef token) {
    skipSpace();
    if (!text.substr(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }
  bool expect(StringRef token) {
    if (consume(token))
      return true;
    error(position, "expected '" + token + "', got " + describeNext());
    return false;
  }
  std::string describeNext() {
    skipSpace();
    return position == text.size() ? "the end"
                                   : "'" + text.substr(position, 1).str() + "'";
  }
  StringRef word() {
    skipSpace();
    size_t start = position;
    while (position < text.size() &&
           (llvm::isAlnum(text[position]) || text[position] == '_' ||
            text[position] == '.'))
      ++position;
    return text.slice(start, position);
  }
  std::optional<int64_t> integer() {
    skipSpace();
    size_t start = position;
    bool negative = consume("-");
    StringRef digits = text.substr(position).take_while(
        [](char c) { return llvm::isDigit(c); });
    position += digits.size();
    int64_t value;
    if (digits.getAsInteger(10, value)) {
      error(start, "expected an integer, got " + describeNext());
      return std::nullopt;
    }
    return negative ? -value : value;
  }

  StringRef text;
  size_t position = 0;
  syntax::DiagnosticSink &sink;
  std::string fileName;
  size_t errorsBefore;
};
} // namespace

void SignatureParser::error(size_t from, const llvm::Twine &message,
                            StringRef hint) {
  if (!ok())
    return;
  syntax::Diagnostic diagnostic;
  diagnostic.code = 2001;
  diagnostic.fileName = fileName;
  uint32_t column = static_cast<uint32_t>(from);
  diagnostic.range = {1, column, 1, column + 1};
  diagnostic.message = message.str();
  diagnostic.hint =
      hint.empty() ? "write entries as name:type or name=constant, for example "
                     "\"x:*fp32[:16], n:i32, BLOCK=128\""
                   : hint.str();
  sink.addSource(fileName, text.str());
  sink.report(std::move(diagnostic));
  position = text.size();
}

std::vector<SignatureArg> SignatureParser::parseEntries() {
  std::vector<SignatureArg> entries;
  std::set<std::string> names;
  while (!atEnd() && ok()) {
    skipSpace();
    size_t start = position;
    entries.push_back(parseEntry());
    if (ok() && !names.insert(entries.back().name).second)
      error(start, "parameter '" + entries.back().name + "' is given twice");
    if (!atEnd() && !expect(","))
      break;
  }
  return entries;
}

SignatureArg SignatureParser::parseEntry() {
  SignatureArg entry;
  size_t start = position;
  entry.name = word().str();
  if (entry.name.empty()) {
    error(start, "expected a parameter name, got " + describeNext());
    return entry;
  }
  if (consume("=")) {
    entry.isConstant = true;
    entry.constant = parseConstantValue();
  } else if (consume(":")) {
    entry.type = parseType();
  } else {
    error(position, "expected ':' and a type or '=' and a constant after '" +
                        entry.name + "', got " + describeNext());
  }
  return entry;
}

SignatureType SignatureParser::parseType(unsigned depth) {
  SignatureType type;
  if (depth > 16) {
    error(position, "expected at most 16 nested tuples");
    return type;
  }
  size_t before = position;
  StringRef tupleName = word();
  if (consume("(")) {
    type.kind = SignatureType::Kind::Tuple;
    type.name = tupleName.str();
    parseElements(type, depth);
    return type;
  }
  position = before;
  skipSpace();
  size_t start = position;
  if (consume("tensordesc<")) {
    parseDescriptor(type);
    if (ok() && consume("["))
      parseFacts(type);
    return type;
  }
  while (position < text.size() && text[position] == '*')
    ++position;
  word();
  StringRef spelling = text.slice(start, position);
  std::optional<DType> parsed = DType::parse(spelling);
  if (!parsed || parsed->isVoid()) {
    error(start, "expected a type, got '" + spelling + "'",
          "types are i1 i8 i16 i32 i64 u8 u16 u32 u64 fp16 bf16 fp32 fp64 "
          "fp8e4nv fp8e5 fp8e4b8 fp8e5b16 fp8e4b15, pointers *fp32 and *kfp32");
    return type;
  }
  type.type = *parsed;
  if (consume("["))
    parseFacts(type);
  return type;
}

/// What stands between the parentheses of a tuple's type.
void SignatureParser::parseElements(SignatureType &type, unsigned depth) {
  while (ok() && !consume(")")) {
    size_t before = position;
    std::string name = word().str();
    bool isConstant = consume("=");
    bool isNamed = !name.empty() && (isConstant || consume(":"));
    if (!isNamed)
      name.clear();
    if (!isNamed && !isConstant)
      position = before;
    if (isNamed != !type.fields.empty() && !type.elements.empty())
      error(before, "expected names for all elements of a tuple, or for none");
    if (isNamed)
      type.fields.push_back(std::move(name));
    if (isConstant) {
      SignatureType element;
      element.kind = SignatureType::Kind::Constant;
      element.constant = parseConstantValue(depth + 1);
      type.elements.push_back(std::move(element));
    } else {
      type.elements.push_back(parseType(depth + 1));
    }
    if (!consume(",")) {
      expect(")");
      break;
    }
  }
}

void SignatureParser::parseFacts(SignatureType &type) {
  skipSpace();
  size_t start = position;
  if (consume(":")) {
    std::optional<int64_t> divisor = integer();
    if (divisor && *divisor < 1)
      error(start, "expected a divisibility of 1 or more");
    type.divisibility = divisor.value_or(0);
    type.isDisjoint = consume(",") && expect("disjoint");
  } else if (consume("disjoint")) {
    type.isDisjoint = true;
  } else {
    type.value = integer();
    if (type.kind == SignatureType::Kind::Descriptor)
      error(start, "expected ':' before the divisibility of a descriptor");
    if (type.type.isPointer())
      error(start, "expected ':' before the divisibility of a pointer",
            "a pointer has no known value; write " + type.type.spelling() +
                "[:16]");
    if (type.type.isFloat())
      error(start, "expected an integer type before a known value");
  }
  bool hasMemory =
      type.type.isPointer() || type.kind == SignatureType::Kind::Descriptor;
  if (type.isDisjoint && !hasMemory)
    error(start, "expected a pointer type before 'disjoint'");
  expect("]");
}

void SignatureParser::parseDescriptor(SignatureType &type) {
  type.kind = SignatureType::Kind::Descriptor;
  size_t start = position;
  StringRef element = word();
  std::optional<DType> parsed = DType::parse(element);
  if (!parsed || parsed->isVoid() || parsed->isPointer()) {
    error(start, "expected an element type, got '" + element + "'");
    return;
  }
  type.type = *parsed;
  if (!expect("["))
    return;
  while (ok() && !consume("]")) {
    std::optional<int64_t> extent = integer();
    if (extent && *extent < 1)
      error(start, "expected positive block extents");
    type.block.push_back(extent.value_or(1));
    if (!consume(",")) {
      expect("]");
      break;
    }
  }
  if (ok() && type.block.empty())
    error(start, "expected at least one block extent");
  type.padsWithNaN = ok() && consume(",") && expect("nan");
  if (type.padsWithNaN && !type.type.isFloat())
    error(start, "expected floats with NaN padding, got '" + element + "'");
  expect(">");
}

Constant SignatureParser::parseConstantValue(unsigned depth) {
  skipSpace();
  size_t start = position;
  if (depth > 16) {
    error(start, "expected at most 16 nested tuples");
    return {};
  }
  if (consume("("))
    return parseSequence(')', depth);
  if (consume("["))
    return parseSequence(']', depth);
  if (consume("'"))
    return parseString('\'');
  if (consume("\""))
    return parseString('"');
  char next = position < text.size() ? text[position] : '\0';
  if (llvm::isDigit(next) || next == '-' || next == '+' || next == '.')
    return parseNumber();
  StringRef name = word();
  if (name == "True" || name == "False")
    return Constant::makeBool(name == "True");
  if (name == "None")
    return Constant::none();
  if (name == "inf" || name == "nan")
    return Constant::makeFloat(name == "inf" ? HUGE_VAL : NAN);
  StringRef bare = name;
  if (!bare.consume_front("tl."))
    bare.consume_front("torch.");
  if (std::optional<DType> type = DType::parse(bare))
    return Constant::makeType(*type);
  if (!name.empty() && consume("("))
    return parseRecord(name.str(), depth);
  if (!name.empty() && !llvm::isDigit(name[0])) {
    // A function by its name, or `module:name`; `module:` is a module.
    if (position == text.size() || text[position] != ':')
      return Constant::makeFunction(name.str(), "");
    ++position;
    StringRef member = word();
    if (!member.empty())
      return Constant::makeFunction(member.str(), name.str());
    Constant module = Constant::makeStr(name.str());
    module.kind = Constant::Kind::Module;
    return module;
  }
  error(start, "expected a constant, got " + describeNext(),
        "constants are numbers, True, False, None, quoted strings, tuples, "
        "type names and functions of the module");
  return {};
}

Constant SignatureParser::parseSequence(char close, unsigned depth) {
  std::vector<Constant> elements;
  bool sawComma = false;
  char token[] = {close, '\0'};
  while (ok() && !consume(token)) {
    elements.push_back(parseConstantValue(depth + 1));
    if (!consume(",")) {
      expect(token);
      break;
    }
    sawComma = true;
  }
  if (close == ')' && elements.size() == 1 && !sawComma)
    return elements.front();
  return Constant::makeTuple(std::move(elements));
}

/// `P(x=1, y=2)`: a tuple whose elements have names.
Constant SignatureParser::parseRecord(std::string name, unsigned depth) {
  std::vector<Constant> elements;
  std::vector<std::string> fields;
  while (ok() && !consume(")")) {
    size_t start = position;
    fields.push_back(word().str());
    if (fields.back().empty())
      error(start, "expected the name of an element, got " + describeNext());
    if (!expect("="))
      break;
    elements.push_back(parseConstantValue(depth + 1));
    if (!consume(",")) {
      expect(")");
      break;
    }
  }
  Constant constant = Constant::makeTuple(std::move(elements));
  constant.fields = std::move(fields);
  constant.text = std::move(name);
  return constant;
}

Constant SignatureParser::parseString(char quote) {
  size_t start = position - 1;
  std::string value;
  while (position < text.size() && text[position] != quote) {
    if (text[position] == '\\' && position + 1 < text.size()) {
      char escaped = text[++position];
      value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    } else {
      value += text[position];
    }
    ++position;
  }
  if (position == text.size())
    error(start, "expected a closing quote, got the end");
  ++position;
  return Constant::makeStr(std::move(value));
}

/// Decimal integers of any size, hexadecimal integers, and floats.
Constant SignatureParser::parseNumber() {
  size_t start = position;
  bool negative = consume("-");
  if (!negative)
    consume("+");
  if (consume("inf"))
    return Constant::makeFloat(negative ? -HUGE_VAL : HUGE_VAL);
  size_t digits = position;
  while (position < text.size() &&
         (llvm::isAlnum(text[position]) || text[position] == '.' ||
          text[position] == '_' ||
          ((text[position] == '-' || text[position] == '+') &&
           llvm::toLower(text[position - 1]) == 'e')))
    ++position;
  std::string body;
  for (char c : text.slice(digits, position))
    if (c != '_')
      body += c;
  StringRef number = body;
  uint64_t hexadecimal;
  if (number.starts_with_insensitive("0x") &&
      !number.drop_front(2).getAsInteger(16, hexadecimal)) {
    BigInt value = BigInt::fromUnsigned(hexadecimal);
    return Constant::makeInt(negative ? -value : value);
  }
  if (std::optional<BigInt> value = BigInt::fromDecimal(number))
    return Constant::makeInt(negative ? -*value : *value);
  double real;
  if (!number.getAsDouble(real, /*AllowInexact=*/true))
    return Constant::makeFloat(negative ? -real : real);
  error(start, "expected a number, got '" + number + "'");
  return {};
}

std::optional<std::vector<SignatureArg>>
sema::parseSignature(StringRef text, syntax::DiagnosticSink &sink,
                     std::string fileName) {
  SignatureParser parser(text, sink, std::move(fileName));
  std::vector<SignatureArg> entries = parser.parseEntries();
  if (!parser.ok())
    return std::nullopt;
  return entries;
}

std::optional<Constant> sema::parseConstant(StringRef text,
                                            syntax::DiagnosticSink &sink,
                                            std::string fileName) {
  SignatureParser parser(text, sink, std::move(fileName));
  Constant constant = parser.parseConstantValue();
  if (parser.ok() && !parser.atEnd())
    parser.error(parser.offset(), "expected the end of the constant");
  if (!parser.ok())
    return std::nullopt;
  return constant;
}
