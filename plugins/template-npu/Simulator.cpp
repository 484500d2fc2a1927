//===- Simulator.cpp - Runs code of the accelerator -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DMA moves its bytes at once and is done later: a program that touches a tile
// before Sync, which hardware would let read rubbish, is a fault here.
//===----------------------------------------------------------------------===//
#include "Simulator.h"

#include "tilewright/portable.h"
#include "tilewright/sdk/numbers.h"

#include <algorithm>
#include <cstring>

namespace tilewright::npu {

Simulator::Simulator()
    : scratch(new unsigned char[kScratchBytes]),
      registers(new uint64_t[kRegisterCount]),
      row(new uint64_t[kScratchBytes]) {}

//===--- The scratchpad ---------------------------------------------------===//

uint64_t Simulator::read(uint32_t operand, uint64_t index,
                         uint32_t bytes) const {
  if (operand & kRegister)
    return registers[operand & ~kRegister];
  uint64_t bits = 0;
  std::memcpy(&bits, &scratch[operand + index * bytes], bytes);
  return bits;
}

void Simulator::write(uint32_t operand, uint64_t index, uint32_t bytes,
                      uint64_t bits) {
  if (operand & kRegister)
    registers[operand & ~kRegister] = bits;
  else
    std::memcpy(&scratch[operand + index * bytes], &bits, bytes);
}

/// Whether an instruction may touch these bytes now.
bool Simulator::mayUse(uint32_t operand, uint64_t bytes, bool writes) {
  if (operand & kRegister)
    return (operand & ~kRegister) < kRegisterCount ||
           breaks("a register that does not exist");
  if (operand > kScratchBytes || bytes > kScratchBytes - operand)
    return breaks("an address outside of the scratchpad");
  for (unsigned i = 0; i < transferCount; ++i)
    if (operand < transfers[i].end && operand + bytes > transfers[i].begin &&
        (writes || transfers[i].isLoad))
      return breaks("a tile that the DMA engine is at work on");
  return true;
}

void Simulator::chargeVector(uint64_t elements, uint64_t cost) {
  uint64_t spent = kVectorStart + (elements + kLanes - 1) / kLanes * cost;
  cycles.vector += spent;
  cycles.total += spent;
}

//===--- The scalar and the vector unit -----------------------------------===//

bool Simulator::compute(const uint32_t *words) {
  uint32_t function = words[0] & 255, from = words[0] >> 8 & 255,
           to = words[0] >> 16 & 255, detail = words[1], count = words[2];
  if (!hasFunction(function))
    return breaks("a function that does not exist");
  uint32_t fromBytes = tw_dtype_bytes(from), toBytes = tw_dtype_bytes(to);
  bool isSelect = function == TW_PORTABLE_OP_ARITH_SELECT;
  uint32_t firstBytes = isSelect ? 1 : fromBytes;
  uint64_t elements = std::max(count, 1u);
  if (!mayUse(words[3], elements * toBytes, true) ||
      !mayUse(words[4], elements * firstBytes, false) ||
      !mayUse(words[5], elements * fromBytes, false) ||
      !mayUse(words[6], elements * fromBytes, false))
    return false;
  for (uint64_t i = 0; i < elements; ++i)
    write(words[3], i, toBytes,
          evaluate(function, detail, from, to, read(words[4], i, firstBytes),
                   read(words[5], i, fromBytes), read(words[6], i, fromBytes)));
  if (count) {
    chargeVector(count, functionCost(function));
  } else {
    cycles.scalar += kScalarCost;
    cycles.total += kScalarCost;
  }
  return true;
}

bool Simulator::iota(const uint32_t *words) {
  if (!mayUse(words[0], uint64_t(words[2]) * 4, true))
    return false;
  for (uint32_t i = 0; i < words[2]; ++i)
    write(words[0], i, 4, uint32_t(words[1] + i));
  chargeVector(words[2], 1);
  return true;
}

/// The bytes that a strided place covers.
static uint64_t coveredBytes(const uint32_t *dimensions, uint32_t rank,
                             unsigned column, uint32_t bytes) {
  uint64_t last = 0;
  for (uint32_t d = 0; d < rank; ++d)
    last += uint64_t(dimensions[3 * d] - 1) * dimensions[3 * d + column];
  return (last + 1) * bytes;
}

bool Simulator::copy(const uint32_t *words) {
  uint32_t bytes = words[0], rank = words[1], to = words[2], from = words[3];
  const uint32_t *dimensions = words + 4;
  if (!mayUse(to, coveredBytes(dimensions, rank, 1, bytes), true) ||
      !mayUse(from, coveredBytes(dimensions, rank, 2, bytes), false))
    return false;
  if (to & kRegister) {
    registers[to & ~kRegister] = read(from, 0, bytes);
    cycles.scalar += kScalarCost;
    cycles.total += kScalarCost;
    return true;
  }
  uint32_t at[TW_PORTABLE_MAX_RANK] = {};
  uint64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d)
    count *= dimensions[3 * d];
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t target = 0, source = 0;
    for (uint32_t d = 0; d < rank; ++d) {
      target += uint64_t(at[d]) * dimensions[3 * d + 1];
      source += uint64_t(at[d]) * dimensions[3 * d + 2];
    }
    write(to, target, bytes, read(from, source, bytes));
    for (uint32_t d = rank; d-- > 0 && ++at[d] == dimensions[3 * d];)
      at[d] = 0;
  }
  chargeVector(count, 1);
  return true;
}

