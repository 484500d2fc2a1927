//===- MatrixFacts.h - Where matrix instructions have what ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element of an operand that a register of a lane holds, by the vendors'
// own documents, one formula a family. Nothing of the compiler's layouts is
// used: these are what its layouts are checked against.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_MATRIXFACTS_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_MATRIXFACTS_H

#include "backends/simulate/machine/LaneABI.h"

#include <vector>

namespace tilewright::simulate {

/// An element of a matrix.
struct Place {
  uint32_t row, column;
};

enum class Operand : uint8_t { Lhs, Rhs, Result };

/// What register `index` of a lane holds.
Place placeOf(const MatrixShape &shape, Operand operand, uint32_t lane,
              uint32_t index);

/// The lane with the factor of the element at `k` of a row (of the right
/// operand: a column).
uint32_t laneOfFactor(const MatrixShape &shape, uint32_t row, uint32_t k);

/// Lanes of a warp that the family's instructions need.
uint32_t lanesOf(MatrixFamily family);

/// Registers of a lane that the instruction has for the operand.
uint32_t registersOf(const MatrixShape &shape, Operand operand);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_MATRIXFACTS_H
