//===- Kernel.cpp - From a request to a function ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the kernel, matches its parameters with the signature, makes the
// func.func with its argument facts and interprets the body.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/kernel/Signature.h"

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
  traceCall(kernel);
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
