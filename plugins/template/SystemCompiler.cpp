//===- SystemCompiler.cpp - The C compiler of this machine ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files live in a folder of their own, which is gone afterwards. Nothing of
// their names gets into the library: equal texts give equal bytes.
//===----------------------------------------------------------------------===//
#include "SystemCompiler.h"

#include "tilewright/sdk/Compile.h"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace tilewright::template_ {

namespace {
/// A folder that is removed with the files that this one knows.
class Folder {
public:
  Folder() {
    char name[] = "/tmp/tilewright-template-XXXXXX";
    if (mkdtemp(name))
      path = name;
  }
  ~Folder() {
    for (const char *name : {"/kernel.c", "/kernel.so", "/log"})
      unlink((path + name).c_str());
    rmdir(path.c_str());
  }
  std::string path;
};
} // namespace

static std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs a program in `folder`; its output goes to `log` there. Gives its exit
/// status, 127 if it cannot be run.
static int run(std::vector<std::string> words, const std::string &folder) {
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string log = folder + "/log";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child;
  int failed = posix_spawnp(&child, arguments[0], &actions, nullptr,
                            arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string buildLibrary(const std::string &compiler, const std::string &text) {
  Folder folder;
  std::string source = folder.path + "/kernel.c";
  std::string library = folder.path + "/kernel.so";
  std::ofstream(source, std::ios::binary) << text;
  // Integers wrap, floats keep the rounding of each operation.
  int status = run({compiler,
                    "-std=gnu11",
                    "-O2",
                    "-w",
                    "-fPIC",
                    "-shared",
                    "-fvisibility=hidden",
                    "-fwrapv",
                    "-fno-strict-aliasing",
                    "-ffp-contract=off",
                    "-fno-math-errno",
                    "-fno-trapping-math",
                    "-ftree-vectorize",
                    "-Wl,-z,now",
                    "-Wl,--build-id=none",
                    "-s",
                    "-o",
                    library,
                    source,
                    "-lm"},
                   folder.path);
  if (status == 127)
    throw sdk::Refusal{TW_E_UNAVAILABLE,
                       4170,
                       "expected a C compiler, got '" + compiler +
                           "', which cannot be run",
                       "install one, or name it: --opt cc=/path/to/cc",
                       nullptr,
                       {}};
  if (status != 0)
    throw sdk::Refusal{TW_E_DIAGNOSED,
                       4171,
                       "'" + compiler + "' refused the generated C: " +
                           readFile(folder.path + "/log").substr(0, 2000),
                       "report it with the kernel's source",
                       nullptr,
                       {}};
  return readFile(library);
}

std::string compilerVersion(const std::string &compiler) {
  Folder folder;
  if (run({compiler, "--version"}, folder.path) != 0)
    return "";
  std::string text = readFile(folder.path + "/log");
  return text.substr(0, text.find('\n'));
}

} // namespace tilewright::template_
