//===- Callables.cpp - What Python calls to launch --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel[grid]` and what `kernel.bind` gives: types with the vectorcall
// protocol of their own, so that a call makes neither a tuple nor a dictionary;
// and the base class whose subscript makes them without a frame of Python.
//===----------------------------------------------------------------------===//
#include "frontend/python/Completion.h"
#include "frontend/python/Dispatcher.h"

#include <nanobind/stl/vector.h>
#include <structmember.h>

namespace tilewright::python {

namespace {
/// `kernel[grid]`, of a kernel or of what stands around one.
struct Launcher {
  PyObject ob_base;
  vectorcallfunc call;
  PyObject *owner; // the Python object of the path
  PyObject *function;
  PyObject *grid;
  FastPath path;
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
    return launcher->path.launch(launcher->function, launcher->grid, args,
                                 size_t(PyVectorcall_NARGS(flags)), names);
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

static PyObject *newLauncher(PyObject *owner, const FastPath &path,
                             PyObject *function, PyObject *grid) {
  static PyTypeObject *type =
      makeType("tilewright._native.Launcher", sizeof(Launcher),
               "A kernel with a grid: call it with the kernel's arguments.");
  Launcher *launcher = PyObject_New(Launcher, type);
  if (!launcher)
    return nullptr;
  launcher->call = callLauncher;
  launcher->path = path;
  launcher->owner = Py_NewRef(owner);
  launcher->function = Py_NewRef(function);
  launcher->grid = Py_NewRef(grid);
  return reinterpret_cast<PyObject *>(launcher);
}

/// `launcher(dispatcher, function, grid)`, whatever `run` has become.
static nb::object makeLauncher(nb::handle owner, nb::handle function,
                               nb::handle grid) {
  FastPath path = fastPathOf(owner.ptr());
  if (!path)
    throw nb::type_error("expected a Dispatcher or a Completion");
  nb::object made =
      nb::steal(newLauncher(owner.ptr(), path, function.ptr(), grid.ptr()));
  if (!made.is_valid())
    throw nb::python_error();
  return made;
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
// Subscripts
//===----------------------------------------------------------------------===//

bool Guarded::isGuarded() const {
  static PyObject *run = PyUnicode_InternFromString("run");
  for (const Guard &guard : guards) {
    auto *type = reinterpret_cast<PyTypeObject *>(guard.type.ptr());
    if (_PyType_Lookup(type, run) != guard.run.ptr())
      return false;
  }
  return true;
}

int Guarded::traverseGuards(visitproc visit, void *arg) const {
  for (const Guard &guard : guards) {
    Py_VISIT(guard.type.ptr());
    Py_VISIT(guard.run.ptr());
  }
  return 0;
}

bool FastPath::isGuarded() const {
  return dispatcher ? dispatcher->isGuarded() : completion->isGuarded();
}

PyObject *FastPath::launch(PyObject *function, PyObject *grid,
                           PyObject *const *args, size_t count,
                           PyObject *names) const {
  return dispatcher ? dispatcher->launch(function, grid, args, count, names)
                    : completion->launch(function, grid, args, count, names);
}

FastPath fastPathOf(PyObject *object) {
  static PyTypeObject *dispatcher =
      reinterpret_cast<PyTypeObject *>(nb::type<Dispatcher>().ptr());
  static PyTypeObject *completion =
      reinterpret_cast<PyTypeObject *>(nb::type<Completion>().ptr());
  FastPath path;
  if (Py_TYPE(object) == dispatcher)
    path.dispatcher = nb::inst_ptr<Dispatcher>(object);
  else if (Py_TYPE(object) == completion)
    path.completion = nb::inst_ptr<Completion>(object);
  return path;
}

/// The fast path of an object, whose own Python object `owner` then is; without
/// one `owner` is invalid where there is a Python error.
static FastPath findPath(PyObject *function, nb::object &owner) {
  static PyObject *name = PyUnicode_InternFromString("_dispatcher");
  owner = nb::steal(PyObject_GetAttr(function, name));
  if (!owner.is_valid())
    return {};
  FastPath path = fastPathOf(owner.ptr());
  return path && path.isGuarded() ? path : FastPath();
}

PyObject *launchOn(PyObject *function, PyObject *grid, PyObject *const *args,
                   size_t count, PyObject *names) {
  nb::object owner;
  if (FastPath path = findPath(function, owner))
    return path.launch(function, grid, args, count, names);
  if (!owner.is_valid())
    return nullptr;
  nb::object launcher = nb::steal(PyObject_GetItem(function, grid));
  return launcher.is_valid()
             ? PyObject_Vectorcall(launcher.ptr(), args, count, names)
             : nullptr;
}

PyObject *runOn(PyObject *function, PyObject *grid, PyObject *const *args,
                size_t count, PyObject *names) {
  nb::object positional = nb::steal(PyTuple_New(Py_ssize_t(count)));
  nb::object named = nb::steal(PyDict_New());
  for (size_t i = 0; i < count; ++i)
    PyTuple_SET_ITEM(positional.ptr(), Py_ssize_t(i), Py_NewRef(args[i]));
  for (Py_ssize_t i = 0, e = names ? PyTuple_GET_SIZE(names) : 0; i < e; ++i)
    named[nb::handle(PyTuple_GET_ITEM(names, i))] =
        nb::handle(args[count + size_t(i)]);
  named["grid"] = nb::handle(grid);
  nb::object run = nb::handle(function).attr("run");
  return PyObject_Call(run.ptr(), positional.ptr(), named.ptr());
}

/// `object[grid]` in C; `object._launcher(grid)` where that has no fast path.
static PyObject *subscript(PyObject *self, PyObject *grid) {
  nb::object owner;
  if (FastPath path = findPath(self, owner))
    return newLauncher(owner.ptr(), path, self, grid);
  if (!owner.is_valid())
    return nullptr;
  static PyObject *method = PyUnicode_InternFromString("_launcher");
  PyObject *stack[] = {self, grid};
  return PyObject_VectorcallMethod(method, stack, 2, nullptr);
}

static nb::object makeLaunchable() {
  PyType_Slot slots[] = {
      {Py_mp_subscript, reinterpret_cast<void *>(subscript)},
      {Py_tp_doc,
       const_cast<char *>("What `object[grid](...)` launches: by the path that "
                          "`_dispatcher` holds, else by `_launcher(grid)`.")},
      {0, nullptr}};
  PyType_Spec spec = {"tilewright._native.Launchable", 0, 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid())
    throw nb::python_error();
  return type;
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
      .def("forward", &Dispatcher::forward, nb::arg("target"))
      .def("guard", &Dispatcher::guard, nb::arg("type"), nb::arg("run"))
      .def("watch", &Dispatcher::watch, nb::arg("hooks"))
      .def("disable", &Dispatcher::disable);
  bindCompletion(m);
  m.attr("Launchable") = makeLaunchable();
  nb::class_<PreparedLaunch>(m, "PreparedLaunch");
  m.def("launcher", &makeLauncher, nb::arg("dispatcher"), nb::arg("function"),
        nb::arg("grid").none());
  m.def("relauncher", &makeRelauncher, nb::arg("prepared"),
        nb::arg("arguments"));
  m.def("launch_count", [] { return launchCount; });
}

} // namespace tilewright::python
