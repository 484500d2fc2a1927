//===- AssignLayouts.cpp - Give every tensor a layout -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are changed in place: results get the layout that follows from the
// operands, then conversions lead back to the one layout of the shape.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/dialect/SimtOps.h"
#include "backends/simt/layout/TensorLayouts.h"
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
  explicit Assignment(func::FuncOp kernel);
  void run();

private:
  LayoutAttr layoutFor(Type type);
  LayoutAttr attribute(const LinearLayout &layout) {
    return LayoutAttr::get(kernel.getContext(), layout);
  }
  LinearLayout sharedBy(Type type) { return layoutFor(type).getLayout(); }

  LayoutAttr required(OpOperand &operand);
  LayoutAttr natural(OpResult result);
  void assign(Operation *op);
  void setType(Value value, LayoutAttr layout);

  func::FuncOp kernel;
  unsigned laneBits, warpBits;
  DenseMap<ArrayRef<int64_t>, unsigned> accessBytes; ///< narrowest, by shape
  DenseMap<ArrayRef<int64_t>, LayoutAttr> layouts;
};
} // namespace

Assignment::Assignment(func::FuncOp kernel) : kernel(kernel) {
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

/// The layout with some dimensions only; without registers that then repeat.
static LinearLayout keepOnly(LinearLayout layout, ArrayRef<int64_t> dropped) {
  for (int64_t dim : llvm::reverse(dropped))
    layout = sliceLayout(layout, dim);
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

/// What an operand has to be in; null for scalars.
LayoutAttr Assignment::required(OpOperand &operand) {
  Type type = operand.get().getType();
  if (!isa<RankedTensorType>(type))
    return nullptr;
  Operation *op = operand.getOwner();
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return attribute(keepOnly(sharedBy(broadcast.getResult().getType()),
                              broadcast.getDimensions()));
  if (auto split = dyn_cast<kernel::SplitOp>(op))
    if (isa<RankedTensorType>(split.getLhs().getType()))
      return attribute(joinLayout(sharedBy(split.getLhs().getType())));
  auto indexed = [&](Value index, std::optional<uint32_t> dim, Type box) {
    SmallVector<int64_t> others;
    for (int64_t d = 0; d < cast<RankedTensorType>(box).getRank(); ++d)
      if (!dim || d != int64_t(*dim))
        others.push_back(d);
    return attribute(keepOnly(sharedBy(box), others));
  };
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    if (operand.get() == load.getIndex())
      return indexed(load.getIndex(), load.getIndexDim(),
                     load.getResult().getType());
  if (auto store = dyn_cast<kernel::StoreOp>(op))
    if (operand.get() == store.getIndex())
      return indexed(store.getIndex(), store.getIndexDim(),
                     store.getValue().getType());
  return layoutFor(type);
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
      .Default([&](Operation *) { return layoutFor(result.getType()); });
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
        setType(argument, layoutFor(argument.getType()));
  b.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    LayoutAttr shared = layoutFor(result.getType());
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
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      Assignment(kernel).run();
  }
};
} // namespace

} // namespace tilewright::simt
