//===- NpuPlugin.h - The plugin's objects and tables ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this plugin share.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_NPU_NPUPLUGIN_H
#define TILEWRIGHT_NPU_NPUPLUGIN_H

#include "CyclesInterface.h"
#include "Simulator.h"

#include "tilewright/sdk/Compile.h"
#include "tilewright/sdk/Entry.h"
#include "tilewright/sdk/HostRuntime.h"
#include "tilewright/sdk/Target.h"

namespace tilewright::npu {

constexpr const char *kArch = "v1";
constexpr const char *kBuildId = "npu 0.1";

extern const tw_compile_table compileTable;
extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;
extern const npu_cycles_interface cyclesInterface;

/// Answers what holds for device and target alike.
void answerCapabilities(tw_capability *caps, uint64_t count);

// Slots of the runtime table that concern payloads (Launch.cpp).
int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

} // namespace tilewright::npu

/// The plugin's state: whatever the host lends. Never global.
struct tw_backend {
  const tw_print_interface *printer = nullptr;
};

struct tw_device {
  tw_backend *backend;
};

namespace tilewright::npu {
/// Every tw_stream of this plugin is one; each has a core to itself.
struct Stream : tw_stream {
  Simulator core;
  Cycles last; ///< of the last launch
  const tw_print_interface *printer = nullptr;
};
} // namespace tilewright::npu

#endif // TILEWRIGHT_NPU_NPUPLUGIN_H
