//===- Fiber.h - One lane's thread of control -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with a stack of its own that can pause anywhere. Switching is two
// jumps of the C library; no system call is made once a fiber has begun.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_FIBER_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_FIBER_H

#include <csetjmp>
#include <cstddef>
#include <ucontext.h>

namespace tilewright::simulate {

class Fiber {
public:
  using Task = void (*)(void *argument);

  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Whether there was memory for the stack.
  explicit operator bool() const { return stack != nullptr; }

  /// What `resume` runs next. A task that has not ended is abandoned.
  void begin(Task task, void *argument);
  /// Runs the task until it pauses or ends.
  void resume();
  /// From inside of the task: back to where it was resumed.
  void pause();

private:
  static void enter(unsigned high, unsigned low);
  void loop();

  char *stack = nullptr;
  Task task = nullptr;
  void *argument = nullptr;
  bool isBorn = false;  ///< `inside` is where to go on
  bool isReady = false; ///< waits inside of `loop` for the next task
  ucontext_t birth;
  jmp_buf inside, outside;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_FIBER_H
