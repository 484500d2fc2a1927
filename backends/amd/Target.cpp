//===- Target.cpp - Which AMD architecture to compile for -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of Architectures.def, and what of them the thread mapping sees.
//===----------------------------------------------------------------------===//
#include "backends/amd/Target.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilewright::amd {

static constexpr StringRef kDefaultProcessor = "gfx942";
static constexpr uint32_t kBadTarget = 4101, kUnknownProcessor = 4102,
                          kUnknownFeature = 4103;

namespace {
struct Architecture {
  StringRef processor;
  Family family;
};
struct FamilyRow {
  unsigned lanes;
  uint64_t ldsBytes;
  unsigned registers;
  unsigned codeObject;
  unsigned copySizes;
};
} // namespace

static constexpr Architecture kArchitectures[] = {
#define AMD_ARCH(processor, family, members) {processor, Family::family},
#include "backends/amd/Architectures.def"
};

/// In the order of Family.
static constexpr FamilyRow kFamilies[] = {
#define AMD_FAMILY(name, lanes, ldsBytes, registers, codeObject, copies)       \
  {lanes, ldsBytes, registers, codeObject, copies},
#include "backends/amd/Architectures.def"
};

std::vector<std::string> knownArchitectures() {
  std::vector<std::string> names;
  for (const Architecture &row : kArchitectures)
    names.push_back(row.processor.str());
  return names;
}

static bool refuse(Problem &problem, uint32_t code, const llvm::Twine &message,
                   const llvm::Twine &hint) {
  problem = {TW_E_DIAGNOSED, code, message.str(), hint.str()};
  return false;
}

/// Takes "+xnack-sramecc" off the front: how memory faults and errors are
/// handled, which code may depend on. Without them it runs either way.
static bool readFeatures(StringRef text, Target &target, Problem &problem) {
  bool isKnown = target.family <= Family::CDNA4;
  while (!text.empty()) {
    bool isOn = text.front() == '+';
    StringRef name = text.substr(1, text.find_first_of("+-", 1) - 1);
    text = text.drop_front(1 + name.size());
    if (!isKnown || (name != "xnack" && name != "sramecc"))
      return refuse(problem, kUnknownFeature,
                    "expected a feature of " + target.processor + ", got '" +
                        name + "'",
                    isKnown ? "features are xnack and sramecc"
                            : "this processor has none");
    target.features += (target.features.empty() ? "" : ",") +
                       (llvm::Twine(isOn ? "+" : "-") + name).str();
    target.name += (llvm::Twine(isOn ? "+" : "-") + name).str();
    target.targetId += (":" + name + (isOn ? "+" : "-")).str();
  }
  return true;
}

std::optional<Target> resolveTarget(StringRef text, Problem &problem) {
  StringRef spelling = text.split('@').first;
  if (!spelling.consume_front("amd") ||
      (!spelling.empty() && !StringRef(":+-").contains(spelling.front()))) {
    refuse(problem, kBadTarget,
           "expected a target of vendor amd, got '" + text + "'",
           "a target is amd[:gfxNNN][+feature|-feature]*[@device]");
    return std::nullopt;
  }
  spelling.consume_front(":");
  const Architecture *found = nullptr;
  for (const Architecture &row : kArchitectures) {
    StringRef rest = spelling;
    if (rest.consume_front(row.processor) &&
        (rest.empty() || rest.front() == '+' || rest.starts_with("-xnack") ||
         rest.starts_with("-sramecc")))
      found = &row;
  }
  StringRef processor = found ? found->processor : kDefaultProcessor;
  bool isBare =
      spelling.empty() || spelling.front() == '+' || spelling.front() == '-';
  if (!found && !isBare) {
    refuse(problem, kUnknownProcessor,
           "expected an AMD architecture, got '" + spelling + "'",
           "known are " + llvm::join(knownArchitectures(), ", "));
    return std::nullopt;
  }
  for (const Architecture &row : kArchitectures)
    if (row.processor == processor)
      found = &row;
  const FamilyRow &row = kFamilies[unsigned(found->family)];
  Target target;
  target.processor = target.targetId = processor.str();
  target.name = "amd:" + target.processor;
  target.family = found->family;
  target.lanes = row.lanes;
  target.ldsBytes = row.ldsBytes;
  target.registers = row.registers;
  target.codeObject = row.codeObject;
  target.copySizes = row.copySizes;
  StringRef features = isBare ? spelling : spelling.substr(processor.size());
  if (!readFeatures(features, target, problem))
    return std::nullopt;
  return target;
}

/// The waves of a work-group share the registers of four SIMD units. RDNA has
/// more than one wave can name; the smallest chips have 1,024.
static unsigned registersOf(const Target &target, unsigned waves) {
  constexpr unsigned units = 4, rdnaRegisters = 1024;
  unsigned all = target.isCDNA() ? target.registers : rdnaRegisters;
  return std::min(target.registers, all / ((waves + units - 1) / units));
}

simt::SimtTarget describe(const Target &target, unsigned waves) {
  simt::SimtTarget described;
  described.vendor = "amd";
  described.triple = "amdgcn-amd-amdhsa";
  described.subgroupWidth = target.lanes;
  described.maxThreads = 1024;
  described.sharedBytes = target.ldsBytes;
  described.sectorBytes = 64;
  described.registersPerThread = registersOf(target, waves);
  if (target.isCDNA())
    described.mostStoreSectors = 4; // pieces of 16 bytes of one of 64
  described.maxVectorBytes = 16;
  described.globalSpace = 1;
  described.sharedSpace = 3;
  described.privateSpace = 5;
  described.hasNumberMinMax = true;
  described.copies = {target.copySizes, /*areConsecutive=*/true};
  described.hasPackedFloat32 = target.isCDNA();
  return described;
}

} // namespace tilewright::amd
