//===- AssignLayouts.cpp - Give every tensor a layout -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products are anchors, analysis/LayoutFlow.h says how far they reach; all
// other tensors take the one layout of their shape. Operations are changed in
// place: results get the layout that follows from the operands, then
// conversions lead back to the one that was chosen.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/analysis/LayoutFlow.h"
#include "backends/simt/layout/DotLayouts.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTASSIGNLAYOUTSPASS
#include "backends/simt/transforms/Passes.h.inc"

/// Bytes that one thread reads or writes at once where it can.
static constexpr unsigned kVectorBytes = 16;

static TensorShape shapeOf(Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  return TensorShape(shape.begin(), shape.end());
}

static unsigned elementBytes(Type element) {
  if (!element.isIntOrFloat())
    return 8;
  return std::max(element.getIntOrFloatBitWidth() / 8, 1u);
}

namespace {
/// The layouts of one kernel.
class Assignment {
public:
  Assignment(func::FuncOp kernel, ArrayRef<MatrixAtom> atoms);
  void run();

private:
  DotLayoutAttrs layoutsOf(DotOp op, const MatrixAtom &atom);
  void anchor(ArrayRef<MatrixAtom> atoms);
  LayoutAttr layoutFor(Type type);
  LayoutAttr layoutFor(Value value);
  LayoutAttr attribute(const LinearLayout &layout) {
    return LayoutAttr::get(kernel.getContext(), layout);
  }
  LinearLayout sharedBy(Type type) { return layoutFor(type).getLayout(); }

  LayoutAttr required(OpOperand &operand);
  LayoutAttr requiredByRegion(OpOperand &operand);
  LayoutAttr requiredAsIndex(OpOperand &operand);
  LayoutAttr natural(OpResult result);
  void assign(Operation *op);
  void setType(Value value, LayoutAttr layout);

  func::FuncOp kernel;
  unsigned laneBits, warpBits;
  DenseMap<ArrayRef<int64_t>, unsigned> accessBytes; ///< narrowest, by shape
  DenseMap<ArrayRef<int64_t>, LayoutAttr> layouts;
  DotAnchors dots;
  DenseMap<Value, LayoutAttr> chosen; ///< other than by shape
};
} // namespace

Assignment::Assignment(func::FuncOp kernel, ArrayRef<MatrixAtom> atoms)
    : kernel(kernel) {
  auto read = [&](StringRef name, unsigned otherwise) {
    auto attribute = kernel->getAttrOfType<IntegerAttr>(name);
    return attribute ? unsigned(attribute.getInt()) : otherwise;
  };
  laneBits = llvm::Log2_32(read(kLanesAttr, 32));
  warpBits = llvm::Log2_32(read(kNumWarpsAttr, 4));
  kernel.walk([&](Operation *op) {
    if (!isa<kernel::LoadOp, kernel::StoreOp>(op))
      return;
    Value value =
        isa<kernel::LoadOp>(op) ? op->getResult(0) : op->getOperand(0);
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      unsigned &bytes =
          accessBytes.try_emplace(type.getShape(), kVectorBytes).first->second;
      bytes = std::min(bytes, elementBytes(type.getElementType()));
    }
  });
  anchor(atoms);
}

DotLayoutAttrs Assignment::layoutsOf(DotOp op, const MatrixAtom &atom) {
  TensorShape extents = shapeOf(op.getResult().getType());
  DotShape shape;
  shape.n = extents.back();
  extents.pop_back();
  shape.m = extents.back();
  extents.pop_back();
  shape.batch = extents;
  unsigned numWarps = 1u << warpBits;
  DotWarps warps =
      chooseDotWarps(shape, atom.m, atom.n, numWarps, isChained(op));
  DotFragments fragments = {atom.lhsLayout, atom.rhsLayout, atom.resultLayout};
  shape.k = shapeOf(op.getLhs().getType()).back();
  DotLayouts found = dotLayouts(shape, fragments, warps, numWarps);
  if (!atom.isScaled)
    return {attribute(found.lhs), attribute(found.rhs), attribute(found.result),
            LayoutAttr(), LayoutAttr()};
  // Operands may have different numbers of elements in a byte.
  shape.k = shapeOf(op.getRhs().getType()).front();
  found.rhs = dotLayouts(shape, fragments, warps, numWarps).rhs;
  shape.k = shapeOf(op.getScales()[0].getType()).back();
  auto scales = [&](const LinearLayout &fragment, bool isRhs) {
    return attribute(dotScaleLayout(shape, fragment, isRhs, warps, numWarps));
  };
  return {attribute(found.lhs), attribute(found.rhs), attribute(found.result),
          scales(atom.lhsScaleLayout, false),
          scales(atom.rhsScaleLayout, true)};
}

