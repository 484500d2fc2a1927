//===- LaneServices.h - Calls of the machine --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hooks and the translation of a vendor's instructions both emit: calls of
// Services.def, with the lane and the place in the source.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_HOOKS_LANESERVICES_H
#define TILEWRIGHT_BACKENDS_SIMULATE_HOOKS_LANESERVICES_H

#include "backends/simt/TargetHooks.h"
#include "backends/simulate/machine/LaneABI.h"

#include <map>

namespace tilewright::simulate {

/// Metadata of instructions: the CodePlace that they come from.
inline constexpr char kPlaceMetadata[] = "simulate.place";

/// Faults of a compiler, made on purpose: whether the simulator finds them is
/// tested. Numbers count from 1 in order of emission; 0 is none.
struct Faults {
  unsigned dropBarrier = 0; ///< the barrier to leave out
  unsigned dropWait = 0;    ///< the wait for copies to leave out
  bool wrongFragment = false;
};

/// The CodePlace of an instruction, or null.
llvm::Constant *placeOf(const llvm::Instruction &instruction);

class LaneServices {
public:
  using Builder = llvm::IRBuilderBase;

  /// Code of a kernel follows, whose lane is given.
  void begin(Builder &b, llvm::Value *newLane);
  /// Code of an operation follows: the builder marks its instructions.
  void beginOperation(Builder &b, const simt::SourcePlace &where);
  /// Code that stands for this instruction follows.
  void beginInstruction(const llvm::Instruction &instruction) {
    place = placeOf(instruction);
  }

  /// A service, the lane in front; `convergent` keeps LLVM from making the call
  /// depend on more branches than it did.
  llvm::CallInst *call(Builder &b, llvm::StringRef service, llvm::Type *result,
                       llvm::ArrayRef<llvm::Value *> operands);
  /// The same where lanes meet: behind the operands come site and place.
  llvm::CallInst *meet(Builder &b, llvm::StringRef service, llvm::Type *result,
                       llvm::ArrayRef<llvm::Value *> operands);
  llvm::Constant *currentPlace() const { return place; }

  /// A field of the lane, at a byte.
  llvm::Value *field(Builder &b, llvm::Type *type, uint64_t offset);
  /// A scalar of up to 64 bits that all lanes have to have the same of.
  llvm::Value *uniform(Builder &b, llvm::Value *value);
  /// Any scalar of up to 64 bits from lane `from`.
  llvm::Value *shuffle(Builder &b, llvm::Value *value, llvm::Value *from);
  /// An integer of `lanes` bits.
  llvm::Value *ballot(Builder &b, llvm::Value *predicate, unsigned lanes);
  /// Values of one type in private memory, one behind the other.
  llvm::Value *spill(Builder &b, llvm::ArrayRef<llvm::Value *> values);
  /// Multiplies; operands and result are in private memory, the result in that
  /// of the accumulator.
  void multiply(Builder &b, const MatrixShape &shape, llvm::Value *lhs,
                llvm::Value *rhs, llvm::Value *accumulator);

  void print(Builder &b, llvm::StringRef format,
             llvm::ArrayRef<llvm::Value *> values);
  void fail(Builder &b, unsigned code, llvm::StringRef message,
            const simt::SourcePlace &where);
  llvm::Value *clock(Builder &b, bool isGlobalTimer);

private:
  llvm::Constant *makePlace(Builder &b, const simt::SourcePlace &where);

  llvm::Value *lane = nullptr;
  llvm::Constant *place = nullptr;
  std::map<std::pair<std::string, unsigned>, llvm::Constant *> places;
  uint32_t sites = 0; ///< calls where lanes meet, so far
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_HOOKS_LANESERVICES_H
