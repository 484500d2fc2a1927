//===- TableTest.cpp - The table of legal operations ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table agrees with the dialects: every name exists, every kernel op is in.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/verify/KernelIRTable.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilewright::kernel;

namespace {

TEST(TableTest, EveryRowIsARegisteredOperation) {
  DialectRegistry registry;
  registerKernelIRDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  for (const LegalOp &row : legalOps())
    EXPECT_TRUE(RegisteredOperationName::lookup(row.name, &context))
        << row.name.str();
}

TEST(TableTest, EveryKernelOperationHasARow) {
  DialectRegistry registry;
  registerKernelIRDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  unsigned count = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "kernel")
      continue;
    EXPECT_TRUE(lookupLegalOp(name.getStringRef()))
        << name.getStringRef().str();
    ++count;
  }
  EXPECT_GT(count, 20u);
}

TEST(TableTest, ClassesOfElements) {
  MLIRContext context;
  context.loadDialect<KernelDialect>();
  Builder b(&context);
  EXPECT_EQ(elementClass(b.getI1Type()), 'B');
  EXPECT_EQ(elementClass(b.getI64Type()), 'I');
  EXPECT_EQ(elementClass(b.getBF16Type()), 'F');
  EXPECT_EQ(elementClass(b.getType<Float8E5M2FNUZType>()), 'Q');
  EXPECT_EQ(elementClass(PointerType::get(&context, b.getF32Type())), 'P');
  EXPECT_EQ(elementClass(ViewType::get(&context, 2, b.getF32Type())), 'V');
  EXPECT_EQ(elementClass(b.getIndexType()), 0);
  EXPECT_EQ(elementClass(b.getIntegerType(24)), 0);
  EXPECT_EQ(elementClass(b.getIntegerType(32, /*isSigned=*/false)), 0);
  EXPECT_EQ(elementClass(b.getType<Float80Type>()), 0);
}

TEST(TableTest, UnknownOperationsHaveNoRow) {
  EXPECT_EQ(lookupLegalOp("linalg.generic"), nullptr);
  EXPECT_EQ(lookupLegalOp("arith.index_cast"), nullptr);
}

} // namespace
