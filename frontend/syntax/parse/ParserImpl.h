//===- ParserImpl.h - State of the parser -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recursive-descent parser behind Parser.h. Each member follows one rule
// of the Python 3.11 grammar. A parse function that returns nullptr (or false)
// has reported an error; its callers give up too, and the statement loop goes
// on at the next line.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_PARSE_PARSERIMPL_H
#define TILEWRIGHT_FRONTEND_SYNTAX_PARSE_PARSERIMPL_H

#include "frontend/syntax/lex/Lexer.h"

namespace tilewright::syntax {

using namespace tilewright::ast;

/// What is shared by a parser and those of the expressions in f-strings.
struct ParseState {
  ASTContext &context;
  Reporter &reporter;
  std::string_view text;
  const LexedFile &file;
  unsigned depth = 0;
};

class Parser {
public:
  Parser(ParseState &state, const std::vector<Token> &tokens)
      : state(state), context(state.context), reporter(state.reporter),
        text(state.text), tokens(tokens) {}

  StmtList parseFile();
  /// The contents of `{...}` in an f-string, up to EndOfFile.
  const Expr *parseInterpolation();

private:
  friend class FStringParser;
  using K = TokenKind;
  using Exprs = std::vector<const Expr *>;
  using Stmts = std::vector<const Stmt *>;

  //===--- Tokens (Parser.cpp) ---===//

  const Token &peek(size_t ahead = 0) const {
    size_t last = tokens.size() - 1;
    return tokens[index + ahead < last ? index + ahead : last];
  }
  K kind() const { return tokens[index].kind; }
  bool at(K k) const { return kind() == k; }
  bool atNext(K k) const { return peek(1).kind == k; }
  bool atSoftKeyword(std::string_view word) const {
    return at(K::Name) && textOf(peek()) == word;
  }
  const Token &take() {
    const Token &token = tokens[index];
    if (index + 1 < tokens.size())
      ++index;
    return token;
  }
  bool accept(K k) {
    if (!at(k))
      return false;
    take();
    return true;
  }
  std::string_view textOf(const Token &token) const {
    return text.substr(token.begin, token.end - token.begin);
  }
  Identifier identifierOf(const Token &token);
  /// Where the last token that is not layout ends.
  SourceRange lastRange() const;
  SourceRange rangeFrom(const Token &first) const {
    return join(first.range, lastRange());
  }

  //===--- Errors (Parser.cpp) ---===//

  std::nullptr_t fail(Code code, SourceRange range, std::string message,
                      std::string hint = {}, std::vector<Note> notes = {});
  /// Blames the current token, unless the lexer already did.
  std::nullptr_t failHere(Code code, std::string message, std::string hint = {},
                          std::vector<Note> notes = {});
  /// "expected `what`, got ..." at the current token.
  std::nullptr_t failExpected(Code code, const std::string &what,
                              std::string hint = {},
                              std::vector<Note> notes = {});
  std::string describe(const Token &token) const;
  bool expect(K k, const std::string &context);
  /// Expects the bracket that closes `open`.
  bool expectClose(K k, const Token &open);
  const Token *expectName(const std::string &what);
  std::string operatorHint() const;

  template <typename T, typename... Fields>
  const T *make(SourceRange range, Fields... fields) {
    const T *node = context.create<T>(range, fields...);
    if (node->height > Limits::TreeHeight)
      refuseNesting(range);
    return node;
  }
  void refuseNesting(SourceRange range);

  /// Counts recursion; false when there is too much of it.
  class Nesting {
  public:
    explicit Nesting(Parser &parser) : parser(parser) {
      isFine = ++parser.state.depth <= Limits::Recursion;
      if (!isFine)
        parser.refuseNesting(parser.peek().range);
    }
    ~Nesting() { --parser.state.depth; }
    explicit operator bool() const { return isFine; }

  private:
    Parser &parser;
    bool isFine;
  };

