//===- Launch.cpp - Modules, prepare and launch -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs run one after the other in linear-id order, x fastest.
//===----------------------------------------------------------------------===//
#include "backends/reference/Driver.h"
#include "dialects/kernel/Serialization.h"

#include "backends/common/Report.h"

#include "tilewright/extensions.h"

#include "mlir/IR/Diagnostics.h"

#include <cstring>

using namespace mlir;

namespace tilewright::reference {

using backend::toRef;

static constexpr uint32_t kCannotLoad = 6015, kCannotPrepare = 6020;

//===--- Modules ----------------------------------------------------------===//

static int32_t refuse(const tw_sink *sink, uint32_t code,
                      const std::string &message) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(),
          "compile the kernel again with this version's reference plugin");
  return TW_E_DIAGNOSED;
}

int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  return keepInside([&] {
    if (toRef(format) != kPayloadFormat)
      return refuse(sink, kCannotLoad,
                    "expected a payload of format kernel-ir, got '" +
                        toRef(format).str() + "'");
    std::lock_guard<std::mutex> lock(device->backend->running);
    auto loaded = std::make_unique<tw_module>();
    loaded->backend = device->backend;
    loaded->context = device->backend->lendContext();
    backend::Report report(sink);
    auto handler = report.attach(loaded->context.get(), kCannotLoad);
    StringRef bytes(static_cast<const char *>(payload.data), payload.size);
    loaded->ir = kernel::readKernelIR(bytes, loaded->context.get());
    if (!loaded->ir)
      return TW_E_DIAGNOSED;
    if (auto text = (*loaded->ir)->getAttrOfType<StringAttr>(kCheckAttr))
      loaded->checks = parseChecks(text.getValue()).value_or(Checks());
    handler.reset();
    *module = loaded.release();
    return TW_OK;
  });
}

void unloadModule(tw_module *module) {
  std::lock_guard<std::mutex> lock(module->backend->running);
  delete module;
}

int32_t gradeArtifact(tw_device *, tw_str format, tw_str compat,
                      uint32_t *grade) {
  bool runs = toRef(format) == kPayloadFormat &&
              toRef(compat) == kernel::kernelIRFingerprint();
  *grade = runs ? TW_GRADE_OPTIMAL : TW_GRADE_UNUSABLE;
  return TW_OK;
}

} // namespace tilewright::reference

std::shared_ptr<MLIRContext> tilewright::reference::Backend::lendContext() {
  constexpr unsigned modulesPerContext = 64;
  if (!context || modulesOfContext == modulesPerContext) {
    context = std::make_shared<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    modulesOfContext = 0;
  }
  ++modulesOfContext;
  return context;
}

namespace tilewright::reference {

//===--- Prepare ----------------------------------------------------------===//

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  return keepInside([&]() -> int32_t {
    tw_kernel_record record;
    if (int32_t status = tw_read_struct(&record, sizeof record, given))
      return status;
    StringRef symbol = toRef(record.symbol.size ? record.symbol : record.name);
    auto function = module->ir->lookupSymbol<func::FuncOp>(symbol);
    if (!function)
      return refuse(sink, kCannotPrepare,
                    "the payload has no kernel '" + symbol.str() + "'");
    if (record.device_block_bytes != record.user_block_bytes ||
        record.derived_count || record.scratch_bytes ||
        record.scratch_formula.size ||
        record.parameter_count != function.getNumArguments())
      return refuse(sink, kCannotPrepare,
                    "kernel '" + symbol.str() +
                        "' has parameters that the reference does not make");
    auto made = std::make_unique<tw_kernel>();
    made->function = function;
    made->blockBytes = record.user_block_bytes;
    made->checks = module->checks;
    for (uint64_t i = 0; i < record.parameter_count; ++i) {
      const tw_parameter &parameter = record.parameters[i];
      if (parameter.kind > TW_PARAMETER_USER_POINTER || parameter.bytes > 8)
        return refuse(sink, kCannotPrepare,
                      "kernel '" + symbol.str() + "' has hidden parameters");
      made->parameters.push_back({parameter.offset, parameter.bytes});
    }
    *kernel = made.release();
    return TW_OK;
  });
}

static void destroyKernel(tw_kernel *kernel) { delete kernel; }

//===--- Launch -----------------------------------------------------------===//

