//===- RaiseAccesses.cpp - Turn pointer arithmetic into boxes where proved ---*-
// C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All accesses are planned on the unchanged function, then built; old results
// are replaced last, so that plans stay valid.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/Passes.h"
#include "dialects/lowering/convert/TypeConversion.h"
#include "dialects/lowering/raise/AccessBuilder.h"
#include "dialects/lowering/raise/AccessPlan.h"
#include "dialects/tile/TileOps.h"
#include "mlir/IR/Iterators.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_RAISEACCESSESPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
class Raiser {
public:
  Raiser(func::FuncOp function, bool remarks)
      : function(function), remarks(remarks), scalars(function, dominance),
        indices(scalars) {}

  void run();

private:
  void raise(Operation *access, AccessPlan &plan);
  Box buildBox(Operation *access, AccessPlan &plan);
  void buildBounds(Operation *access, AccessPlan &plan, unsigned dim, Box &box);
  Value buildLimit(ArrayRef<Polynomial> limits, bool isUpper, Location loc);
  void applyConditions(Operation *access, AccessPlan &plan, Box &box);
  Value buildCondition(const AccessPlan &plan, Location loc);
  Value buildView(Operation *access, AccessPlan &plan);
  Value buildResidue(Operation *access, AccessPlan &plan, Value condition);
  Value castBase(Value base);
  void lowerToGather(Operation *access);
  Value buildSame(const Polynomial &value, Location loc) {
    return scalars.materialize(value, loc);
  }

  func::FuncOp function;
  bool remarks;
  DominanceInfo dominance;
  ScalarExpressions scalars;
  IndexExpressions indices;
  DenseMap<Value, Value> casts;
  SmallVector<std::pair<Operation *, Operation *>> replaced;
};
} // namespace

Value Raiser::castBase(Value base) {
  Value &cast = casts[base];
  if (cast)
    return cast;
  OpBuilder builder(base.getContext());
  builder.setInsertionPointAfterValue(base);
  Type type = convertPointer(llvm::cast<tile::PointerType>(base.getType()));
  cast = UnrealizedConversionCastOp::create(builder, base.getLoc(), type, base)
             .getResult(0);
  return cast;
}

/// The view lands outside of every loop in which it does not change.
Value Raiser::buildView(Operation *access, AccessPlan &plan) {
  Location loc = access->getLoc();
  Value base = castBase(plan.base), offset;
  SmallVector<Value> sizes, strides, operands{base};
  if (!plan.offset.isZero())
    operands.push_back(offset = buildSame(plan.offset, loc));
  for (const DimensionPlan &dimension : plan.dims) {
    Polynomial size(-1);
    if (dimension.wrapExtent)
      size = *dimension.wrapExtent;
    else if (dimension.hi.size() == 1 &&
             scalars.isOverArguments(dimension.hi.front()))
      size = dimension.hi.front();
    sizes.push_back(buildSame(size, loc));
    strides.push_back(buildSame(dimension.stride, loc));
  }
  llvm::append_range(operands, sizes);
  llvm::append_range(operands, strides);
  OpBuilder builder(access);
  scalars.setInsertionAfter(builder, operands);
  auto pointer = cast<kernel::PointerType>(base.getType());
  auto type = kernel::ViewType::get(builder.getContext(), plan.dims.size(),
                                    pointer.getPointee());
  return kernel::ViewOp::create(builder, loc, type, base, offset, sizes,
                                strides);
}

/// The smallest upper or the largest lower limit.
Value Raiser::buildLimit(ArrayRef<Polynomial> limits, bool isUpper,
                         Location loc) {
  Value result;
  for (const Polynomial &limit : limits) {
    Value value = buildSame(limit, loc);
    if (!result) {
      result = value;
      continue;
    }
    OpBuilder builder(loc.getContext());
    scalars.setInsertionAfter(builder, {result, value});
    if (isUpper)
      result = arith::MinSIOp::create(builder, loc, result, value);
    else
      result = arith::MaxSIOp::create(builder, loc, result, value);
  }
  return result;
}

