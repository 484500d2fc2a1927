//===- ManifestReader.cpp - JSON to artifact --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every key must be there, have its type and range, and be known.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Manifest.h"
#include "runtime/artifact/ManifestNames.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <set>

namespace tilewright::artifact {

using json = nlohmann::ordered_json;

namespace {
/// Reads one JSON object key by key; remembers the first fault and what was
/// read, so that finish() can refuse the rest.
class Reader {
public:
  Reader(const json &object, std::string where, Problem &problem)
      : object(object), where(std::move(where)), problem(problem) {
    if (!object.is_object())
      fault("expected an object");
  }

  bool has(const char *key) { return good() && object.contains(key); }

  const json *get(const char *key) {
    if (!good())
      return nullptr;
    auto it = object.find(key);
    if (it == object.end()) {
      fault(std::string("missing key '") + key + "'");
      return nullptr;
    }
    seen.insert(key);
    return &*it;
  }

  void text(const char *key, std::string &out) {
    const json *value = get(key);
    if (value && !value->is_string())
      fault(std::string("expected a text for '") + key + "'");
    else if (value)
      out = value->get<std::string>();
  }

  template <typename T> void number(const char *key, T &out) {
    if (const json *value = get(key))
      toNumber(*value, key, out);
  }

  template <typename T>
  void toNumber(const json &value, const char *key, T &out) {
    bool fits =
        value.is_number_unsigned()
            ? value.get<uint64_t>() <= uint64_t(std::numeric_limits<T>::max())
            : value.is_number_integer() && std::is_signed_v<T>;
    if (!fits)
      fault(std::string("expected an integer in range for '") + key + "'");
    else
      out = value.get<T>();
  }

  template <size_t N>
  void word(const char *key, const Word (&words)[N], uint32_t &out) {
    std::string name;
    text(key, name);
    if (good() && !lookUp(words, name, out))
      fault("unknown word '" + name + "' for '" + key + "'");
  }

  template <size_t N>
  static bool lookUp(const Word (&words)[N], const std::string &name,
                     uint32_t &out) {
    for (const Word &word : words)
      if (name == word.text) {
        out = word.number;
        return true;
      }
    return false;
  }

  void bytes(const char *key, Bytes &out) {
    std::string digits;
    text(key, digits);
    if (good() && !fromHex(digits, out))
      fault(std::string("expected hexadecimal bytes for '") + key + "'");
  }

  static bool fromHex(const std::string &digits, Bytes &out) {
    auto value = [](char c) {
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                    : -1;
    };
    for (size_t i = 0; i + 1 < digits.size(); i += 2) {
      int high = value(digits[i]), low = value(digits[i + 1]);
      if (high < 0 || low < 0)
        return false;
      out.push_back(static_cast<uint8_t>(high * 16 + low));
    }
    return digits.size() % 2 == 0;
  }

  /// The array behind `key`, or an empty one after a fault.
  const json &list(const char *key) {
    static const json empty = json::array();
    const json *value = get(key);
    if (value && !value->is_array())
      fault(std::string("expected a list for '") + key + "'");
    return good() && value ? *value : empty;
  }

  void fault(const std::string &what) {
    if (good())
      problem.set(TW_E_DATA_LOSS, 7106, where + ": " + what,
                  "compile the kernel again, or use a tilewright as new as the "
                  "one that wrote the artifact");
  }

  bool good() const { return !problem; }

