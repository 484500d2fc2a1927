//===- replay.cpp - Run a fuzz target on files ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A main() for fuzz targets built without libFuzzer: runs the target on every
// file of the folders and files named, so that inputs that once failed stay in
// the ordinary test run.
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void runFile(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream stream;
  stream << in.rdbuf();
  std::string text = stream.str();
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()),
                         text.size());
}

int main(int argc, char **argv) {
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    std::filesystem::path path = argv[i];
    if (!std::filesystem::is_directory(path)) {
      runFile(path);
      ++count;
      continue;
    }
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file()) {
        runFile(entry.path());
        ++count;
      }
  }
  std::printf("%zu inputs\n", count);
  return count ? 0 : 1;
}
