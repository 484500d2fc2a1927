//===- Machine.h - The simulated accelerator --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiler and simulator agree on: sizes, instructions, costs. README.md
// describes the machine.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_NPU_MACHINE_H
#define TILEWRIGHT_NPU_MACHINE_H

#include "tilewright/base.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::npu {

/// The word before ':' in a target, and what stands in messages.
constexpr const char *kVendor = "npu";

//===--- Sizes ------------------------------------------------------------===//

constexpr uint32_t kScratchBytes = 256 * 1024;
constexpr uint32_t kRegisterCount = 65536; ///< of 64 bits
constexpr uint32_t kMatrixSize = 16; ///< rows, columns and depth of a product
constexpr uint32_t kLanes = 64;      ///< elements of the vector unit a cycle
constexpr uint32_t kDmaBytes = 32;   ///< of the DMA engine a cycle
constexpr uint32_t kTransfers = 64;  ///< that may be under way at a time
constexpr uint32_t kAlignment = 64;  ///< of tiles in the scratchpad

//===--- Instructions -----------------------------------------------------===//

/// Code is words of 32 bits. The first word of an instruction is its opcode
/// and, from bit 8 on, how many words it has in all. The words behind it are
/// listed here. An operand is a byte address in the scratchpad or, with
/// kRegister set, a register, which stands for a tile of equal elements where a
/// tile is meant.
constexpr uint32_t kRegister = 0x80000000u;

enum Opcode : uint32_t {
  /// The program has ended; waits for the DMA engine.
  Halt,
  /// register, low half, high half
  Set,
  /// register, offset in the argument block, bytes
  Argument,
  /// register, axis: the program's id, the number of programs
  ProgramId,
  ProgramCount,
  /// function | source dtype << 8 | result dtype << 16, detail, elements (0:
  /// scalars, in registers), result, a, b, c. Functions are the numbers of
  /// operations of tw.portable, `detail` is the predicate of a comparison
  Compute,
  /// result, first, elements: consecutive i32
  Iota,
  /// bytes of an element, dimensions, result, source; of each dimension:
  /// extent,
  /// stride of the result, of the source (elements)
  Copy,
  /// function | dtype << 8, result, source, outer, extent, inner: folds the
  /// middle dimension
  Reduce,
  /// dtype, dimensions, tile (a register if there are none), register of the
  /// base address, operand outside of the bounds (Load only; else 0); of each
  /// dimension: extent, registers of the first position, of its bounds, of the
  /// stride, 1 if the bounds are to be checked. Runs beside the program until
  /// Sync
  Load,
  Store,
  /// dtype of a and b, c, a, b, bytes between their rows: c += a b, 16 x 16 x
  /// 16, fp32
  Matrix,
  /// target word
  Jump,
  /// register, target word: if it is zero
  JumpIfZero,
  /// Waits for the DMA engine.
  Sync,
  /// number of a failure, from 1 on: stops the launch
  Fail,
};

/// Words of a dimension of Load and Store.
constexpr unsigned kBoxWords = 6;

//===--- Costs ------------------------------------------------------------===//

/// Cycles. Vector instructions take `kVectorStart` and a number of cycles for
/// each kLanes elements; a DMA takes `kDmaStart` and its bytes, beside the
/// program, one after the other.
constexpr uint64_t kScalarCost = 1, kVectorStart = 8, kMatrixCost = 16,
                   kDmaIssue = 4, kDmaStart = 100;

/// Of kLanes elements: 1, or 4 for quotients, roots and functions.
uint64_t functionCost(uint32_t function);

/// Whether the vector unit has a function (an operation of tw.portable).
bool hasFunction(uint32_t function);
/// Whether the machine has an element type.
bool hasType(uint32_t dtype);

//===--- Payloads ---------------------------------------------------------===//

struct Failure {
  uint32_t code = 0;
  uint32_t line = 0;
  std::string file, message;
};

struct Program {
  std::string symbol;
  uint32_t scratchBytes = 0;
  uint32_t registers = 0;
  uint32_t reportsCycles = 0; ///< option report=cycles
  std::vector<uint32_t> words;
  std::vector<Failure> failures;
};

constexpr const char *kPayloadFormat = "npu-code";
constexpr const char *kCompat = "npu-1";

/// Bytes of a payload: the mark "TWNPU", 2 bytes 0 and the version; FNV-1a of
/// what follows (8 bytes); then numbers of 4 bytes, little-endian, and texts
/// and lists behind their count, in the order of the structs above.
std::string writePayload(const std::vector<Program> &programs);
/// False if the bytes are no whole payload.
bool readPayload(tw_bytes bytes, std::vector<Program> &programs);

/// The words as text, an instruction a line.
std::string disassemble(const Program &program);

} // namespace tilewright::npu

#endif // TILEWRIGHT_NPU_MACHINE_H
