//===- Target.cpp - Which processor to compile for --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// '-' both joins words of a processor's name ("skylake-avx512") and removes a
// feature ("znver4-avx512f"): the longest known name is taken.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using llvm::StringRef;

namespace tilewright::cpu {

static constexpr uint32_t kBadTarget = 4101;
static constexpr uint32_t kUnknownProcessor = 4102;
static constexpr uint32_t kUnknownFeature = 4103;

namespace {
/// One instruction set that this LLVM can generate code for.
struct Architecture {
  std::string triple;
  std::string baseline; // processor without optional features
  std::unique_ptr<llvm::MCSubtargetInfo> table;
  const llvm::Target *target = nullptr;
};
} // namespace

static void addArchitecture(std::vector<Architecture> &list, StringRef triple,
                            StringRef baseline) {
  std::string ignored;
  Architecture arch{triple.str(), baseline.str(), nullptr, nullptr};
  arch.target =
      llvm::TargetRegistry::lookupTarget(llvm::Triple(triple), ignored);
  if (!arch.target)
    return;
  arch.table.reset(
      arch.target->createMCSubtargetInfo(llvm::Triple(triple), baseline, ""));
  if (arch.table)
    list.push_back(std::move(arch));
}

/// Registers LLVM's code generators once; constant afterwards.
static const std::vector<Architecture> &architectures() {
  static const std::vector<Architecture> list = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    std::vector<Architecture> list;
    addArchitecture(list, "x86_64-unknown-linux-gnu", "x86-64");
    addArchitecture(list, "aarch64-unknown-linux-gnu", "generic");
#if defined(__aarch64__)
    std::reverse(list.begin(), list.end()); // the host's names come first
#endif
    return list;
  }();
  return list;
}

static bool hasProcessor(const Architecture &arch, StringRef name) {
  // LLVM's x86 table still lists processors without 64-bit mode.
  if (!llvm::any_of(
          arch.table->getAllProcessorDescriptions(),
          [&](const auto &row) { return StringRef(row.Key) == name; }))
    return false;
  if (!StringRef(arch.triple).starts_with("x86_64"))
    return true;
  std::unique_ptr<llvm::MCSubtargetInfo> table(
      arch.target->createMCSubtargetInfo(llvm::Triple(arch.triple), name, ""));
  return name == "x86-64" || table->checkFeatures("+64bit");
}

static bool hasFeature(const Architecture &arch, StringRef name) {
  return llvm::any_of(
      arch.table->getAllProcessorFeatures(),
      [&](const auto &row) { return StringRef(row.Key) == name; });
}

/// Features that the code generator never uses on its own; leaving them out
/// keeps the resolved name short and the artifact portable.
static bool isSystemFeature(StringRef name) {
  static const llvm::StringSet<> names = {
      "64bit",     "cldemote",  "clflushopt", "clwb",     "clzero",  "enqcmd",
      "fsgsbase",  "fxsr",      "hreset",     "invpcid",  "kl",      "lwp",
      "mmx",       "movdir64b", "movdiri",    "mwaitx",   "pconfig", "pku",
      "prefetchi", "ptwrite",   "raoint",     "rdpid",    "rdpru",   "rdrnd",
      "rdseed",    "rtm",       "serialize",  "sgx",      "shstk",   "tsxldtrk",
      "uintr",     "usermsr",   "waitpkg",    "wbnoinvd", "widekl",  "x87",
      "xsave",     "xsavec",    "xsaveopt",   "xsaves",   "movrs"};
  return names.contains(name);
}

/// Changes that turn LLVM's idea of the processor into this machine: virtual
/// machines and old kernels hide features.
static std::vector<std::string> hostChanges(const Architecture &arch,
                                            StringRef processor) {
  std::unique_ptr<llvm::MCSubtargetInfo> table(
      arch.target->createMCSubtargetInfo(llvm::Triple(arch.triple), processor,
                                         ""));
  std::vector<std::string> changes;
  for (const auto &entry : llvm::sys::getHostCPUFeatures()) {
    StringRef name = entry.first();
    if (isSystemFeature(name) || !hasFeature(arch, name))
      continue;
    bool assumed = table->checkFeatures(("+" + name).str());
    if (assumed != entry.second)
      changes.push_back(((entry.second ? "+" : "-") + name).str());
  }
  llvm::sort(changes);
  return changes;
}

