//===- ExchangeLayout.cpp - A buffer between two layouts ------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a buffer is a basis of the tensor's index space: first the bits
// of one vector, then those that tell banks apart, then the rest. Elements that
// differ in the rest alone share a bank, so the rest should meet neither what
// the writer's lanes span nor what the reader's lanes span.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/ExchangeLayout.h"

#include "backends/simt/layout/GF2.h"

#include <algorithm>
#include <cassert>

using namespace tilewright::simt;

using Vectors = std::vector<uint64_t>;

//===----------------------------------------------------------------------===//
// What has to be crossed
//===----------------------------------------------------------------------===//

/// Whether the named input alone, and as it is, reaches the output of its name.
static bool passesThrough(const LinearLayout &map, const std::string &name) {
  if (map.inputBits(name) != map.outputBits(name))
    return false;
  for (const LayoutDim &in : map.inputs())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint64_t reached = map.basis(in.name, bit) & map.outputMask(name);
      uint64_t expected =
          in.name == name ? uint64_t(1) << (map.outputShift(name) + bit) : 0;
      if (reached != expected)
        return false;
    }
  return true;
}

Move tilewright::simt::planMove(const LinearLayout &from,
                                const LinearLayout &to) {
  std::optional<LinearLayout> sourceOf = to.relativeTo(from);
  assert(sourceOf && "the source holds every element");
  Move move{Crossing::Warps, *sourceOf};
  if (!passesThrough(*sourceOf, warpDim))
    return move;
  // Registers may not be picked by the warp: that would be a crossing as well.
  if (!sourceOf->isZero({warpDim}, {laneDim, registerDim}))
    return move;
  move.crossing = Crossing::Lanes;
  if (passesThrough(*sourceOf, laneDim) &&
      sourceOf->isZero({laneDim}, {registerDim}))
    move.crossing = Crossing::Registers;
  return move;
}

//===----------------------------------------------------------------------===//
// Subspaces
//===----------------------------------------------------------------------===//

namespace {

/// A basis that grows by vectors that are not yet in its span.
class Span {
public:
  Span() = default;
  explicit Span(const Vectors &vectors) {
    for (uint64_t vector : vectors)
      add(vector);
  }
  bool add(uint64_t vector) {
    if (!basis.insert(vector, vectors.size() & 63))
      return false;
    vectors.push_back(vector);
    return true;
  }
  bool contains(uint64_t vector) const { return basis.reduce(vector) == 0; }

  Vectors vectors; ///< independent, in the order they were added

private:
  GF2Basis basis;
};

} // namespace

static Vectors columnsOf(const LinearLayout &layout, const std::string &input) {
  Vectors columns;
  for (unsigned bit = 0; bit < layout.inputBits(input); ++bit)
    if (uint64_t column = layout.basis(input, bit))
      columns.push_back(column);
  return columns;
}

/// The vectors of `vectors` that are independent of `base` and of one another.
static Vectors beyond(const Vectors &base, const Vectors &vectors) {
  Span span(base);
  Vectors result;
  for (uint64_t vector : vectors)
    if (span.add(vector))
      result.push_back(vector);
  return result;
}

//===----------------------------------------------------------------------===//
// Candidate orders
//===----------------------------------------------------------------------===//

/// Register vectors to be adjacent: those of both sides first, then those of
/// the preferred side.
static Vectors chooseVector(const LinearLayout &preferred,
                            const LinearLayout &other, unsigned limit) {
  Vectors mine = columnsOf(preferred, registerDim);
  Vectors theirs = columnsOf(other, registerDim);
  Span chosen;
  auto take = [&](bool shared) {
    for (uint64_t column : mine) {
      bool isShared =
          std::find(theirs.begin(), theirs.end(), column) != theirs.end();
      if (isShared == shared && chosen.vectors.size() < limit)
        chosen.add(column);
    }
  };
  take(true);
  take(false);
  return chosen.vectors;
}

