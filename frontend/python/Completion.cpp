//===- Completion.cpp - A launch under heuristics ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the arguments, calls the functions, launches with what they give.
//===----------------------------------------------------------------------===//
#include "frontend/python/Completion.h"

#include <algorithm>

namespace tilewright::python {

/// Limits of the fast path; calls beyond them take the other one.
constexpr size_t maxArguments = 192, maxComputed = 24;

Completion::Completion(nb::object function, nb::list given, nb::dict values)
    : function(std::move(function)), values(std::move(values)) {
  for (nb::handle name : given)
    argumentNames.push_back(nb::borrow(name));
}

static size_t sizeOf(PyObject *names) {
  return names ? size_t(PyTuple_GET_SIZE(names)) : 0;
}

/// Whether the keywords of two calls are the same: those of a call site are one
/// tuple, those of `**keywords` a new one at each call, of the same names.
static bool areSame(PyObject *names, PyObject *others) {
  if (names == others)
    return true;
  size_t size = sizeOf(names);
  if (size != sizeOf(others))
    return false;
  for (size_t i = 0; i < size; ++i)
    if (PyTuple_GET_ITEM(names, Py_ssize_t(i)) !=
        PyTuple_GET_ITEM(others, Py_ssize_t(i)))
      return false;
  return true;
}

bool Completion::isFor(const Form &form, size_t count, PyObject *names) const {
  if (form.count != count || !areSame(form.names.ptr(), names) ||
      size_t(PyDict_GET_SIZE(values.ptr())) != form.computed.size())
    return false;
  Py_ssize_t at = 0;
  PyObject *name, *unused;
  for (const nb::object &known : form.computed)
    if (!PyDict_Next(values.ptr(), &at, &name, &unused) || name != known.ptr())
      return false;
  return true;
}

/// The form of a call; none with a Python error, or without one where the
/// caller gives what is computed.
std::shared_ptr<const Completion::Form>
Completion::formOf(size_t count, PyObject *names) const {
  auto form = std::make_shared<Form>();
  form->count = count;
  form->names = nb::borrow(names);
  form->blank = nb::steal(PyDict_New());
  size_t keywords = sizeOf(names);
  size_t computed = size_t(PyDict_GET_SIZE(values.ptr()));
  if (!form->blank.is_valid() || count + keywords + computed > maxArguments ||
      computed > maxComputed)
    return nullptr;
  for (size_t i = 0; i < std::min(count, argumentNames.size()); ++i)
    if (PyDict_SetItem(form->blank.ptr(), argumentNames[i].ptr(), Py_None))
      return nullptr;
  form->all = nb::steal(PyTuple_New(Py_ssize_t(keywords + computed)));
  if (!form->all.is_valid())
    return nullptr;
  Py_ssize_t place = 0;
  for (size_t i = 0; i < keywords; ++i) {
    PyObject *name = PyTuple_GET_ITEM(names, Py_ssize_t(i));
    if (PyDict_Contains(values.ptr(), name) ||
        PyDict_SetItem(form->blank.ptr(), name, Py_None))
      return nullptr;
    PyTuple_SET_ITEM(form->all.ptr(), place++, Py_NewRef(name));
  }
  Py_ssize_t at = 0;
  PyObject *name, *unused;
  while (PyDict_Next(values.ptr(), &at, &name, &unused)) {
    if (!PyUnicode_CheckExact(name))
      return nullptr;
    PyTuple_SET_ITEM(form->all.ptr(), place++, Py_NewRef(name));
    form->computed.push_back(nb::borrow(name));
  }
  return form;
}

/// All arguments of a call by name; false with a Python error.
bool Completion::name(const Form &form, PyObject *const *args,
                      nb::object &named) const {
  named = nb::steal(PyDict_Copy(form.blank.ptr()));
  if (!named.is_valid())
    return false;
  for (size_t i = 0; i < std::min(form.count, argumentNames.size()); ++i)
    if (PyDict_SetItem(named.ptr(), argumentNames[i].ptr(), args[i]))
      return false;
  for (size_t i = 0, e = sizeOf(form.names.ptr()); i < e; ++i)
    if (PyDict_SetItem(named.ptr(),
                       PyTuple_GET_ITEM(form.names.ptr(), Py_ssize_t(i)),
                       args[form.count + i]))
      return false;
  return true;
}

PyObject *Completion::launch(PyObject *owner, PyObject *grid,
                             PyObject *const *args, size_t count,
                             PyObject *names) {
  std::shared_ptr<const Form> form = last;
  if (!form || !isFor(*form, count, names)) {
    form = formOf(count, names);
    if (!form)
      return PyErr_Occurred() ? nullptr
                              : runOn(owner, grid, args, count, names);
    last = form;
  }
  nb::object named, results[maxComputed];
  if (!name(*form, args, named))
    return nullptr;
  PyObject *stack[maxArguments];
  size_t given = count + sizeOf(names), computed = form->computed.size();
  std::copy(args, args + given, stack);
  for (size_t i = 0; i < computed; ++i) {
    nb::object value = nb::borrow(
        PyDict_GetItemWithError(values.ptr(), form->computed[i].ptr()));
    // A function may keep or change what it gets.
    bool isLast = i + 1 == computed;
    nb::object passed = isLast ? named : nb::steal(PyDict_Copy(named.ptr()));
    if (!value.is_valid() || !passed.is_valid())
      return PyErr_Occurred() ? nullptr
                              : runOn(owner, grid, args, count, names);
    results[i] = nb::steal(PyObject_CallOneArg(value.ptr(), passed.ptr()));
    stack[given + i] = results[i].ptr();
    if (!results[i].is_valid() ||
        (!isLast && PyDict_SetItem(named.ptr(), form->computed[i].ptr(),
                                   results[i].ptr())))
      return nullptr;
  }
  named.reset();
  return launchOn(function.ptr(), grid, stack, count, form->all.ptr());
}

int Completion::traverse(visitproc visit, void *arg) const {
  Py_VISIT(function.ptr());
  Py_VISIT(values.ptr());
  return traverseGuards(visit, arg);
}

void Completion::clear() {
  nb::object freed[] = {std::move(function), std::move(values)};
  last = nullptr;
}

static int traverseCompletion(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    return nb::inst_ptr<Completion>(self)->traverse(visit, arg);
  return 0;
}

static int clearCompletion(PyObject *self) {
  nb::inst_ptr<Completion>(self)->clear();
  return 0;
}

void bindCompletion(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(traverseCompletion)},
      {Py_tp_clear, reinterpret_cast<void *>(clearCompletion)},
      {0, nullptr}};
  nb::class_<Completion>(m, "Completion", nb::type_slots(slots))
      .def(nb::init<nb::object, nb::list, nb::dict>(), nb::arg("function"),
           nb::arg("argument_names"), nb::arg("values"))
      .def("guard", &Completion::guard, nb::arg("type"), nb::arg("run"));
}

} // namespace tilewright::python
