//===- Launches.cpp - Kernels of the kit on a device ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays lie between guard zones; their data follows from the case and the
// index alone, so that two targets see the same.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <cmath>
#include <cstring>
#include <iterator>

namespace tilewright::conformance {

static constexpr uint64_t guardBytes = 256;
static constexpr unsigned char guardByte = 0xa5;

/// A well-mixed number for an index (splitmix64).
static uint64_t mix(uint64_t index) {
  uint64_t z = index + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

template <typename T> static void put(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

static void putReal(std::string &bytes, uint32_t dtype, double value) {
  float single = float(value);
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  switch (dtype) {
  case TW_DTYPE_F64:
    return put(bytes, value);
  case TW_DTYPE_F32:
    return put(bytes, single);
  case TW_DTYPE_F16:
    return put(bytes, _Float16(value));
  case TW_DTYPE_BF16:
    return put(bytes, uint16_t(bits >> 16));
  default:
    throw Broken("the kit has no reals of element type " +
                 std::to_string(dtype));
  }
}

/// The number that an element is filled with; integers only.
static int64_t integerFor(const CaseArgument &argument, uint64_t random) {
  if (argument.fill == "indices")
    return int64_t(random % uint64_t(argument.below));
  if (argument.fill == "small")
    return int64_t(random % 61) - 30;
  return argument.fill == "zero" ? 0 : int64_t(random);
}

/// Inputs where approximations of functions part from one another: around zero,
/// and a ramp to where the results become subnormal or round to a constant.
static double sharpValue(uint32_t dtype, uint64_t index, uint64_t count) {
  static const double special[] = {0.0,   -0.0, 1e-7, -1e-7, 1e-3,
                                   -1e-3, 9.0,  -9.0, 16.5,  -16.5};
  if (index < std::size(special))
    return special[index];
  double reach = dtype == TW_DTYPE_F16 ? 11 : dtype == TW_DTYPE_F64 ? 700 : 87;
  return (2.0 * double(index) / double(count) - 1) * reach;
}

static std::string makeContent(const CaseArgument &argument, uint32_t dtype,
                               uint64_t seed) {
  std::string bytes;
  bool isReal = argument.fill == "reals" || argument.fill == "unit" ||
                argument.fill == "sharp";
  for (uint64_t i = 0; i < argument.count; ++i) {
    uint64_t random = mix(seed * 1000003 + i);
    if (isReal) {
      // Short fractions: exact in every float type, sums of two as well.
      double range = argument.fill == "unit" ? 1 : 16;
      putReal(bytes, dtype,
              argument.fill == "sharp"
                  ? sharpValue(dtype, i, argument.count)
                  : (double(random % 129) / 64 - 1) * range);
    } else if (argument.fill.empty()) { // an output: what was there before
      bytes.append(tw_dtype_bytes(dtype), '\x11');
    } else {
      int64_t value = integerFor(argument, random);
      bytes.append(reinterpret_cast<const char *>(&value),
                   tw_dtype_bytes(dtype));
    }
  }
  return bytes;
}

std::string Launch::Array::content() const {
  return after.substr(guardBytes, after.size() - 2 * guardBytes);
}

bool Launch::Array::guardsAreIntact() const {
  for (uint64_t i = 0; i < guardBytes; ++i)
    if (static_cast<unsigned char>(after[i]) != guardByte ||
        static_cast<unsigned char>(after[after.size() - 1 - i]) != guardByte)
      return false;
  return true;
}

static void putScalar(char *at, const tw_parameter &parameter, double value) {
  std::string bytes;
  if (parameter.dtype == TW_DTYPE_F32 || parameter.dtype == TW_DTYPE_F64 ||
      parameter.dtype == TW_DTYPE_F16 || parameter.dtype == TW_DTYPE_BF16)
    putReal(bytes, parameter.dtype, value);
  else
    put(bytes, int64_t(value));
  std::memcpy(at, bytes.data(), parameter.bytes);
}

Launch::Launch(Session &session, const Case &given) : session(session) {
  const Compiled &artifact = session.artifact(given);
  const tw_runtime_table &runtime = session.launcher().runtime();
  Collector reports;
  int32_t status =
      runtime.module_load(session.device(), toStr(artifact.format),
                          {artifact.payload.data(), artifact.payload.size()},
                          reports.sink(), &module);
  expect(status == TW_OK && module, "module_load of '" + given.name +
                                        "' returned " + std::to_string(status) +
                                        ": " + reports.first);
  expect(!artifact.records.empty(), "'" + given.name + "' has no record");
  // The last variant is the general one.
  worker::Decoder decoder(artifact.records.back());
  tw_kernel_record record = {};
  visit(decoder, record);
  status = session.launcher().launch().prepare(module, &record, reports.sink(),
                                               &kernel);
  expect(status == TW_OK && kernel, "prepare of '" + given.name +
                                        "' returned " + std::to_string(status) +
                                        ": " + reports.first);
  block.assign(record.user_block_bytes, 0);
  deviceBlockBytes = record.device_block_bytes;
  size_t index = 0;
  for (uint64_t i = 0; i < record.parameter_count; ++i) {
    const tw_parameter &parameter = record.parameters[i];
    bool isPointer = parameter.kind == TW_PARAMETER_USER_POINTER;
    if (!isPointer && parameter.kind != TW_PARAMETER_USER_SCALAR)
      continue;
    expect(index < given.arguments.size() &&
               parameter.offset + parameter.bytes <= block.size(),
           "the record of '" + given.name +
               "' has other arguments than the "
               "kernel");
    const CaseArgument &argument = given.arguments[index++];
    char *at = block.data() + parameter.offset;
    if (!isPointer) {
      putScalar(at, parameter, argument.value);
      continue;
    }
    Array array;
    array.dtype = parameter.dtype;
    array.isOutput = argument.isOutput;
    std::string guard(guardBytes, char(guardByte));
    array.given = guard + makeContent(argument, parameter.dtype, index) + guard;
    array.after = array.given;
    status = runtime.memory_allocate(session.device(), array.given.size(), 64,
                                     &array.address);
    expect(status == TW_OK,
           "memory_allocate returned " + std::to_string(status));
    runtime.memory_copy(session.stream(), array.address,
                        uint64_t(uintptr_t(array.given.data())),
                        array.given.size(), TW_COPY_HOST_TO_DEVICE);
    runtime.stream_synchronize(session.stream(), nullptr);
    uint64_t address = array.address + guardBytes;
    std::memcpy(at, &address, sizeof address);
    arrays.push_back(std::move(array));
  }
}

Launch::~Launch() {
  const plugins::Plugin &plugin = session.launcher();
  for (Array &array : arrays)
    plugin.runtime().memory_free(session.device(), array.address);
  if (kernel)
    plugin.launch().kernel_destroy(kernel);
  if (module)
    plugin.runtime().module_unload(module);
}

int32_t Launch::run(tw_stream *stream, const void *extension,
                    const tw_dims *dims, uint32_t blockBytes) {
  static const tw_dims one = {1, 1, 1};
  return session.launcher().launch().launch(
      stream, kernel, dims ? dims : &one, block.data(),
      blockBytes == ~0u ? uint32_t(block.size()) : blockBytes, extension);
}

void Launch::finish(tw_stream *stream) {
  const tw_runtime_table &runtime = session.launcher().runtime();
  Collector reports;
  int32_t status = runtime.stream_synchronize(stream, reports.sink());
  expect(status == TW_OK, "stream_synchronize returned " +
                              std::to_string(status) + ": " + reports.first);
  for (Array &array : arrays) {
    status = runtime.memory_copy(stream, uint64_t(uintptr_t(&array.after[0])),
                                 array.address, array.after.size(),
                                 TW_COPY_DEVICE_TO_HOST);
    expect(status == TW_OK, "memory_copy returned " + std::to_string(status));
  }
  runtime.stream_synchronize(stream, nullptr);
}

} // namespace tilewright::conformance
