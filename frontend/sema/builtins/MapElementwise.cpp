//===- MapElementwise.cpp - tl.map_elementwise ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function is interpreted once, on scalars, so that it means what it says
// for one element; the operations that it made are then repeated on tiles:
//
//     %c = cmpi sgt, %x, %0 : i32           %c = cmpi sgt, %X, %Zeros
//     %r = scf.if %c { yield %a }      ->   %r = select %c, %A, %B
//          else { yield %b }
//
// What does not depend on an element stays a scalar.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::sema;
namespace scf = mlir::scf;

namespace {
/// Repeats operations on scalars for every element of a tile.
class ElementwiseMap {
public:
  ElementwiseMap(mlir::ImplicitLocOpBuilder &b, Shape shape)
      : b(b), shape(shape) {}

  /// Operations of `block` up to its terminator, at the insertion point; false
  /// leaves the reason in `why`.
  bool repeat(mlir::Block &block);
  void map(mlir::Value scalar, mlir::Value tile) { values.map(scalar, tile); }
  /// The tile of a scalar; that of a uniform one is a splat.
  mlir::Value tileOf(mlir::Value scalar);

  std::string why;

private:
  bool repeatOperation(mlir::Operation &op);
  bool repeatIf(scf::IfOp op);
  bool repeatFor(scf::ForOp op);
  bool repeatCall(tile::CallOpOp op);
  bool isUniform(mlir::Value scalar) {
    return !llvm::isa<mlir::RankedTensorType>(
        values.lookupOrDefault(scalar).getType());
  }
  mlir::Type tileType(mlir::Type scalar) {
    return mlir::RankedTensorType::get(shape, scalar);
  }
  llvm::SmallVector<mlir::Value> tilesOf(mlir::ValueRange scalars) {
    return llvm::map_to_vector(scalars,
                               [&](mlir::Value v) { return tileOf(v); });
  }
  llvm::SmallVector<mlir::Type> tileTypes(mlir::TypeRange scalars) {
    return llvm::map_to_vector(scalars,
                               [&](mlir::Type type) { return tileType(type); });
  }
  bool refuse(const llvm::Twine &what) {
    why = what.str();
    return false;
  }

  mlir::ImplicitLocOpBuilder &b;
  std::vector<int64_t> shape;
  mlir::IRMapping values;
};
} // namespace

mlir::Value ElementwiseMap::tileOf(mlir::Value scalar) {
  mlir::Value mapped = values.lookupOrDefault(scalar);
  if (llvm::isa<mlir::RankedTensorType>(mapped.getType()))
    return mapped;
  return tile::SplatOp::create(b, tileType(mapped.getType()), mapped);
}

bool ElementwiseMap::repeat(mlir::Block &block) {
  for (mlir::Operation &op : block) {
    if (op.hasTrait<mlir::OpTrait::IsTerminator>())
      break;
    b.setLoc(op.getLoc());
    if (!repeatOperation(op))
      return false;
  }
  return true;
}

static bool isElementwise(mlir::Operation &op) {
  return op.hasTrait<mlir::OpTrait::Elementwise>() ||
         llvm::isa<tile::AddPtrOp, tile::IntToPtrOp, tile::PtrToIntOp,
                   tile::PtrCastOp, tile::FactOp, tile::InlineAsmOp>(op);
}

bool ElementwiseMap::repeatOperation(mlir::Operation &op) {
  if (auto branch = llvm::dyn_cast<scf::IfOp>(op))
    return repeatIf(branch);
  if (auto loop = llvm::dyn_cast<scf::ForOp>(op))
    return repeatFor(loop);
  if (auto call = llvm::dyn_cast<tile::CallOpOp>(op))
    return repeatCall(call);
  if (llvm::isa<scf::WhileOp>(op))
    return refuse("a while loop");
  if (op.getNumRegions())
    return refuse("an operation on whole tiles");
  if (!mlir::isMemoryEffectFree(&op))
    return refuse("an access to memory or another effect");
  if (llvm::all_of(op.getOperands(),
                   [&](mlir::Value operand) { return isUniform(operand); })) {
    b.clone(op, values);
    return true;
  }
  if (!isElementwise(op))
    return refuse("an operation on whole tiles");
  llvm::SmallVector<mlir::Value> operands = tilesOf(op.getOperands());
  mlir::Operation *repeated = op.clone(values);
  repeated->setOperands(operands);
  for (mlir::Value result : repeated->getResults())
    result.setType(tileType(result.getType()));
  b.insert(repeated);
  values.map(op.getResults(), repeated->getResults());
  return true;
}

