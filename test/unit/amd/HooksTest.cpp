//===- HooksTest.cpp - Code of what the hooks emit --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small kernel a hook; its assembly must hold the instruction that is
// meant, and its object must say what it uses.
//===----------------------------------------------------------------------===//
#include "backends/amd/codegen/ObjectCode.h"
#include "backends/amd/hooks/AmdHooks.h"
#include "backends/simt/codegen/Codegen.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::amd;
using llvm::Value;

namespace {
/// A kernel of two global pointers and an i32 under construction.
class Kernel {
public:
  explicit Kernel(const char *targetName = "amd:gfx942", unsigned threads = 256,
                  HookOptions options = {})
      : target(resolve(targetName)), hooks(target, options),
        module("test", context), b(context) {
    machine = createMachine(target, 3, report);
    simt::setTarget(module, *machine);
    module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                         100 * target.codeObject);
    simt::KernelSignature signature;
    signature.symbol = "kernel";
    signature.threads = threads;
    llvm::Type *types[] = {b.getPtrTy(1), b.getPtrTy(1), b.getInt32Ty()};
    for (llvm::Type *type : types) {
      simt::KernelArgument argument;
      argument.type = type;
      signature.arguments.push_back(argument);
    }
    frame = hooks.beginKernel(b, module, signature);
  }

  Value *x() { return at(0); }
  Value *y() { return at(1); }
  Value *n() { return frame.arguments[2]; }
  Value *word() { return b.CreateLoad(b.getInt32Ty(), x()); }
  void keep(Value *value) { b.CreateStore(value, y(), /*isVolatile=*/true); }

  std::string assembly() { return code(llvm::CodeGenFileType::AssemblyFile); }
  std::string object() { return code(llvm::CodeGenFileType::ObjectFile); }
  /// By the passes that the machine keeps.
  std::string keptObject() {
    finish();
    std::string text;
    EXPECT_TRUE(simt::emitObject(module, machine, text));
    return text;
  }

private:
  static Target resolve(const char *name) {
    Problem problem;
    return *resolveTarget(name, problem);
  }
  /// Another element for each thread.
  Value *at(unsigned pointer) {
    return b.CreateGEP(b.getInt32Ty(), frame.arguments[pointer],
                       hooks.threadId(b));
  }
  void finish() {
    hooks.endKernel(b, frame);
    std::string why;
    llvm::raw_string_ostream stream(why);
    EXPECT_FALSE(llvm::verifyModule(module, &stream)) << why;
    simt::optimise(module, *machine, 3);
  }
  std::string code(llvm::CodeGenFileType kind) {
    finish();
    std::string text;
    EXPECT_TRUE(simt::emitCode(module, *machine, kind, text));
    return text;
  }

