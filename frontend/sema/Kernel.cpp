//===- Kernel.cpp - From a request to a function ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the kernel, matches its parameters with the signature, makes the
// func.func with its argument facts and interprets the body.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/Signature.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

Interpreter::Interpreter(mlir::MLIRContext &context,
                         const KernelRequest &request,
                         syntax::DiagnosticSink &sink)
    : emitter(&context, theReporter), request(request), sink(sink),
      theReporter(sink) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::math::MathDialect, mlir::scf::SCFDialect,
                      mlir::tensor::TensorDialect, tile::TileDialect,
                      kernel::KernelDialect>();
  mainModule = std::make_unique<ModuleEnv>(*request.module, "", false);
  sink.addSource(std::string(request.module->fileName),
                 std::string(request.module->source));
}

Interpreter::~Interpreter() = default;

StringRef Interpreter::option(StringRef name, StringRef fallback) const {
  for (const auto &[key, value] : request.options)
    if (name == key)
      return value;
  return fallback;
}

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

static bool isKernel(const ast::FunctionDef &def) {
  for (const ast::Expr *decorator : def.decoratorList)
    if (decoratorName(decorator) == "jit")
      return true;
  return false;
}

static bool isConstexprText(StringRef annotation) {
  annotation = annotation.trim("'\"");
  return annotation == "constexpr" || annotation.ends_with(".constexpr");
}

