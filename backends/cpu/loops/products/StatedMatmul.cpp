//===- StatedMatmul.cpp - Matrix products in a stated order -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--math=portable` gives the same bits on every target: each product is
// rounded, the K products of an element are folded upper half onto lower half
// (of an odd number the middle one stays), and the accumulator is added last.
// Lanes run along the columns.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/products/MatmulPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::cpu {

/// One row and `width` columns of the result.
void Emitter::emitStatedElements(const MatmulPlan &matmul,
                                 const Buffer &products, const Index &batch,
                                 const Index &row, const Index &column) {
  unsigned width = matmul.width;
  auto place = [&](Index first, Index second) {
    Indices at;
    if (matmul.isBatched)
      at.push_back(batch);
    at.push_back(first);
    at.push_back(second);
    return at;
  };
  Index lanes;
  lanes.step = width > 1 ? 1 : 0;
  using Results = SmallVector<Value>;
  emitLoop(matmul.k, 1, {}, [&](Index k, ValueRange) -> Results {
    Value a = readBuffer(matmul.lhs, matmul.lhs.shape, place(row, k), 1,
                         matmul.element);
    Value c = readBuffer(matmul.rhs, matmul.rhs.shape, place(k, column), width,
                         matmul.element);
    writeBuffer(arith::MulFOp::create(b, splat(a, width), c), products,
                {k, lanes}, width);
    return {};
  });
  for (int64_t extent = matmul.k; extent > 1;) {
    int64_t half = (extent + 1) / 2;
    emitLoop(extent - half, 1, {}, [&](Index k, ValueRange) -> Results {
      Index upper = k;
      upper.constant += half;
      Value low = readBuffer(products, products.shape, {k, lanes}, width,
                             matmul.element);
      Value high = readBuffer(products, products.shape, {upper, lanes}, width,
                              matmul.element);
      writeBuffer(arith::AddFOp::create(b, low, high), products, {k, lanes},
                  width);
      return {};
    });
    extent = half;
  }
  Value sum = readBuffer(products, products.shape, {Index(), lanes}, width,
                         matmul.element);
  Indices at = place(row, column);
  // An accumulator of zeros counts too: it makes +0 of -0.
  Value old = matmul.startsAtZero
                  ? splat(constant(b.getZeroAttr(matmul.element)), width)
                  : convertFloat(readBuffer(matmul.result, matmul.result.shape,
                                            at, width, matmul.result.element),
                                 matmul.element);
  sum = arith::AddFOp::create(b, old, sum);
  writeBuffer(sum, matmul.result, at, width);
}

void Emitter::emitStatedMatmul(const MatmulPlan &matmul) {
  Buffer products = allocate({matmul.k, matmul.width}, matmul.element);
  using Results = SmallVector<Value>;
  emitLoop(matmul.batches, 1, {}, [&](Index batch, ValueRange) -> Results {
    emitLoop(matmul.m, 1, {}, [&](Index row, ValueRange) -> Results {
      emitLoop(matmul.n, matmul.width, {},
               [&](Index column, ValueRange) -> Results {
                 column.step = matmul.width > 1 ? 1 : 0;
                 emitStatedElements(matmul, products, batch, row, column);
                 return {};
               });
      return {};
    });
    return {};
  });
  release(products);
}

} // namespace tilewright::cpu
