//===- Replay.cpp - A saved compile request, run again -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The request goes to the plugin as it was: no source, no frontend.
//===----------------------------------------------------------------------===//

#include "frontend/driver/CompileSession.h"
#include "plugins/loader/DiagnosticText.h"
#include "plugins/worker/Reproducer.h"

#include "tilewright/plugin.h"

namespace tilewright::driver {

/// "format ptx, 1234 bytes; kernels: add, add".
static std::string summarize(const tw_compile_response &response) {
  std::string text = "format " + toString(response.format) + ", " +
                     std::to_string(response.payload.size) + " bytes; kernels:";
  for (uint64_t i = 0; i < response.kernel_count; ++i)
    text += (i ? ", " : " ") + toString(response.kernels[i]->name);
  text += "\n";
  for (uint64_t i = 0; i < response.stage_count; ++i)
    text += toString(response.stages[i].text);
  return text;
}

int32_t replayRequest(const Backends &backends, std::string bytes,
                      std::string path, const tw_sink *sink,
                      std::string &text) {
  Problem problem;
  auto report = [&] {
    tw_emit(sink, TW_SEVERITY_ERROR, problem.code, problem.message.c_str(),
            problem.hint.c_str());
    return TW_E_DIAGNOSED;
  };
  auto saved = worker::Reproducer::read(std::move(bytes), problem);
  if (!saved)
    return report();
  std::string target = toString(saved->request.target);
  auto plugin = backends.load(path.empty() ? saved->pluginPath : path,
                              target.substr(0, target.find(':')), {}, problem);
  if (!plugin)
    return report();
  plugins::HostServices services({});
  tw_backend *backend = plugin->open(services.table(), saved->options,
                                     saved->optionCount, problem);
  if (!backend)
    return report();
  tw_compile_request request = saved->request;
  request.sink = sink;
  tw_compile_response response = {};
  response.size = sizeof response;
  int32_t status = plugin->compile().compile(backend, &request, &response);
  if (status == TW_OK) {
    text = summarize(response);
    if (response.release)
      response.release(response.release_ctx);
  } else if (status != TW_E_DIAGNOSED) {
    problem.set(status, 4000,
                "the plugin refused the request (status " +
                    std::to_string(status) + ")");
    report();
  }
  plugin->close(backend);
  return status;
}

} // namespace tilewright::driver
