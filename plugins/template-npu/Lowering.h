//===- Lowering.h - Kernel IR to code of the accelerator --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars live in registers, tiles in the scratchpad; a tile of equal elements
// is a register. What the machine lacks is refused at its place.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_NPU_LOWERING_H
#define TILEWRIGHT_NPU_LOWERING_H

#include "Assembler.h"

#include "tilewright/sdk/Target.h"

#include <map>

namespace tilewright::npu {

using sdk::Op;
using sdk::Region;
using sdk::Type;
using sdk::Value;

/// Operations that the machine does not have, with why; kept as data so that
/// `can_compile` can answer from a list of operations.
extern const std::vector<sdk::Lacking> lackingOperations;

/// Refuses with TW4160.
[[noreturn]] void refuse(const Op &op, const std::string &reason,
                         const std::string &hint);

class Lowering {
public:
  explicit Lowering(const sdk::Module &module) : module(module) {}
  Program lowerKernel(const Op &kernel, const std::string &symbol);

private:
  const sdk::Module &module;
  Assembler code;
  std::map<const Value *, Operand> places;

  // Values (Lowering.cpp)
  Operand at(const Value &value) const { return places.at(&value); }
  Operand newPlace(const Value &value, const Op &op);
  Operand constant(uint64_t bits);
  Operand asTile(const Value &value, const Op &op);
  void copyWhole(const Type &type, Operand from, Operand to);
  Operand compute(uint32_t function, uint32_t from, uint32_t to,
                  uint32_t detail, const std::vector<Operand> &operands);
  void checkType(const Op &op, const Type &type) const;
  void fail(const Op &op, uint32_t errorCode, const std::string &message);

  // Control flow (Control.cpp)
  void lowerOps(const Region &region);
  void lowerOp(const Op &op);
  void lowerFor(const Op &op);
  void lowerIf(const Op &op);
  void lowerWhile(const Op &op);
  void assign(const std::vector<const Value *> &values, size_t first,
              const std::vector<Operand> &to, const Op &op);
  std::vector<Operand> newPlaces(const std::vector<const Value *> &values,
                                 const Op &op);

  // Operations (Operations.cpp)
  bool lowerElementwise(const Op &op);
  bool lowerShape(const Op &op);
  void lowerBroadcast(const Op &op);
  void lowerTranspose(const Op &op);
  void lowerSlice(const Op &op);
  void lowerReduce(const Op &op, size_t axis, const Value *init);
  void lowerMatmul(const Op &op);
  void lowerBox(const Op &op, bool isLoad);
  void lowerAssert(const Op &op);
};

} // namespace tilewright::npu

#endif // TILEWRIGHT_NPU_LOWERING_H
