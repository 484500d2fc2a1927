//===- ArrayView.cpp - Arrays of Python as a launch sees them ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch: through the C functions that libtorch exports for ahead-of-time code
// (aoti_torch_*), found at run time. They take an at::Tensor; where it lies in
// the Python object is found by comparing with the address that `_cdata` gives.
// NumPy: through the buffer protocol.
//===----------------------------------------------------------------------===//
#include "frontend/python/ArrayView.h"

#include <dlfcn.h>

namespace tilewright::python {

//===----------------------------------------------------------------------===//
// torch
//===----------------------------------------------------------------------===//

namespace {
/// What is known of torch once it is imported.
struct Torch {
  bool isUsable = false;
  PyTypeObject *tensor = nullptr;
  PyTypeObject *parameter = nullptr;
  Py_ssize_t offset = 0; ///< of the at::Tensor in the Python object
  int32_t (*dataPointer)(void *, void **) = nullptr;
  int32_t (*rank)(void *, int64_t *) = nullptr;
  int32_t (*sizes)(void *, int64_t **) = nullptr;
  int32_t (*strides)(void *, int64_t **) = nullptr;
  int32_t (*dtype)(void *, int32_t *) = nullptr;
  int32_t (*deviceType)(void *, int32_t *) = nullptr;
  int32_t (*deviceIndex)(void *, int32_t *) = nullptr;
  int32_t (*currentStream)(int32_t, void **) = nullptr;
};
} // namespace

/// A module that is imported already, as a borrowed reference.
static PyObject *importedModule(const char *name) {
  PyObject *modules = PyImport_GetModuleDict();
  return modules ? PyDict_GetItemString(modules, name) : nullptr;
}

static PyTypeObject *typeOf(PyObject *module, const char *name) {
  PyObject *type = module ? PyObject_GetAttrString(module, name) : nullptr;
  if (!type)
    PyErr_Clear();
  return reinterpret_cast<PyTypeObject *>(type); // kept for ever
}

template <typename Function>
static bool lookUp(void *library, const char *name, Function &function) {
  function =
      library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
  return function != nullptr;
}

static bool findFunctions(Torch &torch) {
  constexpr int mode = RTLD_NOW | RTLD_NOLOAD;
  void *cpu = dlopen("libtorch_cpu.so", mode);
  void *cuda = dlopen("libtorch_cuda.so", mode);
  lookUp(cuda, "aoti_torch_get_current_cuda_stream", torch.currentStream);
  return lookUp(cpu, "aoti_torch_get_data_ptr", torch.dataPointer) &&
         lookUp(cpu, "aoti_torch_get_dim", torch.rank) &&
         lookUp(cpu, "aoti_torch_get_sizes", torch.sizes) &&
         lookUp(cpu, "aoti_torch_get_strides", torch.strides) &&
         lookUp(cpu, "aoti_torch_get_dtype", torch.dtype) &&
         lookUp(cpu, "aoti_torch_get_device_type", torch.deviceType) &&
         lookUp(cpu, "aoti_torch_get_device_index", torch.deviceIndex);
}

/// The at::Tensor is the first member behind the object's head, or the second
/// behind a flag; it is one pointer, which `_cdata` gives as a number.
static bool findOffset(Torch &torch, PyObject *tensor) {
  PyObject *number = PyObject_GetAttrString(tensor, "_cdata");
  uint64_t wanted = number ? PyLong_AsUnsignedLongLong(number) : 0;
  Py_XDECREF(number);
  if (PyErr_Occurred() || !wanted) {
    PyErr_Clear();
    return false;
  }
  for (Py_ssize_t at = sizeof(PyObject); at <= 24; at += sizeof(void *)) {
    if (at + Py_ssize_t(sizeof(void *)) > torch.tensor->tp_basicsize)
      return false;
    uint64_t word = *reinterpret_cast<const uint64_t *>(
        reinterpret_cast<const char *>(tensor) + at);
    if (word == wanted) {
      torch.offset = at;
      return true;
    }
  }
  return false;
}

/// What is known of torch; looked for at the first object that may be a tensor.
static const Torch &findTorch(PyObject *object) {
  static Torch torch;
  static bool isKnown = false;
  if (isKnown)
    return torch;
  PyObject *module = importedModule("torch");
  if (!module)
    return torch;
  PyTypeObject *tensor = typeOf(module, "Tensor");
  if (!tensor || Py_TYPE(object) != tensor) {
    Py_XDECREF(tensor);
    return torch;
  }
  isKnown = true;
  torch.tensor = tensor;
  torch.parameter = typeOf(importedModule("torch.nn"), "Parameter");
  torch.isUsable = findFunctions(torch) && findOffset(torch, object);
  return torch;
}

/// Bytes of an element, by torch's ScalarType; -1 for types that kernels do not
/// take.
static int elementBytes(int32_t dtype) {
  constexpr int8_t bytes[] = {1, 1, 2, 4, 8, 2, 4, 8};
  if (dtype >= 0 && dtype < 8)
    return bytes[dtype];
  switch (dtype) {
  case 11: // bool
  case 23: // float8_e5m2
  case 24: // float8_e4m3fn
  case 25: // float8_e5m2fnuz
  case 26: // float8_e4m3fnuz
    return 1;
  case 15: // bfloat16
  case 27: // uint16
    return 2;
  case 28: // uint32
    return 4;
  case 29: // uint64
    return 8;
  default:
    return -1;
  }
}

static bool readTensor(const Torch &torch, PyObject *object, ArrayView &view) {
  void *tensor = reinterpret_cast<char *>(object) + torch.offset;
  int64_t rank = 0, *sizes = nullptr, *strides = nullptr;
  int32_t dtype = 0;
  void *address = nullptr;
  if (torch.dtype(tensor, &dtype) || torch.rank(tensor, &rank) ||
      torch.sizes(tensor, &sizes) || torch.strides(tensor, &strides) ||
      torch.deviceType(tensor, &view.deviceType) ||
      torch.deviceIndex(tensor, &view.deviceIndex) ||
      torch.dataPointer(tensor, &address))
    return false;
  int bytes = elementBytes(dtype);
  if (bytes < 0)
    return false;
  int64_t last = 0; // torch has no negative strides
  for (int64_t d = 0; d < rank; ++d) {
    if (sizes[d] == 0)
      last = -1;
    if (last >= 0)
      last += (sizes[d] - 1) * strides[d];
  }
  view.dtype = static_cast<uint32_t>(dtype);
  view.address = view.low = reinterpret_cast<uint64_t>(address);
  view.high = view.low + static_cast<uint64_t>((last + 1) * bytes);
  return true;
}

bool currentTorchStream(int32_t deviceIndex, uint64_t &stream) {
  static int32_t (*current)(int32_t, void **) = [] {
    int32_t (*function)(int32_t, void **) = nullptr;
    lookUp(dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_NOLOAD),
           "aoti_torch_get_current_cuda_stream", function);
    return function;
  }();
  void *native = nullptr;
  if (!current || current(deviceIndex, &native))
    return false;
  stream = reinterpret_cast<uint64_t>(native);
  return true;
}

