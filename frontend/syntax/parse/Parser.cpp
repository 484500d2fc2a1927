//===- Parser.cpp - Text to syntax tree -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry point, and the token and error helpers of the parser.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/Parser.h"
#include "frontend/syntax/lex/Source.h"
#include "frontend/syntax/lex/Unicode.h"
#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

const Module *syntax::parseModule(ASTContext &context, std::string_view bytes,
                                  std::string fileName, DiagnosticSink &sink) {
  size_t firstDiagnostic = sink.diagnostics().size();
  Reporter reporter(sink, fileName);
  std::string lossy;
  std::string_view source;
  StmtList body;
  LexedFile file;
  if (std::optional<std::string> text = decodeSource(bytes, reporter, lossy)) {
    source = context.copy(*text);
    file = lexFile(source, reporter);
    ParseState state{context, reporter, source, file};
    body = Parser(state, file.tokens).parseFile();
  } else {
    source = context.copy(lossy);
    file.lineStarts.push_back(0);
    for (uint32_t i = 0; i < source.size(); ++i)
      if (source[i] == '\n')
        file.lineStarts.push_back(i + 1);
  }
  if (reporter.errorCount()) {
    sink.addSource(fileName, std::string(source));
    sink.sortByPosition(firstDiagnostic);
  }

  SourceRange range{1, 0, 1, 0};
  if (!body.empty())
    range = join(range, body.back()->range);
  return context.create<Module>(range, body, context.copy(fileName), source,
                                context.copy(file.lineStarts),
                                context.copy(file.hints));
}

StmtList Parser::parseFile() {
  Stmts body;
  while (!at(K::EndOfFile) && !reporter.stopped())
    parseStatement(body);
  return context.copy(body);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Identifier Parser::identifierOf(const Token &token) {
  std::string_view name = textOf(token);
  for (char c : name)
    if (c & 0x80)
      return context.copy(normalizeIdentifier(name));
  return name;
}

SourceRange Parser::lastRange() const {
  for (size_t i = index; i-- > 0;)
    if (!isLayout(tokens[i].kind))
      return tokens[i].range;
  return tokens[0].range;
}

std::string Parser::describe(const Token &token) const {
  std::string quoted = "'" + std::string(textOf(token)) + "'";
  if (token.end - token.begin > 40) {
    uint32_t end = token.begin + 37;
    while ((text[end] & 0xC0) == 0x80)
      --end;
    quoted =
        "'" + std::string(text.substr(token.begin, end - token.begin)) + "...'";
  }
  if (isLayout(token.kind))
    return std::string(spelling(token.kind));
  if (isKeyword(token.kind))
    return "keyword " + quoted;
  switch (token.kind) {
  case K::Name:
    return "name " + quoted;
  case K::Number:
    return "number " + quoted;
  case K::String:
    return "string";
  default:
    return quoted;
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

std::nullptr_t Parser::fail(Code code, SourceRange range, std::string message,
                            std::string hint, std::vector<Note> notes) {
  reporter.error(code, range, std::move(message), std::move(hint),
                 std::move(notes));
  return nullptr;
}

std::nullptr_t Parser::failHere(Code code, std::string message,
                                std::string hint, std::vector<Note> notes) {
  const Token &token = peek();
  if (token.is(K::Error))
    return nullptr;
  for (auto [begin, end] : state.file.unclosed)
    if (token.begin > begin && token.begin <= end)
      return nullptr;
  return fail(code, token.range, std::move(message), std::move(hint),
              std::move(notes));
}

/// For mistakes that come from other languages.
std::string Parser::operatorHint() const {
  if (index == 0)
    return {};
  K before = tokens[index - 1].kind;
  bool isAdjacent = tokens[index - 1].end == peek().begin;
  if (!isAdjacent)
    return {};
  if (before == K::Ampersand && at(K::Ampersand))
    return "write 'and' for the logical operator";
  if (before == K::Pipe && at(K::Pipe))
    return "write 'or' for the logical operator";
  if (before == K::Less && at(K::Greater))
    return "write '!=' for inequality";
  if ((before == K::Plus || before == K::Minus) && isLayout(kind()))
    return "write 'x += 1' or 'x -= 1'";
  return {};
}

/// The next step where the caller knows none that is more to the point.
static const char *hintFor(Code code) {
  switch (code) {
  case ExpectedExpression:
    return "a value is missing here";
  case ExpectedColon:
    return "add the colon; the block follows it";
  case ExpectedEndOfStatement:
    return "start a new line, or separate statements with ';'";
  case ExpectedName:
    return "write a name: letters, digits and underscores";
  case InvalidDict:
    return "each entry of a dict reads 'key: value'";
  case InvalidPattern:
    return "patterns are literals, names, classes with arguments, sequences "
           "and mappings";
  default:
    return "add it, or remove what stands in its place";
  }
}

std::nullptr_t Parser::failExpected(Code code, const std::string &what,
                                    std::string hint, std::vector<Note> notes) {
  if (hint.empty())
    hint = operatorHint();
  if (hint.empty())
    hint = hintFor(code);
  return failHere(code, "expected " + what + ", got " + describe(peek()),
                  std::move(hint), std::move(notes));
}

bool Parser::expect(K k, const std::string &context) {
  if (accept(k))
    return true;
  std::string what = "'" + std::string(spelling(k)) + "'";
  if (!context.empty())
    what += " " + context;
  failExpected(ExpectedToken, what);
  return false;
}

bool Parser::expectClose(K k, const Token &open) {
  if (accept(k))
    return true;
  std::string close = "'" + std::string(spelling(k)) + "'";
  Note note{open.range, "'" + std::string(textOf(open)) + "' opened here", {}};
  if (atExpression())
    failExpected(MissingComma, "',' or " + close,
                 "add a comma or an operator before it", {note});
  else if (at(K::Equal))
    failExpected(AssignmentInExpression, "',' or " + close,
                 "write '==' to compare", {note});
  else
    failExpected(ExpectedToken, "',' or " + close, {}, {note});
  return false;
}

const Token *Parser::expectName(const std::string &what) {
  if (at(K::Name))
    return &take();
  std::string hint;
  if (isKeyword(kind()))
    hint = "'" + std::string(textOf(peek())) +
           "' is a keyword, choose another name";
  else if (at(K::Equal) && index && isKeyword(tokens[index - 1].kind))
    hint = "'" + std::string(textOf(tokens[index - 1])) +
           "' is a keyword, choose another name";
  failExpected(ExpectedName, what, hint);
  return nullptr;
}

void Parser::refuseNesting(SourceRange range) {
  if (reporter.isMuted())
    return;
  reporter.error(NestedTooDeeply, range, "the code is nested too deeply",
                 "split the expression or block, for example into variables "
                 "or functions");
  reporter.stop();
}
