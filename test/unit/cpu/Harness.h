//===- Harness.h - Compiling and running kernels in tests -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the plugin as a host does, sends it Kernel IR, and calls the code that
// comes back. Nothing here knows how the plugin works.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_CPU_HARNESS_H
#define TILEWRIGHT_TEST_UNIT_CPU_HARNESS_H

#include "backends/cpu/driver/KernelABI.h"
#include "tilewright/plugin.h"

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::cpu::test {

/// The opened backend of the plugin under test.
class Plugin {
public:
  Plugin();
  ~Plugin();
  Plugin(const Plugin &) = delete;

  const tw_compile_table &table() const { return *answer.compile; }
  tw_backend *backend() const { return opened; }
  const tw_backend_answer &getAnswer() const { return answer; }

  std::string resolve(const std::string &target);

private:
  tw_backend_answer answer;
  tw_backend *opened = nullptr;
};

Plugin &plugin();

/// Kernel IR text to the bytes that cross; fails the test if it does not parse.
std::string toBytes(const std::string &text);
std::string exactFormat();

struct Diagnostic {
  uint32_t severity;
  uint32_t code;
  std::string message;
  std::string hint;
  std::string file;
  uint32_t line;
};

/// A request with its defaults; tests change what they are about.
struct Request {
  std::string format = exactFormat();
  std::string bytes;
  std::string target = "cpu";
  std::vector<std::string> entries;
  std::vector<std::string> stages;
  std::vector<tw_option> options;
  std::function<int32_t()> cancelled;
  uint64_t timeLimit = 0;
  const tw_extension *extensions = nullptr;
  std::vector<tw_op_use> ops;
  std::vector<tw_library> libraries;

  void setOption(const char *key, int64_t value, uint32_t flags = 0);
  void setOption(const char *key, const char *value, uint32_t flags = 0);
};

/// What came back. Records borrow from the response, which is kept.
class Compiled {
public:
  explicit Compiled(Request request);
  ~Compiled();
  Compiled(const Compiled &) = delete;

  int32_t status = TW_OK;
  std::vector<Diagnostic> diagnostics;
  std::string payload;
  std::map<std::string, std::string> stages;
  tw_compile_response response{};

  const tw_kernel_record &record(size_t index = 0) const {
    return *response.kernels[index];
  }
  bool hasCode(uint32_t code) const;
  /// All diagnostics on one line each, for messages of failed tests.
  std::string text() const;
};

/// A loaded payload.
class Library {
public:
  explicit Library(const std::string &payload);
  ~Library();
  tw_cpu_kernel_fn find(const std::string &symbol) const;
  bool isLoaded() const { return handle != nullptr; }

private:
  void *handle = nullptr;
};

/// Packs arguments at their natural alignment, as the record describes.
class Arguments {
public:
  template <typename T> Arguments &add(T value) {
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    bytes.resize(bytes.size() + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  const void *data() const { return bytes.data(); }

private:
  std::vector<char> bytes;
};

/// Compiles for `target` and runs all programs of the grid.
void run(const Compiled &compiled, const Arguments &arguments, int64_t x,
         int64_t y = 1, int64_t z = 1, size_t index = 0);

/// Whether this machine can run code for a target.
bool canRun(const std::string &target);

} // namespace tilewright::cpu::test

#endif // TILEWRIGHT_TEST_UNIT_CPU_HARNESS_H
