//===- Launch.cpp - Prepare and launch --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments are state of an OpenCL kernel object, so every thread that launches
// has an object of its own; later launches only walk the argument list.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"

#include <cstring>

namespace tilewright::spirv {

static constexpr uint32_t kCannotPrepare = 6020;
static constexpr int64_t kMaxPrograms = 0x7fffffff; // an axis
static const char *const kRecompile =
    "compile it with this version's SPIR-V plugin";

/// Refuses what this driver does not make.
static int32_t checkRecord(const tw_kernel_record &record,
                           const std::string &name, const tw_sink *sink) {
  std::string what = "kernel '" + name + "' ";
  if (record.flags & TW_KERNEL_COOPERATIVE)
    return refuse(sink, kCannotPrepare,
                  what + "needs all programs to run at once, which OpenCL does "
                         "not promise",
                  "let programs wait only for programs with lower ids");
  if (record.derived_count || record.scratch_bytes ||
      record.scratch_formula.size || record.shared_dynamic_bytes)
    return refuse(sink, kCannotPrepare,
                  what + "has derived parameters or scratch memory",
                  kRecompile);
  if (record.block_size[0] == 0 || record.block_size[1] != 1 ||
      record.block_size[2] != 1)
    return refuse(sink, kCannotPrepare, what + "has no one-dimensional block",
                  kRecompile);
  return TW_OK;
}

static int32_t readArguments(const tw_kernel_record &record, tw_kernel &kernel,
                             const tw_sink *sink) {
  using Kind = KernelArgument::Kind;
  for (uint64_t i = 0; i < record.parameter_count; ++i) {
    const tw_parameter &parameter = record.parameters[i];
    switch (parameter.kind) {
    case TW_PARAMETER_USER_SCALAR:
      kernel.arguments.push_back(
          {Kind::Value, parameter.offset, parameter.bytes});
      break;
    case TW_PARAMETER_USER_POINTER:
      kernel.arguments.push_back(
          {Kind::Pointer, parameter.offset, parameter.bytes});
      break;
    case TW_PARAMETER_HIDDEN_SCRATCH:
      kernel.arguments.push_back({Kind::LaunchMemory, 0, 8});
      break;
    default:
      return refuse(sink, kCannotPrepare,
                    "kernel '" + kernel.symbol +
                        "' has a parameter of unknown kind " +
                        std::to_string(parameter.kind),
                    kRecompile);
    }
  }
  return TW_OK;
}

/// The calling thread's kernel object; made at its first launch.
static cl_kernel objectOfThread(tw_kernel &kernel, cl_int &status) {
  std::thread::id self = std::this_thread::get_id();
  KernelObject *first = kernel.objects.load(std::memory_order_acquire);
  for (KernelObject *object = first; object; object = object->next)
    if (object->owner == self)
      return object->kernel;
  tw_device &device = *kernel.module->device;
  cl_kernel made = device.api->clCreateKernel(kernel.module->program,
                                              kernel.symbol.c_str(), &status);
  if (status != CL_SUCCESS)
    return nullptr;
  if (device.info->sharesHostMemory && device.api->clSetKernelExecInfo) {
    // Pointers in memory may lead anywhere.
    cl_bool all = CL_TRUE;
    device.api->clSetKernelExecInfo(
        made, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof all, &all);
  }
  auto *object = new KernelObject{self, made, first};
  while (!kernel.objects.compare_exchange_weak(object->next, object))
    ;
  return made;
}

static int32_t prepareChecked(tw_module *module, const tw_kernel_record &record,
                              const tw_sink *sink, tw_kernel **kernel) {
  tw_str text = record.symbol.size ? record.symbol : record.name;
  auto made = std::make_unique<tw_kernel>();
  made->module = module;
  made->symbol.assign(text.data, text.size);
  made->blockBytes = record.user_block_bytes;
  made->flags = record.flags;
  made->threads = record.block_size[0];
  if (int32_t status = checkRecord(record, made->symbol, sink))
    return status;
  if (int32_t status = readArguments(record, *made, sink))
    return status;
  cl_int status = CL_SUCCESS;
  cl_kernel object = objectOfThread(*made, status);
  if (!object)
    return refuse(sink, kCannotPrepare,
                  "the payload has no kernel '" + made->symbol +
                      "': " + opencl::statusName(status),
                  "compile the kernel again");
  size_t threads = 0;
  tw_device &device = *module->device;
  device.api->clGetKernelWorkGroupInfo(object, device.info->id,
                                       CL_KERNEL_WORK_GROUP_SIZE,
                                       sizeof threads, &threads, nullptr);
  if (threads < made->threads)
    return refuse(sink, kCannotPrepare,
                  "kernel '" + made->symbol + "' needs " +
                      std::to_string(made->threads) +
                      " work-items in a work-group, '" + device.info->name +
                      "' allows it " + std::to_string(threads),
                  "compile it with fewer num_warps");
  *kernel = made.release();
  return TW_OK;
}

static void destroyKernel(tw_kernel *kernel) {
  KernelObject *object = kernel->objects.load();
  while (object) {
    KernelObject *next = object->next;
    kernel->module->device->api->clReleaseKernel(object->kernel);
    delete object;
    object = next;
  }
  delete kernel;
}

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  return keepInside([&]() -> int32_t {
    tw_kernel_record record;
    if (int32_t status = tw_read_struct(&record, sizeof record, given))
      return status;
    return prepareChecked(module, record, sink, kernel);
  });
}