/// A missing bound is one that always holds: positions start at the origin and
/// end before origin + extent. A lower bound of 0 is preferred where it is the
/// same whenever anything is in bounds, because it is what hardware checks.
void Raiser::buildBounds(Operation *access, AccessPlan &plan, unsigned dim,
                         Box &box) {
  Location loc = access->getLoc();
  DimensionPlan &dimension = plan.dims[dim];
  auto mode = kernel::BoundaryMode::Checked;
  if (dimension.wrapExtent)
    mode = kernel::BoundaryMode::Wrap;
  else if (dimension.lo.empty() && dimension.hi.empty())
    mode = kernel::BoundaryMode::Unchecked;
  box.boundary.push_back(static_cast<int32_t>(mode));
  if (mode != kernel::BoundaryMode::Checked) {
    box.lo.push_back(buildSame(0, loc));
    box.hi.push_back(box.lo.back());
    return;
  }
  auto shape = cast<RankedTensorType>(getData(access).getType()).getShape();
  if (dimension.lo.empty() &&
      scalars.proveNonNegative(dimension.origin, getFacts(plan.mask, shape)))
    dimension.lo.push_back(0);
  box.lo.push_back(dimension.lo.empty()
                       ? box.offsets[dim]
                       : buildLimit(dimension.lo, /*isUpper=*/false, loc));
  if (dimension.hi.empty()) {
    auto end = add(dimension.origin, shape[dim]);
    dimension.hi.push_back(end ? *end : Polynomial(INT64_MAX));
  }
  box.hi.push_back(buildLimit(dimension.hi, /*isUpper=*/true, loc));
}

/// All scalar conditions of the mask as one flag; null if there are none.
Value Raiser::buildCondition(const AccessPlan &plan, Location loc) {
  Value result;
  auto require = [&](Value flag) {
    if (!result) {
      result = flag;
      return;
    }
    OpBuilder builder(loc.getContext());
    scalars.setInsertionAfter(builder, {result, flag});
    result = arith::AndIOp::create(builder, loc, result, flag);
  };
  for (Value flag : plan.mask.flags)
    require(flag);
  for (const Polynomial &negative : plan.mask.negatives) {
    Value value = buildSame(negative, loc), zero = buildSame(0, loc);
    OpBuilder builder(loc.getContext());
    scalars.setInsertionAfter(builder, {value, zero});
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                  value, zero));
  }
  return result;
}

/// Conditions on scalars empty the box of one checked dimension.
void Raiser::applyConditions(Operation *access, AccessPlan &plan, Box &box) {
  Location loc = access->getLoc();
  Value condition = buildCondition(plan, loc);
  auto checked = static_cast<int32_t>(kernel::BoundaryMode::Checked);
  auto wraps = static_cast<int32_t>(kernel::BoundaryMode::Wrap);
  std::optional<unsigned> target;
  for (auto [dim, mode] : llvm::enumerate(box.boundary))
    if (mode != wraps && !plan.dims[dim].index &&
        (!target || (mode == checked && box.boundary[*target] != checked)))
      target = dim;
  if (condition && target) {
    unsigned dim = *target;
    if (box.boundary[dim] != checked) {
      auto shape = cast<RankedTensorType>(getData(access).getType()).getShape();
      auto end = add(plan.dims[dim].origin, shape[dim]);
      box.boundary[dim] = checked;
      box.lo[dim] = box.offsets[dim];
      box.hi[dim] = buildSame(end ? *end : Polynomial(INT64_MAX), loc);
    }
    OpBuilder builder(access);
    scalars.setInsertionAfter(builder,
                              {condition, box.hi[dim], box.offsets[dim]});
    box.hi[dim] = arith::SelectOp::create(builder, loc, condition, box.hi[dim],
                                          box.offsets[dim]);
    condition = Value();
  }
  box.mask = buildResidue(access, plan, condition);
}

