//===- PhiloxTest.cpp - The random numbers, bit for bit ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the emitted IR of tl.randint and tl.rand lane by lane. Expected
// values are those that Triton 3.6 computes on an H200; backward kernels rely
// on drawing the same numbers again.
//===----------------------------------------------------------------------===//

#include "SemaTest.h"

#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace tilewright;
namespace arith = mlir::arith;

namespace {
/// Evaluates one lane of 1-D integer and fp32 code; values are bit patterns.
class LaneEvaluator {
public:
  explicit LaneEvaluator(unsigned lane) : lane(lane) {}

  uint64_t evaluate(mlir::Value value) {
    value = inside(value);
    auto known = values.find(value);
    if (known != values.end())
      return known->second;
    uint64_t result = mask(compute(value.getDefiningOp()), value);
    values[value] = result;
    return result;
  }

private:
  /// A high-level op is its body.
  static mlir::Value inside(mlir::Value value) {
    if (auto call = value.getDefiningOp<tile::CallOpOp>()) {
      unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
      return inside(call.getBody().front().getTerminator()->getOperand(number));
    }
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    auto call =
        argument
            ? llvm::dyn_cast<tile::CallOpOp>(argument.getOwner()->getParentOp())
            : tile::CallOpOp();
    return call ? inside(call.getArgs()[argument.getArgNumber()]) : value;
  }
  static unsigned width(mlir::Value value) {
    return mlir::getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  }
  static uint64_t mask(uint64_t bits, mlir::Value value) {
    unsigned size = width(value);
    return size == 64 ? bits : bits & ((uint64_t(1) << size) - 1);
  }
  uint64_t operand(mlir::Operation *op, unsigned i) {
    return evaluate(op->getOperand(i));
  }
  int64_t signedOperand(mlir::Operation *op, unsigned i) {
    return llvm::SignExtend64(operand(op, i), width(op->getOperand(i)));
  }
  static float asFloat(uint64_t bits) {
    uint32_t narrow = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &narrow, 4);
    return value;
  }
  static uint64_t bitsOf(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
  }
  uint64_t constant(arith::ConstantOp op) {
    mlir::Attribute attribute = op.getValue();
    if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute))
      attribute = dense.getSplatValue<mlir::Attribute>();
    if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute))
      return integer.getValue().getZExtValue();
    return llvm::cast<mlir::FloatAttr>(attribute)
        .getValue()
        .bitcastToAPInt()
        .getZExtValue();
  }
  uint64_t compute(mlir::Operation *op) {
    return llvm::TypeSwitch<mlir::Operation *, uint64_t>(op)
        .Case([&](arith::ConstantOp c) { return constant(c); })
        .Case([&](tile::RangeOp r) { return r.getStart() + lane; })
        .Case<tile::SplatOp, arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp>(
            [&](auto) { return operand(op, 0); })
        .Case<arith::ExtSIOp>(
            [&](auto) { return uint64_t(signedOperand(op, 0)); })
        .Case<arith::AddIOp>(
            [&](auto) { return operand(op, 0) + operand(op, 1); })
        .Case<arith::SubIOp>(
            [&](auto) { return operand(op, 0) - operand(op, 1); })
        .Case<arith::MulIOp>(
            [&](auto) { return operand(op, 0) * operand(op, 1); })
        .Case<arith::XOrIOp>(
            [&](auto) { return operand(op, 0) ^ operand(op, 1); })
        .Case<arith::ShRUIOp>(
            [&](auto) { return operand(op, 0) >> operand(op, 1); })
        .Case<tile::MulHiOp>(
            [&](auto) { return operand(op, 0) * operand(op, 1) >> 32; })
        .Case<arith::CmpIOp>([&](arith::CmpIOp compare) -> uint64_t {
          EXPECT_EQ(compare.getPredicate(), arith::CmpIPredicate::slt);
          return signedOperand(op, 0) < signedOperand(op, 1);
        })
        .Case<arith::SelectOp>([&](auto) {
          return operand(op, 0) ? operand(op, 1) : operand(op, 2);
        })
        .Case<arith::SIToFPOp>(
            [&](auto) { return bitsOf(float(signedOperand(op, 0))); })
        .Case<arith::MulFOp>([&](auto) {
          return bitsOf(asFloat(operand(op, 0)) * asFloat(operand(op, 1)));
        })
        .Default([&](mlir::Operation *other) {
          ADD_FAILURE() << "cannot evaluate "
                        << other->getName().getStringRef().str();
          return 0;
        });
  }

  unsigned lane;
  llvm::DenseMap<mlir::Value, uint64_t> values;
};
} // namespace

/// The first `lanes` values that the kernel stores.
static std::vector<uint32_t> stored(const std::string &expression,
                                    unsigned lanes) {
  std::string source = std::string(prologue) +
                       "@triton.jit\ndef k(x):\n    o = tl.arange(0, 16)\n"
                       "    tl.store(x + o, " +
                       expression + ")\n";
  syntax::DiagnosticSink sink;
  ast::ASTContext trees;
  sema::KernelRequest request;
  request.module = syntax::parseModule(trees, source, "kernel.py", sink);
  bool isFloat = expression.find("rand(") != std::string::npos;
  request.signature = isFloat ? "x:*fp32" : "x:*u32";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = sema::emitKernel(context, request, sink);
  std::vector<uint32_t> result;
  EXPECT_TRUE(module) << syntax::renderText(sink);
  if (!module)
    return result;
  module->walk([&](tile::StoreOp store) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      result.push_back(LaneEvaluator(lane).evaluate(store.getValue()));
  });
  return result;
}

TEST(Philox, IntegersMatch) {
  EXPECT_EQ(
      stored("tl.randint(0, o)", 4),
      (std::vector<uint32_t>{0x6627e8d5, 0xf8e4cca4, 0x4faa329, 0xc990ef29}));
  EXPECT_EQ(
      stored("tl.randint(1234, o)", 8),
      (std::vector<uint32_t>{0x2090b348, 0x9eeede35, 0x3fc9c8d8, 0xb6269a3e,
                             0x14a762d7, 0xca2921c9, 0xfd0ca21e, 0xb30e22ad}));
  EXPECT_EQ(
      stored("tl.randint(-1, o)", 4),
      (std::vector<uint32_t>{0x72a47709, 0x19fed511, 0x17625282, 0x8e8fd014}));
  EXPECT_EQ(
      stored("tl.randint(1099511627776, o)", 4),
      (std::vector<uint32_t>{0x141be512, 0x30c890f8, 0x6ce0ee46, 0x942ccdcb}));
}

TEST(Philox, FloatsMatch) {
  const float expected[] = {0x1.048598p-2f, 0x1.844486p-1f, 0x1.fe4e44p-2f,
                            0x1.276596p-1f, 0x1.4a762cp-3f, 0x1.aeb6fp-2f,
                            0x1.79aeeep-6f, 0x1.33c774p-1f};
  std::vector<uint32_t> bits = stored("tl.rand(1234, o)", 8);
  ASSERT_EQ(bits.size(), 8u);
  for (unsigned i = 0; i < 8; ++i) {
    float value;
    std::memcpy(&value, &bits[i], 4);
    EXPECT_EQ(value, expected[i]) << "lane " << i;
  }
}
