//===- Assembler.h - Code, and where its tiles lie --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions name tiles by number. When all are there, tiles get addresses:
// two share memory unless both are live at some instruction.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_NPU_ASSEMBLER_H
#define TILEWRIGHT_NPU_ASSEMBLER_H

#include "Machine.h"

#include "tilewright/sdk/Compile.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::npu {

/// An operand while code is made: a register, or a place in a tile.
struct Operand {
  bool isRegister = true;
  uint32_t number = 0; ///< of the register or the tile
  uint32_t offset = 0; ///< bytes from the start of the tile
};

class Assembler {
public:
  uint32_t newRegister() { return registers++; }
  /// A tile; `name` and `op` say in errors what it holds.
  uint32_t newTile(uint64_t bytes, const std::string &name, const sdk::Op &op);

  /// One word of an instruction, or an operand of it.
  struct Word {
    Word(uint32_t value) : value(value) {}
    Word(Operand operand) : operand(operand), isOperand(true) {}
    uint32_t value = 0;
    Operand operand;
    bool isOperand = false;
  };
  /// Appends an instruction. A Sync goes before it if it touches a tile that a
  /// DMA is still at work on; gives its position.
  size_t emit(Opcode opcode, const std::vector<Word> &words);
  void sync();

  /// What happens between may happen again: tiles that are live at the start
  /// and used inside stay live to the end.
  void beginLoop();
  void endLoop();

  size_t here() const { return words.size(); }
  /// Makes the jump at `position` go to `target`.
  void setTarget(size_t position, size_t target);
  uint32_t addFailure(const Failure &failure);

  /// Gives tiles their addresses. Throws Refusal (TW4150) that names the tiles
  /// that are needed at once if they do not fit.
  Program finish(const std::string &symbol, const sdk::Op &kernel);

private:
  struct Tile {
    uint64_t bytes;
    std::string name;
    const sdk::Op *op;
    size_t first = SIZE_MAX, last = 0; ///< positions of instructions
    uint32_t address = 0;
  };
  struct Relocation {
    size_t word;
    uint32_t tile, offset;
  };
  std::vector<uint32_t> words;
  std::vector<Tile> tiles;
  std::vector<Relocation> relocations;
  std::vector<size_t> loops; ///< starts of those that are open
  std::vector<Failure> failures;
  /// Tiles that a DMA reads or writes; true where it writes.
  std::map<uint32_t, bool> pending;
  uint32_t transfers = 0; ///< since the last Sync
  uint32_t registers = 0;

  void touch(uint32_t tile);
  void place(uint32_t tile, std::vector<uint32_t> &placed,
             const sdk::Op &kernel);
};

} // namespace tilewright::npu

#endif // TILEWRIGHT_NPU_ASSEMBLER_H
