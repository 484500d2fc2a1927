//===- Kernel.cpp - Kernel records, owned and borrowed ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion between tw_kernel_record and Kernel, layout, validation.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Artifact.h"
#include "runtime/artifact/ManifestNames.h"

#include "tilewright/expression.h"

#include <algorithm>

namespace tilewright::artifact {

static Bytes toBytes(tw_bytes bytes) {
  const auto *data = static_cast<const uint8_t *>(bytes.data);
  return bytes.size ? Bytes(data, data + bytes.size) : Bytes();
}

static tw_bytes view(const Bytes &bytes) {
  return {bytes.data(), bytes.size()};
}

static Parameter fromRecord(const tw_parameter &from) {
  Parameter to;
  to.name = toString(from.name);
  to.kind = from.kind;
  to.dtype = from.dtype;
  to.offset = from.offset;
  to.deviceOffset = from.device_offset;
  to.bytes = from.bytes;
  to.alignment = from.alignment;
  to.source = from.source;
  to.axis = from.axis;
  return to;
}

static Derived fromRecord(const tw_derived &from) {
  Derived to;
  to.kind = from.kind;
  to.dtype = from.dtype;
  for (uint64_t i = 0; i < from.expression_count; ++i)
    to.expressions.push_back(toBytes(from.expressions[i]));
  to.attributes.assign(from.attributes, from.attributes + from.attribute_count);
  return to;
}

Kernel Kernel::fromRecord(const tw_kernel_record &given) {
  tw_kernel_record from;
  // An older plugin's record is shorter; fields that it lacks read as zero. One
  // that cannot be read has no name, which no kernel has.
  if (tw_read_struct(&from, sizeof from, &given) != TW_OK)
    from = {};
  Kernel to;
  to.name = toString(from.name);
  to.symbol = toString(from.symbol);
  to.flags = from.flags;
  for (uint64_t i = 0; i < from.parameter_count; ++i)
    to.parameters.push_back(artifact::fromRecord(from.parameters[i]));
  to.facts.assign(from.facts, from.facts + from.fact_count);
  for (uint64_t i = 0; i < from.derived_count; ++i)
    to.derived.push_back(artifact::fromRecord(from.derived[i]));
  to.predicate = toBytes(from.predicate);
  to.userBlockBytes = from.user_block_bytes;
  to.deviceBlockBytes = from.device_block_bytes;
  std::copy_n(from.block_size, 3, to.blockSize.begin());
  std::copy_n(from.cluster_size, 3, to.clusterSize.begin());
  to.sharedStaticBytes = from.shared_static_bytes;
  to.sharedDynamicBytes = from.shared_dynamic_bytes;
  to.scratchBytes = from.scratch_bytes;
  to.scratchAlignment = from.scratch_alignment;
  to.scratchFormula = toBytes(from.scratch_formula);
  to.registers = from.registers;
  to.spillBytes = from.spill_bytes;
  return to;
}

RecordView::RecordView(const Kernel &kernel) : view() {
  for (const Parameter &from : kernel.parameters)
    parameters.push_back({toStr(from.name), from.kind, from.dtype, from.offset,
                          from.deviceOffset, from.bytes, from.alignment,
                          from.source, from.axis});
  for (const Derived &from : kernel.derived) {
    std::vector<tw_bytes> &codes = expressions.emplace_back();
    for (const Bytes &code : from.expressions)
      codes.push_back(artifact::view(code));
    derived.push_back({from.kind, from.dtype, codes.data(), codes.size(),
                       from.attributes.data(), from.attributes.size()});
  }
  view.size = sizeof view;
  view.flags = kernel.flags;
  view.name = toStr(kernel.name);
  view.symbol = toStr(kernel.symbol);
  view.parameters = parameters.data();
  view.parameter_count = parameters.size();
  view.facts = kernel.facts.data();
  view.fact_count = kernel.facts.size();
  view.derived = derived.data();
  view.derived_count = derived.size();
  view.predicate = artifact::view(kernel.predicate);
  view.user_block_bytes = kernel.userBlockBytes;
  view.device_block_bytes = kernel.deviceBlockBytes;
  std::copy_n(kernel.blockSize.begin(), 3, view.block_size);
  std::copy_n(kernel.clusterSize.begin(), 3, view.cluster_size);
  view.shared_static_bytes = kernel.sharedStaticBytes;
  view.shared_dynamic_bytes = kernel.sharedDynamicBytes;
  view.scratch_bytes = kernel.scratchBytes;
  view.scratch_alignment = kernel.scratchAlignment;
  view.registers = kernel.registers;
  view.spill_bytes = kernel.spillBytes;
  view.scratch_formula = artifact::view(kernel.scratchFormula);
}

bool isUser(const Parameter &parameter) {
  return parameter.kind == TW_PARAMETER_USER_SCALAR ||
         parameter.kind == TW_PARAMETER_USER_POINTER;
}

uint32_t countUserParameters(const Kernel &kernel) {
  uint32_t count = 0;
  while (count < kernel.parameters.size() && isUser(kernel.parameters[count]))
    ++count;
  return count;
}

std::string typeOf(const Parameter &parameter) {
  const char *star = parameter.kind == TW_PARAMETER_USER_POINTER ? "*" : "";
  return star + std::string(wordOf(dtypeWords, parameter.dtype));
}

static uint32_t naturalBytes(const Parameter &parameter) {
  return parameter.kind == TW_PARAMETER_USER_POINTER
             ? 8
             : tw_dtype_bytes(parameter.dtype);
}

static uint32_t alignUp(uint32_t value, uint32_t alignment) {
  return alignment ? (value + alignment - 1) / alignment * alignment : value;
}

void layOutParameters(Kernel &kernel) {
  uint32_t end = 0;
  for (Parameter &parameter : kernel.parameters) {
    if (!isUser(parameter))
      continue;
    parameter.bytes = parameter.alignment = naturalBytes(parameter);
    parameter.offset = parameter.deviceOffset =
        alignUp(end, parameter.alignment);
    end = parameter.offset + parameter.bytes;
  }
  kernel.userBlockBytes = kernel.deviceBlockBytes = end;
}

namespace {
/// The checks of validateKernel, one function per part of a kernel.
class Validator {
public:
  Validator(const Kernel &kernel, Problem &problem)
      : kernel(kernel), problem(problem) {}
  bool run() { return parameters() && facts() && derived() && resources(); }

private:
  bool refuse(const std::string &what) {
    return problem.set(TW_E_DATA_LOSS, 7106,
                       "kernel '" + kernel.name + "': " + what,
                       "compile the kernel again");
  }
  bool parameters();
  bool facts();
  bool derived();
  bool resources();
  bool expression(const Bytes &code, const char *what) {
    return tw_expr_check(view(code), userCount) ||
           refuse(std::string("malformed expression in ") + what);
  }
  bool isPointer(uint32_t argument) const {
    return kernel.parameters[argument].kind == TW_PARAMETER_USER_POINTER;
  }

