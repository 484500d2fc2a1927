//===- LocalReader.h - Registers from shared memory -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer seen by one thread through a layout: addresses, vectors, and reads
// of single registers when they are wanted, so that a product can fetch the
// operands of one step while another is being computed.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_MATRIX_LOCALREADER_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_MATRIX_LOCALREADER_H

#include "backends/simt/dialect/SimtOps.h"
#include "backends/simt/emit/SharedBuffer.h"
#include "backends/simt/layout/MatrixLoad.h"

namespace tilewright::simt {

/// Where the elements of a tensor lie in one of an allocation's buffers.
class LocalAddresses {
public:
  /// `offsets` maps (warp, lane, register) to the element's offset.
  LocalAddresses(Emitter &e, mlir::Value memory, mlir::Value slot,
                 const LinearLayout &offsets, unsigned elementBytes);

  /// Address of a register's element. What is known of a register is added
  /// where no thread moves the same bits, so that it becomes a part of the
  /// instruction.
  llvm::Value *at(unsigned index);

private:
  Emitter &e;
  LinearIndex index;
  unsigned elementBytes;
  llvm::Value *base;
  uint64_t threadBits = 0;
  llvm::DenseMap<uint64_t, llvm::Value *> byKnown;
};

/// Offsets of a tensor's elements in a buffer.
LinearLayout offsetsIn(mlir::Value memory, const LinearLayout &tensor);

/// `simt.local_load`, one access at a time.
class LocalReader {
public:
  /// Register bits in `preferred` are read together where there is a choice.
  LocalReader(Emitter &e, LocalLoadOp op, uint64_t preferred = 0);

  llvm::Value *get(unsigned index);
  Registers all();

private:
  void read(unsigned index);
  void readMatrices(unsigned first);
  void readVector(unsigned first);
  /// The registers of one access, in the order of `bits`.
  llvm::SmallVector<unsigned> members(unsigned first,
                                      llvm::ArrayRef<unsigned> bits) const;

  Emitter &e;
  mlir::Type element;
  unsigned elementBytes;
  std::optional<MatrixLoad> matrices;
  std::vector<unsigned> accessBits; ///< register bits of one access
  std::unique_ptr<LocalAddresses> addresses;
  Registers registers;
};

/// Whether the product that uses a load reads it itself, register by register.
bool isReadByDot(Emitter &e, LocalLoadOp op);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_MATRIX_LOCALREADER_H
