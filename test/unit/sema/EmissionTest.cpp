//===- EmissionTest.cpp - Shape of the emitted IR ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conventions that the lowering relies on: argument attributes, masks, loops,
// early returns, locations of inlined helpers.
//===----------------------------------------------------------------------===//

#include "SemaTest.h"

using namespace tilewright;

static std::string withPrologue(const char *body) {
  return std::string(prologue) + body;
}

TEST(Emission, ArgumentsCarryTheirFacts) {
  Emitted result =
      emit(withPrologue(R"(
@triton.jit
def k(x, n, s, y, B: tl.constexpr, flag=None):
    tl.store(x + n * s, tl.load(y))
)"),
           "k", "x:*fp32[:16,disjoint], n:i64, s:i32[1], y:*kfp32, B=4");
  expectInOrder(
      result,
      {"func.func @k(%arg0: !tile.ptr<f32> {tw.disjoint, tw.divisibility "
       "= 16 : i64, tw.dtype = \"*fp32\", tw.index = 0 : i32, tw.name = \"x\"}",
       "%arg1: i64 {tw.dtype = \"i64\", tw.index = 1 : i32",
       "%arg2: !tile.ptr<f32> {tw.dtype = \"*kfp32\", tw.index = 2 : i32, "
       "tw.name = \"y\", tw.readonly}",
       "attributes {tw.kernel}"});
}

TEST(Emission, MaskedLoadWithoutOtherHasNone) {
  Emitted result = emit(withPrologue(R"(
@triton.jit
def k(x, n):
    o = tl.arange(0, 8)
    tl.store(x + o, tl.load(x + o, mask=o < n), mask=o < n)
)"),
                        "k", "x:*fp32, n:i32");
  expectInOrder(result, {"tile.load", "mask", ": tensor<8x!tile.ptr<f32>>",
                         "tile.store"});
  EXPECT_EQ(result.text.find("other"), std::string::npos);
}

TEST(Emission, EarlyReturnPutsTheRestUnderElse) {
  Emitted result = emit(withPrologue(R"(
@triton.jit
def k(x, n):
    pid = tl.program_id(0)
    if pid >= n:
        return
    tl.store(x + pid, 1.0)
)"),
                        "k", "x:*fp32, n:i32");
  expectInOrder(result, {"scf.if", "} else {", "tile.store", "}", "return"});
}

TEST(Emission, ReturnInNestedBranchBecomesAFlag) {
  Emitted result = emit(withPrologue(R"(
@triton.jit
def k(x, n):
    pid = tl.program_id(0)
    if pid < n:
        if pid == 3:
            return
        tl.store(x, 1.0)
    tl.store(x, 2.0)
)"),
                        "k", "x:*fp32, n:i32");
  expectInOrder(result, {"scf.if", "-> (i1)", "scf.yield", "scf.if", "} else {",
                         "2.000000e+00", "tile.store"});
}

TEST(Emission, LoopCarriesWhatTheBodyAssigns) {
  Emitted result = emit(withPrologue(R"(
@triton.jit
def k(x, n, B: tl.constexpr):
    acc = tl.zeros((B,), tl.float32)
    p = x + tl.arange(0, B)
    for i in tl.range(0, n, B, num_stages=3):
        acc += tl.load(p)
        p += B
    tl.store(x + tl.arange(0, B), acc)
)"),
                        "k", "x:*fp32, n:i32, B=16");
  expectInOrder(result,
                {"scf.for", "iter_args", "tensor<16xf32>, tensor<16x!tile.ptr",
                 "scf.yield", "tw.opt.loop = {num_stages = 3 : i32}"});
}

TEST(Emission, NegativeStepCountsUpInside) {
  Emitted result = emit(withPrologue(R"(
@triton.jit
def k(x, n):
    for i in range(n, 0, -2):
        tl.store(x + i, 1.0)
)"),
                        "k", "x:*fp32, n:i32");
  expectInOrder(result, {"scf.for", ": i64", "arith.trunci", "tile.store"});
}

TEST(Emission, HelpersKeepTheCallChain) {
  Emitted result;
  ast::ASTContext trees;
  sema::KernelRequest request;
  std::string source = withPrologue(R"(
@triton.jit
def helper(v):
    return v * 2.0

@triton.jit
def k(x):
    tl.store(x, helper(tl.load(x)))
)");
  request.module = syntax::parseModule(trees, source, "kernel.py", result.sink);
  request.kernelName = "k";
  request.signature = "x:*fp32";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = sema::emitKernel(context, request, result.sink);
  ASSERT_TRUE(module) << result.diagnostics();
  bool found = false;
  module->walk([&](mlir::arith::MulFOp op) {
    auto chain = llvm::dyn_cast<mlir::CallSiteLoc>(op.getLoc());
    ASSERT_TRUE(chain);
    auto callee = llvm::cast<mlir::FileLineColRange>(chain.getCallee());
    auto caller = llvm::cast<mlir::FileLineColRange>(chain.getCaller());
    EXPECT_EQ(callee.getStartLine(), 6u);
    EXPECT_EQ(callee.getStartColumn(), 12u);
    EXPECT_EQ(caller.getStartLine(), 10u);
    found = true;
  });
  EXPECT_TRUE(found);
}

