//===- Parameters.cpp - Kernel parameters and the signature -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the signature with the kernel's parameters, makes the func.func with
// its argument facts and binds every parameter to a value (rules N1 to N3).
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/kernel/Signature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

namespace {
/// One run-time argument of the function.
struct FunctionArgument {
  mlir::Type type;
  std::string name;
  std::string dtype;
  SignatureType facts;
};

/// A kernel's parameters with what the signature says about them.
struct Parameters {
  KernelInfo info;
  std::vector<SignatureArg> signature;
  std::map<std::string, const SignatureArg *> given;
  std::vector<std::string> names;
  bool takesKeywords = false;
};
} // namespace

static void flattenArgument(mlir::MLIRContext *context, const std::string &name,
                            const SignatureType &type,
                            std::vector<FunctionArgument> &out) {
  switch (type.kind) {
  case SignatureType::Kind::Tuple:
    for (size_t i = 0; i < type.elements.size(); ++i)
      flattenArgument(
          context,
          name + "." +
              (type.fields.empty() ? std::to_string(i) : type.fields[i]),
          type.elements[i], out);
    return;
  case SignatureType::Kind::Constant:
    return;
  case SignatureType::Kind::Descriptor: {
    // A host-made descriptor travels as its base, shape and strides; the last
    // stride is 1.
    SignatureType base;
    base.type = type.type.pointerTo();
    base.divisibility = type.divisibility;
    base.isDisjoint = type.isDisjoint;
    flattenArgument(context, name + ".base", base, out);
    SignatureType extent;
    extent.type = DType(Scalar::I64);
    for (size_t i = 0; i < type.block.size(); ++i)
      flattenArgument(context, name + ".shape." + std::to_string(i), extent,
                      out);
    for (size_t i = 0; i + 1 < type.block.size(); ++i)
      flattenArgument(context, name + ".stride." + std::to_string(i), extent,
                      out);
    return;
  }
  case SignatureType::Kind::Scalar:
    if (!type.value)
      out.push_back(
          {type.type.toMLIR(context), name, type.type.spelling(), type});
    return;
  }
}

/// A tuple, with names where the signature gives them.
static Value tupleArgument(const SignatureType &type,
                           std::vector<Value> elements) {
  if (type.fields.empty())
    return Value::tuple(std::move(elements));
  auto layout = std::make_shared<RecordLayout>();
  layout->name = type.name.empty() ? "tuple" : type.name;
  layout->fields = type.fields;
  for (const SignatureType &element : type.elements)
    layout->areConstexpr.push_back(element.kind ==
                                   SignatureType::Kind::Constant);
  return Value::record(std::move(elements), std::move(layout));
}

static Value argumentValue(Interpreter &in, const SignatureType &type,
                           llvm::ArrayRef<mlir::BlockArgument> &arguments) {
  auto next = [&] {
    mlir::Value value = arguments.front();
    arguments = arguments.drop_front();
    return value;
  };
  switch (type.kind) {
  case SignatureType::Kind::Tuple: {
    std::vector<Value> elements;
    for (const SignatureType &element : type.elements)
      elements.push_back(argumentValue(in, element, arguments));
    return tupleArgument(type, std::move(elements));
  }
  case SignatureType::Kind::Constant:
    return in.fromConstant(type.constant);
  case SignatureType::Kind::Descriptor: {
    Value base = Value::tensor(next(), type.type.pointerTo());
    std::vector<Value> shape, strides;
    for (size_t i = 0; i < type.block.size(); ++i)
      shape.push_back(Value::tensor(next(), Scalar::I64));
    for (size_t i = 0; i + 1 < type.block.size(); ++i)
      strides.push_back(Value::tensor(next(), Scalar::I64));
    strides.push_back(in.emitter.constantInt(1, Scalar::I64));
    return makeDescriptor(in.emitter, base, shape, strides, type.block,
                          type.padsWithNaN);
  }
  case SignatureType::Kind::Scalar:
    break;
  }
  if (type.value)
    return Value::typed(type.type.isBool() ? Value::boolean(*type.value != 0)
                                           : Value::integer(*type.value),
                        type.type);
  return Value::tensor(next(), type.type);
}

/// Facts in the form that the lowering reads.
static mlir::DictionaryAttr argumentAttributes(mlir::Builder &b,
                                               const FunctionArgument &argument,
                                               unsigned index) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  auto add = [&](StringRef name, mlir::Attribute value) {
    attributes.push_back(b.getNamedAttr(name, value));
  };
  DType type = argument.facts.type;
  if (argument.facts.divisibility > 1)
    add("tw.divisibility", b.getI64IntegerAttr(argument.facts.divisibility));
  if (argument.facts.isDisjoint)
    add("tw.disjoint", b.getUnitAttr());
  add("tw.dtype", b.getStringAttr(argument.dtype));
  add("tw.index", b.getI32IntegerAttr(index));
  add("tw.name", b.getStringAttr(argument.name));
  if (argument.facts.kind == SignatureType::Kind::Scalar && type.isPointer() &&
      type.readOnly)
    add("tw.readonly", b.getUnitAttr());
  return b.getDictionaryAttr(attributes);
}

