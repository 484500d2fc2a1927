//===- Assemble.cpp - From PTX to a cubin -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ptxas program is preferred: libnvJitLink compiles for linking, where a
// kernel never gets fewer than 24 registers.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Assemble.h"

#include "backends/nvidia/codegen/JitLink.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <future>
#include <map>
#include <mutex>

using llvm::StringRef;

namespace tilewright::nvidia {

static constexpr uint32_t kAssemblerFailed = 4112;

//===--- The verbose log --------------------------------------------------===//

/// The number before `unit` in a line such as "Used 24 registers, ...".
static uint64_t numberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef before = line.substr(0, end).rtrim();
  StringRef digits = before.substr(before.find_last_not_of("0123456789") + 1);
  uint64_t number = 0;
  digits.getAsInteger(10, number);
  return number;
}

void readResources(StringRef log, Assembled &assembled) {
  AssembledKernel *kernel = nullptr;
  for (StringRef rest = log; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    if (line.contains("Compiling entry function '")) {
      StringRef name = line.split('\'').second.split('\'').first;
      kernel = &assembled.kernels[name];
    } else if (kernel && line.contains("bytes spill stores")) {
      kernel->spillBytes += numberBefore(line, "bytes spill stores");
    } else if (kernel && line.contains("Used ")) {
      kernel->registers = unsigned(numberBefore(line, "registers"));
      kernel->staticSharedBytes = numberBefore(line, "bytes smem");
    }
  }
}

//===--- The program ------------------------------------------------------===//

/// Path of ptxas, or empty.
static std::string findProgram(const AssemblerOptions &options) {
  if (StringRef(options.choice).contains('/'))
    return options.choice;
  if (options.choice != "auto" && options.choice != "ptxas")
    return "";
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  std::string usual = "/usr/local/cuda/bin/ptxas";
  return llvm::sys::fs::can_execute(usual) ? usual : "";
}

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

namespace {
/// A file that is gone with the scope.
class TemporaryFile {
public:
  TemporaryFile(StringRef suffix) {
    isOpen = !llvm::sys::fs::createTemporaryFile("tilewright", suffix, path);
    if (isOpen)
      remover.setFile(path);
  }
  bool write(StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    stream << text;
    stream.close();
    return isOpen && !error && !stream.has_error();
  }
  std::string read() const { return readFile(path); }
  StringRef name() const { return path; }

private:
  llvm::SmallString<128> path;
  bool isOpen = false;
  llvm::FileRemover remover;
};
} // namespace

/// Runs the program on files; its exit status, or -1 if it cannot run.
static int runProgram(StringRef program, llvm::ArrayRef<StringRef> arguments,
                      StringRef outputs) {
  std::optional<StringRef> redirects[] = {StringRef(), outputs, outputs};
  return llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects);
}

static std::string askVersion(const std::string &program) {
  TemporaryFile output("log");
  runProgram(program, {program, "--version"}, output.name());
  std::string text = output.read();
  StringRef version = StringRef(text).split("release ").second.split(',').first;
  return "ptxas " + (version.empty() ? std::string("unknown") : version.str());
}

/// "ptxas 13.0", asked once a program, by a thread of its own.
static std::shared_future<std::string>
programVersion(const std::string &program) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_future<std::string>> versions;
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = versions.try_emplace(program);
  if (isNew)
    entry->second = std::async(askVersion, program).share();
  return entry->second;
}

static std::optional<Assembled> runPtxas(const std::string &program,
                                         StringRef ptx, const Target &target,
                                         const AssemblerOptions &options,
                                         Report &report) {
  TemporaryFile input("ptx"), output("cubin"), messages("log");
  if (!input.write(ptx)) {
    report.error(kAssemblerFailed, "no temporary file for ptxas can be written",
                 "make room in the folder for temporary files");
    return std::nullopt;
  }
  std::string arch = "-arch=" + target.processor;
  std::string level = "-O" + std::to_string(options.level);
  int status = runProgram(
      program, {program, arch, level, "-v", input.name(), "-o", output.name()},
      messages.name());
  Assembled assembled;
  assembled.log = messages.read();
  if (status != 0) {
    report.error(kAssemblerFailed,
                 "ptxas refuses the code: " +
                     StringRef(assembled.log).rtrim().str(),
                 "report this kernel");
    return std::nullopt;
  }
  assembled.cubin = output.read();
  assembled.tool = programVersion(program).get();
  readResources(assembled.log, assembled);
  return assembled;
}

std::optional<Assembled> assemble(StringRef ptx, const Target &target,
                                  const AssemblerOptions &options,
                                  Report &report) {
  if (options.choice == "none")
    return std::nullopt;
  std::string program = findProgram(options);
  if (!program.empty())
    return runPtxas(program, ptx, target, options, report);
  if (options.choice == "auto" || options.choice == "nvjitlink")
    if (const JitLink *library = JitLink::open())
      return library->assemble(ptx, target, options, report);
  if (options.choice != "auto")
    report.error(kAssemblerFailed,
                 "there is no assembler '" + options.choice + "' here",
                 "install the CUDA toolkit, or use --opt assembler=none");
  return std::nullopt;
}

void beginNaming(const AssemblerOptions &options) {
  std::string program = findProgram(options);
  if (!program.empty())
    programVersion(program);
}

std::string assemblerName(const AssemblerOptions &options) {
  std::string program = findProgram(options);
  if (!program.empty())
    return programVersion(program).get();
  const JitLink *library = JitLink::open();
  return library ? library->name() : "none";
}

} // namespace tilewright::nvidia
