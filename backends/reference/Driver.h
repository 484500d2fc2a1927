//===- Driver.h - Objects of the reference plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind the opaque types of plugin.h, and the tables. Device
// memory is the process's own; a launch has ended when `launch` returns.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_DRIVER_H
#define TILEWRIGHT_BACKENDS_REFERENCE_DRIVER_H

#include "backends/common/CompilerPlugin.h"
#include "backends/reference/interpreter/Interpreter.h"
#include "tilewright/sdk/Entry.h"
#include "tilewright/sdk/HostRuntime.h"

#include "tilewright/plugin.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <mutex>

namespace tilewright::reference {

/// Payloads are Kernel IR bytes; the compat text is their fingerprint.
constexpr llvm::StringLiteral kPayloadFormat = "kernel-ir";
/// On the module: the checks that launches make, as the option says.
constexpr llvm::StringLiteral kCheckAttr = "tw.opt.reference.check";

struct Stream;

extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;

// The slots that live in Launch.cpp.
int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

/// The buffer that starts at an address, or else one that holds it.
std::optional<Buffer> findBuffer(llvm::ArrayRef<Buffer> buffers,
                                 uint64_t address);

using host::keepInside;

/// Every tw_backend of this plugin is one.
struct Backend : tw_backend {
  std::mutex running; // one program at a time, whatever the stream

  /// A context for one more module; call with `running` held. Making one takes
  /// longer the more there are, so modules share them, some at a time.
  std::shared_ptr<mlir::MLIRContext> lendContext();

private:
  std::shared_ptr<mlir::MLIRContext> context;
  unsigned modulesOfContext = 0;
};

} // namespace tilewright::reference

struct tw_device {
  tilewright::reference::Backend *backend;
  std::mutex mutex;
  std::vector<tilewright::reference::Buffer> buffers;
  tilewright::reference::Allocations allocations;

  void addBuffer(uint64_t address, uint64_t bytes);
  void removeBuffer(uint64_t address);
  std::optional<tilewright::reference::Buffer> findBuffer(uint64_t address);
};

/// Every tw_stream of this plugin is one.
struct tilewright::reference::Stream : tw_stream {
  explicit Stream(tw_device *device) : device(device) {}
  tw_device *device;
};

struct tw_module {
  tilewright::reference::Backend *backend;
  std::shared_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> ir;
  tilewright::reference::Checks checks;
};

struct tw_kernel {
  struct Parameter {
    uint32_t offset;
    uint32_t bytes;
  };
  mlir::func::FuncOp function;
  std::vector<Parameter> parameters;
  uint32_t blockBytes;
  tilewright::reference::Checks checks;
};

#endif // TILEWRIGHT_BACKENDS_REFERENCE_DRIVER_H
