//===- Function.cpp - Signature, blocks and scalars -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through a kernel in program order: scalars are translated one to one,
// operations on tensors open nests or wait until they are wanted.
//===----------------------------------------------------------------------===//
#include "backends/common/Decompose.h"
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

/// Offsets and array indices stay within 32 bits.
static constexpr int64_t kScratchLimit = int64_t(1) << 30;

Emitter::Emitter(func::FuncOp function, const CpuLoopOptions &options)
    : function(function), options(options),
      b(function.getLoc(), function.getContext()) {}

LogicalResult Emitter::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "TW4121: expected a kernel of one block with structured control "
              "flow";
  backend::inlineCallOps(function);
  backend::decomposeDotScaled(function);
  Block &old = function.getBody().front();
  emitSignature();
  loadArguments(old);
  emitBody(old, [&](Operation *op) { func::ReturnOp::create(b); });
  if (scratch.peakBytes() > kScratchLimit)
    return function.emitError()
           << "TW4122: expected tiles within " << kScratchLimit
           << " bytes of temporary storage, got " << scratch.peakBytes();
  if (hadError)
    return failure();
  old.dropAllReferences();
  old.walk([](Operation *op) { op->dropAllUses(); });
  old.erase();
  auto type = FunctionType::get(b.getContext(), entry->getArgumentTypes(), {});
  function.setType(type);
  function.setAllArgAttrs(SmallVector<Attribute>(entry->getNumArguments(),
                                                 b.getDictionaryAttr({})));
  function.setArgAttr(entry->getNumArguments() - 1, "llvm.noalias",
                      b.getUnitAttr());
  function->setAttr(kScratchBytesAttr,
                    b.getI64IntegerAttr(scratch.peakBytes()));
  return success();
}

void Emitter::emitSignature() {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i32 = b.getI32Type();
  entry = new Block;
  function.getBody().push_back(entry);
  SmallVector<Type> types = {pointer, i32, i32,     i32,    i32,
                             i32,     i32, pointer, pointer};
  for (Type type : types)
    entry->addArgument(type, function.getLoc());
  for (unsigned axis = 0; axis < 3; ++axis) {
    programIds[axis] = entry->getArgument(1 + axis);
    programCounts[axis] = entry->getArgument(4 + axis);
  }
  services = entry->getArgument(7);
  scratchPointer = entry->getArgument(8);
  b.setInsertionPointToStart(entry);
}

/// Reads the user's arguments out of the packed block.
void Emitter::loadArguments(Block &old) {
  SmallVector<std::pair<int64_t, BlockArgument>> order;
  for (BlockArgument argument : old.getArguments()) {
    auto index = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                        "tw.index");
    order.push_back(
        {index ? index.getInt() : argument.getArgNumber(), argument});
  }
  llvm::stable_sort(order, llvm::less_first());
  int64_t offset = 0;
  for (auto [index, argument] : order) {
    Type type = scalarType(argument.getType());
    int64_t bytes = elementBytes(type);
    offset = llvm::alignTo(offset, bytes);
    Value pointer = LLVM::GEPOp::create(
        b, scratchPointer.getType(), b.getI8Type(), entry->getArgument(0),
        ArrayRef<LLVM::GEPArg>{int32_t(offset)});
    Value value = LLVM::LoadOp::create(b, memoryType(type), pointer, bytes);
    scalars.map(argument, fromMemory(value, type));
    offset += bytes;
  }
}

/// Emits everything but the terminator, then frees what the block owned.
void Emitter::emitBody(Block &block,
                       llvm::function_ref<void(Operation *)> terminator) {
  plan.planBlock(block);
  llvm::DenseMap<unsigned, SmallVector<Value, 2>> expiring;
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (isa<RankedTensorType>(result.getType()))
        expiring[std::max(plan[result].lastRead, plan.positionOf(&op))]
            .push_back(result);
  for (Operation &op : block) {
    b.setLoc(op.getLoc());
    if (op.hasTrait<OpTrait::IsTerminator>())
      terminator(&op);
    else if (!plan.isDead(&op))
      emitOperation(&op);
    for (Value value : expiring[plan.positionOf(&op)]) {
      ValueInfo &info = plan[value];
      if (info.ownsBuffer && info.buffer)
        release(info.buffer);
      info.ownsBuffer = false;
    }
  }
}

