//===- Apart.h - PTX of several kernels at once -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel and its fallback take twice the time of one: each gets a thread.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_APART_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_APART_H

#include "backends/nvidia/Target.h"

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::nvidia {

/// The kernels of a module but the first, under generation.
class KernelsApart {
public:
  /// Takes them out of the module, if nothing in it is shared, and starts.
  KernelsApart(llvm::Module &module, const Target &target, unsigned level);

  /// Waits, and appends them to the text of what stayed in the module; false
  /// after an error in the report.
  bool appendTo(std::string &ptx, Report &report);

private:
  struct Part;

  std::vector<std::shared_ptr<Part>> parts;
  std::vector<std::future<std::optional<std::string>>> fatal; ///< messages
};

/// Appends the kernels of another text, without what `ptx` declares already.
void appendPtx(std::string &ptx, llvm::StringRef other);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_APART_H
