//===- Context.cpp - Contexts and devices -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context owns the plugins it has opened; devices are opened once.
//===----------------------------------------------------------------------===//
#include "runtime/State.h"

#include "plugins/loader/Utf8.h"

#include <algorithm>

namespace tilewright::runtime {

OwnedOptions::OwnedOptions(const tw_option *options, uint64_t count) {
  texts.reserve(2 * count);
  for (uint64_t i = 0; i < count; ++i) {
    tw_option option = options[i];
    texts.push_back(toString(option.key));
    option.key = toStr(texts.back());
    texts.push_back(toString(option.text));
    option.text = toStr(texts.back());
    table.push_back(option);
  }
}

ContextState::ContextState(plugins::HostCallbacks callbacks,
                           const plugins::SearchPlaces &places,
                           OwnedOptions given)
    : services(std::move(callbacks)), options(std::move(given)),
      registry(places) {}

ContextState::~ContextState() {
  for (auto &[vendor, open] : backends)
    open.plugin->close(open.backend);
}

/// The opened plugin of a vendor that can run kernels, or nullptr; called with
/// the mutex held.
OpenBackend *ContextState::backendFor(const std::string &vendor,
                                      Problem &problem) {
  auto found = backends.find(vendor);
  if (found != backends.end())
    return &found->second;
  const plugins::Plugin *plugin =
      registry.find(vendor, TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH, problem);
  if (!plugin)
    return nullptr;
  tw_backend *backend = plugin->open(services.table(), options.table.data(),
                                     options.table.size(), problem);
  if (!backend)
    return nullptr;
  OpenBackend &open = backends[vendor];
  open.plugin = plugin;
  open.backend = backend;
  return &open;
}

std::shared_ptr<DeviceState>
ContextState::openDevice(const plugins::Target &target, Problem &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  OpenBackend *open = backendFor(target.vendor, problem);
  if (!open)
    return nullptr;
  uint32_t ordinal = target.device.value_or(0);
  if (std::shared_ptr<DeviceState> device = open->devices[ordinal].lock())
    return device;
  const tw_runtime_table &runtime = open->plugin->runtime();
  plugins::DiagnosticText texts;
  tw_device *device = nullptr;
  int32_t status =
      runtime.device_open(open->backend, ordinal, texts.sink(), &device);
  status = statusOf(status, device);
  if (status != TW_OK) {
    texts.explain(status, 6001, "cannot open device '" + target.str() + "'",
                  problem);
    return nullptr;
  }
  auto state =
      std::make_shared<DeviceState>(shared_from_this(), *open->plugin, device);
  open->devices[ordinal] = state;
  return state;
}

bool ContextState::countDevices(const plugins::Target &target, uint32_t &count,
                                Problem &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  OpenBackend *open = backendFor(target.vendor, problem);
  if (!open)
    return false;
  int32_t status = open->plugin->runtime().device_count(open->backend, &count);
  return status == TW_OK ||
         problem.set(status, 6001,
                     "cannot count the devices of '" + target.vendor + "'");
}

void DeviceState::beginGeneration() {
  static std::atomic<uint64_t> last{0};
  generation.store(++last, std::memory_order_release);
}

void DeviceState::addBuffer(uint64_t address, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  buffers.emplace(address, bytes);
  largest = std::max(largest, bytes);
  beginGeneration();
}

void DeviceState::removeBuffer(uint64_t address, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [it, end] = buffers.equal_range(address); it != end; ++it)
    if (it->second == bytes) {
      buffers.erase(it);
      beginGeneration();
      return;
    }
}

Extent DeviceState::findBuffer(uint64_t address) {
  struct Answer {
    uint64_t generation, address;
    Extent extent;
  };
  constexpr uint64_t count = 64;
  static thread_local Answer answers[count] = {};
  Answer &answer = answers[(address >> 8 ^ address >> 16) % count];
  // 0: the device has no buffer yet.
  uint64_t now = generation.load(std::memory_order_acquire);
  if (now && answer.generation == now && answer.address == address)
    return answer.extent;
  std::lock_guard<std::mutex> lock(mutex);
  answer = {generation.load(std::memory_order_relaxed), address,
            searchBuffers(address)};
  return answer.extent;
}

