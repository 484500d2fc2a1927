//===- ThreadMachine.cpp - Runs simt kernels in this process --------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks that call back into this file, LLVM's JIT, and a round of coroutines.
//===----------------------------------------------------------------------===//
#include "ThreadMachine.h"

#include "PlaceShared.h"

#include "backends/simt/analysis/Races.h"
#include "backends/simt/emit/Emitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

#include <ucontext.h>

namespace tilewright::simt::test {

MachineKernel::~MachineKernel() = default;

//===----------------------------------------------------------------------===//
// Coroutines
//===----------------------------------------------------------------------===//

namespace {

using Entry = void (*)(void **buffers);

/// One program's threads.
class Round {
public:
  Round(Entry entry, void **buffers, unsigned threads)
      : entry(entry), buffers(buffers), coroutines(threads), slots(threads) {}

  bool run(Order order);
  void meet(unsigned point);
  unsigned thread() const { return current; }
  uint64_t exchange(uint64_t bits, unsigned from);

private:
  struct Coroutine {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    bool isOver = false;
    unsigned point = 0; ///< where it waits
  };
  static constexpr size_t stackBytes = 8 << 20; // touched as needed
  static void start();

  Entry entry;
  void **buffers;
  std::vector<Coroutine> coroutines;
  std::vector<uint64_t> slots;
  ucontext_t scheduler;
  unsigned current = 0;
};

Round *running = nullptr;

} // namespace

void Round::start() {
  running->entry(running->buffers);
  running->coroutines[running->current].isOver = true;
  running->coroutines[running->current].point = 0;
}

/// Waits until all threads are at the same kind of point.
void Round::meet(unsigned point) {
  Coroutine &self = coroutines[current];
  self.point = point;
  swapcontext(&self.context, &scheduler);
}

uint64_t Round::exchange(uint64_t bits, unsigned from) {
  slots[current] = bits;
  meet(2);
  uint64_t result = slots[from];
  meet(2);
  return result;
}

bool Round::run(Order order) {
  running = this;
  for (Coroutine &coroutine : coroutines) {
    coroutine.stack.reset(new char[stackBytes]);
    getcontext(&coroutine.context);
    coroutine.context.uc_stack = {coroutine.stack.get(), 0, stackBytes};
    coroutine.context.uc_link = &scheduler;
    makecontext(&coroutine.context, &Round::start, 0);
  }
  unsigned count = coroutines.size();
  do {
    for (unsigned i = 0; i < count; ++i) {
      current = order == Order::Ascending ? i : count - 1 - i;
      swapcontext(&scheduler, &coroutines[current].context);
    }
    for (const Coroutine &coroutine : coroutines)
      if (coroutine.isOver != coroutines[0].isOver ||
          coroutine.point != coroutines[0].point)
        return false;
  } while (!coroutines[0].isOver);
  return true;
}

extern "C" {
static uint32_t machineThread() { return running->thread(); }
static void machineBarrier() { running->meet(1); }
static uint64_t machineExchange(uint64_t bits, uint32_t from) {
  return running->exchange(bits, from);
}
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

namespace {

class MachineHooks : public TargetHooks {
public:
  MachineHooks(SimtTarget target, bool shuffles)
      : TargetHooks(std::move(target)), shuffles(shuffles) {}

  KernelFrame beginKernel(Builder &b, llvm::Module &module,
                          const KernelSignature &signature) override;
  llvm::Value *threadId(Builder &b) override {
    return b.CreateCall(callee(b, "machineThread", b.getInt32Ty(), {}));
  }
  llvm::Value *programId(Builder &b, unsigned) override {
    return b.getInt32(0);
  }
  llvm::Value *numPrograms(Builder &b, unsigned) override {
    return b.getInt32(1);
  }
  void barrier(Builder &b, Spaces) override {
    b.CreateCall(callee(b, "machineBarrier", b.getVoidTy(), {}));
  }
  bool hasShuffles() const override { return shuffles; }
  llvm::Value *shuffleIndex(Builder &b, llvm::Value *value,
                            llvm::Value *lane) override;
  llvm::Value *shuffleXor(Builder &b, llvm::Value *value,
                          unsigned mask) override {
    return shuffleIndex(b, value, b.CreateXor(laneId(b), b.getInt32(mask)));
  }
  void print(Builder &, llvm::StringRef,
             llvm::ArrayRef<llvm::Value *>) override {}
  void fail(Builder &, unsigned, llvm::StringRef,
            const SourcePlace &) override {}

private:
  llvm::FunctionCallee callee(Builder &b, llvm::StringRef name,
                              llvm::Type *result,
                              llvm::ArrayRef<llvm::Type *> parameters) {
    llvm::Module *module = b.GetInsertBlock()->getModule();
    return module->getOrInsertFunction(
        name, llvm::FunctionType::get(result, parameters, false));
  }

  bool shuffles;
};

} // namespace

KernelFrame MachineHooks::beginKernel(Builder &b, llvm::Module &module,
                                      const KernelSignature &signature) {
  llvm::Type *pointer = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {pointer}, false);
  KernelFrame frame;
  frame.function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                          "kernel", module);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(b.getContext(), "entry", frame.function));
  for (unsigned i = 0; i < signature.arguments.size(); ++i) {
    llvm::Value *slot =
        b.CreateConstInBoundsGEP1_64(pointer, frame.function->getArg(0), i);
    frame.arguments.push_back(b.CreateLoad(pointer, slot));
  }
  return frame;
}

