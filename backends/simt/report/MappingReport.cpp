//===- MappingReport.cpp - The mapping to threads, to be read -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is computed from layouts and plans, nothing is measured.
//===----------------------------------------------------------------------===//
#include "backends/simt/report/MappingReport.h"

#include "backends/common/Report.h"
#include "backends/simt/layout/TensorLayouts.h"
#include "backends/simt/report/AccessPlans.h"
#include "backends/simt/report/RegisterPressure.h"
#include "backends/simt/report/SharedAccesses.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace json = llvm::json;

namespace tilewright::simt {

/// Elements up to which a tensor is shown whole, and how much of a larger one.
static constexpr int64_t kMostRows = 32, kMostColumns = 16;
static constexpr int64_t kExcerpt = 8;

namespace {
class Reporter {
public:
  Reporter(func::FuncOp kernel, const TargetHooks &hooks);
  json::Object run();

private:
  void addTensor(Value value, Operation *op, StringRef what);
  void addGlobal(Operation *op);
  void addShared(Operation *op);
  void addBuffer(Operation *op);
  int64_t layoutNumber(RankedTensorType type);
  template <typename Op>
  json::Object boxAccess(Op op, Type shaped, bool isWrite);

  func::FuncOp kernel;
  const TargetHooks &hooks;
  ScratchRules rules;
  DenseMap<std::pair<Attribute, Attribute>, int64_t> numbers;
  json::Array layouts, tensors, global, shared, buffers;
};
} // namespace

static unsigned readAttribute(func::FuncOp kernel, StringRef name) {
  auto attribute = kernel->getAttrOfType<IntegerAttr>(name);
  return attribute ? unsigned(attribute.getInt()) : 0;
}

Reporter::Reporter(func::FuncOp kernel, const TargetHooks &hooks)
    : kernel(kernel), hooks(hooks),
      rules(makeScratchRules(hooks.target(),
                             std::max(readAttribute(kernel, kNumWarpsAttr), 1u),
                             hooks.hasShuffles(), hooks.hasMatrixAtoms())) {}

/// The user's line of an operation, with the file.
static void addPlace(json::Object &object, Operation *op) {
  backend::SourceChain chain = backend::describeLocation(op->getLoc());
  if (chain.empty())
    return;
  object["file"] = chain.front().file;
  object["line"] = chain.front().line;
  object["column"] = chain.front().column;
}

static std::string elementText(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << getElementTypeOrSelf(type);
  return text;
}

static json::Array shapeText(Type type) {
  json::Array shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (int64_t extent : tensor.getShape())
      shape.push_back(extent);
  return shape;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// `warp.lane:register` of the first thread that holds an element.
static std::string holder(const LinearLayout &whereIs, uint64_t element) {
  std::vector<uint64_t> at =
      unpackIndices(whereIs.outputs(), whereIs.apply(element));
  auto of = [&](const char *name) {
    for (auto [k, dim] : llvm::enumerate(whereIs.outputs()))
      if (dim.name == name)
        return std::to_string(at[k]);
    return std::string("0");
  };
  return of(warpDim) + "." + of(laneDim) + ":" + of(registerDim);
}

/// The tensor as a matrix: rows are all dimensions but the last.
static json::Object makeGrid(const LinearLayout &layout,
                             ArrayRef<int64_t> shape) {
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = 1;
  for (int64_t extent : shape.drop_back(shape.empty() ? 0 : 1))
    rows *= extent;
  bool isWhole = rows <= kMostRows && columns <= kMostColumns;
  int64_t shownRows = isWhole ? rows : std::min(rows, kExcerpt);
  int64_t shownColumns = isWhole ? columns : std::min(columns, kExcerpt);
  LinearLayout whereIs = layout.pseudoInverse();
  json::Array cells;
  for (int64_t row = 0; row < shownRows; ++row) {
    std::vector<uint64_t> index(shape.size(), 0);
    int64_t rest = row;
    for (size_t dim = shape.size(); dim-- > 1;) {
      index[dim - 1] = rest % shape[dim - 1];
      rest /= shape[dim - 1];
    }
    json::Array line;
    for (int64_t column = 0; column < shownColumns; ++column) {
      if (!shape.empty())
        index.back() = column;
      line.push_back(holder(whereIs, packIndices(layout.outputs(), index)));
    }
    cells.push_back(std::move(line));
  }
  return json::Object{{"rows", rows},
                      {"columns", columns},
                      {"whole", isWhole},
                      {"cells", std::move(cells)}};
}

int64_t Reporter::layoutNumber(RankedTensorType type) {
  LayoutAttr attribute = layoutOf(type);
  Builder b(kernel.getContext());
  auto [entry, isNew] = numbers.try_emplace(
      {attribute, b.getDenseI64ArrayAttr(type.getShape())}, layouts.size());
  if (!isNew)
    return entry->second;
  LinearLayout layout = attribute.getLayout();
  json::Array rule;
  for (const LayoutDim &output : layout.outputs())
    rule.push_back(layoutRule(layout, output.name));
  layouts.push_back(
      json::Object{{"id", entry->second},
                   {"shape", shapeText(type)},
                   {"layout", layout.toString()},
                   {"rule", std::move(rule)},
                   {"registers", int64_t(1) << layout.inputBits(registerDim)},
                   {"copies", int64_t(replication(layout))},
                   {"grid", makeGrid(layout, type.getShape())}});
  return entry->second;
}

void Reporter::addTensor(Value value, Operation *op, StringRef what) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !layoutOf(type))
    return;
  json::Object tensor{{"operation", what},
                      {"shape", shapeText(type)},
                      {"element", elementText(type)},
                      {"layout", layoutNumber(type)}};
  addPlace(tensor, op);
  tensors.push_back(std::move(tensor));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static json::Object describeAccess(Operation *op, Type shaped, bool isWrite) {
  json::Object object{{"operation", op->getName().getStringRef()},
                      {"write", isWrite},
                      {"shape", shapeText(shaped)},
                      {"element", elementText(shaped)}};
  addPlace(object, op);
  return object;
}

template <typename Op>
json::Object Reporter::boxAccess(Op op, Type shaped, bool isWrite) {
  json::Object object = describeAccess(op, shaped, isWrite);
  auto type = dyn_cast<RankedTensorType>(shaped);
  if (!type) {
    object["bytes_per_thread"] = int64_t(memoryBytes(shaped));
    return object;
  }
  LinearLayout layout = layoutOf(type).getLayout();
  AccessPlan plan = planOf(op, layout, hooks.target().maxVectorBytes);
  Coalescing sectors = sectorsOf(op, layout, plan, hooks.target().sectorBytes);
  object["bytes_per_thread"] = int64_t(plan.bytes());
  object["instructions"] = (int64_t(1) << layout.inputBits(registerDim)) /
                           int64_t(plan.vector.elements());
  object["sectors"] = int64_t(sectors.segments);
  object["fewest_sectors"] = int64_t(sectors.ideal);
  if (plan.limit != VectorLimit::None)
    object["limit"] = describe(plan.limit);
  return object;
}

void Reporter::addGlobal(Operation *op) {
  auto elements = [&](Type shaped, bool isWrite) {
    json::Object object = describeAccess(op, shaped, isWrite);
    AccessPlan plan = planOfElements(getElementTypeOrSelf(shaped));
    object["bytes_per_thread"] = int64_t(plan.bytes());
    if (auto type = dyn_cast<RankedTensorType>(shaped))
      object["instructions"] =
          int64_t(1) << layoutOf(type).getLayout().inputBits(registerDim);
    object["limit"] = describe(plan.limit);
    global.push_back(std::move(object));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](kernel::LoadOp o) {
        global.push_back(boxAccess(o, o.getResult().getType(), false));
      })
      .Case([&](kernel::StoreOp o) {
        global.push_back(boxAccess(o, o.getValue().getType(), true));
      })
      .Case(
          [&](kernel::GatherOp o) { elements(o.getResult().getType(), false); })
      .Case(
          [&](kernel::ScatterOp o) { elements(o.getValue().getType(), true); })
      .Case([&](kernel::AtomicRMWOp o) {
        elements(o.getValue().getType(), true);
      })
      .Case([&](kernel::AtomicCASOp o) {
        elements(o.getResult().getType(), true);
      });
}

