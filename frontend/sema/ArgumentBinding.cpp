//===- ArgumentBinding.cpp - Arguments of helper functions ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's binding of positional and keyword arguments, defaults, *args and
// **kwargs to the parameters of a def.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

using namespace tilewright;
using namespace tilewright::sema;

namespace {
class Binder {
public:
  Binder(Interpreter &interpreter, const FunctionPayload &function,
         Scope &scope)
      : in(interpreter), function(function), spec(*function.args),
        scope(scope) {
    positional.append(spec.posonlyargs.begin(), spec.posonlyargs.end());
    positional.append(spec.args.begin(), spec.args.end());
  }

  bool bindGiven(llvm::ArrayRef<Argument> arguments) {
    return llvm::all_of(arguments, [&](const Argument &argument) {
      return argument.name.empty() ? bindPositional(argument)
                                   : bindKeyword(argument);
    });
  }
  bool bindDefaults();
  void bindVariadics();

private:
  bool bind(const ast::Arg *parameter, const Argument &argument);
  bool bindPositional(const Argument &argument);
  bool bindKeyword(const Argument &argument);
  bool useDefault(const ast::Arg *parameter, const ast::Expr *expr);

  Interpreter &in;
  const FunctionPayload &function;
  const ast::Arguments &spec;
  Scope &scope;
  llvm::SmallVector<const ast::Arg *> positional;
  size_t next = 0;
  std::vector<Value> extra;
  std::shared_ptr<DictPayload> extraKeywords = std::make_shared<DictPayload>();
};
} // namespace

bool Binder::bind(const ast::Arg *parameter, const Argument &argument) {
  std::string name(parameter->arg);
  if (scope.find(ref(parameter->arg))) {
    in.reporter().errorAt(argument.range, 2165,
                          "expected one value for '" + name + "' of '" +
                              function.name + "', got two");
    return false;
  }
  Binding binding;
  binding.value = argument.value;
  binding.site = parameter;
  scope.bind(ref(parameter->arg), std::move(binding));
  return true;
}

bool Binder::bindPositional(const Argument &argument) {
  if (next < positional.size())
    return bind(positional[next++], argument);
  if (spec.vararg) {
    extra.push_back(argument.value);
    return true;
  }
  in.reporter().errorAt(argument.range, 2163,
                        "expected at most " + llvm::Twine(positional.size()) +
                            " arguments of '" + function.name + "', got more");
  return false;
}

bool Binder::bindKeyword(const Argument &argument) {
  std::vector<std::string> names;
  for (const auto *list : {&spec.args, &spec.kwonlyargs})
    for (const ast::Arg *parameter : *list) {
      if (ref(parameter->arg) == argument.name)
        return bind(parameter, argument);
      names.push_back(std::string(parameter->arg));
    }
  if (spec.kwarg) {
    extraKeywords->entries.emplace_back(argument.name.str(), argument.value);
    return true;
  }
  in.reporter().errorAt(argument.range, 2164,
                        "expected a parameter of '" + function.name +
                            "', got '" + argument.name + "'",
                        didYouMean(argument.name, names));
  return false;
}

bool Binder::useDefault(const ast::Arg *parameter, const ast::Expr *expr) {
  if (scope.find(ref(parameter->arg)))
    return true;
  if (!expr) {
    in.error(2166, "expected a value for '" + std::string(parameter->arg) +
                       "' of '" + function.name + "'");
    return false;
  }
  Binding binding;
  binding.value = in.evaluateIn(*function.module, expr);
  binding.site = parameter;
  bool ok = !binding.value.isError();
  scope.bind(ref(parameter->arg), std::move(binding));
  return ok;
}

bool Binder::bindDefaults() {
  size_t firstDefault = positional.size() - spec.defaults.size();
  for (size_t i = 0; i < positional.size(); ++i)
    if (!useDefault(positional[i], i < firstDefault
                                       ? nullptr
                                       : spec.defaults[i - firstDefault]))
      return false;
  for (size_t i = 0; i < spec.kwonlyargs.size(); ++i)
    if (!useDefault(spec.kwonlyargs[i], spec.kwDefaults[i]))
      return false;
  return true;
}

void Binder::bindVariadics() {
  if (spec.vararg) {
    Binding binding;
    binding.value = Value::tuple(std::move(extra));
    scope.bind(ref(spec.vararg->arg), std::move(binding));
  }
  if (spec.kwarg) {
    Binding binding;
    binding.value = Value::withPayload(Value::Kind::Dict, extraKeywords);
    scope.bind(ref(spec.kwarg->arg), std::move(binding));
  }
}

bool Interpreter::bindArguments(const FunctionPayload &function,
                                llvm::ArrayRef<Argument> arguments,
                                Scope &scope) {
  Binder binder(*this, function, scope);
  if (!binder.bindGiven(arguments) || !binder.bindDefaults())
    return false;
  binder.bindVariadics();
  return true;
}
