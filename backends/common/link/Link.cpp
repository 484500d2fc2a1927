//===- Link.cpp - Relocatable objects to a shared object ------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld reads its inputs from memfds and writes to a pipe, both by their names
// under /proc/self/fd.
//===----------------------------------------------------------------------===//
#include "backends/common/link/Link.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using llvm::StringRef;

namespace tilewright::backend {

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

static int32_t runLinker(const std::vector<std::string> &inputs,
                         llvm::ArrayRef<const char *> flags,
                         const std::string &output, std::string &text) {
  static std::mutex mutex;
  std::vector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "--build-id=none",
                                         "--threads=1",
                                         "--no-mmap-output-file",
                                         "-o",
                                         output.c_str()};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  llvm::raw_string_ostream stream(text);
  std::lock_guard<std::mutex> lock(mutex);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  return result.retCode;
}

std::optional<std::string> linkObjects(llvm::ArrayRef<StringRef> objects,
                                       llvm::ArrayRef<const char *> flags,
                                       std::string &why) {
  int ends[2] = {-1, -1};
  bool isOpen = pipe2(ends, O_CLOEXEC) == 0;
  Descriptor reader(ends[0]), writer(ends[1]);
  Descriptor done(eventfd(0, EFD_CLOEXEC));
  isOpen = isOpen && fcntl(reader.get(), F_SETFL, O_NONBLOCK) == 0 &&
           done.get() >= 0;
  std::deque<Descriptor> files;
  std::vector<std::string> inputs;
  for (StringRef object : objects) {
    Descriptor &file =
        files.emplace_back(memfd_create("kernel.o", MFD_CLOEXEC));
    isOpen = isOpen && file.get() >= 0 && writeAll(file.get(), object);
    inputs.push_back(file.path());
  }
  if (!isOpen) {
    why = "no memory or file descriptors for the linker";
    return std::nullopt;
  }
  std::string image, text;
  std::thread collector([&] { image = readAll(reader.get(), done.get()); });
  int32_t status = runLinker(inputs, flags, writer.path(), text);
  eventfd_write(done.get(), 1);
  collector.join();
  if (status == 0 && StringRef(image).starts_with("\x7f"
                                                  "ELF"))
    return image;
  why = StringRef(text).trim().str();
  return std::nullopt;
}

} // namespace tilewright::backend
