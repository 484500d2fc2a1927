//===- Overrides.cpp - Which claim takes a high-level op --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user's pin comes first, then the priority of the records, then the order of
// the plugins; the body of the op is what remains.
//===----------------------------------------------------------------------===//

#include "frontend/driver/overrides/Overrides.h"

#include "dialects/kernel/CallOps.h"
#include "dialects/tile/TileOps.h"
#include "plugins/loader/StatusText.h"
#include "plugins/loader/Utf8.h"
#include "tilewright/expression.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace tilewright::driver {

using namespace mlir;

/// Element types as Kernel IR spells them, by TW_DTYPE_*.
static constexpr const char *typeNames[TW_DTYPE_COUNT] = {
    "",       "i1",         "i8",         "i16",          "i32",
    "i64",    "i8",         "i16",        "i32",          "i64",
    "f16",    "bf16",       "f32",        "f64",          "f8E4M3FN",
    "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"};

/// What a pin says for "no override of this op".
static constexpr const char *builtinProvider = "builtin";

static const char *formName(uint32_t form) {
  switch (form) {
  case TW_OVERRIDE_IR_LIBRARY:
    return "IR library";
  case TW_OVERRIDE_DEVICE_LIBRARY:
    return "device library";
  case TW_OVERRIDE_CALLBACK:
    return "callback";
  case TW_OVERRIDE_ARTIFACT:
    return "artifact";
  case TW_OVERRIDE_WHOLE:
    return "whole op";
  default:
    return nullptr;
  }
}

static std::string numericsName(const tw_override_record &record) {
  switch (record.numerics) {
  case TW_NUMERICS_EXACT:
    return "exact";
  case TW_NUMERICS_ULP:
    return std::to_string(record.ulp) + " ulp";
  default:
    return "fast";
  }
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (type)
    type.print(stream);
  return text;
}

static std::string typesOf(uint64_t dtypes) {
  llvm::SmallVector<llvm::StringRef> names;
  for (unsigned dtype = 1; dtype < TW_DTYPE_COUNT; ++dtype)
    if (dtypes >> dtype & 1 && !llvm::is_contained(names, typeNames[dtype]))
      names.push_back(typeNames[dtype]);
  return llvm::join(names, "|");
}

//===----------------------------------------------------------------------===//
// A claim
//===----------------------------------------------------------------------===//

std::string OpClaim::describe() const {
  return "'" + provider + "' (" + formName(record.form) + ", priority " +
         std::to_string(record.priority) + ", " + numericsName(record) + ")";
}

/// Whether the predicate of a claim holds for a call.
static bool holdsFor(const OpClaim &claim, const OpCall &call) {
  const tw_override_record &record = claim.record;
  std::vector<int64_t> values;
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(call.type()))
    values.assign(tensor.getShape().begin(), tensor.getShape().end());
  for (uint64_t i = 0; i < record.argument_count; ++i) {
    auto value =
        call.arguments
            ? call.arguments.getAs<IntegerAttr>(toString(record.arguments[i]))
            : IntegerAttr();
    if (!value)
      return false;
    values.push_back(value.getInt());
  }
  tw_expr_input input = {values.data(), values.size(), {1, 1, 1}};
  int64_t result = 0;
  return tw_expr_check(record.predicate, values.size()) &&
         tw_expr_evaluate(record.predicate, &input, &result) && result != 0;
}