/// Folds the upper half onto the lower until one is left.
bool Simulator::reduce(const uint32_t *words) {
  uint32_t function = words[0] & 255, dtype = words[0] >> 8 & 255,
           outer = words[3], extent = words[4], inner = words[5];
  uint32_t bytes = tw_dtype_bytes(dtype);
  uint64_t results = uint64_t(outer) * inner;
  if (!hasFunction(function))
    return breaks("a function that does not exist");
  if (!mayUse(words[1], results * bytes, true) ||
      !mayUse(words[2], results * extent * bytes, false))
    return false;
  if (extent > kScratchBytes)
    return breaks("a dimension larger than the scratchpad");
  for (uint32_t o = 0; o < outer; ++o)
    for (uint32_t n = 0; n < inner; ++n) {
      for (uint32_t k = 0; k < extent; ++k)
        row[k] = read(words[2], (uint64_t(o) * extent + k) * inner + n, bytes);
      for (uint32_t left = extent; left > 1; left = (left + 1) / 2)
        for (uint32_t k = 0, half = (left + 1) / 2; k + half < left; ++k)
          row[k] =
              evaluate(function, 0, dtype, dtype, row[k], row[k + half], 0);
      write(words[1], uint64_t(o) * inner + n, bytes, row[0]);
    }
  chargeVector(results * extent, functionCost(function));
  return true;
}

//===--- The matrix unit --------------------------------------------------===//

bool Simulator::multiply(const uint32_t *words) {
  uint32_t dtype = words[0], c = words[1], a = words[2], b = words[3];
  uint64_t cRow = words[4], aRow = words[5], bRow = words[6];
  constexpr uint64_t last = kMatrixSize - 1;
  if (!mayUse(c, last * cRow + kMatrixSize * 4, true) ||
      !mayUse(a, last * aRow + kMatrixSize * 2, false) ||
      !mayUse(b, last * bRow + kMatrixSize * 2, false))
    return false;
  auto number = [&](uint64_t address) {
    uint16_t code;
    std::memcpy(&code, &scratch[address], sizeof code);
    return dtype == TW_DTYPE_F16 ? from_f16(code) : from_bf16(code);
  };
  float left[kMatrixSize][kMatrixSize], right[kMatrixSize][kMatrixSize];
  for (uint32_t i = 0; i < kMatrixSize; ++i)
    for (uint32_t k = 0; k < kMatrixSize; ++k) {
      left[i][k] = number(a + i * aRow + k * 2);
      right[i][k] = number(b + i * bRow + k * 2);
    }
  for (uint32_t i = 0; i < kMatrixSize; ++i) {
    float sums[kMatrixSize];
    std::memcpy(sums, &scratch[c + i * cRow], sizeof sums);
    for (uint32_t k = 0; k < kMatrixSize; ++k)
      for (uint32_t j = 0; j < kMatrixSize; ++j)
        sums[j] += left[i][k] * right[k][j];
    std::memcpy(&scratch[c + i * cRow], sums, sizeof sums);
  }
  cycles.matrix += kMatrixCost;
  cycles.total += kMatrixCost;
  return true;
}

//===--- The DMA engine ---------------------------------------------------===//

