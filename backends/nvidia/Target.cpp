//===- Target.cpp - Which NVIDIA architecture to compile for ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of Architectures.def, and what of it the thread mapping sees.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/Target.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilewright::nvidia {

static constexpr StringRef kDefaultProcessor = "sm_90a";
/// Read by every driver of CUDA 12 and newer.
static constexpr unsigned kUsualPtx = 80;
/// The newest that LLVM 22 writes.
static constexpr unsigned kNewestPtx = 90;
static constexpr uint32_t kUnknownTarget = 4101;

namespace {
struct Architecture {
  unsigned number;
  const char *suffix;
  unsigned oldestPtx;
  uint64_t sharedBytes;

  std::string name() const { return "sm_" + std::to_string(number) + suffix; }
};
} // namespace

static constexpr Architecture kArchitectures[] = {
#define NVIDIA_ARCH(number, suffix, ptx, shared) {number, suffix, ptx, shared},
#include "backends/nvidia/Architectures.def"
};

std::vector<std::string> knownArchitectures() {
  std::vector<std::string> names;
  for (const Architecture &architecture : kArchitectures)
    names.push_back(architecture.name());
  return names;
}

static std::optional<Target> refuse(Problem &problem, const llvm::Twine &what,
                                    StringRef hint) {
  problem.code = kUnknownTarget;
  problem.message = what.str();
  problem.hint = hint.str();
  return std::nullopt;
}

/// Reads "+ptx86"; other features do not exist.
static bool readFeatures(StringRef text, const Architecture &architecture,
                         Target &target, Problem &problem) {
  while (!text.empty()) {
    auto [feature, rest] = text.drop_front().split('+');
    unsigned version = 0;
    bool isPtx = text.front() == '+' && feature.consume_front("ptx") &&
                 !feature.getAsInteger(10, version);
    if (!isPtx) {
      refuse(problem, "unknown feature '" + text + "' of an NVIDIA target",
             "the one feature is the PTX version, as in +ptx86");
      return false;
    }
    if (version < architecture.oldestPtx || version > kNewestPtx) {
      refuse(problem,
             "expected PTX version " + llvm::Twine(architecture.oldestPtx) +
                 " to " + llvm::Twine(kNewestPtx) + " for " +
                 architecture.name() + ", got " + llvm::Twine(version),
             "leave it out to get one that fits");
      return false;
    }
    target.ptx = version;
    text = rest.empty() ? rest : StringRef(rest.data() - 1, rest.size() + 1);
  }
  return true;
}

std::optional<Target> resolveTarget(StringRef text, Problem &problem) {
  StringRef spelling = text.split('@').first;
  spelling.consume_front("nvidia");
  spelling.consume_front(":");
  size_t end = spelling.find_first_of("+-");
  StringRef processor = spelling.substr(0, end);
  StringRef features = spelling.substr(processor.size());
  if (processor.empty())
    processor = kDefaultProcessor;
  for (const Architecture &architecture : kArchitectures) {
    if (processor != architecture.name())
      continue;
    Target target;
    target.number = architecture.number;
    target.processor = processor.str();
    target.ptx = std::max(architecture.oldestPtx, kUsualPtx);
    // fp8 matrix instructions came to sm_89 with PTX 8.4.
    if (architecture.number >= 89)
      target.ptx = std::max(target.ptx, 84u);
    target.sharedBytes = architecture.sharedBytes;
    target.isSpecific = StringRef(architecture.suffix) == "a";
    if (!readFeatures(features, architecture, target, problem))
      return std::nullopt;
    target.name = "nvidia:" + target.processor;
    if (!features.empty())
      target.name += "+ptx" + std::to_string(target.ptx);
    return target;
  }
  return refuse(problem, "unknown NVIDIA architecture '" + processor + "'",
                "known are " + llvm::join(knownArchitectures(), ", "));
}

simt::SimtTarget describe(const Target &target) {
  simt::SimtTarget described;
  described.vendor = "nvidia";
  described.triple = "nvptx64-nvidia-cuda";
  described.subgroupWidth = 32;
  described.maxThreads = 1024;
  described.sharedBytes = target.sharedBytes;
  described.registersPerThread = 255;
  described.maxVectorBytes = 16;
  described.globalSpace = 1;
  described.sharedSpace = 3;
  described.privateSpace = 0;
  described.hasNumberMinMax = true;
  described.hasBFloat16Casts = target.number >= 80;
  described.atoms = matrixAtoms(target);
  return described;
}

} // namespace tilewright::nvidia
