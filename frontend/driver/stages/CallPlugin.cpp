//===- CallPlugin.cpp - Kernel IR to an artifact -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the bytes, makes the request to the plugin, and wraps what comes back.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Serialization.h"
#include "dialects/kernel/portable/Portable.h"
#include "frontend/driver/stages/Compilation.h"
#include "frontend/driver/stages/HostOptions.h"
#include "frontend/driver/stages/Records.h"
#include "plugins/loader/StatusText.h"
#include "plugins/loader/Utf8.h"
#include "plugins/worker/Reproducer.h"
#include "plugins/worker/Response.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace tilewright::driver {

bool Compilation::serialize() {
  StageTimer timer(output, "serialize");
  const tw_option *option = findOption("ir");
  std::string wanted = option ? toString(option->text) : "";
  Problem problem;
  if (!chooseIRForm(*backend, output.target, wanted, form, problem)) {
    fail(problem.code, problem.message, problem.hint);
    return false;
  }
  return succeeded(form.isPortable
                       ? kernel::writePortableIR(*ir, form.version, bytes)
                       : kernel::writeKernelIR(*ir, bytes));
}

std::vector<tw_option> Compilation::pluginOptions() const {
  std::vector<tw_option> options;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (!isOneOf(hostOptions, input.options[i]))
      options.push_back(input.options[i]);
  for (tw_option &option : options)
    if (tw_str_equal(option.key, tw_string("disable")) &&
        option.kind == TW_VALUE_TEXT)
      option.text = toStr(disabled.others);
  llvm::erase_if(options, [](const tw_option &option) {
    return tw_str_equal(option.key, tw_string("disable")) &&
           option.kind == TW_VALUE_TEXT && option.text.size == 0;
  });
  return options;
}

namespace {
/// What a request says of a module; owns the texts.
struct Inventory {
  explicit Inventory(ModuleOp module) {
    for (func::FuncOp kernel : kernelsOf(module))
      kernels.push_back(kernel.getName().str());
    module->walk(
        [&](Operation *op) { ++counts[op->getName().getStringRef().str()]; });
    for (const std::string &name : kernels)
      entries.push_back(toStr(name));
    for (const auto &[name, count] : counts)
      ops.push_back({toStr(name), 1, count});
  }

  std::vector<tw_str> entries;
  std::vector<tw_op_use> ops;

private:
  std::vector<std::string> kernels;
  std::map<std::string, uint32_t> counts;
};
} // namespace

std::vector<tw_str> Compilation::pluginStages() const {
  std::vector<tw_str> stages;
  for (uint64_t i = 0; i < input.stage_count; ++i)
    if (std::find(std::begin(hostStages), std::end(hostStages),
                  toString(input.stages[i])) == std::end(hostStages))
      stages.push_back(input.stages[i]);
  return stages;
}

artifact::Artifact Compilation::emptyArtifact() const {
  artifact::Artifact result;
  result.signature = toString(input.signature);
  result.target = output.target;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (!isOneOf(silentOptions, input.options[i]))
      result.options.emplace_back(toString(input.options[i].key),
                                  optionValue(input.options[i]));
  return result;
}

static const char *askTheVendor =
    "report it to the plugin's vendor; 'tilewright plugin-check' examines the "
    "plugin";

/// What of a plugin's part of an artifact is no text, or "". Such a one would
/// come back from the file as another one, or end a message early.
static const char *textThatIsNone(const artifact::Artifact &result) {
  using plugins::isText;
  if (!isText(result.target) || !isText(result.fingerprint))
    return isText(result.target) ? "fingerprint" : "target";
  if (!isText(result.compat))
    return "compat";
  for (const artifact::Payload &payload : result.payloads)
    if (!isText(payload.format))
      return "format";
  for (const auto &[name, version] : result.tools)
    if (!isText(name) || !isText(version))
      return "tools";
  for (const artifact::Kernel &kernel : result.kernels) {
    if (!isText(kernel.name) || !isText(kernel.symbol))
      return "name of a kernel";
    for (const artifact::Parameter &parameter : kernel.parameters)
      if (!isText(parameter.name))
        return "name of a parameter";
  }
  return "";
}

void Compilation::failResponse(const std::string &why) {
  fail(5027,
       "the plugin '" + backend->plugin->path() +
           "' gave a response that cannot be used: " + why,
       askTheVendor);
}

