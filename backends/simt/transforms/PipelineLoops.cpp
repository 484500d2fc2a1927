//===- PipelineLoops.cpp - Copy operands ahead of their use -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iteration i of a loop waits for its operands, starts the copies of iteration
// i + stages - 1 into the buffer that iteration i - 1 has read, and computes:
//
//   copies of iterations 0 .. stages - 2, each closed by a commit
//   for i { wait until at most stages - 2 groups are under way;
//           copies of i + stages - 1 (if there is one); commit;
//           local_load; dot }
//   wait for all
//
// The order matters: one barrier, behind the wait, serves both directions.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/analysis/Accesses.h"
#include "backends/simt/analysis/CopyPlan.h"
#include "backends/simt/analysis/LayoutFlow.h"
#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/layout/TensorLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTPIPELINELOOPSPASS
#include "backends/simt/transforms/Passes.h.inc"

namespace {

/// A load that becomes copies.
struct Operand {
  kernel::LoadOp load;
  MemDescType memory; ///< of one stage
  uint64_t bytes;     ///< of one stage
  Type inRegisters;   ///< of what is loaded to be stored
  AllocOp buffers;
};

/// Pipelines one loop.
class LoopPipeline {
public:
  LoopPipeline(scf::ForOp loop, const AccessModel &model, unsigned laneBits,
               unsigned warpBits, const CopyRules &rules)
      : loop(loop), model(model), laneBits(laneBits), warpBits(warpBits),
        rules(rules) {}

  /// Whether there is anything to copy ahead, in at most so many bytes.
  bool plan(unsigned wantedStages, uint64_t sharedBytes, bool inRegisters);
  void addOperand(kernel::LoadOp load);
  void rewrite();
  /// The same without asynchronous copies.
  void rewriteInRegisters();

private:
  bool readStep();
  std::optional<CopyPlan> planOf(kernel::LoadOp load);
  bool canBeCopied(kernel::LoadOp load);
  bool canBeLoadedAhead(kernel::LoadOp load);
  bool mayMoveUp(kernel::LoadOp load);
  bool isComputable(Value value);
  Value cloneSlice(OpBuilder &b, Value value, IRMapping &mapping);
  Value iterationAhead(OpBuilder &b, Value from, unsigned ahead);
  Value isIterationAhead(OpBuilder &b, Value from, unsigned ahead);
  void addCopies(OpBuilder &b, Value iteration, Value exists, Value slot);
  void addBuffers(OpBuilder &b, unsigned count);
  void addPrologue(OpBuilder &b);
  void carry(ArrayRef<Value> slots, unsigned buffers);
  SmallVector<Value> loadAt(OpBuilder &b, Value iteration);
  void storeAll(OpBuilder &b, ArrayRef<Value> values, Value slot);
  Value isAny(OpBuilder &b);
  void addBody(Value readSlot, Value writeSlot);
  void readBuffers(Operand &operand, Value slot);
  void readTransposed(Operand &operand, Value slot, TransposeOp transpose);

  scf::ForOp loop;
  const AccessModel &model;
  unsigned laneBits, warpBits;
  CopyRules rules;
  int64_t step = 0;
  unsigned stages = 0;
  SmallVector<Operand> operands;
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be copied
//===----------------------------------------------------------------------===//

/// Whether a product with an atom reads what is computed from the value inside
/// the loop's body.
static bool feedsDot(Value value, Block *body) {
  llvm::SetVector<Value> work;
  work.insert(value);
  for (size_t i = 0; i < work.size(); ++i)
    for (OpOperand &use : work[i].getUses()) {
      Operation *op = use.getOwner();
      auto dot = dyn_cast<DotOp>(op);
      if (dot && dot.getAtom() && use.getOperandNumber() < 2)
        return true;
      if (op->getBlock() == body && op->getNumRegions() == 0 &&
          isMemoryEffectFree(op) && !dot)
        work.insert_range(op->getResults());
    }
  return false;
}

/// Steps are small constants, so that counting ahead does not overflow.
bool LoopPipeline::readStep() {
  APInt value;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&value)) ||
      !value.isStrictlyPositive() || value.ugt(1 << 16))
    return false;
  step = value.getSExtValue();
  return true;
}

