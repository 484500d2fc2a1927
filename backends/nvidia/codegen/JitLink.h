//===- JitLink.h - NVIDIA's linker as an assembler --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnvJitLink, opened at run time: assembles in this process where the CUDA
// libraries are installed without the toolkit's programs.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_JITLINK_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_JITLINK_H

#include "backends/nvidia/codegen/Assemble.h"

namespace tilewright::nvidia {

class JitLink {
public:
  /// Opened once a process; null when there is none.
  static const JitLink *open();

  std::optional<Assembled> assemble(llvm::StringRef ptx, const Target &target,
                                    const AssemblerOptions &options,
                                    Report &report) const;
  std::string name() const;

private:
  struct Link; // an opaque handle of the library
  bool load(void *library);

  unsigned major = 0;
  int (*create)(Link **, uint32_t, const char *const *) = nullptr;
  int (*destroy)(Link **) = nullptr;
  int (*addData)(Link *, int, const void *, size_t, const char *) = nullptr;
  int (*complete)(Link *) = nullptr;
  int (*cubinBytes)(Link *, size_t *) = nullptr;
  int (*cubin)(Link *, void *) = nullptr;
  int (*errorBytes)(Link *, size_t *) = nullptr;
  int (*errors)(Link *, char *) = nullptr;
  int (*infoBytes)(Link *, size_t *) = nullptr;
  int (*infos)(Link *, char *) = nullptr;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_JITLINK_H