void Emitter::emitView(kernel::ViewOp op) {
  ViewInfo view;
  view.base = scalar(op.getBase());
  if (op.getOffset())
    view.offset = scalar(op.getOffset());
  for (Value size : op.getSizes())
    view.sizes.push_back(scalar(size));
  for (Value stride : op.getStrides())
    view.strides.push_back(scalar(stride));
  views[op.getResult()] = view;
}

/// Tensors that cannot wait, and elements of tensors.
void Emitter::emitEagerly(Operation *op) {
  for (Value result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType())) {
      prepareElsewhere(op->getOperands());
      Nest scope;
      llvm::SaveAndRestore<Nest *> restore(nest, &scope);
      scalars.map(result, computeOp(op, result, {}, 1));
    } else if (plan[result].isEager) {
      materialise(result);
    }
  }
}

void Emitter::emitOperation(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  llvm::TypeSwitch<Operation *>(op)
      .Case<scf::ForOp>([&](auto o) { emitFor(o); })
      .Case<scf::IfOp>([&](auto o) { emitIf(o); })
      .Case<scf::WhileOp>([&](auto o) { emitWhile(o); })
      .Case<linalg::MatmulOp, linalg::BatchMatmulOp>(
          [&](auto o) { emitMatmul(cast<linalg::LinalgOp>(o.getOperation())); })
      .Case<linalg::ReduceOp>([&](linalg::ReduceOp o) {
        emitReduce({o, llvm::to_vector<2>(o.getInputs()),
                    llvm::to_vector<2>(o.getInits()),
                    llvm::to_vector<2>(o.getDimensions()),
                    &o.getCombiner().front()});
      })
      .Case<tensor::FromElementsOp>([&](auto o) { emitFromElements(o); })
      .Case<tensor::ExtractOp>([&](tensor::ExtractOp o) {
        prepareElsewhere(o.getTensor());
        Indices at;
        for (Value index : o.getIndices()) {
          at.emplace_back();
          at.back().base =
              b.createOrFold<arith::IndexCastOp>(b.getI64Type(), scalar(index));
        }
        Nest scope;
        llvm::SaveAndRestore<Nest *> restore(nest, &scope);
        scalars.map(o.getResult(), evaluate(o.getTensor(), at, 1));
      })
      .Default([&](Operation *) {
        if (isa<kernel::KernelDialect>(op->getDialect()))
          return emitKernelOp(op);
        if (llvm::any_of(op->getResultTypes(), isTensor) && isInlineable(op))
          return emitEagerly(op);
        if (op->getNumRegions() ||
            llvm::any_of(op->getOperandTypes(), isTensor) ||
            llvm::any_of(op->getResultTypes(), isTensor)) {
          refuse(op, "TW4120: the CPU backend does not know operation '" +
                         op->getName().getStringRef() + "'");
          return;
        }
        emitScalarOp(op);
      });
}

