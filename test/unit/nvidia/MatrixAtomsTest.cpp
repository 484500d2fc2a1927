//===- MatrixAtomsTest.cpp - Fragments of mma.sync --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts against the formulas that the PTX manual gives for each fragment
// (row and column of element i in a lane), written down here once more.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/Target.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::simt;

namespace {
struct Place {
  unsigned row, column;
};
using Formula = Place (*)(unsigned lane, unsigned i);
} // namespace

static void expectFragment(const LinearLayout &layout, Formula formula) {
  EXPECT_TRUE(layout.isInvertible()) << layout.toString();
  unsigned registers = 1u << layout.inputBits(registerDim);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < registers; ++i) {
      std::vector<uint64_t> at = layout.apply(std::vector<uint64_t>{lane, i});
      Place place = formula(lane, i);
      EXPECT_EQ(at[0], place.row) << "lane " << lane << " element " << i;
      EXPECT_EQ(at[1], place.column) << "lane " << lane << " element " << i;
    }
}

static MatrixAtom find(const char *target, const std::string &name) {
  nvidia::Problem problem;
  for (MatrixAtom &atom :
       nvidia::matrixAtoms(*nvidia::resolveTarget(target, problem)))
    if (atom.name == name)
      return atom;
  ADD_FAILURE() << "no atom " << name << " on " << target;
  return {};
}

// The accumulator of every m16n8 shape: c0, c1 in row group, c2, c3 eight
// below.
static Place accumulator(unsigned lane, unsigned i) {
  return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}

TEST(MatrixAtoms, HalfM16N8K16) {
  for (const char *name : {"m16n8k16.f16", "m16n8k16.bf16"}) {
    MatrixAtom atom = find("nvidia:sm_80", name);
    expectFragment(atom.lhsLayout, [](unsigned lane, unsigned i) {
      bool isUpper = (i >= 0 && i < 2) || (i >= 4 && i < 6);
      return Place{lane / 4 + (isUpper ? 0 : 8),
                   lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    });
    expectFragment(atom.rhsLayout, [](unsigned lane, unsigned i) {
      return Place{lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4};
    });
    expectFragment(atom.resultLayout, accumulator);
  }
}

TEST(MatrixAtoms, TensorFloatM16N8K8) {
  MatrixAtom atom = find("nvidia:sm_80", "m16n8k8.tf32");
  expectFragment(atom.lhsLayout, [](unsigned lane, unsigned i) {
    return Place{lane / 4 + (i == 0 || i == 2 ? 0 : 8),
                 lane % 4 + (i < 2 ? 0 : 4)};
  });
  expectFragment(atom.rhsLayout, [](unsigned lane, unsigned i) {
    return Place{lane % 4 + (i == 0 ? 0 : 4), lane / 4};
  });
  expectFragment(atom.resultLayout, accumulator);
}

TEST(MatrixAtoms, BytesM16N8K32) {
  for (auto [target, name] : {std::pair("nvidia:sm_80", "m16n8k32.s8"),
                              std::pair("nvidia:sm_89", "m16n8k32.e4m3"),
                              std::pair("nvidia:sm_90a", "m16n8k32.e5m2")}) {
    MatrixAtom atom = find(target, name);
    expectFragment(atom.lhsLayout, [](unsigned lane, unsigned i) {
      bool isUpper = i < 4 || (i >= 8 && i < 12);
      return Place{lane / 4 + (isUpper ? 0 : 8),
                   lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
    });
    expectFragment(atom.rhsLayout, [](unsigned lane, unsigned i) {
      return Place{lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane / 4};
    });
    expectFragment(atom.resultLayout, accumulator);
  }
}

TEST(MatrixAtoms, DoubleM8N8K4) {
  MatrixAtom atom = find("nvidia:sm_80", "m8n8k4.f64");
  expectFragment(atom.lhsLayout, [](unsigned lane, unsigned) {
    return Place{lane / 4, lane % 4};
  });
  expectFragment(atom.rhsLayout, [](unsigned lane, unsigned) {
    return Place{lane % 4, lane / 4};
  });
  expectFragment(atom.resultLayout, [](unsigned lane, unsigned i) {
    return Place{lane / 4, lane % 4 * 2 + i};
  });
}

TEST(MatrixAtoms, TuringHasHalfOnly) {
  MatrixAtom atom = find("nvidia:sm_75", "m16n8k8.f16");
  expectFragment(atom.lhsLayout, [](unsigned lane, unsigned i) {
    return Place{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
  });
  expectFragment(atom.rhsLayout, [](unsigned lane, unsigned i) {
    return Place{lane % 4 * 2 + i, lane / 4};
  });
  nvidia::Problem problem;
  EXPECT_EQ(nvidia::matrixAtoms(*nvidia::resolveTarget("nvidia:sm_75", problem))
                .size(),
            1u);
}
