//===- Forms.cpp - The forms that an override may have ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a call, or of a whole kernel, that a claim takes. Whatever a
// plugin gives is checked here; what is of no use costs a warning and the op's
// own body is compiled.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/CallOps.h"
#include "dialects/kernel/portable/Portable.h"
#include "frontend/driver/overrides/Overrides.h"
#include "plugins/loader/DiagnosticText.h"
#include "plugins/worker/Wire.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace tilewright::driver {

using namespace mlir;

static llvm::StringRef bytesOf(const tw_library &library) {
  return {static_cast<const char *>(library.content.data),
          library.content.size};
}

static std::string hashOf(llvm::StringRef bytes) {
  return llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true);
}

void Overrides::use(const OpClaim &claim, llvm::StringRef op,
                    llvm::StringRef bytes) {
  // Two plugins may give the same bytes under other symbols.
  std::string symbol = toString(claim.record.symbol);
  std::string text =
      claim.describe() + " " + hashOf((symbol + "\n" + bytes).str());
  for (const UsedOverride &known : taken)
    if (known.op == op && known.text == text)
      return;
  taken.push_back({op.str(), std::move(text)});
}

Overrides::Content &Overrides::content(unsigned index) {
  Content &found = contents[index];
  const OpClaim &claim = claims[index];
  if (!found.isThere &&
      claim.owner->plugin->overrides().library(
          claim.owner->handle, claim.handle, &found.library) == TW_OK)
    found.isThere = true;
  return found;
}

Overrides::Attempt Overrides::attempt(unsigned index, kernel::CallOpOp call) {
  const OpClaim &claim = claims[index];
  switch (claim.record.form) {
  case TW_OVERRIDE_IR_LIBRARY:
    return takeIRLibrary(index, call);
  case TW_OVERRIDE_DEVICE_LIBRARY:
    return takeDeviceLibrary(index, call);
  case TW_OVERRIDE_CALLBACK:
    return takeCallback(claim, call);
  default:
    return takeWhole(claim, call);
  }
}

Overrides::Attempt Overrides::takeWhole(const OpClaim &claim,
                                        kernel::CallOpOp call) {
  if (claim.owner != &compiler)
    return {false, "only the library that compiles gets ops whole"};
  use(claim, call.getName(), "");
  return {true, ""};
}

//===----------------------------------------------------------------------===//
// Bodies in the portable form
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> Overrides::read(const OpClaim &claim,
                                      llvm::StringRef bytes,
                                      MLIRContext *context) {
  std::string problem;
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    if (problem.empty())
      problem = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = kernel::readPortableIR(bytes, context);
  if (!module)
    warn(claim, problem);
  return module;
}

/// The op of a library that stands for `call`: the same name, types and
/// compile-time arguments, in the kernel `symbol` (empty: any).
static kernel::CallOpOp findTwin(ModuleOp library, llvm::StringRef symbol,
                                 kernel::CallOpOp call) {
  kernel::CallOpOp found;
  for (auto function : library.getOps<func::FuncOp>()) {
    if (!symbol.empty() && function.getSymName() != symbol)
      continue;
    function.walk([&](kernel::CallOpOp op) {
      if (!found && op.getName() == call.getName() &&
          op->getOperandTypes() == call->getOperandTypes() &&
          op->getResultTypes() == call->getResultTypes() &&
          op->getAttr("tw.arguments") == call->getAttr("tw.arguments"))
        found = op;
    });
  }
  return found;
}

/// Gives `call` the body that its twin in a library has, and inlines it.
Overrides::Attempt Overrides::takeBody(const OpClaim &claim,
                                       kernel::CallOpOp call, ModuleOp library,
                                       llvm::StringRef bytes) {
  kernel::CallOpOp twin =
      findTwin(library, toString(claim.record.symbol), call);
  if (!twin)
    return {false, "it has no body for these types and arguments"};
  use(claim, call.getName(), bytes);
  Region body;
  IRMapping mapping;
  twin.getBody().cloneInto(&body, mapping);
  call.getBody().takeBody(body);
  // What the library calls is its own affair, and places are the user's.
  SmallVector<kernel::CallOpOp> inner;
  call.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    op->setLoc(call.getLoc());
    if (auto nested = dyn_cast<kernel::CallOpOp>(op))
      inner.push_back(nested);
  });
  for (kernel::CallOpOp nested : inner)
    kernel::inlineCall(nested);
  kernel::inlineCall(call);
  return {true, ""};
}

