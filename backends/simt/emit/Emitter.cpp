//===- Emitter.cpp - Builds the LLVM function of one kernel -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declaration, dispatch by operation, and code that families share.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Emitter.h"

#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/chunks/Chunks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tilewright::simt {

Emitter::Emitter(llvm::Module &module, TargetHooks &hooks,
                 const EmitOptions &options)
    : b(module.getContext()), hooks(hooks), target(hooks.target()),
      options(options), module(module) {}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// What the launcher passes for an argument, by `tw.*` attributes.
static KernelArgument describe(func::FuncOp kernel, unsigned index) {
  KernelArgument result;
  if (auto name = kernel.getArgAttrOfType<StringAttr>(index, "tw.name"))
    result.name = name.str();
  result.isReadOnly = bool(kernel.getArgAttr(index, "tw.readonly"));
  result.isDisjoint = bool(kernel.getArgAttr(index, "tw.disjoint"));
  if (auto divisor =
          kernel.getArgAttrOfType<IntegerAttr>(index, "tw.divisibility"))
    result.alignment = divisor.getInt();
  return result;
}

/// The order of the packed block: the user's positions.
static SmallVector<unsigned> argumentOrder(func::FuncOp kernel) {
  SmallVector<std::pair<int64_t, unsigned>> keyed;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    auto index = kernel.getArgAttrOfType<IntegerAttr>(i, "tw.index");
    keyed.push_back({index ? index.getInt() : i, i});
  }
  llvm::stable_sort(keyed, llvm::less_first());
  SmallVector<unsigned> order;
  for (auto [key, i] : keyed)
    order.push_back(i);
  return order;
}

bool Emitter::declare(func::FuncOp kernel) {
  KernelSignature signature;
  signature.symbol = kernel.getSymName().str();
  signature.threads = threads();
  signature.needsProgress = kernel->hasAttr("tw.needs_progress");
  SmallVector<unsigned> order = argumentOrder(kernel);
  for (unsigned i : order) {
    KernelArgument argument = describe(kernel, i);
    Type type = kernel.getArgument(i).getType();
    argument.type =
        isa<kernel::PointerType>(type) ? registerType(type) : memoryType(type);
    signature.arguments.push_back(argument);
  }
  frame = hooks.beginKernel(b, module, signature);
  frame.function = b.GetInsertBlock()->getParent();
  thread = hooks.threadId(b);
  lane = hooks.laneId(b);
  warp = hooks.warpId(b);
  for (auto [position, i] : llvm::enumerate(order)) {
    Type type = kernel.getArgument(i).getType();
    llvm::Value *value = frame.arguments[position];
    set(kernel.getArgument(i),
        isa<kernel::PointerType>(type) ? value : fromMemory(value, type));
  }
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
    if (bytes.getInt() > 0)
      sharedBase = hooks.sharedMemory(b, bytes.getInt());
  entry = b.GetInsertBlock();
  llvm::BasicBlock *body = newBlock("body");
  entryEnd = b.CreateBr(body);
  b.SetInsertPoint(body);
  return true;
}

llvm::Function *Emitter::run(func::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock()) {
    refuse(kernel, 4120, "expected a kernel of one block");
    return nullptr;
  }
  declare(kernel);
  emitBody(kernel.getBody().front());
  hooks.endKernel(b, frame);
  return failed ? nullptr : frame.function;
}

void Emitter::emitBody(Block &block) {
  forget(atBlockEnd);
  atBlockEnd.clear();
  for (auto at = block.begin(); at != block.end();) {
    if (at->hasTrait<OpTrait::IsTerminator>())
      break;
    if (std::optional<ChunkRun> run =
            findChunkRun(at, block.end(), target.chunks)) {
      emitRun(*run);
      at = run->end;
      continue;
    }
    emitOperation(&*at++);
  }
  if (block.mightHaveTerminator())
    atBlockEnd = reload(block.getTerminator()->getOperands());
}

/// Values in private memory have registers while an operation reads them.
void Emitter::emitOperation(Operation *op) {
  forget(atBlockEnd);
  atBlockEnd.clear();
  if (emitLoopedMove(*this, op))
    return;
  llvm::SmallVector<Value> loaded = reload(op->getOperands());
  emitKnownOperation(op);
  forget(loaded);
}