/// Whether the value at another iteration can be computed there.
bool LoopPipeline::isComputable(Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
         isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isComputable(operand);
         });
}

/// No write of the loop may meet what the load reads.
bool LoopPipeline::mayMoveUp(kernel::LoadOp load) {
  SmallVector<Step> reads = model.steps(load);
  Passage otherIteration;
  otherIteration.isSameValue = false;
  bool isFree = true;
  loop.getBody()->walk([&](Operation *op) {
    for (const Step &step : model.steps(op)) {
      isFree &= step.kind != Step::Barrier || !step.isGlobal;
      if (step.kind == Step::Touch && step.access.isWrite)
        isFree &= !model.conflict(reads[0].access, step.access, otherIteration);
    }
  });
  return isFree;
}

/// Whether an iteration may load what another one reads.
bool LoopPipeline::canBeLoadedAhead(kernel::LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getResult().getType());
  if (!type || !type.getElementType().isIntOrFloat() ||
      type.getElementType().isInteger(1) || load.getIsVolatile())
    return false;
  for (Value operand : load->getOperands())
    if (!isComputable(operand))
      return false;
  return loop.isDefinedOutsideOfLoop(load.getView()) &&
         feedsDot(load.getResult(), loop.getBody()) && mayMoveUp(load);
}

/// The copy that can stand for the load: of a box of a view.
std::optional<CopyPlan> LoopPipeline::planOf(kernel::LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getResult().getType());
  if (!type || load.getMask() || load.getOther() || load.getIndex() ||
      !load.getView().getDefiningOp<kernel::ViewOp>())
    return std::nullopt;
  return planCopy(boxOf(load), type.getShape(),
                  memoryBytes(type.getElementType()), laneBits, warpBits,
                  rules);
}

bool LoopPipeline::canBeCopied(kernel::LoadOp load) {
  return planOf(load).has_value();
}

/// Stages that were asked for on the loop itself.
static unsigned stagesOf(scf::ForOp loop, unsigned otherwise) {
  auto hints = loop->getAttrOfType<DictionaryAttr>("tw.opt.loop");
  auto stages = hints ? hints.getAs<IntegerAttr>("num_stages") : IntegerAttr();
  return stages ? stages.getInt() : otherwise;
}

bool LoopPipeline::plan(unsigned wantedStages, uint64_t sharedBytes,
                        bool inRegisters) {
  if (!readStep())
    return false;
  uint64_t bytes = 0;
  for (auto load : loop.getBody()->getOps<kernel::LoadOp>()) {
    if (!canBeLoadedAhead(load))
      continue;
    if (!inRegisters && !canBeCopied(load)) {
      if (rules.areConsecutive)
        return false;
      continue;
    }
    addOperand(load);
    bytes += operands.back().bytes;
  }
  if (operands.empty())
    return false;
  unsigned wanted = stagesOf(loop, wantedStages);
  stages = std::min<uint64_t>(wanted, sharedBytes / bytes);
  return inRegisters ? wanted >= 2 && stages >= 1 : stages >= 2;
}

void LoopPipeline::addOperand(kernel::LoadOp load) {
  MLIRContext *context = load.getContext();
  auto type = cast<RankedTensorType>(load.getResult().getType());
  unsigned elementBytes = memoryBytes(type.getElementType());
  unsigned contiguous = type.getRank() - 1;
  Type loaded = type;
  if (std::optional<CopyPlan> plan = planOf(load)) {
    contiguous = *contiguousDim(boxOf(load));
    loaded = RankedTensorType::get(type.getShape(), type.getElementType(),
                                   LayoutAttr::get(context, plan->threads));
  }
  LinearLayout layout = bufferLayout(type.getShape(), contiguous, elementBytes);
  auto memory =
      MemDescType::get(context, 1, type.getShape(), type.getElementType(),
                       LayoutAttr::get(context, layout));
  operands.push_back(
      {load, memory, uint64_t(elementBytes) << layout.inputBits(), loaded, {}});
}