  //===--- Expressions (ParseExpression.cpp) ---===//

  static bool startsExpression(K k);
  bool atExpression() const { return startsExpression(kind()); }
  const Expr *parseStarExpressions();
  const Expr *parseStarExpression();
  const Expr *parseStarNamedExpression();
  const Expr *parseNamedExpression();
  const Expr *parseExpression();
  const Expr *parseLambda();
  const Expr *parseDisjunction();
  const Expr *parseConjunction();
  const Expr *parseInversion();
  const Expr *parseComparison();
  std::optional<CompareOperator> acceptComparison();
  const Expr *parseBitwiseOr() { return parseBinary(1); }
  const Expr *parseBinary(int minimum);
  const Expr *parseFactor();
  const Expr *parsePower();
  const Expr *parsePrimary();
  const Expr *parseSubscript(const Token &first, const Expr *value);
  const Expr *parseSlices();
  const Expr *parseSlice();
  const Expr *parseYield();

  //===--- Atoms (ParseAtom.cpp) ---===//

  const Expr *parseAtom();
  const Expr *parseNumber();
  const Expr *parseParenthesized();
  const Expr *parseList();
  const Expr *parseBraces();
  const Expr *parseSetRest(const Token &open, const Expr *first);
  const Expr *parseDict(const Token &open, const Expr *firstKey);
  bool parseDictEntry(const Expr *key, Exprs &keys, Exprs &values);
  bool atComprehension() const {
    return at(K::KwFor) || (at(K::KwAsync) && atNext(K::KwFor));
  }
  bool parseComprehensions(ArrayView<const Comprehension *> &clauses);
  const Comprehension *parseComprehension();
  bool checkElement(const Expr *element);
  bool parseElements(K close, Exprs &elements);

  //===--- Strings (ParseString.cpp, ParseFString.cpp) ---===//

  const Expr *parseStrings();
  bool appendDecoded(const Token &token, uint32_t begin, uint32_t end,
                     bool isRaw, bool isBytes, std::string &out);
  const Expr *makeString(SourceRange range, std::string_view value,
                         bool isUnicode);
  SourceRange rangeInToken(const Token &token, uint32_t begin,
                           uint32_t end) const;

  //===--- Arguments and parameters (ParseArguments.cpp) ---===//

  struct CallArguments {
    Exprs args;
    std::vector<const Keyword *> keywords;
    bool hasUnpackedKeywords = false;
  };
  struct Parameters;
  bool parseCallArguments(const Token &open, bool allowsGenerator,
                          CallArguments &arguments);
  bool parseCallArgument(const Token &open, bool allowsGenerator,
                         CallArguments &arguments);
  bool parseKeywordArgument(CallArguments &arguments);
  bool parsePositionalArgument(const Token &open, bool allowsGenerator,
                               CallArguments &arguments);
  bool checkRepeatedKeywords(const CallArguments &arguments);
  const Arguments *parseParameters(K close, bool isAnnotated);
  bool parseParameter(Parameters &parameters);
  bool parsePlainParameter(Parameters &parameters);
  bool parseSlashParameter(Parameters &parameters);
  bool parseStarParameter(Parameters &parameters);
  bool parseKeywordsParameter(Parameters &parameters);
  const Arg *parseParameterName(const Parameters &parameters, bool isStarred);
  bool checkDuplicateParameters(const Arguments &arguments);

  //===--- Targets (ParseTarget.cpp) ---===//

  enum class TargetUse { Assign, For, With, Delete };
  const Expr *parseForTargets();
  const Expr *toTarget(const Expr *expr, TargetUse use);
  const Expr *toTargetList(const Expr *expr, ExprList elts, bool isTuple,
                           TargetUse use);
  std::nullptr_t failTarget(const Expr *expr, TargetUse use);
  static std::string describeExpr(const Expr *expr);

  //===--- Simple statements (ParseStatement.cpp) ---===//

