//===- Arguments.cpp - Values for a kernel's parameters -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The specialisation rules are those of a launch: an integer equal to 1 becomes
// a constant, one divisible by 16 gets that fact, arrays are 64-byte aligned
// and do not overlap.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Arguments.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tool {

namespace {

/// NAME=VALUE pairs; a name may occur once.
std::map<std::string, std::string>
parsePairs(const std::vector<std::string> &values) {
  std::map<std::string, std::string> pairs;
  for (const std::string &value : values) {
    auto [name, text] = llvm::StringRef(value).split('=');
    if (name.empty() || name.size() == value.size())
      throw Failure(7010, "expected NAME=VALUE, got '--arg " + value + "'");
    if (!pairs.emplace(name.str(), text.str()).second)
      throw Failure(7014, "argument '" + name.str() + "' is given twice");
  }
  return pairs;
}

/// Types and constants of a partial signature, by name.
std::map<std::string, std::string> parseTypes(const std::string &signature) {
  std::map<std::string, std::string> types;
  for (const std::string &entry : splitTopLevel(signature)) {
    size_t at = entry.find_first_of(":=");
    if (at == std::string::npos)
      throw Failure(7015,
                    "expected NAME:TYPE or NAME=CONSTANT in --sig, got '" +
                        entry + "'");
    std::string rest = entry.substr(at); // keeps the ':' or '='
    types[llvm::StringRef(entry).take_front(at).trim().str()] = rest;
  }
  return types;
}

std::string knownNames(const KernelInfo &kernel) {
  std::string names;
  for (const ParameterInfo &parameter : kernel.parameters)
    names += (names.empty() ? "" : ", ") + parameter.name;
  return "parameters of '" + kernel.name + "': " + names;
}

/// "*kfp16[:16]" -> "fp16"; "" if the text is no pointer type.
std::string pointeeName(llvm::StringRef type) {
  type = type.trim();
  if (!type.consume_front("*"))
    return {};
  type.consume_front("k");
  return type.take_until([](char c) { return c == '['; }).trim().str();
}

/// `fp32[4, 8]~normal(seed=1)`; nullopt when the text is no array.
std::optional<Array> parseArray(const std::string &value) {
  auto [head, generator] = llvm::StringRef(value).split('~');
  auto [name, extents] = head.trim().split('[');
  uint32_t dtype = parseDType(name.trim().str());
  if (dtype == 0 || !extents.consume_back("]"))
    return std::nullopt;
  std::vector<int64_t> shape;
  llvm::SmallVector<llvm::StringRef> pieces;
  extents.split(pieces, ',', -1, false);
  for (llvm::StringRef piece : pieces) {
    int64_t extent;
    if (piece.trim().getAsInteger(10, extent) || extent < 0)
      throw Failure(7012, "expected extents in '" + value + "', got '" +
                              piece.str() + "'");
    shape.push_back(extent);
  }
  Array array(dtype, shape);
  if (!generator.empty() && !generator.starts_with("addresses("))
    fillArray(array, generator.str());
  return array;
}

/// The names of `i64[2]~addresses(a, b)`.
std::vector<std::string> parseAddresses(const std::string &value) {
  llvm::StringRef text = llvm::StringRef(value).split('~').second.trim();
  if (!text.consume_front("addresses(") || !text.consume_back(")"))
    return {};
  return splitTopLevel(text.str());
}

/// Names the array's bytes as --sig does, if the width allows it.
void applyPointee(Array &array, const std::string &type,
                  const std::string &name) {
  std::string pointee = pointeeName(type);
  uint32_t dtype = parseDType(pointee);
  if (type.empty() || array.dtype() == dtype)
    return;
  bool isStorage =
      dtype != 0 && tw_dtype_bytes(dtype) == tw_dtype_bytes(array.dtype()) &&
      (array.dtype() == TW_DTYPE_U16 || array.dtype() == TW_DTYPE_U8);
  if (!isStorage)
    throw Failure(7016,
                  "expected an array of '" + type + "' for '" + name +
                      "', got " + dtypeName(array.dtype()),
                  "bf16 travels as u16 and fp8 as u8 in .npy files");
  array.reinterpret(dtype);
}

std::string integerType(const Binding &binding) {
  if (binding.isUnsigned64)
    return "u64";
  int64_t value = binding.integer;
  return value == static_cast<int32_t>(value) ? "i32" : "i64";
}

std::string factOf(const Binding &binding) {
  if (binding.integer == 1 && !binding.isUnsigned64)
    return "[1]";
  return binding.integer % 16 == 0 ? "[:16]" : "";
}

} // namespace

Arguments::Arguments(const KernelInfo &kernel,
                     const std::vector<std::string> &values,
                     const std::string &signature) {
  std::map<std::string, std::string> pairs = parsePairs(values);
  std::map<std::string, std::string> types = parseTypes(signature);
  for (const ParameterInfo &parameter : kernel.parameters) {
    std::string type;
    if (auto it = types.find(parameter.name); it != types.end()) {
      type = it->second.substr(1);
      if (it->second[0] == '=')
        pairs.emplace(parameter.name, type);
      types.erase(it);
    }
    auto it = pairs.find(parameter.name);
    if (it == pairs.end() && !parameter.hasDefault)
      throw Failure(7017, "no value for '" + parameter.name + "'",
                    "give it with --arg " + parameter.name + "=...");
    std::string value = it == pairs.end() ? parameter.defaultText : it->second;
    if (it != pairs.end())
      pairs.erase(it);
    list.push_back(bind(parameter, value, type));
  }
  if (!pairs.empty())
    throw Failure(7018, "unknown argument '" + pairs.begin()->first + "'",
                  knownNames(kernel));
  if (!types.empty())
    throw Failure(7018,
                  "unknown parameter '" + types.begin()->first + "' in --sig",
                  knownNames(kernel));
}

