//===- Launch.cpp - The launch path -----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One copy of the packed block onto the stack, its hidden values, one call of
// the driver. No allocation (except scratch, from the stream's pool), no lock.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Driver.h"

#include "tilewright/expression.h"

#include <algorithm>
#include <cstring>

namespace tilewright::nvidia {

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

/// CUtensorMapDataType of an element type, -1 when there is none.
static int tensorMapType(uint32_t dtype) {
  switch (dtype) {
  case TW_DTYPE_I1:
  case TW_DTYPE_I8:
  case TW_DTYPE_U8:
    return 0;
  case TW_DTYPE_I16:
  case TW_DTYPE_U16:
    return 1;
  case TW_DTYPE_U32:
    return 2;
  case TW_DTYPE_I32:
    return 3;
  case TW_DTYPE_U64:
    return 4;
  case TW_DTYPE_I64:
    return 5;
  case TW_DTYPE_F16:
    return 6;
  case TW_DTYPE_F32:
    return 7;
  case TW_DTYPE_F64:
    return 8;
  case TW_DTYPE_BF16:
    return 9;
  default:
    return tw_dtype_bytes(dtype) == 1 ? 0 : -1;
  }
}

/// Index of a byte count in a table such as 0, 32, 64, 128.
static int rankOf(uint32_t bytes, std::initializer_list<uint32_t> table) {
  int index = 0;
  for (uint32_t entry : table) {
    if (entry == bytes)
      return index;
    ++index;
  }
  return 0;
}

/// Encodes the tensor map that record.h describes into 128 bytes.
static int32_t encodeTensorMap(const tw_kernel &kernel,
                               const HiddenValue &value, const Values &values,
                               void *out) {
  const std::vector<uint32_t> &given = value.attributes;
  uint32_t rank = given.size() > 1 ? given[1] : 0;
  if (rank < 1 || rank > 5 || given.size() != 6 + 2 * rank ||
      value.expressions.size() != 2 * rank ||
      !kernel.device->cuda->tensorMapEncodeTiled)
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
  const uint32_t *box = &given[2], *steps = &given[2 + rank];
  const uint32_t *rest = &given[2 + 2 * rank];
  cuda::Status status = kernel.device->cuda->tensorMapEncodeTiled(
      out, tensorMapType(given[0]), rank, reinterpret_cast<void *>(numbers[0]),
      sizes, strides, box, steps, rankOf(rest[1], {0, 16, 32}),
      rankOf(rest[0], {0, 32, 64, 128}), rankOf(rest[3], {0, 64, 128, 256}),
      static_cast<int>(rest[2]));
  return status == cuda::Success ? TW_OK : TW_E_INVALID_ARGUMENT;
}

static int32_t writeDerived(const tw_kernel &kernel, const HiddenValue &value,
                            const Values &values, char *to) {
  if (value.kind == HiddenValue::TensorMap)
    return encodeTensorMap(kernel, value, values, to);
  int64_t result = 0;
  if (!evaluate(value.expressions.front(), values, result))
    return TW_E_OUT_OF_RANGE;
  std::memcpy(to, &result, tw_dtype_bytes(value.dtype));
  return TW_OK;
}

/// Fills everything but the scratch address and the first programs, which are
/// zero.
static int32_t fillBlock(const tw_kernel &kernel, const tw_dims &dims,
                         const void *args, const Values &values, char *block) {
  for (const CopiedBytes &copy : kernel.copies)
    std::memcpy(block + copy.to, static_cast<const char *>(args) + copy.from,
                copy.bytes);
  const int64_t programs[] = {dims.x, dims.y, dims.z};
  for (const HiddenValue &value : kernel.hidden) {
    char *to = block + value.offset;
    if (value.kind == HiddenValue::Programs) {
      int32_t count = static_cast<int32_t>(programs[value.axis]);
      std::memcpy(to, &count, sizeof count);
    } else if (value.kind == HiddenValue::First) {
      std::memset(to, 0, sizeof(int32_t));
    } else if (value.kind == HiddenValue::Scratch) {
      std::memset(to, 0, sizeof(uint64_t));
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
  std::memset(device, 0, kernel->deviceBytes);
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
static cuda::Status launchOnce(const tw_kernel &kernel, cuda::Stream stream,
                               const unsigned grid[3], char *block) {
  const cuda::Driver &driver = *kernel.device->cuda;
  size_t bytes = kernel.deviceBytes;
  void *extra[] = {cuda::launchBuffer, block, cuda::launchBufferBytes, &bytes,
                   cuda::launchEnd};
  bool cooperative = (kernel.flags & TW_KERNEL_COOPERATIVE) != 0;
  if (!cooperative && !kernel.clustered)
    return driver.launchKernel(kernel.function, grid[0], grid[1], grid[2],
                               kernel.block[0], kernel.block[1],
                               kernel.block[2], kernel.sharedBytes, stream,
                               nullptr, extra);
  cuda::LaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (kernel.clustered) {
    attributes[count].id = cuda::LaunchCluster;
    std::copy_n(kernel.cluster, 3, attributes[count++].value.cluster);
  }
  if (cooperative) {
    attributes[count].id = cuda::LaunchCooperative;
    attributes[count++].value.cooperative = 1;
  }
  cuda::LaunchConfig config = {};
  std::copy_n(grid, 3, config.grid);
  std::copy_n(kernel.block, 3, config.block);
  config.sharedBytes = kernel.sharedBytes;
  config.stream = stream;
  config.attributes = attributes;
  config.attributeCount = count;
  return driver.launchKernelEx(&config, kernel.function, nullptr, extra);
}

/// Cuts a grid that the hardware does not take into launches that it does. They
/// follow each other in the order of linear ids: x runs fastest.
static cuda::Status launchInPieces(const tw_kernel &kernel, cuda::Stream stream,
                                   const tw_dims &dims, char *block) {
  const Limits &limits = kernel.device->limits;
  int64_t stepY = std::min<int64_t>(dims.y, limits.grid[1]);
  int64_t stepZ =
      dims.y > stepY ? 1 : std::min<int64_t>(dims.z, limits.grid[2]);
  for (int64_t z = 0; z < dims.z; z += stepZ)
    for (int64_t y = 0; y < dims.y; y += stepY) {
      int32_t firstY = static_cast<int32_t>(y),
              firstZ = static_cast<int32_t>(z);
      setHidden(kernel, HiddenValue::First, 1, &firstY, sizeof firstY, block);
      setHidden(kernel, HiddenValue::First, 2, &firstZ, sizeof firstZ, block);
      const unsigned grid[] = {
          static_cast<unsigned>(dims.x),
          static_cast<unsigned>(std::min(stepY, dims.y - y)),
          static_cast<unsigned>(std::min(stepZ, dims.z - z))};
      if (cuda::Status status = launchOnce(kernel, stream, grid, block))
        return status;
    }
  return cuda::Success;
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

static cuda::Status launchGrid(const tw_kernel &kernel, cuda::Stream stream,
                               const tw_dims &dims, char *block) {
  const Limits &limits = kernel.device->limits;
  if (dims.y > limits.grid[1] || dims.z > limits.grid[2])
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
static int32_t launchWithScratch(const tw_kernel &kernel, cuda::Stream stream,
                                 const tw_dims &dims, uint64_t bytes,
                                 char *block) {
  const cuda::Driver &driver = *kernel.device->cuda;
  cuda::Address scratch = 0;
  if (cuda::Status status = driver.memAllocAsync(&scratch, bytes, stream))
    return toStatus(status);
  cuda::Status status = cuda::Success;
  if (kernel.flags & TW_KERNEL_SCRATCH_ZEROED)
    status = driver.memsetD8Async(scratch, 0, bytes, stream);
  setHidden(kernel, HiddenValue::Scratch, 0, &scratch, sizeof scratch, block);
  if (status == cuda::Success)
    status = launchGrid(kernel, stream, dims, block);
  cuda::Status freed = driver.memFreeAsync(scratch, stream);
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

} // namespace tilewright::nvidia
