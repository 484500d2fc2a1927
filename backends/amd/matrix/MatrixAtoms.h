//===- MatrixAtoms.h - Products made of AMD's instructions ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atom is one matrix instruction or a block of them, of which a lane holds
// what lies together in memory: with four instructions along n, lane l holds
// the columns 4 l to 4 l + 3 and reads them as one vector, and the instruction
// number c computes the columns 4 l + c. Which elements along k an instruction
// takes is free as long as both operands agree; blocks as deep as they are wide
// take them such that a result is the next product's left operand as it is.
//
// Instructions compute the transposed product, rhs^T lhs^T: a lane then holds
// neighbours of one row of the result.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_AMD_MATRIX_MATRIXATOMS_H
#define TILEWRIGHT_BACKENDS_AMD_MATRIX_MATRIXATOMS_H

#include "backends/amd/Target.h"

#include "llvm/IR/Intrinsics.h"

namespace tilewright::amd {

/// How lanes and registers of an instruction number its elements. Operands:
/// the low lane bits count rows, the others the elements along k beyond a
/// lane's own.
enum class Shape : uint8_t {
  Mfma16,     ///< 16 x 16 of 64 lanes
  Mfma32,     ///< 32 x 32 of 64 lanes
  MfmaDouble, ///< 16 x 16 of 64 lanes, f64
  Wmma3,      ///< 16 x 16 of 32 lanes; both halves hold the same operand
  Wmma4       ///< 16 x 16 of 32 lanes
};

/// One row of Instructions.def that a target has.
struct MatrixInstruction {
  llvm::StringRef name;
  Shape shape;
  unsigned perLane; ///< elements along k
  simt::Element lhs, rhs, result;
  llvm::Intrinsic::ID intrinsic;

  unsigned extent() const { return shape == Shape::Mfma32 ? 32 : 16; }
  unsigned lanes() const { return shape < Shape::Wmma3 ? 64 : 32; }
};

/// The registers of an atom that one of its instructions works on.
struct Step {
  llvm::SmallVector<unsigned> lhs, rhs, result;
};

struct BlockAtom {
  simt::MatrixAtom atom;
  MatrixInstruction instruction;
  /// In an order in which every register of the result is summed up along k.
  std::vector<Step> steps;
};

struct AtomOptions {
  unsigned extent = 0; ///< of instructions, 16 or 32; 0: 16
  unsigned kpack = 0;  ///< instructions along k in narrow blocks; 0: the most
};

std::vector<BlockAtom> blockAtoms(const Target &target,
                                  const AtomOptions &options);

} // namespace tilewright::amd

#endif // TILEWRIGHT_BACKENDS_AMD_MATRIX_MATRIXATOMS_H
