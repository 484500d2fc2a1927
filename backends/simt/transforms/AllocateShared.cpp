//===- AllocateShared.cpp - Offsets of buffers and scratch memory ---------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that are needed at the same time lie apart, others share bytes. The
// scratch memory of one operation is kept until the next one where that fits,
// so that neighbours need no barrier between them.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/analysis/Scratch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTALLOCATESHAREDPASS
#include "backends/simt/transforms/Passes.h.inc"

static constexpr uint64_t kAlignment = 16;

namespace {

/// Bytes that an operation needs from one position of the code to another.
struct Buffer {
  Operation *op;
  uint64_t bytes;
  unsigned begin, end; ///< both included
  bool isScratch;
  uint64_t offset = 0;

  bool isLiveWith(const Buffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// The buffers of one kernel.
class Allocation {
public:
  Allocation(func::FuncOp kernel, const ScratchRules &rules);

  /// Places all buffers; gives the bytes that they take together.
  uint64_t place(bool keepsScratch);
  void annotate();
  void report(uint64_t limit);

private:
  void addBuffer(Operation *op, uint64_t bytes);
  unsigned lastUse(Operation *op) const;
  unsigned endOf(Operation *op) const { return ends.lookup(op); }

  func::FuncOp kernel;
  DenseMap<Operation *, unsigned> begins, ends;
  SmallVector<Buffer> buffers;
};

} // namespace

/// Bytes of what an operation allocates for its users.
static uint64_t allocatedBytes(Operation *op) {
  if (auto barrier = dyn_cast<MBarrierInitOp>(op))
    return barrier.getType().getCount() * 8;
  auto alloc = dyn_cast<AllocOp>(op);
  if (!alloc)
    return 0;
  MemDescType type = alloc.getType();
  uint64_t elements = uint64_t(1) << type.getLayout().getLayout().inputBits();
  return type.getBuffers() * elements * memoryBytes(type.getElementType());
}

/// The outermost operation around `op`, inside `scope`, whose body may run more
/// than once or beside others.
static Operation *outermostRepeated(Operation *op, Operation *scope) {
  Operation *found = nullptr;
  for (Operation *at = op->getParentOp(); at && !at->isAncestor(scope);
       at = at->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp, PartitionOp>(at))
      found = at;
  return found;
}

Allocation::Allocation(func::FuncOp kernel, const ScratchRules &rules)
    : kernel(kernel) {
  unsigned position = 0;
  kernel.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { begins[op] = position++; });
  kernel.walk<WalkOrder::PostOrder>([&](Operation *op) {
    unsigned end = begins[op];
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          end = std::max(end, ends[&block.back()]);
    ends[op] = end;
  });
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (uint64_t bytes = allocatedBytes(op))
      buffers.push_back({op, bytes, begins[op], lastUse(op), false});
    if (uint64_t bytes = scratchBytes(op, rules))
      buffers.push_back({op, bytes, begins[op], begins[op], true});
  });
}

unsigned Allocation::lastUse(Operation *op) const {
  unsigned last = begins.lookup(op);
  for (Operation *user : op->getUsers()) {
    Operation *repeated = outermostRepeated(user, op);
    last = std::max(last, endOf(repeated ? repeated : user));
  }
  return last;
}

/// The lowest aligned offset at which the buffer meets no other that lives
/// with it.
static uint64_t findOffset(const Buffer &buffer, ArrayRef<Buffer> placed) {
  SmallVector<const Buffer *> others;
  for (const Buffer &other : placed)
    if (other.isLiveWith(buffer))
      others.push_back(&other);
  llvm::sort(others, [](const Buffer *a, const Buffer *b) {
    return a->offset < b->offset;
  });
  uint64_t offset = 0;
  for (const Buffer *other : others) {
    if (offset + buffer.bytes <= other->offset)
      break;
    offset = std::max(offset,
                      llvm::alignTo(other->offset + other->bytes, kAlignment));
  }
  return offset;
}

