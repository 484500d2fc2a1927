//===- Callables.cpp - What Python calls to launch --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel[grid]` and what `kernel.bind` gives: types with the vectorcall
// protocol of their own, so that a call makes neither a tuple nor a dictionary.
//===----------------------------------------------------------------------===//
#include "frontend/python/Dispatcher.h"

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

/// Both types hold three references behind the entry point.
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
      .def("disable", &Dispatcher::disable);
  nb::class_<PreparedLaunch>(m, "PreparedLaunch");
  m.def("launcher", &makeLauncher, nb::arg("dispatcher"), nb::arg("function"),
        nb::arg("grid").none());
  m.def("relauncher", &makeRelauncher, nb::arg("prepared"),
        nb::arg("arguments"));
  m.def("launch_count", [] { return launchCount; });
}

} // namespace tilewright::python
