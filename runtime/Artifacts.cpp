//===- Artifacts.cpp - Loading artifacts, finding kernels -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From file bytes to prepared kernels: read, hold against the device, load each
// payload, resolve each variant.
//===----------------------------------------------------------------------===//
#include "runtime/State.h"

#include "tilewright/plugin.h"

using namespace tilewright;
using namespace tilewright::runtime;

ArtifactState::~ArtifactState() {
  for (tw_module *module : modules)
    device->runtime.module_unload(module);
}

tw_rt_kernel::~tw_rt_kernel() {
  for (const Variant &variant : variants)
    artifact->device->launch.kernel_destroy(variant.kernel);
}

/// Refuses artifacts of another vendor or of another machine before any byte of
/// theirs is loaded.
static bool fitsDevice(const ArtifactState &state, Problem &problem) {
  const DeviceState &device = *state.device;
  auto target = plugins::parseTarget(state.content.target, problem);
  if (!target)
    return false;
  if (target->vendor != device.vendor)
    return problem.set(TW_E_PRECONDITION, 6011,
                       "expected an artifact for '" + device.vendor +
                           "', got one for '" + state.content.target + "'",
                       "compile the kernel for this device's target");
  for (const artifact::Payload &payload : state.content.payloads) {
    uint32_t grade = TW_GRADE_UNUSABLE;
    int32_t status =
        device.runtime.grade_artifact(device.device, toStr(payload.format),
                                      toStr(state.content.compat), &grade);
    if (status || grade == TW_GRADE_UNUSABLE || grade == TW_GRADE_RECOMPILE)
      return problem.set(TW_E_PRECONDITION, 6011,
                         "this device cannot run an artifact for '" +
                             state.content.target + "' (payload '" +
                             payload.format +
                             "' needs: " + state.content.compat + ")",
                         "compile the kernel again on or for this machine");
  }
  return true;
}

static bool loadModules(ArtifactState &state, Problem &problem) {
  const DeviceState &device = *state.device;
  for (artifact::Payload &payload : state.content.payloads) {
    plugins::DiagnosticText texts;
    tw_module *module = nullptr;
    int32_t status = device.runtime.module_load(
        device.device, toStr(payload.format),
        {payload.bytes.data(), payload.bytes.size()}, texts.sink(), &module);
    status = statusOf(status, module);
    if (status)
      return texts.explain(status, 6015, "the artifact cannot be loaded",
                           problem);
    state.modules.push_back(module);
    payload.bytes = {}; // the plugin has its own copy now
  }
  return true;
}

static int32_t loadArtifact(tw_rt_device *device, tw_bytes bytes,
                            tw_rt_artifact **result) {
  Problem problem;
  std::optional<artifact::Artifact> content =
      artifact::readArtifact(bytes, problem);
  if (!content)
    return fail(std::move(problem));
  auto state = std::make_shared<ArtifactState>();
  state->device = device->state;
  state->content = std::move(*content);
  if (!fitsDevice(*state, problem) || !loadModules(*state, problem))
    return fail(std::move(problem));
  *result = new tw_rt_artifact{std::move(state)};
  return TW_OK;
}

extern "C" int32_t tw_rt_artifact_load(tw_rt_device *device, tw_bytes bytes,
                                       tw_rt_artifact **artifact) {
  return guarded([&]() -> int32_t {
    if (!device || !artifact || (!bytes.data && bytes.size))
      return failNull("a device, bytes and a place for the artifact");
    return loadArtifact(device, bytes, artifact);
  });
}

extern "C" int32_t tw_rt_artifact_load_file(tw_rt_device *device, tw_str path,
                                            tw_rt_artifact **artifact) {
  return guarded([&]() -> int32_t {
    if (!device || !artifact)
      return failNull("a device and a place for the artifact");
    Problem problem;
    auto bytes = artifact::readFile(toString(path), problem);
    if (!bytes)
      return fail(std::move(problem));
    return loadArtifact(device, {bytes->data(), bytes->size()}, artifact);
  });
}

extern "C" void tw_rt_artifact_release(tw_rt_artifact *artifact) {
  delete artifact;
}

extern "C" int32_t tw_rt_artifact_manifest(tw_rt_artifact *artifact,
                                           tw_writer out) {
  return guarded([&]() -> int32_t {
    if (!artifact || !out.write)
      return failNull("an artifact and a writer");
    std::string text = artifact::manifestText(artifact->state->content);
    out.write(out.ctx, text.data(), text.size());
    return TW_OK;
  });
}

//===--- Kernels ----------------------------------------------------------===//

