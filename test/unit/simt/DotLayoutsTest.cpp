//===- DotLayoutsTest.cpp - Layouts of matrix products --------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread holds of the operands, compared by enumeration with what the
// atoms of its part of the result need; matrix loads simulated lane by lane.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/DotLayouts.h"
#include "backends/simt/layout/LayoutQueries.h"
#include "backends/simt/layout/MatrixAtom.h"
#include "backends/simt/layout/MatrixLoad.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilewright::simt;

namespace {

MatrixAtom half() {
  return makeAtom16x8("m16n8k16.f16", 16, 2, Element::F16, Element::F16,
                      Element::F32);
}
MatrixAtom bytes() {
  return makeAtom16x8("m16n8k32.s8", 32, 4, Element::I8, Element::I8,
                      Element::I32);
}
MatrixAtom tf32() {
  return makeAtom16x8("m16n8k8.tf32", 8, 1, Element::TF32, Element::TF32,
                      Element::F32);
}

DotFragments fragments(const MatrixAtom &atom) {
  return {atom.lhsLayout, atom.rhsLayout, atom.resultLayout};
}

using Indices = std::vector<uint64_t>;

/// The coordinates that one thread's registers hold.
std::set<Indices> held(const LinearLayout &layout, uint64_t warp,
                       uint64_t lane) {
  std::set<Indices> all;
  for (uint64_t r = 0; r < 1u << layout.inputBits(registerDim); ++r)
    all.insert(layout.apply(Indices{warp, lane, r}));
  return all;
}

/// Every element of the result belongs to an atom whose fragments the thread
/// holds.
void expectOperandsAtHand(const DotShape &shape, const MatrixAtom &atom,
                          unsigned numWarps, bool isChained) {
  DotWarps warps = chooseDotWarps(shape, atom.m, atom.n, numWarps, isChained);
  DotLayouts layouts = dotLayouts(shape, fragments(atom), warps, numWarps);
  EXPECT_TRUE(layouts.result.isSurjective());
  unsigned lhsCount = 1u << atom.lhsLayout.inputBits(registerDim);
  unsigned rhsCount = 1u << atom.rhsLayout.inputBits(registerDim);
  for (uint64_t warp = 0; warp < numWarps; ++warp)
    for (uint64_t lane = 0; lane < 32; ++lane) {
      std::set<Indices> left = held(layouts.lhs, warp, lane);
      std::set<Indices> right = held(layouts.rhs, warp, lane);
      for (Indices at : held(layouts.result, warp, lane)) {
        size_t rank = at.size();
        uint64_t m = at[rank - 2] / atom.m * atom.m;
        uint64_t n = at[rank - 1] / atom.n * atom.n;
        for (int64_t k = 0; k < shape.k; k += atom.k) {
          for (uint64_t r = 0; r < lhsCount; ++r) {
            Indices own = atom.lhsLayout.apply(Indices{lane, r}), wanted = at;
            wanted[rank - 2] = m + own[0];
            wanted[rank - 1] = k + own[1];
            EXPECT_TRUE(left.count(wanted));
          }
          for (uint64_t r = 0; r < rhsCount; ++r) {
            Indices own = atom.rhsLayout.apply(Indices{lane, r}), wanted = at;
            wanted[rank - 2] = k + own[0];
            wanted[rank - 1] = n + own[1];
            EXPECT_TRUE(right.count(wanted));
          }
        }
      }
    }
}

} // namespace

TEST(DotLayouts, OperandsAtHand) {
  expectOperandsAtHand({{}, 64, 64, 32}, half(), 4, false);
  expectOperandsAtHand({{}, 64, 64, 32}, half(), 4, true);
  expectOperandsAtHand({{}, 16, 8, 16}, half(), 4, false);
  expectOperandsAtHand({{}, 16, 128, 64}, bytes(), 8, false);
  expectOperandsAtHand({{}, 128, 16, 16}, tf32(), 2, false);
  expectOperandsAtHand({{4}, 32, 32, 16}, half(), 8, false);
  expectOperandsAtHand({{2, 2}, 16, 16, 32}, half(), 4, false);
}

TEST(DotLayouts, WarpsAreSquare) {
  DotWarps wide = chooseDotWarps({{}, 128, 256, 64}, 16, 8, 8, false);
  EXPECT_EQ(wide.m, 2u);
  EXPECT_EQ(wide.n, 4u);
  DotWarps chained = chooseDotWarps({{}, 128, 64, 64}, 16, 8, 4, true);
  EXPECT_EQ(chained.m, 4u);
  EXPECT_EQ(chained.n, 1u);
  DotWarps batched = chooseDotWarps({{4}, 64, 64, 64}, 16, 8, 8, false);
  EXPECT_EQ(batched.m * batched.n, 2u);
}