  const Kernel &kernel;
  Problem &problem;
  uint64_t userCount = 0;
};
} // namespace

bool Validator::parameters() {
  if (kernel.name.empty())
    return refuse("expected a name");
  uint32_t end = 0;
  for (const Parameter &parameter : kernel.parameters) {
    const std::string what = "parameter '" + parameter.name + "' ";
    if (!isUser(parameter)) {
      bool known = parameter.kind == TW_PARAMETER_HIDDEN_GRID ||
                   parameter.kind == TW_PARAMETER_HIDDEN_SCRATCH ||
                   parameter.kind == TW_PARAMETER_HIDDEN_FIRST ||
                   parameter.kind == TW_PARAMETER_DERIVED;
      if (!known || parameter.offset != TW_NO_OFFSET || parameter.axis > 2)
        return refuse(what + "has an unknown kind, an offset or a wrong axis");
      if (parameter.kind == TW_PARAMETER_DERIVED &&
          parameter.source >= kernel.derived.size())
        return refuse(what + "names a derived value that does not exist");
    } else {
      if (userCount != uint64_t(&parameter - kernel.parameters.data()))
        return refuse(what + "stands behind a hidden one");
      ++userCount;
      uint32_t bytes = naturalBytes(parameter);
      if (parameter.dtype >= TW_DTYPE_COUNT || bytes == 0 ||
          parameter.bytes != bytes || parameter.alignment != bytes ||
          parameter.offset != alignUp(end, bytes))
        return refuse(what + "is not at its natural offset");
      end = parameter.offset + bytes;
    }
    if (uint64_t(parameter.deviceOffset) + parameter.bytes >
        kernel.deviceBlockBytes)
      return refuse(what + "lies outside the device block");
  }
  return userCount <= 0xffff && end == kernel.userBlockBytes
             ? true
             : refuse("expected a user block of " + std::to_string(end) +
                      " bytes, got " + std::to_string(kernel.userBlockBytes));
}

bool Validator::facts() {
  for (const tw_fact &fact : kernel.facts) {
    if (fact.kind < TW_FACT_DIVISIBLE || fact.kind > TW_FACT_DISJOINT ||
        fact.argument >= userCount || fact.reserved)
      return refuse("fact of unknown kind or argument");
    bool pointer = isPointer(fact.argument);
    if (fact.kind == TW_FACT_DIVISIBLE && fact.value <= 0)
      return refuse("expected a positive divisor");
    if (fact.kind == TW_FACT_DISJOINT &&
        (fact.other >= userCount || !pointer || !isPointer(fact.other)))
      return refuse("disjointness needs two pointers");
    if (fact.kind == TW_FACT_READONLY && !pointer)
      return refuse("read-only needs a pointer");
    uint32_t dtype = kernel.parameters[fact.argument].dtype;
    if (!pointer && dtype > TW_DTYPE_U64)
      return refuse("facts are about integers and pointers");
  }
  return kernel.predicate.empty() || expression(kernel.predicate, "predicate");
}

bool Validator::derived() {
  for (const Derived &value : kernel.derived) {
    size_t expected = 1;
    if (value.kind == TW_DERIVED_TENSOR_MAP) {
      uint32_t rank = value.attributes.size() > 1 ? value.attributes[1] : 0;
      if (rank < 1 || rank > 5 || value.attributes.size() != 6 + 2 * rank)
        return refuse("malformed tensor map");
      expected = 2 * rank;
    } else if (value.kind != TW_DERIVED_SCALAR ||
               !tw_dtype_bytes(value.dtype) || !value.attributes.empty()) {
      return refuse("derived value of unknown kind");
    }
    if (value.expressions.size() != expected)
      return refuse("derived value with a wrong number of expressions");
    for (const Bytes &code : value.expressions)
      if (!expression(code, "derived value"))
        return false;
  }
  return true;
}

bool Validator::resources() {
  const uint32_t known = TW_KERNEL_NEEDS_PROGRESS | TW_KERNEL_COOPERATIVE |
                         TW_KERNEL_SCRATCH_ZEROED | TW_KERNEL_SCRATCH_LAUNCH |
                         TW_KERNEL_STRIDED;
  if (kernel.flags & ~known)
    return refuse("unknown flags");
  bool hasScratch = kernel.scratchBytes || !kernel.scratchFormula.empty();
  uint32_t alignment = kernel.scratchAlignment;
  if (hasScratch != (alignment != 0) || (alignment & (alignment - 1)))
    return refuse("scratch needs an alignment that is a power of two");
  for (uint32_t axis = 0; axis < 3; ++axis)
    if (!kernel.blockSize[axis] || !kernel.clusterSize[axis])
      return refuse("block and cluster sizes must not be zero");
  return kernel.scratchFormula.empty() ||
         expression(kernel.scratchFormula, "scratch formula");
}

bool validateKernel(const Kernel &kernel, Problem &problem) {
  return Validator(kernel, problem).run();
}

} // namespace tilewright::artifact
