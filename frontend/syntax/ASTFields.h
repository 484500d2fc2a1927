//===- ASTFields.h - Visiting the fields of nodes ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// visitFields calls a visitor with the name and value of each field of a node,
// in CPython's order. The visitor's operator() is called with a node pointer
// (nullptr for an absent optional child), a list, an identifier, an operator,
// a ConstantValue or a number. Identifiers that may be absent are passed to
// `visitor.optional` instead.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_ASTFIELDS_H
#define TILEWRIGHT_FRONTEND_SYNTAX_ASTFIELDS_H

#include "frontend/syntax/AST.h"

namespace tilewright::ast {

//===--- Helper nodes ---===//

template <typename V> void fieldsOf(const Module &n, V &v) {
  v("body", n.body);
}
template <typename V> void fieldsOf(const Arguments &n, V &v) {
  v("posonlyargs", n.posonlyargs);
  v("args", n.args);
  v("vararg", n.vararg);
  v("kwonlyargs", n.kwonlyargs);
  v("kw_defaults", n.kwDefaults);
  v("kwarg", n.kwarg);
  v("defaults", n.defaults);
}
template <typename V> void fieldsOf(const Arg &n, V &v) {
  v("arg", n.arg);
  v("annotation", n.annotation);
}
template <typename V> void fieldsOf(const Keyword &n, V &v) {
  v.optional("arg", n.arg);
  v("value", n.value);
}
template <typename V> void fieldsOf(const Alias &n, V &v) {
  v("name", n.name);
  v.optional("asname", n.asname);
}
template <typename V> void fieldsOf(const WithItem &n, V &v) {
  v("context_expr", n.contextExpr);
  v("optional_vars", n.optionalVars);
}
template <typename V> void fieldsOf(const MatchCase &n, V &v) {
  v("pattern", n.pattern);
  v("guard", n.guard);
  v("body", n.body);
}
template <typename V> void fieldsOf(const ExceptHandler &n, V &v) {
  v("type", n.type);
  v.optional("name", n.name);
  v("body", n.body);
}
template <typename V> void fieldsOf(const Comprehension &n, V &v) {
  v("target", n.target);
  v("iter", n.iter);
  v("ifs", n.ifs);
  v("is_async", static_cast<int64_t>(n.isAsync));
}

//===--- Statements ---===//

template <NodeKind K, typename V> void fieldsOf(const FunctionOf<K> &n, V &v) {
  v("name", n.name);
  v("args", n.args);
  v("body", n.body);
  v("decorator_list", n.decoratorList);
  v("returns", n.returns);
}
template <typename V> void fieldsOf(const ClassDef &n, V &v) {
  v("name", n.name);
  v("bases", n.bases);
  v("keywords", n.keywords);
  v("body", n.body);
  v("decorator_list", n.decoratorList);
}
template <typename V> void fieldsOf(const Return &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const Delete &n, V &v) {
  v("targets", n.targets);
}
template <typename V> void fieldsOf(const Assign &n, V &v) {
  v("targets", n.targets);
  v("value", n.value);
}
template <typename V> void fieldsOf(const AugAssign &n, V &v) {
  v("target", n.target);
  v("op", n.op);
  v("value", n.value);
}
template <typename V> void fieldsOf(const AnnAssign &n, V &v) {
  v("target", n.target);
  v("annotation", n.annotation);
  v("value", n.value);
  v("simple", static_cast<int64_t>(n.simple));
}
template <NodeKind K, typename V> void fieldsOf(const ForOf<K> &n, V &v) {
  v("target", n.target);
  v("iter", n.iter);
  v("body", n.body);
  v("orelse", n.orelse);
}
template <typename V> void fieldsOf(const While &n, V &v) {
  v("test", n.test);
  v("body", n.body);
  v("orelse", n.orelse);
}
template <typename V> void fieldsOf(const If &n, V &v) {
  v("test", n.test);
  v("body", n.body);
  v("orelse", n.orelse);
}
template <NodeKind K, typename V> void fieldsOf(const WithOf<K> &n, V &v) {
  v("items", n.items);
  v("body", n.body);
}
template <typename V> void fieldsOf(const Match &n, V &v) {
  v("subject", n.subject);
  v("cases", n.cases);
}
template <typename V> void fieldsOf(const Raise &n, V &v) {
  v("exc", n.exc);
  v("cause", n.cause);
}
template <NodeKind K, typename V> void fieldsOf(const TryOf<K> &n, V &v) {
  v("body", n.body);
  v("handlers", n.handlers);
  v("orelse", n.orelse);
  v("finalbody", n.finalbody);
}
template <typename V> void fieldsOf(const Assert &n, V &v) {
  v("test", n.test);
  v("msg", n.msg);
}
template <typename V> void fieldsOf(const Import &n, V &v) {
  v("names", n.names);
}
template <typename V> void fieldsOf(const ImportFrom &n, V &v) {
  v.optional("module", n.module);
  v("names", n.names);
  v("level", static_cast<int64_t>(n.level));
}
template <typename V> void fieldsOf(const Global &n, V &v) {
  v("names", n.names);
}
template <typename V> void fieldsOf(const Nonlocal &n, V &v) {
  v("names", n.names);
}
template <typename V> void fieldsOf(const ExprStmt &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const Pass &, V &) {}
template <typename V> void fieldsOf(const Break &, V &) {}
template <typename V> void fieldsOf(const Continue &, V &) {}

//===--- Expressions ---===//

template <typename V> void fieldsOf(const BoolOp &n, V &v) {
  v("op", n.op);
  v("values", n.values);
}
template <typename V> void fieldsOf(const NamedExpr &n, V &v) {
  v("target", n.target);
  v("value", n.value);
}
template <typename V> void fieldsOf(const BinOp &n, V &v) {
  v("left", n.left);
  v("op", n.op);
  v("right", n.right);
}
template <typename V> void fieldsOf(const UnaryOp &n, V &v) {
  v("op", n.op);
  v("operand", n.operand);
}
template <typename V> void fieldsOf(const Lambda &n, V &v) {
  v("args", n.args);
  v("body", n.body);
}
template <typename V> void fieldsOf(const IfExp &n, V &v) {
  v("test", n.test);
  v("body", n.body);
  v("orelse", n.orelse);
}
template <typename V> void fieldsOf(const Dict &n, V &v) {
  v("keys", n.keys);
  v("values", n.values);
}
template <typename V> void fieldsOf(const Set &n, V &v) { v("elts", n.elts); }
template <NodeKind K, typename V> void fieldsOf(const CompOf<K> &n, V &v) {
  v("elt", n.elt);
  v("generators", n.generators);
}
template <typename V> void fieldsOf(const DictComp &n, V &v) {
  v("key", n.key);
  v("value", n.value);
  v("generators", n.generators);
}
template <typename V> void fieldsOf(const Await &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const Yield &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const YieldFrom &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const Compare &n, V &v) {
  v("left", n.left);
  v("ops", n.ops);
  v("comparators", n.comparators);
}
template <typename V> void fieldsOf(const Call &n, V &v) {
  v("func", n.func);
  v("args", n.args);
  v("keywords", n.keywords);
}
template <typename V> void fieldsOf(const FormattedValue &n, V &v) {
  v("value", n.value);
  v("conversion", static_cast<int64_t>(n.conversion));
  v("format_spec", n.formatSpec);
}
template <typename V> void fieldsOf(const JoinedStr &n, V &v) {
  v("values", n.values);
}
template <typename V> void fieldsOf(const Constant &n, V &v) {
  v("value", n.value);
  v.optional("kind", n.unicodePrefix ? Identifier("u") : Identifier());
}
template <typename V> void fieldsOf(const Attribute &n, V &v) {
  v("value", n.value);
  v("attr", n.attr);
  v("ctx", n.ctx);
}
template <typename V> void fieldsOf(const Subscript &n, V &v) {
  v("value", n.value);
  v("slice", n.slice);
  v("ctx", n.ctx);
}
template <typename V> void fieldsOf(const Starred &n, V &v) {
  v("value", n.value);
  v("ctx", n.ctx);
}
template <typename V> void fieldsOf(const Name &n, V &v) {
  v("id", n.id);
  v("ctx", n.ctx);
}
template <typename V> void fieldsOf(const List &n, V &v) {
  v("elts", n.elts);
  v("ctx", n.ctx);
}
template <typename V> void fieldsOf(const Tuple &n, V &v) {
  v("elts", n.elts);
  v("ctx", n.ctx);
}
template <typename V> void fieldsOf(const Slice &n, V &v) {
  v("lower", n.lower);
  v("upper", n.upper);
  v("step", n.step);
}

//===--- Patterns ---===//

template <typename V> void fieldsOf(const MatchValue &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const MatchSingleton &n, V &v) {
  v("value", n.value);
}
template <typename V> void fieldsOf(const MatchSequence &n, V &v) {
  v("patterns", n.patterns);
}
template <typename V> void fieldsOf(const MatchMapping &n, V &v) {
  v("keys", n.keys);
  v("patterns", n.patterns);
  v.optional("rest", n.rest);
}
template <typename V> void fieldsOf(const MatchClass &n, V &v) {
  v("cls", n.cls);
  v("patterns", n.patterns);
  v("kwd_attrs", n.kwdAttrs);
  v("kwd_patterns", n.kwdPatterns);
}
template <typename V> void fieldsOf(const MatchStar &n, V &v) {
  v.optional("name", n.name);
}
template <typename V> void fieldsOf(const MatchAs &n, V &v) {
  v("pattern", n.pattern);
  v.optional("name", n.name);
}
template <typename V> void fieldsOf(const MatchOr &n, V &v) {
  v("patterns", n.patterns);
}

/// Calls `visitor` with each field of `node`.
template <typename V> void visitFields(const Node &node, V &visitor) {
  switch (node.kind) {
#define TW_NODE(name)                                                          \
  case NodeKind::name:                                                         \
    return fieldsOf(static_cast<const name &>(node), visitor);
#include "frontend/syntax/NodeKinds.def"
  }
}

} // namespace tilewright::ast

#endif // TILEWRIGHT_FRONTEND_SYNTAX_ASTFIELDS_H
