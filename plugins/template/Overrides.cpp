//===- Overrides.cpp - OVERRIDE: claims on high-level ops -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// softmax and sigmoid of fp32 reach the compiler whole and become calls of
// Prelude.c. Other element types are declined by not being listed: the host
// then sends the decomposition.
//===----------------------------------------------------------------------===//
#include "Emitter.h"
#include "TemplatePlugin.h"

namespace tilewright::template_ {

/// The largest difference from the decomposition, in units of the last place of
/// the largest result. `test` measures it.
static constexpr uint32_t kUlps = 8;

static tw_override_record claim(const char *op, uint32_t minRank,
                                uint32_t maxRank) {
  tw_override_record record = {};
  record.size = sizeof record;
  record.op = tw_string(op);
  record.min_version = record.max_version = 1;
  record.form = TW_OVERRIDE_WHOLE;
  record.numerics = TW_NUMERICS_ULP;
  record.ulp = kUlps;
  record.dtypes = uint64_t(1) << TW_DTYPE_F32;
  record.min_rank = minRank;
  record.max_rank = maxRank;
  record.arch = tw_string(kVendor);
  record.provider = tw_string(kVendor);
  return record;
}

static int32_t listOverrides(tw_backend *, tw_str,
                             const tw_override_record *const **list,
                             uint64_t *count) {
  static const tw_override_record softmax = claim("softmax", 1, 8);
  static const tw_override_record sigmoid = claim("sigmoid", 0, 8);
  static const tw_override_record *const records[] = {&softmax, &sigmoid};
  *list = records;
  *count = 2;
  return TW_OK;
}

const tw_override_table overrideTable = {
    sizeof(tw_override_table), 0, listOverrides, nullptr, nullptr, nullptr};

static int64_t argument(const Op &call, const char *name, int64_t otherwise) {
  if (const sdk::Attribute *all = call.find(TW_PORTABLE_ATTR_ARGUMENTS))
    for (const sdk::Attribute &entry : all->entries)
      if (entry.name == name)
        return entry.number;
  return otherwise;
}

static void emitSoftmax(Emitter &emitter, const Op &call) {
  const Value &x = call.operand(0), &result = call.result();
  const std::vector<int64_t> &shape = x.type->shape;
  int64_t axis = argument(call, "dim", 0);
  axis += axis < 0 ? int64_t(shape.size()) : 0;
  int64_t outer = 1, inner = 1;
  for (int64_t d = 0; d < int64_t(shape.size()); ++d)
    (d < axis ? outer : inner) *= d == axis ? 1 : shape[d];
  emitter.declare(result);
  emitter.line("fast_softmax($0, $1, $2, $3, $4);",
               {emitter.name(result), emitter.name(x), text(outer),
                text(shape[axis]), text(inner)});
}

static void emitSigmoid(Emitter &emitter, const Op &call) {
  const Value &x = call.operand(0), &result = call.result();
  const char *reference = x.type->isTensor() ? "" : "&";
  emitter.declare(result);
  emitter.line("fast_sigmoid($0$1, $0$2, $3);",
               {reference, emitter.name(result), emitter.name(x),
                text(x.type->count())});
}

bool emitOverride(Emitter &emitter, const Op &call) {
  std::string name = call.text(TW_PORTABLE_ATTR_OP_NAME);
  if (call.operands.empty() || call.operand(0).type->isPointer() ||
      call.operand(0).type->element != TW_DTYPE_F32)
    return false;
  if (name == "softmax@1" && call.operand(0).type->isTensor())
    emitSoftmax(emitter, call);
  else if (name == "sigmoid@1")
    emitSigmoid(emitter, call);
  else
    return false;
  emitter.overridesUsed.push_back(name);
  return true;
}

} // namespace tilewright::template_
