//===- Overrides.h - High-level ops that plugins take over ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The claims of the target's plugins on one compile. They are chosen twice: on
// tile IR by what the claims say of themselves, and on Kernel IR by what the
// claimed form gives. An op that nobody takes is compiled from its body.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_OVERRIDES_OVERRIDES_H
#define TILEWRIGHT_FRONTEND_DRIVER_OVERRIDES_OVERRIDES_H

#include "dialects/kernel/KernelOps.h"
#include "frontend/driver/CompileSession.h"
#include "runtime/artifact/Artifact.h"

#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace tilewright::driver {

/// A high-level op where it is called, in tile IR or in Kernel IR.
struct OpCall {
  llvm::StringRef op; ///< "softmax"
  uint32_t version = 0;
  mlir::TypeRange operands, results;
  mlir::DictionaryAttr arguments; ///< known at compile time; may be null

  /// Of `tile.call_op` and `kernel.call_op`.
  template <typename CallOp> static OpCall of(CallOp call) {
    OpCall result;
    auto [op, version] = call.getName().split('@');
    result.op = op;
    version.getAsInteger(10, result.version);
    result.operands = call->getOperandTypes();
    result.results = call->getResultTypes();
    result.arguments =
        call->template getAttrOfType<mlir::DictionaryAttr>("tw.arguments");
    return result;
  }
  /// The type that claims go by: that of the first operand.
  mlir::Type type() const {
    return operands.empty() ? mlir::Type() : operands.front();
  }
};

/// A claim of a plugin on an op, or on a whole kernel.
struct OpClaim {
  const Backends::Backend *owner = nullptr;
  const tw_override_record *handle = nullptr; ///< what the owner knows it by
  tw_override_record record = {}; ///< the same with fields of this host
  std::string op, provider;

  /// Why the claim is not for this call by its own words, or "".
  std::string whyNot(const OpCall &call) const;
  /// "'acme' (IR library, priority 5, exact)".
  std::string describe() const;
};

/// An override that became part of what is compiled.
struct UsedOverride {
  std::string op;   ///< "softmax@1"
  std::string text; ///< provider, form and a hash of what it brought
};

class Overrides {
public:
  /// `opVendors` are those whose added ops the kernel uses.
  Overrides(Backends &backends, const Backends::Backend &compiler,
            const std::vector<std::string> &opVendors,
            const tw_compile_input &input, CompileOutput &output);

  /// Reads the settings and the claims; false after an error in the sink.
  bool collect();

  /// Marks the high-level ops of tile IR that may be taken (CallOps.h).
  void mark(mlir::ModuleOp tile);
  /// Replaces the marked ops of Kernel IR, best claim first. True if the module
  /// changed.
  bool apply(mlir::ModuleOp module);

  /// Whether some claim is on the kernel of that name as a whole.
  bool claimsKernel(llvm::StringRef name) const;
  /// The prebuilt artifact for a kernel whose plain Kernel IR has `identity`,
  /// or nothing. `options` are those that the artifact would have.
  std::optional<artifact::Artifact>
  takeKernel(llvm::StringRef name, llvm::StringRef identity,
             mlir::Location location, const artifact::Artifact &wanted);

  /// Device code for the request.
  const std::vector<tw_library> &libraries() const { return linked; }
  const std::vector<UsedOverride> &used() const { return taken; }

private:
  struct Content {
    tw_library library = {};
    bool isThere = false;
    mlir::OwningOpRef<mlir::ModuleOp> module; ///< of an IR library, once read
  };
  /// What a try gave: applied, or the reason why not.
  struct Attempt {
    bool isTaken = false;
    std::string reason;
  };

  bool readSettings();
  bool readClaims(const Backends::Backend &owner);
  bool checkPins();
  std::vector<unsigned> candidates(const OpCall &call,
                                   std::vector<std::string> &reasons) const;
  std::string whyNotChosen(const OpClaim &claim, const OpCall &call) const;
  bool isPinned(const OpClaim &claim) const;

  Attempt attempt(unsigned index, kernel::CallOpOp call);
  Attempt takeWhole(const OpClaim &claim, kernel::CallOpOp call);
  Attempt takeIRLibrary(unsigned index, kernel::CallOpOp call);
  Attempt takeDeviceLibrary(unsigned index, kernel::CallOpOp call);
  Attempt takeCallback(const OpClaim &claim, kernel::CallOpOp call);
  Attempt takeBody(const OpClaim &claim, kernel::CallOpOp call,
                   mlir::ModuleOp library, llvm::StringRef bytes);
  Content &content(unsigned index);
  mlir::OwningOpRef<mlir::ModuleOp>
  read(const OpClaim &claim, llvm::StringRef bytes, mlir::MLIRContext *context);
  void use(const OpClaim &claim, llvm::StringRef op, llvm::StringRef bytes);
  /// Warning TW3127: what the plugin gave is of no use.
  void warn(const OpClaim &claim, const std::string &text);
  void trace(mlir::Location location, const std::string &text);

  Backends &backends;
  const Backends::Backend &compiler;
  const std::vector<std::string> &opVendors;
  const tw_compile_input &input;
  CompileOutput &output;
  bool isOff = false, keepsWhole = false, isTraced = false;
  std::string math = "accurate";
  std::map<std::string, std::string> pins; // op -> provider
  std::vector<OpClaim> claims;             // best first
  std::map<unsigned, Content> contents;
  std::vector<tw_library> linked;
  std::vector<UsedOverride> taken;
};

/// Everything that the claims of a target's plugins may change, as text for
/// keys: the claims, and hashes of the content behind them.
std::string describeClaims(Backends &backends,
                           const Backends::Backend &compiler,
                           const std::vector<std::string> &opVendors,
                           const std::string &target);

/// Identity of a kernel: a hash of its Kernel IR without places.
std::string kernelIdentity(mlir::ModuleOp module);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_OVERRIDES_OVERRIDES_H