  llvm::LLVMContext context;
  Report report{nullptr};

public:
  Target target;
  AmdHooks hooks;
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

static void expectLacks(const std::string &text, const char *unwanted) {
  EXPECT_EQ(text.find(unwanted), std::string::npos)
      << "'" << unwanted << "' in\n"
      << text;
}

static std::string exchanged(const char *target, unsigned mask) {
  Kernel kernel(target);
  kernel.keep(kernel.hooks.shuffleXor(kernel.b, kernel.word(), mask));
  return kernel.assembly();
}

TEST(AmdHooks, NeighboursExchangeInTheVectorUnit) {
  for (const char *target : {"amd:gfx942", "amd:gfx1100", "amd:gfx1201"}) {
    expectHas(exchanged(target, 1), "quad_perm:[1,0,3,2]");
    expectHas(exchanged(target, 2), "quad_perm:[2,3,0,1]");
  }
  expectHas(exchanged("amd:gfx942", 7), "row_half_mirror");
  expectHas(exchanged("amd:gfx942", 8), "row_ror:8");
  expectHas(exchanged("amd:gfx942", 15), "row_mirror");
  expectHas(exchanged("amd:gfx1100", 4), "row_xmask:4");
  expectHas(exchanged("amd:gfx1201", 8), "row_xmask:8");
}

TEST(AmdHooks, DistantLanesExchangeByThePermutationOfTheChip) {
  expectHas(exchanged("amd:gfx942", 16), "swizzle(SWAP,16)");
  expectHas(exchanged("amd:gfx942", 32), "ds_bpermute_b32");
  expectHas(exchanged("amd:gfx950", 16), "v_permlane16_swap_b32");
  expectHas(exchanged("amd:gfx950", 32), "v_permlane32_swap_b32");
  expectHas(exchanged("amd:gfx1100", 16), "v_permlanex16_b32");
}

TEST(AmdHooks, BallotsHaveABitForEachLane) {
  Kernel kernel;
  Value *bits = kernel.hooks.ballot(
      kernel.b, kernel.b.CreateICmpNE(kernel.word(), kernel.n()));
  EXPECT_TRUE(bits->getType()->isIntegerTy(64));
  Kernel narrow("amd:gfx1100");
  EXPECT_TRUE(narrow.hooks.ballot(narrow.b, narrow.b.getTrue())
                  ->getType()
                  ->isIntegerTy(32));
}

TEST(AmdHooks, BarriersOfSharedMemoryDoNotWaitForGlobalMemory) {
  auto text = [](simt::Spaces spaces) {
    Kernel kernel("amd:gfx1100");
    kernel.b.CreateStore(kernel.n(), kernel.y());
    kernel.hooks.barrier(kernel.b, spaces);
    kernel.keep(kernel.b.getInt32(1));
    std::string whole = kernel.assembly();
    expectHas(whole, "s_barrier");
    return whole.substr(0, whole.find("s_barrier"));
  };
  expectLacks(text(simt::Spaces::Shared), "s_waitcnt_vscnt null, 0x0");
  expectHas(text(simt::Spaces::All), "s_waitcnt_vscnt null, 0x0");
}

TEST(AmdHooks, OneWaveNeedsNoBarrierInstruction) {
  Kernel kernel("amd:gfx942", 64);
  kernel.hooks.barrier(kernel.b, simt::Spaces::All);
  kernel.keep(kernel.n());
  expectLacks(kernel.assembly(), "s_barrier");
}

TEST(AmdHooks, ScopesReachTheCaches) {
  auto text = [](kernel::MemoryScope scope) {
    Kernel kernel;
    kernel.keep(kernel.hooks.atomicRMW(kernel.b, kernel::AtomicKind::Add,
                                       kernel::MemorySemantics::AcquireRelease,
                                       scope, kernel.x(), kernel.n()));
    return kernel.assembly();
  };
  expectLacks(text(kernel::MemoryScope::Block), "buffer_wbl2");
  expectHas(text(kernel::MemoryScope::Device), "buffer_wbl2 sc1");
  expectHas(text(kernel::MemoryScope::System), "buffer_wbl2 sc0 sc1");
}

TEST(AmdHooks, MaskedLoadsHaveNoBranch) {
  Kernel kernel;
  simt::AccessFlags flags;
  flags.alignment = 4;
  Value *mask =
      kernel.b.CreateICmpSLT(kernel.hooks.threadId(kernel.b), kernel.n());
  kernel.keep(kernel.hooks.loadIf(kernel.b, mask, kernel.b.getInt32Ty(),
                                  kernel.x(), kernel.b.getInt32(7), flags));
  std::string text = kernel.assembly();
  expectHas(text, "global_load_dword");
  expectLacks(text, "s_cbranch");
}

TEST(AmdHooks, HintsReachTheInstruction) {
  Kernel kernel;
  simt::AccessFlags flags;
  flags.alignment = 4;
  flags.evict = kernel::EvictionHint::EvictFirst;
  kernel.keep(
      kernel.hooks.load(kernel.b, kernel.b.getInt32Ty(), kernel.x(), flags));
  expectHas(kernel.assembly(), " nt");
}

/// What rounding to nearest even gives; no NaN.
static uint16_t nearestBFloat(uint32_t bits) {
  llvm::APFloat value(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits));
  bool isLossy = false;
  value.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                &isLossy);
  return uint16_t(value.bitcastToAPInt().getZExtValue());
}

TEST(AmdHooks, FloatsRoundToTheNearestBFloat) {
  Kernel kernel;
  auto rounded = [&](uint32_t bits) {
    llvm::APFloat value(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits));
    Value *result = kernel.hooks.roundToBFloat(
        kernel.b, llvm::ConstantFP::get(kernel.b.getFloatTy(), value));
    return uint16_t(llvm::cast<llvm::ConstantInt>(result)->getZExtValue());
  };
  for (uint32_t high = 0; high < 1u << 16; high += 97)
    for (uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      uint32_t bits = high << 16 | low;
      if ((bits & 0x7fffffff) > 0x7f800000)
        EXPECT_EQ(rounded(bits), 0x7fc0) << bits;
      else
        EXPECT_EQ(rounded(bits), nearestBFloat(bits)) << bits;
    }
  for (uint32_t bits : {0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x80000001u})
    EXPECT_EQ(rounded(bits), nearestBFloat(bits)) << bits;
}

TEST(AmdHooks, RoundingToBFloatTakesTheInstructionWhereThereIsOne) {
  auto text = [](const char *target) {
    Kernel kernel(target);
    Value *value = kernel.b.CreateBitCast(kernel.word(), kernel.b.getFloatTy());
    kernel.keep(kernel.b.CreateZExt(kernel.hooks.roundToBFloat(kernel.b, value),
                                    kernel.b.getInt32Ty()));
    return kernel.assembly();
  };
  expectHas(text("amd:gfx950"), "v_cvt_pk_bf16_f32");
  expectHas(text("amd:gfx942"), "v_add3_u32");
}

