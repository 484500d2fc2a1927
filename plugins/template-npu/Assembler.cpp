//===- Assembler.cpp - Code, and where its tiles lie ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lives are intervals of positions in the code: first fit in the order of
// their starts.
//===----------------------------------------------------------------------===//
#include "Assembler.h"

#include <algorithm>

namespace tilewright::npu {

uint32_t Assembler::newTile(uint64_t bytes, const std::string &name,
                            const sdk::Op &op) {
  tiles.push_back(
      {(bytes + kAlignment - 1) / kAlignment * kAlignment, name, &op});
  return uint32_t(tiles.size() - 1);
}

void Assembler::touch(uint32_t tile) {
  tiles[tile].first = std::min(tiles[tile].first, here());
  tiles[tile].last = std::max(tiles[tile].last, here());
}

void Assembler::sync() {
  if (pending.empty())
    return;
  for (const auto &[tile, isWritten] : pending)
    touch(tile); // its memory is in use up to here
  words.push_back(Sync | 1 << 8);
  pending.clear();
  transfers = 0;
}

/// Which words of an instruction are the tile that it writes, and that a DMA
/// works on; counted without the first word.
static int writtenWord(Opcode opcode) {
  switch (opcode) {
  case Compute:
    return 3;
  case Iota:
    return 0;
  case Copy:
  case Load:
    return 2;
  case Reduce:
  case Matrix:
    return 1;
  default:
    return -1;
  }
}

size_t Assembler::emit(Opcode opcode, const std::vector<Word> &list) {
  int written = writtenWord(opcode);
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].isOperand || list[i].operand.isRegister)
      continue;
    auto found = pending.find(list[i].operand.number);
    if (found != pending.end() && (found->second || int(i) == written))
      sync();
  }
  bool isTransfer = opcode == Load || opcode == Store;
  if (isTransfer && transfers == kTransfers)
    sync();
  transfers += isTransfer;
  size_t position = here();
  for (size_t i = 0; i < list.size(); ++i) {
    const Operand &operand = list[i].operand;
    if (!list[i].isOperand || operand.isRegister)
      continue;
    touch(operand.number);
    relocations.push_back({position + 1 + i, operand.number, operand.offset});
    if (isTransfer && i == 2)
      pending[operand.number] |= opcode == Load;
  }
  words.push_back(opcode | uint32_t(list.size() + 1) << 8);
  for (const Word &word : list)
    words.push_back(!word.isOperand           ? word.value
                    : word.operand.isRegister ? word.operand.number | kRegister
                                              : 0);
  return position;
}

void Assembler::beginLoop() {
  sync();
  loops.push_back(here());
}

void Assembler::endLoop() {
  sync();
  size_t start = loops.back();
  loops.pop_back();
  for (Tile &tile : tiles)
    if (tile.first < start && tile.last >= start)
      tile.last = std::max(tile.last, here());
}

void Assembler::setTarget(size_t position, size_t target) {
  size_t word = position + ((words[position] & 255) == Jump ? 1 : 2);
  words[word] = uint32_t(target);
}

uint32_t Assembler::addFailure(const Failure &failure) {
  failures.push_back(failure);
  return uint32_t(failures.size());
}

/// The lowest address where a tile fits between those that live with it.
void Assembler::place(uint32_t number, std::vector<uint32_t> &placed,
                      const sdk::Op &kernel) {
  Tile &tile = tiles[number];
  std::vector<const Tile *> others;
  for (uint32_t other : placed)
    if (tiles[other].last >= tile.first)
      others.push_back(&tiles[other]);
  std::sort(others.begin(), others.end(), [](const Tile *a, const Tile *b) {
    return a->address < b->address;
  });
  uint64_t address = 0;
  for (const Tile *other : others)
    if (address + tile.bytes > other->address)
      address = std::max(address, other->address + other->bytes);
    else
      break;
  if (address + tile.bytes > kScratchBytes) {
    sdk::Refusal refusal;
    refusal.code = 4150;
    refusal.at = tile.op ? tile.op : &kernel;
    refusal.message = "expected tiles of at most " +
                      std::to_string(kScratchBytes) + " bytes at a time, got " +
                      std::to_string(tile.bytes) + " for '" + tile.name +
                      "' beside others";
    refusal.hint = "use smaller blocks";
    others.push_back(&tile);
    for (const Tile *other : others)
      refusal.notes.push_back(other->name + ": " +
                              std::to_string(other->bytes) + " bytes");
    throw refusal;
  }
  tile.address = uint32_t(address);
  placed.push_back(number);
}

Program Assembler::finish(const std::string &symbol, const sdk::Op &kernel) {
  sync();
  emit(Halt, {});
  if (registers > kRegisterCount) {
    sdk::Refusal refusal;
    refusal.code = 4150;
    refusal.at = &kernel;
    refusal.message = "expected at most " + std::to_string(kRegisterCount) +
                      " scalars and constants, got " +
                      std::to_string(registers);
    refusal.hint = "split the kernel";
    throw refusal;
  }
  std::vector<uint32_t> order, placed;
  for (uint32_t i = 0; i < tiles.size(); ++i)
    if (tiles[i].first != SIZE_MAX)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return tiles[a].first < tiles[b].first;
  });
  Program program;
  for (uint32_t tile : order) {
    place(tile, placed, kernel);
    program.scratchBytes =
        std::max(program.scratchBytes,
                 uint32_t(tiles[tile].address + tiles[tile].bytes));
  }
  for (const Relocation &relocation : relocations)
    words[relocation.word] = tiles[relocation.tile].address + relocation.offset;
  program.symbol = symbol;
  program.registers = registers;
  program.words = std::move(words);
  program.failures = std::move(failures);
  return program;
}

} // namespace tilewright::npu
