//===- Records.cpp - Named tuples and aggregates ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes whose instances kernels may hold: typing.NamedTuple, dataclasses and
// Triton's aggregates. An instance is a tuple whose elements have names, so
// loops, branches and helper functions carry it as any other tuple. A
// constructor of the user's own runs with `self` bound to a record; writing to
// a field rebinds it.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::sema;

/// The last name of `a.b.c`, `c` or `c(...)`.
static llvm::StringRef lastName(const ast::Expr *expr) {
  if (const auto *call = ast::asNode<ast::Call>(expr))
    expr = call->func;
  if (const auto *attribute = ast::asNode<ast::Attribute>(expr))
    return ref(attribute->attr);
  if (const auto *name = ast::asNode<ast::Name>(expr))
    return ref(name->id);
  return "";
}

/// Whether instances of the class are values of a kernel.
static bool makesRecords(const ast::ClassDef &def) {
  auto isKnown = [](const ast::Expr *expr) {
    return llvm::StringSwitch<bool>(lastName(expr))
        .Cases({"NamedTuple", "aggregate", "_aggregate", "dataclass"}, true)
        .Default(false);
  };
  return llvm::any_of(def.bases, isKnown) ||
         llvm::any_of(def.decoratorList, isKnown);
}

static const ast::FunctionDef *findMethod(const ast::ClassDef &def,
                                          llvm::StringRef name) {
  for (const ast::Stmt *stmt : def.body)
    if (const auto *method = ast::asNode<ast::FunctionDef>(stmt))
      if (ref(method->name) == name)
        return method;
  return nullptr;
}

static bool hasDecorator(const ast::FunctionDef &def, llvm::StringRef name) {
  return llvm::any_of(def.decoratorList, [&](const ast::Expr *decorator) {
    return lastName(decorator) == name;
  });
}

Value Interpreter::classValue(const ast::ClassDef &def, ModuleEnv &env) {
  auto payload = std::make_shared<ClassPayload>();
  payload->name = std::string(def.name);
  payload->def = &def;
  payload->module = &env;
  if (makesRecords(def)) {
    auto layout = std::make_shared<RecordLayout>();
    layout->name = payload->name;
    layout->def = &def;
    layout->module = &env;
    for (const ast::Stmt *stmt : def.body) {
      const auto *field = ast::asNode<ast::AnnAssign>(stmt);
      const auto *name =
          field ? ast::asNode<ast::Name>(field->target) : nullptr;
      if (!name)
        continue;
      layout->fields.emplace_back(name->id);
      layout->areConstexpr.push_back(isConstexprAnnotation(field->annotation));
      if (field->value)
        layout->defaults.push_back(evaluateIn(env, field->value));
    }
    payload->layout = std::move(layout);
  }
  return Value::withPayload(Value::Kind::Class, std::move(payload));
}

/// One value for each field, from positional and keyword arguments.
static Value bindFields(Interpreter &in,
                        const std::shared_ptr<const RecordLayout> &layout,
                        llvm::ArrayRef<Argument> arguments) {
  size_t count = layout->fields.size(), next = 0;
  std::vector<std::optional<Value>> given(count);
  for (const Argument &argument : arguments) {
    std::optional<size_t> at =
        argument.name.empty() ? next++ : layout->find(argument.name);
    if (at && argument.name.empty() && *at >= count)
      return in.reporter().errorAt(argument.range, 2163,
                                   "expected at most " + llvm::Twine(count) +
                                       " arguments of '" + layout->name +
                                       "', got more");
    if (!at)
      return in.reporter().errorAt(argument.range, 2164,
                                   "expected a field of '" + layout->name +
                                       "', got '" + argument.name + "'",
                                   didYouMean(argument.name, layout->fields));
    if (given[*at])
      return in.reporter().errorAt(argument.range, 2165,
                                   "expected one value for '" +
                                       layout->fields[*at] + "' of '" +
                                       layout->name + "', got two");
    given[*at] = argument.value;
  }
  std::vector<Value> elements;
  size_t firstDefault = count - layout->defaults.size();
  for (size_t i = 0; i < count; ++i) {
    if (!given[i] && i < firstDefault)
      return in.error(2166,
                      "expected a value for '" + layout->fields[i] + "' of '" +
                          layout->name + "'",
                      "its fields are " + llvm::join(layout->fields, ", "));
    elements.push_back(given[i] ? *given[i]
                                : layout->defaults[i - firstDefault]);
    if (elements.back().isError())
      return Value::error();
  }
  return Value::record(std::move(elements), layout);
}