//===----------------------------------------------------------------------===//
// Iterations ahead
//===----------------------------------------------------------------------===//

static Value constantLike(OpBuilder &b, Location loc, Value like,
                          int64_t number) {
  return arith::ConstantOp::create(b, loc,
                                   b.getIntegerAttr(like.getType(), number));
}

/// The induction variable some iterations later.
Value LoopPipeline::iterationAhead(OpBuilder &b, Value from, unsigned ahead) {
  if (ahead == 0)
    return from;
  Location loc = loop.getLoc();
  return arith::AddIOp::create(b, loc, from,
                               constantLike(b, loc, from, ahead * step));
}

/// i1: whether the loop has that iteration. `from` is one that it has, so the
/// distance to the end is right as an unsigned number.
Value LoopPipeline::isIterationAhead(OpBuilder &b, Value from, unsigned ahead) {
  Location loc = loop.getLoc();
  Value distance = arith::SubIOp::create(b, loc, loop.getUpperBound(), from);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, distance,
                               constantLike(b, loc, from, ahead * step));
}

Value LoopPipeline::cloneSlice(OpBuilder &b, Value value, IRMapping &mapping) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneSlice(b, operand, mapping);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

/// One group: what the iteration will read.
void LoopPipeline::addCopies(OpBuilder &b, Value iteration, Value exists,
                             Value slot) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iteration);
  SmallVector<Value> tokens;
  for (Operand &operand : operands) {
    kernel::LoadOp load = operand.load;
    auto there = [&](ValueRange values) {
      SmallVector<Value> result;
      for (Value value : values)
        result.push_back(cloneSlice(b, value, mapping));
      return result;
    };
    tokens.push_back(AsyncCopyOp::create(
        b, load.getLoc(), TokenType::get(b.getContext()), load.getView(),
        there(load.getOffsets()), there(load.getLo()), there(load.getHi()),
        load.getBoundaryAttr(), operand.buffers, slot, exists));
  }
  AsyncCommitOp::create(b, loop.getLoc(), TokenType::get(b.getContext()),
                        tokens);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static Value slotConstant(OpBuilder &b, Location loc, unsigned slot) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(slot));
}

void LoopPipeline::addBuffers(OpBuilder &b, unsigned count) {
  for (Operand &operand : operands) {
    MemDescType one = operand.memory;
    auto type = MemDescType::get(b.getContext(), count, one.getShape(),
                                 one.getElementType(), one.getLayout());
    operand.buffers =
        AllocOp::create(b, operand.load.getLoc(), type, IntegerAttr());
  }
}

/// i1: whether the loop has an iteration.
Value LoopPipeline::isAny(OpBuilder &b) {
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                    : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(b, loop.getLoc(), less, loop.getLowerBound(),
                               loop.getUpperBound());
}

/// Copies of the first stages - 1 iterations.
void LoopPipeline::addPrologue(OpBuilder &b) {
  Location loc = loop.getLoc();
  Value first = loop.getLowerBound();
  Value any = isAny(b);
  for (unsigned stage = 0; stage + 1 < stages; ++stage) {
    Value exists = any;
    if (stage)
      exists =
          arith::AndIOp::create(b, loc, any, isIterationAhead(b, first, stage));
    addCopies(b, iterationAhead(b, first, stage), exists,
              slotConstant(b, loc, stage));
  }
}

