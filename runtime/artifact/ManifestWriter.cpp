//===- ManifestWriter.cpp - Artifact to JSON --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys in a fixed order, so that equal artifacts give equal bytes.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Manifest.h"
#include "runtime/artifact/ManifestNames.h"

#include <nlohmann/json.hpp>

namespace tilewright::artifact {

using json = nlohmann::ordered_json;

static std::string hex(const Bytes &bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

static json writeParameter(const Parameter &parameter) {
  json out = {{"name", parameter.name},
              {"kind", wordOf(parameterWords, parameter.kind)},
              {"dtype", wordOf(dtypeWords, parameter.dtype)}};
  if (parameter.offset != TW_NO_OFFSET)
    out["offset"] = parameter.offset;
  out["device_offset"] = parameter.deviceOffset;
  out["bytes"] = parameter.bytes;
  out["alignment"] = parameter.alignment;
  if (parameter.kind == TW_PARAMETER_DERIVED)
    out["source"] = parameter.source;
  if (hasAxis(parameter.kind))
    out["axis"] = parameter.axis;
  return out;
}

static json writeFact(const tw_fact &fact) {
  json out = {{"kind", wordOf(factWords, fact.kind)},
              {"argument", fact.argument}};
  if (fact.kind == TW_FACT_DISJOINT)
    out["other"] = fact.other;
  if (fact.kind == TW_FACT_DIVISIBLE || fact.kind == TW_FACT_VALUE ||
      fact.kind == TW_FACT_RANGE)
    out["value"] = fact.value;
  if (fact.kind == TW_FACT_RANGE)
    out["upper"] = fact.upper;
  return out;
}

static json writeDerived(const Derived &derived) {
  json codes = json::array();
  for (const Bytes &code : derived.expressions)
    codes.push_back(hex(code));
  return {{"kind", wordOf(derivedWords, derived.kind)},
          {"dtype", wordOf(dtypeWords, derived.dtype)},
          {"expressions", std::move(codes)},
          {"attributes", derived.attributes}};
}

static json writeKernel(const Kernel &kernel) {
  json flags = json::array(), parameters = json::array();
  json facts = json::array(), derived = json::array();
  for (const Word &word : flagWords)
    if (kernel.flags & word.number)
      flags.push_back(word.text);
  for (const Parameter &parameter : kernel.parameters)
    parameters.push_back(writeParameter(parameter));
  for (const tw_fact &fact : kernel.facts)
    facts.push_back(writeFact(fact));
  for (const Derived &value : kernel.derived)
    derived.push_back(writeDerived(value));
  return {{"name", kernel.name},
          {"symbol", kernel.symbol},
          {"payload", kernel.payload},
          {"flags", std::move(flags)},
          {"parameters", std::move(parameters)},
          {"facts", std::move(facts)},
          {"derived", std::move(derived)},
          {"predicate", hex(kernel.predicate)},
          {"user_block_bytes", kernel.userBlockBytes},
          {"device_block_bytes", kernel.deviceBlockBytes},
          {"block_size", kernel.blockSize},
          {"cluster_size", kernel.clusterSize},
          {"shared_static_bytes", kernel.sharedStaticBytes},
          {"shared_dynamic_bytes", kernel.sharedDynamicBytes},
          {"scratch_bytes", kernel.scratchBytes},
          {"scratch_alignment", kernel.scratchAlignment},
          {"scratch_formula", hex(kernel.scratchFormula)},
          {"registers", kernel.registers},
          {"spill_bytes", kernel.spillBytes}};
}

std::string writeManifest(const Artifact &artifact, int indent) {
  json options = json::object(), tools = json::object();
  json payloads = json::array(), kernels = json::array();
  for (const auto &[key, value] : artifact.options)
    std::visit([&, &key = key](const auto &held) { options[key] = held; },
               value);
  for (const auto &[name, version] : artifact.tools)
    tools[name] = version;
  for (const Payload &payload : artifact.payloads)
    payloads.push_back(payload.format);
  for (const Kernel &kernel : artifact.kernels)
    kernels.push_back(writeKernel(kernel));
  json root = {{"schema", 1},
               {"target", artifact.target},
               {"signature", artifact.signature},
               {"compat", artifact.compat},
               {"fingerprint", artifact.fingerprint},
               {"options", std::move(options)},
               {"tools", std::move(tools)},
               {"payloads", std::move(payloads)},
               {"kernels", std::move(kernels)}};
  return root.dump(indent, ' ', false, json::error_handler_t::replace);
}

} // namespace tilewright::artifact
