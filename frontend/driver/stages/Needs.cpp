//===- Needs.cpp - What a kernel asks of any target -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk. Intervals of integers are computed on demand, in 128 bits.
//===----------------------------------------------------------------------===//

#include "frontend/driver/stages/Needs.h"

#include "dialects/kernel/KernelOps.h"
#include "frontend/driver/IRDiagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mlir;

namespace tilewright::driver {

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

namespace {
using Wide = __int128;

struct Interval {
  Wide low, high;
};

/// What integers may be, from the ranges of arguments and of the grid.
class Intervals {
public:
  explicit Intervals(llvm::StringRef ranges);
  std::optional<Interval> of(Value value);
  /// The exact result of a sum, difference or product, before it wraps.
  std::optional<Interval> exact(Operation *op);

private:
  std::optional<Interval> compute(Value value);
  std::optional<Interval> ofArgument(BlockArgument argument);

  std::map<std::string, Interval> names;
  llvm::DenseMap<Value, std::optional<Interval>> known;
};
} // namespace

Intervals::Intervals(llvm::StringRef ranges) {
  for (llvm::StringRef entry : llvm::split(ranges, ',')) {
    auto [name, bounds] = entry.split('=');
    auto [low, high] = bounds.split("..");
    int64_t first, last;
    if (!low.trim().getAsInteger(10, first) &&
        !high.trim().getAsInteger(10, last))
      names[name.trim().str()] = {first, last};
  }
}

std::optional<Interval> Intervals::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  known[value] = std::nullopt; // of a cycle nothing is known
  std::optional<Interval> result = compute(value);
  known[value] = result;
  return result;
}

static Interval multiply(Interval a, Interval b) {
  Wide corners[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                    a.high * b.high};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners))};
}

std::optional<Interval> Intervals::exact(Operation *op) {
  std::optional<Interval> a = of(op->getOperand(0)), b = of(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return Interval{a->low + b->low, a->high + b->high};
  if (isa<arith::SubIOp>(op))
    return Interval{a->low - b->high, a->high - b->low};
  return multiply(*a, *b);
}

std::optional<Interval> Intervals::ofArgument(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function)
    return std::nullopt;
  auto name =
      function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tw.name");
  auto found = names.find(name ? name.getValue().str() : "");
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Interval> Intervals::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return Interval{constant.getSExtValue(), constant.getSExtValue()};
  Operation *op = value.getDefiningOp();
  auto ofGrid = [&](uint32_t axis) -> std::optional<Interval> {
    auto found = names.find("grid" + std::to_string(axis));
    return found == names.end() ? std::nullopt : std::optional(found->second);
  };
  return llvm::TypeSwitch<Operation *, std::optional<Interval>>(op)
      .Case([&](kernel::ProgramIdOp id) -> std::optional<Interval> {
        std::optional<Interval> extent = ofGrid(id.getAxis());
        return extent ? std::optional(Interval{0, extent->high - 1})
                      : std::nullopt;
      })
      .Case(
          [&](kernel::NumProgramsOp count) { return ofGrid(count.getAxis()); })
      .Case([&](kernel::RangeOp range) -> std::optional<Interval> {
        return Interval{Wide(int32_t(range.getStart())),
                        Wide(int32_t(range.getEnd())) - 1};
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *sum) -> std::optional<Interval> {
            std::optional<Interval> result = exact(sum);
            unsigned width =
                getElementTypeOrSelf(value).getIntOrFloatBitWidth();
            Wide limit = Wide(1) << (width - 1);
            bool isInside =
                result && result->low >= -limit && result->high < limit;
            return isInside ? result : std::nullopt;
          })
      .Case<arith::ExtSIOp, arith::IndexCastOp, tensor::SplatOp,
            tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            linalg::BroadcastOp>(
          [&](Operation *same) { return of(same->getOperand(0)); })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class Needs {
public:
  explicit Needs(const std::string &ranges) : intervals(ranges) {}
  void visit(Operation *op);
  llvm::json::Array list;

private:
  void add(llvm::StringRef kind, const std::string &type, std::string text,
           Operation *op);
  void visitFloats(Operation *op);
  void visitOverflow(Operation *op);
  void visitWait(scf::WhileOp loop);

  Intervals intervals;
  std::set<std::string> floats; ///< types that are computed with
};
} // namespace

static std::string typeName(Type type) {
  type = getElementTypeOrSelf(type);
  if (type.isF32())
    return "fp32";
  if (type.isF64())
    return "fp64";
  if (type.isF16())
    return "fp16";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void Needs::add(llvm::StringRef kind, const std::string &type, std::string text,
                Operation *op) {
  syntax::Diagnostic place;
  setLocation(place, op->getLoc());
  list.push_back(llvm::json::Object{{"kind", kind},
                                    {"type", type},
                                    {"text", std::move(text)},
                                    {"file", place.fileName},
                                    {"line", place.range.line}});
}

/// Arithmetic in a float type, once a type.
void Needs::visitFloats(Operation *op) {
  bool isArithmetic =
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          linalg::MatmulOp, linalg::BatchMatmulOp>(op) ||
      op->getName().getDialectNamespace() == "math";
  for (Type type : op->getResultTypes())
    if (isArithmetic && isa<FloatType>(getElementTypeOrSelf(type)) &&
        floats.insert(typeName(type)).second)
      add("arithmetic", typeName(type), "arithmetic in " + typeName(type), op);
}

static std::string intervalText(Interval value) {
  // Beyond 64 bits the exact figure says no more.
  auto text = [](Wide number) {
    double size = double(number);
    return std::abs(size) < 9e18 ? std::to_string(int64_t(number))
                                 : llvm::formatv("{0:e2}", size).str();
  };
  return text(value.low) + " to " + text(value.high);
}

/// Whether a number goes on to an address or a mask by sums, products and
/// changes of shape alone: elsewhere, integers wrap as written.
static bool reachesAddress(Value value, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<kernel::LoadOp, kernel::GatherOp, kernel::AddPtrOp, arith::CmpIOp>(
            user))
      return true;
    bool isValue = use.getOperandNumber() == 0; // what is stored
    if (isa<kernel::StoreOp, kernel::ScatterOp, kernel::AtomicRMWOp>(user) &&
        !isValue)
      return true;
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp,
            arith::IndexCastOp, tensor::SplatOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, linalg::BroadcastOp>(user) &&
        reachesAddress(user->getResult(0), seen))
      return true;
  }
  return false;
}

