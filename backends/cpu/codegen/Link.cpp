//===- Link.cpp - Relocatable object to shared object -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld reads its inputs from memfds and writes to a pipe, both by their names
// under /proc/self/fd. Functions that the code generator calls on processors
// without the instruction (fma, floor, ...) come from one small object that is
// only linked when it is needed.
//===----------------------------------------------------------------------===//
#include "backends/cpu/codegen/Link.h"

#include "backends/cpu/builtins/Builtins.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using llvm::StringRef;

namespace tilewright::cpu {

static constexpr uint32_t kLinkFailed = 4112;
static constexpr uint32_t kUndefinedSymbol = 4113;

namespace {
/// A file descriptor that closes itself, and its name for lld.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  int get() const { return fd; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  int fd;
};
} // namespace

static bool writeAll(int fd, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.drop_front(count);
  }
  return true;
}

/// Reads until `done` can be read and nothing is left. The end of the file is
/// no sign: a child that forked meanwhile may hold the writing end.
static std::string readAll(int fd, int done) {
  std::string bytes;
  char chunk[1 << 16];
  bool isDone = false;
  while (true) {
    ssize_t count = ::read(fd, chunk, sizeof chunk);
    if (count > 0) {
      bytes.append(chunk, count);
      continue;
    }
    if (isDone || (count < 0 && errno != EAGAIN && errno != EINTR))
      return bytes;
    pollfd sources[] = {{fd, POLLIN, 0}, {done, POLLIN, 0}};
    ::poll(sources, 2, -1);
    isDone = sources[1].revents != 0;
  }
}

/// Undefined symbols of a relocatable object, sorted; nothing if malformed.
static std::optional<std::vector<std::string>>
undefinedSymbols(StringRef object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(object, "kernel"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      return std::nullopt;
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty())
      names.push_back(name->str());
  }
  llvm::sort(names);
  return names;
}

/// The object with the functions that generated code may call, for a target.
static StringRef builtinsFor(const Target &target) {
  llvm::Triple triple(target.triple);
  for (const BuiltinsObject &row : builtinsObjects())
    if (triple.getArchName() == row.arch)
      return StringRef(reinterpret_cast<const char *>(row.data), row.bytes);
  return {};
}

/// Decides whether the builtins have to be linked; reports what they lack.
static bool needsBuiltins(StringRef object, const Target &target, bool &needed,
                          Report &report) {
  std::optional<std::vector<std::string>> wanted = undefinedSymbols(object);
  if (!wanted) {
    report.error(kLinkFailed, "the generated object cannot be read back");
    return false;
  }
  needed = !wanted->empty();
  std::vector<std::string> missing;
  for (const std::string &name : *wanted)
    if (!llvm::is_contained(builtinNames(), StringRef(name)) ||
        builtinsFor(target).empty())
      missing.push_back(name);
  if (missing.empty())
    return true;
  report.error(kUndefinedSymbol,
               "generated code for " + target.name + " calls " +
                   llvm::join(missing, ", ") + ", which does not exist",
               "report this kernel; a processor with more features may do");
  return false;
}

static int32_t runLinker(const std::vector<std::string> &inputs,
                         const std::string &output, std::string &text) {
  static std::mutex mutex;
  std::vector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "--build-id=none",
                                         "--threads=1",
                                         "--no-rosegment",
                                         "--hash-style=gnu",
                                         "-z",
                                         "now",
                                         "-z",
                                         "defs",
                                         "--gc-sections",
                                         "--no-mmap-output-file",
                                         "-o",
                                         output.c_str()};
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  llvm::raw_string_ostream stream(text);
  std::lock_guard<std::mutex> lock(mutex);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  return result.retCode;
}

std::optional<std::string>
linkSharedObject(StringRef object, const Target &target, Report &report) {
  bool withBuiltins = false;
  if (!needsBuiltins(object, target, withBuiltins, report))
    return std::nullopt;
  int ends[2] = {-1, -1};
  bool isOpen = pipe2(ends, O_CLOEXEC) == 0;
  Descriptor reader(ends[0]), writer(ends[1]);
  Descriptor done(eventfd(0, EFD_CLOEXEC));
  Descriptor kernel(memfd_create("kernel.o", MFD_CLOEXEC));
  Descriptor builtins(memfd_create("builtins.o", MFD_CLOEXEC));
  isOpen = isOpen && fcntl(reader.get(), F_SETFL, O_NONBLOCK) == 0 &&
           done.get() >= 0 && kernel.get() >= 0 && builtins.get() >= 0 &&
           writeAll(kernel.get(), object) &&
           (!withBuiltins || writeAll(builtins.get(), builtinsFor(target)));
  if (!isOpen) {
    report.error(kLinkFailed, "no memory or file descriptors for the linker");
    return std::nullopt;
  }
  std::vector<std::string> inputs = {kernel.path()};
  if (withBuiltins)
    inputs.push_back(builtins.path());
  std::string image, text;
  std::thread collector([&] { image = readAll(reader.get(), done.get()); });
  int32_t status = runLinker(inputs, writer.path(), text);
  eventfd_write(done.get(), 1);
  collector.join();
  if (status == 0 && StringRef(image).starts_with("\x7f"
                                                  "ELF"))
    return image;
  report.error(kLinkFailed,
               "linking the kernel failed: " + StringRef(text).trim());
  return std::nullopt;
}

} // namespace tilewright::cpu
