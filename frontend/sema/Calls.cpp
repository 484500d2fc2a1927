//===- Calls.cpp - Built-in and helper functions ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds arguments to parameters. Helper functions are interpreted in place,
// once per call; their operations carry the chain of calls as location.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::sema;

Value Interpreter::evaluateCall(const ast::Call &expr) {
  Value callee;
  {
    llvm::SaveAndRestore<const ast::Expr *> called(calledExpr, expr.func);
    callee = evaluate(expr.func);
  }
  llvm::SmallVector<Argument, 8> arguments;
  bool failed = callee.isError();
  for (const ast::Expr *arg : expr.args) {
    const auto *starred = ast::asNode<ast::Starred>(arg);
    Value value = evaluate(starred ? starred->value : arg);
    failed |= value.isError();
    if (!starred) {
      arguments.push_back({"", std::move(value), arg->range});
      continue;
    }
    RangeScope scope(*this, arg->range);
    if (std::optional<std::vector<Value>> unpacked =
            value.isError() ? std::nullopt : items(value))
      for (Value &element : *unpacked)
        arguments.push_back({"", std::move(element), arg->range});
    else
      failed = true;
  }
  for (const ast::Keyword *keyword : expr.keywords) {
    Value value = evaluate(keyword->value);
    failed |= value.isError();
    if (!keyword->arg.empty()) {
      arguments.push_back(
          {ref(keyword->arg), std::move(value), keyword->range});
      continue;
    }
    if (value.is(Value::Kind::Dict)) {
      for (const auto &[name, entry] : value.payload<DictPayload>().entries)
        arguments.push_back({name, entry, keyword->range});
    } else if (!value.isError()) {
      failed = true;
      theReporter.errorAt(keyword->range, 2160,
                          "expected a dictionary after '**', got " +
                              value.describe());
    }
  }
  return failed ? Value::error() : call(callee, arguments);
}

Value Interpreter::callWithMathMode(const Value &callee,
                                    llvm::ArrayRef<Argument> arguments) {
  std::string mode;
  llvm::SmallVector<Argument, 8> rest(arguments);
  if (!takeMathMode(rest, mode))
    return Value::error();
  return withMathMode(mode, [&] {
    return callee.is(Value::Kind::Function)
               ? callFunction(callee, rest)
               : callBuiltin(*callee.builtinValue(), rest);
  });
}

Value Interpreter::call(const Value &callee,
                        llvm::ArrayRef<Argument> arguments) {
  switch (callee.kind()) {
  case Value::Kind::Builtin: {
    const Builtin &builtin = *callee.builtinValue();
    return builtin.takesMathMode ? callWithMathMode(callee, arguments)
                                 : callBuiltin(builtin, arguments);
  }
  case Value::Kind::Method: {
    const auto &method = callee.payload<MethodPayload>();
    llvm::SmallVector<Argument, 8> all;
    all.push_back({"", method.self, theReporter.range});
    all.append(arguments.begin(), arguments.end());
    if (!method.method)
      return callFunction(method.function, all);
    return callBuiltin(*method.method, all);
  }
  case Value::Kind::Function:
    return callee.payload<FunctionPayload>().module->isLibrary()
               ? callWithMathMode(callee, arguments)
               : callFunction(callee, arguments);
  case Value::Kind::Type:
    return callDType(callee, arguments);
  case Value::Kind::Class:
    return construct(callee, arguments);
  case Value::Kind::Error:
    return callee;
  default:
    return error(2161, "expected a function to call, got " + callee.describe());
  }
}

Value Interpreter::callValue(const Value &callee,
                             llvm::ArrayRef<Value> values) {
  llvm::SmallVector<Argument, 8> arguments;
  for (const Value &value : values) {
    if (value.isError())
      return value;
    arguments.push_back({"", value, theReporter.range});
  }
  return call(callee, arguments);
}

Value Interpreter::callDType(const Value &type,
                             llvm::ArrayRef<Argument> arguments) {
  if (arguments.size() != 1 || !arguments[0].name.empty())
    return error(2162,
                 "expected one value to convert to " + type.dtype().spelling());
  return emitter.cast(arguments[0].value, type.dtype());
}

static std::vector<std::string> parameterNames(const Builtin &builtin) {
  std::vector<std::string> names;
  for (const BuiltinParameter &parameter : builtin.parameters)
    names.push_back(parameter.name);
  return names;
}