void Emitter::emitKnownOperation(Operation *op) {
  hooks.beginOperation(b, placeOf(op->getLoc()));
  if (emitElementwise(*this, op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp o) { emitFor(*this, o); })
      .Case([&](scf::IfOp o) { simt::emitIf(*this, o); })
      .Case([&](scf::WhileOp o) { emitWhile(*this, o); })
      .Case([&](tensor::SplatOp o) { emitSplat(*this, o); })
      .Case([&](tensor::ExtractSliceOp o) { emitExtractSlice(*this, o); })
      .Case([&](ConvertLayoutOp o) { emitConvertLayout(*this, o); })
      .Case([&](BroadcastOp o) { emitBroadcast(*this, o); })
      .Case([&](TransposeOp o) { emitTranspose(*this, o); })
      .Case([&](ReshapeOp o) { emitReshape(*this, o); })
      .Case([&](DotOp o) { emitDot(*this, o); })
      .Case([&](AllocOp) {}) // users read its offset
      .Case([&](RotateOp o) { emitRotate(*this, o); })
      .Case([&](LocalLoadOp o) { emitLocalLoad(*this, o); })
      .Case([&](LocalStoreOp o) { emitLocalStore(*this, o); })
      .Case([&](AsyncCopyOp o) { emitAsyncCopy(*this, o); })
      .Case([&](AsyncCommitOp) { hooks.asyncCommit(b); })
      .Case([&](AsyncWaitOp o) { hooks.asyncWait(b, o.getPending()); })
      .Case([&](BarrierOp o) {
        barrier(o.getGlobal() ? Spaces::All : Spaces::Shared);
      })
      .Default([&](Operation *) { emitKernelOperation(op); });
}

void Emitter::emitKernelOperation(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](kernel::ProgramIdOp o) {
        set(o.getResult(), hooks.programId(b, o.getAxis()));
      })
      .Case([&](kernel::NumProgramsOp o) {
        set(o.getResult(), hooks.numPrograms(b, o.getAxis()));
      })
      .Case([&](NumBlocksOp o) { set(o.getResult(), hooks.numBlocks(b)); })
      .Case([&](kernel::RangeOp o) { emitRange(*this, o); })
      .Case([&](kernel::ViewOp o) { emitView(*this, o); })
      .Case([&](kernel::LoadOp o) { emitLoad(*this, o); })
      .Case([&](kernel::StoreOp o) { emitStore(*this, o); })
      .Case([&](kernel::GatherOp o) { emitGather(*this, o); })
      .Case([&](kernel::ScatterOp o) { emitScatter(*this, o); })
      .Case([&](kernel::AtomicRMWOp o) { emitAtomicRMW(*this, o); })
      .Case([&](kernel::AtomicCASOp o) { emitAtomicCAS(*this, o); })
      .Case([&](kernel::JoinOp o) { emitJoin(*this, o); })
      .Case([&](kernel::SplitOp o) { emitSplit(*this, o); })
      .Case([&](kernel::CatOp o) { emitCat(*this, o); })
      .Case([&](kernel::ReduceOp o) { emitReduce(*this, o); })
      .Case([&](kernel::ScanOp o) { emitScan(*this, o); })
      .Case([&](kernel::GatherInTileOp o) { emitGatherInTile(*this, o); })
      .Case([&](kernel::HistogramOp o) { emitHistogram(*this, o); })
      .Case([&](kernel::BarrierOp) { barrier(Spaces::All); })
      .Case([&](kernel::PrintOp o) { emitPrint(*this, o); })
      .Case([&](kernel::AssertOp o) { emitAssert(*this, o); })
      .Case([&](kernel::TrapOp o) { emitTrap(*this, o); })
      .Case([&](kernel::ClockOp o) { emitClock(*this, o); })
      .Case([&](kernel::AssumeOp o) { emitAssume(*this, o); })
      .Case([&](kernel::InlineAsmOp o) { emitInlineAsm(*this, o); })
      .Case([&](kernel::ExternCallOp o) { emitExternCall(*this, o); })
      .Default([&](Operation *) {
        refuse(op, 4120,
               "the thread mapping does not know operation '" +
                   op->getName().getStringRef() + "'");
        for (Value result : op->getResults())
          setPoison(result);
      });
}

void Emitter::setPoison(Value value) {
  llvm::Type *type = registerType(value.getType());
  Registers registers(1, llvm::PoisonValue::get(type));
  if (layoutOf(value.getType()))
    registers.assign(layout(value).registers, llvm::PoisonValue::get(type));
  set(value, std::move(registers));
}

