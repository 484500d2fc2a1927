//===- Rule.h - What a function of heuristics depends on --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function whose code reads plain arguments and globals alone, as pure.py
// finds, gives for the same ones what it gave before, and is not called again.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_RULE_H
#define TILEWRIGHT_FRONTEND_PYTHON_RULE_H

#include <nanobind/nanobind.h>

#include <vector>

namespace tilewright::python {

namespace nb = nanobind;

class Rule {
public:
  struct Argument {
    nb::object name;
    bool isPresence; ///< only compared with None
  };
  static constexpr size_t maxArguments = 8;

  /// Throws what Python raises.
  explicit Rule(nb::object function);

  PyObject *of() const { return function.ptr(); }
  const std::vector<Argument> &reads() const { return arguments; }
  /// Whether the value depends on reads() alone, as long as they are plain and
  /// the function and its globals are what they were.
  bool isPure() const;
  /// What decides the value, of an argument's own value; nullptr where that is
  /// not plain.
  static PyObject *decisive(const Argument &argument, PyObject *value);
  /// The value for what decides it, borrowed; nullptr if it is not known.
  PyObject *find(PyObject *const *decisive) const;
  /// Keeps a value, if it is plain.
  void remember(PyObject *const *decisive, nb::handle value);

  int traverse(visitproc visit, void *arg) const;

private:
  struct Variable {
    nb::object holder, name, value; ///< no value: it is not there
  };
  struct Known {
    std::vector<nb::object> decisive;
    nb::object value;
  };

  nb::object function, code;
  std::vector<Argument> arguments;
  std::vector<Variable> variables;
  std::vector<Known> known;
};

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_RULE_H
