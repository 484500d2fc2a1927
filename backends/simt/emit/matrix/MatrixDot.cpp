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
//
// A product of thousands of instructions is a loop over groups of the result's
// atoms around one along k, on values in private memory: as many sums are in no
// machine's registers, and compilers take minutes over code of that length.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/chunks/Chunks.h"
#include "backends/simt/emit/matrix/LocalReader.h"
#include "backends/simt/emit/matrix/ScaleFactors.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

/// In registers' elements: of e2m1 two count as one.
static int64_t depthOf(DotOp op) {
  return cast<RankedTensorType>(op.getLhs().getType()).getShape().back();
}

/// The operation's atom, or null.
static const MatrixAtom *atomOf(const Emitter &e, DotOp op) {
  for (const MatrixAtom &atom : e.target.atoms)
    if (op.getAtom() && atom.name == *op.getAtom())
      return &atom;
  return nullptr;
}

/// The register of an operand with an atom's first element: in the batches and
/// the row (of the right operand: the column) of a register of the result.
static unsigned findAtom(const EmittedLayout &result, EmittedLayout &operand,
                         bool isRhs, unsigned index, uint64_t k) {
  unsigned rank = result.shape.size();
  std::vector<uint64_t> indices;
  for (unsigned dim = 0; dim + 2 < rank; ++dim)
    indices.push_back(result.offset(index, dim));
  uint64_t own = result.offset(index, isRhs ? rank - 1 : rank - 2);
  indices.push_back(isRhs ? k : own);
  indices.push_back(isRhs ? own : k);
  return operand.find(packIndices(operand.map.outputs(), indices));
}

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

  /// The atom that begins with a register.
  Registers fragment(unsigned first) {
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
        rhs(e, op.getRhs(), atom.rhsLayout),
        depth(depthOf(op) * elementsOf(atom.lhs)),
        accumulator(e.registers(op.getAccumulator())) {}

  void emit();

private:
  Registers left(unsigned first, uint64_t k) {
    return lhs.fragment(
        findAtom(result, lhs.layout, false, first, k / elementsOf(atom.lhs)));
  }
  Registers right(unsigned first, uint64_t k) {
    return rhs.fragment(
        findAtom(result, rhs.layout, true, first, k / elementsOf(atom.rhs)));
  }
  llvm::SmallVector<Value *> emitAtom(unsigned first, uint64_t k,
                                      llvm::ArrayRef<Value *> sums);
  void fetch(uint64_t k);
  void multiply(uint64_t k);

  Emitter &e;
  DotOp op;
  const MatrixAtom &atom;
  EmittedLayout &result;
  Operand lhs, rhs;
  int64_t depth;
  Registers accumulator;
  llvm::SmallVector<unsigned> firsts; ///< of each atom of the result
};

} // namespace

/// Reads what the step needs; values are kept until they are used.
void MatrixDotEmitter::fetch(uint64_t k) {
  for (unsigned first : firsts) {
    left(first, k);
    right(first, k);
  }
}

llvm::SmallVector<Value *>
MatrixDotEmitter::emitAtom(unsigned first, uint64_t k,
                           llvm::ArrayRef<Value *> sums) {
  if (!atom.isScaled)
    return e.hooks.emitMatrixAtom(e.b, atom, left(first, k), right(first, k),
                                  sums);
  ScaleFactors scales(e, op, atom);
  return e.hooks.emitScaledAtom(e.b, atom, left(first, k), right(first, k),
                                sums, scales.at(/*isRhs=*/false, first, k),
                                scales.at(/*isRhs=*/true, first, k));
}

