//===- Traits.h - What a SPIR-V target has ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One set of traits with one spelling: target strings name what code may use,
// artifacts what their code uses, and devices what they have.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_OPENCL_TRAITS_H
#define TILEWRIGHT_BACKENDS_SPIRV_OPENCL_TRAITS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::opencl {

/// Versions are 10 * major + minor: SPIR-V 1.2 is 12.
struct Traits {
  unsigned openclVersion = 20;
  unsigned spirvVersion = 10;
#define TW_SPIRV_FLAG(name, field, meaning) bool field = false;
#define TW_SPIRV_NUMBER(name, field, meaning) uint64_t field = 0;
#include "backends/spirv/opencl/Traits.def"
};

/// Sets the trait that `name` spells, or clears it; false if there is none.
/// Numbers follow their name: "local32768", "sg16", "spv1.4".
bool setTrait(Traits &traits, std::string_view name, bool enabled);

/// "opencl3.0": what the version of the API brings along.
bool setVersion(Traits &traits, std::string_view name);

/// "opencl2.2+spv1.2+fp64+local32768": parses back to the same traits.
std::string traitsText(const Traits &traits);

/// The first trait of `needed` that `offered` lacks, or "".
std::string missingTrait(const Traits &needed, const Traits &offered);

/// Names for messages and listings.
std::vector<std::string> versionNames();
std::vector<std::string> traitNames();

} // namespace tilewright::opencl

#endif // TILEWRIGHT_BACKENDS_SPIRV_OPENCL_TRAITS_H
