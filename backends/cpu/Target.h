//===- Target.h - Which processor to compile for ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cpu[:processor][+feature|-feature]*[@device]`, made explicit and checked
// against the processors and features that LLVM knows, so that code generation
// never meets an unknown name.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_TARGET_H
#define TILEWRIGHT_BACKENDS_CPU_TARGET_H

#include "backends/common/Report.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::cpu {

using namespace backend; // reports, records and artifacts of all backends

/// What the loop emitter and the expansions must know about the hardware.
struct VectorUnit {
  unsigned registerBits = 128;
  unsigned registerCount = 16;
  bool hasMaskRegisters = false;  ///< AVX-512: masked memory at no extra cost
  bool hasMaskedMemory = false;   ///< vmaskmov or better
  bool hasGather = false;         ///< AVX2 or better
  bool hasFma = false;            ///< fused multiply-add, f32 and f64
  bool hasHalfConversion = false; ///< f16 <-> f32
  bool hasHalfArithmetic = false;
  bool hasBfloatConversion = false; ///< f32 -> bf16
  bool hasBfloatDot = false;
  bool hasByteDot = false; ///< VNNI or SDOT
  bool hasRounding = false;
};

struct Target {
  std::string triple;
  std::string processor; ///< LLVM's name
  std::string features;  ///< "+a,-b": changes to the processor's own set
  std::string name;      ///< resolved spelling, "cpu:znver4-sse4a"
  std::string compat;    ///< what the machine must have, see KernelABI.h
  VectorUnit vector;
};

/// Makes `text` explicit; an empty processor means this host.
std::optional<Target> resolveTarget(llvm::StringRef text, Problem &problem);

/// Names of all processors, one group an architecture, for `list_targets`.
std::vector<std::string> knownProcessors();

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_TARGET_H
