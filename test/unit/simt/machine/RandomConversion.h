//===- RandomConversion.h - A conversion between random layouts -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that copies a tensor from its first argument to its second and
// changes the layout on the way.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_RANDOMCONVERSION_H
#define TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_RANDOMCONVERSION_H

#include "KernelText.h"
#include "RandomTensors.h"

namespace tilewright::simt::test {

struct RandomConversion {
  std::string text;
  size_t bytes = 0; ///< of the tensor

  RandomConversion(LayoutGenerator &generate, unsigned rank,
                   const MachineOptions &options) {
    static constexpr const char *elements[] = {"i8", "i16", "i32", "i64"};
    unsigned element = generate.below(4);
    std::string name = elements[element];
    TensorShape shape = randomShape(generate, rank, 9);
    LinearLayout from = randomLayout(generate, shape, options);
    LinearLayout to = randomLayout(generate, shape, options);
    bytes = elementCount(shape) << element;
    KernelText kernel;
    kernel.addArgument(name);
    kernel.addArgument(name);
    std::string loaded = kernel.load(0, shape, name, from);
    std::string moved = kernel.fresh();
    kernel.add(moved + " = simt.convert_layout " + loaded + " : " +
               tensorType(shape, name, from) + " -> " +
               tensorType(shape, name, to));
    kernel.store(1, shape, name, to, moved);
    text = kernel.text();
  }
};

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_RANDOMCONVERSION_H