TEST(AmdHooks, MatrixInstructionsTakeTheRightOperandFirst) {
  Kernel kernel;
  const simt::MatrixAtom *atom = nullptr;
  for (const simt::MatrixAtom &row : kernel.hooks.target().atoms)
    if (row.name == "f32.16.n16k4")
      atom = &row;
  ASSERT_NE(atom, nullptr);
  Value *left = kernel.b.CreateLoad(kernel.b.getFloatTy(), kernel.x());
  Value *right = kernel.b.CreateLoad(kernel.b.getFloatTy(), kernel.y());
  llvm::SmallVector<Value *> zeros(
      4, llvm::ConstantFP::get(kernel.b.getFloatTy(), 0));
  llvm::SmallVector<Value *> sums =
      kernel.hooks.emitMatrixAtom(kernel.b, *atom, {left}, {right}, zeros);
  EXPECT_EQ(sums.size(), 4u);
  llvm::CallInst *call = nullptr;
  for (llvm::Instruction &instruction : *kernel.b.GetInsertBlock())
    if (auto *found = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (found->getIntrinsicID() ==
          llvm::Intrinsic::amdgcn_mfma_f32_16x16x4f32)
        call = found;
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->getArgOperand(0), right);
  EXPECT_EQ(call->getArgOperand(1), left);
}

/// Every atom of every processor becomes instructions that LLVM has.
TEST(AmdHooks, EveryAtomIsSelected) {
  struct Row {
    const char *target, *instruction;
  };
  for (auto [target, instruction] :
       {Row{"amd:gfx90a", "v_mfma_"}, Row{"amd:gfx942", "v_mfma_"},
        Row{"amd:gfx950", "v_mfma_"}, Row{"amd:gfx9-4-generic", "v_mfma_"},
        Row{"amd:gfx1100", "v_wmma_"}, Row{"amd:gfx1151", "v_wmma_"},
        Row{"amd:gfx11-generic", "v_wmma_"}, Row{"amd:gfx1201", "v_wmma_"},
        Row{"amd:gfx12-generic", "v_wmma_"}}) {
    Problem problem;
    std::vector<BlockAtom> atoms =
        blockAtoms(*resolveTarget(target, problem), {});
    for (const BlockAtom &block : atoms) {
      // One instruction of each kind will do.
      if (block.steps.size() != 1)
        continue;
      SCOPED_TRACE(std::string(target) + " " + block.atom.name);
      Kernel kernel(target);
      auto typeOf = [&](simt::Element element) -> llvm::Type * {
        switch (element) {
        case simt::Element::F64:
          return kernel.b.getDoubleTy();
        case simt::Element::F32:
        case simt::Element::TF32:
          return kernel.b.getFloatTy();
        case simt::Element::F16:
          return kernel.b.getHalfTy();
        case simt::Element::BF16:
          return kernel.b.getInt16Ty();
        case simt::Element::I32:
          return kernel.b.getInt32Ty();
        default:
          return kernel.b.getInt8Ty();
        }
      };
      auto loaded = [&](simt::Element element, size_t count) {
        llvm::SmallVector<Value *> values;
        for (size_t i = 0; i < count; ++i)
          values.push_back(kernel.b.CreateLoad(typeOf(element), kernel.x()));
        return values;
      };
      const Step &step = block.steps.front();
      llvm::SmallVector<Value *> sums = kernel.hooks.emitMatrixAtom(
          kernel.b, block.atom, loaded(block.atom.lhs, step.lhs.size()),
          loaded(block.atom.rhs, step.rhs.size()),
          loaded(block.atom.result, step.result.size()));
      for (Value *sum : sums)
        kernel.keep(sum);
      expectHas(kernel.assembly(), instruction);
    }
  }
}

/// What an atom with factors compiles to, each factor being the value or, for
/// null, one that is not known.
static std::string scaledAssembly(const ScaledAtom &scaled,
                                  std::optional<unsigned> factor) {
  Kernel kernel("amd:gfx950");
  const simt::MatrixAtom &atom = scaled.atom;
  auto loaded = [&](llvm::Type *type, size_t count) {
    llvm::SmallVector<Value *> values;
    for (size_t i = 0; i < count; ++i)
      values.push_back(kernel.b.CreateLoad(type, kernel.x()));
    return values;
  };
  llvm::Type *byte = kernel.b.getInt8Ty();
  auto scale = [&]() -> Value * {
    return factor ? kernel.b.getInt8(uint8_t(*factor)) : loaded(byte, 1)[0];
  };
  auto bytes = [](simt::Element element) { return 32 / elementsOf(element); };
  llvm::SmallVector<Value *> sums = kernel.hooks.emitScaledAtom(
      kernel.b, atom, loaded(byte, bytes(atom.lhs)),
      loaded(byte, bytes(atom.rhs)),
      loaded(kernel.b.getFloatTy(), atom.m * atom.n / 64), scale(), scale());
  for (Value *sum : sums)
    kernel.keep(sum);
  return kernel.assembly();
}