std::string OpClaim::whyNot(const OpCall &call) const {
  if (call.version < record.min_version || call.version > record.max_version)
    return "it is for versions " + std::to_string(record.min_version) + " to " +
           std::to_string(record.max_version);
  auto tensor = dyn_cast_or_null<RankedTensorType>(call.type());
  uint32_t rank = tensor ? tensor.getRank() : 0;
  std::string element =
      call.type() ? textOf(getElementTypeOrSelf(call.type())) : "";
  bool hasType = record.dtypes == 0;
  for (unsigned dtype = 1; dtype < TW_DTYPE_COUNT; ++dtype)
    hasType |= (record.dtypes >> dtype & 1) && element == typeNames[dtype];
  if (!hasType)
    return "it is for " + typesOf(record.dtypes) + ", not " + element;
  if (record.max_rank && (rank < record.min_rank || rank > record.max_rank))
    return "it is for rank " + std::to_string(record.min_rank) + " to " +
           std::to_string(record.max_rank) + ", not " + std::to_string(rank);
  if (record.predicate.size && !holdsFor(*this, call))
    return "it is not for this shape and these arguments";
  return "";
}

//===----------------------------------------------------------------------===//
// Settings and claims
//===----------------------------------------------------------------------===//

Overrides::Overrides(Backends &backends, const Backends::Backend &compiler,
                     const std::vector<std::string> &opVendors,
                     const tw_compile_input &input, CompileOutput &output)
    : backends(backends), compiler(compiler), opVendors(opVendors),
      input(input), output(output) {}

static void report(CompileOutput &output, syntax::Severity severity,
                   unsigned code, std::string message, std::string hint = {}) {
  syntax::Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  output.sink.report(std::move(diagnostic));
}

bool Overrides::readSettings() {
  for (uint64_t i = 0; i < input.option_count; ++i) {
    const tw_option &option = input.options[i];
    std::string key = toString(option.key), text = toString(option.text);
    if (key == "trace_overrides")
      isTraced = option.kind == TW_VALUE_INT && option.integer != 0;
    if (key == "math" && !text.empty())
      math = text;
    if (key == "overrides") {
      isOff = text == "off";
      keepsWhole = text == "whole";
      if (!isOff && !keepsWhole && text != "on") {
        report(output, syntax::Severity::Error, 4106,
               "expected on, off or whole for option 'overrides', got '" +
                   text + "'");
        return false;
      }
    }
    if (key != "pin_op")
      continue;
    for (llvm::StringRef pin : llvm::split(text, ',')) {
      auto [op, provider] = pin.trim().split('=');
      if (op.empty() || provider.empty()) {
        report(output, syntax::Severity::Error, 4106,
               "expected op=provider for option 'pin_op', got '" + pin.str() +
                   "'",
               "softmax=builtin compiles the op's own definition");
        return false;
      }
      pins[op.str()] = provider.str();
    }
  }
  return true;
}

/// What a record has to be for the host to rely on it; "" or what it is not.
static std::string whatIsWrong(const tw_override_record &record) {
  for (tw_str text : {record.op, record.arch, record.symbol, record.provider})
    if (!plugins::isText(toString(text)))
      return "UTF-8 without control characters as texts";
  if (!record.op.size)
    return "the name of an op, got none";
  if (!formName(record.form))
    return "a known form, got " + std::to_string(record.form);
  if (record.numerics < TW_NUMERICS_EXACT || record.numerics > TW_NUMERICS_FAST)
    return "a known numerics class, got " + std::to_string(record.numerics);
  if (record.numerics != TW_NUMERICS_ULP && record.ulp)
    return "units in the last place only for numerics class 2, got " +
           std::to_string(record.ulp) + " for class " +
           std::to_string(record.numerics);
  if (record.dtypes >> TW_DTYPE_COUNT)
    return "known element types";
  if (record.form != TW_OVERRIDE_ARTIFACT &&
      (record.min_version == 0 || record.min_version > record.max_version))
    return "versions from 1 on in order, got " +
           std::to_string(record.min_version) + " to " +
           std::to_string(record.max_version);
  if (record.min_rank > record.max_rank)
    return "ranks in order, got " + std::to_string(record.min_rank) + " to " +
           std::to_string(record.max_rank);
  // With as many arguments as a predicate of any rank may have.
  if (record.predicate.size &&
      !tw_expr_check(record.predicate, record.argument_count + 64))
    return "a well-formed predicate";
  if (record.form == TW_OVERRIDE_ARTIFACT && record.content_hash.size != 16)
    return "the identity of a kernel (16 bytes) as content_hash";
  return "";
}