/// Sets the pointer at `index`, which moves on by one argument or two.
static cl_int setPointer(const tw_kernel &kernel, cl_kernel object,
                         cl_uint &index, uint64_t address) {
  tw_device &device = *kernel.module->device;
  if (!kernel.module->usesHandles)
    return device.api->clSetKernelArgSVMPointer(
        object, index++, reinterpret_cast<void *>(address));
  Place place;
  if (address &&
      !device.memory.find(*device.api, device.context, address, place))
    return CL_INVALID_ARG_VALUE;
  cl_int status = device.api->clSetKernelArg(object, index++, sizeof(cl_mem),
                                             &place.handle);
  return status ? status
                : device.api->clSetKernelArg(
                      object, index++, sizeof place.offset, &place.offset);
}

static cl_int setArguments(const tw_stream &stream, const tw_kernel &kernel,
                           cl_kernel object, const char *block) {
  const Api &api = *stream.device->api;
  cl_uint index = 0;
  cl_int status = CL_SUCCESS;
  for (const KernelArgument &argument : kernel.arguments) {
    uint64_t address = stream.launchMemory;
    if (argument.kind == KernelArgument::Kind::Value) {
      status = api.clSetKernelArg(object, index++, argument.bytes,
                                  block + argument.offset);
    } else {
      if (argument.kind == KernelArgument::Kind::Pointer)
        std::memcpy(&address, block + argument.offset, sizeof address);
      status = setPointer(kernel, object, index, address);
    }
    if (status != CL_SUCCESS)
      return status;
  }
  return CL_SUCCESS;
}

static int32_t checkLaunch(const tw_stream &stream, const tw_kernel &kernel,
                           const tw_dims &dims, uint32_t bytes,
                           const void *ext) {
  if (bytes != kernel.blockBytes)
    return TW_E_INVALID_ARGUMENT;
  auto *extension = static_cast<const tw_extension *>(ext);
  for (; extension; extension = extension->next)
    if (extension->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  for (int64_t count : {dims.x, dims.y, dims.z})
    if (count < 0 || count > kMaxPrograms)
      return TW_E_OUT_OF_RANGE;
  return stream.hasFailed() ? TW_E_DEVICE_ERROR : TW_OK;
}

/// Kernels that wait count their programs in 32 bits.
static int32_t startTickets(tw_stream *stream, const tw_dims &dims) {
  int64_t total = 0;
  if (__builtin_mul_overflow(dims.x * dims.y, dims.z, &total) ||
      total > UINT32_MAX)
    return TW_E_OUT_OF_RANGE;
  return fillMemory(stream, stream->launchMemory + TW_SPIRV_TICKET, 0, 4, 4);
}

static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t bytes, const void *ext) {
  return keepInside([&]() -> int32_t {
    if (int32_t status = checkLaunch(*stream, *kernel, *dims, bytes, ext))
      return status;
    if (dims->x == 0 || dims->y == 0 || dims->z == 0)
      return TW_OK;
    cl_int status = CL_SUCCESS;
    cl_kernel object = objectOfThread(*kernel, status);
    if (!object)
      return toStatus(status);
    status =
        setArguments(*stream, *kernel, object, static_cast<const char *>(args));
    if (status != CL_SUCCESS)
      return toStatus(status);
    if (kernel->flags & TW_KERNEL_NEEDS_PROGRESS)
      if (int32_t failure = startTickets(stream, *dims))
        return failure;
    const Api &api = *stream->device->api;
    const size_t global[] = {static_cast<size_t>(dims->x) * kernel->threads,
                             static_cast<size_t>(dims->y),
                             static_cast<size_t>(dims->z)};
    const size_t local[] = {kernel->threads, 1, 1};
    status = api.clEnqueueNDRangeKernel(stream->queue, object, 3, nullptr,
                                        global, local, 0, nullptr, nullptr);
    return status ? toStatus(status)
                  : stream->check(api.clFlush(stream->queue));
  });
}

/// The user's arguments keep their places; the launch memory is the stream's.
static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *, const void *args,
                          uint32_t bytes, void *device, uint32_t capacity,
                          uint32_t *written) {
  if (bytes != kernel->blockBytes || capacity < bytes)
    return TW_E_INVALID_ARGUMENT;
  if (bytes)
    std::memcpy(device, args, bytes);
  *written = bytes;
  return TW_OK;
}

/// The calling thread's cl_kernel.
static int32_t nativeKernel(tw_kernel *kernel, uint64_t *native) {
  return keepInside([&]() -> int32_t {
    cl_int status = CL_SUCCESS;
    cl_kernel object = objectOfThread(*kernel, status);
    *native = reinterpret_cast<uintptr_t>(object);
    return object ? TW_OK : toStatus(status);
  });
}

const tw_launch_table launchTable = {
    sizeof(tw_launch_table),
    0,
    prepare,
    destroyKernel,
    launch,
    encodeArgs,
    nativeKernel,
};

} // namespace tilewright::spirv
