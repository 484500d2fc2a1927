//===- Process.cpp - One worker process, seen by the host -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// posix_spawn, so that a large or threaded host does not have to fork.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tilewright::worker {

namespace {
/// A descriptor above those that the worker uses, closed at the end.
class Descriptor {
public:
  explicit Descriptor(int given)
      : value(given < 0 ? -1 : fcntl(given, F_DUPFD_CLOEXEC, 16)) {
    if (given >= 0)
      close(given);
  }
  ~Descriptor() {
    if (value >= 0)
      close(value);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return value; }
  int take() { return std::exchange(value, -1); }

private:
  int value;
};
} // namespace

/// Runs the program with the descriptors where it looks for them and no others.
static int spawn(const std::string &program, int socket, int shared, int output,
                 pid_t &process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawn_file_actions_adddup2(&actions, socket, socketDescriptor);
  posix_spawn_file_actions_adddup2(&actions, shared, sharedDescriptor);
  posix_spawn_file_actions_addclosefrom_np(&actions, sharedDescriptor + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {const_cast<char *>(program.c_str()), nullptr};
  int error = posix_spawn(&process, program.c_str(), &actions, &attributes,
                          arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

std::unique_ptr<Process> Process::start(const std::string &program,
                                        Problem &problem) {
  auto fail = [&](int error) {
    problem.set(TW_E_UNAVAILABLE, 5020,
                "cannot start the compile worker '" + program +
                    "': " + std::strerror(error),
                "install it beside the plugins, or compile in this process "
                "with isolation=none");
    return nullptr;
  };
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(errno);
  Descriptor ours(ends[0]), theirs(ends[1]);
  Descriptor flags(memfd_create("tilewright-flags", MFD_CLOEXEC));
  Descriptor output(memfd_create("tilewright-output", MFD_CLOEXEC));
  if (ours.get() < 0 || theirs.get() < 0 || output.get() < 0 ||
      flags.get() < 0 || ftruncate(flags.get(), sizeof(SharedFlags)) != 0)
    return fail(errno);
  void *memory = mmap(nullptr, sizeof(SharedFlags), PROT_READ | PROT_WRITE,
                      MAP_SHARED, flags.get(), 0);
  if (memory == MAP_FAILED)
    return fail(errno);
  pid_t process = 0;
  if (int error =
          spawn(program, theirs.get(), flags.get(), output.get(), process)) {
    munmap(memory, sizeof(SharedFlags));
    return fail(error);
  }
  return std::unique_ptr<Process>(new Process(
      process, ours.take(), output.take(), static_cast<SharedFlags *>(memory)));
}

Process::Process(pid_t process, int socket, int output, SharedFlags *shared)
    : process(process), owner(getpid()), socket(socket), output(output),
      shared(shared), connection(socket) {}

Process::~Process() {
  if (isOurs())
    end();
  close(socket);
  close(output);
  munmap(shared, sizeof(SharedFlags));
}

bool Process::isOurs() const { return owner == getpid(); }

/// "was ended by SIGSEGV", "ended with status 3".
static std::string describeEnd(int status) {
  if (WIFSIGNALED(status)) {
    const char *name = sigabbrev_np(WTERMSIG(status));
    return "was ended by " +
           (name ? "SIG" + std::string(name)
                 : "signal " + std::to_string(WTERMSIG(status)));
  }
  return "ended itself with status " + std::to_string(WEXITSTATUS(status));
}

std::string Process::end() {
  if (hasEnded)
    return "has ended";
  hasEnded = true;
  // One that closed its socket is about to end: how is worth a moment.
  int status = 0;
  for (int i = 0; i < 100; ++i) {
    char byte;
    bool isOpen = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
    if (isOpen)
      break;
    if (waitpid(process, &status, WNOHANG) == process)
      return describeEnd(status);
    usleep(2000);
  }
  kill(process, SIGKILL);
  pid_t ended;
  while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR)
    ;
  return ended == process ? describeEnd(status) : "has ended";
}

std::string Process::takeOutput() {
  struct stat state = {};
  if (fstat(output, &state) != 0 || state.st_size == 0)
    return {};
  constexpr off_t most = 4096;
  std::string text(size_t(std::min(state.st_size, most)), '\0');
  // The end of a long text says more than its start.
  ssize_t got = pread(output, text.data(), text.size(),
                      state.st_size - off_t(text.size()));
  text.resize(got < 0 ? 0 : size_t(got));
  // Both processes write at one offset.
  if (ftruncate(output, 0) == 0)
    lseek(output, 0, SEEK_SET);
  return text;
}

uint64_t Process::residentBytes() const {
  std::ifstream pages("/proc/" + std::to_string(process) + "/statm");
  uint64_t size = 0, resident = 0;
  pages >> size >> resident;
  return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

} // namespace tilewright::worker