void Needs::visitOverflow(Operation *op) {
  llvm::DenseSet<Value> seen;
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      !getElementTypeOrSelf(op->getResult(0)).isInteger(32) ||
      !reachesAddress(op->getResult(0), seen))
    return;
  std::optional<Interval> result = intervals.exact(op);
  if (!result || (result->low >= INT32_MIN && result->high <= INT32_MAX))
    return;
  const char *what = isa<arith::MulIOp>(op)   ? "product"
                     : isa<arith::AddIOp>(op) ? "sum"
                                              : "difference";
  add("overflow", "i32",
      std::string("a 32-bit ") + what + " reaches " + intervalText(*result) +
          " for the given ranges",
      op);
}

/// Whether an operation reads what others write, and again after it has run:
/// a sum that grows by a constant each time gets to any end by itself.
static bool readsShared(Operation *op) {
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    return load.getIsVolatile();
  if (auto gather = dyn_cast<kernel::GatherOp>(op))
    return gather.getIsVolatile();
  if (auto atomic = dyn_cast<kernel::AtomicRMWOp>(op))
    return atomic.getKind() != kernel::AtomicKind::Add ||
           !matchPattern(atomic.getValue(), m_Constant()) ||
           matchPattern(atomic.getValue(), m_Zero());
  return isa<kernel::AtomicCASOp>(op);
}

/// What a use hands its value on to: results, and at the ends and beginnings of
/// regions the results of what holds them and the values that loops carry.
static void appendDependents(OpOperand &use, SmallVector<Value> &next) {
  Operation *user = use.getOwner(), *parent = user->getParentOp();
  unsigned number = use.getOperandNumber();
  llvm::append_range(next, user->getResults());
  if (auto loop = dyn_cast<LoopLikeOpInterface>(user))
    if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
      next.push_back(carried);
  if (isa<scf::ConditionOp>(user) && number > 0) {
    next.push_back(cast<scf::WhileOp>(parent).getAfterArguments()[number - 1]);
    next.push_back(parent->getResult(number - 1));
  } else if (isa<scf::YieldOp>(user)) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
      next.push_back(loop.getRegionIterArgs()[number]);
    if (!isa<scf::WhileOp>(parent))
      next.push_back(parent->getResult(number));
  }
}

/// A loop whose end depends on memory that others write.
void Needs::visitWait(scf::WhileOp loop) {
  SmallVector<Value> open;
  loop.walk([&](Operation *op) {
    if (readsShared(op))
      llvm::append_range(open, op->getResults());
  });
  Value end = loop.getConditionOp().getCondition();
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (value == end) {
      add("wait", "", "a loop waits for what another program writes", loop);
      return;
    }
    for (OpOperand &use : value.getUses())
      appendDependents(use, open);
  }
}

void Needs::visit(Operation *op) {
  visitFloats(op);
  visitOverflow(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](kernel::AtomicRMWOp atomic) {
        std::string kind = kernel::stringifyAtomicKind(atomic.getKind()).str();
        std::string type = typeName(atomic.getValue().getType());
        add("atomic", type, "atomic " + kind + " on " + type, op);
      })
      .Case([&](kernel::AtomicCASOp atomic) {
        std::string type = typeName(atomic.getValue().getType());
        add("atomic", type, "atomic compare-and-swap on " + type, op);
      })
      .Case([&](kernel::InlineAsmOp assembly) {
        llvm::StringRef text = assembly.getAsmText();
        bool knowsLanes = text.contains("shfl") || text.contains("laneid") ||
                          text.contains("bar.warp") || text.contains("vote") ||
                          text.contains("_dpp") || text.contains("readlane");
        add("inline_asm", assembly.getTarget().str(),
            knowsLanes ? "inline assembly that knows the lanes of a warp"
                       : "inline assembly",
            op);
      })
      .Case([&](kernel::ExternCallOp) {
        add("extern_call", "", "a call of a device library", op);
      })
      .Case([&](kernel::ClockOp) { add("clock", "", "a clock", op); })
      .Case([&](scf::WhileOp loop) { visitWait(loop); });
}

std::string describeNeeds(ModuleOp module, const std::string &ranges) {
  Needs needs(ranges);
  module.walk([&](func::FuncOp function) {
    if (!function->hasAttr("tw.variant_of"))
      function.walk([&](Operation *op) { needs.visit(op); });
  });
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(needs.list)))
      .str();
}

} // namespace tilewright::driver
