//===- Atomics.cpp - Atomic operations -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements act one after the other, in row-major order. Each is one
// compare-and-swap of the machine, so that other threads of the process may use
// the same memory; all orders are sequentially consistent, the strongest.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Indexing.h"
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/KernelOps.h"

using namespace mlir;

namespace tilewright::reference {

static constexpr auto kNearest = llvm::RoundingMode::NearestTiesToEven;

static uint64_t combineFloats(kernel::AtomicKind kind, uint64_t old,
                              uint64_t value, Type type) {
  APFloat a = toOperand(old, type), b = toOperand(value, type);
  if (kind == kernel::AtomicKind::FAdd)
    a.add(b, kNearest);
  else
    a = kind == kernel::AtomicKind::FMax ? llvm::maximumnum(a, b)
                                         : llvm::minimumnum(a, b);
  return toBits(a, type);
}

/// What memory holds afterwards.
static uint64_t combine(kernel::AtomicKind kind, uint64_t old, uint64_t value,
                        Type type) {
  unsigned width = widthOf(type);
  int64_t a = signExtend(old, width), b = signExtend(value, width);
  switch (kind) {
  case kernel::AtomicKind::Add:
    return truncate(old + value, width);
  case kernel::AtomicKind::Max:
    return a > b ? old : value;
  case kernel::AtomicKind::Min:
    return a < b ? old : value;
  case kernel::AtomicKind::UMax:
    return old > value ? old : value;
  case kernel::AtomicKind::UMin:
    return old < value ? old : value;
  case kernel::AtomicKind::And:
    return old & value;
  case kernel::AtomicKind::Or:
    return old | value;
  case kernel::AtomicKind::Xor:
    return old ^ value;
  case kernel::AtomicKind::Xchg:
    return value;
  case kernel::AtomicKind::FAdd:
  case kernel::AtomicKind::FMax:
  case kernel::AtomicKind::FMin:
    return combineFloats(kind, old, value, type);
  }
  llvm_unreachable("all kinds are listed");
}

/// Replaces memory by `update(old)` in one step; gives the old bits.
template <typename Word, typename Update>
static uint64_t replaceWord(uint64_t address, const Update &update) {
  auto *word = reinterpret_cast<Word *>(address);
  Word old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(word, &old, Word(update(old)), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return old;
}

template <typename Update>
static uint64_t replace(uint64_t address, unsigned bytes,
                        const Update &update) {
  switch (bytes) {
  case 1:
    return replaceWord<uint8_t>(address, update);
  case 2:
    return replaceWord<uint16_t>(address, update);
  case 4:
    return replaceWord<uint32_t>(address, update);
  default:
    return replaceWord<uint64_t>(address, update);
  }
}

namespace {
/// What an atomic operation means to other programs.
struct Ordering {
  bool isAtomic; ///< scope `cta` is atomic within a program only
  bool acquires, releases;

  Ordering(kernel::MemorySemantics semantics, kernel::MemoryScope scope)
      : isAtomic(scope != kernel::MemoryScope::Block) {
    using kernel::MemorySemantics;
    bool isBoth = semantics == MemorySemantics::AcquireRelease;
    acquires = isAtomic && (isBoth || semantics == MemorySemantics::Acquire);
    releases = isAtomic && (isBoth || semantics == MemorySemantics::Release);
  }

  Access access(bool writes) const {
    if (isAtomic)
      return writes ? Access::AtomicWrite : Access::AtomicRead;
    return writes ? Access::Write : Access::Read;
  }
};
} // namespace

/// An exchange whose old value nobody uses is a store.
static bool readsMemory(Operation *op) {
  auto atomic = dyn_cast<kernel::AtomicRMWOp>(op);
  return !atomic || atomic.getKind() != kernel::AtomicKind::Xchg ||
         !op->use_empty();
}

/// Runs `update(i, old)` on the memory of every active element; it says whether
/// it wrote.
template <typename Update>
static bool runAtomic(Interpreter &at, Operation *op, Value base, Value offsets,
                      Value mask, Ordering ordering, const Update &update) {
  const Tile &pointers = at.get(base);
  Tile result = makeTile(op->getResult(0).getType());
  unsigned bytes = bytesOf(result.element);
  RaceDetector *races = at.environment.races;
  for (int64_t i = 0; i < result.size(); ++i) {
    if (mask && !at.get(mask).at(i))
      continue;
    uint64_t address = pointers.at(i);
    if (offsets) {
      const Tile &steps = at.get(offsets);
      address +=
          uint64_t(signExtend(steps.at(i), widthOf(steps.element))) * bytes;
    }
    if (!at.beginAccess(op, base, address, result.element, readsMemory(op)))
      return at.failElement(positionOf(i, result.shape));
    bool writes = true;
    result.bits[i] = replace(
        address, bytes, [&](uint64_t old) { return update(i, old, writes); });
    if (!at.endAccess(op, base, address, result.element,
                      ordering.access(writes)))
      return false;
    if (races)
      races->synchronize(address, ordering.acquires,
                         ordering.releases && writes);
  }
  if (races)
    races->endAtomic();
  at.set(op->getResult(0), std::move(result));
  return true;
}

static bool readModifyWrite(Interpreter &at, Operation *op) {
  auto atomic = cast<kernel::AtomicRMWOp>(op);
  const Tile &value = at.get(atomic.getValue());
  return runAtomic(at, op, atomic.getBase(), atomic.getOffsets(),
                   atomic.getMask(), {atomic.getSemantics(), atomic.getScope()},
                   [&](int64_t i, uint64_t old, bool &) {
                     return combine(atomic.getKind(), old, value.at(i),
                                    value.element);
                   });
}

/// Compares bits, not numbers.
static bool compareAndSwap(Interpreter &at, Operation *op) {
  auto atomic = cast<kernel::AtomicCASOp>(op);
  const Tile &compare = at.get(atomic.getCompare());
  const Tile &value = at.get(atomic.getValue());
  return runAtomic(at, op, atomic.getBase(), atomic.getOffsets(), Value(),
                   {atomic.getSemantics(), atomic.getScope()},
                   [&](int64_t i, uint64_t old, bool &writes) {
                     writes = old == compare.at(i);
                     return writes ? value.at(i) : old;
                   });
}

void addAtomics(Semantics &semantics) {
  semantics.operations["kernel.atomic_rmw"] = readModifyWrite;
  semantics.operations["kernel.atomic_cas"] = compareAndSwap;
}

} // namespace tilewright::reference
