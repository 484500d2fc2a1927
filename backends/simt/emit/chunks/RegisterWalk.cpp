//===- RegisterWalk.cpp - Loops over single registers ---------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves for the registers of a round by elimination at compile time; the
// running thread evaluates two linear maps and counts.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/chunks/RegisterWalk.h"

#include "backends/simt/layout/GF2.h"

using llvm::Value;

namespace tilewright::simt {

bool isMovedInLoops(const LinearLayout &layout, const ChunkSizes &sizes) {
  return layout.inputBits(registerDim) > sizes.mostMovedBits;
}

RegisterWalk::RegisterWalk(Emitter &e, const LinearLayout &layout,
                           uint64_t filter, uint64_t skipped)
    : e(e), number(e, layout), filter(filter) {
  GF2Basis basis;
  for (unsigned bit = 0; bit < layout.inputBits(registerDim); ++bit) {
    if (skipped >> bit & 1)
      continue;
    uint64_t dependency = 0;
    if (!basis.insert(layout.basis(registerDim, bit) & filter, bit,
                      &dependency))
      freely.push_back(dependency);
  }
  for (unsigned bit = 0; bit < layout.outputBits(); ++bit) {
    uint64_t unit = uint64_t(1) << bit;
    bool isPivot = basis.pivots() & unit;
    uint64_t left = basis.reduce(unit);
    solution.push_back(isPivot ? *basis.solve(unit ^ left) : 0);
    remainder.push_back(left);
  }
}

void RegisterWalk::forEach(Value *wanted,
                           llvm::function_ref<void(Value *, Value *)> body) {
  constexpr unsigned unrolledBits = 3;
  Value *y = e.b.CreateAnd(number.ofThreads(0), e.i32(filter));
  if (wanted)
    y = e.b.CreateXor(y, wanted);
  auto hasSome = [&]() -> Value * {
    for (unsigned bit = 0; bit < remainder.size(); ++bit)
      if ((filter >> bit & 1) && remainder[bit])
        return e.b.CreateICmpEQ(emitLinearMap(e, y, remainder), e.i32(0));
    return nullptr;
  };
  unsigned unrolled = std::min<unsigned>(freely.size(), unrolledBits);
  auto emitGroup = [&](Value *first) {
    Value *firstNumber = number.at(first);
    for (unsigned step = 0; step < 1u << unrolled; ++step) {
      uint64_t known = 0;
      for (unsigned k = 0; k < unrolled; ++k)
        known ^= step >> k & 1 ? freely[k] : 0;
      body(e.b.CreateXor(first, e.i32(known)),
           e.b.CreateXor(firstNumber, e.i32(number.ofRegister(known))));
    }
  };
  e.emitIf(hasSome(), [&] {
    Value *first = emitLinearMap(e, y, solution);
    if (unrolled == freely.size())
      return emitGroup(first);
    llvm::ArrayRef<uint64_t> counted =
        llvm::ArrayRef(freely).drop_front(unrolled);
    e.emitLoop(e.i32(0), e.i32(uint64_t(1) << counted.size()), e.i32(1), {},
               [&](Value *count, const Registers &) -> Registers {
                 emitGroup(
                     e.b.CreateXor(first, emitLinearMap(e, count, counted)));
                 return {};
               });
  });
}

void clearPrivate(Emitter &e, mlir::Value value) {
  Value *zero = e.zero(value.getType());
  RegisterWalk(e, e.layout(value).map)
      .forEach(nullptr, [&](Value *index, Value *) {
        e.storePrivate(value, index, zero);
      });
}

void forEachRound(Emitter &e, unsigned rounds,
                  llvm::function_ref<void(Value *)> body) {
  if (rounds == 1)
    return body(e.i32(0));
  e.emitLoop(e.i32(0), e.i32(rounds), e.i32(1), {},
             [&](Value *round, const Registers &) -> Registers {
               body(round);
               e.barrier();
               return {};
             });
}

uint64_t roundMask(const BufferRounds &rounds) {
  return uint64_t(rounds.rounds - 1) << rounds.bits;
}

uint64_t insideMask(const BufferRounds &rounds) {
  return (uint64_t(1) << rounds.bits) - 1;
}

} // namespace tilewright::simt
