//===- Launchable.h - What is launched by subscript and call ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object[grid](...)` of kernels and of what stands around them. An object
// whose attribute `_dispatcher` is a Dispatcher or a Completion is launched by
// it, as long as each class on the way has the `run` that the package gave it;
// else Python's `_launcher(grid)` is what the subscript gives.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_LAUNCHABLE_H
#define TILEWRIGHT_FRONTEND_PYTHON_LAUNCHABLE_H

#include <nanobind/nanobind.h>

#include <vector>

namespace tilewright::python {

namespace nb = nanobind;

/// A fast path that stands for methods `run`, until somebody replaces one.
class Guarded {
public:
  /// The path holds while attribute `run` of `type` is `run`.
  void guard(nb::object type, nb::object run) {
    guards.push_back({std::move(type), std::move(run)});
  }
  bool isGuarded() const;

protected:
  int traverseGuards(visitproc visit, void *arg) const;

private:
  struct Guard {
    nb::object type, run;
  };
  std::vector<Guard> guards;
};

class Completion;
class Dispatcher;

/// One of the two kinds of fast paths, or none.
struct FastPath {
  Dispatcher *dispatcher = nullptr;
  Completion *completion = nullptr;

  explicit operator bool() const { return dispatcher || completion; }
  bool isGuarded() const;
  PyObject *launch(PyObject *function, PyObject *grid, PyObject *const *args,
                   size_t count, PyObject *names) const;
};

/// The path that a Python object holds.
FastPath fastPathOf(PyObject *object);

/// `function[grid](...)` of a Launchable; a new reference, or nullptr with a
/// Python error.
PyObject *launchOn(PyObject *function, PyObject *grid, PyObject *const *args,
                   size_t count, PyObject *names);

/// `function.run(*args, grid=grid, **named)`, likewise.
PyObject *runOn(PyObject *function, PyObject *grid, PyObject *const *args,
                size_t count, PyObject *names);

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_LAUNCHABLE_H