bool ElementwiseMap::repeatIf(scf::IfOp op) {
  auto yields = [](mlir::Region &region) -> mlir::OperandRange {
    return region.front().getTerminator()->getOperands();
  };
  mlir::Value condition = values.lookupOrDefault(op.getCondition());
  if (!isUniform(op.getCondition())) {
    // Nothing has effects: both sides are computed for all elements.
    for (mlir::Region &region : op->getRegions())
      if (!region.empty() && !repeat(region.front()))
        return false;
    for (auto [result, left, right] :
         llvm::zip(op.getResults(), yields(op.getThenRegion()),
                   yields(op.getElseRegion())))
      values.map(result, mlir::arith::SelectOp::create(
                             b, condition, tileOf(left), tileOf(right)));
    return true;
  }
  auto repeated = scf::IfOp::create(b, tileTypes(op.getResultTypes()),
                                    condition, /*withElseRegion=*/true);
  for (auto [from, to] : llvm::zip(op->getRegions(), repeated->getRegions())) {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&to.front());
    if (from.empty())
      continue;
    if (!repeat(from.front()))
      return false;
    if (op.getNumResults())
      scf::YieldOp::create(b, tilesOf(yields(from)));
  }
  values.map(op.getResults(), repeated.getResults());
  return true;
}

