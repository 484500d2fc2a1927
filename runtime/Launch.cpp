//===- Launch.cpp - Launching a kernel --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path: checks, the first variant whose facts hold, one call into the
// plugin. No allocation (except for kernels compiled with option `check`), no
// lock (except for facts about disjointness of a block that the caller packed).
//===----------------------------------------------------------------------===//
#include "runtime/Packing.h"
#include "runtime/State.h"

#include "tilewright/extensions.h"

#include <cstring>

namespace tilewright::runtime {

static constexpr int64_t maxPrograms = 0x7fffffff; // an axis
static constexpr size_t smallBlock = 1024;

static int32_t failForeignStream() {
  return fail(TW_E_INVALID_ARGUMENT, 6014,
              "stream and kernel are of different devices",
              "load the artifact on the stream's device");
}

static int32_t checkGrid(const tw_rt_grid *grid) {
  for (int64_t count : {grid->x, grid->y, grid->z})
    if (count < 0 || count > maxPrograms)
      return fail(TW_E_OUT_OF_RANGE, 6007,
                  "expected 0 to 2147483647 programs on each axis, got " +
                      std::to_string(grid->x) + ", " + std::to_string(grid->y) +
                      ", " + std::to_string(grid->z),
                  "split the launch");
  int64_t total;
  if (__builtin_mul_overflow(grid->x * grid->y, grid->z, &total))
    return fail(TW_E_OUT_OF_RANGE, 6016,
                "expected fewer than 2^63 programs in all, got " +
                    std::to_string(grid->x) + " x " + std::to_string(grid->y) +
                    " x " + std::to_string(grid->z),
                "split the launch");
  return TW_OK;
}

static int32_t checkLaunch(const tw_rt_stream *stream,
                           const tw_rt_kernel *kernel, const tw_rt_grid *grid) {
  if (!stream || !kernel || !grid)
    return failNull("a stream, a kernel and a grid");
  if (stream->device != kernel->artifact->device)
    return failForeignStream();
  return checkGrid(grid);
}

/// No variant may run: says what the most general one asks for.
static int32_t failFacts(const tw_rt_kernel &kernel, const void *block,
                         const tw_rt_grid &grid, ExtentSource extents) {
  const artifact::Kernel &last = *kernel.variants.back().record;
  int64_t broken = firstBrokenFact(last, block, grid, extents);
  return fail(TW_E_PRECONDITION, 6006,
              "kernel '" + last.name +
                  "': " + describeBrokenFact(last, block, broken),
              "pass such arguments, or compile the kernel without that "
              "property in its signature");
}

/// Tells a checking plugin which memory the arguments may reach.
static int32_t launchWithExtents(tw_rt_stream &stream, const Variant &variant,
                                 const tw_dims &dims, const void *block,
                                 uint32_t bytes, ExtentSource source,
                                 const tw_extension *extensions) {
  std::vector<tw_extent> extents;
  for (const artifact::Parameter &parameter : variant.record->parameters) {
    Extent found;
    if (parameter.kind == TW_PARAMETER_USER_POINTER)
      found =
          source.find(source.ctx, static_cast<uint32_t>(extents.size()),
                      static_cast<uint64_t>(readArgument(parameter, block)));
    extents.push_back(found.known ? tw_extent{found.begin, found.end}
                                  : tw_extent{0, 0});
  }
  tw_launch_extents extension = {};
  extension.header.next = extensions;
  extension.header.size = sizeof extension;
  extension.header.id = TW_EXTENSION_EXTENTS;
  extension.extents = extents.data();
  extension.count = extents.size();
  return stream.device->launch.launch(stream.stream, variant.kernel, &dims,
                                      block, bytes, &extension);
}

/// The first variant that may run, or nullptr.
static const Variant *findVariant(const tw_rt_kernel &kernel,
                                  const tw_rt_grid &grid, const void *block,
                                  ExtentSource extents) {
  for (const Variant &variant : kernel.variants)
    if (firstBrokenFact(*variant.record, block, grid, extents) < 0)
      return &variant;
  return nullptr;
}

static int32_t launchVariant(tw_rt_stream &stream, const Variant &variant,
                             const tw_rt_grid &grid, const void *block,
                             uint32_t bytes,
                             const tw_extension *extensions = nullptr) {
  tw_dims dims = {grid.x, grid.y, grid.z};
  int32_t status = stream.device->launch.launch(
      stream.stream, variant.kernel, &dims, block, bytes, extensions);
  return status ? failFromDevice(status, "launch") : TW_OK;
}

static bool isEmpty(const tw_rt_grid &grid) {
  return grid.x == 0 || grid.y == 0 || grid.z == 0;
}

static int32_t launchBlock(tw_rt_stream *stream, const tw_rt_kernel *kernel,
                           const tw_rt_grid &grid, const void *block,
                           ExtentSource extents,
                           const tw_extension *extensions = nullptr) {
  if (isEmpty(grid))
    return TW_OK;
  const Variant *variant = findVariant(*kernel, grid, block, extents);
  if (!variant)
    return failFacts(*kernel, block, grid, extents);
  if (!kernel->wantsExtents)
    return launchVariant(*stream, *variant, grid, block, kernel->blockBytes,
                         extensions);
  tw_dims dims = {grid.x, grid.y, grid.z};
  int32_t status = launchWithExtents(*stream, *variant, dims, block,
                                     kernel->blockBytes, extents, extensions);
  return status ? failFromDevice(status, "launch") : TW_OK;
}

/// Extents of a block that the caller packed: those of known buffers.
static Extent findInDevice(void *ctx, uint32_t, uint64_t address) {
  if (address == 0)
    return {0, 0, true};
  return static_cast<DeviceState *>(ctx)->findBuffer(address);
}

/// Extents of given values: the caller says how large they are.
static Extent findInValues(void *ctx, uint32_t argument, uint64_t address) {
  const tw_rt_value &value = static_cast<const tw_rt_value *>(ctx)[argument];
  if (value.kind == TW_RT_VALUE_BUFFER)
    return {value.buffer->address, value.buffer->address + value.buffer->bytes,
            true};
  if (address == 0)
    return {0, 0, true};
  return {address, address + value.bytes, value.bytes != 0};
}

static int32_t packAll(const tw_rt_kernel &kernel, const tw_rt_value *values,
                       void *block) {
  const artifact::Kernel &record = *kernel.variants[0].record;
  for (uint32_t i = 0; i < kernel.argumentCount; ++i) {
    Problem problem;
    if (!packValue(record.parameters[i], values[i], block, problem))
      return fail(std::move(problem));
    if (values[i].kind == TW_RT_VALUE_BUFFER &&
        values[i].buffer->device != kernel.artifact->device)
      return fail(TW_E_INVALID_ARGUMENT, 6014,
                  "argument '" + record.parameters[i].name +
                      "': the buffer is of another device");
  }
  return TW_OK;
}

static int32_t checkValues(const tw_rt_kernel &kernel,
                           const tw_rt_value *values, uint64_t count) {
  if (!values && count)
    return failNull("values");
  if (count == kernel.argumentCount)
    return TW_OK;
  return fail(TW_E_INVALID_ARGUMENT, 6003,
              "kernel '" + kernel.variants[0].record->name + "': expected " +
                  std::to_string(kernel.argumentCount) + " arguments, got " +
                  std::to_string(count),
              "constants of the signature are not passed at launch");
}

/// Packs and checks what will be launched again and again.
static int32_t prepareCall(tw_rt_call &call, tw_rt_kernel &kernel,
                           const tw_rt_grid &grid, const tw_rt_value *values,
                           uint64_t count) {
  call.values.assign(values, values + count);
  call.grid = grid;
  call.block.resize(kernel.blockBytes);
  if (int32_t status = packAll(kernel, values, call.block.data()))
    return status;
  ExtentSource extents = {findInValues, call.values.data()};
  call.variant = findVariant(kernel, grid, call.block.data(), extents);
  if (!call.variant && !isEmpty(grid))
    return failFacts(kernel, call.block.data(), grid, extents);
  call.kernel = &kernel;
  kernel.users.fetch_add(1, std::memory_order_relaxed);
  return TW_OK;
}

} // namespace tilewright::runtime

