//===- Artifact.h - A compiled kernel in memory -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The owned form of what a .twa file holds, its writer and its strict reader.
// Writing what was read gives the same bytes.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_ARTIFACT_ARTIFACT_H
#define TILEWRIGHT_RUNTIME_ARTIFACT_ARTIFACT_H

#include "plugins/loader/Problem.h"
#include "tilewright/record.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::artifact {

using Bytes = std::vector<uint8_t>;

struct Parameter {
  std::string name;
  uint32_t kind = TW_PARAMETER_USER_SCALAR;
  uint32_t dtype = TW_DTYPE_NONE;
  uint32_t offset = 0;
  uint32_t deviceOffset = 0;
  uint32_t bytes = 0;
  uint32_t alignment = 0;
  uint32_t source = 0;
  uint32_t axis = 0;
};

struct Derived {
  uint32_t kind = TW_DERIVED_SCALAR;
  uint32_t dtype = TW_DTYPE_NONE;
  std::vector<Bytes> expressions;
  std::vector<uint32_t> attributes;
};

/// Owned tw_kernel_record; field meanings are those of record.h.
struct Kernel {
  std::string name;
  std::string symbol; // empty: equal to `name`
  uint32_t flags = 0;
  uint32_t payload = 0; // index into Artifact::payloads
  std::vector<Parameter> parameters;
  std::vector<tw_fact> facts;
  std::vector<Derived> derived;
  Bytes predicate;
  uint32_t userBlockBytes = 0;
  uint32_t deviceBlockBytes = 0;
  std::array<uint32_t, 3> blockSize = {1, 1, 1};
  std::array<uint32_t, 3> clusterSize = {1, 1, 1};
  uint32_t sharedStaticBytes = 0;
  uint32_t sharedDynamicBytes = 0;
  uint64_t scratchBytes = 0;
  uint32_t scratchAlignment = 0;
  Bytes scratchFormula;
  uint32_t registers = 0;
  uint64_t spillBytes = 0;

  /// Copies a plugin's record.
  static Kernel fromRecord(const tw_kernel_record &record);
};

/// A tw_kernel_record over a Kernel, which must outlive it.
class RecordView {
public:
  explicit RecordView(const Kernel &kernel);
  RecordView(const RecordView &) = delete;
  RecordView &operator=(const RecordView &) = delete;
  const tw_kernel_record &record() const { return view; }

private:
  tw_kernel_record view;
  std::vector<tw_parameter> parameters;
  std::vector<tw_derived> derived;
  std::vector<std::vector<tw_bytes>> expressions;
};

struct Payload {
  std::string format; // "elf-so", "ptx", ...
  Bytes bytes;
};

using OptionValue = std::variant<int64_t, double, std::string>;

struct Artifact {
  std::string signature; // as compiled, with facts and constants
  std::string target;    // resolved
  std::string compat;    // the plugin's, for grade_artifact
  std::string fingerprint;
  std::vector<std::pair<std::string, OptionValue>> options;
  std::vector<std::pair<std::string, std::string>> tools; // name, version
  std::vector<Kernel> kernels; // variants of one name: preferred first
  std::vector<Payload> payloads;
};

/// User parameters come first in a valid record.
bool isUser(const Parameter &parameter);
uint32_t countUserParameters(const Kernel &kernel);

/// The type as signatures spell it, "*fp32" or "i32".
std::string typeOf(const Parameter &parameter);

/// Lays user parameters out in order at natural alignment: sets offset,
/// deviceOffset, bytes, alignment of each and both block sizes.
void layOutParameters(Kernel &kernel);

/// Checks what readers, launchers and plugins rely on: user parameters first
/// and at natural offsets, indices in range, expressions well-formed.
bool validateKernel(const Kernel &kernel, Problem &problem);

/// The file's bytes. The artifact must be valid.
Bytes writeArtifact(const Artifact &artifact);

/// The manifest alone, as indented JSON text.
std::string manifestText(const Artifact &artifact);

/// Reads a file's bytes; refuses everything that it does not know.
std::optional<Artifact> readArtifact(tw_bytes file, Problem &problem);

/// Reads a whole file; refuses folders and unreadable files.
std::optional<Bytes> readFile(const std::string &path, Problem &problem);

} // namespace tilewright::artifact

#endif // TILEWRIGHT_RUNTIME_ARTIFACT_ARTIFACT_H
