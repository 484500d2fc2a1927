//===- Prepare.cpp - From a kernel record to a frozen launch ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves the function, its attributes and the argument layout once, checks
// them against the device and forces the code to be loaded.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Driver.h"

#include "tilewright/expression.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <set>

namespace tilewright::gpu {

static int32_t refuse(const tw_sink *sink, const std::string &what,
                      const char *hint) {
  emitError(sink, 6020, what, hint);
  return TW_E_DIAGNOSED;
}

static std::string toString(tw_bytes bytes) {
  return std::string(static_cast<const char *>(bytes.data), bytes.size);
}

static std::string thisPlugin() {
  return std::string("compile it with this version's ") + vendor.title +
         " plugin";
}

/// Kernel names outlive kernels: a stream may name one in a late error.
static const char *keepName(const std::string &name) {
  static std::mutex mutex;
  static std::set<std::string> names;
  std::lock_guard<std::mutex> lock(mutex);
  return names.insert(name).first->c_str();
}

static HiddenValue readDerived(const tw_kernel_record &record,
                               const tw_parameter &parameter) {
  const tw_derived &derived = record.derived[parameter.source];
  HiddenValue value;
  value.kind = derived.kind == TW_DERIVED_TENSOR_MAP ? HiddenValue::TensorMap
                                                     : HiddenValue::Scalar;
  value.dtype = derived.dtype;
  for (uint64_t i = 0; i < derived.expression_count; ++i)
    value.expressions.push_back(toString(derived.expressions[i]));
  value.attributes.assign(derived.attributes,
                          derived.attributes + derived.attribute_count);
  return value;
}

/// Neighbouring arguments become one copy: most kernels have a single one.
static void addCopy(tw_kernel &kernel, const tw_parameter &parameter) {
  if (!kernel.copies.empty()) {
    CopiedBytes &last = kernel.copies.back();
    if (parameter.offset - last.from == parameter.device_offset - last.to &&
        parameter.offset >= last.from + last.bytes) {
      last.bytes = parameter.offset + parameter.bytes - last.from;
      return;
    }
  }
  kernel.copies.push_back(
      {parameter.offset, parameter.device_offset, parameter.bytes});
}

/// Sorts one parameter into copies and hidden values; false for a kind that
/// this driver does not know.
static bool addParameter(tw_kernel &kernel, const tw_kernel_record &record,
                         const tw_parameter &parameter) {
  HiddenValue value;
  switch (parameter.kind) {
  case TW_PARAMETER_USER_SCALAR:
  case TW_PARAMETER_USER_POINTER:
    kernel.arguments.push_back(
        {parameter.offset, parameter.kind == TW_PARAMETER_USER_POINTER
                               ? uint32_t(TW_DTYPE_U64)
                               : parameter.dtype});
    if (parameter.bytes)
      addCopy(kernel, parameter);
    return true;
  case TW_PARAMETER_HIDDEN_GRID:
    value.kind = HiddenValue::Programs;
    break;
  case TW_PARAMETER_HIDDEN_FIRST:
    value.kind = HiddenValue::First;
    break;
  case TW_PARAMETER_HIDDEN_SCRATCH:
    value.kind = HiddenValue::Scratch;
    break;
  case TW_PARAMETER_DERIVED:
    if (parameter.source >= record.derived_count)
      return false;
    value = readDerived(record, parameter);
    break;
  default:
    return false;
  }
  value.offset = parameter.device_offset;
  value.axis = parameter.axis;
  kernel.hidden.push_back(std::move(value));
  return parameter.axis < 3;
}

static bool checkExpressions(const tw_kernel &kernel) {
  auto isGood = [&](const std::string &code) {
    return tw_expr_check(tw_bytes{code.data(), code.size()},
                         kernel.arguments.size()) != 0;
  };
  for (const HiddenValue &value : kernel.hidden)
    for (const std::string &code : value.expressions)
      if (!isGood(code))
        return false;
  return kernel.scratchFormula.empty() || isGood(kernel.scratchFormula);
}

static int32_t readLayout(tw_kernel &kernel, const tw_kernel_record &record,
                          const tw_sink *sink) {
  kernel.userBytes = record.user_block_bytes;
  kernel.deviceBytes = record.device_block_bytes;
  if (kernel.deviceBytes > maxDeviceBlock)
    return refuse(sink,
                  std::string("kernel '") + kernel.name + "' takes " +
                      std::to_string(kernel.deviceBytes) +
                      " bytes of arguments, a launch at most 4096",
                  "put some of the arguments into memory");
  for (uint64_t i = 0; i < record.parameter_count; ++i)
    if (!addParameter(kernel, record, record.parameters[i]))
      return refuse(sink,
                    std::string("kernel '") + kernel.name +
                        "' has a parameter of unknown kind " +
                        std::to_string(record.parameters[i].kind),
                    thisPlugin().c_str());
  if (kernel.arguments.size() > maxArguments)
    return refuse(sink,
                  std::string("kernel '") + kernel.name + "' takes " +
                      std::to_string(kernel.arguments.size()) +
                      " arguments, a launch at most 512",
                  "put some of the arguments into memory");
  kernel.scratchBytes = record.scratch_bytes;
  kernel.scratchFormula = toString(record.scratch_formula);
  if (!checkExpressions(kernel))
    return refuse(sink,
                  std::string("kernel '") + kernel.name +
                      "' has a malformed expression in its record",
                  thisPlugin().c_str());
  kernel.needsValues = !kernel.scratchFormula.empty();
  for (const HiddenValue &value : kernel.hidden)
    kernel.needsValues |= !value.expressions.empty();
  return TW_OK;
}

/// Block, cluster and shared memory against the device.
static int32_t checkShape(tw_kernel &kernel, const tw_kernel_record &record,
                          const tw_sink *sink) {
  const tw_device &device = *kernel.device;
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    kernel.block[axis] = std::max(record.block_size[axis], 1u);
    kernel.cluster[axis] = std::max(record.cluster_size[axis], 1u);
    threads *= kernel.block[axis];
    kernel.clustered |= kernel.cluster[axis] > 1;
  }
  std::string who = std::string("kernel '") + kernel.name + "' ";
  if (threads > uint64_t(device.limits.threadsPerBlock))
    return refuse(sink,
                  who + "has blocks of " + std::to_string(threads) +
                      " threads, the device allows " +
                      std::to_string(device.limits.threadsPerBlock),
                  "compile it with a smaller num_warps");
  if (kernel.clustered && !hasClusters(device))
    return refuse(sink, who + "needs clusters, which the device does not have",
                  "compile it with num_ctas=1");
  if ((record.flags & TW_KERNEL_COOPERATIVE) && !hasCooperativeLaunch(device))
    return refuse(sink,
                  who + "needs all programs to run at once, which the device "
                        "cannot promise",
                  "let programs wait only for programs with lower ids");
  for (unsigned axis = 0; axis < 3; ++axis) {
    kernel.maxGrid[axis] = device.limits.grid[axis];
    if (vendor.maxGridThreads)
      kernel.maxGrid[axis] = std::min<int64_t>(
          kernel.maxGrid[axis], vendor.maxGridThreads / kernel.block[axis]);
  }
  kernel.sharedBytes = record.shared_dynamic_bytes;
  uint64_t shared =
      uint64_t(record.shared_static_bytes) + record.shared_dynamic_bytes;
  if (shared > uint64_t(device.limits.sharedBytes))
    return refuse(sink,
                  who + "needs " + std::to_string(shared) +
                      " bytes of shared memory, the device has " +
                      std::to_string(device.limits.sharedBytes),
                  "compile it with smaller blocks or fewer num_stages");
  return TW_OK;
}

