//===- Dispatcher.cpp - From a call's arguments to a launch -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of known calls, and what happens at a call.
//===----------------------------------------------------------------------===//
#include "frontend/python/Dispatcher.h"

#include <nanobind/stl/string.h>

#include <cstring>

namespace tilewright::python {

uint64_t launchCount = 0;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

Dispatcher::Dispatcher(nb::list given, size_t positional, nb::object missing)
    : positional(positional) {
  for (nb::handle row : given) {
    Parameter parameter = {};
    PyObject *name = nb::str(row[0]).release().ptr();
    PyUnicode_InternInPlace(&name);
    parameter.name = name;
    nb::object fallback = nb::borrow(row[1]);
    parameter.fallback =
        fallback.is(missing) ? nullptr : fallback.release().ptr();
    parameter.isConstant = nb::cast<bool>(row[2]);
    parameter.specialize = nb::cast<bool>(row[3]);
    std::string fixed = nb::cast<std::string>(row[4]);
    parameter.fixed = fixed.empty()    ? Parameter::None
                      : fixed == "int" ? Parameter::Integer
                                       : Parameter::Float;
    parameters.push_back(parameter);
  }
  isEnabled = parameters.size() <= maxParameters;
}

Dispatcher::~Dispatcher() {
  for (Parameter &parameter : parameters) {
    Py_DECREF(parameter.name);
    Py_XDECREF(parameter.fallback);
  }
  for (PyTypeObject *type : identityTypes)
    Py_DECREF(type);
}

void Dispatcher::addIdentityType(nb::handle type) {
  auto *object = reinterpret_cast<PyTypeObject *>(type.ptr());
  for (PyTypeObject *known : identityTypes)
    if (known == object)
      return;
  Py_INCREF(object);
  identityTypes.push_back(object);
}

void Dispatcher::tune(const std::vector<size_t> &chosen,
                      const std::vector<size_t> &keys) {
  for (size_t i : chosen)
    parameters.at(i).isChosen = true;
  for (size_t i : keys)
    parameters.at(i).isKey = true;
}

void Dispatcher::clear() {
  // What is freed may call Python, and that launch again.
  auto freedEntries = std::move(entries);
  auto freedVariables = std::move(captured);
  auto freedEntry = std::move(last);
  entries.clear();
  captured.clear();
}

void Dispatcher::reset(nb::list rows) {
  clear();
  for (nb::handle row : rows)
    captured.push_back(
        {nb::borrow(row[0]), nb::borrow(row[1]), nb::borrow(row[2])});
}

int Dispatcher::traverse(visitproc visit, void *arg) const {
  for (const auto &[hash, entry] : entries) {
    Py_VISIT(entry->result.ptr());
    Py_VISIT(entry->kernelObject.ptr());
    Py_VISIT(entry->tuningKey.ptr());
    Py_VISIT(entry->configuration.ptr());
    for (const nb::object &value : entry->chosen)
      Py_VISIT(value.ptr());
    for (const nb::object &object : entry->kept)
      Py_VISIT(object.ptr());
    Py_VISIT(entry->options.ptr());
  }
  for (const Captured &variable : captured) {
    Py_VISIT(variable.value.ptr());
    Py_VISIT(variable.holder.ptr());
  }
  Py_VISIT(target.ptr());
  Py_VISIT(hooks.ptr());
  return traverseGuards(visit, arg);
}

/// The value that a captured variable has now, borrowed.
static PyObject *readVariable(PyObject *holder, PyObject *name) {
  if (PyCell_Check(holder))
    return PyCell_GET(holder);
  if (PyType_Check(holder))
    holder = reinterpret_cast<PyTypeObject *>(holder)->tp_dict;
  return PyDict_GetItem(holder, name);
}

/// Whether the text that the kernels were compiled from still holds.
bool Dispatcher::isCurrent() const {
  for (const Captured &variable : captured) {
    PyObject *holder = variable.holder.ptr();
    if (readVariable(holder, variable.name.ptr()) != variable.value.ptr())
      return false;
  }
  return true;
}

static uint64_t hashOf(const uint64_t *words, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

std::shared_ptr<const Dispatcher::Entry>
Dispatcher::find(const Request &request) {
  auto matches = [&](const Entry &entry) {
    return entry.words.size() == request.wordCount &&
           !std::memcmp(entry.words.data(), request.words,
                        request.wordCount * sizeof(uint64_t));
  };
  if (last && matches(*last))
    return last;
  auto [begin, end] =
      entries.equal_range(hashOf(request.words, request.wordCount));
  for (auto it = begin; it != end; ++it)
    if (matches(*it->second))
      return last = it->second;
  return nullptr;
}

/// Whether the tuner's `cache` has the entry's configuration under its key;
/// then that is its `best_config`.
bool Dispatcher::isChosenStill(PyObject *tuner, const Entry &entry) const {
  if (!entry.configuration.is_valid())
    return true;
  static PyObject *cacheName = PyUnicode_InternFromString("cache");
  static PyObject *bestName = PyUnicode_InternFromString("best_config");
  PyObject *configuration = entry.configuration.ptr();
  nb::object cache = nb::steal(PyObject_GetAttr(tuner, cacheName));
  bool isKnown =
      cache.is_valid() && PyDict_CheckExact(cache.ptr()) &&
      PyDict_GetItem(cache.ptr(), entry.tuningKey.ptr()) == configuration;
  if (isKnown && PyObject_SetAttr(tuner, bestName, configuration) == 0)
    return true;
  PyErr_Clear();
  return false;
}

void Dispatcher::fillChosen(Request &request, const Entry &entry) const {
  auto value = entry.chosen.begin();
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].isChosen && value != entry.chosen.end())
      request.arguments[i] = (value++)->ptr();
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// A grid of one to three exact ints; axes of one behind the third are legal
/// and rare, so Python looks at them.
static bool readAxes(PyObject *grid, tw_rt_grid &out) {
  int64_t axes[3] = {1, 1, 1};
  auto readAxis = [](PyObject *from, int64_t &axis) {
    int overflow = 0;
    if (!PyLong_CheckExact(from))
      return false;
    axis = PyLong_AsLongLongAndOverflow(from, &overflow);
    return overflow == 0;
  };
  if (PyTuple_CheckExact(grid) || PyList_CheckExact(grid)) {
    Py_ssize_t size = PySequence_Fast_GET_SIZE(grid);
    if (size < 1 || size > 3)
      return false;
    for (Py_ssize_t i = 0; i < size; ++i)
      if (!readAxis(PySequence_Fast_GET_ITEM(grid, i), axes[i]))
        return false;
  } else if (!readAxis(grid, axes[0])) {
    return false;
  }
  out = {axes[0], axes[1], axes[2]};
  return true;
}

/// The grid, computed from all arguments by name when it is a function. False
/// with or without a Python error: then the other path starts anew.
bool Dispatcher::readGrid(const Request &request, PyObject *grid,
                          tw_rt_grid &out) const {
  if (readAxes(grid, out))
    return true;
  if (!PyCallable_Check(grid))
    return false;
  nb::object named = nb::steal(PyDict_New());
  for (size_t i = 0; named.is_valid() && i < parameters.size(); ++i)
    if (PyDict_SetItem(named.ptr(), parameters[i].name, request.arguments[i]))
      return false;
  nb::object axes = nb::steal(PyObject_CallOneArg(grid, named.ptr()));
  return axes.is_valid() && readAxes(axes.ptr(), out);
}

/// Arrays on a GPU: torch's stream of now. Others: the device's own, and wait.
static bool findStream(const Request &request, NativeStream &native) {
  if (request.deviceType <= 0)
    return true;
  uint64_t stream = 0;
  if (request.deviceType != cudaDeviceType ||
      !currentTorchStream(request.deviceIndex, stream))
    return false;
  native = stream;
  return true;
}

void raise(const RuntimeFailure &failure) {
  static PyObject *raiser = nullptr;
  if (!raiser) {
    nb::object module = nb::module_::import_("tilewright.errors");
    raiser = module.attr("from_runtime").ptr();
    Py_INCREF(raiser);
  }
  nb::object error = nb::handle(raiser)(
      *nb::make_tuple(nb::module_::import_("tilewright._native")
                          .attr("RuntimeFailure")(failure.code, failure.message,
                                                  failure.hint)));
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())),
                  error.ptr());
}

