//===- HooksTest.cpp - PTX of what the hooks emit ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small kernel a hook; the PTX must hold the instruction that is meant, and
// ptxas, where there is one, must take it.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Assemble.h"
#include "backends/nvidia/codegen/Ptx.h"
#include "backends/nvidia/hooks/NvidiaHooks.h"
#include "backends/simt/codegen/Codegen.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::Value;

namespace {
/// A kernel of two global pointers and an i32 under construction.
class Kernel {
public:
  explicit Kernel(const char *targetName = "nvidia:sm_90a",
                  unsigned threads = 128, HookOptions options = {})
      : target(resolve(targetName)), hooks(target, options),
        module("test", context), b(context) {
    machine = createMachine(target, 3, report);
    simt::setTarget(module, *machine);
    simt::KernelSignature signature;
    signature.symbol = "kernel";
    signature.threads = threads;
    llvm::Type *types[] = {b.getPtrTy(1), b.getPtrTy(1), b.getInt32Ty()};
    const char *names[] = {"x", "y", "n"};
    for (unsigned i = 0; i < 3; ++i) {
      simt::KernelArgument argument;
      argument.type = types[i];
      argument.name = names[i];
      argument.alignment = i < 2 ? 16 : 0;
      argument.isReadOnly = argument.isDisjoint = i == 0;
      signature.arguments.push_back(argument);
    }
    frame = hooks.beginKernel(b, module, signature);
  }

  Value *x() { return at(0); }
  Value *y() { return at(1); }
  Value *n() { return frame.arguments[2]; }
  void keep(Value *value) { b.CreateStore(value, y(), /*isVolatile=*/true); }

  /// The finished PTX, which an assembler has taken if there is one.
  std::string ptx() {
    hooks.endKernel(b, frame);
    std::string why;
    llvm::raw_string_ostream stream(why);
    EXPECT_FALSE(llvm::verifyModule(module, &stream)) << why;
    simt::optimise(module, *machine, 3);
    std::string text;
    EXPECT_TRUE(simt::emitCode(module, *machine,
                               llvm::CodeGenFileType::AssemblyFile, text));
    AssemblerOptions options;
    if (assemblerName(options) != "none") {
      EXPECT_TRUE(assemble(text, target, options, report).has_value()) << text;
    }
    return text;
  }

  static Target resolve(const char *name) {
    Problem problem;
    return *resolveTarget(name, problem);
  }

private:
  /// Another element for each thread.
  Value *at(unsigned pointer) {
    return b.CreateGEP(b.getInt32Ty(), frame.arguments[pointer],
                       hooks.threadId(b));
  }

  llvm::LLVMContext context;
  Report report{nullptr};

public:
  Target target;
  NvidiaHooks hooks;
  llvm::Module module;
  llvm::IRBuilder<> b;

private:
  simt::KernelFrame frame;
  simt::Machine machine;
};
} // namespace

static void expectHas(const std::string &text, const char *wanted) {
  EXPECT_NE(text.find(wanted), std::string::npos)
      << "expected '" << wanted << "' in\n"
      << text;
}

TEST(Hooks, ProgramIdsOfCutGridsStartWhereTheLaunchSays) {
  Kernel kernel;
  Value *sum = kernel.hooks.programId(kernel.b, 0);
  for (unsigned axis : {1, 2})
    sum = kernel.b.CreateAdd(sum, kernel.hooks.programId(kernel.b, axis));
  kernel.keep(sum);
  std::string text = kernel.ptx();
  expectHas(text, "%ctaid.x");
  expectHas(text, "%ctaid.y");
  expectHas(text, "kernel_param_5");
  expectHas(text, ".reqntid 128");
}

TEST(Hooks, BarrierOfOneWarpIsAWarpBarrier) {
  Kernel one("nvidia:sm_80", 32);
  one.hooks.barrier(one.b, simt::Spaces::Shared);
  expectHas(one.ptx(), "bar.warp.sync");
  Kernel four("nvidia:sm_80", 128);
  four.hooks.barrier(four.b, simt::Spaces::Shared);
  expectHas(four.ptx(), "bar.sync");
}

