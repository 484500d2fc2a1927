//===- Races.h - Programs that touch memory without order -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two programs race when both touch a byte, one of them writes it, not both
// accesses are atomic, and no chain of release and acquire orders them. Every
// byte remembers the accesses that a later one could race with; programs carry
// vector clocks (after FastTrack, Flanagan and Freund 2009). Programs run one
// after the other, so only earlier accesses have to be known.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_RACES_H
#define TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_RACES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <memory>

namespace tilewright::reference {

/// How an operation touches an element.
enum class Access : uint8_t { Read, Write, AtomicRead, AtomicWrite };

/// One operation's accesses of one kind, at one time of its program.
struct AccessEvent {
  mlir::Operation *op;
  uint32_t program; ///< its number in the order of the programs
  uint32_t clock;
  Access access;
};

/// Of one launch.
class RaceDetector {
public:
  /// `kernel` is the operation that holds all others.
  explicit RaceDetector(mlir::Operation *kernel);

  void startProgram(std::array<int64_t, 3> ids);

  /// Notes an access; gives an earlier one that it races with, or null.
  const AccessEvent *touch(mlir::Operation *op, uint64_t address,
                           unsigned bytes, Access access);

  /// One element of an atomic operation, after it was touched.
  void synchronize(uint64_t address, bool acquires, bool releases);
  /// All elements are done: what was acquired orders what follows.
  void endAtomic();

  std::array<int64_t, 3> idsOf(const AccessEvent &event) const {
    return programs[event.program];
  }

private:
  using EventId = uint32_t; // 0: none
  /// What programs did up to some time: their clocks, by number.
  using Clocks = llvm::DenseMap<uint32_t, uint32_t>;
  struct Cell {
    std::array<EventId, 4> last = {}; // by Access
    uint32_t more = 0;                // position in `others`, 0: none
  };
  static constexpr uint64_t kPageBytes = 256;
  using Page = std::array<Cell, kPageBytes>;

  Cell &cellOf(uint64_t address);
  EventId eventOf(mlir::Operation *op, Access access);
  bool isOrdered(const AccessEvent &event) const;
  EventId findConflict(const Cell &cell, Access access) const;
  void remember(Cell &cell, EventId id);

  /// Whether the kernel has an operation that acquires. Without one no two
  /// programs are ordered, and the first access of each kind says it all.
  bool isOrderPossible;
  std::vector<AccessEvent> events;
  std::vector<std::array<int64_t, 3>> programs;
  std::vector<llvm::SmallVector<EventId, 4>> others;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, EventId> current;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
  llvm::DenseMap<uint64_t, Clocks> released; // by address
  Clocks known;                              // to the running program
  Clocks acquired;                           // by the running operation
  bool hasReleased = false;
  uint32_t clock = 1;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_RACES_H