/// A chained accumulator is the next left operand, register by register.
TEST(DotLayouts, ChainedResultIsOperand) {
  MatrixAtom atom = half();
  DotLayouts first = dotLayouts({{}, 128, 64, 32}, fragments(atom), {4, 1}, 4);
  DotLayouts second = dotLayouts({{}, 128, 32, 64}, fragments(atom), {4, 1}, 4);
  for (uint64_t warp : {0, 3})
    for (uint64_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(held(first.result, warp, lane), held(second.lhs, warp, lane));
}

//===----------------------------------------------------------------------===//
// Matrix loads
//===----------------------------------------------------------------------===//

namespace {

/// What word `word`, byte `byte` of a lane holds, as an offset in bytes, of
/// matrices whose rows begin at `rows[matrix * 8 + row]`.
uint64_t byteAt(const std::vector<uint64_t> &rows, bool isTransposed,
                unsigned lane, unsigned matrix, unsigned byte) {
  unsigned row = lane / 4, column = lane % 4 * 4 + byte;
  if (isTransposed) {
    row = lane % 4 * 2 + byte / 2;
    column = lane / 4 * 2 + byte % 2;
  }
  return rows[matrix * 8 + row] + column;
}

/// Simulates each access of a warp; returns whether there is a plan.
bool checkMatrixLoad(const LinearLayout &tensor, const LinearLayout &buffer,
                     unsigned elementBytes, bool isTransposed) {
  LinearLayout offsets = tensor.compose(buffer.inverse());
  std::optional<MatrixLoad> plan = planMatrixLoad(offsets, elementBytes);
  if (!plan || plan->isTransposed != isTransposed)
    return false;
  uint64_t inside = 0;
  for (const auto *bits : {&plan->wordBits, &plan->matrixBits})
    for (unsigned bit : *bits)
      inside |= uint64_t(1) << bit;
  unsigned matrices = 1u << plan->matrixBits.size();
  for (uint64_t warp = 0; warp < 1u << offsets.inputBits(warpDim); ++warp)
    for (uint64_t r = 0; r < 1u << offsets.inputBits(registerDim); ++r) {
      if (r & inside)
        continue;
      std::vector<uint64_t> rows;
      for (uint64_t lane = 0; lane < 32; ++lane)
        rows.push_back(plan->address.apply(Indices{warp, lane, r})[0] *
                       elementBytes);
      for (unsigned matrix = 0; matrix < matrices; ++matrix) {
        std::set<uint64_t> banks;
        for (unsigned row = 0; row < 8; ++row) {
          EXPECT_EQ(rows[matrix * 8 + row] % 16, 0u);
          banks.insert(rows[matrix * 8 + row] / 16 % 8);
        }
        EXPECT_EQ(banks.size(), 8u) << "rows share banks";
      }
      for (uint64_t lane = 0; lane < 32; ++lane)
        for (unsigned matrix = 0; matrix < matrices; ++matrix)
          for (unsigned e = 0; e < 4 / elementBytes; ++e) {
            uint64_t index = r;
            for (unsigned i = 0; i < plan->wordBits.size(); ++i)
              index |= uint64_t(e >> i & 1) << plan->wordBits[i];
            for (unsigned i = 0; i < plan->matrixBits.size(); ++i)
              index |= uint64_t(matrix >> i & 1) << plan->matrixBits[i];
            uint64_t wanted =
                offsets.apply(Indices{warp, lane, index})[0] * elementBytes;
            EXPECT_EQ(byteAt(rows, plan->isTransposed, lane, matrix,
                             e * elementBytes),
                      wanted);
          }
    }
  return true;
}

LinearLayout swizzled(const TensorShape &shape, bool isTransposed,
                      unsigned elementBytes) {
  std::vector<unsigned> order = {1, 0};
  if (isTransposed)
    order = {0, 1};
  unsigned chunks = std::min<unsigned>(shape[order[0]] * elementBytes / 16, 8);
  return sharedLayout(shape, order, {16 / elementBytes, 8 / chunks, chunks});
}

} // namespace

TEST(MatrixLoad, Operands) {
  DotShape shape{{}, 64, 64, 64};
  DotLayouts halves = dotLayouts(shape, fragments(half()), {2, 2}, 4);
  EXPECT_TRUE(
      checkMatrixLoad(halves.lhs, swizzled({64, 64}, false, 2), 2, false));
  EXPECT_TRUE(
      checkMatrixLoad(halves.lhs, swizzled({64, 64}, true, 2), 2, true));
  EXPECT_TRUE(
      checkMatrixLoad(halves.rhs, swizzled({64, 64}, false, 2), 2, true));
  EXPECT_TRUE(
      checkMatrixLoad(halves.rhs, swizzled({64, 64}, true, 2), 2, false));
  DotLayouts small = dotLayouts(shape, fragments(bytes()), {2, 2}, 4);
  EXPECT_TRUE(
      checkMatrixLoad(small.lhs, swizzled({64, 64}, false, 1), 1, false));
  EXPECT_TRUE(
      checkMatrixLoad(small.rhs, swizzled({64, 64}, true, 1), 1, false));
  EXPECT_FALSE(
      checkMatrixLoad(small.rhs, swizzled({64, 64}, false, 1), 1, true));
  DotLayouts words = dotLayouts(shape, fragments(tf32()), {2, 2}, 4);
  EXPECT_TRUE(
      checkMatrixLoad(words.lhs, swizzled({64, 64}, false, 4), 4, false));
}

TEST(MatrixLoad, NarrowRows) {
  DotLayouts halves =
      dotLayouts({{}, 64, 16, 32}, fragments(half()), {4, 1}, 4);
  EXPECT_TRUE(
      checkMatrixLoad(halves.lhs, swizzled({64, 32}, false, 2), 2, false));
  EXPECT_TRUE(
      checkMatrixLoad(halves.rhs, swizzled({32, 16}, false, 2), 2, true));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(MatrixAtom, TextRoundTrip) {
  for (const MatrixAtom &atom : {half(), bytes(), tf32()}) {
    std::optional<MatrixAtom> read = parseAtom(toText(atom));
    ASSERT_TRUE(read);
    EXPECT_EQ(toText(*read), toText(atom));
    EXPECT_EQ(read->lhsLayout, atom.lhsLayout);
    EXPECT_EQ(read->result, atom.result);
  }
  EXPECT_FALSE(parseAtom("m16n8k16"));
  EXPECT_FALSE(parseAtom("x 16 8 16 bf17 bf16 f32 | -> | -> | ->"));
}
