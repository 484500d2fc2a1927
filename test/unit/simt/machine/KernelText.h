//===- KernelText.h - Texts of small kernels --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes simt IR that loads whole tensors, does something, and stores results.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_KERNELTEXT_H
#define TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_KERNELTEXT_H

#include "backends/simt/layout/TensorLayouts.h"

namespace tilewright::simt::test {

/// `tensor<4x8xi32, #simt.layout<...>>`.
std::string tensorType(const TensorShape &shape, const std::string &element,
                       const LinearLayout &layout);

/// A kernel whose arguments %p0, %p1, .. point to tensors in row-major order.
class KernelText {
public:
  /// Adds an argument; gives its number.
  unsigned addArgument(const std::string &element);
  /// Loads the argument as a tensor; gives the value's name.
  std::string load(unsigned argument, const TensorShape &shape,
                   const std::string &element, const LinearLayout &layout);
  void store(unsigned argument, const TensorShape &shape,
             const std::string &element, const LinearLayout &layout,
             const std::string &value);
  /// Stores a scalar.
  void store(unsigned argument, const std::string &element,
             const std::string &value);
  void add(const std::string &line) { body += "  " + line + "\n"; }
  /// A value name that is not used yet.
  std::string fresh() { return "%v" + std::to_string(count++); }
  std::string text() const;

private:
  /// Defines a view of the argument; gives its name.
  std::string view(unsigned argument, const TensorShape &shape,
                   const std::string &element);

  std::vector<std::string> arguments;
  std::string body;
  unsigned count = 0;
};

/// Number of elements.
uint64_t elementCount(const TensorShape &shape);

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_KERNELTEXT_H