TEST(Hooks, ShufflesOfWideValuesAreTwo) {
  Kernel kernel;
  Value *wide = kernel.b.CreateLoad(kernel.b.getInt64Ty(), kernel.x());
  kernel.keep(kernel.hooks.shuffleXor(kernel.b, wide, 4));
  std::string text = kernel.ptx();
  size_t first = text.find("shfl.sync.bfly.b32");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find("shfl.sync.bfly.b32", first + 1), std::string::npos);
}

TEST(Hooks, ReadOnlyDisjointArgumentsTakeTheReadOnlyPath) {
  Kernel kernel;
  kernel.keep(kernel.hooks.load(kernel.b, kernel.b.getInt32Ty(), kernel.x(),
                                simt::AccessFlags{4, false}));
  expectHas(kernel.ptx(), "ld.global.nc");
}

TEST(Hooks, CacheAndEvictionHintsReachTheInstruction) {
  Kernel kernel;
  simt::AccessFlags flags;
  flags.alignment = 16;
  flags.cache = kernel::CacheHint::CG;
  auto *type = llvm::FixedVectorType::get(kernel.b.getInt32Ty(), 4);
  Value *loaded = kernel.hooks.load(kernel.b, type, kernel.x(), flags);
  flags.cache = kernel::CacheHint::None;
  flags.evict = kernel::EvictionHint::EvictFirst;
  kernel.hooks.store(kernel.b, loaded, kernel.y(), flags);
  std::string text = kernel.ptx();
  expectHas(text, "ld.global.cg.v4.b32");
  expectHas(text, "st.global.L1::evict_first.v4.b32");
}

TEST(Hooks, MaskedAccessesArePredicatedInstructions) {
  Kernel kernel;
  simt::AccessFlags flags;
  flags.alignment = 16;
  auto *type = llvm::FixedVectorType::get(kernel.b.getHalfTy(), 8);
  Value *mask = kernel.b.CreateICmpSGT(kernel.n(), kernel.b.getInt32(5));
  Value *zero = llvm::Constant::getNullValue(type);
  Value *loaded =
      kernel.hooks.loadIf(kernel.b, mask, type, kernel.x(), zero, flags);
  ASSERT_NE(loaded, nullptr);
  EXPECT_TRUE(kernel.hooks.storeIf(kernel.b, mask, loaded, kernel.y(), flags));
  flags.alignment = 4; // narrower than the vector: a branch has to do
  EXPECT_EQ(kernel.hooks.loadIf(kernel.b, mask, type, kernel.x(), zero, flags),
            nullptr);
  std::string text = kernel.ptx();
  expectHas(text, " ld.global.v4.b32");
  expectHas(text, " st.global.v4.b32");
  EXPECT_EQ(text.find("bra"), std::string::npos) << text;
}

TEST(Hooks, AtomicsCarrySemanticsAndScope) {
  Kernel kernel;
  kernel.keep(kernel.hooks.atomicRMW(
      kernel.b, kernel::AtomicKind::Max, kernel::MemorySemantics::Release,
      kernel::MemoryScope::Device, kernel.y(), kernel.n()));
  expectHas(kernel.ptx(), "atom.release.gpu.global.max.s32");
  Kernel swap;
  swap.keep(swap.hooks.compareAndSwap(
      swap.b, kernel::MemorySemantics::AcquireRelease,
      kernel::MemoryScope::System, swap.y(), swap.n(), swap.b.getInt32(1)));
  expectHas(swap.ptx(), "atom.acq_rel.sys.global.cas.b32");
}

TEST(Hooks, AtomicsOnSharedMemoryUseItsAddresses) {
  Kernel kernel;
  Value *shared = kernel.hooks.sharedMemory(kernel.b, 1024);
  kernel.keep(kernel.hooks.atomicRMW(
      kernel.b, kernel::AtomicKind::Add, kernel::MemorySemantics::Relaxed,
      kernel::MemoryScope::Block, shared, kernel.n()));
  expectHas(kernel.ptx(), "atom.relaxed.cta.shared.add.u32");
}

