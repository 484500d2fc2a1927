//===- Launch.cpp - The launch path -----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One copy of the packed block onto the stack, its hidden values, one call of
// the driver. No allocation (except scratch, from the stream's pool), no lock.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Driver.h"

#include "tilewright/expression.h"

#include <algorithm>
#include <cstring>

namespace tilewright::gpu {

static constexpr int64_t maxPrograms = 0x7fffffff; // an axis

//===--- Device block -----------------------------------------------------===//

namespace {
/// What the hidden values of one launch are made from.
struct Values {
  int64_t arguments[maxArguments];
  tw_expr_input input;
};
} // namespace

static void readValues(const tw_kernel &kernel, const tw_dims &dims,
                       const void *args, Values &values) {
  size_t count = std::min(kernel.arguments.size(), maxArguments);
  for (size_t i = 0; i < count; ++i) {
    const ScalarArgument &argument = kernel.arguments[i];
    const char *from = static_cast<const char *>(args) + argument.offset;
    uint64_t raw = 0;
    uint32_t bytes = tw_dtype_bytes(argument.dtype);
    std::memcpy(&raw, from, bytes);
    bool isSigned =
        argument.dtype >= TW_DTYPE_I8 && argument.dtype <= TW_DTYPE_I64;
    int shift = 64 - 8 * static_cast<int>(bytes);
    values.arguments[i] = isSigned ? static_cast<int64_t>(raw << shift) >> shift
                                   : static_cast<int64_t>(raw);
  }
  values.input.arguments = values.arguments;
  values.input.programs[0] = dims.x;
  values.input.programs[1] = dims.y;
  values.input.programs[2] = dims.z;
}

static bool evaluate(const std::string &code, const Values &values,
                     int64_t &result) {
  return tw_expr_evaluate(tw_bytes{code.data(), code.size()}, &values.input,
                          &result) != 0;
}

/// Reads the tensor map that record.h describes and has it encoded.
static int32_t writeTensorMap(const tw_kernel &kernel, const HiddenValue &value,
                              const Values &values, void *out) {
  const std::vector<uint32_t> &given = value.attributes;
  uint32_t rank = given.size() > 1 ? given[1] : 0;
  if (rank < 1 || rank > 5 || given.size() != 6 + 2 * rank ||
      value.expressions.size() != 2 * rank)
    return TW_E_UNIMPLEMENTED;
  int64_t numbers[10];
  for (uint32_t i = 0; i < 2 * rank; ++i)
    if (!evaluate(value.expressions[i], values, numbers[i]))
      return TW_E_OUT_OF_RANGE;
  uint64_t sizes[5], strides[5];
  for (uint32_t i = 0; i < rank; ++i)
    sizes[i] = static_cast<uint64_t>(numbers[1 + i]);
  for (uint32_t i = 0; i + 1 < rank; ++i)
    strides[i] = static_cast<uint64_t>(numbers[1 + rank + i]);
  TensorMapRequest request = {given[0],
                              rank,
                              static_cast<uint64_t>(numbers[0]),
                              sizes,
                              strides,
                              &given[2],
                              &given[2 + rank],
                              &given[2 + 2 * rank]};
  return encodeTensorMap(*kernel.device, request, out);
}

static int32_t writeDerived(const tw_kernel &kernel, const HiddenValue &value,
                            const Values &values, char *to) {
  if (value.kind == HiddenValue::TensorMap)
    return writeTensorMap(kernel, value, values, to);
  int64_t result = 0;
  if (!evaluate(value.expressions.front(), values, result))
    return TW_E_OUT_OF_RANGE;
  std::memcpy(to, &result, tw_dtype_bytes(value.dtype));
  return TW_OK;
}

/// Fills everything but the scratch address and the first programs, which are
/// zero, as are the bytes between arguments: what lay on the stack is nobody's
/// business.
static int32_t fillBlock(const tw_kernel &kernel, const tw_dims &dims,
                         const void *args, const Values &values, char *block) {
  std::memset(block, 0, kernel.deviceBytes);
  for (const CopiedBytes &copy : kernel.copies)
    std::memcpy(block + copy.to, static_cast<const char *>(args) + copy.from,
                copy.bytes);
  const int64_t programs[] = {dims.x, dims.y, dims.z};
  for (const HiddenValue &value : kernel.hidden) {
    char *to = block + value.offset;
    if (value.kind == HiddenValue::Programs) {
      int32_t count = static_cast<int32_t>(programs[value.axis]);
      std::memcpy(to, &count, sizeof count);
    } else if (value.kind == HiddenValue::First ||
               value.kind == HiddenValue::Scratch) {
      continue;
    } else if (int32_t status = writeDerived(kernel, value, values, to)) {
      return status;
    }
  }
  return TW_OK;
}

static void setHidden(const tw_kernel &kernel, HiddenValue::Kind kind,
                      uint32_t axis, const void *from, size_t bytes,
                      char *block) {
  for (const HiddenValue &value : kernel.hidden)
    if (value.kind == kind && value.axis == axis)
      std::memcpy(block + value.offset, from, bytes);
}

int32_t encodeArguments(tw_kernel *kernel, const tw_dims *dims,
                        const void *args, uint32_t argsSize, void *device,
                        uint32_t capacity, uint32_t *written) {
  if (argsSize != kernel->userBytes || capacity < kernel->deviceBytes)
    return TW_E_INVALID_ARGUMENT;
  Values values;
  if (kernel->needsValues)
    readValues(*kernel, *dims, args, values);
  *written = kernel->deviceBytes;
  return fillBlock(*kernel, *dims, args, values, static_cast<char *>(device));
}

//===--- Launch -----------------------------------------------------------===//

static bool isInRange(const tw_dims &dims) {
  auto fits = [](int64_t count) { return count >= 0 && count <= maxPrograms; };
  return fits(dims.x) && fits(dims.y) && fits(dims.z);
}

static int32_t checkExtensions(const void *ext) {
  auto *extension = static_cast<const tw_extension *>(ext);
  for (; extension; extension = extension->next)
    if (extension->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  return TW_OK;
}

/// One call of the driver with a finished block.
static Status launchOnce(const tw_kernel &kernel, Stream stream,
                         const unsigned grid[3], char *block) {
  size_t bytes = kernel.deviceBytes;
  void *extra[] = {launchBuffer, block, launchBufferBytes, &bytes,
                   vendor.launchEnd};
  if (kernel.clustered || (kernel.flags & TW_KERNEL_COOPERATIVE))
    return launchSpecial(kernel, stream, grid, extra);
  return kernel.device->api->launchKernel(
      kernel.function, grid[0], grid[1], grid[2], kernel.block[0],
      kernel.block[1], kernel.block[2], kernel.sharedBytes, stream, nullptr,
      extra);
}

/// Cuts a grid that the hardware does not take into launches that it does. They
/// follow each other in the order of linear ids: x runs fastest.
static Status launchInPieces(const tw_kernel &kernel, Stream stream,
                             const tw_dims &dims, char *block) {
  const int64_t programs[] = {dims.x, dims.y, dims.z};
  int64_t step[3], first[3];
  bool isCut = false; // along an axis that runs faster
  for (unsigned axis = 0; axis < 3; ++axis) {
    step[axis] = isCut ? 1 : std::min(programs[axis], kernel.maxGrid[axis]);
    isCut |= step[axis] < programs[axis];
  }
  for (first[2] = 0; first[2] < dims.z; first[2] += step[2])
    for (first[1] = 0; first[1] < dims.y; first[1] += step[1])
      for (first[0] = 0; first[0] < dims.x; first[0] += step[0]) {
        unsigned grid[3];
        for (unsigned axis = 0; axis < 3; ++axis) {
          int32_t from = static_cast<int32_t>(first[axis]);
          setHidden(kernel, HiddenValue::First, axis, &from, sizeof from,
                    block);
          grid[axis] = static_cast<unsigned>(
              std::min(step[axis], programs[axis] - first[axis]));
        }
        if (Status status = launchOnce(kernel, stream, grid, block))
          return status;
      }
  return Success;
}

/// Blocks along the first axis: all programs, or as many as run at once where a
/// block goes on with other programs.
static unsigned blocksFor(const tw_kernel &kernel, const tw_dims &dims) {
  if (kernel.residentBlocks <= 0)
    return static_cast<unsigned>(dims.x);
  int64_t others = std::min(dims.y * dims.z, kernel.residentBlocks);
  return static_cast<unsigned>(
      std::min(dims.x, std::max<int64_t>(kernel.residentBlocks / others, 1)));
}

static Status launchGrid(const tw_kernel &kernel, Stream stream,
                         const tw_dims &dims, char *block) {
  if (dims.x > kernel.maxGrid[0] || dims.y > kernel.maxGrid[1] ||
      dims.z > kernel.maxGrid[2])
    return launchInPieces(kernel, stream, dims, block);
  const unsigned grid[] = {blocksFor(kernel, dims),
                           static_cast<unsigned>(dims.y),
                           static_cast<unsigned>(dims.z)};
  return launchOnce(kernel, stream, grid, block);
}

/// Bytes of scratch for this launch, or -1.
static int64_t scratchFor(const tw_kernel &kernel, const tw_dims &dims,
                          const Values &values) {
  int64_t bytes = static_cast<int64_t>(kernel.scratchBytes);
  if (!kernel.scratchFormula.empty() &&
      !evaluate(kernel.scratchFormula, values, bytes))
    return -1;
  if (bytes <= 0 || (kernel.flags & TW_KERNEL_SCRATCH_LAUNCH))
    return bytes;
  int64_t programs;
  if (__builtin_mul_overflow(dims.x * dims.y, dims.z, &programs) ||
      __builtin_mul_overflow(programs, bytes, &bytes))
    return -1;
  return bytes;
}

/// Lends stream-ordered memory to one launch.
static int32_t launchWithScratch(const tw_kernel &kernel, Stream stream,
                                 const tw_dims &dims, uint64_t bytes,
                                 char *block) {
  const Api &api = *kernel.device->api;
  Address scratch = 0;
  if (Status status = api.memAllocAsync(&scratch, bytes, stream))
    return toStatus(status);
  Status status = Success;
  if (kernel.flags & TW_KERNEL_SCRATCH_ZEROED)
    status = api.memsetD8Async(scratch, 0, bytes, stream);
  setHidden(kernel, HiddenValue::Scratch, 0, &scratch, sizeof scratch, block);
  if (status == Success)
    status = launchGrid(kernel, stream, dims, block);
  Status freed = api.memFreeAsync(scratch, stream);
  return toStatus(status ? status : freed);
}

int32_t launchKernel(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                     const void *args, uint32_t argsSize, const void *ext) {
  if (argsSize != kernel->userBytes)
    return TW_E_INVALID_ARGUMENT;
  if (ext)
    if (int32_t status = checkExtensions(ext))
      return status;
  if (!isInRange(*dims))
    return TW_E_OUT_OF_RANGE;
  stream->device->prints.drain(stream->device->print);
  if (stream->device->hasFailed())
    return TW_E_DEVICE_ERROR;
  if (dims->x == 0 || dims->y == 0 || dims->z == 0)
    return TW_OK;
  alignas(64) char block[maxDeviceBlock];
  Values values;
  if (kernel->needsValues)
    readValues(*kernel, *dims, args, values);
  if (int32_t status = fillBlock(*kernel, *dims, args, values, block))
    return status;
  ContextScope scope(*kernel->device);
  stream->lastKernel.store(kernel->name, std::memory_order_relaxed);
  if (kernel->scratchBytes || !kernel->scratchFormula.empty()) {
    int64_t bytes = scratchFor(*kernel, *dims, values);
    if (bytes < 0)
      return TW_E_OUT_OF_RANGE;
    if (bytes > 0)
      return launchWithScratch(*kernel, stream->native, *dims,
                               static_cast<uint64_t>(bytes), block);
  }
  return toStatus(launchGrid(*kernel, stream->native, *dims, block));
}

static void destroyKernel(tw_kernel *kernel) { delete kernel; }

static int32_t nativeKernel(tw_kernel *kernel, uint64_t *native) {
  *native = reinterpret_cast<uint64_t>(kernel->function);
  return TW_OK;
}

const tw_launch_table launchTable = {
    sizeof(tw_launch_table),
    0,
    prepareKernel,
    destroyKernel,
    launchKernel,
    encodeArguments,
    nativeKernel,
};

} // namespace tilewright::gpu
