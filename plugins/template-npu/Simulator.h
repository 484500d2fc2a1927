//===- Simulator.h - Runs code of the accelerator ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for the hardware: one core with a scratchpad, a DMA engine beside
// it, and a cycle counter.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_NPU_SIMULATOR_H
#define TILEWRIGHT_NPU_SIMULATOR_H

#include "Machine.h"

#include <memory>

namespace tilewright::npu {

/// Cycles of a launch: in all, and how long each unit was at work. The DMA
/// engine works beside the others.
struct Cycles {
  uint64_t total = 0, scalar = 0, vector = 0, matrix = 0, dma = 0;
};

class Simulator {
public:
  Simulator();

  struct Launch {
    const void *args;
    int64_t grid[3];
    int64_t program[3];
  };
  /// Runs one program. 0, or the number of its failure, or kFault for code that
  /// breaks a rule of the machine, with `fault` saying which.
  uint32_t run(const Program &program, const Launch &launch);
  static constexpr uint32_t kFault = 0xffffffffu;
  const char *fault = nullptr;
  Cycles cycles;

private:
  struct Transfer {
    uint32_t begin, end;
    bool isLoad;
  };
  std::unique_ptr<unsigned char[]> scratch;
  std::unique_ptr<uint64_t[]> registers;
  std::unique_ptr<uint64_t[]> row; ///< the vector unit's, to fold
  Transfer transfers[kTransfers];
  unsigned transferCount = 0;
  uint64_t dmaFree = 0; ///< when the DMA engine has done everything

  uint64_t read(uint32_t operand, uint64_t index, uint32_t bytes) const;
  void write(uint32_t operand, uint64_t index, uint32_t bytes, uint64_t bits);
  bool mayUse(uint32_t operand, uint64_t bytes, bool writes);
  void sync();
  void control(uint32_t opcode, const uint32_t *words, const Launch &launch,
               size_t &next);
  bool work(uint32_t opcode, const uint32_t *words);
  bool compute(const uint32_t *words);
  bool iota(const uint32_t *words);
  bool copy(const uint32_t *words);
  bool reduce(const uint32_t *words);
  bool transfer(const uint32_t *words, bool isLoad);
  bool multiply(const uint32_t *words);
  void chargeVector(uint64_t elements, uint64_t cost);
  bool breaks(const char *rule) {
    fault = rule;
    return false;
  }
};

/// One element of a function of the vector unit, from and to stored bits.
uint64_t evaluate(uint32_t function, uint32_t detail, uint32_t from,
                  uint32_t to, uint64_t a, uint64_t b, uint64_t c);

} // namespace tilewright::npu

#endif // TILEWRIGHT_NPU_SIMULATOR_H