  bool finish() {
    if (!good())
      return false;
    for (const auto &item : object.items())
      if (!seen.count(item.key()))
        fault("unknown key '" + item.key() + "'");
    return good();
  }

private:
  const json &object;
  std::string where;
  Problem &problem;
  std::set<std::string> seen;
};
} // namespace

static bool readParameter(const json &value, Parameter &out, Problem &problem) {
  Reader reader(value, "parameter", problem);
  reader.text("name", out.name);
  reader.word("kind", parameterWords, out.kind);
  reader.word("dtype", dtypeWords, out.dtype);
  out.offset = TW_NO_OFFSET;
  if (reader.has("offset"))
    reader.number("offset", out.offset);
  reader.number("device_offset", out.deviceOffset);
  reader.number("bytes", out.bytes);
  reader.number("alignment", out.alignment);
  if (out.kind == TW_PARAMETER_DERIVED)
    reader.number("source", out.source);
  if (hasAxis(out.kind))
    reader.number("axis", out.axis);
  return reader.finish();
}

static bool readFact(const json &value, tw_fact &out, Problem &problem) {
  Reader reader(value, "fact", problem);
  reader.word("kind", factWords, out.kind);
  reader.number("argument", out.argument);
  if (out.kind == TW_FACT_DISJOINT)
    reader.number("other", out.other);
  if (out.kind == TW_FACT_DIVISIBLE || out.kind == TW_FACT_VALUE ||
      out.kind == TW_FACT_RANGE)
    reader.number("value", out.value);
  if (out.kind == TW_FACT_RANGE)
    reader.number("upper", out.upper);
  return reader.finish();
}

static bool readDerived(const json &value, Derived &out, Problem &problem) {
  Reader reader(value, "derived value", problem);
  reader.word("kind", derivedWords, out.kind);
  reader.word("dtype", dtypeWords, out.dtype);
  for (const json &code : reader.list("expressions")) {
    Bytes &bytes = out.expressions.emplace_back();
    if (!code.is_string() || !Reader::fromHex(code.get<std::string>(), bytes))
      reader.fault("expected hexadecimal bytes in 'expressions'");
  }
  for (const json &attribute : reader.list("attributes"))
    reader.toNumber(attribute, "attributes", out.attributes.emplace_back());
  return reader.finish();
}

static void readTriple(Reader &reader, const char *key,
                       std::array<uint32_t, 3> &out) {
  const json &list = reader.list(key);
  if (reader.good() && list.size() != 3)
    reader.fault(std::string("expected three numbers for '") + key + "'");
  for (size_t axis = 0; reader.good() && axis < 3; ++axis)
    reader.toNumber(list[axis], key, out[axis]);
}

static void readFlags(Reader &reader, uint32_t &flags) {
  for (const json &flag : reader.list("flags")) {
    uint32_t bit = 0;
    if (!flag.is_string() ||
        !Reader::lookUp(flagWords, flag.get<std::string>(), bit) ||
        (flags & bit))
      reader.fault("unknown or repeated word in 'flags'");
    flags |= bit;
  }
}

static bool readKernel(const json &value, Kernel &out, Problem &problem) {
  Reader reader(value, "kernel", problem);
  reader.text("name", out.name);
  reader.text("symbol", out.symbol);
  reader.number("payload", out.payload);
  readFlags(reader, out.flags);
  for (const json &parameter : reader.list("parameters"))
    if (!readParameter(parameter, out.parameters.emplace_back(), problem))
      return false;
  for (const json &fact : reader.list("facts"))
    if (!readFact(fact, out.facts.emplace_back(), problem))
      return false;
  for (const json &derived : reader.list("derived"))
    if (!readDerived(derived, out.derived.emplace_back(), problem))
      return false;
  reader.bytes("predicate", out.predicate);
  reader.number("user_block_bytes", out.userBlockBytes);
  reader.number("device_block_bytes", out.deviceBlockBytes);
  readTriple(reader, "block_size", out.blockSize);
  readTriple(reader, "cluster_size", out.clusterSize);
  reader.number("shared_static_bytes", out.sharedStaticBytes);
  reader.number("shared_dynamic_bytes", out.sharedDynamicBytes);
  reader.number("scratch_bytes", out.scratchBytes);
  reader.number("scratch_alignment", out.scratchAlignment);
  reader.bytes("scratch_formula", out.scratchFormula);
  reader.number("registers", out.registers);
  reader.number("spill_bytes", out.spillBytes);
  return reader.finish() && validateKernel(out, problem);
}

static void readOptions(Reader &reader, Artifact &out) {
  const json *options = reader.get("options");
  if (!options)
    return;
  if (!options->is_object())
    return reader.fault("expected an object for 'options'");
  for (const auto &item : options->items()) {
    const json &value = item.value();
    OptionValue &held = out.options.emplace_back(item.key(), int64_t(0)).second;
    if (value.is_number_integer())
      reader.toNumber(value, "options", std::get<int64_t>(held));
    else if (value.is_number_float())
      held = value.get<double>();
    else if (value.is_string())
      held = value.get<std::string>();
    else
      reader.fault("expected a number or text for option '" + item.key() + "'");
  }
}

static void readTools(Reader &reader, Artifact &out) {
  const json *tools = reader.get("tools");
  if (!tools)
    return;
  if (!tools->is_object())
    return reader.fault("expected an object for 'tools'");
  for (const auto &item : tools->items()) {
    if (!item.value().is_string())
      return reader.fault("expected a text for tool '" + item.key() + "'");
    out.tools.emplace_back(item.key(), item.value().get<std::string>());
  }
}

bool readManifest(std::string_view text, Artifact &out, Problem &problem) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  Reader reader(root, "manifest", problem);
  uint32_t schema = 0;
  reader.number("schema", schema);
  if (reader.good() && schema != 1)
    reader.fault("expected schema 1, got " + std::to_string(schema));
  reader.text("target", out.target);
  reader.text("signature", out.signature);
  reader.text("compat", out.compat);
  reader.text("fingerprint", out.fingerprint);
  readOptions(reader, out);
  readTools(reader, out);
  for (const json &format : reader.list("payloads")) {
    if (!format.is_string())
      reader.fault("expected texts in 'payloads'");
    else
      out.payloads.push_back({format.get<std::string>(), {}});
  }
  for (const json &kernel : reader.list("kernels")) {
    if (!readKernel(kernel, out.kernels.emplace_back(), problem))
      return false;
    if (out.kernels.back().payload >= out.payloads.size())
      reader.fault("a kernel names a payload that does not exist");
  }
  return reader.finish();
}

} // namespace tilewright::artifact
