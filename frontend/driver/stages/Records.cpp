//===- Records.cpp - Are records those of the kernels? -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User parameters, facts and predicates against attributes of the functions.
//===----------------------------------------------------------------------===//

#include "frontend/driver/stages/Records.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tilewright::driver {

/// "'n': i32", "'x': *fp32".
static std::string describe(const std::string &name, const std::string &type) {
  return "'" + name + "': " + type;
}

/// As a record would say it: that a pointer is only read is a fact there, and a
/// pointer to pointers is one to 64-bit integers.
static std::string describe(func::FuncOp kernel, unsigned argument) {
  StringRef type =
      kernel.getArgAttrOfType<StringAttr>(argument, "tw.dtype").getValue();
  auto given = kernel.getArgAttrOfType<StringAttr>(argument, "tw.name");
  std::string name =
      given ? given.getValue().str() : "arg" + std::to_string(argument);
  if (!type.consume_front("*"))
    return describe(name, type.str());
  type.consume_front("k");
  return describe(name, "*" + (type.starts_with("*") ? "i64" : type.str()));
}

static std::string wrong(const artifact::Kernel &record,
                         const std::string &expected, const std::string &got) {
  return "expected " + expected + " in the record of kernel '" + record.name +
         "', got " + got;
}

static std::string whyNotArgumentsOf(func::FuncOp kernel,
                                     const artifact::Kernel &record) {
  unsigned arguments = kernel.getNumArguments();
  unsigned listed = artifact::countUserParameters(record);
  if (listed == 0)
    return "";
  if (listed != arguments)
    return wrong(record, std::to_string(arguments) + " user parameters",
                 std::to_string(listed));
  for (unsigned i = 0; i < arguments; ++i) {
    std::string expected = describe(kernel, i);
    const artifact::Parameter &parameter = record.parameters[i];
    std::string got = describe(parameter.name, artifact::typeOf(parameter));
    if (got != expected)
      return wrong(record, expected + " as user parameter " + std::to_string(i),
                   got);
  }
  return "";
}

/// Facts that the IR's own code relies on, whatever a plugin makes of it: all
/// are ranges ("n:range").
static std::string whyNotGuardOf(func::FuncOp variant,
                                 const artifact::Kernel &record) {
  auto predicate = variant->getAttrOfType<StringAttr>("tw.predicate");
  if (predicate && record.predicate.empty())
    return wrong(record, "the predicate '" + predicate.getValue().str() + "'",
                 "none");
  auto facts = variant->getAttrOfType<ArrayAttr>("tw.facts_used");
  if (!facts)
    return "";
  for (auto fact : facts.getAsRange<StringAttr>()) {
    StringRef name = fact.getValue().split(':').first;
    bool isListed = llvm::any_of(record.facts, [&](const tw_fact &given) {
      return given.kind == TW_FACT_RANGE &&
             record.parameters[given.argument].name == name;
    });
    if (!isListed)
      return wrong(record, "the range of '" + name.str() + "' as a fact",
                   "none");
  }
  return "";
}

static std::string whyNotRecordOf(func::FuncOp kernel,
                                  const artifact::Kernel &record, bool isLast) {
  if (std::string why = whyNotArgumentsOf(kernel, record); !why.empty())
    return why;
  if (!isLast && record.predicate.empty() && record.facts.empty())
    return wrong(record, "a predicate or a fact before the last variant",
                 "none");
  // Where a plugin keeps the names of the IR's functions.
  auto variant = kernel->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
      record.symbol.empty() ? record.name : record.symbol);
  return variant && artifact::countUserParameters(record)
             ? whyNotGuardOf(variant, record)
             : "";
}

SmallVector<func::FuncOp> kernelsOf(ModuleOp module) {
  return llvm::to_vector(llvm::make_filter_range(
      module.getOps<func::FuncOp>(), [](func::FuncOp op) {
        return op->hasAttr("tw.kernel") && !op->hasAttr("tw.variant_of");
      }));
}

std::string whyNotRecordsOf(ModuleOp module,
                            const std::vector<artifact::Kernel> &records) {
  llvm::StringMap<const artifact::Kernel *> last;
  for (const artifact::Kernel &record : records)
    last[record.name] = &record;
  llvm::StringMap<func::FuncOp> kernels;
  for (func::FuncOp kernel : kernelsOf(module)) {
    kernels[kernel.getName()] = kernel;
    if (!last.contains(kernel.getName()))
      return "expected a record of kernel '" + kernel.getName().str() +
             "', got none";
  }
  for (const artifact::Kernel &record : records) {
    auto kernel = kernels.find(record.name);
    if (kernel == kernels.end())
      return "expected records of the kernels asked for, got one of '" +
             record.name + "'";
    std::string why = whyNotRecordOf(kernel->second, record,
                                     last.lookup(record.name) == &record);
    if (!why.empty())
      return why;
  }
  return "";
}

} // namespace tilewright::driver