/// What a loop carries is different for every element; its trips are not.
bool ElementwiseMap::repeatFor(scf::ForOp op) {
  for (mlir::Value bound :
       {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    if (!isUniform(bound))
      return refuse("a loop whose bounds depend on the element");
  auto repeated = scf::ForOp::create(
      b, values.lookupOrDefault(op.getLowerBound()),
      values.lookupOrDefault(op.getUpperBound()),
      values.lookupOrDefault(op.getStep()), tilesOf(op.getInitArgs()), nullptr,
      op.getUnsignedCmp());
  repeated->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  values.map(op.getInductionVar(), repeated.getInductionVar());
  values.map(op.getRegionIterArgs(), repeated.getRegionIterArgs());
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(repeated.getBody());
  if (!repeat(*op.getBody()))
    return false;
  if (op.getNumResults())
    scf::YieldOp::create(b,
                         tilesOf(op.getBody()->getTerminator()->getOperands()));
  values.map(op.getResults(), repeated.getResults());
  return true;
}

/// A high-level op stays one, of tiles.
bool ElementwiseMap::repeatCall(tile::CallOpOp op) {
  auto repeated = tile::CallOpOp::create(b, tileTypes(op.getResultTypes()),
                                         op.getName(), tilesOf(op.getArgs()));
  mlir::Block &from = op.getBody().front();
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Block *to = b.createBlock(&repeated.getBody());
  for (mlir::BlockArgument argument : from.getArguments())
    values.map(argument, to->addArgument(tileType(argument.getType()),
                                         argument.getLoc()));
  if (!repeat(from))
    return false;
  tile::YieldOp::create(b, tilesOf(from.getTerminator()->getOperands()));
  values.map(op.getResults(), repeated.getResults());
  return true;
}

//===--- Packs ------------------------------------------------------------===//

/// The elements of each group of consecutive ones, as tiles: `value` ends in
/// dimensions of two, the last of which tells even from odd.
static std::vector<Value> unpack(Interpreter &in, const Value &value,
                                 int64_t pack) {
  if (pack == 1)
    return {value};
  mlir::Type half =
      in.emitter.typeFor(value.dtype(), value.shape().drop_back());
  auto op = tile::SplitOp::create(in.builder(), half, half, value.ssa());
  std::vector<Value> parts[2];
  for (unsigned side = 0; side < 2; ++side)
    parts[side] =
        unpack(in, Value::tensor(op->getResult(side), value.dtype()), pack / 2);
  std::vector<Value> all;
  for (auto [even, odd] : llvm::zip(parts[0], parts[1])) {
    all.push_back(even);
    all.push_back(odd);
  }
  return all;
}

static Value joined(Interpreter &in, llvm::ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts[0];
  std::vector<Value> sides[2];
  for (size_t i = 0; i < parts.size(); ++i)
    sides[i % 2].push_back(parts[i]);
  Value even = joined(in, sides[0]), odd = joined(in, sides[1]);
  std::vector<int64_t> shape(even.shape());
  shape.push_back(2);
  return Value::tensor(
      tile::JoinOp::create(in.builder(),
                           in.emitter.typeFor(even.dtype(), shape), even.ssa(),
                           odd.ssa()),
      even.dtype());
}

//===--- The function -----------------------------------------------------===//

/// The arguments as tensors of one shape, scalars left as they are: the same
/// for every element. nullopt after an error.
static std::optional<std::vector<Value>>
sharedArguments(Interpreter &in, CallArgs &args, std::vector<int64_t> &common) {
  std::vector<Value> values = args["args"].elements().vec();
  for (Value &value : values) {
    value = in.emitter.toTensor(value);
    if (value.isError())
      return std::nullopt;
    std::optional<std::vector<int64_t>> both =
        Emitter::commonShape(common, value.shape());
    if (!both) {
      in.argumentError(args, "args", 2032,
                       "expected shapes that broadcast together, got " +
                           value.describe() + " among them");
      return std::nullopt;
    }
    common = *both;
  }
  for (Value &value : values)
    if (!value.isScalar())
      value = in.emitter.broadcastTo(value, common);
  return values;
}

/// Calls the function for every element of `tiles`; its results as tiles.
static std::optional<std::vector<Value>>
callForEach(Interpreter &in, const Value &function, llvm::ArrayRef<Value> tiles,
            Shape shape, bool &isTuple) {
  mlir::ImplicitLocOpBuilder &b = in.builder();
  mlir::Location location = b.getLoc();
  auto scratch = scf::ExecuteRegionOp::create(b, mlir::TypeRange());
  ElementwiseMap map(b, shape);
  std::vector<Value> scalars, results;
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    mlir::Block *block = b.createBlock(&scratch.getRegion());
    for (const Value &tile : tiles) {
      if (tile.isScalar()) {
        scalars.push_back(tile);
        continue;
      }
      mlir::Type type = in.emitter.typeFor(tile.dtype(), {});
      scalars.push_back(
          Value::tensor(block->addArgument(type, location), tile.dtype()));
      map.map(scalars.back().ssa(), tile.ssa());
    }
    Value result = in.callValue(function, scalars);
    isTuple = result.isTuple();
    results = isTuple ? result.elements().vec() : std::vector<Value>{result};
    for (Value &element : results)
      element = in.emitter.toTensor(element);
  }
  bool failed = llvm::any_of(results, [](auto &v) { return v.isError(); });
  b.setInsertionPointAfter(scratch);
  if (!failed && !map.repeat(scratch.getRegion().front())) {
    b.setLoc(location);
    in.error(2237,
             "expected a function of elements that only computes and branches, "
             "got one with " +
                 map.why,
             "do it on the whole tiles, before or after tl.map_elementwise");
    failed = true;
  }
  b.setLoc(location);
  if (!failed)
    for (Value &element : results)
      element = Value::tensor(map.tileOf(element.ssa()), element.dtype());
  scratch.erase();
  if (failed)
    return std::nullopt;
  return results;
}

/// A tensor from each `pack` results of a call.
static Value packResults(Interpreter &in, CallArgs &args,
                         llvm::ArrayRef<Value> results, size_t pack,
                         Shape shape) {
  if (results.size() % pack != 0)
    return in.argumentError(args, "scalar_fn", 2235,
                            "expected " + llvm::Twine(pack) +
                                " results for each tensor, got " +
                                llvm::Twine(results.size()) + " in all");
  std::vector<Value> packed;
  for (; !results.empty(); results = results.drop_front(pack)) {
    llvm::ArrayRef<Value> group = results.take_front(pack);
    for (const Value &value : group)
      if (value.dtype() != group.front().dtype())
        return in.argumentError(
            args, "scalar_fn", 2235,
            "expected results of one type for a tensor, got " +
                group.front().describe() + " and " + value.describe());
    packed.push_back(in.emitter.reshape(joined(in, group), shape));
  }
  return Value::tuple(std::move(packed));
}

/// Groups of `pack` elements, consecutive ones along the last dimensions, are
/// arguments of one call: f(x0, x1, y0, y1) for two inputs and pack=2.
static Value emitMapElementwise(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> pack = in.constantInt(args, "pack");
  std::vector<int64_t> shape;
  std::optional<std::vector<Value>> values = sharedArguments(in, args, shape);
  if (!pack || !values)
    return Value::error();
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (*pack < 1 || !llvm::isPowerOf2_64(*pack) || count % *pack != 0)
    return in.argumentError(args, "pack", 2235,
                            "expected a power of two up to the number of "
                            "elements, " +
                                llvm::Twine(count) + ", got " +
                                llvm::Twine(*pack));
  if (shape.empty())
    return in.callValue(args["scalar_fn"], *values);
  std::vector<int64_t> grouped(shape), parts{count / *pack};
  std::vector<Value> tiles = std::move(*values);
  if (*pack > 1) {
    for (int64_t extent = 1; extent < *pack; extent *= 2)
      parts.push_back(2);
    grouped = {count / *pack};
    std::vector<Value> unpacked;
    for (const Value &value : tiles)
      if (value.isScalar())
        unpacked.insert(unpacked.end(), *pack, value);
      else
        llvm::append_range(unpacked,
                           unpack(in, in.emitter.reshape(value, parts), *pack));
    tiles = std::move(unpacked);
  }
  bool isTuple = false;
  std::optional<std::vector<Value>> results =
      callForEach(in, args["scalar_fn"], tiles, grouped, isTuple);
  if (!results)
    return Value::error();
  if (*pack == 1)
    return isTuple ? Value::tuple(std::move(*results)) : results->front();
  return packResults(in, args, *results, *pack, shape);
}

void sema::registerMapElementwise(BuiltinTable &table) {
  table.add("tl.map_elementwise", "scalar_fn, *args, pack=1",
            emitMapElementwise);
}