/// How many blocks of a strided kernel the device runs at once; 0: unknown.
static int64_t residentBlocks(const tw_kernel &kernel) {
  const Api &api = *kernel.device->api;
  int blocks = 0;
  int threads =
      static_cast<int>(kernel.block[0] * kernel.block[1] * kernel.block[2]);
  if (!api.occupancy || api.occupancy(&blocks, kernel.function, threads,
                                      kernel.sharedBytes) != Success)
    return 0;
  return int64_t(blocks) * kernel.device->limits.processors;
}

int32_t prepareKernel(tw_module *module, const tw_kernel_record *given,
                      const tw_sink *sink, tw_kernel **prepared) {
  tw_kernel_record record;
  if (int32_t status = tw_read_struct(&record, sizeof record, given))
    return status;
  tw_str text = record.symbol.size ? record.symbol : record.name;
  std::string symbol(text.data, text.size);
  auto kernel = std::unique_ptr<tw_kernel>(new (std::nothrow) tw_kernel{});
  if (!kernel)
    return TW_E_EXHAUSTED;
  kernel->device = module->device;
  kernel->name = keepName(std::string(record.name.data, record.name.size));
  kernel->flags = record.flags;
  if (int32_t status = readLayout(*kernel, record, sink))
    return status;
  if (int32_t status = checkShape(*kernel, record, sink))
    return status;
  const Api &api = *module->device->api;
  ContextScope scope(*module->device);
  RelaxedCapture capture(api);
  if (api.moduleGetFunction(&kernel->function, module->native,
                            symbol.c_str()) != Success)
    return refuse(sink, "the payload has no function '" + symbol + "'",
                  "compile the kernel again");
  if (Status status = prepareFunction(*kernel))
    return refuse(sink,
                  "kernel '" + symbol +
                      "' cannot be prepared: " + describe(api, status),
                  "compile it for this device");
  if ((record.flags & TW_KERNEL_STRIDED) && !kernel->clustered)
    kernel->residentBlocks = residentBlocks(*kernel);
  *prepared = kernel.release();
  return TW_OK;
}

} // namespace tilewright::gpu
