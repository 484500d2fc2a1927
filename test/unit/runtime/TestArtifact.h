//===- TestArtifact.h - Artifacts around hand-made kernels ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the artifacts that the tests and the launch benchmark load.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_RUNTIME_TESTARTIFACT_H
#define TILEWRIGHT_TEST_UNIT_RUNTIME_TESTARTIFACT_H

#include "runtime/artifact/Artifact.h"

#include <fstream>
#include <iterator>

namespace tilewright::test {

inline artifact::Parameter scalar(const char *name, uint32_t dtype) {
  artifact::Parameter parameter;
  parameter.name = name;
  parameter.dtype = dtype;
  return parameter;
}

inline artifact::Parameter pointer(const char *name, uint32_t dtype) {
  artifact::Parameter parameter = scalar(name, dtype);
  parameter.kind = TW_PARAMETER_USER_POINTER;
  return parameter;
}

inline artifact::Kernel
makeKernel(const char *name, std::vector<artifact::Parameter> parameters) {
  artifact::Kernel kernel;
  kernel.name = name;
  kernel.parameters = std::move(parameters);
  layOutParameters(kernel);
  return kernel;
}

inline tw_fact makeFact(uint32_t kind, uint32_t argument, int64_t value = 0,
                        int64_t upper = 0, uint32_t other = 0) {
  return {kind, argument, other, 0, value, upper};
}

/// An artifact for the CPU driver around a shared object on disk.
inline artifact::Artifact makeCpuArtifact(const std::string &library,
                                          std::vector<artifact::Kernel> all) {
  artifact::Artifact artifact;
  artifact.target = "cpu:generic";
#if defined(__x86_64__)
  artifact.compat = "x86_64;";
#else
  artifact.compat = "aarch64;";
#endif
  artifact.kernels = std::move(all);
  std::ifstream file(library, std::ios::binary);
  artifact.payloads.push_back(
      {"elf-so", artifact::Bytes(std::istreambuf_iterator<char>(file), {})});
  return artifact;
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_RUNTIME_TESTARTIFACT_H
