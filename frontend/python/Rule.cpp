//===- Rule.cpp - What a function of heuristics depends on ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain values are exact ints, floats, bools, texts and None.
//===----------------------------------------------------------------------===//
#include "frontend/python/Rule.h"

#include <algorithm>
#include <cstring>

namespace tilewright::python {

/// A kernel that sees more values than this starts to collect them anew.
constexpr size_t maxKnown = 32;

Rule::Rule(nb::object given) : function(std::move(given)) {
  nb::object answer =
      nb::module_::import_("tilewright.tuning.pure").attr("reads")(function);
  if (answer.is_none() || nb::len(nb::object(answer[1])) > maxArguments)
    return;
  code = answer[0];
  for (nb::handle row : nb::borrow<nb::list>(answer[1]))
    arguments.push_back({nb::borrow(row[0]), nb::cast<bool>(row[1])});
  for (nb::handle row : nb::borrow<nb::list>(answer[2])) {
    bool isThere = nb::cast<bool>(row[3]);
    variables.push_back({nb::borrow(row[0]), nb::borrow(row[1]),
                         isThere ? nb::borrow(row[2]) : nb::object()});
  }
}

bool Rule::isPure() const {
  if (!code.is_valid() || PyFunction_GET_CODE(function.ptr()) != code.ptr())
    return false;
  return std::all_of(variables.begin(), variables.end(), [](auto &variable) {
    return PyDict_GetItem(variable.holder.ptr(), variable.name.ptr()) ==
           variable.value.ptr();
  });
}

static bool isPlain(PyObject *value) {
  return value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) ||
         PyFloat_CheckExact(value) || PyUnicode_CheckExact(value);
}

PyObject *Rule::decisive(const Argument &argument, PyObject *value) {
  if (argument.isPresence)
    return value == Py_None ? Py_False : Py_True;
  return isPlain(value) ? value : nullptr;
}

/// Whether two plain values are the same in type and value, zeros with their
/// sign.
static bool areSame(PyObject *one, PyObject *other) {
  if (one == other)
    return true;
  if (Py_TYPE(one) != Py_TYPE(other))
    return false;
  if (PyFloat_CheckExact(one)) {
    double values[] = {PyFloat_AS_DOUBLE(one), PyFloat_AS_DOUBLE(other)};
    return !std::memcmp(&values[0], &values[1], sizeof(double));
  }
  if (PyUnicode_CheckExact(one))
    return PyUnicode_Compare(one, other) == 0;
  return PyLong_CheckExact(one) && PyObject_RichCompareBool(one, other, Py_EQ);
}

PyObject *Rule::find(PyObject *const *decisive) const {
  for (const Known &row : known) {
    bool isIt = true;
    for (size_t i = 0; isIt && i < row.decisive.size(); ++i)
      isIt = areSame(row.decisive[i].ptr(), decisive[i]);
    if (isIt)
      return row.value.ptr();
  }
  return nullptr;
}

void Rule::remember(PyObject *const *decisive, nb::handle value) {
  if (!isPlain(value.ptr()))
    return;
  if (known.size() == maxKnown)
    known.clear();
  Known row = {{}, nb::borrow(value)};
  for (size_t i = 0; i < arguments.size(); ++i)
    row.decisive.push_back(nb::borrow(decisive[i]));
  known.push_back(std::move(row));
}

int Rule::traverse(visitproc visit, void *arg) const {
  Py_VISIT(function.ptr());
  Py_VISIT(code.ptr());
  for (const Variable &variable : variables) {
    Py_VISIT(variable.holder.ptr());
    Py_VISIT(variable.value.ptr());
  }
  return 0;
}

} // namespace tilewright::python