Extent DeviceState::searchBuffers(uint64_t address) const {
  Extent found;
  // Wrapped memory may overlap: which buffer is meant is not known, so all of
  // them count. A pointer just past a buffer's end belongs to it unless it is
  // inside another.
  auto it = buffers.upper_bound(address);
  while (it != buffers.begin() && (--it)->first + largest >= address) {
    uint64_t end = it->first + it->second;
    if (address > end || (address == end && found.known))
      continue;
    found.begin = it->first;
    found.end = std::max(found.end, end);
    found.known = true;
  }
  return found;
}

static std::vector<std::string> toStrings(const tw_str *texts, uint64_t count) {
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < count; ++i)
    strings.push_back(toString(texts[i]));
  return strings;
}

static plugins::HostCallbacks makeCallbacks(const tw_rt_config &config) {
  plugins::HostCallbacks callbacks;
  if (config.print.write)
    callbacks.print = [print = config.print](std::string_view text) {
      print.write(print.ctx, text.data(), text.size());
    };
  return callbacks;
}

} // namespace tilewright::runtime

using namespace tilewright;
using namespace tilewright::runtime;

extern "C" int32_t tw_rt_context_create(const tw_rt_config *given,
                                        tw_rt_context **context) {
  return guarded([&]() -> int32_t {
    if (!context)
      return failNull("a place for the context");
    tw_rt_config config = {};
    int32_t status =
        given ? tw_read_struct(&config, sizeof config, given) : TW_OK;
    if (status)
      return fail(status, 6013,
                  "the configuration has an unknown field or no "
                  "size",
                  "set size to sizeof(tw_rt_config) and the rest to zero");
    plugins::SearchPlaces places;
    places.pluginPaths =
        toStrings(config.plugin_paths, config.plugin_path_count);
    places.searchFolders =
        toStrings(config.search_folders, config.search_folder_count);
    *context = new tw_rt_context{std::make_shared<ContextState>(
        makeCallbacks(config), places,
        OwnedOptions(config.options, config.option_count))};
    return TW_OK;
  });
}

extern "C" void tw_rt_context_release(tw_rt_context *context) {
  delete context;
}

extern "C" int32_t tw_rt_plugin_report(tw_rt_context *context, tw_writer out) {
  return guarded([&]() -> int32_t {
    if (!context || !out.write)
      return failNull("a context and a writer");
    std::string text = context->state->plugins().reportText();
    out.write(out.ctx, text.data(), text.size());
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_device_count(tw_rt_context *context, tw_str target,
                                      uint32_t *count) {
  return guarded([&]() -> int32_t {
    if (!context || !count)
      return failNull("a context and a place for the count");
    Problem problem;
    auto parsed = plugins::parseTarget(toString(target), problem);
    if (!parsed || !context->state->countDevices(*parsed, *count, problem))
      return fail(problem);
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_device_open(tw_rt_context *context, tw_str target,
                                     tw_rt_device **device) {
  return guarded([&]() -> int32_t {
    if (!context || !device)
      return failNull("a context and a place for the device");
    Problem problem;
    auto parsed = plugins::parseTarget(toString(target), problem);
    if (!parsed)
      return fail(problem);
    std::shared_ptr<DeviceState> state =
        context->state->openDevice(*parsed, problem);
    if (!state)
      return fail(problem);
    *device = new tw_rt_device{std::move(state)};
    return TW_OK;
  });
}

extern "C" void tw_rt_device_release(tw_rt_device *device) { delete device; }

extern "C" int32_t tw_rt_device_name(tw_rt_device *device, tw_writer out) {
  return guarded([&]() -> int32_t {
    if (!device || !out.write)
      return failNull("a device and a writer");
    DeviceState &state = *device->state;
    std::string name;
    if (int32_t status =
            state.runtime.device_name(state.device, writerTo(name)))
      return failFromDevice(status, "device name");
    name = plugins::readable(toStr(name));
    out.write(out.ctx, name.data(), name.size());
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_device_capability(tw_rt_device *device, uint32_t id,
                                           uint32_t *answer, int64_t *value,
                                           tw_str *text) {
  return guarded([&]() -> int32_t {
    if (!device || !answer)
      return failNull("a device and a place for the answer");
    DeviceState &state = *device->state;
    tw_capability cap = {};
    cap.id = id;
    int32_t status = state.runtime.get_caps(state.device, &cap, 1);
    if (status)
      return failFromDevice(status, "capability query");
    *answer = cap.answer;
    if (value)
      *value = cap.value;
    if (text)
      *text = cap.text;
    return TW_OK;
  });
}
