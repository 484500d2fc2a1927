//===- BoxAccess.cpp - Addresses and masks of accesses ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Position p_d of a register is offset + the thread's coordinate + a constant,
// so that an address is the thread's pointer plus constants times strides, and
// registers that differ in one dimension share the others' masks.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/BoxAccess.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

Value *combineMasks(Emitter &e, Value *lhs, Value *rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return lhs == rhs ? lhs : e.b.CreateAnd(lhs, rhs);
}

Value *accessMask(Emitter &e, mlir::Type shaped, unsigned index, bool isStore) {
  if (!isa<RankedTensorType>(shaped))
    return isStore ? e.isFirstThread() : nullptr;
  EmittedLayout &layout = e.layout(shaped);
  Value *mask = e.isElement(layout, index);
  return isStore ? combineMasks(e, e.isOwner(layout), mask) : mask;
}

BoxAccess::BoxAccess(Emitter &e, AsyncCopyOp op, mlir::Type shaped)
    : e(e), view(e.view(op.getView())), shaped(shaped),
      element(getElementTypeOrSelf(shaped)), boundary(op.getBoundary()) {
  llvm::append_range(offsets, op.getOffsets());
  llvm::append_range(lo, op.getLo());
  llvm::append_range(hi, op.getHi());
}

bool BoxAccess::isUnitStride(unsigned dim) {
  auto op = cast<kernel::ViewOp>(view.op);
  return matchPattern(op.getStrides()[dim], m_One());
}

/// i64.
Value *BoxAccess::position(unsigned dim, unsigned registerIndex) {
  Value *offset = e.scalar(offsets[dim]);
  if (isScalar())
    return offset;
  EmittedLayout &layout = e.layout(shaped);
  Value *at = nullptr;
  if (indexDim == dim) {
    EmittedLayout &indices = e.layout(index);
    LinearLayout kept = layout.map;
    for (unsigned other = 0; other < rank(); ++other)
      if (other != dim)
        kept = kept.removeOutput(tensorDim(other));
    at = e.registers(index)[indices.find(kept.apply(registerIndex))];
    return e.b.CreateAdd(offset, e.b.CreateSExt(at, e.b.getInt64Ty()));
  }
  at = e.coordinate(layout, dim, registerIndex);
  return e.b.CreateAdd(offset, e.b.CreateZExt(at, e.b.getInt64Ty()));
}

/// p mod size with the sign of the (positive) size.
Value *BoxAccess::wrapped(unsigned dim, Value *position) {
  Value *size = view.sizes[dim];
  Value *rest = e.b.CreateSRem(position, size);
  Value *isNegative = e.b.CreateICmpSLT(rest, e.b.getInt64(0));
  return e.b.CreateSelect(isNegative, e.b.CreateAdd(rest, size), rest);
}

Value *BoxAccess::boundsMask(unsigned dim, Value *position) {
  if (boundary[dim] != int32_t(kernel::BoundaryMode::Checked))
    return nullptr;
  Value *above = e.b.CreateICmpSGE(position, e.scalar(lo[dim]));
  Value *below = e.b.CreateICmpSLT(position, e.scalar(hi[dim]));
  return e.b.CreateAnd(above, below);
}

const BoxAccess::Place &BoxAccess::place(unsigned dim, unsigned registerIndex) {
  uint64_t constant =
      isScalar() ? 0 : e.layout(shaped).offset(registerIndex, dim);
  auto [found, isNew] = places.try_emplace({dim, constant});
  if (!isNew)
    return found->second;
  Value *at = position(dim, registerIndex);
  Place result;
  result.mask = boundsMask(dim, at);
  if (boundary[dim] == int32_t(kernel::BoundaryMode::Wrap))
    at = wrapped(dim, at);
  result.offset = isUnitStride(dim) ? at : e.b.CreateMul(at, view.strides[dim]);
  return places[{dim, constant}] = result;
}

Value *BoxAccess::pointer(unsigned registerIndex) {
  Value *sum = nullptr;
  for (unsigned dim = 0; dim < rank(); ++dim) {
    Value *part = place(dim, registerIndex).offset;
    sum = sum ? e.b.CreateAdd(sum, part) : part;
  }
  return sum ? e.b.CreateGEP(e.memoryType(element), view.base, sum) : view.base;
}

/// Whether the lanes of a warp stand at one index of a dimension.
static bool isOfWarp(const EmittedLayout &layout, unsigned dim) {
  uint64_t moved = 0;
  for (unsigned bit = 0; bit < layout.map.inputBits(laneDim); ++bit)
    moved |= layout.map.basis(laneDim, bit);
  return !(moved & layout.map.outputMask(tensorDim(dim)));
}

/// Whether 32 bits hold the distances of a warp's elements, with the vectors
/// that begin there: strides are small constants, or of dimensions that only
/// the base moves along, whose scale is 0. Then fills `scales`.
bool BoxAccess::canSplit() {
  constexpr uint64_t limit = (uint64_t(1) << 31) - 16;
  if (isScalar() || indexDim ||
      llvm::is_contained(boundary, int32_t(kernel::BoundaryMode::Wrap)))
    return false;
  EmittedLayout &layout = e.layout(shaped);
  uint64_t farthest = 0;
  for (auto [dim, stride] :
       llvm::enumerate(cast<kernel::ViewOp>(view.op).getStrides())) {
    uint64_t steps = llvm::PowerOf2Ceil(layout.shape[dim]) - 1, bytes = 0;
    if (steps >= limit)
      return false;
    APInt elements;
    if (steps > 0 && matchPattern(stride, m_ConstantInt(&elements)) &&
        elements.isStrictlyPositive() && elements.ult(limit))
      bytes = elements.getZExtValue() * memoryBytes(element);
    if (steps > 0 && !bytes && !isOfWarp(layout, dim))
      return false;
    scales.push_back(bytes);
    farthest += steps * bytes;
    if (farthest >= limit)
      return false;
  }
  return true;
}

