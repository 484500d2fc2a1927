//===- Trace.cpp - Launches whose steps Python follows ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps as tuples; exceptions of Python on their way through the plugin.
//===----------------------------------------------------------------------===//
#include "frontend/python/Trace.h"

#include "tilewright/extensions.h"

namespace nb = nanobind;

namespace tilewright::python {

static nb::str textOf(tw_str text) { return nb::str(text.data, text.size); }

static nb::object wordsOf(const uint64_t *words, uint64_t count) {
  return words ? nb::object(nb::bytes(words, count * sizeof *words))
               : nb::none();
}

static nb::tuple valueOf(const tw_trace_value &value) {
  nb::list shape;
  for (uint64_t i = 0; i < value.rank; ++i)
    shape.append(value.shape[i]);
  return nb::make_tuple(textOf(value.name), textOf(value.type),
                        textOf(value.text), nb::tuple(shape),
                        wordsOf(value.bits, value.count),
                        wordsOf(value.active, value.count));
}

namespace {
/// The function that follows, and what it raised.
struct Follower {
  nb::object follow;
  std::exception_ptr raised;

  void tell(const tw_trace_step &step) const {
    nb::list values;
    for (uint64_t i = 0; i < step.value_count; ++i)
      values.append(valueOf(step.values[i]));
    follow(textOf(step.kind), textOf(step.function), textOf(step.file),
           step.line, step.depth,
           nb::make_tuple(step.program[0], step.program[1], step.program[2]),
           values);
  }

  /// Called without the interpreter lock.
  static int32_t step(void *ctx, const tw_trace_step *step) {
    auto *self = static_cast<Follower *>(ctx);
    nb::gil_scoped_acquire lock;
    try {
      self->tell(*step);
      return 0;
    } catch (...) {
      self->raised = std::current_exception();
      return 1;
    }
  }
};
} // namespace

void launchTraced(const Kernel &kernel, const tw_rt_grid &grid,
                  const std::vector<tw_rt_value> &values, nb::object follow) {
  Follower follower = {std::move(follow), nullptr};
  tw_launch_trace trace = {};
  trace.header.size = sizeof trace;
  trace.header.id = TW_EXTENSION_TRACE;
  trace.header.flags = TW_EXTENSION_MUST_UNDERSTAND;
  trace.ctx = &follower;
  trace.step = Follower::step;
  try {
    kernel.launch(grid, values.data(), values.size(), trace.header);
  } catch (const RuntimeFailure &) {
    if (!follower.raised)
      throw;
  }
  if (follower.raised)
    std::rethrow_exception(follower.raised);
}

} // namespace tilewright::python
