//===- Records.cpp - Kernel records from the tree ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packed block has every argument at its natural alignment, in order.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Records.h"

#include "tilewright/sdk/Compile.h"
#include "tilewright/sdk/Predicate.h"

namespace tilewright::sdk {

static uint32_t parseDtype(const std::string &spelling) {
  static const struct {
    const char *name;
    uint32_t dtype;
  } rows[] = {{"i1", TW_DTYPE_I1},           {"u1", TW_DTYPE_I1},
              {"i8", TW_DTYPE_I8},           {"i16", TW_DTYPE_I16},
              {"i32", TW_DTYPE_I32},         {"i64", TW_DTYPE_I64},
              {"u8", TW_DTYPE_U8},           {"u16", TW_DTYPE_U16},
              {"u32", TW_DTYPE_U32},         {"u64", TW_DTYPE_U64},
              {"fp16", TW_DTYPE_F16},        {"bf16", TW_DTYPE_BF16},
              {"fp32", TW_DTYPE_F32},        {"fp64", TW_DTYPE_F64},
              {"fp8e4nv", TW_DTYPE_F8E4NV},  {"fp8e5", TW_DTYPE_F8E5},
              {"fp8e4b8", TW_DTYPE_F8E4B8},  {"fp8e5b16", TW_DTYPE_F8E5B16},
              {"fp8e4b15", TW_DTYPE_F8E4B15}};
  for (const auto &row : rows)
    if (spelling == row.name)
      return row.dtype;
  return TW_DTYPE_NONE;
}

static const Attribute *find(const std::vector<Attribute> &attributes,
                             uint32_t id) {
  for (const Attribute &attribute : attributes)
    if (attribute.id == id)
      return &attribute;
  return nullptr;
}

[[noreturn]] static void malformed(const Op &kernel, size_t argument,
                                   const std::string &what) {
  throw Refusal{TW_E_DIAGNOSED,
                4109,
                "argument " + std::to_string(argument) + ": " + what,
                "report it with the kernel's source",
                &kernel,
                {}};
}

static tw_parameter readParameter(const Op &kernel, size_t index,
                                  const std::vector<Attribute> &attributes) {
  const Attribute *dtype = find(attributes, TW_PORTABLE_ATTR_DTYPE);
  std::string spelling = dtype ? dtype->text : "";
  bool isPointer = !spelling.empty() && spelling[0] == '*';
  if (isPointer) // "*kfp32" is only read
    spelling.erase(0, spelling.size() > 1 && spelling[1] == 'k' ? 2 : 1);
  if (isPointer && !spelling.empty() && spelling[0] == '*')
    spelling = "i64"; // a table of pointers
  tw_parameter parameter = {};
  parameter.kind =
      isPointer ? TW_PARAMETER_USER_POINTER : TW_PARAMETER_USER_SCALAR;
  parameter.dtype = parseDtype(spelling);
  if (parameter.dtype == TW_DTYPE_NONE)
    malformed(kernel, index,
              "expected an element type, got '" + spelling + "'");
  parameter.bytes = isPointer ? 8 : tw_dtype_bytes(parameter.dtype);
  parameter.alignment = parameter.bytes;
  return parameter;
}

static void readFacts(size_t index, const Region &body,
                      std::vector<tw_fact> &facts) {
  const std::vector<Attribute> &attributes = body.argumentAttributes[index];
  auto add = [&](uint32_t kind, int64_t value, int64_t upper = 0) {
    facts.push_back({kind, uint32_t(index), 0, 0, value, upper});
  };
  if (auto *fact = find(attributes, TW_PORTABLE_ATTR_DIVISIBILITY))
    if (fact->number > 1)
      add(TW_FACT_DIVISIBLE, fact->number);
  if (auto *fact = find(attributes, TW_PORTABLE_ATTR_KNOWN_VALUE))
    add(TW_FACT_VALUE, fact->number);
  if (auto *fact = find(attributes, TW_PORTABLE_ATTR_RANGE)) {
    if (fact->entries.size() == 2)
      add(TW_FACT_RANGE, fact->entries[0].number, fact->entries[1].number);
    else if (fact->numbers.size() == 2)
      add(TW_FACT_RANGE, fact->numbers[0], fact->numbers[1]);
  }
  if (find(attributes, TW_PORTABLE_ATTR_READONLY))
    add(TW_FACT_READONLY, 0);
  if (!find(attributes, TW_PORTABLE_ATTR_DISJOINT))
    return;
  for (size_t other = 0; other < index; ++other)
    if (find(body.argumentAttributes[other], TW_PORTABLE_ATTR_DISJOINT))
      facts.push_back(
          {TW_FACT_DISJOINT, uint32_t(other), uint32_t(index), 0, 0, 0});
}

static std::string readPredicate(const Op &kernel, const KernelRecord &record) {
  std::string text = kernel.text(TW_PORTABLE_ATTR_LAUNCH_PREDICATE), error;
  if (text.empty())
    return "";
  std::vector<std::string_view> names(record.parameterNames.begin(),
                                      record.parameterNames.end());
  if (auto code = compilePredicate(text, names, error))
    return *code;
  throw Refusal{TW_E_DIAGNOSED,
                4109,
                "tw.predicate: " + error,
                "report it with the kernel's source",
                &kernel,
                {}};
}

std::string kernelName(const Op &kernel) {
  return kernel.text(kernel.has(TW_PORTABLE_ATTR_VARIANT_OF)
                         ? TW_PORTABLE_ATTR_VARIANT_OF
                         : TW_PORTABLE_ATTR_NAME);
}

KernelRecord readRecord(const Op &kernel) {
  KernelRecord record;
  record.name = kernelName(kernel);
  const Region &body = kernel.regions[0];
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    tw_parameter parameter =
        readParameter(kernel, i, body.argumentAttributes[i]);
    const Attribute *name =
        find(body.argumentAttributes[i], TW_PORTABLE_ATTR_ARG_NAME);
    record.parameterNames.push_back(name ? name->text
                                         : "arg" + std::to_string(i));
    const std::string &text = record.parameterNames.back();
    parameter.name = {text.data(), text.size()};
    uint32_t bytes = parameter.bytes;
    record.blockBytes = (record.blockBytes + bytes - 1) / bytes * bytes;
    parameter.offset = parameter.device_offset = record.blockBytes;
    record.blockBytes += bytes;
    record.parameters.push_back(parameter);
    readFacts(i, body, record.facts);
  }
  record.predicate = readPredicate(kernel, record);
  return record;
}

tw_kernel_record KernelRecord::view() const {
  tw_kernel_record out = {};
  out.size = sizeof out;
  out.name = {name.data(), name.size()};
  out.symbol = {symbol.data(), symbol.size()};
  out.parameters = parameters.data();
  out.parameter_count = parameters.size();
  out.facts = facts.data();
  out.fact_count = facts.size();
  out.predicate = {predicate.data(), predicate.size()};
  out.user_block_bytes = out.device_block_bytes = blockBytes;
  for (unsigned i = 0; i < 3; ++i)
    out.block_size[i] = out.cluster_size[i] = 1;
  out.shared_static_bytes = sharedBytes;
  return out;
}

} // namespace tilewright::sdk