void Emitter::refuse(Operation *op, unsigned code, const llvm::Twine &message) {
  failed = true;
  op->emitError() << "TW" << code << ": " << message;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Value *Emitter::scalar(Value value) const {
  const Registers &all = registers(value);
  assert(all.size() == 1 && "a scalar");
  return all[0];
}

const Registers &Emitter::registers(Value value) const {
  auto found = values.find(value);
  assert(found != values.end() && "emitted before its use");
  return *found->second;
}

void Emitter::set(Value value, llvm::Value *scalar) {
  set(value, Registers{scalar});
}

void Emitter::set(Value value, Registers registers) {
  values[value] = std::make_unique<Registers>(std::move(registers));
}

const EmittedView &Emitter::view(Value value) const {
  auto found = views.find(value);
  assert(found != views.end() && "emitted before its use");
  return found->second;
}

void Emitter::set(Value value, EmittedView view) {
  views[value] = std::move(view);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

llvm::BasicBlock *Emitter::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(b.getContext(), name, frame.function);
}

void Emitter::inEntry(llvm::function_ref<void()> body) {
  llvm::IRBuilderBase::InsertPointGuard guard(b);
  if (entryEnd)
    b.SetInsertPoint(entryEnd);
  body();
}

llvm::AllocaInst *Emitter::allocatePrivate(llvm::Type *type, uint64_t count) {
  llvm::IRBuilderBase::InsertPointGuard guard(b);
  b.SetInsertPoint(entry, entry->getFirstInsertionPt());
  auto *memory =
      b.CreateAlloca(llvm::ArrayType::get(type, count), target.privateSpace);
  memory->setAlignment(llvm::Align(16));
  return memory;
}

llvm::Value *Emitter::isFirstThread() {
  if (!firstThread)
    inEntry([&] { firstThread = b.CreateICmpEQ(thread, b.getInt32(0)); });
  return firstThread;
}

llvm::Value *Emitter::shared(int64_t bytes) {
  assert(sharedBase && "simt-allocate-shared counted it");
  return bytes ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), sharedBase, bytes)
               : sharedBase;
}

llvm::Value *Emitter::scratch(Operation *op, int64_t bytes) {
  auto offset = op->getAttrOfType<IntegerAttr>(kScratchAttr);
  assert(offset && "simt-allocate-shared gave it scratch");
  return shared(offset.getInt() + bytes);
}

/// One thread writes, all read.
llvm::Value *Emitter::broadcastFromFirst(Operation *op, llvm::Value *value,
                                         Type element) {
  llvm::Value *slot = scratch(op);
  emitIf(isFirstThread(), [&] { b.CreateStore(toMemory(value), slot); });
  barrier();
  llvm::Value *read = b.CreateLoad(memoryType(element), slot);
  return fromMemory(read, element);
}

void Emitter::emitIf(llvm::Value *condition, llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  llvm::BasicBlock *then = newBlock("then"), *end = newBlock("end");
  b.CreateCondBr(condition, then, end);
  b.SetInsertPoint(then);
  body();
  b.CreateBr(end);
  b.SetInsertPoint(end);
}

Registers Emitter::emitIf(llvm::Value *condition, const Registers &otherwise,
                          llvm::function_ref<Registers()> body) {
  if (!condition)
    return body();
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::BasicBlock *then = newBlock("then"), *end = newBlock("end");
  b.CreateCondBr(condition, then, end);
  b.SetInsertPoint(then);
  Registers results = body();
  llvm::BasicBlock *last = b.GetInsertBlock();
  b.CreateBr(end);
  b.SetInsertPoint(end);
  for (auto [result, other] : llvm::zip(results, otherwise)) {
    llvm::PHINode *phi = b.CreatePHI(result->getType(), 2);
    phi->addIncoming(result, last);
    phi->addIncoming(other, before);
    result = phi;
  }
  return results;
}

Registers Emitter::emitLoop(
    llvm::Value *begin, llvm::Value *end, llvm::Value *step,
    const Registers &carried,
    llvm::function_ref<Registers(llvm::Value *, const Registers &)> body) {
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::BasicBlock *head = newBlock("loop"), *inside = newBlock("loop.body"),
                   *after = newBlock("loop.end");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode *index = b.CreatePHI(begin->getType(), 2);
  index->addIncoming(begin, before);
  Registers phis;
  for (llvm::Value *value : carried) {
    llvm::PHINode *phi = b.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    phis.push_back(phi);
  }
  b.CreateCondBr(b.CreateICmpSLT(index, end), inside, after);
  b.SetInsertPoint(inside);
  Registers next = body(index, phis);
  index->addIncoming(b.CreateAdd(index, step), b.GetInsertBlock());
  for (auto [phi, value] : llvm::zip(phis, next))
    llvm::cast<llvm::PHINode>(phi)->addIncoming(value, b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(after);
  return phis;
}

Registers Emitter::emitCombine(Block &block, ArrayRef<llvm::Value *> args) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), args))
    set(argument, value);
  emitBody(block);
  Registers results;
  for (Value operand : block.getTerminator()->getOperands())
    results.push_back(scalar(operand));
  return results;
}

} // namespace tilewright::simt