bool Simulator::transfer(const uint32_t *words, bool isLoad) {
  uint32_t dtype = words[0], rank = words[1], tile = words[2];
  uint32_t bytes = tw_dtype_bytes(dtype);
  const uint32_t *dimensions = words + 5;
  uint64_t base = read(words[3], 0, 8), count = 1;
  uint64_t fill = isLoad ? read(words[4], 0, bytes) : 0;
  int64_t first[TW_PORTABLE_MAX_RANK], lo[TW_PORTABLE_MAX_RANK],
      hi[TW_PORTABLE_MAX_RANK], stride[TW_PORTABLE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t *dimension = dimensions + kBoxWords * d;
    count *= dimension[0];
    first[d] = int64_t(read(dimension[1], 0, 8));
    lo[d] = int64_t(read(dimension[2], 0, 8));
    hi[d] = int64_t(read(dimension[3], 0, 8));
    stride[d] = int64_t(read(dimension[4], 0, 8));
  }
  if (!mayUse(tile, count * bytes, isLoad))
    return false;
  uint32_t at[TW_PORTABLE_MAX_RANK] = {};
  for (uint64_t i = 0; i < count; ++i) {
    bool isInside = true;
    int64_t element = 0;
    for (uint32_t d = 0; d < rank; ++d) {
      int64_t position = first[d] + at[d];
      isInside = isInside && (!dimensions[kBoxWords * d + 5] ||
                              (lo[d] <= position && position < hi[d]));
      element += position * stride[d];
    }
    uint64_t address = base + uint64_t(element * int64_t(bytes));
    uint64_t bits = fill;
    if (isLoad) {
      if (isInside) {
        bits = 0;
        std::memcpy(&bits, reinterpret_cast<const void *>(address), bytes);
        bits = dtype == TW_DTYPE_I1 ? bits != 0 : bits;
      }
      write(tile, i, bytes, bits);
    } else if (isInside) {
      bits = read(tile, i, bytes);
      std::memcpy(reinterpret_cast<void *>(address), &bits, bytes);
    }
    for (uint32_t d = rank; d-- > 0 && ++at[d] == dimensions[kBoxWords * d];)
      at[d] = 0;
  }
  uint64_t spent = kDmaStart + (count * bytes + kDmaBytes - 1) / kDmaBytes;
  cycles.dma += spent;
  cycles.total += kDmaIssue;
  dmaFree = std::max(dmaFree, cycles.total) + spent;
  if (tile & kRegister) { // a scalar is waited for
    cycles.total = std::max(cycles.total, dmaFree);
  } else {
    if (transferCount == kTransfers)
      return breaks("more transfers at a time than the DMA engine has");
    transfers[transferCount++] = {tile, uint32_t(tile + count * bytes), isLoad};
  }
  return true;
}

//===--- The program ------------------------------------------------------===//

/// Waits for the DMA engine.
void Simulator::sync() {
  cycles.total = std::max(cycles.total, dmaFree);
  transferCount = 0;
}

/// Registers, ids and jumps; `next` is the word that comes then.
void Simulator::control(uint32_t opcode, const uint32_t *words,
                        const Launch &launch, size_t &next) {
  uint64_t &first = registers[opcode == Jump ? 0 : words[0] & ~kRegister];
  switch (opcode) {
  case Set:
    first = words[1] | uint64_t(words[2]) << 32;
    break;
  case Argument:
    first = 0;
    std::memcpy(&first, static_cast<const char *>(launch.args) + words[1],
                words[2]);
    break;
  case ProgramId:
    first = uint64_t(launch.program[words[1]]);
    break;
  case ProgramCount:
    first = uint64_t(launch.grid[words[1]]);
    break;
  case Jump:
    next = words[0];
    break;
  default: // JumpIfZero
    next = first == 0 ? words[1] : next;
  }
  cycles.scalar += kScalarCost;
  cycles.total += kScalarCost;
}

/// An instruction of a unit that works on tiles.
bool Simulator::work(uint32_t opcode, const uint32_t *words) {
  switch (opcode) {
  case Compute:
    return compute(words);
  case Iota:
    return iota(words);
  case Copy:
    return copy(words);
  case Reduce:
    return reduce(words);
  case Load:
  case Store:
    return transfer(words, opcode == Load);
  case Matrix:
    return multiply(words);
  default:
    return breaks("an instruction that does not exist");
  }
}

uint32_t Simulator::run(const Program &program, const Launch &launch) {
  const uint32_t *words = program.words.data();
  size_t end = program.words.size();
  transferCount = 0;
  dmaFree = cycles.total;
  for (size_t at = 0; at < end;) {
    uint32_t opcode = words[at] & 255, size = words[at] >> 8;
    const uint32_t *operands = words + at + 1;
    size_t next = at + size;
    bool isGood = size != 0 || breaks("an instruction without a size");
    if (opcode == Halt) {
      sync();
      return 0;
    }
    if (opcode == Fail)
      return operands[0];
    if (opcode == Sync)
      sync();
    else if (opcode <= ProgramCount || opcode == Jump || opcode == JumpIfZero)
      control(opcode, operands, launch, next);
    else
      isGood = isGood && work(opcode, operands);
    if (!isGood)
      return kFault;
    at = next;
  }
  breaks("a program without an end");
  return kFault;
}

} // namespace tilewright::npu