using namespace tilewright;
using namespace tilewright::runtime;

extern "C" int32_t tw_rt_launch(tw_rt_stream *stream, tw_rt_kernel *kernel,
                                const tw_rt_grid *grid,
                                const tw_rt_value *values, uint64_t count) {
  return tw_rt_launch_extended(stream, kernel, grid, values, count, nullptr);
}

extern "C" int32_t
tw_rt_launch_extended(tw_rt_stream *stream, tw_rt_kernel *kernel,
                      const tw_rt_grid *grid, const tw_rt_value *values,
                      uint64_t count, const tw_extension *extensions) {
  return guarded([&]() -> int32_t {
    if (int32_t status = checkLaunch(stream, kernel, grid))
      return status;
    if (int32_t status = checkValues(*kernel, values, count))
      return status;
    alignas(16) char small[smallBlock];
    std::vector<char> large;
    char *block = small;
    if (kernel->blockBytes > smallBlock) {
      large.resize(kernel->blockBytes);
      block = large.data();
    }
    std::memset(block, 0, kernel->blockBytes);
    if (int32_t status = packAll(*kernel, values, block))
      return status;
    return launchBlock(stream, kernel, *grid, block,
                       {findInValues, const_cast<tw_rt_value *>(values)},
                       extensions);
  });
}