Binding Arguments::bind(const ParameterInfo &parameter,
                        const std::string &value, const std::string &type) {
  Binding binding;
  binding.name = parameter.name;
  binding.type = llvm::StringRef(type).trim().str();
  if (parameter.isConstexpr || value == "None") {
    binding.kind = Binding::Kind::Constant;
    binding.text = value;
    return binding;
  }
  if (value[0] == '@')
    binding.array = readNpy(value.substr(1));
  else
    binding.array = parseArray(value);
  if (!binding.array) {
    bindNumber(binding, value);
    return binding;
  }
  binding.kind = Binding::Kind::Array;
  binding.isFilled = value[0] == '@' || value.find('~') != std::string::npos;
  binding.addressesOf = parseAddresses(value);
  bool isTable = binding.addressesOf.empty() ||
                 (tw_dtype_bytes(binding.array->dtype()) == 8 &&
                  binding.array->elements() ==
                      static_cast<int64_t>(binding.addressesOf.size()));
  if (!isTable)
    throw Failure(7013,
                  "expected as many i64 or u64 as names in '" + value + "'");
  applyPointee(*binding.array, binding.type, binding.name);
  return binding;
}

void Arguments::addExtras(const std::vector<std::string> &values) {
  for (const auto &[name, value] : parsePairs(values)) {
    ParameterInfo parameter;
    parameter.name = name;
    Binding binding = bind(parameter, value, "");
    if (!binding.array || findArray(name))
      throw Failure(7026,
                    "expected a new array, got '" + name + "=" + value + "'");
    binding.isExtra = true;
    list.push_back(std::move(binding));
  }
  for (const Binding &binding : list)
    for (const std::string &name : binding.addressesOf)
      if (!findArray(name))
        throw Failure(7018, "unknown array '" + name +
                                "' in the addresses of '" + binding.name + "'");
}

void Arguments::bindNumber(Binding &binding, const std::string &value) {
  llvm::StringRef text = llvm::StringRef(value).trim();
  uint64_t large;
  if (text == "True" || text == "False") {
    binding.kind = Binding::Kind::Bool;
    binding.integer = text == "True";
  } else if (!text.getAsInteger(0, binding.integer)) {
    binding.kind = Binding::Kind::Integer;
  } else if (!text.getAsInteger(0, large)) {
    binding.kind = Binding::Kind::Integer;
    binding.integer = static_cast<int64_t>(large);
    binding.isUnsigned64 = true;
  } else if (llvm::all_of(text.drop_while([](char c) { return c == '-'; }),
                          [](char c) { return llvm::isDigit(c); })) {
    throw Failure(7019, "expected an integer of at most 64 bits for '" +
                            binding.name + "', got '" + value + "'");
  } else if (!text.getAsDouble(binding.number)) {
    binding.kind = Binding::Kind::Float;
  } else {
    throw Failure(7019,
                  "expected a number, an array or None for '" + binding.name +
                      "', got '" + value + "'",
                  "arrays are @file.npy or fp32[1000]~normal(seed=1)");
  }
}

std::string Arguments::signature() const {
  std::string text;
  for (const Binding &binding : list) {
    if (binding.isExtra)
      continue;
    text += text.empty() ? "" : ", ";
    text += binding.name;
    switch (binding.kind) {
    case Binding::Kind::Constant:
      text += "=" + binding.text;
      break;
    case Binding::Kind::Array:
      text += ":" +
              (binding.type.empty()
                   ? "*" + dtypeName(binding.array->dtype()) + "[:16,disjoint]"
                   : binding.type);
      break;
    case Binding::Kind::Integer:
      text +=
          ":" + (binding.type.empty() ? integerType(binding) + factOf(binding)
                                      : binding.type);
      break;
    case Binding::Kind::Float:
      text += ":" + (binding.type.empty() ? "fp32" : binding.type);
      break;
    case Binding::Kind::Bool:
      text += ":" + (binding.type.empty() ? "i1" : binding.type);
      break;
    }
  }
  return text;
}

std::map<std::string, int64_t> Arguments::integers() const {
  std::map<std::string, int64_t> values;
  for (const Binding &binding : list) {
    int64_t value = binding.integer;
    bool isInteger = binding.kind == Binding::Kind::Integer ||
                     binding.kind == Binding::Kind::Bool;
    if (binding.kind == Binding::Kind::Constant)
      isInteger = !llvm::StringRef(binding.text).trim().getAsInteger(0, value);
    if (isInteger)
      values[binding.name] = value;
  }
  return values;
}

Array *Arguments::findArray(const std::string &name) {
  for (Binding &binding : list)
    if (binding.name == name && binding.array)
      return &*binding.array;
  return nullptr;
}

} // namespace tilewright::tool
