//===- Target.cpp - Which OpenCL device to compile for ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing, with the nearest name in every refusal.
//===----------------------------------------------------------------------===//
#include "backends/spirv/Target.h"

#include "backends/spirv/Devices.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilewright::spirv {

static constexpr uint32_t kBadTarget = 4101, kUnknownVersion = 4102,
                          kUnknownFeature = 4103;
static constexpr llvm::StringLiteral kGrammar =
    "a target is spirv[:opencl<version>][+feature|-feature]*[@device]";
static constexpr llvm::StringLiteral kDefault = "opencl2.0";

static std::nullopt_t refuse(Problem &problem, uint32_t code,
                             const llvm::Twine &message,
                             const llvm::Twine &hint) {
  problem = {TW_E_DIAGNOSED, code, message.str(), hint.str()};
  return std::nullopt;
}

/// The device behind a bare target; false if its number does not exist.
static bool readDevice(unsigned number, bool isNumbered, opencl::Traits &traits,
                       Problem &problem) {
  const MachineDevices &found = devicesOfMachine();
  if (number < found.traits.size()) {
    traits = found.traits[number];
    return true;
  }
  if (!isNumbered) {
    setVersion(traits, kDefault.str());
    return true;
  }
  if (found.traits.empty())
    refuse(problem, kBadTarget, found.problem, found.hint);
  else
    refuse(problem, kBadTarget,
           "expected device 0 to " + llvm::Twine(found.traits.size() - 1) +
               ", got spirv@" + llvm::Twine(number),
           "`tilewright targets` lists the devices");
  return false;
}

static std::nullopt_t refuseFeature(StringRef name, Problem &problem) {
  std::string best;
  unsigned bestDistance = std::max<unsigned>(3, name.size() / 2);
  for (const std::string &known : opencl::traitNames()) {
    unsigned distance = name.edit_distance(known, true, bestDistance);
    if (distance < bestDistance) {
      best = known;
      bestDistance = distance;
    }
  }
  return refuse(problem, kUnknownFeature,
                "expected a feature of target spirv, got '" + name + "'",
                best.empty()
                    ? "features are " + llvm::join(opencl::traitNames(), ", ") +
                          "; local, sg, threads and spv end in a "
                          "number, e.g. sg16, spv1.2"
                    : "did you mean '" + best + "'?");
}

/// Takes "+fp16-fp64..." off the front.
static bool readFeatures(StringRef &rest, opencl::Traits &traits,
                         Problem &problem) {
  while (rest.starts_with("+") || rest.starts_with("-")) {
    bool enabled = rest.front() == '+';
    rest = rest.drop_front();
    StringRef name = rest.substr(0, rest.find_first_of("+-@"));
    rest = rest.drop_front(name.size());
    if (!setTrait(traits, name.str(), enabled)) {
      refuseFeature(name, problem);
      return false;
    }
  }
  return true;
}

/// Widths must be powers of two; the shuffles came with SPIR-V 1.3.
static bool checkTraits(const opencl::Traits &traits, StringRef text,
                        Problem &problem) {
  uint64_t width = traits.subgroupWidth;
  if (width && (width < 8 || width > 64 || (width & (width - 1)))) {
    refuse(problem, kUnknownFeature,
           "expected sub-groups of 8, 16, 32 or 64 lanes in '" + text + "'",
           "sg0 does without them");
    return false;
  }
  if (width && traits.spirvVersion < 13) {
    refuse(problem, kUnknownFeature,
           "expected SPIR-V 1.3 for sub-groups in '" + text + "'",
           "add +spv1.3, or leave sg" + llvm::Twine(width) + " out");
    return false;
  }
  return true;
}

std::optional<Target> resolveTarget(StringRef text, Problem &problem) {
  StringRef rest = text;
  if (!rest.consume_front("spirv") ||
      (!rest.empty() && !StringRef(":+-@").contains(rest.front())))
    return refuse(problem, kBadTarget,
                  "expected a target of vendor spirv, got '" + text + "'",
                  kGrammar);
  auto [body, deviceText] = rest.split('@');
  bool isNumbered = rest.contains('@');
  unsigned device = 0;
  if (isNumbered && deviceText.getAsInteger(10, device))
    return refuse(problem, kBadTarget,
                  "expected a device number behind '@' in '" + text + "'",
                  kGrammar);
  Target target;
  if (body.consume_front(":")) {
    StringRef version = body.substr(0, body.find_first_of("+-"));
    body = body.drop_front(version.size());
    if (!setVersion(target.traits, version.str()))
      return refuse(problem, kUnknownVersion,
                    "expected a version of OpenCL, got '" + version + "'",
                    "versions are " + llvm::join(opencl::versionNames(), ", "));
  } else if (!readDevice(device, isNumbered, target.traits, problem)) {
    return std::nullopt;
  }
  if (!readFeatures(body, target.traits, problem) ||
      !checkTraits(target.traits, text, problem))
    return std::nullopt;
  if (!body.empty())
    return refuse(problem, kBadTarget,
                  "unexpected '" + body + "' in target '" + text + "'",
                  kGrammar);
  target.name = "spirv:" + traitsText(target.traits);
  return target;
}

std::string Target::triple() const {
  return "spirv64v1." + std::to_string(traits.spirvVersion % 10) +
         "-unknown-unknown";
}

/// Shapes of common matrix instructions, over any 32 threads: products are
/// summed one by one, but layouts, operands in shared memory and pipelines are
/// those that such instructions need.
static std::vector<simt::MatrixAtom> emulatedAtoms() {
  using simt::Element;
  return {simt::makeAtom16x8("m16n8k16.f16", 16, 2, Element::F16, Element::F16,
                             Element::F32),
          simt::makeAtom16x8("m16n8k16.bf16", 16, 2, Element::BF16,
                             Element::BF16, Element::F32),
          simt::makeAtom16x8("m16n8k32.s8", 32, 4, Element::I8, Element::I8,
                             Element::I32)};
}

simt::SimtTarget Target::describe() const {
  simt::SimtTarget out;
  out.vendor = "spirv";
  out.triple = triple();
  out.dataLayout =
      "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-"
      "v512:512-v1024:1024-n8:16:32:64-G1";
  out.subgroupWidth = static_cast<unsigned>(traits.subgroupWidth);
  out.maxThreads = static_cast<unsigned>(traits.maxThreads);
  out.isThreadsBound = false;
  constexpr uint64_t ticketBytes = 16; // see SpirvHooks::takeTicket
  out.sharedBytes =
      traits.localBytes - std::min(traits.localBytes, ticketBytes);
  // Drivers differ in what they do with half floats; the shared expansions
  // give the same bits everywhere.
  out.hasFloat16 = false;
  out.hasFloat16Arithmetic = false;
  out.hasFloat64 = traits.hasDouble;
  out.hasFlatAddresses = traits.hasAddresses;
  // Drivers compile at load, for a processor one vector a register: the time
  // grows much faster than the code.
  out.chunks = {/*chunkBits=*/3, /*fewestBits=*/5};
  if (emulatesAtoms && out.warpLanes() == 32)
    out.atoms = emulatedAtoms();
  return out;
}

std::vector<std::string> knownTargets() { return opencl::versionNames(); }

} // namespace tilewright::spirv
