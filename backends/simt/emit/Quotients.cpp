//===- Quotients.cpp - Division to 2 ulp ----------------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors divided by one number, as in softmax, take its reciprocal once. What
// a target does for extreme divisors then stands in a branch that no program
// with ordinary numbers takes.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

bool mayApproximate(Emitter &e, Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto mode = op->getAttrOfType<StringAttr>("tw.math");
  bool isPortable = mode ? mode == "portable" : e.options.isPortable;
  return fast && !isPortable &&
         getElementTypeOrSelf(op->getResult(0)).isF32() &&
         bitEnumContainsAny(fast.getFastMathFlagsAttr().getValue(),
                            arith::FastMathFlags::afn);
}

Value *emitQuotient(Emitter &e, Operation *op, llvm::ArrayRef<Value *> x) {
  return mayApproximate(e, op) ? e.hooks.approximateQuotient(e.b, x[0], x[1])
                               : e.hooks.divide(e.b, x[0], x[1]);
}

bool emitQuotients(Emitter &e, Operation *op, unsigned count,
                   Registers &results) {
  // Two ways to one result keep more registers alive: 64 elements a thread made
  // softmax on an H200 slower, 32 faster.
  constexpr unsigned fewest = 4, most = 32;
  if (count < fewest || count > most || !mayApproximate(e, op))
    return false;
  const Registers &dividends = e.registers(op->getOperand(0));
  Value *divisor = e.registers(op->getOperand(1)).front();
  if (dividends.size() != count ||
      !llvm::all_equal(e.registers(op->getOperand(1))))
    return false;
  std::optional<Reciprocal> reciprocal = e.hooks.reciprocal(e.b, divisor);
  if (!reciprocal)
    return false;
  Registers products;
  for (Value *dividend : dividends)
    products.push_back(e.b.CreateFMul(dividend, reciprocal->value));
  results = e.emitIf(reciprocal->isExtreme, products, [&] {
    Registers quotients;
    for (Value *dividend : dividends)
      quotients.push_back(e.hooks.approximateQuotient(e.b, dividend, divisor));
    return quotients;
  });
  return true;
}

} // namespace tilewright::simt