TEST(Hooks, PortableFloatAddsAreNotTheFlushingInstruction) {
  HookOptions portable;
  portable.isPortable = true;
  Kernel kernel("nvidia:sm_90a", 128, portable);
  Value *one = llvm::ConstantFP::get(kernel.b.getFloatTy(), 1.0);
  EXPECT_EQ(kernel.hooks.atomicRMW(kernel.b, kernel::AtomicKind::FAdd,
                                   kernel::MemorySemantics::Relaxed,
                                   kernel::MemoryScope::Device, kernel.y(),
                                   one),
            nullptr);
}

TEST(Hooks, FailuresAreReportedAndPrintsPrinted) {
  Kernel kernel;
  kernel.hooks.print(kernel.b, "%d\n", {kernel.n()});
  kernel.hooks.fail(kernel.b, 6030, "x is not positive", {"kernel.py", 7});
  std::string text = kernel.ptx();
  expectHas(text, ".visible .global .align 8 .u64 tw_prints");
  expectHas(text, "tw_print_format_0");
  expectHas(text, ".visible .global .align 8 .u64 tw_failure");
}

TEST(Hooks, AsyncCopiesWriteZerosWhereThePredicateIsFalse) {
  Kernel kernel("nvidia:sm_80");
  Value *shared = kernel.hooks.sharedMemory(kernel.b, 4096);
  Value *inside = kernel.b.CreateICmpSGT(kernel.n(), kernel.b.getInt32(5));
  EXPECT_TRUE(kernel.hooks.asyncCopy(kernel.b, shared, kernel.x(), 16, inside));
  kernel.hooks.asyncCommit(kernel.b);
  kernel.hooks.asyncWait(kernel.b, 1);
  std::string text = kernel.ptx();
  expectHas(text, "cp.async.cg.shared.global");
  expectHas(text, "cp.async.commit_group");
  expectHas(text, "cp.async.wait_group 1");
  Kernel turing("nvidia:sm_75");
  Value *buffer = turing.hooks.sharedMemory(turing.b, 4096);
  EXPECT_FALSE(
      turing.hooks.asyncCopy(turing.b, buffer, turing.x(), 16, nullptr));
}

TEST(Hooks, EveryMatrixAtomAssembles) {
  for (const char *name :
       {"nvidia:sm_75", "nvidia:sm_80", "nvidia:sm_89", "nvidia:sm_90a"})
    for (const simt::MatrixAtom &atom : matrixAtoms(Kernel::resolve(name))) {
      SCOPED_TRACE(std::string(name) + " " + atom.name);
      Kernel kernel(name, 32);
      auto typeOf = [&](simt::Element element) -> llvm::Type * {
        switch (element) {
        case simt::Element::F16:
          return kernel.b.getHalfTy();
        case simt::Element::BF16:
          return kernel.b.getInt16Ty();
        case simt::Element::F32:
        case simt::Element::TF32:
          return kernel.b.getFloatTy();
        case simt::Element::F64:
          return kernel.b.getDoubleTy();
        case simt::Element::I32:
          return kernel.b.getInt32Ty();
        default:
          return kernel.b.getInt8Ty();
        }
      };
      auto values = [&](simt::Element element,
                        const simt::LinearLayout &layout) {
        llvm::SmallVector<Value *> loaded;
        for (unsigned i = 0; i < 1u << layout.inputBits(simt::registerDim); ++i)
          loaded.push_back(kernel.b.CreateLoad(typeOf(element), kernel.x(),
                                               /*isVolatile=*/true));
        return loaded;
      };
      llvm::SmallVector<Value *> result = kernel.hooks.emitMatrixAtom(
          kernel.b, atom, values(atom.lhs, atom.lhsLayout),
          values(atom.rhs, atom.rhsLayout),
          values(atom.result, atom.resultLayout));
      for (Value *value : result)
        kernel.keep(value);
      expectHas(kernel.ptx(), "mma.sync.aligned");
    }
}