bool Overrides::readClaims(const Backends::Backend &owner) {
  const tw_override_record *const *records = nullptr;
  uint64_t count = 0;
  int32_t status = owner.plugin->overrides().list(
      owner.handle, toStr(output.target), &records, &count);
  if (status == TW_E_UNIMPLEMENTED)
    return true;
  if (status != TW_OK) {
    report(output, syntax::Severity::Error, 3125,
           "the plugin '" + owner.plugin->path() +
               "' cannot list its claims (" + plugins::statusText(status) + ")",
           "option overrides=off compiles without them");
    return false;
  }
  if (count && !records) {
    report(output, syntax::Severity::Error, 3125,
           "the plugin '" + owner.plugin->path() +
               "' has a malformed list of " + std::to_string(count) +
               " claims: expected an array, got NULL",
           "option overrides=off compiles without it");
    return false;
  }
  for (uint64_t i = 0; i < count; ++i) {
    OpClaim claim;
    claim.owner = &owner;
    claim.handle = records[i];
    std::string wrong;
    if (tw_read_struct(&claim.record, sizeof claim.record, records[i]) !=
            TW_OK ||
        claim.record.flags)
      wrong = "a record of this version of the interface";
    else
      wrong = whatIsWrong(claim.record);
    claim.op = toString(claim.record.op);
    if (!wrong.empty()) {
      report(output, syntax::Severity::Error, 3125,
             "the plugin '" + owner.plugin->path() +
                 "' has a malformed claim on '" + claim.op + "': expected " +
                 wrong,
             "option overrides=off compiles without it");
      return false;
    }
    std::string arch = toString(claim.record.arch);
    if (output.target.compare(0, arch.size(), arch) != 0)
      continue;
    claim.provider = toString(claim.record.provider);
    if (claim.provider.empty())
      claim.provider = owner.plugin->info().vendor;
    claims.push_back(std::move(claim));
  }
  return true;
}

bool Overrides::checkPins() {
  for (const auto &[op, provider] : pins) {
    llvm::SmallVector<std::string> known = {builtinProvider};
    for (const OpClaim &claim : claims)
      if (claim.op == op && !llvm::is_contained(known, claim.provider))
        known.push_back(claim.provider);
    if (llvm::is_contained(known, provider))
      continue;
    report(output, syntax::Severity::Error, 3126,
           "expected a provider of '" + op + "' for " + output.target +
               ", got '" + provider + "'",
           "known: " + llvm::join(known, ", "));
    return false;
  }
  return true;
}

