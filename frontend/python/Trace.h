//===- Trace.h - Launches whose steps Python follows ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the package's debugger stands on.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_TRACE_H
#define TILEWRIGHT_FRONTEND_PYTHON_TRACE_H

#include "frontend/python/Handles.h"

#include <nanobind/nanobind.h>

namespace tilewright::python {

/// Launches and calls `follow` at each step with (kind, function, file, line,
/// depth, program, values), where a value is (name, type, text, shape, words,
/// active words or None) as tw_trace_value says. What `follow` raises ends the
/// launch and comes out of it.
void launchTraced(const Kernel &kernel, const tw_rt_grid &grid,
                  const std::vector<tw_rt_value> &values,
                  nanobind::object follow);

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_TRACE_H
