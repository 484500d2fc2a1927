//===- Races.cpp - Programs that touch memory without order -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A release stores what its program has done, and knew, at the address; an
// acquire of that address learns it. Read-modify-writes of any order keep what
// was released there, a plain store ends it.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Races.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/KernelOps.h"

using namespace mlir;

namespace tilewright::reference {

static bool acquires(kernel::MemorySemantics semantics) {
  return semantics == kernel::MemorySemantics::Acquire ||
         semantics == kernel::MemorySemantics::AcquireRelease;
}

/// Whether any operation of the kernel could make programs follow others.
static bool hasAcquire(Operation *kernel) {
  auto found = kernel->walk([](Operation *op) {
    bool is = false;
    if (auto atomic = dyn_cast<kernel::AtomicRMWOp>(op))
      is = acquires(atomic.getSemantics());
    else if (auto atomic = dyn_cast<kernel::AtomicCASOp>(op))
      is = acquires(atomic.getSemantics());
    return is ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

RaceDetector::RaceDetector(Operation *kernel)
    : isOrderPossible(hasAcquire(kernel)), events(1), others(1) {}

void RaceDetector::startProgram(std::array<int64_t, 3> ids) {
  programs.push_back(ids);
  current.clear();
  known.clear();
  acquired.clear();
  hasReleased = false;
  clock = 1;
}

/// Kinds of earlier accesses that race with one, a bit each.
static unsigned conflictsWith(Access access) {
  constexpr unsigned read = 1, write = 2, atomicRead = 4, atomicWrite = 8;
  switch (access) {
  case Access::Read:
    return write | atomicWrite;
  case Access::Write:
    return read | write | atomicRead | atomicWrite;
  case Access::AtomicRead:
    return write;
  case Access::AtomicWrite:
    return read | write;
  }
  llvm_unreachable("all kinds are listed");
}

RaceDetector::Cell &RaceDetector::cellOf(uint64_t address) {
  std::unique_ptr<Page> &page = pages[address / kPageBytes];
  if (!page)
    page = std::make_unique<Page>();
  return (*page)[address % kPageBytes];
}

/// Accesses of one operation at one time of a program are one event.
RaceDetector::EventId RaceDetector::eventOf(Operation *op, Access access) {
  EventId &id = current[{op, unsigned(access)}];
  if (!id) {
    id = events.size();
    events.push_back({op, uint32_t(programs.size() - 1), clock, access});
  }
  return id;
}

bool RaceDetector::isOrdered(const AccessEvent &event) const {
  return event.program + 1 == programs.size() ||
         known.lookup(event.program) >= event.clock;
}

RaceDetector::EventId RaceDetector::findConflict(const Cell &cell,
                                                 Access access) const {
  unsigned conflicts = conflictsWith(access);
  auto races = [&](EventId id) {
    return id && (conflicts >> unsigned(events[id].access) & 1) &&
           !isOrdered(events[id]);
  };
  for (EventId id : cell.last)
    if (races(id))
      return id;
  for (EventId id : others[cell.more])
    if (races(id))
      return id;
  return 0;
}

/// A write comes after all that is known of the byte, or it was a race. Of
/// other accesses a program's latest stands for those before it.
void RaceDetector::remember(Cell &cell, EventId id) {
  const AccessEvent &event = events[id];
  EventId &last = cell.last[unsigned(event.access)];
  if (event.access == Access::Write) {
    cell = Cell();
    cell.last[unsigned(Access::Write)] = id;
  } else if (!last || events[last].program == event.program) {
    last = id;
  } else if (isOrderPossible) {
    if (!cell.more) {
      cell.more = others.size();
      others.emplace_back();
    }
    llvm::SmallVector<EventId, 4> &list = others[cell.more];
    for (EventId &other : list)
      if (events[other].program == event.program &&
          events[other].access == event.access) {
        other = id;
        return;
      }
    list.push_back(id);
  }
}

const AccessEvent *RaceDetector::touch(Operation *op, uint64_t address,
                                       unsigned bytes, Access access) {
  EventId id = eventOf(op, access);
  for (unsigned i = 0; i < bytes; ++i) {
    Cell &cell = cellOf(address + i);
    if (EventId conflict = findConflict(cell, access))
      return &events[conflict];
    remember(cell, id);
  }
  if (access == Access::Write && isOrderPossible)
    released.erase(address);
  return nullptr;
}

static void join(llvm::DenseMap<uint32_t, uint32_t> &to,
                 const llvm::DenseMap<uint32_t, uint32_t> &from) {
  for (auto [program, time] : from) {
    uint32_t &latest = to[program];
    latest = std::max(latest, time);
  }
}

void RaceDetector::synchronize(uint64_t address, bool acquires, bool releases) {
  if (!isOrderPossible)
    return;
  Clocks &place = released[address];
  if (acquires)
    join(acquired, place);
  if (releases) {
    join(place, known);
    place[uint32_t(programs.size() - 1)] = clock;
    hasReleased = true;
  }
}

void RaceDetector::endAtomic() {
  join(known, acquired);
  acquired.clear();
  if (!hasReleased)
    return;
  hasReleased = false;
  ++clock; // what follows was not released
  current.clear();
}

} // namespace tilewright::reference
