//===- HostCpu.h - What this processor can do -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name and features of the processor, and the check of an artifact's compat
// text against them.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_DRIVER_HOSTCPU_H
#define TILEWRIGHT_BACKENDS_CPU_DRIVER_HOSTCPU_H

#include <string>
#include <string_view>

namespace tilewright::cpu {

/// "x86_64", "aarch64".
const char *hostArchitecture();

/// The maker's name of the processor, or the architecture.
std::string hostName();

/// Whether the processor and the system support a feature of CpuFeatures.def.
bool hostSupports(std::string_view feature);

/// Bits of the widest vector register.
unsigned hostVectorBits();

/// Logical processors that this process may use, at least 1.
unsigned hostProcessors();

/// The first requirement of a compat text that this machine does not meet;
/// empty when code with that text may run.
std::string missingRequirement(std::string_view compat);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_DRIVER_HOSTCPU_H