/// What is no bound, as a mask right before the access.
Value Raiser::buildResidue(Operation *access, AccessPlan &plan,
                           Value condition) {
  OpBuilder builder(access);
  Location loc = access->getLoc();
  Value result;
  auto require = [&](Value mask) {
    result = result ? arith::AndIOp::create(builder, loc, result, mask) : mask;
  };
  for (unsigned leaf : plan.residue)
    require(buildLeaf(builder, plan.mask.leaves[leaf]));
  if (condition) {
    auto type = cast<RankedTensorType>(getData(access).getType());
    require(tile::SplatOp::create(builder, loc, type.clone(builder.getI1Type()),
                                  condition));
  }
  return result;
}

Box Raiser::buildBox(Operation *access, AccessPlan &plan) {
  Box box;
  for (auto [dim, dimension] : llvm::enumerate(plan.dims)) {
    box.offsets.push_back(buildSame(dimension.origin, access->getLoc()));
    buildBounds(access, plan, dim, box);
  }
  box.view = buildView(access, plan);
  if (auto indexDim = plan.getIndexDim()) {
    box.indexDim = *indexDim;
    box.index = plan.dims[*indexDim].index;
    auto type = cast<RankedTensorType>(box.index.getType());
    if (type.getRank() != 1) {
      OpBuilder builder(access);
      auto flat =
          RankedTensorType::get({type.getNumElements()}, type.getElementType());
      box.index = tile::ReshapeOp::create(builder, access->getLoc(), flat,
                                          box.index, UnitAttr());
    }
  }
  applyConditions(access, plan, box);
  return box;
}