static std::string nearest(StringRef name,
                           const std::vector<StringRef> &candidates) {
  StringRef best;
  unsigned bestDistance = std::max<unsigned>(3, name.size() / 2);
  for (StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, true, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best.str();
}

static std::nullopt_t refuse(Problem &problem, uint32_t code,
                             const llvm::Twine &message,
                             const llvm::Twine &hint) {
  problem = {TW_E_DIAGNOSED, code, message.str(), hint.str()};
  return std::nullopt;
}

/// Takes the longest prefix of `rest` that `isKnown` accepts and that ends
/// where a feature, a device or the text ends; the shortest piece if none is
/// known.
static StringRef takeName(StringRef &rest,
                          llvm::function_ref<bool(StringRef)> isKnown) {
  size_t end = rest.find_first_of("+@");
  StringRef whole = rest.substr(0, end);
  size_t length = whole.size();
  while (length != 0 && !isKnown(whole.substr(0, length))) {
    size_t dash = whole.substr(0, length).rfind('-');
    length = dash == StringRef::npos ? 0 : dash;
  }
  if (length == 0)
    length = std::min(whole.size(), whole.find('-'));
  StringRef name = rest.substr(0, length);
  rest = rest.substr(length);
  return name;
}

namespace {
/// The pieces of a target string, before defaults are filled in.
struct Parsed {
  const Architecture *arch = nullptr;
  std::string processor;
  bool isHost = false;
  std::vector<std::string> changes;
};
} // namespace

static std::optional<Parsed> refuseProcessor(StringRef name, Problem &problem) {
  std::vector<StringRef> candidates;
  for (const Architecture &arch : architectures())
    for (const auto &row : arch.table->getAllProcessorDescriptions())
      if (hasProcessor(arch, row.Key))
        candidates.push_back(row.Key);
  std::string guess = nearest(name, candidates);
  return refuse(problem, kUnknownProcessor,
                "expected a processor name, got '" + name + "'",
                guess.empty() ? "`tilewright targets` lists the names"
                              : "did you mean 'cpu:" + guess + "'?");
}

static std::optional<Parsed> parseProcessor(StringRef &rest, Problem &problem) {
  const Architecture &host = architectures().front();
  Parsed parsed;
  if (!rest.consume_front(":") || rest.consume_front("host") ||
      rest.consume_front("native")) {
    parsed.arch = &host;
    parsed.processor = llvm::sys::getHostCPUName().str();
    parsed.isHost = true;
    if (!hasProcessor(host, parsed.processor))
      parsed.processor = host.baseline;
    return parsed;
  }
  auto find = [&](StringRef name) -> const Architecture * {
    for (const Architecture &arch : architectures())
      if (hasProcessor(arch, name))
        return &arch;
    return nullptr;
  };
  StringRef name =
      takeName(rest, [&](StringRef text) { return find(text) != nullptr; });
  parsed.arch = find(name);
  if (name == "aarch64" || name == "x86_64")
    for (const Architecture &arch : architectures())
      if (StringRef(arch.triple).starts_with(name)) {
        parsed.arch = &arch;
        name = arch.baseline;
      }
  if (!parsed.arch)
    return refuseProcessor(name, problem);
  parsed.processor = name.str();
  // Both tables call their baseline "generic"; the host's is meant.
  if (name == "generic")
    parsed.processor = parsed.arch->baseline;
  return parsed;
}

static bool parseFeatures(StringRef &rest, Parsed &parsed, Problem &problem) {
  const Architecture &arch = *parsed.arch;
  while (rest.starts_with("+") || rest.starts_with("-")) {
    char sign = rest.front();
    rest = rest.drop_front();
    StringRef name =
        takeName(rest, [&](StringRef text) { return hasFeature(arch, text); });
    if (!hasFeature(arch, name)) {
      std::vector<StringRef> candidates;
      for (const auto &row : arch.table->getAllProcessorFeatures())
        candidates.push_back(row.Key);
      std::string guess = nearest(name, candidates);
      refuse(problem, kUnknownFeature,
             "expected a feature of " + parsed.processor + ", got '" + name +
                 "'",
             guess.empty() ? llvm::Twine("features are LLVM's names, e.g. avx2")
                           : "did you mean '" + guess + "'?");
      return false;
    }
    parsed.changes.push_back((llvm::Twine(sign) + name).str());
  }
  return true;
}

static VectorUnit describeX86(const llvm::MCSubtargetInfo &table) {
  auto has = [&](const char *features) {
    return table.checkFeatures(features);
  };
  VectorUnit unit;
  bool wide = has("+avx512f,+avx512bw,+avx512dq,+avx512vl");
  bool avx2 = has("+avx2");
  unit.registerBits = wide ? 512 : avx2 ? 256 : 128;
  unit.registerCount = wide ? 32 : 16;
  unit.hasMaskRegisters = wide;
  unit.hasMaskedMemory = has("+avx");
  unit.hasGather = avx2;
  unit.hasFma = has("+fma");
  unit.hasHalfConversion = has("+f16c");
  unit.hasHalfArithmetic = has("+avx512fp16");
  unit.hasBfloatConversion = has("+avx512bf16");
  unit.hasBfloatDot = has("+avx512bf16");
  unit.hasByteDot = has("+avx512vnni") || has("+avxvnni");
  unit.hasRounding = has("+sse4.1");
  return unit;
}

static VectorUnit describeAArch64(const llvm::MCSubtargetInfo &table) {
  auto has = [&](const char *features) {
    return table.checkFeatures(features);
  };
  VectorUnit unit;
  unit.registerBits = 128;
  unit.registerCount = 32;
  unit.hasFma = true;
  unit.hasHalfConversion = true;
  unit.hasHalfArithmetic = has("+fullfp16");
  unit.hasBfloatConversion = has("+bf16");
  unit.hasBfloatDot = has("+bf16");
  unit.hasByteDot = has("+dotprod");
  unit.hasRounding = true;
  return unit;
}

/// "<architecture>;<feature>,..." of the features that the driver can check.
static std::string describeNeeds(const Architecture &arch,
                                 const llvm::MCSubtargetInfo &table) {
  static constexpr llvm::StringLiteral checked[] = {
#define TW_CPU_FEATURE(name, leaf, subleaf, reg, bit, state) name,
#include "backends/cpu/driver/CpuFeatures.def"
#undef TW_CPU_FEATURE
  };
  llvm::Triple triple(arch.triple);
  std::string text = (triple.getArchName() + ";").str();
  if (!triple.isX86())
    return text;
  llvm::ListSeparator comma(",");
  for (StringRef name : checked)
    if (hasFeature(arch, name) && table.checkFeatures(("+" + name).str()))
      text += (StringRef(comma) + name).str();
  return text;
}

/// The name in a target: LLVM calls AArch64's baseline "generic", which would
/// read as the host's.
static std::string spellProcessor(const Architecture &arch,
                                  StringRef processor) {
  StringRef name = StringRef(arch.triple).split('-').first;
  return (processor == "generic" ? name : processor).str();
}

std::optional<Target> resolveTarget(StringRef text, Problem &problem) {
  StringRef rest = text;
  if (!rest.consume_front("cpu") ||
      (!rest.empty() && !StringRef(":+-@").contains(rest.front())))
    return refuse(problem, kBadTarget,
                  "expected a target of vendor cpu, got '" + text + "'",
                  "a target is cpu[:processor][+feature|-feature]*");
  std::optional<Parsed> parsed = parseProcessor(rest, problem);
  if (!parsed)
    return std::nullopt;
  if (parsed->isHost)
    parsed->changes = hostChanges(*parsed->arch, parsed->processor);
  if (!parseFeatures(rest, *parsed, problem))
    return std::nullopt;
  unsigned device = 0;
  if (rest.consume_front("@") && (rest.consumeInteger(10, device) || device))
    return refuse(problem, kBadTarget, "expected device 0 in '" + text + "'",
                  "a machine is one cpu device, cpu@0");
  if (!rest.empty())
    return refuse(problem, kBadTarget,
                  "unexpected '" + rest + "' in target '" + text + "'",
                  "a target is cpu[:processor][+feature|-feature]*");
  Target target;
  target.triple = parsed->arch->triple;
  target.processor = parsed->processor;
  target.features = llvm::join(parsed->changes, ",");
  target.name = "cpu:" + spellProcessor(*parsed->arch, target.processor) +
                llvm::join(parsed->changes, "");
  std::unique_ptr<llvm::MCSubtargetInfo> table(
      parsed->arch->target->createMCSubtargetInfo(
          llvm::Triple(target.triple), target.processor, target.features));
  target.compat = describeNeeds(*parsed->arch, *table);
  target.vector = llvm::Triple(target.triple).isX86() ? describeX86(*table)
                                                      : describeAArch64(*table);
  return target;
}

std::vector<std::string> knownProcessors() {
  std::vector<std::string> names;
  for (const Architecture &arch : architectures())
    for (const auto &row : arch.table->getAllProcessorDescriptions())
      if (hasProcessor(arch, row.Key) && row.Key != arch.baseline)
        names.push_back(spellProcessor(arch, row.Key));
  for (const Architecture &arch : architectures())
    names.push_back(spellProcessor(arch, arch.baseline));
  return names;
}

} // namespace tilewright::cpu
