//===- Globals.cpp - Names beyond the function ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolution order of a name: the function, enclosing functions, constants
// captured by the host, the module's definitions, Python's built-ins. Modules
// are known by canonical paths: "tl", "tl.math", "libdevice", "triton".
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "frontend/library/Library.h"
#include "frontend/syntax/Parser.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

/// The canonical path of a module of the language, or "" for other modules.
static std::string canonicalModule(StringRef name) {
  StringRef rest = name;
  bool isOurs =
      rest.consume_front("triton") || rest.consume_front("tilewright");
  if (!isOurs)
    return name == "math" ? "math" : "";
  if (rest.empty())
    return "triton";
  if (!rest.consume_front(".language"))
    return "";
  if (rest.empty() || rest == ".core" || rest == ".standard" ||
      rest == ".random" || rest == ".semantic")
    return "tl";
  if (rest.ends_with(".libdevice") || rest == ".libdevice")
    return "libdevice";
  return ("tl" + rest).str();
}

static Value numberOf(double value) { return Value::number(value); }

Value Interpreter::functionValue(const ast::FunctionDef *def, ModuleEnv *module,
                                 std::shared_ptr<const Scope> closure) {
  auto payload = std::make_shared<FunctionPayload>();
  payload->name = std::string(def->name);
  payload->args = def->args;
  payload->body = def->body;
  payload->node = def;
  payload->module = module;
  payload->closure = std::move(closure);
  return Value::withPayload(Value::Kind::Function, std::move(payload));
}

Value Interpreter::fromConstant(const Constant &constant) {
  if (constant.kind == Constant::Kind::Tuple) {
    std::vector<Value> elements;
    for (const Constant &element : constant.elements)
      elements.push_back(fromConstant(element));
    if (constant.fields.empty())
      return Value::tuple(std::move(elements));
    auto layout = std::make_shared<RecordLayout>();
    layout->name = constant.text;
    layout->fields = constant.fields;
    layout->areConstexpr.assign(constant.fields.size(), true);
    return Value::record(std::move(elements), std::move(layout));
  }
  if (constant.kind == Constant::Kind::Module) {
    Value module = importModule(constant.text, 0, *mainModule);
    return module;
  }
  if (constant.kind != Constant::Kind::Function)
    return Value::fromConstant(constant);
  Value base = Value::error();
  auto [first, rest] = StringRef(constant.text).split('.');
  if (constant.module.empty()) {
    bool found = false;
    base = lookupGlobal(*mainModule, first, found);
  } else {
    base = attribute(importModule(constant.module, 0, *mainModule), first);
  }
  while (!rest.empty() && !base.isError()) {
    std::tie(first, rest) = rest.split('.');
    base = attribute(base, first);
  }
  return base;
}

Value Interpreter::lookup(StringRef name) {
  auto unavailable = [&](const Binding &binding) {
    std::vector<syntax::Note> notes;
    if (binding.site)
      notes.push_back(
          theReporter.noteAt(binding.site->range, "last bound here"));
    return theReporter.errorAt(
        theReporter.range, 2170,
        "'" + name + "' cannot be read here: " + binding.unavailable,
        "give it a value before", std::move(notes));
  };
  if (active) {
    if (const Binding *binding = active->scope.find(name))
      return binding->unavailable.empty() ? binding->value
                                          : unavailable(*binding);
    if (active->closure)
      if (const Binding *binding = active->closure->find(name))
        return binding->value;
    bool found = false;
    Value value = lookupGlobal(*active->frame.module, name, found);
    if (found)
      return value;
  }
  if (const Builtin *builtin = builtinTable().find(("py." + name).str()))
    return Value::builtin(builtin);
  return error(2171, "the name '" + name + "' is not defined",
               undefinedHint(name));
}

/// The function of the language that does what Python's namesake does.
static std::string namesakeHint(StringRef name) {
  bool isKnown = builtinTable().find(("tl." + name).str()) ||
                 !libraryFileOf(name).empty() || DType::parse(name);
  if (isKnown)
    return ("use tl." + name).str();
  if (builtinTable().find(("libdevice." + name).str()))
    return ("use libdevice." + name).str();
  return "";
}