static std::vector<uint64_t> readArguments(tw_kernel &kernel,
                                           const void *block) {
  std::vector<uint64_t> arguments;
  for (auto [i, parameter] : llvm::enumerate(kernel.parameters)) {
    uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const char *>(block) + parameter.offset,
                parameter.bytes);
    if (kernel.function.getArgument(i).getType().isInteger(1))
      bits = bits != 0;
    arguments.push_back(bits);
  }
  return arguments;
}

/// What a launch was given beside its arguments.
struct Extensions {
  std::vector<Buffer> extents;
  const tw_launch_trace *trace = nullptr;
};

/// Runs all programs; the first that fails stops the launch.
static int32_t runPrograms(Stream &stream, tw_kernel &kernel,
                           const tw_dims &dims, ArrayRef<uint64_t> arguments,
                           const Extensions &given,
                           std::unique_lock<std::mutex> &lock) {
  tw_device &device = *stream.device;
  Environment environment;
  environment.grid = {dims.x, dims.y, dims.z};
  if (const tw_print_interface *printer = device.backend->printer)
    environment.print = [printer](StringRef text) {
      printer->write(printer->ctx, text.data(), text.size());
    };
  environment.checks = kernel.checks;
  environment.allocations = &device.allocations;
  std::optional<RaceDetector> races;
  if (kernel.checks.races)
    environment.races = &races.emplace(kernel.function);
  // Other threads may need the backend for what the follower waits for.
  if (given.trace)
    environment.step = [&](const tw_trace_step &step) {
      lock.unlock();
      int32_t answer = given.trace->step(given.trace->ctx, &step);
      lock.lock();
      return answer == 0;
    };
  if (kernel.checks.bounds)
    environment.findBuffer = [&](uint64_t address) {
      std::optional<Buffer> buffer = findBuffer(given.extents, address);
      return buffer ? buffer : device.findBuffer(address);
    };
  Interpreter interpreter(kernel.function, environment);
  for (int64_t z = 0; z < dims.z; ++z)
    for (int64_t y = 0; y < dims.y; ++y)
      for (int64_t x = 0; x < dims.x; ++x)
        if (!interpreter.run(arguments, {x, y, z})) {
          const KernelError &error = interpreter.error;
          if (!error.code)
            return TW_E_CANCELLED;
          stream.error.set(error.code, error.message.c_str(),
                           error.file.c_str(), error.line);
          return TW_OK;
        }
  return TW_OK;
}

static int32_t readExtensions(const void *ext, Extensions &given) {
  for (auto *extension = static_cast<const tw_extension *>(ext); extension;
       extension = extension->next) {
    if (extension->id == TW_EXTENSION_EXTENTS &&
        extension->size >= sizeof(tw_launch_extents)) {
      auto *list = reinterpret_cast<const tw_launch_extents *>(extension);
      for (uint64_t i = 0; i < list->count; ++i)
        given.extents.push_back(
            {list->extents[i].begin,
             list->extents[i].end - list->extents[i].begin});
    } else if (extension->id == TW_EXTENSION_TRACE &&
               extension->size >= sizeof(tw_launch_trace)) {
      given.trace = reinterpret_cast<const tw_launch_trace *>(extension);
    } else if (extension->flags & TW_EXTENSION_MUST_UNDERSTAND) {
      return TW_E_UNKNOWN_FIELD;
    }
  }
  return TW_OK;
}

static int32_t launch(tw_stream *given, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  return keepInside([&]() -> int32_t {
    auto *stream = static_cast<Stream *>(given);
    if (argsSize != kernel->blockBytes)
      return TW_E_INVALID_ARGUMENT;
    Extensions given;
    if (int32_t status = readExtensions(ext, given))
      return status;
    if (host::countPrograms(*dims) < 0)
      return TW_E_OUT_OF_RANGE;
    std::unique_lock<std::mutex> lock(stream->device->backend->running);
    if (stream->error.isSet())
      return TW_E_DEVICE_ERROR;
    return runPrograms(*stream, *kernel, *dims, readArguments(*kernel, args),
                       given, lock);
  });
}

/// There is one block: the interpreter reads the user's.
static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *, const void *args,
                          uint32_t argsSize, void *device, uint32_t capacity,
                          uint32_t *written) {
  return host::encodeBlock(args, argsSize, kernel->blockBytes, device, capacity,
                           written);
}

const tw_launch_table launchTable = {
    sizeof(tw_launch_table),  0, prepare, destroyKernel, launch, encodeArgs,
    /*kernel_native=*/nullptr};

} // namespace tilewright::reference