/// The address of the first element along dimensions that have a scale, at a
/// register's index of the others.
Value *BoxAccess::warpAddress(unsigned registerIndex) {
  Value *address = view.base;
  for (unsigned dim = 0; dim < rank(); ++dim) {
    bool isWarps = !scales[dim] && e.layout(shaped).shape[dim] > 1;
    Value *moved =
        isWarps ? position(dim, registerIndex) : e.scalar(offsets[dim]);
    if (!isUnitStride(dim))
      moved = e.b.CreateMul(moved, view.strides[dim]);
    address = e.b.CreateGEP(e.memoryType(element), address, moved);
  }
  return address;
}

/// Constants of a register are kept apart where no thread moves the same bits.
SplitAddress BoxAccess::split(unsigned registerIndex) {
  EmittedLayout &layout = e.layout(shaped);
  SplitAddress result;
  uint64_t ofBase = 0, met = 0; // met: what threads and the register both move
  llvm::SmallVector<unsigned> registers;
  for (unsigned dim = 0; dim < rank(); ++dim) {
    uint64_t moved = layout.offset(registerIndex, dim);
    bool isMet = moved & layout.threadBits(dim);
    registers.push_back(isMet ? registerIndex : 0);
    uint64_t packed =
        layout.packed(registerIndex) & layout.map.outputMask(tensorDim(dim));
    if (!scales[dim])
      ofBase |= packed;
    else if (isMet)
      met |= packed;
    else
      result.constant += moved * scales[dim];
  }
  Value *&base = splitBases[ofBase];
  result.base = base ? base : base = warpAddress(registerIndex);
  auto [found, isNew] = splitOffsets.try_emplace(met);
  if (isNew) {
    Value *sum = e.i32(0);
    for (unsigned dim = 0; dim < rank(); ++dim)
      if (scales[dim])
        sum = e.b.CreateAdd(
            sum, e.b.CreateMul(e.coordinate(layout, dim, registers[dim]),
                               e.i32(scales[dim])));
    found->second = sum;
  }
  result.offset = found->second;
  return result;
}

Value *BoxAccess::maskOf(unsigned registerIndex) {
  Value *result = nullptr;
  for (unsigned dim = 0; dim < rank(); ++dim)
    result = combineMasks(e, result, place(dim, registerIndex).mask);
  if (!mask)
    return result;
  const Registers &masks = e.registers(mask);
  return combineMasks(e, result,
                      masks.size() == 1 ? masks[0] : masks[registerIndex]);
}

/// The register bits of one vector, the lowest first: along a dimension of
/// stride 1, aligned, and inside the bounds as a whole or not at all.
std::vector<unsigned> BoxAccess::vectorBits(unsigned &alignment) {
  if (isScalar() || mask)
    return {};
  uint64_t bytes = memoryBytes(element);
  std::optional<unsigned> dim = contiguousDim(box());
  if (!dim)
    return {};
  EmittedLayout &layout = e.layout(shaped);
  uint64_t aligned = runAlignment(box(), *dim, layout.shape[*dim], bytes);
  VectorAccess access = vectorAccess(layout.map, tensorDim(*dim), bytes,
                                     aligned, e.target.maxVectorBytes);
  alignment = std::min<uint64_t>(aligned, access.elements() * bytes);
  return access.registerBits;
}

llvm::SmallVector<MemoryPiece> BoxAccess::pieces(bool isStore) {
  unsigned alignment = 1;
  std::vector<unsigned> bits = vectorBits(alignment);
  alignment = std::max(alignment, memoryBytes(element));
  llvm::SmallVector<unsigned> members = {0};
  unsigned inside = 0;
  for (unsigned bit : bits) {
    for (size_t i = 0, size = members.size(); i < size; ++i)
      members.push_back(members[i] | 1u << bit);
    inside |= 1u << bit;
  }
  unsigned count = isScalar() ? 1 : e.layout(shaped).registers;
  bool isSplit = e.hooks.hasSplitAccesses() && canSplit();
  llvm::SmallVector<MemoryPiece> result;
  for (unsigned first = 0; first < count; ++first) {
    if (first & inside)
      continue;
    if (isStore && !isScalar() &&
        Emitter::firstCopy(e.layout(shaped), first) != first)
      continue;
    MemoryPiece piece;
    piece.alignment = alignment;
    for (unsigned member : members)
      piece.registers.push_back(first | member);
    piece.pointer = pointer(first);
    piece.mask =
        combineMasks(e, accessMask(e, shaped, first, isStore), maskOf(first));
    if (isSplit && piece.mask)
      piece.split = split(first);
    result.push_back(std::move(piece));
  }
  return result;
}

} // namespace tilewright::simt