std::string Interpreter::undefinedHint(StringRef name) {
  auto isName = [&](const ast::Expr *expr) {
    const auto *node = ast::asNode<ast::Name>(expr);
    return node && ref(node->id) == name;
  };
  bool isModule = llvm::StringSwitch<bool>(name)
                      .Cases({"np", "numpy", "math", "torch"}, true)
                      .Default(false);
  if (isModule && attributeExpr && isName(attributeExpr->value)) {
    std::string hint = namesakeHint(ref(attributeExpr->attr));
    return hint.empty() ? "kernels compute with the functions of tl, for "
                          "example tl.exp"
                        : hint;
  }
  std::vector<std::string> names;
  if (active) {
    for (const auto &entry : active->scope)
      names.push_back(entry.first.str());
    for (std::string &global : active->frame.module->names())
      names.push_back(std::move(global));
  }
  return didYouMean(name, names,
                    isName(calledExpr)
                        ? "if it is a function of the module, decorate it "
                          "with @jit so that kernels can call it"
                        : "define it in the kernel or its module, or pass it "
                          "as a captured global");
}

Value Interpreter::inModule(ModuleEnv &env, llvm::function_ref<Value()> body) {
  Activation activation;
  activation.frame.module = &env;
  activation.frame.caller = nullptr;
  Activation *previous = active;
  const CallFrame *previousFrame = theReporter.frame;
  active = &activation;
  theReporter.frame = &activation.frame;
  Value result = body();
  active = previous;
  theReporter.frame = previousFrame;
  return result;
}

bool Interpreter::guardsHold(const Definition &definition, ModuleEnv &env,
                             bool &known) {
  for (const Guard &guard : definition.guards) {
    ++theReporter.quiet;
    Value test = inModule(env, [&] { return evaluate(guard.test); });
    --theReporter.quiet;
    std::optional<bool> holds = truth(test);
    if (!holds) {
      known = false;
      return false;
    }
    if (*holds != guard.wanted)
      return false;
  }
  return true;
}

Value Interpreter::evaluateDefinition(const Definition &definition,
                                      ModuleEnv &env, bool &failed) {
  if (const auto *def = ast::asNode<ast::FunctionDef>(definition.stmt))
    return functionValue(def, &env);
  if (const auto *def = ast::asNode<ast::ClassDef>(definition.stmt)) {
    return classValue(*def, env);
  }
  if (ast::isNode<ast::Import>(definition.stmt)) {
    StringRef full = ref(definition.alias->name);
    bool renamed = !definition.alias->asname.empty();
    return importModule(renamed ? full : full.split('.').first, 0, env);
  }
  if (const auto *from = ast::asNode<ast::ImportFrom>(definition.stmt)) {
    std::string nested =
        (from->module.empty() ? "" : std::string(from->module) + ".") +
        std::string(definition.alias->name);
    std::string canonical = canonicalModule(nested);
    if (from->level == 0 && (canonical == "libdevice" || canonical == "tl"))
      return Value::module(canonical);
    Value module = importModule(ref(from->module), from->level, env);
    ++theReporter.quiet;
    Value value = attribute(module, ref(definition.alias->name));
    --theReporter.quiet;
    // `from . import helpers` names a module, not an attribute.
    if (value.isError() && request.resolver &&
        request.resolver(nested, from->level, env.name()).tree)
      return importModule(nested, from->level, env);
    if (value.isError() && !definition.isFallback)
      failed = true;
    return value;
  }
  Value value = inModule(env, [&] { return evaluate(definition.value); });
  if (definition.index >= 0 && value.isTuple() &&
      size_t(definition.index) < value.elements().size())
    return value.elements()[definition.index];
  return definition.index >= 0 ? Value::error() : value;
}

/// Alternatives under unknown conditions that all mean the same need no
/// condition, for example one function imported from several places.
std::optional<Value> Interpreter::agreedDefinition(ModuleEnv &env,
                                                   StringRef name) {
  std::optional<Value> agreed;
  for (const Definition &definition : env.definitions(name)) {
    bool failed = false;
    ++theReporter.quiet;
    Value value = evaluateDefinition(definition, env, failed);
    --theReporter.quiet;
    if (failed || value.isError())
      continue;
    if (agreed && !Value::same(*agreed, value))
      return std::nullopt;
    agreed = value;
  }
  return agreed;
}

