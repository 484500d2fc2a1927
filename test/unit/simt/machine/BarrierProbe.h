//===- BarrierProbe.h - Takes barriers out one by one -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the race checker notices that a barrier or a wait is missing.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_BARRIERPROBE_H
#define TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_BARRIERPROBE_H

#include "ThreadMachine.h"

namespace tilewright::simt::test {

struct ProbeResult {
  bool isClean = false; ///< no race is found in the kernel as generated
  unsigned barriers = 0, waits = 0;
  unsigned missed = 0; ///< taken out, and no race was reported
  std::string text;    ///< the kernel as generated, or why there is none
};

/// Parses simt IR, allocates and places barriers, then takes out each barrier
/// and each wait in turn.
ProbeResult probeBarriers(const std::string &text,
                          const MachineOptions &options);

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_BARRIERPROBE_H
