//===- Dispatcher.h - From a call's arguments to a launch -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast path of `kernel[grid](...)`. The arguments become a key: a row of
// words that is equal only for calls whose signature, options and target are
// equal. Under a known key the values are packed and launched without calling
// Python. Everything else goes to the package's Python code, which says what to
// remember under the key. The rules of specialize.py and those here are the
// same rules; test_dispatch.py holds them against each other.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_DISPATCHER_H
#define TILEWRIGHT_FRONTEND_PYTHON_DISPATCHER_H

#include "frontend/python/ArrayView.h"
#include "frontend/python/Handles.h"
#include "frontend/python/Launchable.h"

#include <nanobind/nanobind.h>

#include <unordered_map>

namespace tilewright::python {

namespace nb = nanobind;

/// A parameter of the kernel, as jit.Parameter describes it.
struct Parameter {
  enum Fixed : uint8_t { None, Integer, Float };

  PyObject *name;     ///< interned, owned by the dispatcher
  PyObject *fallback; ///< the default value, or nullptr
  bool isConstant;
  bool specialize;
  Fixed fixed;           ///< the kind of type that an annotation gives
  bool isChosen = false; ///< given by a configuration, never by the caller
  bool isKey = false;    ///< a configuration is chosen by its value
};

/// A captured variable: a kernel's text holds its value.
struct Captured {
  nb::object value, holder, name; ///< the holder: a dict, a class or a cell
};

/// Limits of the fast path; calls beyond them take the other one.
constexpr size_t maxParameters = 128, maxKeyWords = 512, maxArrays = 32,
                 maxValues = 96;

/// One call on its way: key and values.
struct Request {
  PyObject *arguments[maxParameters]; ///< borrowed, in parameter order
  uint64_t words[maxKeyWords];
  size_t wordCount = 0;
  tw_rt_value values[maxValues];
  size_t valueCount = 0;
  PyObject *kept[maxParameters]; ///< objects whose address is in the key
  size_t keptCount = 0;
  int32_t deviceType = -1; ///< of the arrays; -1 without one
  int32_t deviceIndex = 0;

  bool add(uint64_t word) {
    if (wordCount == maxKeyWords)
      return false;
    words[wordCount++] = word;
    return true;
  }
};

class Dispatcher : public Guarded {
public:
  /// `parameters`: (name, has a default, default, is constexpr, specialise,
  /// "int" | "float" | "" of the annotation) each, the first `positional` of
  /// which may be given by position.
  Dispatcher(nb::list parameters, size_t positional, nb::object missing);
  ~Dispatcher();
  Dispatcher(const Dispatcher &) = delete;

  /// Types of which an object stands for itself in a key: dtypes, functions.
  void addIdentityType(nb::handle type);
  /// Forgets all keys; `captured` holds (value, holder, name) of what the
  /// kernel's text was made from.
  void reset(nb::list captured);
  /// Dispatches for an autotuner: which parameters its configurations give,
  /// and which ones they are chosen by.
  void tune(const std::vector<size_t> &chosen, const std::vector<size_t> &keys);
  /// Of an autotuner around something else than a kernel: the configuration's
  /// options are added to the call, and `target` is launched.
  void forward(nb::object target) { this->target = std::move(target); }
  /// Leaves all calls to Python while there are hooks in the list.
  void watch(nb::list hooks) { this->hooks = std::move(hooks); }
  /// Leaves all calls to Python.
  void disable() { isEnabled = false; }

  /// Launches `function[grid](...)`; a new reference, or nullptr with a Python
  /// error.
  PyObject *launch(PyObject *function, PyObject *grid, PyObject *const *args,
                   size_t count, PyObject *names);

  int traverse(visitproc visit, void *arg) const;
  void clear();

private:
  struct Entry {
    std::vector<uint64_t> words;
    std::vector<nb::object> kept;
    nb::object result;
    nb::object kernelObject;
    const Kernel *kernel;
    /// Of an autotuner: the key and the configuration of its `cache` that this
    /// holds for, and the values of the chosen parameters.
    nb::object tuningKey, configuration;
    std::vector<nb::object> chosen;
    /// Of an autotuner that forwards: what the configuration adds to a call,
    /// the keywords of the last call, and of what was launched for it.
    nb::object options;
    mutable nb::object names, all;
  };

  bool isCurrent() const;
  bool bind(Request &request, PyObject *const *args, size_t count,
            PyObject *names) const;
  bool encode(Request &request) const;
  std::shared_ptr<const Entry> find(const Request &request);
  bool isChosenStill(PyObject *tuner, const Entry &entry) const;
  void fillChosen(Request &request, const Entry &entry) const;
  bool hasHooks() const {
    return hooks.is_valid() && PyList_GET_SIZE(hooks.ptr()) > 0;
  }
  PyObject *launchTarget(const Entry &entry, PyObject *grid,
                         PyObject *const *args, size_t count,
                         PyObject *names) const;
  void remember(nb::handle answer, const Request &request);
  PyObject *callPython(PyObject *function, PyObject *grid,
                       PyObject *const *args, size_t count, PyObject *names,
                       const Request *request);
  bool readGrid(const Request &request, PyObject *grid, tw_rt_grid &out) const;

  bool encodeChoice(Request &request) const;
  bool encodeConstant(Request &request, PyObject *value, int depth) const;
  bool isIdentity(PyObject *value) const;

  std::vector<Parameter> parameters;
  size_t positional;
  std::vector<PyTypeObject *> identityTypes;
  std::vector<Captured> captured;
  /// A launch holds its entry: Python's code that it calls may forget all.
  std::unordered_multimap<uint64_t, std::shared_ptr<const Entry>> entries;
  std::shared_ptr<const Entry> last; ///< launched last
  nb::object target, hooks;
  bool isEnabled = true;
};

/// Launches made by all dispatchers and by `Kernel.launch` of this process.
extern uint64_t launchCount;

/// Sets the package's exception for a failure.
void raise(const RuntimeFailure &failure);

/// A launch made ready, for the current stream at each call.
class PreparedLaunch {
public:
  /// `torchDevice` -1: the device's own stream.
  PreparedLaunch(const Kernel &kernel, const tw_rt_grid &grid,
                 const std::vector<tw_rt_value> &values, int32_t torchDevice);
  void launch() const;

private:
  Kernel kernel;
  int32_t torchDevice;
  std::shared_ptr<tw_rt_call> call;
};

/// Adds Dispatcher, PreparedLaunch and the callable types to the module.
void bindCallables(nb::module_ &m);

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_DISPATCHER_H
