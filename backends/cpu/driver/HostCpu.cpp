//===- HostCpu.cpp - What this processor can do -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPUID, and XGETBV for what the operating system saves. No library knows all
// of the features on the oldest supported system.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/HostCpu.h"

#include "backends/cpu/driver/KernelABI.h"

#include <cstdint>
#include <cstring>
#include <sched.h>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tilewright::cpu {

#if defined(__x86_64__)

namespace {
enum Register { EAX, EBX, ECX, EDX };
// Bits of XCR0 that must be set: SSE+YMM, +opmask+ZMM, +tiles.
enum State : uint64_t { NONE = 0, AVX = 0x6, AVX512 = 0xe6, AMX = 0x60006 };

struct FeatureRow {
  const char *name;
  uint32_t leaf;
  uint32_t subleaf;
  Register reg;
  uint32_t bit;
  State state;
};
} // namespace

static constexpr FeatureRow featureRows[] = {
#define TW_CPU_FEATURE(name, leaf, subleaf, reg, bit, state)                   \
  {name, leaf, subleaf, reg, bit, state},
#include "backends/cpu/driver/CpuFeatures.def"
#undef TW_CPU_FEATURE
};

static bool readCpuid(uint32_t leaf, uint32_t subleaf, uint32_t (&out)[4]) {
  return __get_cpuid_count(leaf, subleaf, &out[0], &out[1], &out[2], &out[3]);
}

/// Register state that the system saves, 0 where XGETBV does not exist.
static uint64_t savedState() {
  uint32_t regs[4];
  if (!readCpuid(1, 0, regs) || !(regs[ECX] & (1u << 27)))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t(high) << 32) | low;
}

const char *hostArchitecture() { return "x86_64"; }

bool hostSupports(std::string_view feature) {
  for (const FeatureRow &row : featureRows) {
    if (feature != row.name)
      continue;
    uint32_t regs[4];
    return readCpuid(row.leaf, row.subleaf, regs) &&
           (regs[row.reg] & (1u << row.bit)) &&
           (savedState() & row.state) == row.state;
  }
  return false;
}

std::string hostName() {
  uint32_t words[12];
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t regs[4];
    if (!readCpuid(0x80000002 + i, 0, regs))
      return hostArchitecture();
    std::memcpy(words + 4 * i, regs, sizeof regs);
  }
  char text[sizeof words + 1] = {};
  std::memcpy(text, words, sizeof words);
  std::string name(text + std::strspn(text, " "));
  name.erase(name.find_last_not_of(' ') + 1);
  return name.empty() ? hostArchitecture() : name;
}

unsigned hostVectorBits() {
  return hostSupports("avx512f") ? 512 : hostSupports("avx") ? 256 : 128;
}

#else

const char *hostArchitecture() {
#if defined(__aarch64__)
  return "aarch64";
#elif defined(__riscv)
  return "riscv64";
#else
  return "unknown";
#endif
}

bool hostSupports(std::string_view) { return false; }
std::string hostName() { return hostArchitecture(); }
unsigned hostVectorBits() { return 128; }

#endif

unsigned hostProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  unsigned threads = std::thread::hardware_concurrency();
  return threads ? threads : 1;
}

std::string missingRequirement(std::string_view compat) {
  size_t end = compat.find(';');
  std::string_view arch = compat.substr(0, end);
  if (arch != hostArchitecture())
    return "architecture " + std::string(arch);
  std::string_view rest =
      end == std::string_view::npos ? "" : compat.substr(end + 1);
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    std::string_view feature = rest.substr(0, comma);
    if (feature != TW_CPU_SERVICE_NANOSECONDS && !hostSupports(feature))
      return "feature " + std::string(feature);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  return {};
}

} // namespace tilewright::cpu
