//===- main.cpp - tw-simt-conversions [COUNT [FIRST SEED]] ----------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs random conversions on the OpenCL driver; exits with 77 where there is no
// device, which ctest reports as skipped.
//===----------------------------------------------------------------------===//
#include "ConversionBatch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  unsigned count = argc > 1 ? std::atoi(argv[1]) : 200;
  unsigned first = argc > 2 ? std::atoi(argv[2]) : 0;
  std::string why;
  auto device = tilewright::simt::test::openDevice(why);
  if (!device) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  constexpr unsigned batch = 50;
  for (unsigned done = 0; done < count; done += batch) {
    std::string fault =
        device->run(first + done, std::min(batch, count - done));
    if (!fault.empty()) {
      std::printf("failed: %s\n", fault.c_str());
      return 1;
    }
  }
  std::printf("%u random conversions are exact on %s\n", count,
              device->name().c_str());
  return 0;
}
