//===- KernelList.cpp - Kernels of a module ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds functions decorated with jit and describes their parameters.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

/// The last name of a decorator: `triton.jit`, `jit(...)`, `tw.jit`.
static StringRef decoratorName(const ast::Expr *decorator) {
  if (const auto *call = ast::asNode<ast::Call>(decorator))
    decorator = call->func;
  if (const auto *attribute = ast::asNode<ast::Attribute>(decorator))
    return ref(attribute->attr);
  if (const auto *name = ast::asNode<ast::Name>(decorator))
    return ref(name->id);
  return "";
}

bool sema::isDecoratedWith(const ast::FunctionDef &def, StringRef name) {
  return llvm::any_of(def.decoratorList, [&](const ast::Expr *decorator) {
    return decoratorName(decorator) == name;
  });
}

static bool isKernel(const ast::FunctionDef &def) {
  return isDecoratedWith(def, "jit");
}

static bool isConstexprText(StringRef annotation) {
  annotation = annotation.trim("'\"");
  return annotation == "constexpr" || annotation.ends_with(".constexpr");
}

KernelInfo sema::describeKernel(const ast::Module &module,
                                const ast::FunctionDef &def) {
  KernelInfo info;
  info.name = std::string(def.name);
  info.range = def.range;
  const ast::Arguments &args = *def.args;
  std::vector<const ast::Arg *> positional(args.posonlyargs.begin(),
                                           args.posonlyargs.end());
  positional.insert(positional.end(), args.args.begin(), args.args.end());
  auto add = [&](const ast::Arg *arg,
                 const ast::Expr *value) -> ParameterInfo & {
    ParameterInfo parameter;
    parameter.name = std::string(arg->arg);
    parameter.range = arg->range;
    if (arg->annotation)
      parameter.annotation = std::string(module.textOf(arg->annotation->range));
    parameter.isConstexpr = isConstexprText(parameter.annotation);
    parameter.hasDefault = value != nullptr;
    if (value)
      parameter.defaultText = std::string(module.textOf(value->range));
    info.parameters.push_back(std::move(parameter));
    return info.parameters.back();
  };
  size_t firstDefault = positional.size() - args.defaults.size();
  for (size_t i = 0; i < positional.size(); ++i)
    add(positional[i],
        i >= firstDefault ? args.defaults[i - firstDefault] : nullptr);
  if (args.vararg)
    add(args.vararg, nullptr).isVariadic = true;
  for (size_t i = 0; i < args.kwonlyargs.size(); ++i)
    add(args.kwonlyargs[i], args.kwDefaults[i]);
  if (args.kwarg)
    add(args.kwarg, nullptr).isKeywordVariadic = true;
  return info;
}

static void collectKernels(const ast::Module &module, ast::StmtList body,
                           std::vector<const ast::FunctionDef *> &out) {
  for (const ast::Stmt *stmt : body) {
    if (const auto *def = ast::asNode<ast::FunctionDef>(stmt)) {
      if (isKernel(*def))
        out.push_back(def);
    } else if (const auto *branch = ast::asNode<ast::If>(stmt)) {
      collectKernels(module, branch->body, out);
      collectKernels(module, branch->orelse, out);
    } else if (const auto *attempt = ast::asNode<ast::Try>(stmt)) {
      collectKernels(module, attempt->body, out);
    }
  }
}

std::vector<KernelInfo> sema::listKernels(const ast::Module &module) {
  std::vector<const ast::FunctionDef *> found;
  collectKernels(module, module.body, found);
  std::vector<KernelInfo> kernels;
  for (const ast::FunctionDef *def : found)
    kernels.push_back(describeKernel(module, *def));
  return kernels;
}

/// A def of the given name anywhere in the module, for nested kernels.
static const ast::FunctionDef *findNested(ast::StmtList body, StringRef name) {
  for (const ast::Stmt *stmt : body) {
    ast::StmtList inner;
    if (const auto *def = ast::asNode<ast::FunctionDef>(stmt)) {
      if (ref(def->name) == name)
        return def;
      inner = def->body;
    } else if (const auto *def = ast::asNode<ast::ClassDef>(stmt)) {
      inner = def->body;
    } else if (const auto *branch = ast::asNode<ast::If>(stmt)) {
      if (const auto *def = findNested(branch->orelse, name))
        return def;
      inner = branch->body;
    } else if (const auto *attempt = ast::asNode<ast::Try>(stmt)) {
      inner = attempt->body;
    }
    if (const auto *def = findNested(inner, name))
      return def;
  }
  return nullptr;
}

const ast::FunctionDef *Interpreter::findKernel() {
  std::vector<const ast::FunctionDef *> kernels;
  collectKernels(*request.module, request.module->body, kernels);
  std::vector<std::string> names;
  for (const ast::FunctionDef *def : kernels)
    names.push_back(std::string(def->name));
  StringRef wanted = request.kernelName;
  if (wanted.empty()) {
    if (kernels.size() == 1)
      return kernels[0];
    error(2002,
          kernels.empty()
              ? "expected a function decorated with jit, got none"
              : "expected the name of a kernel, got a module with several",
          kernels.empty() ? "decorate the kernel with @tw.jit"
                          : "the kernels are " + llvm::join(names, ", "));
    return nullptr;
  }
  for (const ast::FunctionDef *def : llvm::reverse(kernels))
    if (ref(def->name) == wanted)
      return def;
  if (const auto *def =
          findNested(request.module->body, wanted.rsplit('.').second.empty()
                                               ? wanted
                                               : wanted.rsplit('.').second))
    return def;
  error(2003, "the module has no kernel named '" + wanted + "'",
        didYouMean(wanted, names,
                   names.empty()
                       ? "it has no function decorated with jit"
                       : "the kernels are " + llvm::join(names, ", ")));
  return nullptr;
}
