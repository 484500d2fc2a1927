//===- AST.h - Syntax tree of kernel source ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes mirror the classes and fields of CPython 3.11's `ast` module one to
// one (only `Expr` the statement is called ExprStmt here, because Expr is the
// base of expressions). Nodes are plain immutable records that an ASTContext
// owns; they need no destructor. Every node carries its source range and works
// with llvm::isa/cast/dyn_cast. An absent optional child is nullptr.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_AST_H
#define TILEWRIGHT_FRONTEND_SYNTAX_AST_H

#include "frontend/syntax/Diagnostic.h"

#include <cassert>
#include <optional>

namespace tilewright::ast {

using syntax::SourceRange;

/// A view of an array that the ASTContext owns.
template <typename T> class ArrayView {
public:
  ArrayView() = default;
  ArrayView(const T *data, size_t size) : first(data), count(size) {}

  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  const T *data() const { return first; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T &operator[](size_t i) const {
    assert(i < count && "index past the end of an AST list");
    return first[i];
  }
  const T &front() const { return (*this)[0]; }
  const T &back() const { return (*this)[count - 1]; }

private:
  const T *first = nullptr;
  size_t count = 0;
};

enum class NodeKind : uint8_t {
#define TW_NODE(name) name,
#include "frontend/syntax/NodeKinds.def"
};

/// CPython's class name of a kind ("BinOp", "arguments", "Expr", ...).
std::string_view kindName(NodeKind kind);

/// Base of all nodes. `height` is 1 for a leaf, else one more than the tallest
/// child; it never exceeds Limits::TreeHeight, so consumers may recurse.
struct Node {
  const NodeKind kind;
  uint32_t height = 1;
  SourceRange range;

protected:
  Node(NodeKind kind, SourceRange range) : kind(kind), range(range) {}
};

struct Stmt : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::FunctionDef &&
           node->kind <= NodeKind::Continue;
  }

protected:
  using Node::Node;
};

struct Expr : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::BoolOp && node->kind <= NodeKind::Slice;
  }

protected:
  using Node::Node;
};

struct Pattern : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::MatchValue &&
           node->kind <= NodeKind::MatchOr;
  }

protected:
  using Node::Node;
};

/// Gives a concrete node its kind and its classof.
template <typename Base, NodeKind K> struct NodeOf : Base {
  using Header = NodeOf;
  explicit NodeOf(SourceRange range) : Base(K, range) {}
  static bool classof(const Node *node) { return node->kind == K; }
};
template <NodeKind K> using StmtOf = NodeOf<Stmt, K>;
template <NodeKind K> using ExprOf = NodeOf<Expr, K>;
template <NodeKind K> using PatternOf = NodeOf<Pattern, K>;
template <NodeKind K> using HelperOf = NodeOf<Node, K>;

using ExprList = ArrayView<const Expr *>;
using StmtList = ArrayView<const Stmt *>;
using PatternList = ArrayView<const Pattern *>;
using Identifier = std::string_view;

/// For code that does without LLVM's casting header: nullptr when `node` is
/// nullptr or of another kind.
template <typename T> const T *asNode(const Node *node) {
  return node && T::classof(node) ? static_cast<const T *>(node) : nullptr;
}
template <typename T> bool isNode(const Node *node) {
  return node && T::classof(node);
}

//===----------------------------------------------------------------------===//
// Operators and constants
//===----------------------------------------------------------------------===//

enum class ExprContext : uint8_t { Load, Store, Del };
enum class BoolOperator : uint8_t { And, Or };
enum class BinaryOperator : uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv
};
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
enum class CompareOperator : uint8_t {
  Eq,
  NotEq,
  Lt,
  LtE,
  Gt,
  GtE,
  Is,
  IsNot,
  In,
  NotIn
};

std::string_view operatorName(ExprContext context);
std::string_view operatorName(BoolOperator op);
std::string_view operatorName(BinaryOperator op);
std::string_view operatorName(UnaryOperator op);
std::string_view operatorName(CompareOperator op);