void Assignment::anchor(ArrayRef<MatrixAtom> atoms) {
  kernel.walk([&](DotOp op) {
    for (const MatrixAtom &atom : atoms)
      if (op.getAtom() && *op.getAtom() == atom.name)
        dots.insert({op, layoutsOf(op, atom)});
  });
  chosen = flowLayouts(dots);
}

LayoutAttr Assignment::layoutFor(Value value) {
  LayoutAttr own = chosen.lookup(value);
  return own ? own : layoutFor(value.getType());
}

/// The layout of all tensors of a shape: vectors along the last dimension.
LayoutAttr Assignment::layoutFor(Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  LayoutAttr &layout = layouts[shape];
  if (layout)
    return layout;
  uint64_t perThread = 1;
  for (int64_t extent : shape)
    perThread *= llvm::PowerOf2Ceil(extent);
  perThread = std::max<uint64_t>(perThread >> (laneBits + warpBits), 1);
  auto access = accessBytes.find(shape);
  unsigned bytes = access == accessBytes.end() ? 4 : access->second;
  unsigned elements = std::min<uint64_t>(perThread, kVectorBytes / bytes);
  std::vector<unsigned> order;
  for (unsigned dim = shape.size(); dim-- > 0;)
    order.push_back(dim);
  TensorShape extents(shape.begin(), shape.end());
  layout = attribute(
      blockedLayout(extents, chooseBlockedTile(extents, laneBits, warpBits,
                                               elements, order)));
  return layout;
}

/// Twice the tensor: the highest register bit tells the halves apart.
static LinearLayout catLayout(const LinearLayout &half) {
  LayoutDims inputs = half.inputs(), outputs = half.outputs();
  std::vector<uint64_t> columns = half.columns();
  columns.insert(columns.begin() + half.inputBits(registerDim),
                 uint64_t(1) << outputs[0].bits);
  for (LayoutDim &input : inputs)
    input.bits += input.name == registerDim;
  ++outputs[0].bits;
  return LinearLayout(inputs, outputs, columns);
}

/// What loops and branches are given.
LayoutAttr Assignment::requiredByRegion(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned number = operand.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return layoutFor(Value(loop.getTiedLoopRegionIterArg(&operand)));
  if (!isa<scf::YieldOp>(op))
    return nullptr;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return layoutFor(Value(loop.getRegionIterArg(number)));
  if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
    return layoutFor(Value(branch.getResult(number)));
  return nullptr;
}

/// An index tensor of a box: the box's without its other dimensions.
LayoutAttr Assignment::requiredAsIndex(OpOperand &operand) {
  auto indexed = [&](Value index, std::optional<uint32_t> dim, Type box) {
    SmallVector<int64_t> others;
    for (int64_t d = 0; d < cast<RankedTensorType>(box).getRank(); ++d)
      if (!dim || d != int64_t(*dim))
        others.push_back(d);
    return operand.get() == index ? withoutDimensions(layoutFor(box), others)
                                  : LayoutAttr();
  };
  if (auto load = dyn_cast<kernel::LoadOp>(operand.getOwner()))
    return indexed(load.getIndex(), load.getIndexDim(),
                   load.getResult().getType());
  if (auto store = dyn_cast<kernel::StoreOp>(operand.getOwner()))
    return indexed(store.getIndex(), store.getIndexDim(),
                   store.getValue().getType());
  return nullptr;
}

/// What an operand has to be in; null for scalars.
LayoutAttr Assignment::required(OpOperand &operand) {
  Type type = operand.get().getType();
  if (!isa<RankedTensorType>(type))
    return nullptr;
  Operation *op = operand.getOwner();
  if (LayoutAttr passed = requiredByRegion(operand))
    return passed;
  if (LayoutAttr index = requiredAsIndex(operand))
    return index;
  if (isElementwise(op))
    return layoutFor(op->getResult(0));
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return withoutDimensions(layoutFor(Value(broadcast.getResult())),
                             broadcast.getDimensions());
  if (auto split = dyn_cast<kernel::SplitOp>(op))
    if (isa<RankedTensorType>(split.getLhs().getType()))
      return attribute(joinLayout(sharedBy(split.getLhs().getType())));
  if (isa<kernel::ReduceOp>(op))
    return layoutOf(op->getOperand(0).getType());
  auto dot = dots.find(op);
  if (dot == dots.end())
    return layoutFor(type);
  const LayoutAttr wanted[] = {dot->second.lhs, dot->second.rhs,
                               dot->second.result, dot->second.lhsScale,
                               dot->second.rhsScale};
  return wanted[operand.getOperandNumber()];
}

