//===- Translate.cpp - SPIR-V to SPIR ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs Khronos' translator as a process: it is of another LLVM. Its input and
// output are memory files.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tilewright::spirv {

static const char *const kTranslator = "llvm-spirv-15";

namespace {
/// A file in memory that a child process can open by its path.
class MemoryFile {
public:
  explicit MemoryFile(const char *name) : fd(memfd_create(name, 0)) {}
  MemoryFile(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (fd >= 0)
      close(fd);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

  bool write(tw_bytes bytes) const {
    auto *data = static_cast<const char *>(bytes.data);
    uint64_t done = 0;
    while (fd >= 0 && done < bytes.size) {
      ssize_t count = ::write(fd, data + done, bytes.size - done);
      if (count <= 0 && errno != EINTR)
        return false;
      done += count > 0 ? static_cast<uint64_t>(count) : 0;
    }
    return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;
  }

  std::string read() const {
    std::string bytes;
    char chunk[1 << 14];
    lseek(fd, 0, SEEK_SET);
    for (ssize_t count; (count = ::read(fd, chunk, sizeof chunk)) > 0;)
      bytes.append(chunk, static_cast<size_t>(count));
    return bytes;
  }

  const int fd;
};
} // namespace

/// The exit status of a command, or -1 with `why` set.
static int runCommand(const std::vector<std::string> &command, int errors,
                      std::string &why) {
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDOUT_FILENO);
  pid_t child = 0;
  int failure = posix_spawnp(&child, arguments[0], &actions, nullptr,
                             arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) {
    why = command[0] + " cannot be run: " + std::strerror(failure);
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string translateToSpir(tw_bytes payload, std::string &why) {
  MemoryFile input("kernel.spv"), output("kernel.bc"), errors("errors");
  if (output.fd < 0 || errors.fd < 0 || !input.write(payload)) {
    why = std::string("no memory file: ") + std::strerror(errno);
    return {};
  }
  int status = runCommand(
      {kTranslator, "-r", input.path(), "-o", output.path()}, errors.fd, why);
  if (status < 0)
    return {};
  std::string bitcode = output.read();
  if (status == 0 && !bitcode.empty())
    return bitcode;
  why = std::string(kTranslator) + " refuses the module: " + errors.read();
  return {};
}

} // namespace tilewright::spirv