enum class ConstantKind : uint8_t {
  None,
  Ellipsis,
  Bool,
  Int,
  Float,
  Complex,
  Str,
  Bytes
};

/// The value of a literal. Integers keep all their digits; strings are UTF-8
/// in which a lone surrogate takes its three-byte form.
struct ConstantValue {
  ConstantKind kind = ConstantKind::None;
  /// Bool.
  bool boolean = false;
  /// Float, or the imaginary part of Complex (the real part is 0).
  double number = 0.0;
  /// Int: decimal digits without sign or leading zeros. Str, Bytes: contents.
  std::string_view text;

  bool isNone() const { return kind == ConstantKind::None; }
  bool isInt() const { return kind == ConstantKind::Int; }
  bool isStr() const { return kind == ConstantKind::Str; }
  /// The integer when it fits, else nullopt; only for Int.
  std::optional<int64_t> asInt64() const;
  std::optional<uint64_t> asUInt64() const;
};

//===----------------------------------------------------------------------===//
// Helper nodes
//===----------------------------------------------------------------------===//

struct Arg : HelperOf<NodeKind::Arg> {
  Identifier arg;
  const Expr *annotation;
};

/// `defaults` belong to the last of posonlyargs + args; `kwDefaults` has one
/// entry per kwonlyarg, nullptr where there is no default.
struct Arguments : HelperOf<NodeKind::Arguments> {
  ArrayView<const Arg *> posonlyargs;
  ArrayView<const Arg *> args;
  const Arg *vararg;
  ArrayView<const Arg *> kwonlyargs;
  ExprList kwDefaults;
  const Arg *kwarg;
  ExprList defaults;
};

/// `arg` is empty for `**value`.
struct Keyword : HelperOf<NodeKind::Keyword> {
  Identifier arg;
  const Expr *value;
};

/// `asname` is empty when absent.
struct Alias : HelperOf<NodeKind::Alias> {
  Identifier name;
  Identifier asname;
};

struct WithItem : HelperOf<NodeKind::WithItem> {
  const Expr *contextExpr;
  const Expr *optionalVars;
};

struct MatchCase : HelperOf<NodeKind::MatchCase> {
  const Pattern *pattern;
  const Expr *guard;
  StmtList body;
};

/// `name` is empty when absent.
struct ExceptHandler : HelperOf<NodeKind::ExceptHandler> {
  const Expr *type;
  Identifier name;
  StmtList body;
};