Overrides::Attempt Overrides::takeIRLibrary(unsigned index,
                                            kernel::CallOpOp call) {
  const OpClaim &claim = claims[index];
  Content &found = content(index);
  std::string format = found.isThere ? toString(found.library.format) : "";
  if (format != kernel::portableFormat) {
    warn(claim, found.isThere
                    ? "expected a library in tw.portable, got '" + format + "'"
                    : "the plugin gives no library");
    return {false, "its library is missing"};
  }
  if (!found.module)
    found.module = read(claim, bytesOf(found.library), call->getContext());
  if (!found.module)
    return {false, "its library cannot be read"};
  return takeBody(claim, call, *found.module, bytesOf(found.library));
}

/// A kernel that does nothing but call the op, on zeros; null if an operand is
/// no number.
static OwningOpRef<ModuleOp> describeCall(kernel::CallOpOp call) {
  auto parent = call->getParentOfType<ModuleOp>();
  OpBuilder b(call->getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  (*module)->setAttrs(parent->getAttrDictionary());
  b.setInsertionPointToStart(module->getBody());
  auto function =
      func::FuncOp::create(b, call.getLoc(), "op", b.getFunctionType({}, {}));
  function->setAttr("tw.kernel", b.getUnitAttr());
  b.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  for (Value operand : call.getArgs()) {
    TypedAttr zero = b.getZeroAttr(operand.getType());
    if (!zero)
      return nullptr;
    mapping.map(operand, arith::ConstantOp::create(b, call.getLoc(), zero));
  }
  b.clone(*call, mapping);
  func::ReturnOp::create(b, call.getLoc());
  return module;
}

Overrides::Attempt Overrides::takeCallback(const OpClaim &claim,
                                           kernel::CallOpOp call) {
  const plugins::Agreement &info = claim.owner->plugin->info();
  uint32_t version = std::min<uint32_t>(info.portableMax, TW_PORTABLE_NEWEST);
  if (version < std::max<uint32_t>(info.portableMin, TW_PORTABLE_OLDEST))
    return {false, "it reads no version of tw.portable that is written here"};
  OwningOpRef<ModuleOp> module = describeCall(call);
  std::string bytes, answer;
  if (!module || failed(kernel::writePortableIR(*module, version, bytes)))
    return {false, "the call cannot be described"};
  plugins::DiagnosticText reports;
  int32_t status = claim.owner->plugin->overrides().lower(
      claim.owner->handle, claim.handle, {bytes.data(), bytes.size()},
      reports.sink(), writerTo(answer));
  if (status == TW_E_UNIMPLEMENTED)
    return {false, "it declined"};
  if (status != TW_OK) {
    Problem problem;
    reports.explain(status, 0, "the callback gave no reason", problem);
    warn(claim, problem.message);
    return {false, "it failed"};
  }
  OwningOpRef<ModuleOp> body = read(claim, answer, call->getContext());
  if (!body)
    return {false, "what it gave cannot be read"};
  return takeBody(claim, call, *body, answer);
}

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

/// Whether the target's compiler links device code of a format.
static bool links(const Backends::Backend &compiler, const std::string &target,
                  const std::string &format) {
  tw_capability formats = {};
  formats.id = TW_CAP_LIBRARY_FORMATS;
  if (compiler.plugin->compile().get_caps(compiler.handle, toStr(target),
                                          &formats, 1) != TW_OK ||
      formats.answer != TW_ANSWER_YES)
    return false;
  std::string known = toString(formats.text);
  return llvm::is_contained(llvm::split(known, '\n'), format);
}

Overrides::Attempt Overrides::takeDeviceLibrary(unsigned index,
                                                kernel::CallOpOp call) {
  const OpClaim &claim = claims[index];
  Content &found = content(index);
  if (!found.isThere) {
    warn(claim, "the plugin gives no library");
    return {false, "its library is missing"};
  }
  std::string format = toString(found.library.format);
  if (!links(compiler, output.target, format))
    return {false, "the target links no library of format '" + format + "'"};
  auto shapeOf = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.getShape() : ArrayRef<int64_t>();
  };
  bool isElementwise =
      call->getNumResults() == 1 &&
      llvm::all_of(call->getOperandTypes(), [&](Type type) {
        return shapeOf(type) == shapeOf(call->getResult(0).getType());
      });
  if (!isElementwise)
    return {false, "a device function is called for each element, but operands "
                   "and result differ in shape"};
  if (found.library.name.size == 0)
    found.library.name = toStr(claim.provider);
  OpBuilder b(call);
  auto device = kernel::ExternCallOp::create(
      b, call.getLoc(), call->getResult(0).getType(),
      toString(found.library.name), toString(claim.record.symbol),
      call.getArgs(), /*pure=*/true);
  call->getResult(0).replaceAllUsesWith(device.getResult());
  use(claim, call.getName(), bytesOf(found.library));
  call->erase();
  if (llvm::none_of(linked, [&](const tw_library &known) {
        return tw_str_equal(known.name, found.library.name) &&
               bytesOf(known) == bytesOf(found.library);
      }))
    linked.push_back(found.library);
  return {true, ""};
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

std::string describeClaims(Backends &backends,
                           const Backends::Backend &compiler,
                           const std::vector<std::string> &opVendors,
                           const std::string &target) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Backends::Backend *owner :
       backends.overriding(compiler, opVendors)) {
    const tw_override_record *const *records = nullptr;
    uint64_t count = 0;
    if (owner->plugin->overrides().list(owner->handle, toStr(target), &records,
                                        &count) != TW_OK ||
        !records)
      continue;
    out << owner->plugin->path() << " " << owner->plugin->info().buildId
        << "\n";
    for (uint64_t i = 0; i < count; ++i) {
      tw_override_record record = {};
      if (tw_read_struct(&record, sizeof record, records[i]) != TW_OK)
        continue;
      // All fields, so that a claim's words count, too.
      std::string fields = worker::encode(record);
      out << toString(record.op) << " " << hashOf(fields) << " "
          << backends.contentHash(*owner, records[i]) << "\n";
    }
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Whole kernels
//===----------------------------------------------------------------------===//

std::string kernelIdentity(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  (*copy)->removeAttr("tw.options"); // compared as such
  PassManager passes(module->getContext());
  passes.addPass(createStripDebugInfoPass());
  std::string bytes;
  if (failed(passes.run(*copy)) ||
      failed(kernel::writePortableIR(*copy, TW_PORTABLE_NEWEST, bytes)))
    return "";
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  std::string identity;
  for (uint64_t word : {hash.high64, hash.low64})
    for (int byte = 7; byte >= 0; --byte)
      identity.push_back(char(word >> (8 * byte)));
  return identity;
}

/// Why an artifact is not what this compile would make, or "".
static std::string whyNotSame(const artifact::Artifact &found,
                              const artifact::Artifact &wanted,
                              llvm::StringRef kernel) {
  if (found.target != wanted.target)
    return "it is for " + found.target;
  if (found.signature != wanted.signature)
    return "its signature is '" + found.signature + "'";
  if (found.options != wanted.options)
    return "it was compiled with other options";
  if (llvm::none_of(found.kernels, [&](const artifact::Kernel &entry) {
        return entry.name == kernel;
      }))
    return "it holds no kernel '" + kernel.str() + "'";
  return "";
}

std::optional<artifact::Artifact>
Overrides::takeKernel(llvm::StringRef name, llvm::StringRef identity,
                      Location location, const artifact::Artifact &wanted) {
  std::vector<std::string> reasons;
  std::optional<artifact::Artifact> chosen;
  std::string text = "its own code";
  for (const auto &[index, claim] : llvm::enumerate(claims)) {
    if (claim.record.form != TW_OVERRIDE_ARTIFACT || claim.op != name)
      continue;
    OpCall whole;
    whole.version = claim.record.min_version;
    std::string reason = whyNotChosen(claim, whole);
    llvm::StringRef expected(
        static_cast<const char *>(claim.record.content_hash.data),
        claim.record.content_hash.size);
    if (reason.empty() && chosen)
      reason = "its priority is not higher";
    if (reason.empty() && identity != expected)
      reason = "it is for the kernel " + llvm::toHex(expected, true) +
               ", this is " + llvm::toHex(identity, true);
    if (reason.empty()) {
      Content &found = content(index);
      Problem problem;
      if (found.isThere && toString(found.library.format) == "twa")
        chosen = artifact::readArtifact(found.library.content, problem);
      if (!chosen) {
        warn(claim, problem ? problem.message : "the plugin gives no artifact");
        reason = "its artifact cannot be read";
      } else if (reason = whyNotSame(*chosen, wanted, name); !reason.empty()) {
        chosen.reset();
      } else {
        use(claim, name, bytesOf(found.library));
        text = claim.describe() + (isPinned(claim) ? ", pinned" : "");
      }
    }
    if (!reason.empty())
      reasons.push_back(claim.describe() + ": " + reason);
  }
  std::string rest;
  for (const std::string &reason : reasons)
    rest += "; not " + reason;
  trace(location, "kernel " + name.str() + ": " + text + rest);
  return chosen;
}

} // namespace tilewright::driver
