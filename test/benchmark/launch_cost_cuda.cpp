//===- launch_cost_cuda.cpp - A launch on a GPU against the driver's own call
//-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     launch-cost-cuda kernel.twa kernel.ptx SYMBOL PARAMETER_BYTES
//
// Host nanoseconds of a launch of one program of a kernel that does nothing,
// through cuLaunchKernel on the PTX and through the runtime on the artifact of
// the same kernel. Rounds of 500 launches alternate; the queue is drained
// between them, outside the measured time. Prints one line of JSON.
//===----------------------------------------------------------------------===//
#include "tilewright/runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <iterator>

using namespace tilewright;

namespace {
constexpr int launches = 500, rounds = 60;

/// The few functions of the driver that a direct launch takes.
struct Cuda {
  int (*init)(unsigned);
  int (*deviceGet)(int *, int);
  int (*retain)(void **, int);
  int (*setCurrent)(void *);
  int (*moduleLoad)(void **, const void *);
  int (*getFunction)(void **, void *, const char *);
  int (*streamCreate)(void **, unsigned);
  int (*streamSynchronize)(void *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                unsigned, unsigned, void *, void **, void **);

  Cuda() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    auto find = [&](auto &function, const char *name) {
      *reinterpret_cast<void **>(&function) =
          library ? dlsym(library, name) : nullptr;
      if (!function) {
        std::fprintf(stderr, "no %s: is there an NVIDIA driver?\n", name);
        std::exit(2);
      }
    };
    find(init, "cuInit");
    find(deviceGet, "cuDeviceGet");
    find(retain, "cuDevicePrimaryCtxRetain");
    find(setCurrent, "cuCtxSetCurrent");
    find(moduleLoad, "cuModuleLoadData");
    find(getFunction, "cuModuleGetFunction");
    find(streamCreate, "cuStreamCreate");
    find(streamSynchronize, "cuStreamSynchronize");
    find(launch, "cuLaunchKernel");
  }
};

void require(int status, const char *what) {
  if (status == 0)
    return;
  std::fprintf(stderr, "%s: CUDA error %d\n", what, status);
  std::exit(1);
}

/// One way to launch.
struct Way {
  const char *name;
  std::function<void()> launch;
  std::vector<double> nanoseconds; // of a launch, by round
};

void measure(std::vector<Way> &ways, const std::function<void()> &drain) {
  using Clock = std::chrono::steady_clock;
  for (int round = 0; round < rounds; ++round)
    for (Way &way : ways) {
      Clock::time_point start = Clock::now();
      for (int i = 0; i < launches; ++i)
        way.launch();
      std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
      way.nanoseconds.push_back(elapsed.count() / launches);
      drain();
    }
}

double median(std::vector<double> &values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::string readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The kernel's PTX, loaded without us.
struct DirectKernel {
  Cuda cuda;
  void *function = nullptr, *stream = nullptr;
  std::vector<char> parameters;
  size_t parameterBytes;
  void *extra[5];

  DirectKernel(const std::string &ptx, const char *symbol, size_t bytes)
      : parameters(bytes), parameterBytes(bytes),
        extra{reinterpret_cast<void *>(1), parameters.data(),
              reinterpret_cast<void *>(2), &parameterBytes, nullptr} {
    int device = 0;
    void *context = nullptr, *module = nullptr;
    require(cuda.init(0), "cuInit");
    require(cuda.deviceGet(&device, 0), "cuDeviceGet");
    require(cuda.retain(&context, device), "cuDevicePrimaryCtxRetain");
    require(cuda.setCurrent(context), "cuCtxSetCurrent");
    require(cuda.moduleLoad(&module, ptx.c_str()), "cuModuleLoadData");
    require(cuda.getFunction(&function, module, symbol), "cuModuleGetFunction");
    require(cuda.streamCreate(&stream, 1), "cuStreamCreate");
  }
  void launch() {
    cuda.launch(function, 1, 1, 1, 128, 1, 1, 0, stream, nullptr, extra);
  }
};

/// The same kernel through the runtime. Pointers are those of buffers, so that
/// facts about them can be checked in a packed block, too; numbers are 16.
struct RuntimeKernel {
  Context context;
  Device device;
  Kernel kernel;
  Stream stream;
  std::vector<Buffer> buffers;
  std::vector<tw_rt_value> values;
  std::vector<char> block;
  tw_rt_grid grid = {1, 1, 1};
  tw_rt_call *call = nullptr;

  RuntimeKernel(const std::string &artifact, void *native)
      : device(context.open("nvidia")),
        kernel(device.loadBytes(artifact.data(), artifact.size()).kernel()),
        stream(device.wrapStream(reinterpret_cast<uint64_t>(native))),
        block(kernel.blockBytes()) {
    for (const Argument &argument : kernel.arguments()) {
      if (argument.isPointer)
        buffers.push_back(device.allocate(256));
      uint64_t number = argument.isPointer ? buffers.back().address() : 16;
      values.push_back(argument.isPointer ? Value::address(number, 256).value
                                          : Value(int(number)).value);
      std::copy_n(reinterpret_cast<const char *>(&number), argument.bytes,
                  block.data() + argument.offset);
    }
    detail::check(tw_rt_call_create(kernel.get(), &grid, values.data(),
                                    values.size(), &call));
  }
  ~RuntimeKernel() { tw_rt_call_release(call); }
};
} // namespace

/// The comparison; prints it.
static int run(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s kernel.twa kernel.ptx SYMBOL BYTES\n",
                 argv[0]);
    return 2;
  }
  DirectKernel direct(readFile(argv[2]), argv[3], size_t(std::atoi(argv[4])));
  RuntimeKernel ours(readFile(argv[1]), direct.stream);
  tw_rt_stream *stream = ours.stream.get();
  std::vector<Way> ways(4);
  ways[0] = {"direct", [&] { direct.launch(); }, {}};
  ways[1] = {
      "call", [&] { detail::check(tw_rt_call_launch(stream, ours.call)); }, {}};
  ways[2] = {"packed",
             [&] {
               ours.kernel.launchPacked(ours.stream, Grid(1), ours.block.data(),
                                        ours.block.size());
             },
             {}};
  ways[3] = {"values",
             [&] {
               detail::check(tw_rt_launch(stream, ours.kernel.get(), &ours.grid,
                                          ours.values.data(),
                                          ours.values.size()));
             },
             {}};
  measure(ways, [&] { direct.cuda.streamSynchronize(direct.stream); });
  double base = median(ways[0].nanoseconds);
  std::printf("{\"direct\": %.1f", base);
  for (size_t i = 1; i < ways.size(); ++i)
    std::printf(", \"%s_over_direct\": %.1f", ways[i].name,
                median(ways[i].nanoseconds) - base);
  std::printf("}\n");
  return 0;
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
