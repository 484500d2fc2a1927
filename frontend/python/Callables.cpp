//===- Callables.cpp - What Python calls to launch --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel[grid]` and what `kernel.bind` gives: types with the vectorcall
// protocol of their own, so that a call makes neither a tuple nor a dictionary.
//===----------------------------------------------------------------------===//
#include "frontend/python/Dispatcher.h"

#include <nanobind/stl/vector.h>
#include <structmember.h>

namespace tilewright::python {

namespace {
/// `kernel[grid]`.
struct Launcher {
  PyObject ob_base;
  vectorcallfunc call;
  PyObject *owner; // the Python object of the dispatcher
  PyObject *function;
  PyObject *grid;
  Dispatcher *dispatcher;
};

/// `kernel[grid]` of a kernel under `heuristics`.
struct Completer {
  PyObject ob_base;
  vectorcallfunc call;
  PyObject *owner;  // the Heuristics
  PyObject *target; // the `[grid]` of what it stands around
  PyObject *grid;
};

/// `kernel.bind(grid, ...)`.
struct Relauncher {
  PyObject ob_base;
  vectorcallfunc call;
  PyObject *owner;     // the Python object of the prepared launch
  PyObject *arguments; // what keeps the memory alive
  PyObject *unused;
  const PreparedLaunch *prepared;
};
} // namespace

/// Runs `launch`, turning C++ exceptions into Python's.
template <typename Launch> static PyObject *guardedCall(Launch launch) {
  try {
    return launch();
  } catch (const RuntimeFailure &failure) {
    raise(failure);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

static PyObject *callLauncher(PyObject *self, PyObject *const *args,
                              size_t flags, PyObject *names) {
  auto *launcher = reinterpret_cast<Launcher *>(self);
  return guardedCall([&] {
    return launcher->dispatcher->launch(launcher->function, launcher->grid,
                                        args, size_t(PyVectorcall_NARGS(flags)),
                                        names);
  });
}

static PyObject *callRelauncher(PyObject *self, PyObject *const *, size_t flags,
                                PyObject *names) {
  if (PyVectorcall_NARGS(flags) || (names && PyTuple_GET_SIZE(names))) {
    PyErr_SetString(PyExc_TypeError, "expected no arguments: a bound launch "
                                     "has them already");
    return nullptr;
  }
  return guardedCall([&] {
    reinterpret_cast<Relauncher *>(self)->prepared->launch();
    Py_INCREF(Py_None);
    return Py_None;
  });
}

/// `owner.run(*args, grid=grid, **named)`.
static PyObject *callSlowly(const Completer &completer, PyObject *const *args,
                            size_t count, PyObject *names) {
  nb::object positional = nb::steal(PyTuple_New(Py_ssize_t(count)));
  nb::object named = nb::steal(PyDict_New());
  for (size_t i = 0; i < count; ++i)
    PyTuple_SET_ITEM(positional.ptr(), Py_ssize_t(i), Py_NewRef(args[i]));
  for (Py_ssize_t i = 0, e = names ? PyTuple_GET_SIZE(names) : 0; i < e; ++i)
    named[nb::handle(PyTuple_GET_ITEM(names, i))] =
        nb::handle(args[count + size_t(i)]);
  named["grid"] = nb::handle(completer.grid);
  nb::object run = nb::handle(completer.owner).attr("run");
  return PyObject_Call(run.ptr(), positional.ptr(), named.ptr());
}

/// All arguments of a call by name; an invalid object with a Python error.
static nb::object nameArguments(PyObject *owner, PyObject *const *args,
                                size_t count, PyObject *names) {
  static PyObject *attribute = PyUnicode_InternFromString("arg_names");
  nb::object list = nb::steal(PyObject_GetAttr(owner, attribute));
  nb::object named = nb::steal(PyDict_New());
  if (!list.is_valid() || !named.is_valid() || !PyList_CheckExact(list.ptr()))
    return {};
  Py_ssize_t known = PyList_GET_SIZE(list.ptr());
  for (Py_ssize_t i = 0; i < std::min<Py_ssize_t>(known, count); ++i)
    if (PyDict_SetItem(named.ptr(), PyList_GET_ITEM(list.ptr(), i), args[i]))
      return {};
  for (Py_ssize_t i = 0, e = names ? PyTuple_GET_SIZE(names) : 0; i < e; ++i)
    if (PyDict_SetItem(named.ptr(), PyTuple_GET_ITEM(names, i),
                       args[count + size_t(i)]))
      return {};
  return named;
}

/// Calls each function of `values` with the arguments by name, those computed
/// before it among them; false with a Python error, or without one where a
/// name is there already.
static bool computeConstants(PyObject *values, nb::object named,
                             PyObject *given, std::vector<nb::object> &names,
                             std::vector<nb::object> &results) {
  Py_ssize_t at = 0, left = PyDict_GET_SIZE(values);
  PyObject *name, *function;
  while (PyDict_Next(values, &at, &name, &function)) {
    if (given && PySequence_Contains(given, name))
      return false;
    // A function may keep or change what it gets.
    nb::object passed =
        --left ? nb::steal(PyDict_Copy(named.ptr())) : nb::object(named);
    nb::object kept = nb::borrow(name);
    nb::object result = nb::steal(PyObject_CallOneArg(function, passed.ptr()));
    if (!result.is_valid() ||
        (left && PyDict_SetItem(named.ptr(), name, result.ptr())))
      return false;
    names.push_back(std::move(kept));
    results.push_back(std::move(result));
  }
  return true;
}

/// Adds the computed constants to the keyword arguments.
static PyObject *callCompleter(PyObject *self, PyObject *const *args,
                               size_t flags, PyObject *names) {
  static PyObject *attribute = PyUnicode_InternFromString("values");
  auto *completer = reinterpret_cast<Completer *>(self);
  size_t count = size_t(PyVectorcall_NARGS(flags));
  Py_ssize_t namedCount = names ? PyTuple_GET_SIZE(names) : 0;
  return guardedCall([&]() -> PyObject * {
    nb::object values =
        nb::steal(PyObject_GetAttr(completer->owner, attribute));
    nb::object named = nameArguments(completer->owner, args, count, names);
    std::vector<nb::object> keys, results;
    bool isDone = values.is_valid() && named.is_valid() &&
                  PyDict_CheckExact(values.ptr()) &&
                  computeConstants(values.ptr(), named, names, keys, results);
    if (PyErr_Occurred())
      return nullptr;
    if (!isDone)
      return callSlowly(*completer, args, count, names);
    std::vector<PyObject *> stack(args, args + count + namedCount);
    nb::object all =
        nb::steal(PyTuple_New(namedCount + Py_ssize_t(keys.size())));
    if (!all.is_valid())
      return nullptr;
    for (Py_ssize_t i = 0; i < namedCount; ++i)
      PyTuple_SET_ITEM(all.ptr(), i, Py_NewRef(PyTuple_GET_ITEM(names, i)));
    for (size_t i = 0; i < keys.size(); ++i) {
      stack.push_back(results[i].ptr());
      PyTuple_SET_ITEM(all.ptr(), namedCount + Py_ssize_t(i),
                       keys[i].release().ptr());
    }
    return PyObject_Vectorcall(completer->target, stack.data(), count,
                               all.ptr());
  });
}

/// All types hold three references behind the entry point.
static void freeCallable(PyObject *self) {
  auto *callable = reinterpret_cast<Launcher *>(self);
  Py_DECREF(callable->owner);
  Py_DECREF(callable->function);
  Py_DECREF(callable->grid);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyTypeObject *makeType(const char *name, size_t bytes, const char *doc) {
  static PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                   offsetof(Launcher, call), READONLY, nullptr},
                                  {nullptr, 0, 0, 0, nullptr}};
  PyType_Slot slots[] = {
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_dealloc, reinterpret_cast<void *>(freeCallable)},
      {Py_tp_members, members},
      {Py_tp_doc, const_cast<char *>(doc)},
      {0, nullptr}};
  PyType_Spec spec = {name, int(bytes), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                          Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
}

/// `launcher(dispatcher, function, grid)`.
static nb::object makeLauncher(nb::handle owner, nb::handle function,
                               nb::handle grid) {
  static PyTypeObject *type =
      makeType("tilewright._native.Launcher", sizeof(Launcher),
               "A kernel with a grid: call it with the kernel's arguments.");
  Launcher *launcher = PyObject_New(Launcher, type);
  if (!launcher)
    throw nb::python_error();
  launcher->call = callLauncher;
  launcher->dispatcher = nb::inst_ptr<Dispatcher>(owner);
  launcher->owner = owner.inc_ref().ptr();
  launcher->function = function.inc_ref().ptr();
  launcher->grid = grid.inc_ref().ptr();
  return nb::steal(reinterpret_cast<PyObject *>(launcher));
}

/// `completer(heuristics, launcher of what it stands around, grid)`.
static nb::object makeCompleter(nb::handle owner, nb::handle target,
                                nb::handle grid) {
  static PyTypeObject *type =
      makeType("tilewright._native.Completer", sizeof(Completer),
               "A kernel under heuristics with a grid: call it with the "
               "kernel's other arguments.");
  Completer *completer = PyObject_New(Completer, type);
  if (!completer)
    throw nb::python_error();
  completer->call = callCompleter;
  completer->owner = owner.inc_ref().ptr();
  completer->target = target.inc_ref().ptr();
  completer->grid = grid.inc_ref().ptr();
  return nb::steal(reinterpret_cast<PyObject *>(completer));
}

/// `relauncher(prepared, arguments)`.
static nb::object makeRelauncher(nb::handle owner, nb::handle arguments) {
  static PyTypeObject *type =
      makeType("tilewright._native.Relauncher", sizeof(Relauncher),
               "A launch made ready by `bind`: call it without arguments. It "
               "goes to the stream that is current at the call.");
  Relauncher *relauncher = PyObject_New(Relauncher, type);
  if (!relauncher)
    throw nb::python_error();
  relauncher->call = callRelauncher;
  relauncher->prepared = nb::inst_ptr<PreparedLaunch>(owner);
  relauncher->owner = owner.inc_ref().ptr();
  relauncher->arguments = arguments.inc_ref().ptr();
  relauncher->unused = nb::none().release().ptr();
  return nb::steal(reinterpret_cast<PyObject *>(relauncher));
}

//===----------------------------------------------------------------------===//
// Prepared launches
//===----------------------------------------------------------------------===//

PreparedLaunch::PreparedLaunch(const Kernel &kernel, const tw_rt_grid &grid,
                               const std::vector<tw_rt_value> &values,
                               int32_t torchDevice)
    : kernel(kernel), torchDevice(torchDevice) {
  tw_rt_call *raw = nullptr;
  check(tw_rt_call_create(kernel.get(), &grid, values.data(), values.size(),
                          &raw));
  call = own<tw_rt_call, tw_rt_call_release>(raw);
}

void PreparedLaunch::launch() const {
  NativeStream native;
  uint64_t stream = 0;
  if (torchDevice >= 0 && currentTorchStream(torchDevice, stream))
    native = stream;
  kernel.launch(*call, native);
  ++launchCount;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static int traverseDispatcher(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    return nb::inst_ptr<Dispatcher>(self)->traverse(visit, arg);
  return 0;
}

static int clearDispatcher(PyObject *self) {
  nb::inst_ptr<Dispatcher>(self)->clear();
  return 0;
}

void bindCallables(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(traverseDispatcher)},
      {Py_tp_clear, reinterpret_cast<void *>(clearDispatcher)},
      {0, nullptr}};
  nb::class_<Dispatcher>(m, "Dispatcher", nb::type_slots(slots))
      .def(nb::init<nb::list, size_t, nb::object>(), nb::arg("parameters"),
           nb::arg("positional"), nb::arg("missing"))
      .def("add_identity_type", &Dispatcher::addIdentityType, nb::arg("type"))
      .def("reset", &Dispatcher::reset, nb::arg("captured"))
      .def("tune", &Dispatcher::tune, nb::arg("chosen"), nb::arg("keys"))
      .def("disable", &Dispatcher::disable);
  nb::class_<PreparedLaunch>(m, "PreparedLaunch");
  m.def("launcher", &makeLauncher, nb::arg("dispatcher"), nb::arg("function"),
        nb::arg("grid").none());
  m.def("completer", &makeCompleter, nb::arg("heuristics"), nb::arg("target"),
        nb::arg("grid").none());
  m.def("relauncher", &makeRelauncher, nb::arg("prepared"),
        nb::arg("arguments"));
  m.def("launch_count", [] { return launchCount; });
}

} // namespace tilewright::python