llvm::Value *MachineHooks::shuffleIndex(Builder &b, llvm::Value *value,
                                        llvm::Value *lane) {
  llvm::Type *type = value->getType(), *wide = b.getInt64Ty();
  unsigned bits = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
  llvm::Type *narrow = b.getIntNTy(bits);
  llvm::Value *raw = type->isPointerTy() ? b.CreatePtrToInt(value, narrow)
                                         : b.CreateBitCast(value, narrow);
  llvm::Value *from = b.CreateAdd(
      b.CreateMul(warpId(b), b.getInt32(target().warpLanes())), lane);
  llvm::Value *moved =
      b.CreateCall(callee(b, "machineExchange", wide, {wide, b.getInt32Ty()}),
                   {b.CreateZExt(raw, wide), from});
  moved = b.CreateTrunc(moved, narrow);
  return type->isPointerTy() ? b.CreateIntToPtr(moved, type)
                             : b.CreateBitCast(moved, type);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {

class JitKernel : public MachineKernel {
public:
  JitKernel(std::unique_ptr<llvm::orc::LLJIT> jit, Entry entry,
            unsigned threads, uint64_t count)
      : jit(std::move(jit)), entry(entry), threads(threads), count(count) {}

  uint64_t instructions() const override { return count; }

  bool run(const std::vector<void *> &buffers, Order order) override {
    std::vector<void *> block = buffers;
    return Round(entry, block.data(), threads).run(order);
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  Entry entry;
  unsigned threads;
  uint64_t count;
};

} // namespace

/// A JIT that does not spend time on optimisation.
static std::unique_ptr<llvm::orc::LLJIT> createJit(std::string &error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    error = llvm::toString(builder.takeError());
    return nullptr;
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .create();
  if (!jit) {
    error = llvm::toString(jit.takeError());
    return nullptr;
  }
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, auto *function) {
    symbols[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported};
  };
  add("machineThread", &machineThread);
  add("machineBarrier", &machineBarrier);
  add("machineExchange", &machineExchange);
  llvm::cantFail((*jit)->getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols))));
  return std::move(*jit);
}

static SimtTarget machineTarget(const MachineOptions &options) {
  SimtTarget target;
  target.vendor = "machine";
  target.subgroupWidth = options.lanes;
  target.sharedBytes = options.sharedBytes;
  if (options.hasSmallChunks)
    target.chunks = {1, 1, 1};
  target.globalSpace = target.sharedSpace = 0;
  return target;
}

std::unique_ptr<MachineKernel> compile(const std::string &text,
                                       const MachineOptions &options,
                                       std::string &error) {
  auto mlirContext = createContext();
  mlir::ScopedDiagnosticHandler handler(mlirContext.get(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  auto module = placeShared(*mlirContext, text, options);
  if (!module)
    return nullptr;
  auto jit = createJit(error);
  if (!jit)
    return nullptr;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto code = std::make_unique<llvm::Module>("machine", *context);
  code->setDataLayout(jit->getDataLayout());
  MachineHooks hooks(machineTarget(options), options.hasShuffles);
  EmitOptions emit;
  emit.numWarps = options.numWarps;
  auto kernel = *module->getOps<mlir::func::FuncOp>().begin();
  if (findRace(kernel)) {
    error = "the kernel has a race";
    return nullptr;
  }
  llvm::raw_string_ostream stream(error);
  if (!Emitter(*code, hooks, emit).run(kernel) ||
      llvm::verifyModule(*code, &stream))
    return nullptr;
  uint64_t count = code->getInstructionCount();
  llvm::cantFail(jit->addIRModule(
      llvm::orc::ThreadSafeModule(std::move(code), std::move(context))));
  auto address = jit->lookup("kernel");
  if (!address) {
    error = llvm::toString(address.takeError());
    return nullptr;
  }
  auto entry = address->toPtr<Entry>();
  return std::make_unique<JitKernel>(std::move(jit), entry,
                                     options.numWarps * options.lanes, count);
}

} // namespace tilewright::simt::test