std::optional<Value> Interpreter::resolveDefinition(ModuleEnv &env,
                                                    StringRef name) {
  llvm::ArrayRef<Definition> definitions = env.definitions(name);
  bool hasFallback = llvm::any_of(
      definitions, [](const Definition &d) { return d.isFallback; });
  bool sawUnknown = false;
  for (bool wantsFallback : {false, true}) {
    for (const Definition &definition : llvm::reverse(definitions)) {
      if (definition.isFallback != wantsFallback)
        continue;
      bool known = true, failed = false;
      bool holds = guardsHold(definition, env, known);
      sawUnknown |= !known;
      if (!holds)
        continue;
      // A failure inside `try` is not an error while a handler remains.
      bool isAttempt = hasFallback && !wantsFallback;
      theReporter.quiet += isAttempt;
      Value value = evaluateDefinition(definition, env, failed);
      theReporter.quiet -= isAttempt;
      if (isAttempt && (failed || value.isError()))
        continue;
      if (failed)
        return error(
            2173,
            "the compiler does not know the value of the global '" + name + "'",
            "pass what the kernel needs of it as a tl.constexpr parameter; "
            "numbers, texts and tuples or lists of them can be captured");
      return value;
    }
  }
  if (sawUnknown)
    if (std::optional<Value> agreed = agreedDefinition(env, name))
      return agreed;
  if (sawUnknown)
    return error(2174,
                 "the global '" + name +
                     "' depends on a condition that is not known at compile "
                     "time",
                 "pass it as a captured global");
  return std::nullopt;
}

std::optional<Value> Interpreter::resolveStarImport(ModuleEnv &env,
                                                    StringRef name) {
  for (const ast::ImportFrom *star : llvm::reverse(env.starImports())) {
    Value module = importModule(ref(star->module), star->level, env);
    ++theReporter.quiet;
    Value value = attribute(module, name);
    --theReporter.quiet;
    if (!value.isError())
      return value;
  }
  return std::nullopt;
}

Value Interpreter::lookupGlobal(ModuleEnv &env, StringRef name, bool &found) {
  found = true;
  std::string key = name.str();
  if (&env != mainModule.get())
    key = (env.name() + "." + name).str();
  auto captured = request.globals.find(key);
  bool isSelf = captured != request.globals.end() &&
                captured->second.kind == Constant::Kind::Function &&
                captured->second.module.empty() &&
                captured->second.text == name;
  if (captured != request.globals.end() && !isSelf && !env.isLibrary())
    return fromConstant(captured->second);

  ModuleEnv::Cached &cached = env.cache[name];
  if (cached.isDone)
    return cached.value;
  if (cached.isBusy)
    return error(2172, "the global '" + name + "' depends on itself",
                 "give it a value that does not mention it");
  cached.isBusy = true;
  std::optional<Value> result = resolveDefinition(env, name);
  if (!result)
    result = resolveStarImport(env, name);
  // Evaluation may have added to the table.
  ModuleEnv::Cached &slot = env.cache[name];
  slot.isBusy = false;
  if (!result) {
    found = false;
    return Value::error();
  }
  slot.isDone = !result->isError();
  slot.value = *result;
  return *result;
}

Value Interpreter::evaluateIn(ModuleEnv &env, const ast::Expr *expr) {
  return inModule(env, [&] { return evaluate(expr); });
}

ModuleEnv &Interpreter::environmentOf(const ResolvedModule &found) {
  std::unique_ptr<ModuleEnv> &env = modules[found.tree];
  if (!env) {
    env = std::make_unique<ModuleEnv>(*found.tree, found.name, false);
    sink.addSource(std::string(found.tree->fileName),
                   std::string(found.tree->source));
  }
  return *env;
}

ModuleEnv *Interpreter::vendorModule(StringRef path) {
  if (!path.starts_with("tl.extra.") || !request.resolver)
    return nullptr;
  ResolvedModule found = request.resolver(path, 0, "");
  return found.tree ? &environmentOf(found) : nullptr;
}

Value Interpreter::importModule(StringRef name, unsigned level,
                                ModuleEnv &from) {
  if (level == 0)
    if (std::string canonical = canonicalModule(name); !canonical.empty())
      return Value::module(canonical);
  auto payload = std::make_shared<ModulePayload>();
  payload->path = name.str();
  if (request.resolver && !from.isLibrary()) {
    ResolvedModule found = request.resolver(name, level, from.name());
    if (found.tree) {
      payload->env = &environmentOf(found);
      payload->path = found.name;
    }
  }
  return Value::withPayload(Value::Kind::Module, std::move(payload));
}