Value Interpreter::callBuiltin(const Builtin &builtin,
                               llvm::ArrayRef<Argument> arguments) {
  CallArgs args;
  args.builtin = &builtin;
  args.range = theReporter.range;
  size_t count = builtin.parameters.size();
  args.values.resize(count);
  args.ranges.assign(count, args.range);
  llvm::SmallVector<bool, 8> given(count, false);
  std::vector<Value> extra;
  size_t next = 0;
  for (const Argument &argument : arguments) {
    if (argument.value.isError())
      return argument.value;
    size_t at = next;
    if (argument.name.empty()) {
      if (at < count && builtin.parameters[at].isVariadic) {
        args.ranges[at] = extra.empty()
                              ? argument.range
                              : syntax::join(args.ranges[at], argument.range);
        extra.push_back(argument.value);
        continue;
      }
      if (at >= count)
        return theReporter.errorAt(argument.range, 2163,
                                   "expected at most " + llvm::Twine(count) +
                                       " arguments of '" + nameOf(builtin) +
                                       "', got more");
      ++next;
    } else {
      at = 0;
      while (at < count && (builtin.parameters[at].name != argument.name ||
                            builtin.parameters[at].isVariadic))
        ++at;
      if (at == count) {
        std::vector<std::string> names = parameterNames(builtin);
        return theReporter.errorAt(
            argument.range, 2164,
            "expected a parameter of '" + nameOf(builtin) + "', got '" +
                argument.name + "'",
            didYouMean(argument.name, names,
                       "its parameters are " + llvm::join(names, ", ")));
      }
    }
    if (given[at])
      return theReporter.errorAt(argument.range, 2165,
                                 "expected one value for '" +
                                     builtin.parameters[at].name + "' of '" +
                                     nameOf(builtin) + "', got two");
    given[at] = true;
    args.values[at] = argument.value;
    args.ranges[at] = argument.range;
  }
  for (size_t i = 0; i < count; ++i) {
    const BuiltinParameter &parameter = builtin.parameters[i];
    if (parameter.isVariadic)
      args.values[i] = Value::tuple(extra);
    else if (!given[i] && parameter.hasDefault)
      args.values[i] = parameter.defaultValue;
    else if (!given[i])
      return error(2166,
                   "expected a value for '" + parameter.name + "' of '" +
                       nameOf(builtin) + "'",
                   "its parameters are " +
                       llvm::join(parameterNames(builtin), ", "));
  }
  return builtin.emit(*this, args);
}

bool Interpreter::isHostFunction(const ast::Node *function) const {
  const auto *def = ast::asNode<ast::FunctionDef>(function);
  if (!def)
    return active->isHostFunction;
  return isDecoratedWith(*def, "constexpr_function") ||
         isDecoratedWith(*def, "constexpr") ||
         (active->isHostFunction && !isDecoratedWith(*def, "jit"));
}

/// Deep chains are a sign of recursion through different specialisations.
static constexpr unsigned MaxCallDepth = 128;

Value Interpreter::callFunction(const Value &callee,
                                llvm::ArrayRef<Argument> arguments,
                                llvm::StringRef constructed) {
  const auto &function = callee.payload<FunctionPayload>();
  unsigned repeats = 0;
  for (const CallFrame *frame = theReporter.frame; frame; frame = frame->caller)
    repeats += frame->node == function.node;
  if (repeats > 0 || callDepth >= MaxCallDepth)
    return error(
        2168, "expected no recursion, but '" + function.name + "' calls itself",
        "helper functions are inlined; use a loop");
  Activation activation;
  if (!bindArguments(function, arguments, activation.scope))
    return Value::error();
  activation.frame.caller = theReporter.frame;
  activation.frame.callRange = theReporter.range;
  activation.frame.functionName = function.name;
  activation.frame.module = function.module;
  activation.frame.node = function.node;
  activation.closure = function.closure;
  activation.isHostFunction = isHostFunction(function.node);
  if (request.onInlined)
    request.onInlined(function.module->fileName(), function.node);
  activation.constructed = constructed;
  activation.callerLocation = builder().getLoc();

  Activation *caller = active;
  syntax::SourceRange callRange = theReporter.range;
  mlir::Location callLocation = builder().getLoc();
  active = &activation;
  theReporter.frame = &activation.frame;
  ++callDepth;
  traceCall(function.node);
  Value result = wrapHighLevelOp(function, activation.scope, [&]() -> Value {
    if (function.lambdaBody)
      return evaluate(function.lambdaBody);
    Completion completion = execList(function.body, 0, /*isTail=*/true);
    bool isPartial = completion.kind == Completion::Kind::Maybe &&
                     !completion.value.isNone() && !completion.value.isError();
    if (isPartial)
      return theReporter.errorAt(function.node->range, 2169,
                                 "expected '" + function.name +
                                     "' to return a value on every path",
                                 "add a return at the end of the function");
    return completion.falls() ? Value::none() : completion.value;
  });
  if (!constructed.empty())
    result = activation.scope.find(constructed)->value;
  traceReturn(result);
  --callDepth;
  active = caller;
  theReporter.frame = activation.frame.caller;
  theReporter.range = callRange;
  builder().setLoc(callLocation);
  return result;
}