PyObject *Dispatcher::launch(PyObject *function, PyObject *grid,
                             PyObject *const *args, size_t count,
                             PyObject *names) {
  Request request;
  if (!isEnabled || hasHooks() || !bind(request, args, count, names) ||
      !encode(request))
    return callPython(function, grid, args, count, names, nullptr);
  if (!isCurrent())
    reset(nb::list());
  std::shared_ptr<const Entry> entry = find(request);
  tw_rt_grid axes = {};
  NativeStream native;
  if (entry && !isChosenStill(function, *entry)) {
    reset(nb::list());
    entry = nullptr;
  }
  if (entry && entry->options.is_valid())
    return launchTarget(*entry, grid, args, count, names);
  if (!entry || !findStream(request, native))
    return callPython(function, grid, args, count, names, &request);
  fillChosen(request, *entry);
  if (!readGrid(request, grid, axes)) {
    if (PyErr_Occurred())
      return nullptr;
    return callPython(function, grid, args, count, names, nullptr);
  }
  try {
    entry->kernel->launch(axes, request.values, request.valueCount, native);
  } catch (const RuntimeFailure &failure) {
    raise(failure);
    return nullptr;
  }
  ++launchCount;
  return nb::object(entry->result).release().ptr();
}

/// `function.launch_any(grid, args, kwargs)` gives (result, loaded kernel or
/// None, captured variables, of an autotuner also (key, configuration, values
/// of the chosen parameters, or what is added to the call as a dictionary));
/// what it gives is remembered under the key.
PyObject *Dispatcher::callPython(PyObject *function, PyObject *grid,
                                 PyObject *const *args, size_t count,
                                 PyObject *names, const Request *request) {
  nb::object positional = nb::steal(PyTuple_New(Py_ssize_t(count)));
  nb::object named = nb::steal(PyDict_New());
  if (!positional.is_valid() || !named.is_valid())
    return nullptr;
  for (size_t i = 0; i < count; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(positional.ptr(), Py_ssize_t(i), args[i]);
  }
  for (Py_ssize_t i = 0, e = names ? PyTuple_GET_SIZE(names) : 0; i < e; ++i)
    if (PyDict_SetItem(named.ptr(), PyTuple_GET_ITEM(names, i),
                       args[count + size_t(i)]))
      return nullptr;
  static PyObject *method = PyUnicode_InternFromString("launch_any");
  PyObject *stack[] = {function, grid, positional.ptr(), named.ptr()};
  nb::object answer =
      nb::steal(PyObject_VectorcallMethod(method, stack, 4, nullptr));
  if (!answer.is_valid())
    return nullptr;
  if (request)
    remember(answer, *request);
  return nb::object(answer[0]).release().ptr();
}

