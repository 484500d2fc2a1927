//===- SimtTarget.h - What the thread mapping knows of a target -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data about one GPU-like target: sizes, address spaces, element types,
// matrix atoms. What has to be emitted differently is in TargetHooks.h.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_SIMTTARGET_H
#define TILEWRIGHT_BACKENDS_SIMT_SIMTTARGET_H

#include "backends/simt/layout/LayoutQueries.h"
#include "backends/simt/layout/MatrixAtom.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::simt {

/// Tensors of at least 2^fewestBits registers a thread are worked on in loops
/// over 2^chunkBits of them. Smaller numbers make shorter code, for compilers
/// whose time grows faster than it.
struct ChunkSizes {
  unsigned chunkBits = 5;
  unsigned fewestBits = 8;
  /// Tensors of more than 2^mostMovedBits registers a thread change threads one
  /// register after the other, in loops over private memory.
  unsigned mostMovedBits = 8;
};

/// What one asynchronous copy from global to shared memory moves.
struct CopyRules {
  unsigned sizes = 4 | 8 | 16; ///< bytes of one lane, powers of two
  /// Whether the lanes of a warp fill consecutive bytes of shared memory, from
  /// the first lane's on.
  bool areConsecutive = false;
};

struct SimtTarget {
  std::string vendor;     ///< "spirv", "nvidia", "amd"
  std::string triple;     ///< LLVM's
  std::string dataLayout; ///< LLVM's

  /// Lanes that advance together; 0 where nothing is promised. Threads of a
  /// program are num_warps times this, or times 32.
  unsigned subgroupWidth = 0;
  unsigned maxThreads = 1024; ///< of one program
  /// Whether no device of the target has more; else the artifact asks for them.
  bool isThreadsBound = true;
  uint64_t sharedBytes = 48 << 10; ///< of one program
  Banks banks;                     ///< of shared memory
  unsigned sectorBytes = 32;       ///< what global memory moves at least
  /// How many times the fewest sectors a store may meet, to spare a conversion
  /// of what fills the registers; 0: always convert.
  unsigned mostStoreSectors = 0;
  unsigned registersPerThread = 128; ///< of 32 bits, before values are spilled
  unsigned maxVectorBytes = 16;      ///< widest access of one thread
  ChunkSizes chunks;

  unsigned globalSpace = 1;
  unsigned sharedSpace = 3;
  unsigned privateSpace = 0; ///< of alloca

  /// Types that registers and memory may have, with correctly rounded casts
  /// between floats. Without f16 it is kept as bits, as bf16 and fp8 always
  /// are.
  bool hasFloat16 = true;
  bool hasFloat64 = true;
  bool hasInt64 = true;
  /// Whether + - * / and comparisons of f16 are instructions.
  bool hasFloat16Arithmetic = true;
  /// Whether casts between bf16 and f32 are LLVM's, which rounds right.
  bool hasBFloat16Casts = false;
  /// Whether fused multiply-add is an instruction.
  bool hasFma = true;
  /// Whether sums and products of two f32 at a time are instructions.
  bool hasPackedFloat32 = false;
  /// Whether floor, ceil, trunc, round and roundeven are exact instructions.
  bool hasRounding = true;
  /// Whether maxnum and minnum of f32 are instructions that ignore NaN and put
  /// -0 below +0.
  bool hasNumberMinMax = false;
  /// Whether pointers read from memory may be dereferenced.
  bool hasFlatAddresses = true;

  CopyRules copies;
  std::vector<MatrixAtom> atoms;

  /// Threads of one warp.
  unsigned warpLanes() const { return subgroupWidth ? subgroupWidth : 32; }
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_SIMTTARGET_H