/// Values that are neither functions nor types.
static Value specialAttribute(const KernelRequest &request, StringRef path,
                              StringRef name) {
  if (path == "math") {
    double value = llvm::StringSwitch<double>(name)
                       .Case("pi", M_PI)
                       .Case("e", M_E)
                       .Case("inf", HUGE_VAL)
                       .Case("tau", 2 * M_PI)
                       .Default(NAN);
    return value == value || name == "nan" ? numberOf(value) : Value::error();
  }
  if (path == "triton" && name == "__version__")
    return Value::str("3.6.0");
  if (path == "tl" && name == "TRITON_MAX_TENSOR_NUMEL")
    return Value::integer(int64_t(1) << 20);
  if (path == "tl.PropagateNan")
    return name == "ALL"    ? Value::boolean(true)
           : name == "NONE" ? Value::boolean(false)
                            : Value::error();
  if (path == "tl.target") {
    const TargetInfo &target = request.target;
    if (name == "vendor")
      return Value::str(target.vendor);
    if (name == "arch")
      return Value::str(target.arch);
    if (name == "features") {
      std::vector<Value> features;
      for (const std::string &feature : target.features)
        features.push_back(Value::str(feature));
      return Value::tuple(std::move(features));
    }
    if (name == "limits") {
      auto limits = std::make_shared<DictPayload>();
      for (const auto &[key, value] : target.limits)
        limits->entries.emplace_back(key, Value::integer(value));
      return Value::withPayload(Value::Kind::Dict, std::move(limits));
    }
  }
  return Value::error();
}

static Value submodule(StringRef path, StringRef name) {
  if (path == "triton" && name == "experimental")
    return Value::module("triton.experimental");
  if (path == "triton")
    return name == "language" ? Value::module("tl") : Value::error();
  if (!path.starts_with("tl")) {
    // Of other packages some functions are known, such as packaging.version.
    std::string full = (path + "." + name).str();
    return builtinTable().namesUnder(full + ".").empty() ? Value::error()
                                                         : Value::module(full);
  }
  if (name == "libdevice")
    return Value::module("libdevice");
  if (path == "tl" &&
      (name == "standard" || name == "core" || name == "random"))
    return Value::module("tl");
  bool known =
      path == "tl" && (name == "math" || name == "extra" || name == "target" ||
                       name == "PropagateNan" || name == "target_info");
  // Vendors keep their libdevice below a folder of their own.
  if (known || path == "tl.extra")
    return Value::module((path + "." + name).str());
  return Value::error();
}

ModuleEnv *Interpreter::libraryModuleFor(StringRef path, StringRef name) {
  StringRef file = libraryFileOf(name);
  bool hasDevice =
      path == "tl.math" || path == "libdevice" || path.starts_with("tl.extra");
  if (file.empty() && hasDevice)
    file = deviceFileOf(name);
  if (file.empty())
    return nullptr;
  ModuleEnv *&env = libraryModules[file.str()];
  if (env)
    return env;
  libraryTrees.push_back(std::make_unique<ast::ASTContext>());
  std::string fileName = ("<tilewright>/" + file).str();
  const ast::Module *tree = syntax::parseModule(
      *libraryTrees.back(), librarySource(file), fileName, sink);
  std::unique_ptr<ModuleEnv> &owned = modules[tree];
  owned = std::make_unique<ModuleEnv>(*tree, "tl", /*isLibrary=*/true);
  env = owned.get();
  return env;
}

std::optional<Value> Interpreter::knownModuleAttribute(StringRef path,
                                                       StringRef name) {
  if (Value special = specialAttribute(request, path, name); !special.isError())
    return special;
  bool hidesType =
      name == "float" || name == "bool" || name == "half" || name == "double";
  if (path == "tl" && !hidesType)
    if (std::optional<DType> type = DType::parse(name))
      return Value::type(*type);
  llvm::SmallVector<std::string, 3> candidates = {(path + "." + name).str()};
  if (path == "tl.math" || path == "libdevice") {
    candidates.push_back(("tl." + name).str());
    candidates.push_back(("libdevice." + name).str());
  } else if (path.starts_with("tl.extra")) {
    candidates.push_back(("tl.extra." + name).str());
    candidates.push_back(("libdevice." + name).str());
  }
  for (const std::string &candidate : candidates)
    if (const Builtin *builtin = builtinTable().find(candidate))
      return Value::builtin(builtin);
  bool hasLibrary = path == "tl" || path == "triton" || path == "tl.math" ||
                    path == "libdevice" || path.starts_with("tl.extra");
  if (ModuleEnv *library =
          hasLibrary ? libraryModuleFor(path, name) : nullptr) {
    bool found = false;
    return lookupGlobal(*library, name, found);
  }
  if (ModuleEnv *vendor = vendorModule(path)) {
    bool found = false;
    Value value = lookupGlobal(*vendor, name, found);
    return found ? std::optional<Value>(value) : std::nullopt;
  }
  if (Value nested = submodule(path, name); !nested.isError())
    return nested;
  return std::nullopt;
}

