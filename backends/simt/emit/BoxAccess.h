//===- BoxAccess.h - Addresses and masks of accesses ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits an access of a tensor into pieces: registers of this thread that one
// scalar or vector instruction moves.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_BOXACCESS_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_BOXACCESS_H

#include "backends/simt/analysis/BoxAlignment.h"
#include "backends/simt/analysis/Exchanges.h"
#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/Emitter.h"
#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

/// What one instruction moves.
struct MemoryPiece {
  llvm::SmallVector<unsigned, 4> registers; ///< consecutive in memory
  llvm::Value *pointer = nullptr;
  SplitAddress split;          ///< the same, for targets that want it
  llvm::Value *mask = nullptr; ///< i1, null for "always"
  unsigned alignment = 1;      ///< bytes
};

/// Both conditions; null is "always".
llvm::Value *combineMasks(Emitter &e, llvm::Value *lhs, llvm::Value *rhs);

/// Whether this thread is the one to touch what a register stands for: no
/// padding, and for stores and atomics the first copy. Null for "always".
llvm::Value *accessMask(Emitter &e, mlir::Type shaped, unsigned index,
                        bool isStore);

/// Addresses and masks of `kernel.load` and `kernel.store`.
class BoxAccess {
public:
  template <typename Op>
  BoxAccess(Emitter &e, Op op, mlir::Type shaped)
      : e(e), view(e.view(op.getView())), shaped(shaped),
        element(mlir::getElementTypeOrSelf(shaped)), boundary(op.getBoundary()),
        mask(op.getMask()), index(op.getIndex()) {
    if (op.getIndexDim())
      indexDim = *op.getIndexDim();
    for (mlir::Value offset : op.getOffsets())
      offsets.push_back(offset);
    for (mlir::Value bound : op.getLo())
      lo.push_back(bound);
    for (mlir::Value bound : op.getHi())
      hi.push_back(bound);
  }

  /// Of a copy whose threads hold elements as `shaped` says.
  BoxAccess(Emitter &e, AsyncCopyOp op, mlir::Type shaped);

  llvm::SmallVector<MemoryPiece> pieces(bool isStore);

private:
  /// What one index of a dimension adds to address and mask.
  struct Place {
    llvm::Value *offset = nullptr; ///< i64 elements, null for 0
    llvm::Value *mask = nullptr;
  };

  unsigned rank() const { return offsets.size(); }
  bool isScalar() const { return !mlir::isa<mlir::RankedTensorType>(shaped); }
  llvm::Value *position(unsigned dim, unsigned registerIndex);
  const Place &place(unsigned dim, unsigned registerIndex);
  llvm::Value *boundsMask(unsigned dim, llvm::Value *position);
  llvm::Value *wrapped(unsigned dim, llvm::Value *position);
  llvm::Value *pointer(unsigned registerIndex);
  bool canSplit();
  llvm::Value *warpAddress(unsigned registerIndex);
  SplitAddress split(unsigned registerIndex);
  llvm::Value *maskOf(unsigned registerIndex);
  Box box() const {
    return {mlir::cast<kernel::ViewOp>(view.op),
            offsets,
            lo,
            hi,
            boundary,
            indexDim};
  }
  bool isUnitStride(unsigned dim);
  std::vector<unsigned> vectorBits(unsigned &alignment);

  Emitter &e;
  const EmittedView &view;
  mlir::Type shaped, element;
  llvm::SmallVector<mlir::Value> offsets, lo, hi;
  llvm::ArrayRef<int32_t> boundary;
  mlir::Value mask, index;
  std::optional<unsigned> indexDim;
  /// Of split addresses: bytes of a step along each dimension, bases by what
  /// registers add to them, and this thread's distances.
  llvm::SmallVector<uint64_t> scales;
  llvm::DenseMap<uint64_t, llvm::Value *> splitBases, splitOffsets;
  llvm::DenseMap<std::pair<unsigned, uint64_t>, Place> places;
};

/// Pieces of one register each at computed addresses.
llvm::SmallVector<MemoryPiece> gatherPieces(Emitter &e, mlir::Type shaped,
                                            mlir::Value base,
                                            mlir::Value offsets,
                                            mlir::Value mask, bool isStore);

/// All registers, `others` where no piece was loaded.
Registers emitLoads(Emitter &e, llvm::ArrayRef<MemoryPiece> pieces,
                    mlir::Type element, const Registers &others,
                    const AccessFlags &hints);
void emitStores(Emitter &e, llvm::ArrayRef<MemoryPiece> pieces,
                const Registers &values, const AccessFlags &hints);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_BOXACCESS_H
