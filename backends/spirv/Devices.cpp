//===- Devices.cpp - Asks a child process for the devices -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child answers in lines: a word, a tab, a text. Where it does not answer,
// as when it inherits a lock that another thread held, the process asks itself.
//===----------------------------------------------------------------------===//
#include "backends/spirv/Devices.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright::spirv {

static constexpr auto kPatience = std::chrono::seconds(30);

static std::string describe(const opencl::Discovery &found) {
  std::string text;
  for (const opencl::Device &device : found.devices)
    text += "device\t" + traitsText(device.traits) + "\n";
  return text + "problem\t" + found.problem + "\nhint\t" + found.hint +
         "\nend\t\n";
}

/// Reads what traitsText wrote.
static opencl::Traits readTraits(const std::string &text) {
  opencl::Traits traits;
  std::istringstream words(text);
  std::string word;
  std::getline(words, word, '+');
  setVersion(traits, word);
  unsigned version = traits.openclVersion;
  traits = opencl::Traits(); // what the version promises is said as well
  traits.openclVersion = version;
  while (std::getline(words, word, '+'))
    setTrait(traits, word, /*enabled=*/true);
  return traits;
}

static MachineDevices parse(const std::string &text) {
  MachineDevices result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t tab = line.find('\t');
    std::string word = line.substr(0, tab), rest = line.substr(tab + 1);
    if (word == "problem")
      result.problem = rest;
    else if (word == "hint")
      result.hint = rest;
    else if (word == "device")
      result.traits.push_back(readTraits(rest));
  }
  return result;
}

[[noreturn]] static void answer(int to) {
  // What drivers print must not mix with what this process writes.
  int nowhere = open("/dev/null", O_RDWR);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nowhere, stream);
  std::string text = describe(opencl::discoverDevices());
  for (size_t at = 0; at < text.size();) {
    ssize_t count = write(to, text.data() + at, text.size() - at);
    if (count < 0 && errno != EINTR)
      break;
    at += count > 0 ? static_cast<size_t>(count) : 0;
  }
  _exit(0);
}

/// Reads until the last line, the writer is gone or patience ends.
static std::string readAnswer(int from) {
  const std::string last = "\nend\t\n";
  auto end = std::chrono::steady_clock::now() + kPatience;
  std::string text;
  while (text.size() < last.size() ||
         text.compare(text.size() - last.size(), last.size(), last) != 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd source = {from, POLLIN, 0};
    int ready = left.count() > 0 ? poll(&source, 1, int(left.count())) : 0;
    char chunk[1 << 12];
    ssize_t count = ready > 0 ? read(from, chunk, sizeof chunk) : ready;
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return {};
    text.append(chunk, static_cast<size_t>(count));
  }
  return text;
}

static std::string askChild() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {};
  pid_t child = fork();
  if (child == 0)
    answer(ends[1]);
  close(ends[1]);
  std::string text = child > 0 ? readAnswer(ends[0]) : std::string();
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL); // it has answered, or never will
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return text;
}

const MachineDevices &devicesOfMachine() {
  static const MachineDevices devices = [] {
    std::string text = askChild();
    return parse(text.empty() ? describe(opencl::discoverDevices()) : text);
  }();
  return devices;
}

} // namespace tilewright::spirv
