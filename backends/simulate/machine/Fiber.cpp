//===- Fiber.cpp - One lane's thread of control -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context of the C library enters a new stack once; from then on _setjmp and
// _longjmp, which leave the signal mask alone, go back and forth.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Fiber.h"

#include <cstdint>
#include <sys/mman.h>

namespace tilewright::simulate {

/// Tensors in private memory lie on the stack; pages that nobody touches cost
/// nothing.
static constexpr size_t kStackBytes = 1 << 20;
/// Below the stack: too deep a stack faults instead of reaching a neighbour's.
static constexpr size_t kGuardBytes = 1 << 16;

Fiber::Fiber() {
  void *memory =
      mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack = static_cast<char *>(memory);
  mprotect(stack, kGuardBytes, PROT_NONE);
}

Fiber::~Fiber() {
  if (stack)
    munmap(stack, kStackBytes);
}

void Fiber::begin(Task newTask, void *newArgument) {
  task = newTask;
  argument = newArgument;
  isBorn = isBorn && isReady;
  isReady = false;
}

void Fiber::loop() {
  while (true) {
    task(argument);
    isReady = true;
    pause();
  }
}

/// makecontext passes integers only.
void Fiber::enter(unsigned high, unsigned low) {
  uint64_t bits = uint64_t(high) << 32 | low;
  reinterpret_cast<Fiber *>(bits)->loop();
}

void Fiber::resume() {
  if (_setjmp(outside))
    return;
  if (isBorn)
    _longjmp(inside, 1);
  isBorn = true;
  getcontext(&birth);
  birth.uc_stack.ss_sp = stack + kGuardBytes;
  birth.uc_stack.ss_size = kStackBytes - kGuardBytes;
  birth.uc_link = nullptr;
  uint64_t bits = reinterpret_cast<uint64_t>(this);
  makecontext(&birth, reinterpret_cast<void (*)()>(enter), 2,
              unsigned(bits >> 32), unsigned(bits));
  setcontext(&birth);
}

void Fiber::pause() {
  if (!_setjmp(inside))
    _longjmp(outside, 1);
}

} // namespace tilewright::simulate
