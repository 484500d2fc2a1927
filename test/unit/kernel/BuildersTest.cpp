//===- BuildersTest.cpp - Builders that infer result types ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every convenience builder of the tile and kernel dialects gives an op that
// verifies, with the type that the op's constraints state.
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
namespace tile = tilewright::tile;
namespace kernel = tilewright::kernel;

namespace {

class BuildersTest : public testing::Test {
protected:
  BuildersTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<kernel::KernelDialect, tile::TileDialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
  }

  Value make(ArrayRef<int64_t> shape, Type element) {
    auto type = RankedTensorType::get(shape, element);
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }

  RankedTensorType f32Tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }

  void TearDown() override { EXPECT_TRUE(succeeded(verify(*module))); }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
};

TEST_F(BuildersTest, TileShapes) {
  Value x = make({4, 8}, builder.getF32Type());
  Value row = make({8}, builder.getF32Type());
  Value index = make({2, 8}, builder.getI32Type());
  Value one = make({4, 1}, builder.getF32Type());
  EXPECT_EQ(tile::RangeOp::create(builder, loc, -3, 5).getType(),
            RankedTensorType::get({8}, builder.getI32Type()));
  EXPECT_EQ(tile::BroadcastOp::create(builder, loc, one, {4, 8}).getType(),
            f32Tensor({4, 8}));
  EXPECT_EQ(tile::ReshapeOp::create(builder, loc, x, {32}).getType(),
            f32Tensor({32}));
  EXPECT_EQ(tile::TransposeOp::create(builder, loc, x, {1, 0}).getType(),
            f32Tensor({8, 4}));
  EXPECT_EQ(tile::JoinOp::create(builder, loc, x, x).getType(),
            f32Tensor({4, 8, 2}));
  EXPECT_EQ(tile::CatOp::create(builder, loc, row, row).getType(),
            f32Tensor({16}));
  EXPECT_EQ(tile::GatherOp::create(builder, loc, x, index, 0).getType(),
            f32Tensor({2, 8}));
  Value pair = make({2}, builder.getF32Type());
  auto split = tile::SplitOp::create(builder, loc, pair);
  EXPECT_EQ(split.getLhs().getType(), builder.getF32Type());
  Value joined =
      tile::JoinOp::create(builder, loc, split.getLhs(), split.getRhs());
  EXPECT_EQ(joined.getType(), f32Tensor({2}));
  Value splat = tile::SplatOp::create(builder, loc, split.getLhs(), {4, 2});
  EXPECT_EQ(splat.getType(), f32Tensor({4, 2}));
}

TEST_F(BuildersTest, TileLoadOfPointerTable) {
  Type pointer = tile::PointerType::get(&context, builder.getF16Type());
  Type table = tile::PointerType::get(&context, pointer);
  Value address =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(64));
  Value base = tile::IntToPtrOp::create(builder, loc, table, address);
  Value loaded = tile::LoadOp::create(builder, loc, base);
  EXPECT_EQ(loaded.getType(), pointer);
  Value tensor = tile::SplatOp::create(builder, loc, loaded, {8});
  EXPECT_EQ(tile::LoadOp::create(builder, loc, tensor).getType(),
            RankedTensorType::get({8}, builder.getF16Type()));
}

/// Adds the left and right value of each operand.
template <typename Yield>
static void addPairs(OpBuilder &b, Location loc, ValueRange arguments) {
  SmallVector<Value> sums;
  size_t half = arguments.size() / 2;
  for (size_t i = 0; i < half; ++i)
    sums.push_back(
        arith::AddFOp::create(b, loc, arguments[i], arguments[half + i]));
  Yield::create(b, loc, sums);
}

TEST_F(BuildersTest, TileReduceAndScan) {
  Value x = make({4, 8}, builder.getF32Type());
  Value y = make({4, 8}, builder.getF16Type());
  auto reduce = tile::ReduceOp::create(builder, loc, ValueRange{x, y}, 1,
                                       addPairs<tile::YieldOp>);
  EXPECT_EQ(reduce.getResult(0).getType(), f32Tensor({4}));
  EXPECT_EQ(reduce.getResult(1).getType(),
            RankedTensorType::get({4}, builder.getF16Type()));
  Value row = make({8}, builder.getF32Type());
  auto sum = tile::ReduceOp::create(builder, loc, ValueRange{row}, 0,
                                    addPairs<tile::YieldOp>);
  EXPECT_EQ(sum.getResult(0).getType(), builder.getF32Type());
  auto scan = tile::ScanOp::create(builder, loc, ValueRange{x, y}, 0,
                                   /*reverse=*/true, addPairs<tile::YieldOp>);
  EXPECT_TRUE(scan.getReverse());
  EXPECT_EQ(scan.getResult(1).getType(), y.getType());
}

TEST_F(BuildersTest, KernelOps) {
  Value x = make({4, 8}, builder.getF32Type());
  auto reduce = kernel::ReduceOp::create(builder, loc, ValueRange{x}, 0,
                                         kernel::ReduceOrder::Stated,
                                         addPairs<kernel::YieldOp>);
  EXPECT_EQ(reduce.getOrder(), kernel::ReduceOrder::Stated);
  EXPECT_EQ(reduce.getResult(0).getType(), f32Tensor({8}));
  auto scan =
      kernel::ScanOp::create(builder, loc, ValueRange{x}, 0,
                             /*reverse=*/false, addPairs<kernel::YieldOp>);
  EXPECT_FALSE(scan.getReverse());
  EXPECT_EQ(kernel::RangeOp::create(builder, loc, 0, 16).getType(),
            RankedTensorType::get({16}, builder.getI32Type()));
  Value joined = kernel::JoinOp::create(builder, loc, x, x);
  auto split = kernel::SplitOp::create(builder, loc, joined);
  EXPECT_EQ(split.getRhs().getType(), x.getType());
}

} // namespace