/// The scalar behind a splat; null where `other` is absent or plain zero, and
/// the tensor itself where it is no splat.
static Value simplifyOther(OpBuilder &builder, Value other) {
  if (!other || matchPattern(other, m_Zero()) ||
      matchPattern(other, m_PosZeroFloat()))
    return {};
  if (auto splat = other.getDefiningOp<tile::SplatOp>())
    return simplifyOther(builder, splat.getSource());
  if (auto broadcast = other.getDefiningOp<tile::BroadcastOp>())
    if (broadcast.getSource().getDefiningOp<tile::SplatOp>())
      return simplifyOther(builder, broadcast.getSource());
  DenseElementsAttr constant;
  if (matchPattern(other, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(builder, other.getLoc(),
                                     constant.getSplatValue<TypedAttr>());
  return other;
}

/// Whether an element may be out of bounds or masked off.
static bool isGuarded(const Box &box) {
  return box.mask ||
         llvm::is_contained(
             box.boundary, static_cast<int32_t>(kernel::BoundaryMode::Checked));
}

void Raiser::raise(Operation *access, AccessPlan &plan) {
  Box box = buildBox(access, plan);
  OpBuilder builder(access);
  Location loc = access->getLoc();
  Operation *raised;
  if (auto load = dyn_cast<tile::LoadOp>(access))
    raised = createBoxLoad(
        builder, loc, load.getType(), box,
        isGuarded(box) ? simplifyOther(builder, load.getOther()) : Value(),
        load.getCache(), load.getEvict(), load.getIsVolatile());
  else
    raised = createBoxStore(builder, loc, getData(access), box,
                            cast<tile::StoreOp>(access).getCache(),
                            cast<tile::StoreOp>(access).getEvict());
  copyDiscardableAttributes(access, raised);
  replaced.push_back({access, raised});
}

/// A gather, scatter or atomic with a scalar base, if there is one; otherwise
/// the conversion takes the tensor of pointers.
void Raiser::lowerToGather(Operation *access) {
  Type pointee =
      cast<tile::PointerType>(getElementTypeOrSelf(getPointers(access)))
          .getPointee();
  if (isa<tile::PointerType>(pointee))
    return;
  OpBuilder builder(access);
  Location loc = access->getLoc();
  Value pointers = getPointers(access);
  auto address = buildGatherAddress(builder, loc, pointers);
  if (!address)
    return;
  Value base = castBase(address->base), offsets = address->offsets;
  Operation *raised =
      TypeSwitch<Operation *, Operation *>(access)
          .Case<tile::LoadOp>([&](tile::LoadOp load) {
            return kernel::GatherOp::create(
                builder, loc, load.getType(), base, offsets, load.getMask(),
                load.getOther(), load.getCacheAttr(), load.getEvictAttr(),
                load.getIsVolatileAttr());
          })
          .Case<tile::StoreOp>([&](tile::StoreOp store) {
            return kernel::ScatterOp::create(
                builder, loc, store.getValue(), base, offsets, store.getMask(),
                store.getCacheAttr(), store.getEvictAttr());
          })
          .Case<tile::AtomicRMWOp>([&](tile::AtomicRMWOp atomic) {
            return kernel::AtomicRMWOp::create(
                builder, loc, atomic.getType(), atomic.getKindAttr(),
                atomic.getSemanticsAttr(), atomic.getScopeAttr(),
                atomic.getValue(), base, offsets, atomic.getMask());
          })
          .Case<tile::AtomicCASOp>([&](tile::AtomicCASOp atomic) {
            return kernel::AtomicCASOp::create(
                builder, loc, atomic.getType(), atomic.getSemanticsAttr(),
                atomic.getScopeAttr(), atomic.getCompare(), atomic.getValue(),
                base, offsets);
          })
          .Default([](Operation *) { return nullptr; });
  copyDiscardableAttributes(access, raised);
  replaced.push_back({access, raised});
}

/// Address arithmetic that nothing uses any more.
static void eraseDeadOps(func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// Says what became of an access and what stood against more.
static void emitPlanRemark(Operation *access, const AccessPlan *plan,
                           StringRef reason) {
  if (!plan) {
    access->emitRemark("raise: the access is a gather or scatter: ") << reason;
    return;
  }
  InFlightDiagnostic remark = access->emitRemark("raise: the access is a box");
  if (auto dim = plan->getIndexDim())
    remark << " with computed indices along dimension " << *dim;
  if (plan->unprovedWraps > 0)
    remark << ": the operands of '%' are not proved to be positive";
  if (!plan->residue.empty())
    remark << ", part of the mask is no bound";
}

void Raiser::run() {
  std::vector<std::pair<Operation *, std::optional<AccessPlan>>> plans;
  function.walk([&](Operation *op) {
    if (!isa<tile::LoadOp, tile::StoreOp, tile::AtomicRMWOp, tile::AtomicCASOp>(
            op) ||
        !isa<RankedTensorType>(getPointers(op).getType()))
      return;
    std::string reason = "an atomic has no box form";
    std::optional<AccessPlan> plan;
    if (isa<tile::LoadOp, tile::StoreOp>(op))
      plan = planAccess(op, indices, reason);
    if (remarks)
      emitPlanRemark(op, plan ? &*plan : nullptr, reason);
    plans.push_back({op, std::move(plan)});
  });
  for (auto &[access, plan] : plans) {
    if (plan)
      raise(access, *plan);
    else
      lowerToGather(access);
  }
  for (auto [access, raised] : replaced) {
    access->replaceAllUsesWith(raised->getResults());
    access->erase();
  }
  eraseDeadOps(function);
  SmallVector<Attribute> facts;
  for (StringAttr name : scalars.getUsedFacts())
    facts.push_back(
        StringAttr::get(function.getContext(), name.getValue() + ":range"));
  if (!facts.empty())
    function->setAttr("tw.facts_used",
                      ArrayAttr::get(function.getContext(), facts));
}

namespace {
struct RaiseAccessesPass
    : lowering::impl::RaiseAccessesPassBase<RaiseAccessesPass> {
  using RaiseAccessesPassBase::RaiseAccessesPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        Raiser(function, remarks).run();
  }
};
} // namespace
