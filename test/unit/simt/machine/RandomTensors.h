//===- RandomTensors.h - Shapes, layouts and bytes --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random kernels of the machine's tests are made from.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_RANDOMTENSORS_H
#define TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_RANDOMTENSORS_H

#include "RandomLayouts.h"
#include "ThreadMachine.h"

#include "backends/simt/layout/GF2.h"
#include "backends/simt/layout/TensorLayouts.h"

namespace tilewright::simt::test {

using Bytes = std::vector<uint8_t>;

/// Extents, powers of two and others, of at most `maxBits` bits together.
inline TensorShape randomShape(LayoutGenerator &generate, unsigned rank,
                               unsigned maxBits) {
  TensorShape shape;
  for (const LayoutDim &dim : generate.dims("dim", rank, maxBits)) {
    int64_t extent = dim.size();
    if (extent > 2 && generate.below(2))
      extent = extent / 2 + 1 + generate.below(extent / 2);
    shape.push_back(extent);
  }
  return shape;
}

/// A layout of the machine's threads that holds the whole tensor: any linear
/// map, or a blocked one.
inline LinearLayout randomLayout(LayoutGenerator &generate,
                                 const TensorShape &shape,
                                 const MachineOptions &options) {
  unsigned lanes = ceilLog2(options.lanes), warps = ceilLog2(options.numWarps);
  if (generate.below(2))
    return generate.covering(tensorDims(shape), warps, lanes,
                             generate.below(2));
  std::vector<unsigned> order;
  for (unsigned d = 0; d < shape.size(); ++d)
    order.insert(order.begin() + generate.below(d + 1), d);
  return blockedLayout(
      shape,
      chooseBlockedTile(shape, lanes, warps, 1u << generate.below(4), order));
}

inline Bytes randomBytes(LayoutGenerator &generate, size_t count) {
  Bytes bytes(count);
  for (uint8_t &byte : bytes)
    byte = generate.below(256);
  return bytes;
}

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_RANDOMTENSORS_H