bool Overrides::collect() {
  if (!readSettings())
    return false;
  if (isOff || keepsWhole)
    return true;
  for (const Backends::Backend *owner :
       backends.overriding(compiler, opVendors))
    if (!readClaims(*owner))
      return false;
  std::stable_sort(claims.begin(), claims.end(),
                   [](const OpClaim &a, const OpClaim &b) {
                     return a.record.priority > b.record.priority;
                   });
  return checkPins();
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

bool Overrides::isPinned(const OpClaim &claim) const {
  auto pin = pins.find(claim.op);
  return pin != pins.end() && pin->second == claim.provider;
}

/// Why a claim that may be for a call is not considered, or "".
std::string Overrides::whyNotChosen(const OpClaim &claim,
                                    const OpCall &call) const {
  auto pin = pins.find(claim.op);
  if (pin != pins.end() && pin->second != claim.provider)
    return "the op is pinned to '" + pin->second + "'";
  std::string reason = claim.whyNot(call);
  if (!reason.empty() || isPinned(claim))
    return reason;
  if (claim.record.numerics == TW_NUMERICS_FAST && math != "fast")
    return "it is fast, which needs math=fast or a pin";
  if (claim.record.numerics == TW_NUMERICS_ULP && math == "portable")
    return "it is not exact, which math=portable asks for";
  return "";
}

std::vector<unsigned>
Overrides::candidates(const OpCall &call,
                      std::vector<std::string> &reasons) const {
  std::vector<unsigned> fitting;
  for (const auto &[index, claim] : llvm::enumerate(claims)) {
    if (claim.op != call.op || claim.record.form == TW_OVERRIDE_ARTIFACT)
      continue;
    std::string reason = whyNotChosen(claim, call);
    if (reason.empty())
      fitting.push_back(index);
    else
      reasons.push_back(claim.describe() + ": " + reason);
  }
  return fitting;
}

void Overrides::trace(Location location, const std::string &text) {
  if (isTraced)
    mlir::emitRemark(location) << "override: " << text;
}

/// "softmax@1 of tensor<8x8xf32>".
static std::string nameOf(const OpCall &call) {
  return (call.op + "@" + llvm::Twine(call.version) + " of " +
          textOf(call.type()))
      .str();
}

static std::string listOf(const std::vector<std::string> &reasons) {
  return reasons.empty() ? "" : "; not " + llvm::join(reasons, "; not ");
}

void Overrides::mark(ModuleOp tile) {
  tile.walk([&](tile::CallOpOp op) {
    OpCall call = OpCall::of(op);
    std::vector<std::string> reasons;
    if (keepsWhole || !candidates(call, reasons).empty())
      op->setAttr(kernel::claimsAttribute, UnitAttr::get(op->getContext()));
    else if (isOff)
      trace(op->getLoc(), nameOf(call) + ": its body; overrides are off");
    else if (!reasons.empty())
      trace(op->getLoc(), nameOf(call) + ": its body" + listOf(reasons));
  });
}

/// The next marked op, outer ones first.
static kernel::CallOpOp nextMarked(ModuleOp module) {
  kernel::CallOpOp found;
  module.walk<WalkOrder::PreOrder>([&](kernel::CallOpOp op) {
    if (!op->hasAttr(kernel::claimsAttribute))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

bool Overrides::apply(ModuleOp module) {
  bool hasChanged = false;
  while (kernel::CallOpOp op = nextMarked(module)) {
    op->removeAttr(kernel::claimsAttribute);
    if (keepsWhole)
      continue;
    OpCall call = OpCall::of(op);
    std::string name = nameOf(call);
    Location location = op->getLoc();
    std::vector<std::string> reasons;
    const OpClaim *chosen = nullptr;
    for (unsigned index : candidates(call, reasons)) {
      const OpClaim &claim = claims[index];
      if (chosen) {
        reasons.push_back(claim.describe() + ": its priority is not higher");
        continue;
      }
      Attempt attempt = this->attempt(index, op);
      if (attempt.isTaken)
        chosen = &claim;
      else
        reasons.push_back(claim.describe() + ": " + attempt.reason);
    }
    if (!chosen)
      kernel::inlineCall(op);
    hasChanged |= !chosen || chosen->record.form != TW_OVERRIDE_WHOLE;
    trace(location, name + ": " +
                        (chosen ? chosen->describe() +
                                      (isPinned(*chosen) ? ", pinned" : "")
                                : "its body") +
                        listOf(reasons));
  }
  return hasChanged;
}

bool Overrides::claimsKernel(llvm::StringRef name) const {
  return llvm::any_of(claims, [&](const OpClaim &claim) {
    return claim.record.form == TW_OVERRIDE_ARTIFACT && claim.op == name;
  });
}

void Overrides::warn(const OpClaim &claim, const std::string &text) {
  report(output, syntax::Severity::Warning, 3127,
         "the override of '" + claim.op + "' by '" + claim.provider +
             "' cannot be used: " + text,
         "the op's own definition is compiled instead; tell the vendor of '" +
             claim.owner->plugin->path() + "'");
}

} // namespace tilewright::driver
