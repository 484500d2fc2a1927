//===- Target.h - Which AMD architecture to compile for ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `amd[:gfxNNN][+xnack|-xnack|+sramecc|-sramecc]`, made explicit and checked
// against a table, so that code generation never meets an unknown name.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_AMD_TARGET_H
#define TILEWRIGHT_BACKENDS_AMD_TARGET_H

#include "backends/common/Report.h"
#include "backends/simt/SimtTarget.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::amd {

using namespace backend; // reports, records and artifacts of all backends

/// Processors with the same instructions. A generic one has what its members
/// share.
enum class Family : uint8_t {
#define AMD_FAMILY(name, lanes, ldsBytes, registers, codeObject, copies) name,
#include "backends/amd/Architectures.def"
};

struct Target {
  std::string processor; ///< "gfx942", LLVM's name
  std::string features;  ///< "+xnack,-sramecc", LLVM's spelling
  std::string name;      ///< resolved spelling, "amd:gfx942"
  /// What the code object says it runs on, "gfx942:xnack+".
  std::string targetId;
  Family family = Family::CDNA3;
  unsigned lanes = 64;
  uint64_t ldsBytes = 0;
  unsigned registers = 0;
  unsigned codeObject = 5;
  /// Bytes that a lane may copy to the LDS directly, powers of two; 0: none.
  unsigned copySizes = 0;

  /// What option `direct_copies` means here: 0 where a lane moves 16 bytes at
  /// once, 1 never, 2 wherever there are such copies.
  bool copiesDirectly(int64_t option) const {
    return copySizes && (option == 2 || (option == 0 && (copySizes & 16)));
  }
  bool isCDNA() const { return family <= Family::GenericCDNA; }
  bool isRDNA4() const {
    return family == Family::RDNA4 || family == Family::GenericRDNA4;
  }
};

/// Makes `text` explicit; without an architecture it is gfx942.
std::optional<Target> resolveTarget(llvm::StringRef text, Problem &problem);

/// "gfx90a", ... for `list_targets`.
std::vector<std::string> knownArchitectures();

/// What the thread mapping must know of programs of so many waves, but for
/// matrix atoms.
simt::SimtTarget describe(const Target &target, unsigned waves);

} // namespace tilewright::amd

#endif // TILEWRIGHT_BACKENDS_AMD_TARGET_H
