//===- Runner.h - Running probes --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules are examined in probe processes, some of them in one. A crash or hang
// fails the rule that was at work; the others get another process.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_RUNNER_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_RUNNER_H

#include "plugins/conformance/Rules.h"

namespace tilewright::conformance {

/// What a plugin says of itself, from rule TWB-201.
struct Identity {
  std::string vendor;
  std::string name;
  std::string build;
  uint32_t profiles = 0;
  uint32_t version = 0;
};

class Runner {
public:
  /// `program` is the probe; `seconds` what one rule may take.
  Runner(std::string program, double seconds)
      : program(std::move(program)), seconds(seconds) {}

  /// Examines rules with the settings of a file (Probe.h).
  std::vector<Finding> examine(const std::string &settings,
                               std::vector<unsigned> rules);
  /// Filled when TWB-201 has passed.
  Identity identity;

private:
  struct Run;
  void runOnce(const std::string &settings, std::vector<unsigned> &rules,
               std::vector<Finding> &findings);
  bool readLines(Run &run, std::vector<unsigned> &rules,
                 std::vector<Finding> &findings);
  void readLine(Run &run, const std::string &line, std::vector<unsigned> &rules,
                std::vector<Finding> &findings);

  std::string program;
  double seconds;
};

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_RUNNER_H
