//===- MatrixFacts.cpp - Where matrix instructions have what ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: "PTX ISA", section "Warp-level matrix instructions", the formulas
// below the figures of each shape; "AMD Instinct MI300 Instruction Set
// Architecture", section "Matrix Arithmetic Instructions", and AMD's matrix
// instruction calculator for MFMA; "RDNA3" and "RDNA4 Instruction Set
// Architecture", section "Wave Matrix Multiply Accumulate". For f8f6f4 and its
// factors see test/unit/amd/MatrixFacts.def.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/MatrixFacts.h"

#include "backends/simt/layout/MatrixAtom.h"

namespace tilewright::simulate {

using simt::Element;

static uint32_t bytesOf(uint32_t element) {
  switch (Element(element)) {
  case Element::BF16:
  case Element::F16:
    return 2;
  case Element::I32:
  case Element::TF32:
  case Element::F32:
    return 4;
  case Element::F64:
    return 8;
  default:
    return 1;
  }
}

/// g = lane / 4 is "groupID", t = lane % 4 "threadID_in_group". A 32-bit word
/// holds neighbours along k; of the words of the left operand, odd ones are 8
/// rows below, the upper two on the other half of k.
static Place placeOfPtx(const MatrixShape &shape, Operand operand,
                        uint32_t lane, uint32_t index) {
  uint32_t g = lane / 4, t = lane % 4;
  uint32_t bytes = bytesOf(shape.lhs), packed = bytes < 4 ? 4 / bytes : 1;
  uint32_t word = index / packed, inWord = index % packed;
  switch (operand) {
  case Operand::Lhs: {
    uint32_t halves = shape.m / 8;
    return {g + 8 * (word % halves),
            t * packed + inWord + 4 * packed * (word / halves)};
  }
  case Operand::Rhs:
    return {t * packed + inWord + 4 * packed * word, g};
  case Operand::Result:
    return {g + 8 * (index / 2), 2 * t + index % 2};
  }
  return {};
}

/// Of an f8f6f4 instruction: of 4-bit elements a lane holds 32 neighbours, of
/// bytes two runs of 16, of which the lanes of a row share each half of k.
static uint32_t depthOfMixed(const MatrixShape &shape, uint32_t element,
                             uint32_t group, uint32_t index) {
  if (Element(element) == Element::F4E2M1)
    return 32 * group + index;
  return shape.k / 2 * (index / 16) + 16 * group + index % 16;
}

/// A lane holds neighbours along k of one row (column of the right operand),
/// and lanes that many rows apart the next ones. Of the result it holds groups
/// of four rows of one column; of f64 every fourth row.
static Place placeOfMfma(const MatrixShape &shape, Operand operand,
                         uint32_t lane, uint32_t index) {
  uint32_t groups = 64 / shape.m;
  if (MatrixForm(shape.form) != MatrixForm::Plain) {
    if (operand == Operand::Lhs)
      return {lane % shape.m,
              depthOfMixed(shape, shape.lhs, lane / shape.m, index)};
    if (operand == Operand::Rhs)
      return {depthOfMixed(shape, shape.rhs, lane / shape.n, index),
              lane % shape.n};
  }
  switch (operand) {
  case Operand::Lhs:
    return {lane % shape.m, shape.k / groups * (lane / shape.m) + index};
  case Operand::Rhs:
    return {shape.k / groups * (lane / shape.n) + index, lane % shape.n};
  case Operand::Result: {
    uint32_t group = lane / shape.n, column = lane % shape.n;
    if (Element(shape.result) == Element::F64)
      return {group + groups * index, column};
    return {4 * groups * (index / 4) + 4 * group + index % 4, column};
  }
  }
  return {};
}

/// Both halves of the wave hold the same whole rows; of the result they hold
/// even and odd rows.
static Place placeOfWmmaGfx11(const MatrixShape &, Operand operand,
                              uint32_t lane, uint32_t index) {
  switch (operand) {
  case Operand::Lhs:
    return {lane % 16, index};
  case Operand::Rhs:
    return {index, lane % 16};
  case Operand::Result:
    return {2 * index + lane / 16, lane % 16};
  }
  return {};
}

/// The halves of the wave hold the halves of k, and of the result's rows.
static Place placeOfWmmaGfx12(const MatrixShape &shape, Operand operand,
                              uint32_t lane, uint32_t index) {
  switch (operand) {
  case Operand::Lhs:
    return {lane % 16, shape.k / 2 * (lane / 16) + index};
  case Operand::Rhs:
    return {shape.k / 2 * (lane / 16) + index, lane % 16};
  case Operand::Result:
    return {8 * (lane / 16) + index, lane % 16};
  }
  return {};
}

Place placeOf(const MatrixShape &shape, Operand operand, uint32_t lane,
              uint32_t index) {
  switch (MatrixFamily(shape.family)) {
  case MatrixFamily::Ptx:
    return placeOfPtx(shape, operand, lane, index);
  case MatrixFamily::Mfma:
    return placeOfMfma(shape, operand, lane, index);
  case MatrixFamily::WmmaGfx11:
    return placeOfWmmaGfx11(shape, operand, lane, index);
  case MatrixFamily::WmmaGfx12:
    return placeOfWmmaGfx12(shape, operand, lane, index);
  }
  return {};
}

uint32_t laneOfFactor(const MatrixShape &shape, uint32_t row, uint32_t k) {
  return row + shape.m * (k / 32);
}

uint32_t lanesOf(MatrixFamily family) {
  return family == MatrixFamily::Mfma ? 64 : 32;
}

uint32_t registersOf(const MatrixShape &shape, Operand operand) {
  uint32_t lanes = lanesOf(MatrixFamily(shape.family));
  uint32_t copies = MatrixFamily(shape.family) == MatrixFamily::WmmaGfx11 &&
                            operand != Operand::Result
                        ? 2
                        : 1;
  uint32_t elements = operand == Operand::Lhs   ? shape.m * shape.k
                      : operand == Operand::Rhs ? shape.k * shape.n
                                                : shape.m * shape.n;
  return copies * elements / lanes;
}

} // namespace tilewright::simulate
