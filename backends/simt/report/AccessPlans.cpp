//===- AccessPlans.cpp - Instructions of accesses to memory ---------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector lies along a dimension of stride 1, is aligned, and is inside the
// bounds as a whole or not at all: the rules of BoxAlignment.h, as in emission.
//===----------------------------------------------------------------------===//
#include "backends/simt/report/AccessPlans.h"

#include "backends/simt/analysis/BoxAlignment.h"
#include "backends/simt/analysis/Scratch.h"

#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

const char *simt::describe(VectorLimit limit) {
  switch (limit) {
  case VectorLimit::None:
    return "";
  case VectorLimit::Registers:
    return "no thread holds a longer run of consecutive elements";
  case VectorLimit::Alignment:
    return "the base, an offset or a stride is not known to be divisible by "
           "more";
  case VectorLimit::Bounds:
    return "the bounds are not known to be divisible by more";
  case VectorLimit::Mask:
    return "each element has a condition of its own";
  case VectorLimit::Stride:
    return "no dimension is known to have stride 1";
  case VectorLimit::Addresses:
    return "each element has an address of its own";
  }
  llvm_unreachable("all limits have words");
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static RankedTensorType typeOf(kernel::LoadOp op) {
  return cast<RankedTensorType>(op.getResult().getType());
}
static RankedTensorType typeOf(kernel::StoreOp op) {
  return cast<RankedTensorType>(op.getValue().getType());
}

template <typename Op> static Box boxWithIndex(Op op) {
  Box box = boxOf(op);
  box.indexDim = op.getIndexDim();
  return box;
}

template <typename Op>
static AccessPlan plan(Op op, const LinearLayout &layout,
                       unsigned maxVectorBytes) {
  AccessPlan result = planOfElements(typeOf(op).getElementType());
  if (op.getMask()) {
    result.limit = VectorLimit::Mask;
    return result;
  }
  Box box = boxWithIndex(op);
  std::optional<unsigned> dim = contiguousDim(box);
  result.limit = VectorLimit::Stride;
  if (!dim)
    return result;
  unsigned element = result.elementBytes;
  uint64_t aligned = addressAlignment(box, *dim, element);
  uint64_t whole =
      runAlignment(box, *dim, typeOf(op).getDimSize(*dim), element);
  result.vector =
      vectorAccess(layout, tensorDim(*dim), element, whole, maxVectorBytes);
  if (result.bytes() >= maxVectorBytes)
    result.limit = VectorLimit::None;
  else if (result.bytes() < std::max<uint64_t>(whole, element))
    result.limit = VectorLimit::Registers;
  else
    result.limit =
        whole < aligned ? VectorLimit::Bounds : VectorLimit::Alignment;
  return result;
}

AccessPlan simt::planOf(kernel::LoadOp op, const LinearLayout &layout,
                        unsigned maxVectorBytes) {
  return plan(op, layout, maxVectorBytes);
}

AccessPlan simt::planOf(kernel::StoreOp op, const LinearLayout &layout,
                        unsigned maxVectorBytes) {
  return plan(op, layout, maxVectorBytes);
}

AccessPlan simt::planOfElements(Type element) {
  AccessPlan result;
  result.elementBytes = memoryBytes(element);
  result.limit = VectorLimit::Addresses;
  return result;
}

//===----------------------------------------------------------------------===//
// Sectors
//===----------------------------------------------------------------------===//

/// The registers of one vector, numbered as the layout's.
static std::vector<uint64_t> vectorRegisters(const VectorAccess &access) {
  std::vector<uint64_t> registers = {0};
  for (unsigned bit : access.registerBits)
    for (size_t i = 0, size = registers.size(); i < size; ++i)
      registers.push_back(registers[i] | uint64_t(1) << bit);
  return registers;
}

template <typename Op>
static Coalescing sectors(Op op, const LinearLayout &layout,
                          const AccessPlan &plan, unsigned sectorBytes) {
  std::vector<std::optional<int64_t>> strides;
  for (auto [dim, stride] : llvm::enumerate(boxOf(op).view.getStrides())) {
    IntegerAttr known;
    bool isPlain =
        op.getBoundary()[dim] != int32_t(kernel::BoundaryMode::Wrap) &&
        op.getIndexDim() != dim;
    strides.push_back(isPlain && matchPattern(stride, m_Constant(&known))
                          ? std::optional(known.getInt())
                          : std::nullopt);
  }
  std::set<uint64_t> elements;
  std::set<std::pair<uint64_t, int64_t>> met; // unknown indices, sector
  for (uint64_t lane = 0; lane < 1u << layout.inputBits(laneDim); ++lane)
    for (uint64_t each : vectorRegisters(plan.vector)) {
      uint64_t element = layout.apply(lane << layout.inputShift(laneDim) |
                                      each << layout.inputShift(registerDim));
      elements.insert(element);
      uint64_t elsewhere = 0;
      int64_t address = 0;
      for (auto [dim, stride] : llvm::enumerate(strides)) {
        uint64_t mask = layout.outputMask(tensorDim(dim));
        uint64_t index = (element & mask) >> layout.outputShift(tensorDim(dim));
        if (stride)
          address += int64_t(index) * *stride * plan.elementBytes;
        else
          elsewhere |= element & mask;
      }
      int64_t first = llvm::divideFloorSigned(address, int64_t(sectorBytes));
      int64_t last = llvm::divideFloorSigned(address + plan.elementBytes - 1,
                                             int64_t(sectorBytes));
      for (int64_t sector = first; sector <= last; ++sector)
        met.insert({elsewhere, sector});
    }
  uint64_t bytes = elements.size() * plan.elementBytes;
  return {met.size(),
          std::max<uint64_t>((bytes + sectorBytes - 1) / sectorBytes, 1)};
}

Coalescing simt::sectorsOf(kernel::LoadOp op, const LinearLayout &layout,
                           const AccessPlan &plan, unsigned sectorBytes) {
  return sectors(op, layout, plan, sectorBytes);
}

Coalescing simt::sectorsOf(kernel::StoreOp op, const LinearLayout &layout,
                           const AccessPlan &plan, unsigned sectorBytes) {
  return sectors(op, layout, plan, sectorBytes);
}