/// Conversions of what a transposition gives read what they need transposed.
void LoopPipeline::readTransposed(Operand &operand, Value slot,
                                  TransposeOp transpose) {
  SmallVector<int64_t> permutation(transpose.getPermutation());
  std::vector<unsigned> inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = to;
  for (Operation *user :
       llvm::make_early_inc_range(transpose.getResult().getUsers())) {
    auto convert = dyn_cast<ConvertLayoutOp>(user);
    if (!convert)
      continue;
    OpBuilder b(convert);
    auto wanted = cast<LayoutAttr>(
        cast<RankedTensorType>(convert.getType()).getEncoding());
    auto source = cast<RankedTensorType>(transpose.getSource().getType());
    auto read = RankedTensorType::get(
        source.getShape(), source.getElementType(),
        LayoutAttr::get(b.getContext(),
                        transposeLayout(wanted.getLayout(), inverse)));
    Value loaded =
        LocalLoadOp::create(b, convert.getLoc(), read, operand.buffers, slot);
    convert.replaceAllUsesWith(TransposeOp::create(b, convert.getLoc(),
                                                   convert.getType(), loaded,
                                                   permutation)
                                   .getResult());
    convert.erase();
  }
  if (transpose->use_empty())
    transpose.erase();
}

/// Conversions of the load read their own layout, other users the load's.
void LoopPipeline::readBuffers(Operand &operand, Value slot) {
  Value loaded = operand.load.getResult();
  OpBuilder b(operand.load);
  for (Operation *user : llvm::make_early_inc_range(loaded.getUsers())) {
    if (auto transpose = dyn_cast<TransposeOp>(user)) {
      readTransposed(operand, slot, transpose);
      continue;
    }
    auto convert = dyn_cast<ConvertLayoutOp>(user);
    if (!convert)
      continue;
    b.setInsertionPoint(convert);
    convert.replaceAllUsesWith(LocalLoadOp::create(b, convert.getLoc(),
                                                   convert.getType(),
                                                   operand.buffers, slot)
                                   .getResult());
    convert.erase();
  }
  b.setInsertionPoint(operand.load);
  if (!loaded.use_empty())
    loaded.replaceAllUsesWith(LocalLoadOp::create(b, operand.load.getLoc(),
                                                  loaded.getType(),
                                                  operand.buffers, slot)
                                  .getResult());
}

void LoopPipeline::addBody(Value readSlot, Value writeSlot) {
  Location loc = loop.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  AsyncWaitOp::create(b, loc, stages - 2, ValueRange());
  Value iteration = loop.getInductionVar();
  addCopies(b, iterationAhead(b, iteration, stages - 1),
            isIterationAhead(b, iteration, stages - 1), writeSlot);
  for (Operand &operand : operands)
    readBuffers(operand, readSlot);
  for (Operand &operand : operands)
    operand.load.erase();
}

void LoopPipeline::rewrite() {
  IRRewriter b(loop.getContext());
  b.setInsertionPoint(loop);
  addBuffers(b, stages);
  addPrologue(b);
  Location loc = loop.getLoc();
  carry({slotConstant(b, loc, 0), slotConstant(b, loc, stages - 1)}, stages);
  b.setInsertionPointAfter(loop);
  AsyncWaitOp::create(b, loc, 0, ValueRange());
  ArrayRef<BlockArgument> carried = loop.getRegionIterArgs();
  addBody(carried[carried.size() - 2], carried.back());
}

/// Makes the loop carry numbers of buffers, which it counts round.
void LoopPipeline::carry(ArrayRef<Value> slots, unsigned buffers) {
  IRRewriter b(loop);
  auto next = [&](OpBuilder &inside, Location loc,
                  ArrayRef<BlockArgument> now) {
    SmallVector<Value> values;
    for (BlockArgument slot : now)
      values.push_back(
          RotateOp::create(inside, loc, slot.getType(), slot, buffers));
    return values;
  };
  NamedAttrList hints(loop->getDiscardableAttrDictionary());
  FailureOr<LoopLikeOpInterface> made = loop.replaceWithAdditionalYields(
      b, slots, /*replaceInitOperandUsesInLoop=*/false, next);
  assert(succeeded(made) && "scf.for takes more values");
  loop = cast<scf::ForOp>(made->getOperation());
  loop->setDiscardableAttrs(hints.getDictionary(loop.getContext()));
}

