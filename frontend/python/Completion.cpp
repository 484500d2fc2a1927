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
/// How many forms of calls are known at a time, and rules.
constexpr size_t maxForms = 8, maxRules = 64;

/// One launch on its way.
struct Completion::Call {
  std::shared_ptr<const Form> form;
  PyObject *stack[maxArguments]; ///< the call's arguments, then the constants
  nb::object results[maxComputed];
  nb::object named; ///< all arguments by name, made when a function wants it
  size_t namedCount = 0; ///< constants among them
};

Completion::Completion(nb::object function, nb::list given, nb::dict values)
    : function(std::move(function)), values(std::move(values)) {
  for (nb::handle name : given)
    argumentNames.push_back(nb::borrow(name));
}

//===----------------------------------------------------------------------===//
// Forms of calls
//===----------------------------------------------------------------------===//

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

/// Whether the call has this form, and the functions are those that it knows.
bool Completion::isFor(const Form &form, size_t count, PyObject *names) const {
  if (form.count != count || !areSame(form.names.ptr(), names) ||
      size_t(PyDict_GET_SIZE(values.ptr())) != form.steps.size())
    return false;
  Py_ssize_t at = 0;
  PyObject *name, *value;
  for (const Step &step : form.steps)
    if (!PyDict_Next(values.ptr(), &at, &name, &value) ||
        name != step.name.ptr() || value != step.rule->of())
      return false;
  return true;
}

std::shared_ptr<const Completion::Form> Completion::findForm(size_t count,
                                                             PyObject *names) {
  for (size_t i = 0; i < forms.size(); ++i) {
    if (!isFor(*forms[i], count, names))
      continue;
    if (i)
      std::swap(forms[i], forms[0]);
    return forms[0];
  }
  std::shared_ptr<const Form> form = makeForm(count, names);
  if (!form)
    return nullptr;
  if (forms.size() == maxForms)
    forms.pop_back();
  forms.insert(forms.begin(), form);
  return form;
}

std::shared_ptr<Rule> Completion::ruleOf(nb::handle function) {
  for (const std::shared_ptr<Rule> &rule : rules)
    if (rule->of() == function.ptr())
      return rule;
  auto rule = std::make_shared<Rule>(nb::borrow(function));
  if (rules.size() == maxRules)
    rules.clear();
  rules.push_back(rule);
  return rule;
}

/// The form of a call; none with a Python error, or without one where the
/// caller gives what is computed.
std::shared_ptr<const Completion::Form> Completion::makeForm(size_t count,
                                                             PyObject *names) {
  auto form = std::make_shared<Form>();
  size_t keywords = sizeOf(names);
  size_t computed = size_t(PyDict_GET_SIZE(values.ptr()));
  form->count = count;
  form->given = count + keywords;
  form->names = nb::borrow(names);
  form->blank = nb::steal(PyDict_New());
  form->all = nb::steal(PyTuple_New(Py_ssize_t(keywords + computed)));
  if (!form->blank.is_valid() || !form->all.is_valid() ||
      form->given + computed > maxArguments || computed > maxComputed)
    return nullptr;
  for (size_t i = 0; i < std::min(count, argumentNames.size()); ++i)
    if (PyDict_SetItem(form->blank.ptr(), argumentNames[i].ptr(), Py_None))
      return nullptr;
  for (size_t i = 0; i < keywords; ++i) {
    PyObject *name = PyTuple_GET_ITEM(names, Py_ssize_t(i));
    if (PyDict_Contains(values.ptr(), name) ||
        PyDict_SetItem(form->blank.ptr(), name, Py_None))
      return nullptr;
    PyTuple_SET_ITEM(form->all.ptr(), Py_ssize_t(i), Py_NewRef(name));
  }
  return addSteps(*form, Py_ssize_t(keywords)) ? form : nullptr;
}

/// Where in a call's stack an argument is that a function reads: computed
/// before it, a keyword, a position; false without any.
static bool findPlace(const std::vector<nb::object> &positions, PyObject *all,
                      size_t count, size_t known, nb::handle name,
                      size_t &place) {
  auto isIt = [&](PyObject *other) {
    return PyUnicode_Compare(name.ptr(), other) == 0;
  };
  for (size_t i = known; i-- > 0;)
    if (isIt(PyTuple_GET_ITEM(all, Py_ssize_t(i)))) {
      place = count + i;
      return true;
    }
  for (size_t i = std::min(count, positions.size()); i-- > 0;)
    if (isIt(positions[i].ptr())) {
      place = i;
      return true;
    }
  return false;
}