/// Notes what took part and makes the file.
void Compilation::write(artifact::Artifact result) {
  Problem problem;
  result.fingerprint = backends.fingerprintOf(*backend, problem);
  if (problem)
    return fail(problem.code, problem.message, problem.hint);
  if (std::string what = textThatIsNone(result); !what.empty())
    return failResponse("expected UTF-8 without control characters as " + what);
  if (overrides)
    for (const UsedOverride &used : overrides->used()) {
      result.tools.emplace_back("override " + used.op, used.text);
      result.fingerprint += "\noverride " + used.op + " " + used.text;
    }
  artifact::Bytes file = artifact::writeArtifact(result);
  output.artifact.assign(file.begin(), file.end());
}

void Compilation::wrap(const tw_compile_response &response) {
  StageTimer timer(output, "wrap");
  // A compile that stopped early has stages only.
  if (!response.payload.size && !response.stage_count)
    return failResponse("it has no code");
  artifact::Artifact result = emptyArtifact();
  result.compat = toString(response.compat);
  for (uint64_t i = 0; i < response.tool_count; ++i)
    result.tools.emplace_back(toString(response.tools[i].key),
                              toString(response.tools[i].text));
  for (uint64_t i = 0; i < response.kernel_count; ++i)
    result.kernels.push_back(
        artifact::Kernel::fromRecord(*response.kernels[i]));
  auto *payload = static_cast<const uint8_t *>(response.payload.data);
  result.payloads.push_back(
      {toString(response.format), {payload, payload + response.payload.size}});
  for (const artifact::Kernel &entry : result.kernels) {
    Problem problem;
    if (!artifact::validateKernel(entry, problem))
      return failResponse(problem.message);
  }
  if (response.payload.size) {
    if (std::string why = whyNotRecordsOf(*ir, result.kernels); !why.empty())
      return failResponse(why);
    write(std::move(result));
  }
  std::string steps = "[]";
  for (uint64_t i = 0; i < response.stage_count; ++i) {
    StageText stage = {toString(response.stages[i].name),
                       toString(response.stages[i].text)};
    if (stage.name != "steps")
      output.stages.push_back(std::move(stage));
    else
      steps = std::move(stage.text);
  }
  if (wants("steps"))
    keep("steps", withHostSteps(steps));
  PluginDiagnostics diagnostics(output);
  for (uint64_t i = 0; i < response.remark_count; ++i)
    diagnostics.take(*response.remarks[i]);
  diagnostics.flush();
}

int32_t Compilation::callPlugin() {
  Inventory inventory(*ir);
  std::vector<tw_option> options = pluginOptions();
  std::vector<tw_str> stages = pluginStages();
  PluginDiagnostics diagnostics(output);
  tw_compile_request request = {};
  request.size = sizeof request;
  request.ir_format = toStr(form.format);
  request.ir_version = form.version;
  request.ir = {bytes.data(), bytes.size()};
  request.entries = inventory.entries.data();
  request.entry_count = inventory.entries.size();
  request.ops = inventory.ops.data();
  request.op_count = inventory.ops.size();
  request.target = toStr(output.target);
  request.options = options.data();
  request.option_count = options.size();
  request.stages = stages.data();
  request.stage_count = stages.size();
  if (overrides) {
    request.libraries = overrides->libraries().data();
    request.library_count = overrides->libraries().size();
  }
  request.sink = &diagnostics.sink();
  request.cancelled = input.cancelled;
  request.cancel_ctx = input.cancel_ctx;
  if (wants("request")) {
    const std::vector<tw_option> &opened = backends.openOptions().list();
    keep("request",
         worker::Reproducer::write(backend->plugin->path(), opened.data(),
                                   opened.size(), request));
  }
  return isLast("request") ? TW_OK : callPlugin(request, diagnostics);
}

int32_t Compilation::callPlugin(const tw_compile_request &request,
                                PluginDiagnostics &diagnostics) {
  tw_compile_response response = {};
  response.size = sizeof response;
  int32_t status;
  {
    StageTimer timer(output, "backend");
    status = backend->plugin->compile().compile(backend->handle, &request,
                                                &response);
  }
  diagnostics.flush();
  if (status != TW_OK) {
    if (!output.sink.hasErrors() && status != TW_E_CANCELLED)
      fail(4000,
           "the plugin '" + backend->plugin->path() + "' gave no reason (" +
               plugins::statusText(status) + ")",
           "statuses are in base.h of the interface");
    return status;
  }
  Problem problem;
  if (!worker::checkResponse(response, backend->plugin->path(), problem))
    fail(problem.code, problem.message, problem.hint);
  else
    wrap(response);
  if (response.release)
    response.release(response.release_ctx);
  return TW_OK;
}

} // namespace tilewright::driver
