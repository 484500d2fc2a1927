//===- random.cpp - Run a fuzz target on random bytes -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A main() for fuzz targets built without libFuzzer: any number of inputs that
// follow from a seed, in one process, so that ordinary plugins take thousands a
// minute. `--runs=N --seed=S --first=K`. A crash, or an input that takes a
// minute, prints the number of the run, which --first makes again.
//===----------------------------------------------------------------------===//
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile unsigned long currentRun;
static constexpr unsigned kSeconds = 60;
static constexpr size_t kLongest = 160;

/// Only what is safe in a handler.
static void report(int signal) {
  char text[96] = "run ";
  size_t at = 4;
  char digits[24];
  size_t count = 0;
  for (unsigned long run = currentRun; run || !count; run /= 10)
    digits[count++] = char('0' + run % 10);
  while (count)
    text[at++] = digits[--count];
  const char *end =
      signal == SIGALRM ? " took too long\n" : " ended the process\n";
  std::memcpy(text + at, end, std::strlen(end));
  if (write(2, text, at + std::strlen(end)) < 0)
    _exit(3);
  _exit(2);
}

static unsigned long number(int argc, char **argv, const std::string &name,
                            unsigned long fallback) {
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]).rfind(name, 0) == 0)
      return std::strtoul(argv[i] + name.size(), nullptr, 10);
  return fallback;
}

int main(int argc, char **argv) {
  unsigned long runs = number(argc, argv, "--runs=", 1000);
  unsigned long seed = number(argc, argv, "--seed=", 1);
  unsigned long first = number(argc, argv, "--first=", 0);
  LLVMFuzzerInitialize(&argc, &argv);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM})
    std::signal(signal, report);
  for (currentRun = first; currentRun < first + runs;
       currentRun = currentRun + 1) {
    std::mt19937_64 random(seed * 1000003 + currentRun);
    std::vector<uint8_t> bytes(random() % kLongest);
    for (uint8_t &byte : bytes)
      byte = uint8_t(random());
    alarm(kSeconds);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  alarm(0);
  std::printf("%lu runs\n", runs);
  std::fflush(stdout);
  // What plugins do at the end is another test's affair.
  std::quick_exit(0);
}
