//===- Sema.h - Syntax tree to tile IR --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry point of the semantic analysis: one kernel of a module, a signature
// and captured constants become one `func.func` of the tile dialect.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_SEMA_H
#define TILEWRIGHT_FRONTEND_SEMA_SEMA_H

#include "frontend/sema/value/Constant.h"
#include "frontend/syntax/AST.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <map>
#include <optional>

namespace tilewright::sema {

/// What the kernel sees as `tl.target`.
struct TargetInfo {
  /// As resolved: "cpu:znver4".
  std::string spelling = "cpu";
  std::string vendor = "cpu";
  std::string arch;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, int64_t>> limits;
  /// Names of the hints that the backend publishes; unset when it says nothing.
  std::optional<std::vector<std::string>> hints;
};

/// A module that the source imports: its tree, which must outlive emitKernel,
/// and its full dotted name. Null tree: there is none.
struct ResolvedModule {
  const ast::Module *tree = nullptr;
  std::string name;
};

/// Finds a module. `level` counts the leading dots of a relative import, which
/// are relative to the module `importer` (empty: the kernel's own).
using ModuleResolver = std::function<ResolvedModule(
    llvm::StringRef name, unsigned level, llvm::StringRef importer)>;

struct KernelRequest {
  const ast::Module *module = nullptr;
  /// Empty: the only kernel of the module.
  std::string kernelName;
  std::string signature;
  /// num_warps, num_stages, enable_fp_fusion, math, debug, ...; integers are
  /// recognised by their text.
  std::vector<std::pair<std::string, std::string>> options;
  TargetInfo target;
  /// Globals by (dotted) name that the host resolved; they win over what the
  /// source text says.
  std::map<std::string, Constant> globals;
  ModuleResolver resolver;
  /// Told of every function that the kernel inlines, once for each call; the
  /// node is a FunctionDef or a Lambda.
  std::function<void(llvm::StringRef fileName, const ast::Node *function)>
      onInlined;
};

struct ParameterInfo {
  std::string name;
  bool isConstexpr = false;
  /// `*args` and `**kwargs`.
  bool isVariadic = false;
  bool isKeywordVariadic = false;
  /// Source text of the annotation and default; empty when absent.
  std::string annotation;
  std::string defaultText;
  bool hasDefault = false;
  syntax::SourceRange range;
};

struct KernelInfo {
  std::string name;
  std::vector<ParameterInfo> parameters;
  syntax::SourceRange range;
};

/// The parameters of one function, in order.
KernelInfo describeKernel(const ast::Module &module,
                          const ast::FunctionDef &def);

/// All functions of the module's top level decorated as kernels (`jit` as the
/// last name of the decorator), in source order.
std::vector<KernelInfo> listKernels(const ast::Module &module);

/// Emits the kernel; an empty result when errors were reported. Loads the
/// dialects it needs into the context.
mlir::OwningOpRef<mlir::ModuleOp> emitKernel(mlir::MLIRContext &context,
                                             const KernelRequest &request,
                                             syntax::DiagnosticSink &sink);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_SEMA_H
