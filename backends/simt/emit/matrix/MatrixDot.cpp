//===- MatrixDot.cpp - Products by matrix instructions ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread holds fragments of whole atoms. For each step along k: fetch the
// fragments of the next step, then one instruction for each atom of the result,
//
//   for k: for m: for n: acc[m, n] = atom(lhs[m, k], rhs[k, n], acc[m, n])
//
// where operands in shared memory are read just then. Atoms that are blocks of
// instructions have enough to do while operands arrive: nothing is fetched
// ahead, which would take more registers than there are.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/matrix/LocalReader.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

namespace {

/// One operand: a fragment is the registers of an atom at a place.
class Operand {
public:
  Operand(Emitter &e, mlir::Value value, const LinearLayout &atom)
      : layout(e.layout(value)), atomBits(atom.inputBits(registerDim)) {
    auto load = value.getDefiningOp<LocalLoadOp>();
    if (load && isReadByDot(e, load))
      reader =
          std::make_unique<LocalReader>(e, load, (uint64_t(1) << atomBits) - 1);
    else
      registers = e.registers(value);
  }

  /// The atom whose first register is at a packed relative coordinate.
  Registers fragment(uint64_t coordinate) {
    unsigned first = layout.find(coordinate);
    Registers result;
    for (unsigned r = 0; r < 1u << atomBits; ++r)
      result.push_back(reader ? reader->get(first | r) : registers[first | r]);
    return result;
  }

  unsigned atomRegisters() const { return 1u << atomBits; }

  EmittedLayout &layout;

private:
  unsigned atomBits; ///< the lowest register bits are the atom's
  std::unique_ptr<LocalReader> reader;
  Registers registers;
};

/// One product under emission.
class MatrixDotEmitter {
public:
  MatrixDotEmitter(Emitter &e, DotOp op, const MatrixAtom &atom)
      : e(e), op(op), atom(atom), result(e.layout(op.getResult())),
        lhs(e, op.getLhs(), atom.lhsLayout),
        rhs(e, op.getRhs(), atom.rhsLayout), rank(result.shape.size()),
        depth(
            cast<RankedTensorType>(op.getLhs().getType()).getDimSize(rank - 1)),
        accumulator(e.registers(op.getAccumulator())) {}

  void emit();

private:
  uint64_t place(const EmittedLayout &layout, unsigned first, uint64_t row,
                 uint64_t column) const;
  Registers left(unsigned first, uint64_t k) {
    uint64_t row = result.offset(first, rank - 2);
    return lhs.fragment(place(lhs.layout, first, row, k));
  }
  Registers right(unsigned first, uint64_t k) {
    uint64_t column = result.offset(first, rank - 1);
    return rhs.fragment(place(rhs.layout, first, k, column));
  }
  void fetch(uint64_t k);
  void multiply(uint64_t k);

  Emitter &e;
  DotOp op;
  const MatrixAtom &atom;
  EmittedLayout &result;
  Operand lhs, rhs;
  unsigned rank;
  int64_t depth;
  Registers accumulator;
  llvm::SmallVector<unsigned> firsts; ///< of each atom of the result
};

} // namespace

/// Packed coordinate in an operand: the batches of a result register, and its
/// own last two indices.
uint64_t MatrixDotEmitter::place(const EmittedLayout &layout, unsigned first,
                                 uint64_t row, uint64_t column) const {
  std::vector<uint64_t> indices;
  for (unsigned dim = 0; dim + 2 < rank; ++dim)
    indices.push_back(result.offset(first, dim));
  indices.push_back(row);
  indices.push_back(column);
  return packIndices(layout.map.outputs(), indices);
}

/// Reads what the step needs; values are kept until they are used.
void MatrixDotEmitter::fetch(uint64_t k) {
  for (unsigned first : firsts) {
    left(first, k);
    right(first, k);
  }
}

void MatrixDotEmitter::multiply(uint64_t k) {
  for (unsigned first : firsts) {
    unsigned count = 1u << atom.resultLayout.inputBits(registerDim);
    llvm::ArrayRef<Value *> sums = ArrayRef(accumulator).slice(first, count);
    llvm::SmallVector<Value *> next = e.hooks.emitMatrixAtom(
        e.b, atom, left(first, k), right(first, k), sums);
    llvm::copy(next, accumulator.begin() + first);
  }
}

void MatrixDotEmitter::emit() {
  unsigned count = 1u << atom.resultLayout.inputBits(registerDim);
  for (unsigned first = 0; first < result.registers; first += count)
    firsts.push_back(first);
  bool isAhead = lhs.atomRegisters() * rhs.atomRegisters() <= 128;
  if (isAhead)
    fetch(0);
  for (int64_t k = 0; k < depth; k += atom.k) {
    if (isAhead && k + atom.k < depth)
      fetch(k + atom.k);
    multiply(k);
  }
  e.set(op.getResult(), std::move(accumulator));
}

void emitMatrixDot(Emitter &e, DotOp op) {
  for (const MatrixAtom &atom : e.target.atoms)
    if (atom.name == *op.getAtom())
      return MatrixDotEmitter(e, op, atom).emit();
  e.refuse(op, 4120,
           "the target has no matrix instruction '" + *op.getAtom() + "'");
  e.setPoison(op.getResult());
}

} // namespace tilewright::simt
