//===- Jit.h - Expanded operations as callable loops ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds a loop over vectors around one operation, expands and compiles it. No
// symbol of the process is visible to it, so a call of libm fails to link.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_MATH_JIT_H
#define TILEWRIGHT_TEST_UNIT_MATH_JIT_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <memory>
#include <string>
#include <vector>

namespace tilewright::math::test {

/// Elements that one call of a compiled loop handles.
constexpr unsigned kChunk = 16384;

/// One loop: out[i] = body(a[i], b[i]).
struct Loop {
  std::string name;
  std::string inputType; // element types
  std::string outputType;
  /// Operations that define %r of type $O from %a and %b of type $I.
  std::string body;
  unsigned lanes = 16; // 0: scalars instead of vectors
  bool isBinary = false;
};

using LoopFunction = void (*)(const void *a, const void *b, void *out);

/// All loops of a list, compiled together.
class Jit {
public:
  /// `passes` is a pass pipeline that runs before the lowering to LLVM;
  /// `processor` restricts the code to one without optional features.
  Jit(const std::vector<Loop> &loops, const std::string &passes,
      const std::string &processor = "") {
    compile(loops, passes, processor);
  }
  bool isValid() const { return jit != nullptr; }
  LoopFunction lookup(const std::string &name);
  double expansionMilliseconds = 0;

private:
  void compile(const std::vector<Loop> &loops, const std::string &passes,
               const std::string &processor);

  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Prints the time of each loop for 16 elements, on the given operands.
void measureLoops(const std::vector<Loop> &loops, const std::string &passes,
                  const void *a, const void *b);

/// Prints a failure and counts it; the program's exit status tells of any.
void reportFailure(const std::string &message);
unsigned failureCount();

// The parts of the sweep.
void sweepFunctions(const std::string &title, const std::string &passes,
                    const std::string &processor = "");
/// All functions on f64.
void sweepDoubles(const std::string &passes);
void checkFma(const std::string &passes, const std::string &processor = "");
/// Unary functions on f32 in equal steps of the encoding; 1 is exhaustive.
void sweepDensely(const std::string &passes, unsigned stride);
void measureThroughput(const std::string &passes);
void measureConversions();
void measureIntegers();
void measureMinMax();
void sweepConversions();
void checkIntegers();
void checkMinMax();
void checkPatterns();

} // namespace tilewright::math::test

#endif // TILEWRIGHT_TEST_UNIT_MATH_JIT_H