void Reporter::addShared(Operation *op) {
  for (const SharedAccess &access : sharedAccesses(op, rules)) {
    json::Object object{{"operation", op->getName().getStringRef()},
                        {"write", access.isWrite},
                        {"bytes_per_thread", int64_t(access.bytes)},
                        {"passes", int64_t(access.conflicts.wavefronts)},
                        {"fewest_passes", int64_t(access.conflicts.ideal)}};
    addPlace(object, op);
    shared.push_back(std::move(object));
  }
}

void Reporter::addBuffer(Operation *op) {
  std::optional<int64_t> offset, bytes;
  if (auto attribute = op->getAttrOfType<IntegerAttr>(kScratchAttr)) {
    offset = attribute.getInt();
    bytes = op->getAttrOfType<IntegerAttr>(kScratchBytesAttr).getInt();
  } else if (auto alloc = dyn_cast<AllocOp>(op)) {
    offset = alloc.getOffset();
    MemDescType type = alloc.getType();
    bytes = type.getBuffers() *
            int64_t(memoryBytes(type.getElementType())
                    << type.getLayout().getLayout().inputBits());
  }
  if (!offset)
    return;
  json::Object object{{"operation", op->getName().getStringRef()},
                      {"offset", *offset},
                      {"bytes", *bytes}};
  addPlace(object, op);
  buffers.push_back(std::move(object));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

json::Object Reporter::run() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        addTensor(argument, op, "loop argument");
    for (Value result : op->getResults())
      addTensor(result, op, op->getName().getStringRef());
    addGlobal(op);
    addShared(op);
    addBuffer(op);
  });
  const SimtTarget &target = hooks.target();
  RegisterEstimate estimate = estimateRegisters(kernel, target.chunks);
  return json::Object{
      {"kernel", kernel.getSymName()},
      {"warps", int64_t(readAttribute(kernel, kNumWarpsAttr))},
      {"lanes", int64_t(readAttribute(kernel, kLanesAttr))},
      {"shared_bytes", int64_t(readAttribute(kernel, kSharedBytesAttr))},
      {"shared_limit", int64_t(target.sharedBytes)},
      {"registers_estimate", int64_t(estimate.registers)},
      {"registers_limit", int64_t(target.registersPerThread)},
      {"sector_bytes", int64_t(target.sectorBytes)},
      {"banks", int64_t(target.banks.count)},
      {"bank_bytes", int64_t(target.banks.bytes)},
      {"layouts", std::move(layouts)},
      {"tensors", std::move(tensors)},
      {"global", std::move(global)},
      {"shared", std::move(shared)},
      {"buffers", std::move(buffers)}};
}

json::Object reportMapping(func::FuncOp kernel, const TargetHooks &hooks) {
  return Reporter(kernel, hooks).run();
}

} // namespace tilewright::simt