/// N3: an annotation such as tl.int64 fixes the type of an argument.
static std::optional<DType> annotatedType(const ast::Module &module,
                                          const ast::Expr *annotation) {
  if (!annotation)
    return std::nullopt;
  StringRef text = ref(module.textOf(annotation->range)).trim("'\"");
  if (text == "int")
    return DType(Scalar::I32);
  if (text == "float")
    return DType(Scalar::FP32);
  if (text == "bool")
    return DType(Scalar::I1);
  text.consume_front("triton.language.");
  text.consume_front("tl.");
  std::optional<DType> type = DType::parse(text);
  bool isMeant = type && !type->isVoid() && !type->isPointer();
  return isMeant ? type : std::nullopt;
}

/// Reports entries without a parameter and parameters without an entry.
static bool checkCoverage(Reporter &reporter, const Parameters &parameters) {
  bool ok = true;
  for (const SignatureArg &arg : parameters.signature) {
    if (llvm::is_contained(parameters.names, arg.name) ||
        (parameters.takesKeywords && arg.isConstant))
      continue;
    reporter.error(
        2004,
        "the kernel '" + parameters.info.name + "' has no parameter '" +
            arg.name + "'",
        didYouMean(arg.name, parameters.names,
                   "its parameters are " + llvm::join(parameters.names, ", ")));
    ok = false;
  }
  for (const ParameterInfo &parameter : parameters.info.parameters) {
    auto it = parameters.given.find(parameter.name);
    bool isOptional = parameter.hasDefault || parameter.isVariadic ||
                      parameter.isKeywordVariadic;
    if (it == parameters.given.end() && !isOptional) {
      reporter.errorAt(parameter.range, 2005,
                       "expected the signature to cover the parameter '" +
                           parameter.name + "'",
                       parameter.isConstexpr
                           ? "add " + parameter.name + "=<value>"
                           : "add " + parameter.name + ":<type>");
      ok = false;
    } else if (it != parameters.given.end() && parameter.isConstexpr &&
               !it->second->isConstant) {
      reporter.errorAt(parameter.range, 2006,
                       "expected a value for the constexpr '" + parameter.name +
                           "', got the type " + it->second->type.str(),
                       "write " + parameter.name + "=<value>");
      ok = false;
    }
  }
  return ok;
}

/// A kernel may take compile options such as num_warps as constexprs.
static void addOptionParameters(Interpreter &in, Parameters &parameters) {
  for (const ParameterInfo &parameter : parameters.info.parameters) {
    bool isGiven =
        llvm::any_of(parameters.signature, [&](const SignatureArg &arg) {
          return arg.name == parameter.name;
        });
    std::optional<BigInt> value =
        BigInt::fromDecimal(in.option(parameter.name, ""));
    if (isGiven || !parameter.isConstexpr || !value)
      continue;
    SignatureArg arg;
    arg.name = parameter.name;
    arg.isConstant = true;
    arg.constant = Constant::makeInt(*value);
    parameters.signature.push_back(std::move(arg));
  }
}

static std::optional<Parameters> matchSignature(Interpreter &in,
                                                const ast::FunctionDef &kernel,
                                                syntax::DiagnosticSink &sink) {
  std::optional<std::vector<SignatureArg>> signature =
      parseSignature(in.request.signature, sink);
  if (!signature)
    return std::nullopt;
  Parameters parameters;
  parameters.info = describeKernel(*in.request.module, kernel);
  parameters.signature = std::move(*signature);
  addOptionParameters(in, parameters);
  for (const ParameterInfo &parameter : parameters.info.parameters) {
    parameters.names.push_back(parameter.name);
    parameters.takesKeywords |= parameter.isKeywordVariadic;
  }
  for (const SignatureArg &arg : parameters.signature)
    parameters.given[arg.name] = &arg;
  if (!checkCoverage(in.reporter(), parameters))
    return std::nullopt;
  return parameters;
}

