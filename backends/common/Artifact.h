//===- Artifact.h - Owner of a compile response -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a response points to, freed by its `release`.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_ARTIFACT_H
#define TILEWRIGHT_BACKENDS_COMMON_ARTIFACT_H

#include "backends/common/Record.h"
#include "backends/common/Report.h"

#include "tilewright/plugin.h"

namespace tilewright::backend {

struct Artifact {
  std::string format; ///< of the payload; also names what `compat` means
  std::string payload;
  std::string compat;
  std::vector<std::string> tools = {"llvm"}; ///< all of LLVM's version
  /// Name and version of other tools.
  std::vector<std::pair<std::string, std::string>> otherTools;
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
  std::vector<tw_option> toolViews;

  void buildViews();
};

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_ARTIFACT_H