//===----------------------------------------------------------------------===//
// NumPy
//===----------------------------------------------------------------------===//

static PyTypeObject *arrayType() {
  static PyTypeObject *type = nullptr;
  if (!type)
    type = typeOf(importedModule("numpy"), "ndarray");
  return type;
}

/// Formats of more than one letter are of structures, of other byte orders or
/// of types that NumPy does not know itself.
static bool readBuffer(PyObject *object, ArrayView &view) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(object, &buffer, PyBUF_FULL_RO)) {
    PyErr_Clear();
    return false;
  }
  bool isPlain = buffer.format && buffer.format[0] && !buffer.format[1] &&
                 buffer.itemsize <= 8 && buffer.format[0] != 's';
  view.address = view.low = reinterpret_cast<uint64_t>(buffer.buf);
  view.high = view.low + static_cast<uint64_t>(buffer.itemsize);
  bool isEmpty = false;
  for (int d = 0; d < buffer.ndim; ++d) {
    int64_t reach = (buffer.shape[d] - 1) * buffer.strides[d];
    isEmpty |= buffer.shape[d] == 0;
    (reach < 0 ? view.low : view.high) += static_cast<uint64_t>(reach);
  }
  if (isEmpty)
    view.low = view.high = view.address;
  view.isWritable = !buffer.readonly;
  if (isPlain)
    view.dtype = 256u + static_cast<unsigned char>(buffer.format[0]);
  PyBuffer_Release(&buffer);
  return isPlain;
}

static bool isTensor(const Torch &torch, PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  return torch.isUsable && (type == torch.tensor || type == torch.parameter);
}

bool readArray(PyObject *object, ArrayView &view) {
  const Torch &torch = findTorch(object);
  if (isTensor(torch, object))
    return readTensor(torch, object, view);
  return Py_TYPE(object) == arrayType() && readBuffer(object, view);
}

bool readDtype(PyObject *object, uint32_t &dtype) {
  const Torch &torch = findTorch(object);
  if (isTensor(torch, object)) {
    int32_t number = 0;
    void *tensor = reinterpret_cast<char *>(object) + torch.offset;
    bool isKnown = !torch.dtype(tensor, &number);
    dtype = static_cast<uint32_t>(number);
    return isKnown;
  }
  ArrayView view;
  bool isKnown = readArray(object, view);
  dtype = view.dtype;
  return isKnown;
}

} // namespace tilewright::python