/// Orders the index space around `vector` so that neither side's lanes meet in
/// a bank where that is possible.
static LinearLayout orderBuffer(const Vectors &vector, const LinearLayout &from,
                                const LinearLayout &to, unsigned bankBits) {
  unsigned bits = from.outputBits();
  Vectors unit;
  for (unsigned bit = 0; bit < bits; ++bit)
    unit.push_back(uint64_t(1) << bit);
  Vectors writer = beyond(vector, columnsOf(from, laneDim));
  Vectors reader = beyond(vector, columnsOf(to, laneDim));
  Span both(vector);
  for (uint64_t column : writer)
    both.add(column);
  Vectors readerOnly = beyond(both.vectors, reader);
  Span readers(vector);
  for (uint64_t column : reader)
    readers.add(column);
  Vectors writerOnly = beyond(readers.vectors, writer);
  for (uint64_t column : reader)
    both.add(column);
  // Rest: first what no lane reaches, then sums of one vector of each side,
  // which neither side reaches alone.
  Vectors rest = beyond(both.vectors, unit);
  for (size_t i = 0; i < std::min(writerOnly.size(), readerOnly.size()); ++i)
    rest.push_back(writerOnly[i] ^ readerOnly[i]);
  unsigned inBanks = std::min<unsigned>(bankBits, bits - vector.size());
  unsigned wanted = bits - vector.size() - inBanks;
  Span order(vector);
  Vectors high;
  for (uint64_t column : rest)
    if (high.size() < wanted && order.add(column))
      high.push_back(column);
  Vectors banks = beyond(order.vectors, writer);
  for (uint64_t column : banks)
    order.add(column);
  for (const Vectors &more : {reader, unit})
    for (uint64_t column : beyond(order.vectors, more)) {
      order.add(column);
      banks.push_back(column);
    }
  Vectors columns = vector;
  columns.insert(columns.end(), banks.begin(), banks.end());
  columns.insert(columns.end(), high.begin(), high.end());
  return LinearLayout({{offsetDim, bits}}, from.outputs(), std::move(columns));
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

Exchange tilewright::simt::makeExchange(const LinearLayout &from,
                                        const LinearLayout &to,
                                        const LinearLayout &buffer,
                                        unsigned elementBytes,
                                        const Banks &banks) {
  LinearLayout toOffset = buffer.inverse();
  Exchange exchange{
      buffer, from.compose(toOffset), to.compose(toOffset), {}, {}, {}, {}};
  auto plan = [&](const LinearLayout &side, VectorAccess &vector,
                  BankConflicts &conflicts) {
    vector = vectorAccess(side, offsetDim, elementBytes, 16);
    conflicts = bankConflicts(side, elementBytes, vector.registerBits, banks);
  };
  plan(exchange.write, exchange.writeVector, exchange.writeConflicts);
  plan(exchange.read, exchange.readVector, exchange.readConflicts);
  return exchange;
}

uint64_t tilewright::simt::exchangeCost(const Exchange &exchange) {
  auto cost = [](const LinearLayout &side, const VectorAccess &vector,
                 const BankConflicts &conflicts) {
    uint64_t registers = uint64_t(1) << side.inputBits(registerDim);
    return registers / vector.elements() * conflicts.wavefronts;
  };
  return cost(exchange.write, exchange.writeVector, exchange.writeConflicts) +
         cost(exchange.read, exchange.readVector, exchange.readConflicts);
}

Exchange tilewright::simt::chooseExchange(const LinearLayout &from,
                                          const LinearLayout &to,
                                          unsigned elementBytes,
                                          const Banks &banks) {
  assert(from.outputs() == to.outputs() && "layouts of one tensor");
  unsigned bits = from.outputBits();
  std::vector<uint64_t> unit;
  for (unsigned bit = 0; bit < bits; ++bit)
    unit.push_back(uint64_t(1) << bit);
  LinearLayout rowMajor({{offsetDim, bits}}, from.outputs(), unit);
  Exchange best = makeExchange(from, to, rowMajor, elementBytes, banks);
  unsigned widest = elementBytes >= 16 ? 0 : ceilLog2(16 / elementBytes);
  for (unsigned limit = 0; limit <= widest; ++limit)
    for (bool writerFirst : {true, false}) {
      Vectors vector =
          chooseVector(writerFirst ? from : to, writerFirst ? to : from, limit);
      uint64_t vectorBytes = uint64_t(elementBytes) << vector.size();
      uint64_t together = uint64_t(banks.count) * banks.bytes / vectorBytes;
      unsigned bankBits = together ? ceilLog2(together) : 0;
      Exchange exchange =
          makeExchange(from, to, orderBuffer(vector, from, to, bankBits),
                       elementBytes, banks);
      if (exchangeCost(exchange) < exchangeCost(best))
        best = exchange;
    }
  return best;
}
