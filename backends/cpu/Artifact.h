//===- Artifact.h - Owner of a compile response -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a response points to, freed by its `release`.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_ARTIFACT_H
#define TILEWRIGHT_BACKENDS_CPU_ARTIFACT_H

#include "backends/cpu/Record.h"
#include "backends/cpu/Report.h"

#include "tilewright/plugin.h"

namespace tilewright::cpu {

struct Artifact {
  std::string payload;
  std::string compat;
  std::deque<KernelRecord> records;
  std::vector<std::pair<std::string, std::string>> stages; ///< name, text
  std::deque<Report::Remark> remarks;

  /// Points `response` at `artifact`, which it owns from now on.
  static void publish(std::unique_ptr<Artifact> artifact,
                      tw_compile_response &response);

private:
  std::vector<tw_kernel_record> recordViews;
  std::vector<const tw_kernel_record *> recordPointers;
  std::vector<tw_stage_text> stageViews;
  std::deque<tw_location> locations;
  std::vector<tw_diagnostic> remarkViews;
  std::vector<const tw_diagnostic *> remarkPointers;
  std::vector<tw_option> tools;

  void buildViews();
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_ARTIFACT_H