Value Interpreter::construct(const Value &classValue,
                             llvm::ArrayRef<Argument> arguments) {
  const auto &payload = classValue.payload<ClassPayload>();
  const auto &layout = payload.layout;
  if (!layout)
    return error(2161,
                 "expected a function to call, got " + classValue.describe(),
                 "kernels make instances of typing.NamedTuple, dataclasses and "
                 "aggregates only");
  const ast::FunctionDef *constructor =
      payload.def ? findMethod(*payload.def, "__init__") : nullptr;
  if (!constructor)
    return bindFields(*this, layout, arguments);
  if (constructor->args->args.empty())
    return error(2166, "expected '__init__' of '" + payload.name +
                           "' to take the instance");
  std::vector<Value> unset(layout->fields.size(), Value::none());
  llvm::SmallVector<Argument, 8> all;
  all.push_back({"", Value::record(unset, layout), theReporter.range});
  all.append(arguments.begin(), arguments.end());
  return callFunction(functionValue(constructor, payload.module), all,
                      ref(constructor->args->args[0]->arg));
}

Value Interpreter::recordAttribute(const Value &record, llvm::StringRef name) {
  const RecordLayout &layout = *record.recordLayout();
  if (std::optional<size_t> at = layout.find(name))
    return record.elements()[*at];
  if (name == "_fields") {
    std::vector<Value> fields;
    for (const std::string &field : layout.fields)
      fields.push_back(Value::str(field));
    return Value::tuple(std::move(fields));
  }
  const ast::FunctionDef *method =
      layout.def ? findMethod(*layout.def, name) : nullptr;
  if (!method)
    return error(
        2150, "expected a field of '" + layout.name + "', got '" + name + "'",
        didYouMean(name, layout.fields,
                   "its fields are " + llvm::join(layout.fields, ", ")));
  Value function = functionValue(method, layout.module);
  if (hasDecorator(*method, "staticmethod"))
    return function;
  if (hasDecorator(*method, "property"))
    return callValue(function, {record});
  auto bound = std::make_shared<MethodPayload>();
  bound->self = record;
  bound->function = std::move(function);
  return Value::withPayload(Value::Kind::Method, std::move(bound));
}

bool Interpreter::assignField(const ast::Attribute &target, const Value &value,
                              const ast::Stmt *site) {
  const auto *name = ast::asNode<ast::Name>(target.value);
  bool isOwn = name && !active->constructed.empty() &&
               ref(name->id) == active->constructed;
  Binding *binding = isOwn ? active->scope.find(ref(name->id)) : nullptr;
  const RecordLayout *layout =
      binding ? binding->value.recordLayout() : nullptr;
  if (!layout)
    return false;
  std::optional<size_t> at = layout->find(ref(target.attr));
  if (!at) {
    error(2150,
          "expected a field of '" + layout->name + "', got '" +
              ref(target.attr) + "'",
          "declare it in the class: " + std::string(target.attr) +
              ": tl.tensor");
    return true;
  }
  std::vector<Value> elements = binding->value.elements().vec();
  elements[*at] = layout->areConstexpr[*at] ? value : decay(value);
  binding->value = binding->value.withElements(std::move(elements));
  binding->site = site;
  return true;
}

/// collections.namedtuple("P", "x y") and typing.NamedTuple("P", [("x", T)]).
static Value emitNamedTuple(Interpreter &in, CallArgs &args) {
  std::optional<std::string> name = in.constantStr(args, "typename");
  if (!name)
    return Value::error();
  auto layout = std::make_shared<RecordLayout>();
  layout->name = *name;
  const Value &fields = args["field_names"];
  std::vector<Value> listed;
  if (fields.isTuple())
    listed = fields.elements().vec();
  else if (fields.isStr())
    for (llvm::StringRef field : llvm::split(fields.strValue(), ' '))
      for (llvm::StringRef part : llvm::split(field, ','))
        if (!part.empty())
          listed.push_back(Value::str(part.str()));
  for (Value &field : listed) {
    if (field.isTuple() && !field.elements().empty())
      field = Value(field.elements()[0]);
    if (!field.isStr())
      return in.argumentError(args, "field_names", 2202,
                              "expected names of fields, got " +
                                  field.describe());
    layout->fields.push_back(field.strValue().str());
    layout->areConstexpr.push_back(false);
  }
  if (args["defaults"].isTuple())
    layout->defaults = args["defaults"].elements().vec();
  if (layout->defaults.size() > layout->fields.size())
    return in.argumentError(args, "defaults", 2303,
                            "expected at most one value for each field");
  auto payload = std::make_shared<ClassPayload>();
  payload->name = *name;
  payload->layout = std::move(layout);
  return Value::withPayload(Value::Kind::Class, std::move(payload));
}

void sema::registerRecords(BuiltinTable &table) {
  table.add("collections.namedtuple",
            "typename, field_names, rename=False, defaults=None, module=None",
            emitNamedTuple);
  table.add("typing.NamedTuple", "typename, field_names, defaults=None",
            emitNamedTuple);
}