//===----------------------------------------------------------------------===//
// In registers
//===----------------------------------------------------------------------===//

/// What an iteration reads.
SmallVector<Value> LoopPipeline::loadAt(OpBuilder &b, Value iteration) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iteration);
  SmallVector<Value> loaded;
  for (Operand &operand : operands) {
    for (Value value : operand.load->getOperands())
      cloneSlice(b, value, mapping);
    auto load = cast<kernel::LoadOp>(b.clone(*operand.load, mapping));
    load.getResult().setType(operand.inRegisters);
    loaded.push_back(load.getResult());
  }
  return loaded;
}

void LoopPipeline::storeAll(OpBuilder &b, ArrayRef<Value> values, Value slot) {
  for (auto [operand, value] : llvm::zip_equal(operands, values))
    LocalStoreOp::create(b, operand.load.getLoc(), value, operand.buffers,
                         slot);
}

/// The last iteration loads its own operands once more, so that nothing is read
/// beyond the loop.
void LoopPipeline::rewriteInRegisters() {
  unsigned buffers = std::min(stages, 2u);
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  addBuffers(b, buffers);
  Value read = slotConstant(b, loc, 0), write = read;
  auto first = scf::IfOp::create(b, loc, isAny(b), /*withElseRegion=*/false);
  b.setInsertionPointToStart(first.thenBlock());
  storeAll(b, loadAt(b, loop.getLowerBound()), read);
  if (buffers > 1) {
    b.setInsertionPoint(loop);
    carry({read, slotConstant(b, loc, 1)}, buffers);
    ArrayRef<BlockArgument> carried = loop.getRegionIterArgs();
    read = carried[carried.size() - 2];
    write = carried.back();
  }
  b.setInsertionPointToStart(loop.getBody());
  Value now = loop.getInductionVar();
  Value next = arith::SelectOp::create(b, loc, isIterationAhead(b, now, 1),
                                       iterationAhead(b, now, 1), now);
  SmallVector<Value> loaded = loadAt(b, next);
  for (Operand &operand : operands)
    readBuffers(operand, read);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  storeAll(b, loaded, write);
  for (Operand &operand : operands)
    operand.load.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Scratch memory is needed beside the buffers inside loops; a part is kept for
/// it.
static uint64_t bytesForBuffers(uint64_t sharedBytes) {
  return sharedBytes - sharedBytes / 8;
}

namespace {
struct PipelineLoopsPass
    : public impl::SimtPipelineLoopsPassBase<PipelineLoopsPass> {
  using SimtPipelineLoopsPassBase::SimtPipelineLoopsPassBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      AccessModel model(kernel);
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops) {
        if (!inRegisters && pipelineLoop(kernel, loop, model, false))
          continue;
        if (inRegisters || areConsecutive)
          pipelineLoop(kernel, loop, model, true);
      }
    }
  }

private:
  /// Whether the loop has become one with operands ahead.
  bool pipelineLoop(func::FuncOp kernel, scf::ForOp loop,
                    const AccessModel &model, bool throughRegisters) {
    CopyRules rules;
    if (!throughRegisters)
      rules = {copySizes, areConsecutive};
    LoopPipeline pipeline(loop, model, bitsOf(kernel, kLanesAttr, 32),
                          bitsOf(kernel, kNumWarpsAttr, 4), rules);
    if (!pipeline.plan(numStages, bytesForBuffers(sharedBytes),
                       throughRegisters))
      return false;
    if (throughRegisters)
      pipeline.rewriteInRegisters();
    else
      pipeline.rewrite();
    return true;
  }

  static unsigned bitsOf(func::FuncOp kernel, StringRef name,
                         unsigned otherwise) {
    auto attribute = kernel->getAttrOfType<IntegerAttr>(name);
    return llvm::Log2_32(attribute ? unsigned(attribute.getInt()) : otherwise);
  }
};
} // namespace

} // namespace tilewright::simt
