//===- Driver.h - Objects of the simulator's device -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind the opaque types of plugin.h, and the tables. Device
// memory is the process's own; a launch has ended when `launch` returns.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_DRIVER_DRIVER_H
#define TILEWRIGHT_BACKENDS_SIMULATE_DRIVER_DRIVER_H

#include "backends/common/CompilerPlugin.h"
#include "backends/simulate/machine/Block.h"
#include "tilewright/sdk/Entry.h"
#include "tilewright/sdk/HostRuntime.h"

#include "tilewright/plugin.h"

#include <cstddef>
#include <memory>
#include <mutex>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace tilewright::simulate {

extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;

// The slots that live in Modules.cpp.
int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

/// The address of a symbol of a module; null with the reason in `why`.
void *findSymbol(tw_module &module, llvm::StringRef symbol, std::string &why);

/// What code for warps of so many lanes asks of a machine.
std::string compatText(unsigned warpLanes);

/// Answers that do not depend on a profile.
void answerCommon(tw_capability &question);

using host::keepInside;

/// Every tw_backend of this plugin is one.
struct Backend : tw_backend {
  std::mutex running; ///< one program at a time, whatever the stream
  Block block;
  std::vector<std::max_align_t> arguments; ///< of the launch; grows
};

/// Every tw_stream of this plugin is one.
struct Stream : tw_stream {
  explicit Stream(Backend *backend) : backend(backend) {}
  Backend *backend;
};

} // namespace tilewright::simulate

struct tw_device {
  tilewright::simulate::Backend *backend;
};

struct tw_module {
  std::unique_ptr<llvm::orc::LLJIT> code;
  ~tw_module();
};

struct tw_kernel {
  tilewright::simulate::KernelFunction function;
  uint32_t blockBytes;
  uint32_t threads;
  uint32_t warpLanes;
  uint64_t sharedBytes;
};

#endif // TILEWRIGHT_BACKENDS_SIMULATE_DRIVER_DRIVER_H
