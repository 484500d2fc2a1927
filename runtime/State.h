//===- State.h - What the handles of the C interface hold -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles are small structures around shared states, so that they may be
// released in any order: kernel -> artifact -> device -> context.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_STATE_H
#define TILEWRIGHT_RUNTIME_STATE_H

#include "plugins/loader/DiagnosticText.h"
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "plugins/loader/Target.h"
#include "runtime/Errors.h"
#include "runtime/Facts.h"
#include "runtime/artifact/Artifact.h"
#include "tilewright/runtime.h"

#include <atomic>
#include <map>
#include <memory>

namespace tilewright::runtime {

class DeviceState;

/// Options that outlive the call that gave them.
struct OwnedOptions {
  OwnedOptions(const tw_option *options, uint64_t count);
  std::vector<std::string> texts; // key, text, key, text, ...
  std::vector<tw_option> table;
};

/// One plugin, opened.
struct OpenBackend {
  const plugins::Plugin *plugin = nullptr;
  tw_backend *backend = nullptr;
  std::map<uint32_t, std::weak_ptr<DeviceState>> devices;
};

class ContextState : public std::enable_shared_from_this<ContextState> {
public:
  ContextState(plugins::HostCallbacks callbacks,
               const plugins::SearchPlaces &places, OwnedOptions options);
  ~ContextState();

  /// The device of a target; opened once for all its handles.
  std::shared_ptr<DeviceState> openDevice(const plugins::Target &target,
                                          Problem &problem);
  bool countDevices(const plugins::Target &target, uint32_t &count,
                    Problem &problem);
  plugins::Registry &plugins() { return registry; }

private:
  OpenBackend *backendFor(const std::string &vendor, Problem &problem);

  plugins::HostServices services;
  OwnedOptions options;
  plugins::Registry registry;
  std::mutex mutex;
  std::map<std::string, OpenBackend> backends; // by vendor
};

class DeviceState {
public:
  DeviceState(std::shared_ptr<ContextState> context,
              const plugins::Plugin &plugin, tw_device *device)
      : runtime(plugin.runtime()), launch(plugin.launch()), device(device),
        vendor(plugin.info().vendor), context(std::move(context)) {}
  ~DeviceState() { runtime.device_close(device); }

  void addBuffer(uint64_t address, uint64_t bytes);
  void removeBuffer(uint64_t address, uint64_t bytes);
  /// The buffer that holds `address`; unknown if there is none. Remembers what
  /// the thread asked lately: launches ask for the same addresses.
  Extent findBuffer(uint64_t address);

  const tw_runtime_table &runtime;
  const tw_launch_table &launch;
  tw_device *const device;
  const std::string vendor;

private:
  std::shared_ptr<ContextState> context;
  void beginGeneration();
  Extent searchBuffers(uint64_t address) const;

  std::mutex mutex;
  std::multimap<uint64_t, uint64_t> buffers; // address -> bytes
  uint64_t largest = 0; // bytes of the largest buffer so far
  // Of `buffers`: a new number, unlike any other device's, after each change.
  std::atomic<uint64_t> generation{0};
};

/// A loaded artifact: one module for each payload.
struct ArtifactState {
  ~ArtifactState();
  std::shared_ptr<DeviceState> device;
  artifact::Artifact content;
  std::vector<tw_module *> modules;
};

/// One way to run a kernel.
struct Variant {
  const artifact::Kernel *record = nullptr;
  tw_kernel *kernel = nullptr;
};

} // namespace tilewright::runtime

struct tw_rt_context {
  std::shared_ptr<tilewright::runtime::ContextState> state;
};
struct tw_rt_device {
  std::shared_ptr<tilewright::runtime::DeviceState> state;
};
struct tw_rt_buffer {
  std::shared_ptr<tilewright::runtime::DeviceState> device;
  uint64_t address;
  uint64_t bytes;
  bool imported;
};
struct tw_rt_stream {
  std::shared_ptr<tilewright::runtime::DeviceState> device;
  tw_stream *stream;
};
struct tw_rt_event {
  std::shared_ptr<tilewright::runtime::DeviceState> device;
  tw_event *event;
};
struct tw_rt_artifact {
  std::shared_ptr<tilewright::runtime::ArtifactState> state;
};
struct tw_rt_kernel {
  ~tw_rt_kernel();
  std::shared_ptr<tilewright::runtime::ArtifactState> artifact;
  std::vector<tilewright::runtime::Variant> variants; // preferred first
  uint32_t argumentCount; // user parameters of every variant
  uint32_t blockBytes;
  bool wantsExtents = false;      // compiled with option `check`
  std::atomic<uint32_t> users{1}; // the handle and its calls
};
struct tw_rt_call {
  tw_rt_kernel *kernel = nullptr; // counted in its `users`
  const tilewright::runtime::Variant *variant = nullptr;
  tw_rt_grid grid = {};
  std::vector<char> block;
  std::vector<tw_rt_value> values; // for extents only
};

#endif // TILEWRIGHT_RUNTIME_STATE_H