extern "C" int32_t tw_rt_launch_packed(tw_rt_stream *stream,
                                       tw_rt_kernel *kernel,
                                       const tw_rt_grid *grid,
                                       const void *block, uint64_t bytes) {
  return guarded([&]() -> int32_t {
    if (int32_t status = checkLaunch(stream, kernel, grid))
      return status;
    if (!block && bytes)
      return failNull("an argument block");
    if (bytes != kernel->blockBytes)
      return fail(TW_E_INVALID_ARGUMENT, 6009,
                  "kernel '" + kernel->variants[0].record->name +
                      "': expected an argument block of " +
                      std::to_string(kernel->blockBytes) + " bytes, got " +
                      std::to_string(bytes),
                  "tw_rt_kernel_argument gives each offset");
    return launchBlock(stream, kernel, *grid, block,
                       {findInDevice, stream->device.get()});
  });
}

extern "C" int32_t tw_rt_call_create(tw_rt_kernel *kernel,
                                     const tw_rt_grid *grid,
                                     const tw_rt_value *values, uint64_t count,
                                     tw_rt_call **result) {
  return guarded([&]() -> int32_t {
    if (!kernel || !grid || !result)
      return failNull("a kernel, a grid and a place for the call");
    if (int32_t status = checkGrid(grid))
      return status;
    if (int32_t status = checkValues(*kernel, values, count))
      return status;
    auto call = std::make_unique<tw_rt_call>();
    if (int32_t status = prepareCall(*call, *kernel, *grid, values, count))
      return status;
    *result = call.release();
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_call_launch(tw_rt_stream *stream,
                                     const tw_rt_call *call) {
  return guarded([&]() -> int32_t {
    if (!stream || !call)
      return failNull("a stream and a call");
    if (stream->device != call->kernel->artifact->device)
      return failForeignStream();
    if (isEmpty(call->grid))
      return TW_OK;
    if (!call->kernel->wantsExtents)
      return launchVariant(*stream, *call->variant, call->grid,
                           call->block.data(), call->kernel->blockBytes);
    return launchBlock(
        stream, call->kernel, call->grid, call->block.data(),
        {findInValues, const_cast<tw_rt_value *>(call->values.data())});
  });
}

extern "C" void tw_rt_call_release(tw_rt_call *call) {
  if (call)
    tw_rt_kernel_release(call->kernel);
  delete call;
}