/// The right operand is A: its format is cbsz, the left one's blgp.
TEST(AmdHooks, EveryAtomWithFactorsIsSelected) {
  Problem problem;
  for (const ScaledAtom &scaled :
       scaledAtoms(*resolveTarget("amd:gfx950", problem), {})) {
    SCOPED_TRACE(scaled.atom.name);
    std::string text = scaledAssembly(scaled, std::nullopt);
    expectHas(text, scaled.atom.m == 32 ? "v_mfma_scale_f32_32x32x64_f8f6f4"
                                        : "v_mfma_scale_f32_16x16x128_f8f6f4");
    auto has = [&](const std::string &part) {
      return text.find(part) != std::string::npos;
    };
    for (unsigned format : {1u, 4u}) {
      EXPECT_EQ(has("cbsz:" + std::to_string(format)),
                scaled.rhsFormat == format);
      EXPECT_EQ(has("blgp:" + std::to_string(format)),
                scaled.lhsFormat == format);
    }
  }
}

/// The hardware reads other bits of factors that are in no vector register, and
/// LLVM takes two constants of 0 for an instruction without factors.
TEST(AmdHooks, ConstantFactorsAreInVectorRegisters) {
  Problem problem;
  std::vector<ScaledAtom> atoms =
      scaledAtoms(*resolveTarget("amd:gfx950", problem), {});
  for (unsigned factor : {0u, 1u, 127u, 254u}) {
    std::string text = scaledAssembly(atoms.front(), factor);
    size_t at = text.find("v_mfma_scale_f32_16x16x128_f8f6f4");
    ASSERT_NE(at, std::string::npos) << factor;
    std::string line = text.substr(at, text.find('\n', at) - at);
    llvm::SmallVector<llvm::StringRef> operands;
    llvm::StringRef(line).split(operands, ", ");
    ASSERT_GE(operands.size(), 6u) << line;
    EXPECT_TRUE(operands[4].starts_with("v")) << line;
    EXPECT_TRUE(operands[5].starts_with("v")) << line;
  }
}

TEST(AmdHooks, ObjectsSayWhatTheirKernelsUse) {
  Kernel kernel;
  Value *shared = kernel.hooks.sharedMemory(kernel.b, 4096);
  Value *slot = kernel.b.CreateGEP(kernel.b.getInt32Ty(), shared,
                                   kernel.hooks.threadId(kernel.b));
  kernel.b.CreateStore(kernel.n(), slot, /*isVolatile=*/true);
  kernel.hooks.barrier(kernel.b, simt::Spaces::Shared);
  kernel.keep(kernel.b.CreateLoad(kernel.b.getInt32Ty(), slot, true));
  llvm::StringMap<KernelResources> resources = readResources(kernel.object());
  ASSERT_EQ(resources.count("kernel"), 1u);
  const KernelResources &used = resources["kernel"];
  EXPECT_EQ(used.sharedBytes, 4096u);
  EXPECT_GE(used.vectorRegisters, 2u);
  EXPECT_EQ(used.vectorSpills, 0u);
  // Two pointers and n, then six hidden words.
  EXPECT_GE(used.argumentBytes, 8u + 8 + 4 + 6 * 4);
}

TEST(AmdHooks, BytesThatAreNoObjectHaveNoResources) {
  EXPECT_TRUE(readResources("no object").empty());
  EXPECT_TRUE(readResources("").empty());
}

/// One module behind the other, as a worker compiles them.
TEST(Emission, KeptPassesMakeOfEachModuleWhatNewOnesMake) {
  auto fill = [](Kernel &kernel, unsigned kind) {
    Value *word = kernel.word();
    for (unsigned i = 0; i < kind; ++i)
      word = kernel.b.CreateMul(word, kernel.b.CreateAdd(word, kernel.n()));
    kernel.keep(word);
  };
  for (unsigned turn = 0; turn < 3; ++turn)
    for (unsigned kind = 0; kind < 4; ++kind) {
      Kernel kept("amd:gfx942", 64 << kind), made("amd:gfx942", 64 << kind);
      fill(kept, kind);
      fill(made, kind);
      EXPECT_EQ(kept.keptObject(), made.object()) << turn << " " << kind;
    }
}
