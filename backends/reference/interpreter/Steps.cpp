//===- Steps.cpp - Steps of a kernel, for a debugger ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel compiled with option `trace` has a print for each line that it
// reaches and for what the line binds; see frontend/sema/flow/Steps.cpp. Here
// they become steps for whoever follows the launch, and nothing without one.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"

using namespace mlir;

namespace tilewright::reference {

static tw_str textOf(Attribute attribute) {
  StringRef text = cast<StringAttr>(attribute).getValue();
  return {text.data(), text.size()};
}

/// The values that a step names; they point into the interpreter.
static std::vector<tw_trace_value> valuesOf(Interpreter &at, Operation *print,
                                            DictionaryAttr step) {
  ArrayRef<int32_t> masks = step.getAs<DenseI32ArrayAttr>("masks").asArrayRef();
  std::vector<tw_trace_value> values;
  unsigned number = 0; // of the operand; constants have none
  for (auto [name, type, text] : llvm::zip_equal(
           step.getAs<ArrayAttr>("names"), step.getAs<ArrayAttr>("types"),
           step.getAs<ArrayAttr>("texts"))) {
    tw_trace_value &value = values.emplace_back();
    value.name = textOf(name);
    value.type = textOf(type);
    value.text = textOf(text);
    if (value.type.size == 0)
      continue;
    const Tile &tile = at.get(print->getOperand(number));
    value.shape = tile.shape.data();
    value.rank = tile.shape.size();
    value.bits = tile.bits.data();
    value.count = tile.bits.size();
    if (int32_t mask = masks[number]; mask >= 0)
      value.active = at.get(print->getOperand(mask)).bits.data();
    ++number;
  }
  return values;
}

bool reportStep(Interpreter &at, Operation *print, DictionaryAttr step) {
  if (!at.environment.step)
    return true;
  KernelError place;
  setPlace(print, place);
  std::vector<tw_trace_value> values = valuesOf(at, print, step);
  tw_trace_step told = {};
  told.size = sizeof told;
  told.kind = textOf(step.get("kind"));
  told.function = textOf(step.get("function"));
  told.file = {place.file.data(), place.file.size()};
  told.line = place.line;
  told.depth = step.getAs<IntegerAttr>("depth").getInt();
  std::copy(at.ids.begin(), at.ids.end(), told.program);
  told.values = values.data();
  told.value_count = values.size();
  return at.environment.step(told);
}

} // namespace tilewright::reference