static KernelInfo describeKernel(const ast::Module &module,
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

namespace {
/// One run-time argument of the function.
struct FunctionArgument {
  mlir::Type type;
  std::string name;
  std::string dtype;
  SignatureType facts;
};
} // namespace

static void flattenArgument(mlir::MLIRContext *context, const std::string &name,
                            const SignatureType &type,
                            std::vector<FunctionArgument> &out) {
  switch (type.kind) {
  case SignatureType::Kind::Tuple:
    for (size_t i = 0; i < type.elements.size(); ++i)
      flattenArgument(context, name + "." + std::to_string(i), type.elements[i],
                      out);
    return;
  case SignatureType::Kind::Descriptor: {
    // A host-made descriptor travels as its base, shape and strides; the last
    // stride is 1.
    SignatureType base;
    base.type = type.type.pointerTo();
    base.divisibility = type.divisibility;
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

static Value argumentValue(Emitter &emitter, const SignatureType &type,
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
      elements.push_back(argumentValue(emitter, element, arguments));
    return Value::tuple(std::move(elements));
  }
  case SignatureType::Kind::Descriptor: {
    Value base = Value::tensor(next(), type.type.pointerTo());
    std::vector<Value> shape, strides;
    for (size_t i = 0; i < type.block.size(); ++i)
      shape.push_back(Value::tensor(next(), Scalar::I64));
    for (size_t i = 0; i + 1 < type.block.size(); ++i)
      strides.push_back(Value::tensor(next(), Scalar::I64));
    strides.push_back(emitter.constantInt(1, Scalar::I64));
    return makeDescriptor(emitter, base, shape, strides, type.block,
                          /*padsWithNaN=*/false);
  }
  case SignatureType::Kind::Scalar:
    break;
  }
  if (type.value)
    return type.type.isBool() ? Value::boolean(*type.value != 0)
                              : Value::integer(*type.value);
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
static std::optional<DType> annotatedType(Interpreter &interpreter,
                                          const ast::Module &module,
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

bool Interpreter::bindParameters(const ast::FunctionDef &kernel) {
  std::optional<std::vector<SignatureArg>> signature =
      parseSignature(request.signature, sink);
  if (!signature)
    return false;
  KernelInfo info = describeKernel(*request.module, kernel);
  std::vector<std::string> names;
  for (const ParameterInfo &parameter : info.parameters)
    names.push_back(parameter.name);
  const ParameterInfo *keywords = nullptr;
  for (const ParameterInfo &parameter : info.parameters)
    if (parameter.isKeywordVariadic)
      keywords = &parameter;
  std::map<std::string, const SignatureArg *> given;
  bool ok = true;
  for (const SignatureArg &arg : *signature) {
    given[arg.name] = &arg;
    if (llvm::is_contained(names, arg.name) || (keywords && arg.isConstant))
      continue;
    error(2004,
          "the kernel '" + info.name + "' has no parameter '" + arg.name + "'",
          didYouMean(arg.name, names,
                     "its parameters are " + llvm::join(names, ", ")));
    ok = false;
  }

  std::vector<FunctionArgument> functionArguments;
  std::vector<unsigned> indices;
  unsigned index = 0;
  for (const ParameterInfo &parameter : info.parameters) {
    auto it = given.find(parameter.name);
    if (it == given.end()) {
      if (parameter.hasDefault || parameter.isVariadic ||
          parameter.isKeywordVariadic)
        continue;
      theReporter.errorAt(parameter.range, 2005,
                          "expected the signature to cover the parameter '" +
                              parameter.name + "'",
                          parameter.isConstexpr
                              ? "add " + parameter.name + "=<value>"
                              : "add " + parameter.name + ":<type>");
      ok = false;
      continue;
    }
    const SignatureArg &arg = *it->second;
    if (parameter.isConstexpr && !arg.isConstant) {
      theReporter.errorAt(parameter.range, 2006,
                          "expected a value for the constexpr '" +
                              parameter.name + "', got the type " +
                              arg.type.str(),
                          "write " + parameter.name + "=<value>");
      ok = false;
      continue;
    }
    if (arg.isConstant)
      continue;
    size_t before = functionArguments.size();
    flattenArgument(builder().getContext(), arg.name, arg.type,
                    functionArguments);
    for (size_t i = before; i < functionArguments.size(); ++i)
      indices.push_back(index++);
  }
  if (!ok)
    return false;

  auto &b = builder();
  llvm::SmallVector<mlir::Type> types;
  for (const FunctionArgument &argument : functionArguments)
    types.push_back(argument.type);
  function =
      mlir::func::FuncOp::create(b, info.name, b.getFunctionType(types, {}));
  function->setAttr("tw.kernel", b.getUnitAttr());
  for (size_t i = 0; i < functionArguments.size(); ++i)
    function.setArgAttrs(
        i, argumentAttributes(b, functionArguments[i], indices[i]));
  mlir::Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);

  llvm::ArrayRef<mlir::BlockArgument> arguments = entry->getArguments();
  std::vector<const ast::Arg *> nodes(kernel.args->posonlyargs.begin(),
                                      kernel.args->posonlyargs.end());
  nodes.insert(nodes.end(), kernel.args->args.begin(), kernel.args->args.end());
  nodes.insert(nodes.end(), kernel.args->kwonlyargs.begin(),
               kernel.args->kwonlyargs.end());
  auto nodeOf = [&](StringRef name) -> const ast::Arg * {
    for (const ast::Arg *node : nodes)
      if (ref(node->arg) == name)
        return node;
    return kernel.args->vararg && ref(kernel.args->vararg->arg) == name
               ? kernel.args->vararg
               : kernel.args->kwarg;
  };
  auto meta = std::make_shared<DictPayload>();
  for (const SignatureArg &arg : *signature)
    if (arg.isConstant && !llvm::is_contained(names, arg.name))
      meta->entries.emplace_back(arg.name, fromConstant(arg.constant));
  size_t firstDefault = kernel.args->posonlyargs.size() +
                        kernel.args->args.size() - kernel.args->defaults.size();
  for (const ParameterInfo &parameter : info.parameters) {
    const ast::Arg *node = nodeOf(parameter.name);
    Binding binding;
    binding.site = node;
    auto it = given.find(parameter.name);
    if (parameter.isKeywordVariadic) {
      binding.value = Value::withPayload(Value::Kind::Dict, meta);
    } else if (it == given.end()) {
      if (parameter.isVariadic) {
        binding.value = Value::tuple({});
      } else {
        size_t at = std::find(nodes.begin(), nodes.end(), node) - nodes.begin();
        size_t count =
            kernel.args->posonlyargs.size() + kernel.args->args.size();
        const ast::Expr *value = at < count
                                     ? kernel.args->defaults[at - firstDefault]
                                     : kernel.args->kwDefaults[at - count];
        binding.value = inModule(*mainModule, [&] { return evaluate(value); });
        if (!parameter.isConstexpr)
          binding.value =
              binding.value.isStr() ? binding.value : decay(binding.value);
      }
    } else if (it->second->isConstant) {
      binding.value = fromConstant(it->second->constant);
      if (binding.value.isError() && !theReporter.hadError())
        theReporter.errorAt(parameter.range, 2007,
                            "expected a known function for '" + parameter.name +
                                "'",
                            "pass the function's module");
    } else {
      binding.value = argumentValue(emitter, it->second->type, arguments);
    }
    std::optional<DType> fixed =
        parameter.isConstexpr
            ? std::nullopt
            : annotatedType(*this, *request.module, node->annotation);
    bool isNumeric =
        binding.value.isNumber() ||
        (binding.value.isScalar() && !binding.value.dtype().isPointer());
    if (fixed && isNumeric)
      binding.value = emitter.cast(binding.value, *fixed);
    active->scope.bind(ref(node->arg), std::move(binding));
  }
  return true;
}

void Interpreter::setModuleAttributes(mlir::ModuleOp module) {
  mlir::Builder b(module.getContext());
  llvm::SmallVector<mlir::NamedAttribute> options;
  for (const auto &entry : request.options) {
    const std::string &name = entry.first, &value = entry.second;
    int64_t number;
    mlir::Attribute attribute;
    if (!StringRef(value).getAsInteger(10, number) && llvm::isInt<32>(number))
      attribute = b.getI32IntegerAttr(number);
    else if (value == "True" || value == "true")
      attribute = b.getBoolAttr(true);
    else if (value == "False" || value == "false")
      attribute = b.getBoolAttr(false);
    else
      attribute = b.getStringAttr(value);
    bool isNew = llvm::none_of(options, [&](mlir::NamedAttribute entry) {
      return entry.getName() == name;
    });
    if (!name.empty() && isNew)
      options.push_back(b.getNamedAttr(name, attribute));
  }
  module->setAttr("tw.target", b.getStringAttr(request.target.spelling));
  module->setAttr("tw.math", b.getStringAttr(option("math", "accurate")));
  module->setAttr("tw.options", b.getDictionaryAttr(options));
}

mlir::OwningOpRef<mlir::ModuleOp> Interpreter::run() {
  Activation activation;
  activation.frame.module = mainModule.get();
  active = &activation;
  theReporter.frame = &activation.frame;
  const ast::FunctionDef *kernel = findKernel();
  if (!kernel)
    return nullptr;
  activation.frame.functionName = std::string(kernel->name);
  activation.frame.node = kernel;
  enter(kernel->range);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(builder().getLoc());
  setModuleAttributes(*module);
  StringRef fusion = option("enable_fp_fusion", "1");
  emitter.contract = option("math", "accurate") != "portable" &&
                     fusion != "0" && fusion != "False" && fusion != "false";
  builder().setInsertionPointToStart(module->getBody());
  if (!bindParameters(*kernel) || theReporter.hadError())
    return nullptr;
  execList(kernel->body, 0, /*isTail=*/true);
  enter(kernel->range);
  if (theReporter.hadError())
    return nullptr;
  builder().setInsertionPointToEnd(&function.getBody().back());
  mlir::func::ReturnOp::create(builder());
  mlir::ScopedDiagnosticHandler handler(
      builder().getContext(), [&](mlir::Diagnostic &diagnostic) {
        error(2009,
              "the frontend made an invalid operation: " + diagnostic.str(),
              "this is a fault of the compiler; please report it");
        return mlir::success();
      });
  if (mlir::failed(mlir::verify(*module)))
    return nullptr;
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp>
sema::emitKernel(mlir::MLIRContext &context, const KernelRequest &request,
                 syntax::DiagnosticSink &sink) {
  return Interpreter(context, request, sink).run();
}
