//===- Vendor.h - What a GPU plugin adds to the shared compiler -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a request to a response is the same for every GPU: this is the list of
// what differs. SimtCompiler is the Compiler of a plugin that has a Vendor.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_COMPILE_VENDOR_H
#define TILEWRIGHT_BACKENDS_SIMT_COMPILE_VENDOR_H

#include "backends/common/Artifact.h"
#include "backends/common/CompilerPlugin.h"
#include "backends/common/DeviceLibraries.h"
#include "backends/simt/TargetHooks.h"
#include "backends/simt/compile/Options.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"

namespace tilewright::simt {

/// A target made explicit; vendors derive from it.
struct VendorTarget {
  virtual ~VendorTarget() = default;
  std::string name; ///< resolved spelling, "nvidia:sm_90a"
};

/// What a vendor makes an artifact from.
struct Generation {
  const VendorTarget &target;
  const CompileOptions &options;
  TargetHooks &hooks;
  std::unique_ptr<llvm::Module> module; ///< all kernels, not yet optimised
  const tw_compile_request &request;
  backend::Artifact &artifact; ///< records are there; payload, compat, stages
  backend::Report &report;
};

class Vendor {
public:
  virtual ~Vendor() = default;

  virtual const char *name() const = 0;
  virtual const char *title() const = 0;
  virtual std::unique_ptr<VendorTarget>
  resolve(llvm::StringRef text, backend::Problem &problem) const = 0;
  virtual std::vector<std::string> knownTargets() const = 0;
  /// Options besides those of CompileOptions.
  virtual llvm::ArrayRef<VendorOption> options() const { return {}; }
  /// Refuses values of options that are in range and yet wrong.
  virtual bool checkOptions(const CompileOptions &, backend::Problem &) const {
    return true;
  }
  /// Versions of tools besides LLVM, for the fingerprint.
  virtual std::string tools() const { return ""; }
  /// A capability of a target; what all GPU targets share is answered before.
  virtual void answer(const VendorTarget &target, tw_capability &question,
                      backend::Interner intern) const = 0;
  virtual std::unique_ptr<TargetHooks>
  makeHooks(const VendorTarget &target,
            const CompileOptions &options) const = 0;
  /// Adds the vendor's own passes at the end of a phase of Pipeline.h.
  virtual void addPasses(llvm::StringRef phase, mlir::OpPassManager &manager,
                         const VendorTarget &target,
                         const CompileOptions &options) const {}
  /// Gives records what the vendor's calling convention adds, before emission.
  virtual void completeRecord(backend::KernelRecord &record,
                              const VendorTarget &target,
                              const CompileOptions &options) const = 0;
  /// Optimises and emits; false after an error in the report. Runs guarded
  /// against LLVM's fatal errors.
  virtual bool generate(Generation &generation) const = 0;
  /// What remains to be done on the caller's thread, outside of LLVM.
  virtual bool finish(Generation &) const { return true; }
};

/// A Vendor whose targets are structs with a `name`, the resolved spelling;
/// `resolveText` makes them from texts.
template <typename Target, std::optional<Target> (*resolveText)(
                               llvm::StringRef, backend::Problem &)>
class VendorOf : public Vendor {
public:
  std::unique_ptr<VendorTarget> resolve(llvm::StringRef text,
                                        backend::Problem &problem) const final {
    std::optional<Target> target = resolveText(text, problem);
    if (!target)
      return nullptr;
    auto resolved = std::make_unique<Resolved>();
    resolved->name = target->name;
    resolved->target = std::move(*target);
    return resolved;
  }

protected:
  static const Target &targetOf(const VendorTarget &target) {
    return static_cast<const Resolved &>(target).target;
  }

private:
  struct Resolved : VendorTarget {
    Target target;
  };
};

/// The Compiler of a Vendor.
class SimtCompiler : public backend::Compiler {
public:
  explicit SimtCompiler(const Vendor &vendor) : theVendor(vendor) {}

  const char *vendor() const override { return theVendor.name(); }
  const char *title() const override { return theVendor.title(); }
  std::string fingerprint() const override;
  std::optional<std::string> resolve(llvm::StringRef target,
                                     backend::Problem &problem) const override;
  std::vector<std::string> knownTargets() const override {
    return theVendor.knownTargets();
  }
  void answer(llvm::StringRef target,
              llvm::MutableArrayRef<tw_capability> questions,
              backend::Interner intern) const override;
  const char *libraryFormat() const override {
    return backend::kBitcodeFormat.data();
  }
  void registerDialects(mlir::DialectRegistry &registry) const override;
  int32_t check(const tw_compile_request &request) const override;
  int32_t compile(const mlir::DialectRegistry &registry,
                  const tw_compile_request &request,
                  tw_compile_response &response) const override;

private:
  const Vendor &theVendor;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_COMPILE_VENDOR_H
