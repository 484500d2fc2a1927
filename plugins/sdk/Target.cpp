//===- Target.cpp - What a target is called, has and lacks ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is left out silently: an id without a row is "unknown".
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Target.h"

#include "tilewright/sdk/Entry.h"

#include <algorithm>

namespace tilewright::sdk {

int32_t resolveOnly(const std::string &vendor, const std::string &arch,
                    const char *hint, tw_str target, const tw_sink *sink,
                    tw_writer out) {
  return host::keepInside([&]() -> int32_t {
    std::string resolved = vendor + ":" + arch;
    std::string given(target.data, target.size);
    if (given != vendor && given != resolved) {
      std::string message = "expected target " + vendor + " or " + resolved +
                            ", got '" + given + "'";
      tw_emit(sink, TW_SEVERITY_ERROR, 4001, message.c_str(), hint);
      return TW_E_DIAGNOSED;
    }
    write(out, resolved);
    return TW_OK;
  });
}

void answerFrom(const std::vector<Capability> &table, tw_capability *caps,
                uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    tw_capability &cap = caps[i];
    auto row =
        std::find_if(table.begin(), table.end(), [&](const Capability &entry) {
          return entry.id == cap.id;
        });
    bool isKnown = row != table.end(), has = isKnown && row->has;
    cap.answer = has       ? TW_ANSWER_YES
                 : isKnown ? TW_ANSWER_NO
                           : TW_ANSWER_UNKNOWN;
    cap.value = has ? row->value : 0;
    cap.text = has ? tw_str{row->text.data(), row->text.size()} : tw_str{};
  }
}

std::string portableFormats() {
  return "tw.portable:" + std::to_string(TW_PORTABLE_OLDEST) + "-" +
         std::to_string(TW_PORTABLE_NEWEST);
}

void refuseLacking(const Op &op, const std::string &target,
                   const std::vector<Lacking> &table) {
  for (const Lacking &row : table)
    if (op.id == row.op)
      refuseOperation(op, target, row.reason, row.hint);
}

int32_t canCompile(const tw_compile_request *given,
                   const std::vector<Lacking> &table) {
  tw_compile_request request;
  int32_t status = tw_read_struct(&request, sizeof request, given);
  if (status != TW_OK)
    return status;
  const tw_portable_schema &schema = *tw_portable_builtin_schema();
  for (uint64_t i = 0; i < request.op_count; ++i)
    for (const Lacking &row : table)
      if (tw_str_equal(request.ops[i].name, tw_string(schema.ops[row.op].name)))
        return TW_E_UNIMPLEMENTED;
  return TW_OK;
}

} // namespace tilewright::sdk
