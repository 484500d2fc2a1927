//===- LinkTest.cpp - Code generation and linking on their own --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of the LLVM dialect that no lowering makes: calls to functions that
// do not exist, block copies, remainders.
//===----------------------------------------------------------------------===//
#include "backends/cpu/codegen/Link.h"
#include "test/unit/cpu/Harness.h"

#include "backends/cpu/Compiler.h"
#include "backends/cpu/codegen/Codegen.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace tilewright::cpu::test {
namespace {

/// Errors of one attempt.
struct Attempt {
  std::optional<std::string> image;
  std::vector<uint32_t> codes;
  std::string text;
};

void take(void *ctx, const tw_diagnostic *diagnostic) {
  auto *attempt = static_cast<Attempt *>(ctx);
  attempt->codes.push_back(diagnostic->code);
  attempt->text.append(diagnostic->message.data, diagnostic->message.size);
}

Attempt build(const char *text, const char *targetName) {
  Attempt attempt;
  tw_sink sink{sizeof(tw_sink), 0, &attempt, take};
  Report report(&sink);
  Problem problem;
  std::optional<Target> target = resolveTarget(targetName, problem);
  EXPECT_TRUE(target) << problem.message;
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  Timings timings;
  auto code = generateCode(*module, *target, CodegenOptions(), report, timings);
  if (code)
    attempt.image = linkSharedObject(code->object, *target, report);
  return attempt;
}

TEST(Link, RefusesCallsToNothing) {
  Attempt attempt = build(R"(
    llvm.func @vendor_function()
    llvm.func @k() {
      llvm.call @vendor_function() : () -> ()
      llvm.return
    })",
                          "cpu:x86-64");
  EXPECT_FALSE(attempt.image);
  EXPECT_EQ(attempt.codes, std::vector<uint32_t>{4113});
  EXPECT_NE(attempt.text.find("vendor_function"), std::string::npos)
      << attempt.text;
}

TEST(Link, RefusesWhatIsNoObject) {
  Attempt attempt;
  tw_sink sink{sizeof(tw_sink), 0, &attempt, take};
  Report report(&sink);
  Problem problem;
  std::optional<Target> target = resolveTarget("cpu:x86-64", problem);
  EXPECT_FALSE(linkSharedObject("not an object", *target, report));
  EXPECT_FALSE(linkSharedObject("", *target, report));
  EXPECT_EQ(attempt.codes, (std::vector<uint32_t>{4112, 4112}));
}

TEST(Link, WorksAfterAFailure) {
  EXPECT_FALSE(build("llvm.func @f()\nllvm.func @k() {\n"
                     "llvm.call @f() : () -> ()\nllvm.return }",
                     "cpu:x86-64")
                   .image);
  EXPECT_TRUE(build("llvm.func @k() { llvm.return }", "cpu:x86-64").image);
}

TEST(Link, BringsBuiltinsAlong) {
  const char *text = R"(
    llvm.func @fill(%p: !llvm.ptr, %n: i64) {
      %c = llvm.mlir.constant(42 : i8) : i8
      "llvm.intr.memset"(%p, %c, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
      llvm.return
    }
    llvm.func @remainder(%a: f32, %b: f32) -> f32 {
      %r = llvm.frem %a, %b : f32
      llvm.return %r : f32
    }
    llvm.func @fused(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = llvm.intr.fma(%a, %b, %c) : (f32, f32, f32) -> f32
      llvm.return %r : f32
    })";
  Attempt attempt = build(text, "cpu:x86-64");
  ASSERT_TRUE(attempt.image) << attempt.text;
  Library library(*attempt.image);
  ASSERT_TRUE(library.isLoaded());
  auto find = [&](const char *name) {
    return reinterpret_cast<void *>(library.find(name));
  };
  std::vector<char> bytes(100, 0);
  reinterpret_cast<void (*)(char *, int64_t)>(find("fill"))(bytes.data(), 99);
  EXPECT_EQ(bytes[98], 42);
  EXPECT_EQ(bytes[99], 0);
  EXPECT_EQ(
      reinterpret_cast<float (*)(float, float)>(find("remainder"))(7.5f, -2.0f),
      1.5f);
  float x = 1.0f + 0x1p-12f;
  EXPECT_EQ(reinterpret_cast<float (*)(float, float, float)>(find("fused"))(
                x, x, -1.0f),
            std::fma(x, x, -1.0f));
  EXPECT_EQ(find("memset"), nullptr) << "builtins are not exported";
}

TEST(Link, ForAArch64Too) {
  Attempt attempt = build(R"(
    llvm.func @remainder(%a: f64, %b: f64) -> f64 {
      %r = llvm.frem %a, %b : f64
      llvm.return %r : f64
    })",
                          "cpu:aarch64");
  EXPECT_TRUE(attempt.image) << attempt.text;
}

} // namespace
} // namespace tilewright::cpu::test
