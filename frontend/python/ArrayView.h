//===- ArrayView.h - Arrays of Python as a launch sees them -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address, extent, element type and place of torch tensors and NumPy arrays,
// read without calling Python. What cannot be read here is no error: the
// package's Python code then looks at the object.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_PYTHON_ARRAYVIEW_H
#define TILEWRIGHT_FRONTEND_PYTHON_ARRAYVIEW_H

#include <Python.h>

#include <cstdint>

namespace tilewright::python {

struct ArrayView {
  uint64_t address = 0;
  uint64_t low = 0;       ///< first byte of the extent
  uint64_t high = 0;      ///< byte past the last; equals `low` when empty
  uint32_t dtype = 0;     ///< equal for equal element types of the same library
  int32_t deviceType = 0; ///< torch's number; 0 is host memory
  int32_t deviceIndex = 0;
  bool isWritable = true;
};

/// torch's number of CUDA devices (HIP's carry it, too).
constexpr int32_t cudaDeviceType = 1;

/// Reads a plain torch.Tensor (or nn.Parameter) or numpy.ndarray; false for any
/// other object. Libraries that nobody has imported are not imported.
bool readArray(PyObject *object, ArrayView &view);

/// The `dtype` alone, likewise; of element types that kernels do not take, too.
bool readDtype(PyObject *object, uint32_t &dtype);

/// The stream that torch launches on now; false when torch cannot say.
bool currentTorchStream(int32_t deviceIndex, uint64_t &stream);

} // namespace tilewright::python

#endif // TILEWRIGHT_FRONTEND_PYTHON_ARRAYVIEW_H