uint64_t Allocation::place(bool keepsScratch) {
  Buffer *lastScratch = nullptr;
  for (Buffer &buffer : buffers) {
    if (!buffer.isScratch)
      continue;
    buffer.end = buffer.begin;
    if (keepsScratch && lastScratch)
      lastScratch->end = buffer.begin;
    lastScratch = &buffer;
  }
  uint64_t total = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    buffers[i].offset = findOffset(buffers[i], ArrayRef(buffers).take_front(i));
    total = std::max(total, buffers[i].offset + buffers[i].bytes);
  }
  return llvm::alignTo(total, kAlignment);
}

void Allocation::annotate() {
  Builder b(kernel.getContext());
  for (const Buffer &buffer : buffers) {
    Attribute offset = b.getI64IntegerAttr(buffer.offset);
    if (!buffer.isScratch) {
      buffer.op->setAttr("offset", offset);
      continue;
    }
    buffer.op->setAttr(kScratchAttr, offset);
    buffer.op->setAttr(kScratchBytesAttr, b.getI64IntegerAttr(buffer.bytes));
  }
}

/// Names the buffers that live where most bytes are needed, the largest first,
/// and the number of stages that would fit.
void Allocation::report(uint64_t limit) {
  const Buffer *highest = &buffers.front();
  for (const Buffer &buffer : buffers)
    if (buffer.offset + buffer.bytes > highest->offset + highest->bytes)
      highest = &buffer;
  SmallVector<const Buffer *> live;
  uint64_t fixedBytes = 0, stageBytes = 0;
  for (const Buffer &buffer : buffers) {
    if (!buffer.isLiveWith(*highest))
      continue;
    live.push_back(&buffer);
    auto alloc = dyn_cast<AllocOp>(buffer.op);
    int64_t stages = alloc ? alloc.getType().getBuffers() : 1;
    (stages > 1 ? stageBytes : fixedBytes) += buffer.bytes / stages;
  }
  llvm::sort(live, [](const Buffer *a, const Buffer *b) {
    return a->bytes > b->bytes;
  });
  std::string next = "use smaller tiles";
  if (stageBytes && fixedBytes + stageBytes <= limit)
    next = ("num_stages=" + Twine((limit - fixedBytes) / stageBytes) + " fits")
               .str();
  InFlightDiagnostic diagnostic =
      highest->op->emitError()
      << "TW4150: expected at most " << limit << " bytes of shared memory, got "
      << highest->offset + highest->bytes << "; " << next;
  for (const Buffer *buffer : live)
    diagnostic.attachNote(buffer->op->getLoc())
        << buffer->bytes << " bytes for "
        << (buffer->isScratch ? "moving values between threads" : "a buffer");
}

namespace {
struct AllocateSharedPass
    : public impl::SimtAllocateSharedPassBase<AllocateSharedPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (failed(allocate(kernel)))
        signalPassFailure();
  }

private:
  LogicalResult allocate(func::FuncOp kernel) {
    auto read = [&](StringRef name, unsigned otherwise) {
      auto attribute = kernel->getAttrOfType<IntegerAttr>(name);
      return attribute ? unsigned(attribute.getInt()) : otherwise;
    };
    SimtTarget target;
    target.sharedBytes = sharedBytes;
    target.subgroupWidth = read(kLanesAttr, 32);
    Allocation allocation(kernel,
                          makeScratchRules(target, read(kNumWarpsAttr, 4),
                                           hasShuffles, hasMatrixAtoms));
    uint64_t bytes = allocation.place(true);
    if (bytes > sharedBytes)
      bytes = allocation.place(false);
    if (bytes > sharedBytes) {
      allocation.report(sharedBytes);
      return failure();
    }
    allocation.annotate();
    kernel->setAttr(kSharedBytesAttr,
                    Builder(&getContext()).getI64IntegerAttr(bytes));
    return success();
  }
};
} // namespace

} // namespace tilewright::simt