  void parseStatement(Stmts &body);
  void parseSimpleLine(Stmts &body);
  std::nullptr_t failEndOfStatement(const Token &first);
  const Stmt *parseSimple();
  const Stmt *parseExpressionStatement();
  const Expr *parseRightSide();
  const Stmt *parseAssignment(const Token &first, const Expr *target);
  const Stmt *parseAnnotation(const Token &first, const Expr *target);
  std::optional<BinaryOperator> atAugmentedAssignment() const;
  const Stmt *parseAugmented(const Token &first, const Expr *target);
  const Stmt *parseReturn();
  const Stmt *parseDelete();
  const Stmt *parseRaise();
  const Stmt *parseAssert();
  const Stmt *parseImport();
  const Stmt *parseImportFrom();
  bool parseImportedNames(std::vector<const Alias *> &names);
  bool parseDottedName(std::string_view &name);
  const Alias *parseAlias(bool isDotted);
  template <typename T> const Stmt *parseNameDeclaration();

  //===--- Compound statements (ParseCompound.cpp) ---===//

  const Stmt *parseCompound();
  /// ':' and a block; `what` names the header for messages.
  bool parseBlock(const Token &header, const std::string &what, StmtList &body);
  void parseIndented(Stmts &body);
  /// Skips the rest of a broken line and checks the block below it, if any;
  /// an `else` after it is silently skipped, too.
  void synchronize(bool isCompound);
  void parseOrphanClause(bool isExpected);
  bool parseElse(StmtList &orelse);
  const Stmt *parseIf();
  const Stmt *parseWhile();
  const Stmt *parseFor(const Token &first, bool isAsync);
  const Stmt *parseWith(const Token &first, bool isAsync);
  bool parseWithItems(std::vector<const WithItem *> &items);
  bool tryParenthesizedItems(std::vector<const WithItem *> &items);
  const WithItem *parseWithItem();
  const Stmt *parseTry();
  bool parseHandlers(std::vector<const ExceptHandler *> &handlers,
                     bool &isStar);
  const ExceptHandler *parseHandler(bool isStar);

  //===--- Definitions (ParseDefinition.cpp) ---===//

  const Stmt *parseDecorated();
  const Stmt *parseFunction(const Token &first, bool isAsync,
                            ExprList decorators);
  const Stmt *parseClass(ExprList decorators);
  const Stmt *parseAsync(ExprList decorators, bool isDecorated);

  //===--- Match (ParseMatch.cpp and ParsePattern.cpp) ---===//

  bool atMatchStatement();
  const Stmt *parseMatch();
  const Expr *parseSubject();
  const MatchCase *parseCase();
  const Pattern *parsePatterns();
  const Pattern *parsePattern();
  const Pattern *parseMaybeStarPattern();
  const Pattern *parseOrPattern();
  const Pattern *parseClosedPattern();
  const Pattern *parseNamePattern();
  const Pattern *parseClassPattern(const Token &first, const Expr *cls);
  bool parseClassArguments(std::vector<const Pattern *> &patterns,
                           std::vector<Identifier> &names,
                           std::vector<const Pattern *> &namedPatterns);
  const Pattern *parseGroupPattern();
  const Pattern *parseListPattern();
  bool parsePatternList(K close, std::vector<const Pattern *> &patterns);
  const Pattern *parseMappingPattern();
  const Expr *parseMappingKey();
  const Expr *parseDottedValue();
  const Expr *parseLiteralNumber();
  const Pattern *parseLiteralPattern();
  const Token *parseCaptureName(const char *what);

  ParseState &state;
  ASTContext &context;
  Reporter &reporter;
  std::string_view text;
  const std::vector<Token> &tokens;
  size_t index = 0;
  /// The last statement was dropped, so an `else` may belong to it.
  bool lastFailed = false;
};

/// The value of None, True or False.
ConstantValue singletonValue(TokenKind keyword);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_PARSE_PARSERIMPL_H
