//===- isolation_cost.cpp - What a worker costs -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile of the null plugin, which does nothing with its IR, in this process
// and in a warm worker: the difference is the crossing. Then a cold start.
//===----------------------------------------------------------------------===//
#include "plugins/loader/HostServices.h"
#include "plugins/worker/Isolation.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace tilewright;

static double nowMicroseconds() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static void compile(const plugins::Plugin &plugin, tw_backend *backend,
                    const std::string &ir) {
  tw_str entry = tw_string("kernel");
  tw_compile_request request = {};
  request.size = sizeof request;
  request.ir = {ir.data(), ir.size()};
  request.entries = &entry;
  request.entry_count = 1;
  request.target = tw_string("null:generic");
  tw_compile_response response = {};
  response.size = sizeof response;
  if (plugin.compile().compile(backend, &request, &response) != TW_OK)
    std::abort();
  response.release(response.release_ctx);
}

static void measure(const char *name, const plugins::Plugin &plugin,
                    size_t bytes) {
  plugins::HostServices services({});
  Problem problem;
  tw_backend *backend = plugin.open(services.table(), nullptr, 0, problem);
  std::string ir(bytes, 'x');
  std::vector<double> times;
  for (int i = 0; i < 2000; ++i) {
    double start = nowMicroseconds();
    compile(plugin, backend, ir);
    times.push_back(nowMicroseconds() - start);
  }
  plugin.close(backend);
  std::sort(times.begin(), times.end());
  std::printf("%-10s %8zu bytes of IR: p50 %8.2f us, p99 %8.2f us\n", name,
              bytes, times[1000], times[1980]);
}

int main() {
  Problem problem;
  auto local = plugins::loadPlugin(NULL_PLUGIN, {}, problem);
  double start = nowMicroseconds();
  auto isolated = worker::loadIsolated(NULL_PLUGIN, {}, {}, problem);
  double cold = nowMicroseconds() - start;
  if (!local || !isolated) {
    std::fprintf(stderr, "%s\n", problem.str().c_str());
    return 1;
  }
  for (size_t bytes : {4096, 65536}) {
    measure("in process", *local, bytes);
    measure("worker", *isolated, bytes);
  }
  std::printf("cold start of a worker with the null plugin: %.0f us\n", cold);
  return 0;
}
