//===- MatrixProducts.cpp - Matrix instructions of a warp -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the operands of all lanes by the table of facts, multiplies, and
// spreads the result. Products of floats are summed in double precision and
// rounded once; integers wrap.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Codes.h"
#include "backends/simulate/machine/MatrixFacts.h"
#include "backends/simulate/machine/Meetings.h"

#include "backends/simt/layout/MatrixAtom.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>

namespace tilewright::simulate {

using simt::Element;

static const llvm::fltSemantics *semanticsOf(Element element) {
  switch (element) {
  case Element::F8E4M3FN:
    return &llvm::APFloat::Float8E4M3FN();
  case Element::F8E5M2:
    return &llvm::APFloat::Float8E5M2();
  case Element::F8E4M3FNUZ:
    return &llvm::APFloat::Float8E4M3FNUZ();
  case Element::F8E5M2FNUZ:
    return &llvm::APFloat::Float8E5M2FNUZ();
  case Element::F4E2M1:
    return &llvm::APFloat::Float4E2M1FN();
  case Element::BF16:
    return &llvm::APFloat::BFloat();
  case Element::F16:
    return &llvm::APFloat::IEEEhalf();
  default:
    return nullptr;
  }
}

static double decode(Element element, uint64_t bits) {
  const llvm::fltSemantics &semantics = *semanticsOf(element);
  llvm::APFloat value(
      semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
  return value.convertToDouble();
}

/// All values of a type of at most 16 bits, made once.
static const std::vector<float> &valuesOf(Element element) {
  static std::vector<float> tables[16];
  std::vector<float> &table = tables[static_cast<unsigned>(element)];
  if (table.empty()) {
    unsigned bits = llvm::APFloat::getSizeInBits(*semanticsOf(element));
    for (uint64_t value = 0; value < (1ull << bits); ++value)
      table.push_back(float(decode(element, value)));
  }
  return table;
}

namespace {
/// One operand of the instruction as a matrix of doubles or integers.
struct Matrix {
  Matrix(uint32_t rows, uint32_t columns)
      : columns(columns), values(size_t(rows) * columns),
        isThere(size_t(rows) * columns) {}
  double &at(uint32_t row, uint32_t column) {
    return values[size_t(row) * columns + column];
  }

  uint32_t columns;
  std::vector<double> values; ///< i32 fits
  std::vector<bool> isThere;
};
} // namespace

static uint32_t bytesOf(Element element) {
  if (element == Element::I8)
    return 1;
  if (const llvm::fltSemantics *semantics = semanticsOf(element))
    return llvm::APFloat::getSizeInBits(*semantics) / 8;
  return element == Element::F64 ? 8 : 4;
}

template <typename T> static double readAs(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return double(value);
}

/// tf32 drops what its ten bits of fraction do not hold.
static double readTF32(const char *from) {
  uint32_t bits;
  std::memcpy(&bits, from, sizeof bits);
  bits &= ~0x1fffu;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Element `index` of a lane's registers.
static double readElement(Element element, const char *registers,
                          uint32_t index) {
  if (element == Element::F4E2M1) {
    auto pair = uint8_t(registers[index / 2]);
    return valuesOf(element)[pair >> 4 * (index % 2) & 15];
  }
  const char *from = registers + size_t(bytesOf(element)) * index;
  switch (element) {
  case Element::I8:
    return readAs<int8_t>(from);
  case Element::I32:
    return readAs<int32_t>(from);
  case Element::TF32:
    return readTF32(from);
  case Element::F32:
    return readAs<float>(from);
  case Element::F64:
    return readAs<double>(from);
  default:
    return valuesOf(
        element)[bytesOf(element) == 1 ? size_t(readAs<uint8_t>(from))
                                       : size_t(readAs<uint16_t>(from))];
  }
}

static void writeElement(Element element, double value, char *to) {
  if (element == Element::F64) {
    std::memcpy(to, &value, sizeof value);
  } else if (element == Element::I32) {
    auto wrapped = int32_t(uint32_t(int64_t(value)));
    std::memcpy(to, &wrapped, sizeof wrapped);
  } else {
    auto rounded = float(value);
    std::memcpy(to, &rounded, sizeof rounded);
  }
}

/// 255 is no NaN here: code may not rely on what the hardware makes of it.
static double factorOf(const WarpLanes &warp, Operand operand, Element element,
                       uint32_t count, const char *Lane::*registers,
                       Place place) {
  bool isRhs = operand == Operand::Rhs;
  uint32_t lane =
      laneOfFactor(*warp[0]->shape, isRhs ? place.column : place.row,
                   isRhs ? place.row : place.column);
  uint32_t bytes = element == Element::F4E2M1 ? count / 2 : count;
  auto factor = uint8_t((warp[lane]->*registers)[bytes]);
  return std::ldexp(1.0, int(factor) - 127);
}

/// Fills `matrix` from the registers of all lanes. Elements that several lanes
/// hold have to be the same.
static Finding gather(const WarpLanes &warp, Operand operand, Element element,
                      uint32_t count, const char *Lane::*registers,
                      Matrix &matrix) {
  const MatrixShape &shape = *warp[0]->shape;
  bool isScaled = MatrixForm(shape.form) == MatrixForm::Scaled &&
                  operand != Operand::Result;
  for (uint32_t lane = 0; lane < warp.size(); ++lane)
    for (uint32_t index = 0; index < count; ++index) {
      Place place = placeOf(shape, operand, lane, index);
      double value = readElement(element, warp[lane]->*registers, index);
      if (isScaled)
        value *= factorOf(warp, operand, element, count, registers, place);
      size_t at = size_t(place.row) * matrix.columns + place.column;
      bool isSame = matrix.values[at] == value ||
                    (std::isnan(value) && std::isnan(matrix.values[at]));
      if (matrix.isThere[at] && !isSame)
        return {kFragment, "thread " + std::to_string(warp[lane]->thread) +
                               " holds another copy of element (" +
                               std::to_string(place.row) + ", " +
                               std::to_string(place.column) +
                               ") of a matrix operand than a lower lane"};
      matrix.values[at] = value;
      matrix.isThere[at] = true;
    }
  return {};
}

static double sum(Matrix &lhs, Matrix &rhs, uint32_t row, uint32_t column,
                  uint32_t k, double start, bool isDouble) {
  double total = isDouble ? start : 0;
  for (uint32_t i = 0; i < k; ++i) {
    double x = lhs.at(row, i), y = rhs.at(i, column);
    total = isDouble ? std::fma(x, y, total) : total + x * y;
  }
  return isDouble ? total : total + start;
}

/// What the instruction's registers and the machine's warps have to be.
static Finding checkShape(const WarpLanes &warp, const MatrixShape &shape) {
  bool fits = lanesOf(MatrixFamily(shape.family)) == warp.size() &&
              registersOf(shape, Operand::Lhs) == shape.lhsCount &&
              registersOf(shape, Operand::Rhs) == shape.rhsCount &&
              registersOf(shape, Operand::Result) == shape.resultCount;
  if (fits)
    return {};
  return {kFragment,
          "a matrix instruction of " + std::to_string(shape.m) + "x" +
              std::to_string(shape.n) + "x" + std::to_string(shape.k) +
              " has other registers than " + std::to_string(shape.lhsCount) +
              ", " + std::to_string(shape.rhsCount) + " and " +
              std::to_string(shape.resultCount)};
}

Finding multiplyMatrices(const WarpLanes &warp) {
  const MatrixShape &shape = *warp[0]->shape;
  if (Finding finding = checkShape(warp, shape))
    return finding;
  auto result = Element(shape.result);
  Matrix lhs(shape.m, shape.k), rhs(shape.k, shape.n), start(shape.m, shape.n);
  if (Finding finding = gather(warp, Operand::Lhs, Element(shape.lhs),
                               shape.lhsCount, &Lane::lhs, lhs))
    return finding;
  if (Finding finding = gather(warp, Operand::Rhs, Element(shape.rhs),
                               shape.rhsCount, &Lane::rhs, rhs))
    return finding;
  if (Finding finding = gather(warp, Operand::Result, result, shape.resultCount,
                               &Lane::accumulator, start))
    return finding;
  uint32_t bytes = bytesOf(result);
  for (uint32_t lane = 0; lane < warp.size(); ++lane)
    for (uint32_t index = 0; index < shape.resultCount; ++index) {
      Place place = placeOf(shape, Operand::Result, lane, index);
      double value =
          sum(lhs, rhs, place.row, place.column, shape.k,
              start.at(place.row, place.column), result == Element::F64);
      writeElement(result, value, warp[lane]->result + size_t(bytes) * index);
    }
  return {};
}

} // namespace tilewright::simulate
