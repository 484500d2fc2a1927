//===- Translate.cpp - LLVM's SPIR-V target, in a child ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child answers over a pipe: one byte for success, eight for the length,
// then bytes or a message. It may inherit a lock that another thread held when
// it was made; then it never answers, and is made anew.
//===----------------------------------------------------------------------===//
#include "backends/spirv/codegen/Translate.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace llvm {
/// Exported by LLVM's SPIR-V target without a header.
extern "C" bool SPIRVTranslateModule(Module *module, std::string &spirv,
                                     std::string &error,
                                     const std::vector<std::string> &extensions,
                                     const std::vector<std::string> &options);
} // namespace llvm

namespace tilewright::spirv {

/// Above 0 the code generator reduces loops, which makes integers of odd widths
/// that it then widens wrongly: `x & 7` becomes `x & 255`.
static const char *const kLevel = "0";
static constexpr int kAttempts = 3;
static constexpr auto kPatience = std::chrono::seconds(60);
static constexpr size_t kHeader = 9;

//===--- The child --------------------------------------------------------===//

static int answerTo = -1; // in the child only

[[noreturn]] static void answer(bool isDone, const std::string &text) {
  std::string whole(1, isDone ? 1 : 0);
  uint64_t length = text.size();
  whole.append(reinterpret_cast<const char *>(&length), sizeof length);
  whole += text;
  for (size_t at = 0; at < whole.size();) {
    ssize_t count = write(answerTo, whole.data() + at, whole.size() - at);
    if (count < 0 && errno != EINTR)
      break;
    at += count > 0 ? static_cast<size_t>(count) : 0;
  }
  _exit(0);
}

static void answerFatal(void *, const char *reason, bool) {
  answer(false, reason);
}

/// Errors that the target reports and goes on from.
static void collect(const llvm::DiagnosticInfo *info, void *opaque) {
  if (info->getSeverity() != llvm::DS_Error)
    return;
  llvm::raw_string_ostream stream(*static_cast<std::string *>(opaque));
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
}

[[noreturn]] static void runChild(llvm::Module &module,
                                  const std::string &triple,
                                  const std::vector<std::string> &extensions) {
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(answerFatal);
  std::string bytes, error, reported;
  module.getContext().setDiagnosticHandlerCallBack(collect, &reported);
  bool isDone = llvm::SPIRVTranslateModule(&module, bytes, error, extensions,
                                           {triple, kLevel}) &&
                reported.empty();
  answer(isDone, isDone ? bytes : error + reported);
}

//===--- The parent -------------------------------------------------------===//

namespace {
struct Answer {
  bool isComplete = false;
  bool isDone = false;
  std::string text;
};
} // namespace

/// Reads until the answer is complete, its writer is gone or patience ends.
static Answer readAnswer(int from) {
  Answer result;
  std::string whole;
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd source = {from, POLLIN, 0};
    int ready = left.count() > 0 ? poll(&source, 1, int(left.count())) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    char chunk[1 << 16];
    ssize_t count = ready > 0 ? read(from, chunk, sizeof chunk) : 0;
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return result;
    whole.append(chunk, static_cast<size_t>(count));
    uint64_t length = 0;
    if (whole.size() >= kHeader)
      std::memcpy(&length, whole.data() + 1, sizeof length);
    if (whole.size() < kHeader || whole.size() - kHeader < length)
      continue;
    result.isComplete = true;
    result.isDone = whole[0] != 0;
    result.text = whole.substr(kHeader);
    return result;
  }
}

/// One attempt; false if another one makes sense.
static bool attempt(llvm::Module &module, const std::string &triple,
                    const std::vector<std::string> &extensions, Answer &result,
                    std::string &why) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    why = std::string("no pipe: ") + std::strerror(errno);
    return true;
  }
  pid_t child = fork();
  if (child == 0) {
    answerTo = ends[1];
    runChild(module, triple, extensions);
  }
  close(ends[1]);
  if (child < 0) {
    why = std::string("no process: ") + std::strerror(errno);
    close(ends[0]);
    return true;
  }
  result = readAnswer(ends[0]);
  close(ends[0]);
  if (!result.isComplete)
    kill(child, SIGKILL);
  int status = 0;
  pid_t reaped;
  while ((reaped = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (result.isComplete)
    return true;
  bool isCrash =
      reaped == child && WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL;
  why = isCrash ? "it crashed with signal " + std::to_string(WTERMSIG(status))
                : "it did not answer";
  return isCrash;
}

std::string translateModule(llvm::Module &module, const std::string &triple,
                            const std::vector<std::string> &extensions,
                            std::string &why) {
  Answer result;
  for (int i = 0; i < kAttempts; ++i)
    if (attempt(module, triple, extensions, result, why))
      break;
  if (!result.isComplete)
    return {};
  if (!result.isDone)
    why = result.text.empty() ? "it gave no reason" : result.text;
  return result.isDone ? result.text : std::string();
}

} // namespace tilewright::spirv