/// What a result is in, its operands being as required.
LayoutAttr Assignment::natural(OpResult result) {
  Operation *op = result.getOwner();
  auto operand = [&]() {
    return layoutOf(op->getOperand(0).getType()).getLayout();
  };
  return llvm::TypeSwitch<Operation *, LayoutAttr>(op)
      .Case([&](TransposeOp o) {
        std::vector<unsigned> permutation(o.getPermutation().begin(),
                                          o.getPermutation().end());
        return attribute(transposeLayout(operand(), permutation));
      })
      .Case([&](ReshapeOp o) {
        std::optional<LinearLayout> reshaped =
            reshapeLayout(operand(), shapeOf(o.getSource().getType()),
                          shapeOf(o.getResult().getType()));
        return reshaped ? attribute(*reshaped) : layoutFor(result.getType());
      })
      .Case([&](kernel::JoinOp o) {
        return isa<RankedTensorType>(o.getLhs().getType())
                   ? attribute(joinLayout(operand()))
                   : layoutFor(result.getType());
      })
      .Case([&](kernel::CatOp) { return attribute(catLayout(operand())); })
      .Case([&](kernel::ReduceOp o) {
        return attribute(sliceLayout(operand(), o.getAxis()));
      })
      .Case([&](DotOp o) {
        auto dot = dots.find(o);
        return dot == dots.end() ? layoutFor(result.getType())
                                 : dot->second.result;
      })
      .Default([&](Operation *) { return layoutFor(Value(result)); });
}

void Assignment::setType(Value value, LayoutAttr layout) {
  value.setType(withLayout(value.getType(), layout));
}

/// Constants carry their type in the value, too.
static void retypeConstant(arith::ConstantOp op) {
  auto value = cast<DenseElementsAttr>(op.getValue());
  op.setValueAttr(DenseElementsAttr::get(cast<ShapedType>(op.getType()),
                                         value.getSplatValue<Attribute>()));
}

void Assignment::assign(Operation *op) {
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands()) {
    LayoutAttr wanted = required(operand);
    if (wanted && layoutOf(operand.get().getType()) != wanted)
      operand.set(ConvertLayoutOp::create(
          b, op->getLoc(), withLayout(operand.get().getType(), wanted),
          operand.get()));
  }
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (isa<RankedTensorType>(argument.getType()))
        setType(argument, layoutFor(Value(argument)));
  b.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    LayoutAttr shared = layoutFor(Value(result));
    setType(result, natural(result));
    if (layoutOf(result.getType()) == shared)
      continue;
    auto back = ConvertLayoutOp::create(
        b, op->getLoc(), withLayout(result.getType(), shared), result);
    result.replaceAllUsesExcept(back, back);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (isa<RankedTensorType>(constant.getType()))
      retypeConstant(constant);
}

void Assignment::run() {
  SmallVector<Operation *> operations;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != kernel)
      operations.push_back(op);
  });
  for (Operation *op : operations)
    assign(op);
}

namespace {
struct AssignLayoutsPass
    : public impl::SimtAssignLayoutsPassBase<AssignLayoutsPass> {
  using SimtAssignLayoutsPassBase::SimtAssignLayoutsPassBase;

  void runOnOperation() override {
    // Only products need the atoms, and reading them takes longer than laying
    // out a small kernel.
    bool hasProducts = getOperation()
                           ->walk([](DotOp) { return WalkResult::interrupt(); })
                           .wasInterrupted();
    std::optional<std::vector<MatrixAtom>> parsed = std::vector<MatrixAtom>();
    if (hasProducts)
      parsed = parseAtoms(getOperation(),
                          SmallVector<std::string>(atoms.begin(), atoms.end()));
    if (!parsed)
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      Assignment(kernel, *parsed).run();
  }
};
} // namespace

} // namespace tilewright::simt