void MatrixDotEmitter::multiply(uint64_t k) {
  for (unsigned first : firsts) {
    unsigned count = 1u << atom.resultLayout.inputBits(registerDim);
    llvm::ArrayRef<Value *> sums = ArrayRef(accumulator).slice(first, count);
    llvm::SmallVector<Value *> next = emitAtom(first, k, sums);
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
  if (atom.isScaled)
    accumulator = ScaleFactors(e, op, atom).markNaN(std::move(accumulator));
  e.set(op.getResult(), std::move(accumulator));
}

//===----------------------------------------------------------------------===//
// In loops
//===----------------------------------------------------------------------===//

namespace {

/// One operand in private memory: numbers of atoms' first registers are linear
/// in those of the result's registers and in the step along k.
class PrivateOperand {
public:
  PrivateOperand(Emitter &e, const EmittedLayout &result, mlir::Value value,
                 bool isRhs, const MatrixAtom &atom)
      : e(e), result(result), layout(e.layout(value)), value(value),
        isRhs(isRhs), stepBits(llvm::Log2_32(atom.k)),
        count(1u << (isRhs ? atom.rhsLayout : atom.lhsLayout)
                        .inputBits(registerDim)) {
    e.copyToPrivate(value);
  }

  /// i32: what a group of the result's registers and a step add.
  Value *firstOf(Value *group, unsigned groupBits, Value *step,
                 int64_t depth) const {
    std::vector<uint64_t> ofGroup, ofStep;
    for (unsigned bit = groupBits; 1u << bit < result.registers; ++bit)
      ofGroup.push_back(findAtom(result, layout, isRhs, 1u << bit, 0));
    for (int64_t k = int64_t(1) << stepBits; k < depth; k *= 2)
      ofStep.push_back(findAtom(result, layout, isRhs, 0, k));
    return e.b.CreateXor(emitLinearMap(e, group, ofGroup),
                         emitLinearMap(e, step, ofStep));
  }

  /// The atom for a register of the group; atoms of one row are read once.
  const Registers &fragment(Value *first, unsigned index,
                            llvm::DenseMap<unsigned, Registers> &known) const {
    unsigned place = findAtom(result, layout, isRhs, index, 0);
    Registers &registers = known[place];
    if (registers.empty())
      for (unsigned r = 0; r < count; ++r)
        registers.push_back(
            e.loadPrivate(value, e.b.CreateXor(first, e.i32(place | r))));
    return registers;
  }

private:
  Emitter &e;
  const EmittedLayout &result;
  EmittedLayout &layout;
  mlir::Value value;
  bool isRhs;
  unsigned stepBits, count;
};

/// A long product under emission.
class LoopedDotEmitter {
public:
  LoopedDotEmitter(Emitter &e, DotOp op, const MatrixAtom &atom)
      : e(e), op(op), atom(atom), result(e.layout(op.getResult())),
        lhs(e, result, op.getLhs(), /*isRhs=*/false, atom),
        rhs(e, result, op.getRhs(), /*isRhs=*/true, atom),
        groupBits(std::max(e.target.chunks.chunkBits,
                           atom.resultLayout.inputBits(registerDim))) {}

  void emit();

private:
  Registers multiply(Value *group, Value *step, Registers sums);
  void sumGroup(Value *group);

  Emitter &e;
  DotOp op;
  const MatrixAtom &atom;
  EmittedLayout &result;
  PrivateOperand lhs, rhs;
  unsigned groupBits; ///< register bits of the result inside of a group
};

} // namespace

/// One step along k of all atoms of a group.
Registers LoopedDotEmitter::multiply(Value *group, Value *step,
                                     Registers sums) {
  Value *left = lhs.firstOf(group, groupBits, step, depthOf(op));
  Value *right = rhs.firstOf(group, groupBits, step, depthOf(op));
  llvm::DenseMap<unsigned, Registers> lefts, rights;
  unsigned count = 1u << atom.resultLayout.inputBits(registerDim);
  for (unsigned first = 0; first < sums.size(); first += count) {
    llvm::SmallVector<Value *> next = e.hooks.emitMatrixAtom(
        e.b, atom, lhs.fragment(left, first, lefts),
        rhs.fragment(right, first, rights), ArrayRef(sums).slice(first, count));
    llvm::copy(next, sums.begin() + first);
  }
  return sums;
}

void LoopedDotEmitter::sumGroup(Value *group) {
  unsigned count = std::min(1u << groupBits, result.registers);
  Value *first = e.b.CreateShl(group, groupBits);
  auto slot = [&](unsigned r) { return e.b.CreateOr(first, e.i32(r)); };
  Registers sums;
  for (unsigned r = 0; r < count; ++r)
    sums.push_back(e.loadPrivate(op.getResult(), slot(r)));
  sums = e.emitLoop(e.i32(0), e.i32(llvm::divideCeil(depthOf(op), atom.k)),
                    e.i32(1), sums, [&](Value *step, const Registers &carried) {
                      return multiply(group, step, carried);
                    });
  for (unsigned r = 0; r < count; ++r)
    e.storePrivate(op.getResult(), slot(r), sums[r]);
}

void LoopedDotEmitter::emit() {
  copyPrivate(e, op.getResult(), op.getAccumulator());
  unsigned groups = std::max(result.registers >> groupBits, 1u);
  e.emitLoop(e.i32(0), e.i32(groups), e.i32(1), {},
             [&](Value *group, const Registers &) -> Registers {
               sumGroup(group);
               return {};
             });
  e.setPrivate(op.getResult());
}

/// Atoms may be blocks of instructions: their number follows from the
/// multiply-adds of a thread and what a common instruction does of them.
bool isDotInLoops(Emitter &e, DotOp op) {
  constexpr uint64_t mostInstructions = 1024, bytesOfInstruction = 128;
  const MatrixAtom *atom = atomOf(e, op);
  if (!atom || atom->isScaled || !e.hooks.hasMatrixAtoms())
    return false;
  uint64_t registers = e.layout(op.getResult()).registers;
  unsigned ofAtom = atom->resultLayout.inputBits(registerDim);
  uint64_t atoms = (registers >> ofAtom) * (depthOf(op) / atom->k);
  uint64_t bytes = registers * depthOf(op) *
                   memoryBytes(getElementTypeOrSelf(op.getLhs().getType()));
  return std::max(atoms, bytes / bytesOfInstruction) > mostInstructions;
}

bool emitLoopedDot(Emitter &e, DotOp op) {
  if (!isDotInLoops(e, op))
    return false;
  LoopedDotEmitter(e, op, *atomOf(e, op)).emit();
  return true;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

void emitMatrixDot(Emitter &e, DotOp op) {
  const MatrixAtom *atom = atomOf(e, op);
  if (atom && e.hooks.hasMatrixAtoms())
    return MatrixDotEmitter(e, op, *atom).emit();
  e.refuse(op, 4120,
           "the target has no matrix instruction '" + *op.getAtom() + "'");
  e.setPoison(op.getResult());
}

} // namespace tilewright::simt