struct Comprehension : HelperOf<NodeKind::Comprehension> {
  const Expr *target;
  const Expr *iter;
  ExprList ifs;
  bool isAsync;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The range starts at `def`; decorators lie before it (decoratedRange).
template <NodeKind K> struct FunctionOf : StmtOf<K> {
  Identifier name;
  const Arguments *args;
  StmtList body;
  ExprList decoratorList;
  const Expr *returns;
};
using FunctionDef = FunctionOf<NodeKind::FunctionDef>;
using AsyncFunctionDef = FunctionOf<NodeKind::AsyncFunctionDef>;

struct ClassDef : StmtOf<NodeKind::ClassDef> {
  Identifier name;
  ExprList bases;
  ArrayView<const Keyword *> keywords;
  StmtList body;
  ExprList decoratorList;
};

struct Return : StmtOf<NodeKind::Return> {
  const Expr *value;
};
struct Delete : StmtOf<NodeKind::Delete> {
  ExprList targets;
};
struct Assign : StmtOf<NodeKind::Assign> {
  ExprList targets;
  const Expr *value;
};
struct AugAssign : StmtOf<NodeKind::AugAssign> {
  const Expr *target;
  BinaryOperator op;
  const Expr *value;
};
/// `simple` is true for a name without parentheses.
struct AnnAssign : StmtOf<NodeKind::AnnAssign> {
  const Expr *target;
  const Expr *annotation;
  const Expr *value;
  bool simple;
};

template <NodeKind K> struct ForOf : StmtOf<K> {
  const Expr *target;
  const Expr *iter;
  StmtList body;
  StmtList orelse;
};
using For = ForOf<NodeKind::For>;
using AsyncFor = ForOf<NodeKind::AsyncFor>;

struct While : StmtOf<NodeKind::While> {
  const Expr *test;
  StmtList body;
  StmtList orelse;
};
struct If : StmtOf<NodeKind::If> {
  const Expr *test;
  StmtList body;
  StmtList orelse;
};

template <NodeKind K> struct WithOf : StmtOf<K> {
  ArrayView<const WithItem *> items;
  StmtList body;
};
using With = WithOf<NodeKind::With>;
using AsyncWith = WithOf<NodeKind::AsyncWith>;

struct Match : StmtOf<NodeKind::Match> {
  const Expr *subject;
  ArrayView<const MatchCase *> cases;
};
struct Raise : StmtOf<NodeKind::Raise> {
  const Expr *exc;
  const Expr *cause;
};

template <NodeKind K> struct TryOf : StmtOf<K> {
  StmtList body;
  ArrayView<const ExceptHandler *> handlers;
  StmtList orelse;
  StmtList finalbody;
};
using Try = TryOf<NodeKind::Try>;
using TryStar = TryOf<NodeKind::TryStar>;

struct Assert : StmtOf<NodeKind::Assert> {
  const Expr *test;
  const Expr *msg;
};
struct Import : StmtOf<NodeKind::Import> {
  ArrayView<const Alias *> names;
};
/// `module` is empty for `from . import x`; `level` counts the dots.
struct ImportFrom : StmtOf<NodeKind::ImportFrom> {
  Identifier module;
  ArrayView<const Alias *> names;
  uint32_t level;
};
struct Global : StmtOf<NodeKind::Global> {
  ArrayView<Identifier> names;
};
struct Nonlocal : StmtOf<NodeKind::Nonlocal> {
  ArrayView<Identifier> names;
};
/// CPython's statement `Expr`.
struct ExprStmt : StmtOf<NodeKind::ExprStmt> {
  const Expr *value;
};
struct Pass : StmtOf<NodeKind::Pass> {};
struct Break : StmtOf<NodeKind::Break> {};
struct Continue : StmtOf<NodeKind::Continue> {};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct BoolOp : ExprOf<NodeKind::BoolOp> {
  BoolOperator op;
  ExprList values;
};
struct NamedExpr : ExprOf<NodeKind::NamedExpr> {
  const Expr *target;
  const Expr *value;
};
struct BinOp : ExprOf<NodeKind::BinOp> {
  const Expr *left;
  BinaryOperator op;
  const Expr *right;
};
struct UnaryOp : ExprOf<NodeKind::UnaryOp> {
  UnaryOperator op;
  const Expr *operand;
};
struct Lambda : ExprOf<NodeKind::Lambda> {
  const Arguments *args;
  const Expr *body;
};
struct IfExp : ExprOf<NodeKind::IfExp> {
  const Expr *test;
  const Expr *body;
  const Expr *orelse;
};
/// A key is nullptr where the value is unpacked with `**`.
struct Dict : ExprOf<NodeKind::Dict> {
  ExprList keys;
  ExprList values;
};
struct Set : ExprOf<NodeKind::Set> {
  ExprList elts;
};

template <NodeKind K> struct CompOf : ExprOf<K> {
  const Expr *elt;
  ArrayView<const Comprehension *> generators;
};
using ListComp = CompOf<NodeKind::ListComp>;
using SetComp = CompOf<NodeKind::SetComp>;
using GeneratorExp = CompOf<NodeKind::GeneratorExp>;
struct DictComp : ExprOf<NodeKind::DictComp> {
  const Expr *key;
  const Expr *value;
  ArrayView<const Comprehension *> generators;
};

struct Await : ExprOf<NodeKind::Await> {
  const Expr *value;
};
struct Yield : ExprOf<NodeKind::Yield> {
  const Expr *value;
};
struct YieldFrom : ExprOf<NodeKind::YieldFrom> {
  const Expr *value;
};
struct Compare : ExprOf<NodeKind::Compare> {
  const Expr *left;
  ArrayView<CompareOperator> ops;
  ExprList comparators;
};
struct Call : ExprOf<NodeKind::Call> {
  const Expr *func;
  ExprList args;
  ArrayView<const Keyword *> keywords;
};
/// `conversion` is the character after `!` or -1; formatSpec is a JoinedStr.
struct FormattedValue : ExprOf<NodeKind::FormattedValue> {
  const Expr *value;
  int32_t conversion;
  const Expr *formatSpec;
};
struct JoinedStr : ExprOf<NodeKind::JoinedStr> {
  ExprList values;
};
/// `unicodePrefix` is true for u"..." (CPython's kind='u').
struct Constant : ExprOf<NodeKind::Constant> {
  ConstantValue value;
  bool unicodePrefix;
};
struct Attribute : ExprOf<NodeKind::Attribute> {
  const Expr *value;
  Identifier attr;
  ExprContext ctx;
};
struct Subscript : ExprOf<NodeKind::Subscript> {
  const Expr *value;
  const Expr *slice;
  ExprContext ctx;
};
struct Starred : ExprOf<NodeKind::Starred> {
  const Expr *value;
  ExprContext ctx;
};
struct Name : ExprOf<NodeKind::Name> {
  Identifier id;
  ExprContext ctx;
};
struct List : ExprOf<NodeKind::List> {
  ExprList elts;
  ExprContext ctx;
};
struct Tuple : ExprOf<NodeKind::Tuple> {
  ExprList elts;
  ExprContext ctx;
};
struct Slice : ExprOf<NodeKind::Slice> {
  const Expr *lower;
  const Expr *upper;
  const Expr *step;
};

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct MatchValue : PatternOf<NodeKind::MatchValue> {
  const Expr *value;
};
/// None, True or False.
struct MatchSingleton : PatternOf<NodeKind::MatchSingleton> {
  ConstantValue value;
};
struct MatchSequence : PatternOf<NodeKind::MatchSequence> {
  PatternList patterns;
};
/// `rest` is empty when there is no `**rest`.
struct MatchMapping : PatternOf<NodeKind::MatchMapping> {
  ExprList keys;
  PatternList patterns;
  Identifier rest;
};
struct MatchClass : PatternOf<NodeKind::MatchClass> {
  const Expr *cls;
  PatternList patterns;
  ArrayView<Identifier> kwdAttrs;
  PatternList kwdPatterns;
};
/// `name` is empty for `*_`.
struct MatchStar : PatternOf<NodeKind::MatchStar> {
  Identifier name;
};
/// A capture (`pattern` is nullptr) or the wildcard (`name` is empty, too).
struct MatchAs : PatternOf<NodeKind::MatchAs> {
  const Pattern *pattern;
  Identifier name;
};
struct MatchOr : PatternOf<NodeKind::MatchOr> {
  PatternList patterns;
};

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

/// A comment kept from the source, `#` included.
struct Comment {
  SourceRange range;
  std::string_view text;
};

struct Module : HelperOf<NodeKind::Module> {
  StmtList body;
  std::string_view fileName;
  /// The text that positions refer to: UTF-8 without byte order mark, every
  /// line ended by a single '\n'.
  std::string_view source;
  /// Offset in `source` of the start of each line.
  ArrayView<uint32_t> lineStarts;
  /// Comments that begin with `#@hint:`, in source order.
  ArrayView<Comment> hints;

  /// The source text of a range.
  std::string_view textOf(SourceRange range) const;
};

/// The range of a function or class with its decorators, `@` included; the
/// range of any other statement unchanged.
SourceRange decoratedRange(const Stmt *stmt);

} // namespace tilewright::ast

#endif // TILEWRIGHT_FRONTEND_SYNTAX_AST_H
