//===- MatrixAtom.cpp - One matrix instruction of a sub-group -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments from their steps, and atoms as text.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/MatrixAtom.h"

#include "backends/simt/layout/GF2.h"

#include <algorithm>
#include <sstream>

using namespace tilewright::simt;

LinearLayout
tilewright::simt::makeFragment(unsigned rows, unsigned columns,
                               const std::vector<FragmentStep> &registers,
                               const std::vector<FragmentStep> &lanes) {
  std::vector<uint64_t> bases;
  unsigned shift = ceilLog2(columns);
  for (const std::vector<FragmentStep> *steps : {&registers, &lanes})
    for (const FragmentStep &step : *steps)
      bases.push_back(uint64_t(step.row) << shift | step.column);
  return LinearLayout(
      {{laneDim, unsigned(lanes.size())},
       {registerDim, unsigned(registers.size())}},
      {{tensorDim(0), ceilLog2(rows)}, {tensorDim(1), ceilLog2(columns)}},
      std::move(bases));
}

MatrixAtom tilewright::simt::makeAtom16x8(std::string name, unsigned k,
                                          unsigned packed, Element lhs,
                                          Element rhs, Element result) {
  MatrixAtom atom;
  atom.name = std::move(name);
  atom.m = 16;
  atom.n = 8;
  atom.k = k;
  atom.lhs = lhs;
  atom.rhs = rhs;
  atom.result = result;
  std::vector<FragmentStep> left, right;
  for (unsigned step = 1; step < packed; step *= 2) {
    left.push_back({0, step});
    right.push_back({step, 0});
  }
  left.push_back({8, 0});
  left.push_back({0, k / 2});
  right.push_back({k / 2, 0});
  atom.lhsLayout = makeFragment(
      16, k, left, {{0, packed}, {0, 2 * packed}, {1, 0}, {2, 0}, {4, 0}});
  atom.rhsLayout = makeFragment(
      k, 8, right, {{packed, 0}, {2 * packed, 0}, {0, 1}, {0, 2}, {0, 4}});
  atom.resultLayout = makeFragment(16, 8, {{0, 1}, {8, 0}},
                                   {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  return atom;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// In the order of Element.
static constexpr const char *kElementNames[] = {
    "i8",   "i32", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ",
    "bf16", "f16", "tf32",     "f32",    "f64",        "f4E2M1"};

static const char *nameOf(Element element) {
  return kElementNames[static_cast<unsigned>(element)];
}

static bool readElement(const std::string &name, Element &element) {
  for (unsigned i = 0; i < std::size(kElementNames); ++i)
    if (name == kElementNames[i]) {
      element = Element(i);
      return true;
    }
  return false;
}

std::string tilewright::simt::toText(const MatrixAtom &atom) {
  std::ostringstream out;
  out << atom.name << " " << atom.m << " " << atom.n << " " << atom.k << " "
      << nameOf(atom.lhs) << " " << nameOf(atom.rhs) << " "
      << nameOf(atom.result) << " | " << atom.lhsLayout.toString() << " | "
      << atom.rhsLayout.toString() << " | " << atom.resultLayout.toString();
  if (atom.isScaled)
    out << " | " << atom.lhsScaleLayout.toString() << " | "
        << atom.rhsScaleLayout.toString();
  std::string text = out.str();
  std::replace(text.begin(), text.end(), ',', ';');
  return text;
}

std::optional<MatrixAtom> tilewright::simt::parseAtom(const std::string &text) {
  std::string commas = text;
  std::replace(commas.begin(), commas.end(), ';', ',');
  std::istringstream in(commas);
  std::string head, layout, lhs, rhs, result, error;
  MatrixAtom atom;
  if (!std::getline(in, head, '|'))
    return std::nullopt;
  std::istringstream words(head);
  words >> atom.name >> atom.m >> atom.n >> atom.k >> lhs >> rhs >> result;
  if (!words || !readElement(lhs, atom.lhs) || !readElement(rhs, atom.rhs) ||
      !readElement(result, atom.result))
    return std::nullopt;
  atom.isScaled = std::count(text.begin(), text.end(), '|') == 5;
  std::vector<LinearLayout *> fragments = {&atom.lhsLayout, &atom.rhsLayout,
                                           &atom.resultLayout};
  if (atom.isScaled)
    fragments.insert(fragments.end(),
                     {&atom.lhsScaleLayout, &atom.rhsScaleLayout});
  for (LinearLayout *fragment : fragments) {
    if (!std::getline(in, layout, '|'))
      return std::nullopt;
    std::optional<LinearLayout> read = LinearLayout::parse(layout, error);
    if (!read)
      return std::nullopt;
    *fragment = *read;
  }
  return atom;
}