/// A module without source: perhaps something below it is known.
Value Interpreter::unknownModuleAttribute(StringRef path, StringRef name) {
  auto payload = std::make_shared<ModulePayload>();
  payload->path = (path + "." + name).str();
  if (request.resolver && request.resolver(payload->path, 0, "").tree)
    return importModule(payload->path, 0, *mainModule);
  auto below = request.globals.lower_bound(payload->path + ".");
  if (below != request.globals.end() &&
      StringRef(below->first).starts_with(payload->path + "."))
    return Value::withPayload(Value::Kind::Module, std::move(payload));
  bool isNumeric = path == "numpy" || path == "torch" || path == "np";
  std::string hint = isNumeric ? namesakeHint(name) : "";
  return error(2176,
               "the value of '" + path + "." + name +
                   "' is not known to the compiler",
               hint.empty() ? "assign it to a tl.constexpr parameter, or pass "
                              "it as a captured global"
                            : hint);
}

Value Interpreter::moduleAttribute(const ModulePayload &module,
                                   StringRef name) {
  StringRef path = module.path;
  if (module.env) {
    bool found = false;
    Value value = lookupGlobal(*module.env, name, found);
    if (found)
      return value;
    // `import package.module` makes the module an attribute of the package.
    std::string below = (path + "." + name).str();
    if (request.resolver && request.resolver(below, 0, "").tree)
      return importModule(below, 0, *module.env);
    return error(2175,
                 "the module '" + path + "' does not define '" + name + "'",
                 didYouMean(name, module.env->names()));
  }
  auto captured = request.globals.find((path + "." + name).str());
  if (captured != request.globals.end())
    return fromConstant(captured->second);
  if (std::optional<Value> known = knownModuleAttribute(path, name))
    return *known;
  // The dialect itself may be imported, as long as nothing uses it.
  std::string full = (path + "." + name).str();
  if (auto dialect = outsideDialectOf(full)) {
    if (!outsideDialectOf(path))
      return Value::module(full);
    return error(2177,
                 "'" + full + "' is of " + dialect->first +
                     ", which is not part of the language",
                 dialect->second);
  }
  bool isOurs = path == "tl" || path == "triton" || path == "libdevice" ||
                path == "math" || path.starts_with("tl.");
  if (!isOurs)
    return unknownModuleAttribute(path, name);
  std::string message =
      ("'" + path + "." + name + "' is not part of the language").str();
  if (StringRef alternative = alternativeFor(name); !alternative.empty())
    return error(2177, message, alternative);
  std::vector<std::string> names =
      builtinTable().namesUnder((path + ".").str());
  for (std::string &library : libraryNames(path == "libdevice"))
    names.push_back(std::move(library));
  return error(2177, message, didYouMean(name, names));
}

Value Interpreter::classAttribute(const ClassPayload &classValue,
                                  StringRef name) {
  if (!classValue.def)
    return error(2175, "the class '" + classValue.name + "' does not define '" +
                           name + "'");
  ModuleEnv &env = *classValue.module;
  for (const ast::Stmt *stmt :
       llvm::reverse(llvm::SmallVector<const ast::Stmt *>(
           classValue.def->body.begin(), classValue.def->body.end()))) {
    if (const auto *def = ast::asNode<ast::FunctionDef>(stmt))
      if (ref(def->name) == name)
        return functionValue(def, &env);
    const ast::Expr *target = nullptr, *value = nullptr;
    if (const auto *assign = ast::asNode<ast::Assign>(stmt)) {
      target = assign->targets[0];
      value = assign->value;
    } else if (const auto *annotated = ast::asNode<ast::AnnAssign>(stmt)) {
      target = annotated->target;
      value = annotated->value;
    }
    const auto *targetName = ast::asNode<ast::Name>(target);
    if (targetName && value && ref(targetName->id) == name)
      return inModule(env, [&] { return evaluate(value); });
  }
  std::vector<std::string> members;
  for (const ast::Stmt *stmt : classValue.def->body)
    if (const auto *def = ast::asNode<ast::FunctionDef>(stmt))
      members.push_back(std::string(def->name));
  return error(2175,
               "the class '" + std::string(classValue.def->name) +
                   "' does not define '" + name + "'",
               didYouMean(name, members,
                          "kernels read functions and constants of the class "
                          "itself, not of its bases"));
}
