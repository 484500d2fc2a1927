//===- Session.h - The compiler and runtime behind one command -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin RAII over the public C interfaces, shared by all subcommands, with the
// printing of diagnostics, timings and remarks.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_SESSION_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_SESSION_H

#include "tilewright/compiler.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::tool {

/// Options that every compiling subcommand has.
struct CommonOptions {
  std::string file;
  std::string source; // the text itself; empty: what `file` holds
  std::string kernel;
  std::string signature;
  std::string targets = "cpu";
  std::string math = "accurate";
  std::string check; // "bounds,races", what the reference looks for
  std::string isolation = "process";
  double compileSeconds = 0; // 0: the compiler's default
  double compileMegabytes = 0;
  std::string stopAfter;   // "simt": before code is generated
  std::string timings;     // "", "text" or "json"
  std::string remarks;     // "", "text" or "json"
  std::string diagnostics; // "text" or "json"
  bool disablesOverrides = false, tracesOverrides = false;
  std::vector<std::string> pins;        // OP=PROVIDER
  std::vector<std::string> options;     // KEY=VALUE
  std::vector<std::string> pluginPaths; // explicit plugin files
  std::vector<std::string> pluginFolders;
  std::vector<std::string> moduleFolders; // after the folder of the file
  std::string cacheFolder;                // "": kernels are not kept
  std::vector<std::string> sharedFolders; // of compiled kernels, only read
};

tw_str toStr(const std::string &text);
std::string toString(tw_str text);
/// A writer that appends to `text`.
tw_writer appendTo(std::string &text);
/// Reads a whole file; throws Failure 7001.
std::string readTextFile(const std::string &path);
/// Writes through a temporary file and a rename, straight into what is no
/// regular file; throws Failure 7002.
void writeFile(const std::string &path, std::string_view bytes);

/// Splits "a,b,c" at commas outside brackets and quotes.
std::vector<std::string> splitTopLevel(const std::string &text);

struct ReleaseResult {
  void operator()(const tw_compile_result *r) const {
    tw_compile_result_release(r);
  }
};
using Result = std::unique_ptr<const tw_compile_result, ReleaseResult>;

/// One kernel of the source, as tw_compiler_describe reports it.
struct ParameterInfo {
  std::string name;
  bool isConstexpr = false;
  bool hasDefault = false;
  std::string defaultText;
  std::string annotation;
};
struct KernelInfo {
  std::string name;
  std::vector<ParameterInfo> parameters;
};

class Session {
public:
  explicit Session(const CommonOptions &options);
  /// Another file or other options for the compiler of `other`.
  Session(const CommonOptions &options, const Session &other);
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  tw_compiler *compiler() const { return handle.get(); }
  const std::string &source() const { return text; }
  /// Loads the source file once; throws Failure.
  void readSource();
  /// The named kernel, or the only one; throws Failure.
  KernelInfo describeKernel();
  /// Compiles for one target and prints nothing: `status` says how it went.
  Result attempt(const std::string &signature, const std::string &target,
                 const std::vector<std::string> &stages);
  /// The same; prints diagnostics; throws AlreadyReported when the source is
  /// wrong.
  Result compile(const std::string &signature, const std::string &target,
                 const std::vector<std::string> &stages);
  /// The JSON of tw_compiler_fits; throws Failure.
  std::string fits(const std::string &signature, const std::string &target);
  /// The JSON of tw_cache_explain; throws Failure.
  std::string explainCache(const std::string &signature,
                           const std::string &target);

private:
  struct Request;

  void fill(Request &request, const std::string &signature,
            const std::string &target) const;
  void print(const tw_compile_result &result) const;

  const CommonOptions &common;
  std::shared_ptr<tw_compiler> handle;
  std::string text;
};

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_SESSION_H