/// The name to look for; an empty one stands for the only kernel.
static bool chooseName(const artifact::Artifact &content, std::string &name,
                       Problem &problem) {
  std::string names;
  std::set<std::string> seen;
  for (const artifact::Kernel &kernel : content.kernels)
    if (seen.insert(kernel.name).second)
      names += (names.empty() ? "" : ", ") + kernel.name;
  if (name.empty() && seen.size() == 1)
    name = *seen.begin();
  if (seen.count(name))
    return true;
  return problem.set(TW_E_NOT_FOUND, 6010,
                     name.empty() ? "expected a kernel name, because the "
                                    "artifact holds several"
                                  : "the artifact has no kernel '" + name + "'",
                     "its kernels: " + names);
}

/// Variants take one argument block, so they must agree on its layout.
static bool haveEqualArguments(const artifact::Kernel &a,
                               const artifact::Kernel &b) {
  uint32_t count = artifact::countUserParameters(a);
  if (count != artifact::countUserParameters(b))
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (a.parameters[i].kind != b.parameters[i].kind ||
        a.parameters[i].dtype != b.parameters[i].dtype)
      return false;
  return true;
}

static bool prepareVariant(tw_rt_kernel &kernel, const artifact::Kernel &record,
                           Problem &problem) {
  ArtifactState &state = *kernel.artifact;
  artifact::RecordView view(record);
  plugins::DiagnosticText texts;
  tw_kernel *prepared = nullptr;
  int32_t status = state.device->launch.prepare(
      state.modules[record.payload], &view.record(), texts.sink(), &prepared);
  status = statusOf(status, prepared);
  if (status)
    return texts.explain(status, 6020,
                         "kernel '" + record.name + "' cannot be prepared",
                         problem);
  kernel.variants.push_back({&record, prepared});
  return true;
}

extern "C" int32_t tw_rt_kernel_find(tw_rt_artifact *artifact, tw_str text,
                                     tw_rt_kernel **result) {
  return guarded([&]() -> int32_t {
    if (!artifact || !result)
      return failNull("an artifact and a place for the kernel");
    const artifact::Artifact &content = artifact->state->content;
    Problem problem;
    std::string name = toString(text);
    if (!chooseName(content, name, problem))
      return fail(std::move(problem));
    auto kernel = std::make_unique<tw_rt_kernel>();
    kernel->artifact = artifact->state;
    for (const auto &option : content.options)
      kernel->wantsExtents |= option.first == "check";
    for (const artifact::Kernel &record : content.kernels) {
      if (record.name != name)
        continue;
      if (!kernel->variants.empty() &&
          !haveEqualArguments(*kernel->variants[0].record, record))
        return fail(TW_E_DATA_LOSS, 7106,
                    "the variants of kernel '" + name +
                        "' take different arguments",
                    "compile the kernel again");
      if (!prepareVariant(*kernel, record, problem))
        return fail(std::move(problem));
    }
    const artifact::Kernel &first = *kernel->variants[0].record;
    kernel->argumentCount = artifact::countUserParameters(first);
    kernel->blockBytes = first.userBlockBytes;
    *result = kernel.release();
    return TW_OK;
  });
}

extern "C" void tw_rt_kernel_release(tw_rt_kernel *kernel) {
  if (kernel && kernel->users.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete kernel;
}

extern "C" uint32_t tw_rt_kernel_argument_count(const tw_rt_kernel *kernel) {
  return kernel ? kernel->argumentCount : 0;
}

extern "C" int32_t tw_rt_kernel_argument(const tw_rt_kernel *kernel,
                                         uint32_t index,
                                         tw_rt_argument *argument) {
  return guarded([&]() -> int32_t {
    if (!kernel || !argument)
      return failNull("a kernel and a place for the description");
    if (index >= kernel->argumentCount)
      return fail(TW_E_OUT_OF_RANGE, 6003,
                  "expected an argument number below " +
                      std::to_string(kernel->argumentCount) + ", got " +
                      std::to_string(index));
    const artifact::Parameter &parameter =
        kernel->variants[0].record->parameters[index];
    tw_rt_argument mine = {};
    mine.name = toStr(parameter.name);
    mine.dtype = parameter.dtype;
    mine.pointer = parameter.kind == TW_PARAMETER_USER_POINTER;
    mine.offset = parameter.offset;
    mine.bytes = parameter.bytes;
    int32_t status = tw_write_struct(argument, sizeof mine, &mine);
    return status ? fail(status, 6013, "the description has no size",
                         "set size to sizeof(tw_rt_argument)")
                  : TW_OK;
  });
}

extern "C" uint32_t tw_rt_kernel_block_bytes(const tw_rt_kernel *kernel) {
  return kernel ? kernel->blockBytes : 0;
}