/// One step for each function, whose name comes behind the keywords.
bool Completion::addSteps(Form &form, Py_ssize_t place) {
  // Rules are made by Python's code.
  nb::object items = nb::steal(PyDict_Items(values.ptr()));
  if (!items.is_valid() ||
      PyList_GET_SIZE(items.ptr()) != PyTuple_GET_SIZE(form.all.ptr()) - place)
    return false;
  for (nb::handle item : nb::borrow<nb::list>(items)) {
    nb::object name = item[0];
    if (!PyUnicode_CheckExact(name.ptr()))
      return false;
    Step step = {name, ruleOf(nb::object(item[1])), {}, true};
    for (const Rule::Argument &argument : step.rule->reads()) {
      size_t found = 0;
      step.isFound &= findPlace(argumentNames, form.all.ptr(), form.count,
                                size_t(place), argument.name, found);
      step.places.push_back(found);
    }
    form.steps.push_back(std::move(step));
    PyTuple_SET_ITEM(form.all.ptr(), place++, name.release().ptr());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Names all arguments and what was computed before step `number`; false with a
/// Python error.
static bool nameArguments(const std::vector<nb::object> &positions,
                          const nb::object &blank, PyObject *names,
                          size_t count, PyObject *const *args,
                          nb::object &named) {
  named = nb::steal(PyDict_Copy(blank.ptr()));
  if (!named.is_valid())
    return false;
  for (size_t i = 0; i < std::min(count, positions.size()); ++i)
    if (PyDict_SetItem(named.ptr(), positions[i].ptr(), args[i]))
      return false;
  for (size_t i = 0, e = sizeOf(names); i < e; ++i)
    if (PyDict_SetItem(named.ptr(), PyTuple_GET_ITEM(names, Py_ssize_t(i)),
                       args[count + i]))
      return false;
  return true;
}

/// What a function gives for all arguments by name; a new reference.
PyObject *Completion::run(Call &call, size_t number) const {
  const Form &form = *call.form;
  if (!call.named.is_valid() &&
      !nameArguments(argumentNames, form.blank, form.names.ptr(), form.count,
                     call.stack, call.named))
    return nullptr;
  for (size_t &i = call.namedCount; i < number; ++i)
    if (PyDict_SetItem(call.named.ptr(), form.steps[i].name.ptr(),
                       call.results[i].ptr()))
      return nullptr;
  // A function may keep or change what it gets.
  nb::object passed = number + 1 == form.steps.size()
                          ? std::move(call.named)
                          : nb::steal(PyDict_Copy(call.named.ptr()));
  return passed.is_valid()
             ? PyObject_CallOneArg(form.steps[number].rule->of(), passed.ptr())
             : nullptr;
}

/// Computes a constant, or takes it from what is known; false with a Python
/// error.
bool Completion::compute(Call &call, size_t number) const {
  const Step &step = call.form->steps[number];
  PyObject *decisive[Rule::maxArguments];
  bool isPure = step.isFound && step.rule->isPure();
  for (size_t i = 0; isPure && i < step.places.size(); ++i) {
    decisive[i] =
        Rule::decisive(step.rule->reads()[i], call.stack[step.places[i]]);
    isPure = decisive[i];
  }
  nb::object &result = call.results[number];
  if (PyObject *known = isPure ? step.rule->find(decisive) : nullptr)
    result = nb::borrow(known);
  else if (!(result = nb::steal(run(call, number))).is_valid())
    return false;
  else if (isPure)
    step.rule->remember(decisive, result);
  call.stack[call.form->given + number] = result.ptr();
  return true;
}

PyObject *Completion::launch(PyObject *owner, PyObject *grid,
                             PyObject *const *args, size_t count,
                             PyObject *names) {
  Call call;
  call.form = findForm(count, names);
  if (!call.form)
    return PyErr_Occurred() ? nullptr : runOn(owner, grid, args, count, names);
  std::copy(args, args + call.form->given, call.stack);
  for (size_t i = 0; i < call.form->steps.size(); ++i)
    if (!compute(call, i))
      return nullptr;
  call.named.reset();
  return launchOn(function.ptr(), grid, call.stack, count,
                  call.form->all.ptr());
}

int Completion::traverse(visitproc visit, void *arg) const {
  Py_VISIT(function.ptr());
  Py_VISIT(values.ptr());
  for (const std::shared_ptr<Rule> &rule : rules)
    if (int stop = rule->traverse(visit, arg))
      return stop;
  return traverseGuards(visit, arg);
}

void Completion::clear() {
  nb::object freed[] = {std::move(function), std::move(values)};
  auto freedRules = std::move(rules);
  auto freedForms = std::move(forms);
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
