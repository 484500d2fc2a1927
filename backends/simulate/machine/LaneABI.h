//===- LaneABI.h - What compiled lanes and the machine agree on -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is `void symbol(const LaneView *lane, const void *arguments)`, run
// once a lane; arguments are the packed block of the user. It calls the
// services of Services.def, whose first parameter is the lane.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_LANEABI_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_LANEABI_H

#include <cstdint>

namespace tilewright::simulate {

/// Payload format: a relocatable ELF object of the host. The compat text is
/// "<architecture>;<lanes of a warp>".
inline constexpr char kPayloadFormat[] = "simulate-object";

/// The u32 of the payload that says how many lanes a warp has.
inline constexpr char kWarpLanesSymbol[] = "tw_simulate_warp_lanes";

/// What generated code reads of its lane, at these offsets.
struct LaneView {
  uint32_t thread;      ///< of the program
  uint32_t program[3];  ///< ids
  uint32_t programs[3]; ///< of the grid
  uint32_t padding;
  char *shared; ///< the program's shared memory
};

/// Where in the source an access or a meeting comes from; constants of the
/// payload.
struct CodePlace {
  const char *file;
  uint32_t line;
};

/// A raw buffer of AMD's, in a lane's private memory.
struct Buffer {
  char *base;
  uint64_t bytes;
};

using KernelFunction = void (*)(const LaneView *lane, const void *arguments);

/// Vendors' families of matrix instructions; see MatrixFacts.h.
enum class MatrixFamily : uint32_t { Ptx, Mfma, WmmaGfx11, WmmaGfx12 };

/// How an instruction's operands are numbered: as its family does, as AMD's
/// f8f6f4 instructions do, or so with factors. Those come as one byte behind
/// the registers of an operand.
enum class MatrixForm : uint32_t { Plain, Mixed, Scaled };

/// One matrix instruction; a constant of the payload. Element numbers are those
/// of simt::Element, counts are registers of one lane.
struct MatrixShape {
  uint32_t family, m, n, k;
  uint32_t lhs, rhs, result;
  uint32_t lhsCount, rhsCount, resultCount;
  uint32_t form = uint32_t(MatrixForm::Plain);
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_LANEABI_H