/// The function with one argument for each run-time leaf of the signature.
static mlir::func::FuncOp createFunction(mlir::ImplicitLocOpBuilder &b,
                                         const Parameters &parameters) {
  std::vector<FunctionArgument> arguments;
  for (const ParameterInfo &parameter : parameters.info.parameters) {
    auto it = parameters.given.find(parameter.name);
    if (it != parameters.given.end() && !it->second->isConstant)
      flattenArgument(b.getContext(), parameter.name, it->second->type,
                      arguments);
  }
  llvm::SmallVector<mlir::Type> types;
  for (const FunctionArgument &argument : arguments)
    types.push_back(argument.type);
  auto function = mlir::func::FuncOp::create(b, parameters.info.name,
                                             b.getFunctionType(types, {}));
  function->setAttr("tw.kernel", b.getUnitAttr());
  for (size_t i = 0; i < arguments.size(); ++i)
    function.setArgAttrs(i, argumentAttributes(b, arguments[i], i));
  b.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

/// The syntax of every parameter, in the order of ParameterInfo.
static std::vector<std::pair<const ast::Arg *, const ast::Expr *>>
parameterNodes(const ast::Arguments &args) {
  std::vector<std::pair<const ast::Arg *, const ast::Expr *>> nodes;
  std::vector<const ast::Arg *> positional(args.posonlyargs.begin(),
                                           args.posonlyargs.end());
  positional.insert(positional.end(), args.args.begin(), args.args.end());
  size_t firstDefault = positional.size() - args.defaults.size();
  for (size_t i = 0; i < positional.size(); ++i)
    nodes.emplace_back(positional[i], i < firstDefault
                                          ? nullptr
                                          : args.defaults[i - firstDefault]);
  if (args.vararg)
    nodes.emplace_back(args.vararg, nullptr);
  for (size_t i = 0; i < args.kwonlyargs.size(); ++i)
    nodes.emplace_back(args.kwonlyargs[i], args.kwDefaults[i]);
  if (args.kwarg)
    nodes.emplace_back(args.kwarg, nullptr);
  return nodes;
}

/// Constants that no parameter takes, for `**META`.
static Value keywordConstants(Interpreter &in, const Parameters &parameters) {
  auto meta = std::make_shared<DictPayload>();
  for (const SignatureArg &arg : parameters.signature)
    if (arg.isConstant && !llvm::is_contained(parameters.names, arg.name))
      meta->entries.emplace_back(arg.name, in.fromConstant(arg.constant));
  return Value::withPayload(Value::Kind::Dict, std::move(meta));
}

Value Interpreter::constantParameter(const SignatureArg &arg,
                                     syntax::SourceRange range) {
  Value value = fromConstant(arg.constant);
  if (value.isError() && !theReporter.hadError())
    theReporter.errorAt(range, 2007,
                        "expected a known constant for '" + arg.name +
                            "', got '" + arg.constant.text + "'",
                        "constants are numbers, True, False, None, quoted "
                        "strings, tuples, type names and functions of the "
                        "module");
  return value;
}

bool Interpreter::bindParameters(const ast::FunctionDef &kernel) {
  std::optional<Parameters> parameters = matchSignature(*this, kernel, sink);
  if (!parameters)
    return false;
  function = createFunction(builder(), *parameters);
  llvm::ArrayRef<mlir::BlockArgument> arguments =
      function.getBody().front().getArguments();
  auto nodes = parameterNodes(*kernel.args);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const ParameterInfo &parameter = parameters->info.parameters[i];
    auto [node, defaultExpr] = nodes[i];
    const ast::Expr *value = defaultExpr;
    auto it = parameters->given.find(parameter.name);
    Binding binding;
    binding.site = node;
    if (parameter.isKeywordVariadic) {
      binding.value = keywordConstants(*this, *parameters);
    } else if (it != parameters->given.end()) {
      binding.value = it->second->isConstant
                          ? constantParameter(*it->second, parameter.range)
                          : argumentValue(*this, it->second->type, arguments);
    } else if (value) {
      binding.value = inModule(*mainModule, [&] { return evaluate(value); });
      if (!parameter.isConstexpr)
        binding.value = decay(binding.value);
    } else {
      binding.value = Value::tuple({});
    }
    // A folded argument keeps the meaning that other values of it have.
    bool isFolded = !parameter.isConstexpr && !binding.value.isFloat() &&
                    binding.value.isNumber() && !binding.value.isTyped();
    if (isFolded)
      if (std::optional<DType> type = emitter.typeOfNumber(binding.value))
        binding.value = Value::typed(binding.value, *type);
    std::optional<DType> fixed;
    if (!parameter.isConstexpr)
      fixed = annotatedType(*request.module, node->annotation);
    bool isNumeric =
        binding.value.isNumber() ||
        (binding.value.isScalar() && !binding.value.dtype().isPointer());
    if (fixed && isNumeric)
      binding.value = emitter.cast(binding.value, *fixed);
    active->scope.bind(ref(node->arg), std::move(binding));
  }
  return true;
}