void Emitter::emitKernelOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<kernel::ProgramIdOp>(
          [&](auto o) { scalars.map(o.getResult(), programIds[o.getAxis()]); })
      .Case<kernel::NumProgramsOp>([&](auto o) {
        scalars.map(o.getResult(), programCounts[o.getAxis()]);
      })
      .Case<kernel::ViewOp>([&](auto o) { emitView(o); })
      .Case<kernel::StoreOp>([&](auto o) { emitStore(o); })
      .Case<kernel::ScatterOp>([&](auto o) { emitScatter(o); })
      .Case<kernel::ReduceOp>([&](kernel::ReduceOp o) {
        emitReduce({o,
                    llvm::to_vector<2>(o.getOperands()),
                    {},
                    {int64_t(o.getAxis())},
                    &o.getCombine().front()});
      })
      .Case<kernel::ScanOp>([&](auto o) { emitScan(o); })
      .Case<kernel::JoinOp>([&](auto o) { emitJoin(o); })
      .Case<kernel::CatOp>([&](auto o) { emitCat(o); })
      .Case<kernel::HistogramOp>([&](auto o) { emitHistogram(o); })
      .Case<kernel::AtomicRMWOp>([&](auto o) { emitAtomicRMW(o); })
      .Case<kernel::AtomicCASOp>([&](auto o) { emitAtomicCAS(o); })
      .Case<kernel::PrintOp>([&](auto o) { emitPrint(o); })
      .Case<kernel::AssertOp>([&](auto o) { emitAssert(o); })
      .Case<kernel::TrapOp>([&](auto o) { emitTrap(o); })
      .Case<kernel::ClockOp>([&](auto o) { emitClock(o); })
      .Case<kernel::BarrierOp>([&](auto) {
        // One program is one thread: only other threads' view matters.
        LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel);
      })
      .Case<kernel::InlineAsmOp>([&](kernel::InlineAsmOp o) {
        refuse(o, "TW4127: the CPU backend takes no inline assembly, got text "
                  "for '" +
                      o.getTarget() + "'");
      })
      .Case<kernel::ExternCallOp>([&](kernel::ExternCallOp o) {
        if (!isKnownFunction(o))
          return;
        if (isa<RankedTensorType>(o.getResult().getType()))
          return emitEagerly(o);
        SmallVector<Value> operands;
        for (Value operand : o.getArgs())
          operands.push_back(scalar(operand));
        scalars.map(o.getResult(), callDevice(o, operands, 1));
      })
      .Case<kernel::AssumeOp>([&](kernel::AssumeOp o) {
        if (!isa<RankedTensorType>(o.getCondition().getType()))
          LLVM::AssumeOp::create(b, scalar(o.getCondition()));
      })
      .Default([&](Operation *) {
        if (isInlineable(op) && op->getNumResults() &&
            llvm::all_of(
                op->getResultTypes(),
                [](Type type) { return !isa<RankedTensorType>(type); }) &&
            !isa<kernel::LoadOp, kernel::GatherOp, kernel::SplitOp>(op))
          return emitScalarOp(op);
        if (isInlineable(op))
          return emitEagerly(op);
        refuse(op, "TW4120: the CPU backend does not know operation '" +
                       op->getName().getStringRef() + "'");
      });
}

/// Scalars map one to one; pointers become LLVM's.
void Emitter::emitScalarOp(Operation *op) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  if (auto addptr = dyn_cast<kernel::AddPtrOp>(op)) {
    Value offset = scalar(addptr.getOffset());
    if (!offset.getType().isInteger(64))
      offset = b.createOrFold<arith::ExtSIOp>(b.getI64Type(), offset);
    Type pointee =
        cast<kernel::PointerType>(addptr.getPtr().getType()).getPointee();
    scalars.map(addptr.getResult(),
                elementPointer(scalar(addptr.getPtr()), pointee, offset));
    return;
  }
  if (isa<kernel::FactOp, kernel::PtrCastOp>(op))
    return scalars.map(op->getResult(0), scalar(op->getOperand(0)));
  if (isa<kernel::IntToPtrOp>(op))
    return scalars.map(
        op->getResult(0),
        LLVM::IntToPtrOp::create(b, pointer, scalar(op->getOperand(0))));
  if (isa<kernel::PtrToIntOp>(op))
    return scalars.map(
        op->getResult(0),
        LLVM::PtrToIntOp::create(b, b.getI64Type(), scalar(op->getOperand(0))));
  if (auto mulhi = dyn_cast<kernel::MulHiOp>(op))
    return scalars.map(mulhi.getResult(), computeMulHi(scalar(mulhi.getLhs()),
                                                       scalar(mulhi.getRhs())));
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return scalars.map(constantOp.getResult(), constant(constantOp.getValue()));
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, scalar(operand));
  Operation *clone = b.clone(*op, mapping);
  for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults())) {
    to.setType(scalarType(from.getType()));
    scalars.map(from, to);
  }
}

} // namespace tilewright::cpu
