//===- Completion.h - A launch under heuristics -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast path of `heuristics`: Python functions that compute constants from
// all arguments by name run before each launch, unless what they depend on is
// known. The dictionary that they get is a copy of one with the names of the
// call, so that filling it makes no keys.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_COMPLETION_H
#define TILEWRIGHT_FRONTEND_PYTHON_COMPLETION_H

#include "frontend/python/Launchable.h"
#include "frontend/python/Rule.h"

#include <memory>
#include <vector>

namespace tilewright::python {

class Completion : public Guarded {
public:
  /// `function`: what is launched with the constants; `values`: their names to
  /// functions, asked anew at each launch.
  Completion(nb::object function, nb::list argumentNames, nb::dict values);

  /// Launches for the Heuristics `owner`; a new reference, or nullptr with a
  /// Python error.
  PyObject *launch(PyObject *owner, PyObject *grid, PyObject *const *args,
                   size_t count, PyObject *names);

  int traverse(visitproc visit, void *arg) const;
  void clear();

private:
  /// A constant that is computed.
  struct Step {
    nb::object name;
    std::shared_ptr<Rule> rule;
    /// Where the call has what the rule reads; not used where a name is
    /// missing.
    std::vector<size_t> places;
    bool isFound;
  };
  /// What all calls with as many positions and the same keywords share.
  struct Form {
    size_t count, given; ///< positions, all arguments
    nb::object names;    ///< of the call's keywords; invalid without any
    nb::object blank;    ///< the arguments by name, all None
    nb::object all;      ///< keywords of the launch: the call's, the computed
    std::vector<Step> steps;
  };
  struct Call;

  bool isFor(const Form &form, size_t count, PyObject *names) const;
  std::shared_ptr<const Form> findForm(size_t count, PyObject *names);
  std::shared_ptr<const Form> makeForm(size_t count, PyObject *names);
  bool addSteps(Form &form, Py_ssize_t place);
  std::shared_ptr<Rule> ruleOf(nb::handle function);
  bool compute(Call &call, size_t number) const;
  PyObject *run(Call &call, size_t number) const;

  nb::object function;
  std::vector<nb::object> argumentNames;
  nb::object values;
  std::vector<std::shared_ptr<Rule>> rules;
  /// The last one first. A launch holds its form: functions may launch again.
  std::vector<std::shared_ptr<const Form>> forms;
};

/// Adds Completion to the module.
void bindCompletion(nb::module_ &m);

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_COMPLETION_H
