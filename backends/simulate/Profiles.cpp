//===- Profiles.cpp - Which hardware is simulated ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two generic machines with the shapes of instructions that each warp size has
// in hardware, and AMD's chips.
//===----------------------------------------------------------------------===//
#include "backends/simulate/Profiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

using llvm::StringRef;

namespace tilewright::simulate {

using simt::Element;
using simt::MatrixAtom;

static constexpr uint32_t kUnknownTarget = 4101;

/// As of NVIDIA's sm_80 and sm_89.
static std::vector<MatrixAtom> atomsOfWave32() {
  using E = Element;
  struct Row {
    const char *name;
    unsigned k, packed;
    Element lhs, rhs, result;
  };
  static constexpr Row rows[] = {
      {"m16n8k16.f16", 16, 2, E::F16, E::F16, E::F32},
      {"m16n8k16.bf16", 16, 2, E::BF16, E::BF16, E::F32},
      {"m16n8k8.tf32", 8, 1, E::TF32, E::TF32, E::F32},
      {"m16n8k32.s8", 32, 4, E::I8, E::I8, E::I32},
      {"m16n8k32.e4m3", 32, 4, E::F8E4M3FN, E::F8E4M3FN, E::F32},
      {"m16n8k32.e5m2", 32, 4, E::F8E5M2, E::F8E5M2, E::F32},
  };
  std::vector<MatrixAtom> atoms;
  for (const Row &row : rows)
    atoms.push_back(simt::makeAtom16x8(row.name, row.k, row.packed, row.lhs,
                                       row.rhs, row.result));
  return atoms;
}

/// A square atom of 64 lanes: each holds `k / (64 / size)` neighbours along k
/// of one row, and of the result groups of four rows.
static MatrixAtom makeAtomOfWave64(const char *name, unsigned size, unsigned k,
                                   Element operand, Element result) {
  MatrixAtom atom;
  atom.name = name;
  atom.m = atom.n = size;
  atom.k = k;
  atom.lhs = atom.rhs = operand;
  atom.result = result;
  unsigned groups = 64 / size, each = k / groups;
  std::vector<simt::FragmentStep> registers, lanes, rhsRegisters, rhsLanes;
  for (unsigned step = 1; step < each; step *= 2)
    registers.push_back({0, step});
  for (unsigned step = 1; step < size; step *= 2)
    lanes.push_back({step, 0});
  for (unsigned step = 1; step < groups; step *= 2)
    lanes.push_back({0, step * each});
  auto turned = [](const std::vector<simt::FragmentStep> &steps) {
    std::vector<simt::FragmentStep> out;
    for (const simt::FragmentStep &step : steps)
      out.push_back({step.column, step.row});
    return out;
  };
  atom.lhsLayout = simt::makeFragment(size, k, registers, lanes);
  atom.rhsLayout =
      simt::makeFragment(k, size, turned(registers), turned(lanes));
  std::vector<simt::FragmentStep> rows = {{1, 0}, {2, 0}}, columns;
  for (unsigned step = 1; step < size; step *= 2)
    columns.push_back({0, step});
  unsigned row = 4;
  for (unsigned step = 1; step < groups; step *= 2, row *= 2)
    columns.push_back({row, 0});
  for (; row < size; row *= 2)
    rows.push_back({row, 0});
  atom.resultLayout = simt::makeFragment(size, size, rows, columns);
  return atom;
}

/// As of AMD's CDNA 3.
static std::vector<MatrixAtom> atomsOfWave64() {
  using E = Element;
  return {
      makeAtomOfWave64("m32n32k8.f16", 32, 8, E::F16, E::F32),
      makeAtomOfWave64("m16n16k16.f16", 16, 16, E::F16, E::F32),
      makeAtomOfWave64("m16n16k16.bf16", 16, 16, E::BF16, E::F32),
      makeAtomOfWave64("m16n16k32.i8", 16, 32, E::I8, E::I32),
      makeAtomOfWave64("m16n16k32.e4m3fnuz", 16, 32, E::F8E4M3FNUZ, E::F32)};
}

static Profile nameProfile(StringRef arch) {
  Profile profile;
  profile.arch = arch.str();
  profile.name = "simulate:" + profile.arch;
  return profile;
}

static Profile makeProfile(StringRef name, unsigned lanes) {
  Profile profile = nameProfile(name);
  profile.family = lanes == 64 ? MatrixFamily::Mfma : MatrixFamily::Ptx;
  profile.hasMatrixLoads = lanes == 32;
  simt::SimtTarget &target = profile.target;
  target.vendor = "simulate";
  target.triple = llvm::sys::getProcessTriple();
  target.subgroupWidth = lanes;
  target.sharedBytes = 64 << 10;
  target.hasFloat16Arithmetic = false; // as cpu: in f32, rounded each time
  target.atoms = lanes == 64 ? atomsOfWave64() : atomsOfWave32();
  return profile;
}

std::vector<std::string> knownProfiles() {
  std::vector<std::string> names = {"wave32", "wave64"};
  llvm::append_range(names, amd::knownArchitectures());
  return names;
}

/// A chip of AMD, with the hooks of its own plugin.
static std::optional<Profile> makeAmdProfile(StringRef name,
                                             backend::Problem &problem) {
  std::optional<amd::Target> chip =
      amd::resolveTarget(("amd:" + name).str(), problem);
  if (!chip)
    return std::nullopt;
  Profile profile = nameProfile(chip->processor);
  profile.target = amd::describe(*chip, /*waves=*/4);
  profile.hasAsyncCopies = false;
  profile.amd = std::move(chip);
  return profile;
}

std::optional<Profile> resolveProfile(StringRef text,
                                      backend::Problem &problem) {
  StringRef name = text.split('@').first;
  name.consume_front("simulate");
  name.consume_front(":");
  if (name.empty() || name == "wave32")
    return makeProfile("wave32", 32);
  if (name == "wave64")
    return makeProfile("wave64", 64);
  if (llvm::is_contained(amd::knownArchitectures(), name))
    return makeAmdProfile(name, problem);
  problem = {TW_E_DIAGNOSED, kUnknownTarget,
             "expected a profile of target simulate, got '" + name.str() + "'",
             "known are " + llvm::join(knownProfiles(), ", ")};
  return std::nullopt;
}

} // namespace tilewright::simulate