/// The keywords of a call with those of the options behind them.
static nb::object joinNames(PyObject *names, PyObject *options) {
  Py_ssize_t given = names ? PyTuple_GET_SIZE(names) : 0, place = 0, at = 0;
  nb::object all = nb::steal(PyTuple_New(given + PyDict_GET_SIZE(options)));
  if (!all.is_valid())
    return all;
  for (; place < given; ++place)
    PyTuple_SET_ITEM(all.ptr(), place,
                     Py_NewRef(PyTuple_GET_ITEM(names, place)));
  PyObject *name, *value;
  while (PyDict_Next(options, &at, &name, &value))
    PyTuple_SET_ITEM(all.ptr(), place++, Py_NewRef(name));
  return all;
}

/// Adds the options that the configuration gives, and launches the target.
PyObject *Dispatcher::launchTarget(const Entry &entry, PyObject *grid,
                                   PyObject *const *args, size_t count,
                                   PyObject *names) const {
  PyObject *options = entry.options.ptr();
  size_t given = count + (names ? size_t(PyTuple_GET_SIZE(names)) : 0);
  if (!entry.all.is_valid() || entry.names.ptr() != names) {
    entry.all = joinNames(names, options);
    entry.names = nb::borrow(names);
  }
  nb::object all = entry.all; // another launch may replace it
  if (!all.is_valid())
    return nullptr;
  std::vector<PyObject *> stack;
  stack.reserve(given + size_t(PyDict_GET_SIZE(options)));
  stack.assign(args, args + given);
  Py_ssize_t at = 0;
  PyObject *name, *value;
  while (PyDict_Next(options, &at, &name, &value))
    stack.push_back(value);
  return launchOn(target.ptr(), grid, stack.data(), count, all.ptr());
}

/// Keeps what Python answered under the key of the request.
void Dispatcher::remember(nb::handle answer, const Request &request) {
  nb::object kernel = nb::borrow(answer[1]);
  nb::list variables = nb::borrow<nb::list>(answer[2]);
  bool isTuned = nb::len(answer) > 3,
       isForwarded = isTuned && target.is_valid();
  if (kernel.is_none() && !isForwarded)
    return;
  if (variables.size() != captured.size())
    reset(variables);
  auto entry = std::make_shared<Entry>();
  entry->words.assign(request.words, request.words + request.wordCount);
  for (size_t i = 0; i < request.keptCount; ++i)
    entry->kept.push_back(nb::borrow(request.kept[i]));
  if (isTuned) {
    entry->tuningKey = nb::borrow(answer[3][0]);
    entry->configuration = nb::borrow(answer[3][1]);
  }
  if (isForwarded) {
    entry->options = nb::borrow(answer[3][2]);
  } else {
    entry->result = nb::borrow(answer[0]);
    entry->kernelObject = kernel;
    entry->kernel = nb::cast<const Kernel *>(kernel);
    if (isTuned)
      for (nb::handle value : answer[3][2])
        entry->chosen.push_back(nb::borrow(value));
  }
  uint64_t hash = hashOf(request.words, request.wordCount);
  entries.emplace(hash, std::move(entry));
}

} // namespace tilewright::python