TEST(Emission, ContractionFollowsTheOption) {
  const char *body = R"(
@triton.jit
def k(x, y):
    tl.store(x, tl.load(x) * tl.load(y) + 1.0)
)";
  Emitted fused = emit(withPrologue(body), "k", "x:*fp32, y:*fp32");
  expectInOrder(fused, {"arith.mulf", "fastmath<contract>", "arith.addf",
                        "fastmath<contract>"});
  for (auto option : {std::pair("enable_fp_fusion", "False"),
                      std::pair("math", "portable")}) {
    Emitted exact = emit(withPrologue(body), "k", "x:*fp32, y:*fp32",
                         [&](sema::KernelRequest &request) {
                           request.options.push_back(option);
                         });
    ASSERT_FALSE(exact.text.empty());
    EXPECT_EQ(exact.text.find("contract"), std::string::npos);
  }
}

TEST(Emission, AssertionsNeedTheDebugOption) {
  const char *body = R"(
@triton.jit
def k(x):
    tl.device_assert(tl.load(x) > 0, "positive")
)";
  EXPECT_EQ(emit(withPrologue(body), "k", "x:*i32").text.find("tile.assert"),
            std::string::npos);
  Emitted checked =
      emit(withPrologue(body), "k", "x:*i32", [](sema::KernelRequest &request) {
        request.options.push_back({"debug", "1"});
      });
  expectInOrder(checked, {"tile.assert", "\"positive\""});
}

TEST(Emission, CapturedGlobalsWinOverTheText) {
  const char *body = R"(
SCALE = unknown_function()
@triton.jit
def k(x):
    tl.static_assert(SCALE == 4)
    tl.static_assert(cfg.inner.width == 7)
    tl.store(x, fn(tl.load(x)))

@triton.jit
def twice(v):
    return v + v
)";
  Emitted result = emit(
      withPrologue(body), "k", "x:*fp32", [](sema::KernelRequest &request) {
        using sema::Constant;
        request.globals["SCALE"] = Constant::makeInt(4);
        request.globals["cfg"] = Constant::makeStr("cfg");
        request.globals["cfg"].kind = Constant::Kind::Module;
        request.globals["cfg.inner.width"] = Constant::makeInt(7);
        request.globals["fn"] = Constant::makeFunction("twice", "");
      });
  expectInOrder(result, {"arith.addf", "tile.store"});
}

TEST(Emission, ImportedModulesAreResolved) {
  ast::ASTContext trees;
  syntax::DiagnosticSink sink;
  const ast::Module *helpers = syntax::parseModule(
      trees,
      "import triton.language as tl\nLIMIT: tl.constexpr = 3\n"
      "def clip(v):\n    return tl.minimum(v, LIMIT)\n",
      "helpers.py", sink);
  const char *body = R"(
from .helpers import clip, LIMIT as top
from . import helpers as h
@triton.jit
def k(x):
    tl.static_assert(top == 3 and h.LIMIT == 3)
    tl.store(x, clip(tl.load(x)))
)";
  Emitted result = emit(
      withPrologue(body), "k", "x:*fp32", [&](sema::KernelRequest &request) {
        request.resolver = [=](llvm::StringRef name, unsigned level,
                               llvm::StringRef importer) {
          bool isKnown = name == "helpers" && level <= 1 && importer.empty();
          return isKnown ? sema::ResolvedModule{helpers, "helpers"}
                         : sema::ResolvedModule();
        };
      });
  expectInOrder(result, {"arith.minnumf", "tile.store"});
}

TEST(Emission, ListsKernels) {
  ast::ASTContext trees;
  syntax::DiagnosticSink sink;
  const ast::Module *module = syntax::parseModule(
      trees,
      "@triton.autotune(configs=[], key=[])\n@triton.jit\n"
      "def k(a, b: tl.int64 = 3, *, C: 'tl.constexpr', **META): pass\n"
      "def host(): pass\n@jit(do_not_specialize=['a'])\ndef other(a): pass\n",
      "k.py", sink);
  auto kernels = sema::listKernels(*module);
  ASSERT_EQ(kernels.size(), 2u);
  ASSERT_EQ(kernels[0].parameters.size(), 4u);
  EXPECT_EQ(kernels[0].parameters[1].annotation, "tl.int64");
  EXPECT_EQ(kernels[0].parameters[1].defaultText, "3");
  EXPECT_TRUE(kernels[0].parameters[2].isConstexpr);
  EXPECT_TRUE(kernels[0].parameters[3].isKeywordVariadic);
  EXPECT_EQ(kernels[1].name, "other");
}
