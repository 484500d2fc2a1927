//===- LayoutText.cpp - Layouts as text -----------------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing and parsing of layouts; each reads what the other writes.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/GF2.h"
#include "backends/simt/layout/LinearLayout.h"

#include <cctype>

using namespace tilewright::simt;

/// `[1, 0]`.
static std::string printVector(const std::vector<uint64_t> &indices) {
  std::string text = "[";
  for (size_t d = 0; d < indices.size(); ++d)
    text += (d ? ", " : "") + std::to_string(indices[d]);
  return text + "]";
}

std::string LinearLayout::toString() const {
  std::string text;
  for (const LayoutDim &in : ins) {
    text += (text.empty() ? "" : ", ") + in.name + "=[";
    for (unsigned bit = 0; bit < in.bits; ++bit)
      text += (bit ? ", " : "") + printVector(basisIndices(in.name, bit));
    text += "]";
  }
  text += text.empty() ? "->" : " ->";
  for (size_t d = 0; d < outs.size(); ++d)
    text +=
        (d ? ", " : " ") + outs[d].name + "=" + std::to_string(outs[d].size());
  return text;
}

namespace {

/// Reads one layout; the first fault stays in `error`.
class Parser {
public:
  Parser(const std::string &text, std::string &error)
      : text(text), error(error) {}

  std::optional<LinearLayout> parseLayout();

private:
  struct Input {
    std::string name;
    std::vector<std::vector<uint64_t>> bases;
  };

  void skipSpace() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool tryRead(const char *token);
  bool expect(const char *token);
  bool parseName(std::string &name);
  bool parseNumber(uint64_t &number);
  /// `[a, b, ...]`, each element read by `element`.
  template <typename Element> bool parseList(Element element);
  bool parseInput();
  bool parseOutput();
  std::optional<LinearLayout> build();
  bool fail(const std::string &message) {
    if (error.empty())
      error = message + " at column " + std::to_string(at + 1);
    return false;
  }

  const std::string &text;
  std::string &error;
  size_t at = 0;
  std::vector<Input> inputs;
  LayoutDims outputs;
};

} // namespace

bool Parser::tryRead(const char *token) {
  skipSpace();
  std::string word = token;
  if (text.compare(at, word.size(), word) != 0)
    return false;
  at += word.size();
  return true;
}

bool Parser::expect(const char *token) {
  return tryRead(token) || fail(std::string("expected '") + token + "'");
}

bool Parser::parseName(std::string &name) {
  skipSpace();
  size_t begin = at;
  while (
      at < text.size() &&
      (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
    ++at;
  name = text.substr(begin, at - begin);
  return !name.empty() || fail("expected the name of a dimension");
}

bool Parser::parseNumber(uint64_t &number) {
  skipSpace();
  size_t begin = at;
  number = 0;
  while (at < text.size() &&
         std::isdigit(static_cast<unsigned char>(text[at]))) {
    if (number > (UINT64_MAX - 9) / 10)
      return fail("expected a smaller number");
    number = number * 10 + (text[at++] - '0');
  }
  return at > begin || fail("expected a number");
}

template <typename Element> bool Parser::parseList(Element element) {
  if (!expect("["))
    return false;
  if (tryRead("]"))
    return true;
  do {
    if (!element())
      return false;
  } while (tryRead(","));
  return expect("]");
}

bool Parser::parseInput() {
  Input input;
  if (!parseName(input.name) || !expect("="))
    return false;
  for (const Input &earlier : inputs)
    if (earlier.name == input.name)
      return fail("expected each dimension once, got '" + input.name +
                  "' again");
  auto parseBasis = [&] {
    input.bases.emplace_back();
    return parseList([&] {
      uint64_t number = 0;
      if (!parseNumber(number))
        return false;
      input.bases.back().push_back(number);
      return true;
    });
  };
  if (!parseList(parseBasis))
    return false;
  inputs.push_back(std::move(input));
  return true;
}

bool Parser::parseOutput() {
  std::string name;
  uint64_t size = 0;
  if (!parseName(name) || !expect("=") || !parseNumber(size))
    return false;
  if (size == 0 || (size & (size - 1)))
    return fail("expected a power of two, got " + std::to_string(size));
  for (const LayoutDim &earlier : outputs)
    if (earlier.name == name)
      return fail("expected each dimension once, got '" + name + "' again");
  outputs.push_back({name, lowestBit(size)});
  return true;
}

std::optional<LinearLayout> Parser::build() {
  LayoutDims ins;
  std::vector<uint64_t> columns;
  for (const Input &input : inputs)
    ins.push_back({input.name, unsigned(input.bases.size())});
  if (totalBits(ins) > 63 || totalBits(outputs) > 63) {
    fail("expected at most 63 bits on each side");
    return std::nullopt;
  }
  for (auto input = inputs.rbegin(); input != inputs.rend(); ++input)
    for (const std::vector<uint64_t> &basis : input->bases) {
      if (basis.size() != outputs.size()) {
        fail("expected " + std::to_string(outputs.size()) +
             " indices in each basis, got " + std::to_string(basis.size()));
        return std::nullopt;
      }
      for (size_t d = 0; d < basis.size(); ++d)
        if (basis[d] >= outputs[d].size()) {
          fail("expected an index below " + std::to_string(outputs[d].size()) +
               ", got " + std::to_string(basis[d]));
          return std::nullopt;
        }
      columns.push_back(packIndices(outputs, basis));
    }
  return LinearLayout(std::move(ins), outputs, std::move(columns));
}

std::optional<LinearLayout> Parser::parseLayout() {
  if (!tryRead("->")) {
    do {
      if (!parseInput())
        return std::nullopt;
    } while (tryRead(","));
    if (!expect("->"))
      return std::nullopt;
  }
  skipSpace();
  if (at < text.size()) {
    do {
      if (!parseOutput())
        return std::nullopt;
    } while (tryRead(","));
  }
  skipSpace();
  if (at != text.size()) {
    fail("expected the end of the layout");
    return std::nullopt;
  }
  return build();
}

std::optional<LinearLayout> LinearLayout::parse(const std::string &text,
                                                std::string &error) {
  error.clear();
  return Parser(text, error).parseLayout();
}
