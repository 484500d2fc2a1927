//===- CompilerPlugin.h - The COMPILE profile of our plugins ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negotiation and the compile table, over what a backend says of itself.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_COMPILERPLUGIN_H
#define TILEWRIGHT_BACKENDS_COMMON_COMPILERPLUGIN_H

#include "backends/common/Report.h"

#include "tilewright/plugin.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <mutex>

namespace tilewright::backend {

/// Keeps texts of capabilities until the backend is closed.
using Interner = llvm::function_ref<tw_str(llvm::StringRef)>;

/// One compiler; a single object that lives as long as the library.
class Compiler {
public:
  virtual ~Compiler() = default;

  /// The word before ':' in a target; texts are literals.
  virtual const char *vendor() const = 0;
  virtual const char *title() const = 0;
  /// Tool versions and option defaults; build and IR versions are added.
  virtual std::string fingerprint() const = 0;
  /// The resolved spelling of a target.
  virtual std::optional<std::string> resolve(llvm::StringRef target,
                                             Problem &problem) const = 0;
  virtual std::vector<std::string> knownTargets() const = 0;
  /// Answers questions about a resolved target; those that it leaves alone are
  /// answered "unknown".
  virtual void answer(llvm::StringRef target,
                      llvm::MutableArrayRef<tw_capability> questions,
                      Interner intern) const = 0;
  /// The format of device libraries that are linked, "" for none; a literal.
  virtual const char *libraryFormat() const { return ""; }
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// A plugin with more profiles than COMPILE derives its state from tw_backend
  /// and has these tables.
  virtual std::unique_ptr<tw_backend> createBackend() const;
  virtual const tw_runtime_table *runtime() const { return nullptr; }
  virtual const tw_launch_table *launch() const { return nullptr; }
  /// Checks of target and options; reports the reason of a refusal.
  virtual int32_t check(const tw_compile_request &request) const = 0;
  /// `request` and `response` are this binary's views; the latter is zeroed.
  virtual int32_t compile(const mlir::DialectRegistry &registry,
                          const tw_compile_request &request,
                          tw_compile_response &response) const = 0;
};

/// A capability's answers.
void sayYes(tw_capability &question, int64_t value);
void sayYes(tw_capability &question, tw_str text);
void sayNo(tw_capability &question);
/// Yes with the value 1, or no.
void sayWhether(tw_capability &question, bool holds);
/// Bits of TW_DTYPE_* numbers, as capabilities list element types.
int64_t dtypeMask(std::initializer_list<uint32_t> dtypes);

/// The plugin's compiler: each plugin defines this function, and
/// tw_backend_entry with the one below.
const Compiler &thisCompiler();
int32_t answerOffer(const tw_host_offer *offer, tw_backend_answer *answer);

} // namespace tilewright::backend

/// What all our compiling plugins keep while they are open.
struct tw_backend {
  virtual ~tw_backend() = default;

  mlir::DialectRegistry registry;
  const tw_print_interface *printer = nullptr; ///< null: text is dropped

  /// A copy of the text that lives as long as the backend.
  tw_str intern(llvm::StringRef text);

private:
  std::mutex mutex;
  llvm::StringSet<> texts;
};

#endif // TILEWRIGHT_BACKENDS_COMMON_COMPILERPLUGIN_H
