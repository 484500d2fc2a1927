//===- Gpu.cpp - A stand-in for a GPU's driver library ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports the functions of Cuda.def or Hip.def. Memory is the host's, copies
// are made, kernels are not run: each launch becomes a line of JSON in the file
// that TW_STANDIN_LOG names. TW_STANDIN_ARCH names the device's architecture,
// TW_STANDIN_INIT is what initialising gives, TW_STANDIN_FAILS lets every
// launch of a kernel that can fail do so.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/KernelABI.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

// Under the vendor's names what is defined below as standin_<member>.
#define EXPORTED(member, symbol)                                               \
  __asm__(".globl " #symbol "\n.type " #symbol ", @function\n.set " #symbol    \
          ", standin_" #member "\n");
#ifdef TW_STANDIN_HIP
#define HIP_FUNCTION EXPORTED
#define HIP_OWN EXPORTED
#define HIP_OPTIONAL EXPORTED
#include "backends/amd/driver/Hip.def"
static void *const launchEnd = reinterpret_cast<void *>(3);
#else
#define CUDA_FUNCTION EXPORTED
#define CUDA_OPTIONAL EXPORTED
#include "backends/nvidia/driver/Cuda.def"
static void *const launchEnd = nullptr;
#endif

using Status = int;
using Address = uint64_t;

[[maybe_unused]] static constexpr Status Success = 0, InvalidValue = 1,
                                         InvalidImage = 200, NotFound = 500;

namespace {
struct Module {
  std::string image;
  uint64_t failureSlot = 0;
};
struct Function {
  Module *module;
  std::string name;
};
} // namespace

static std::mutex mutex;
static std::map<Address, size_t> allocations;

static const char *setting(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

static void writeLine(const std::string &line) {
  const char *path = std::getenv("TW_STANDIN_LOG");
  if (!path)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (FILE *file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

static std::string hexadecimal(const void *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    uint8_t byte = static_cast<const uint8_t *>(bytes)[i];
    text += {digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

/// FNV-1a of a module's bytes: which module a launch was of.
static uint64_t digest(const std::string &bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

/// The size of a 64-bit ELF image ends with its table of sections.
static size_t elfBytes(const void *image) {
  auto *bytes = static_cast<const char *>(image);
  if (std::memcmp(bytes,
                  "\x7f"
                  "ELF",
                  4))
    return 0;
  uint64_t sections;
  uint16_t size, count;
  std::memcpy(&sections, bytes + 0x28, 8);
  std::memcpy(&size, bytes + 0x3a, 2);
  std::memcpy(&count, bytes + 0x3c, 2);
  return sections + size_t(size) * count;
}

extern "C" {

//===--- Start and devices ------------------------------------------------===//

Status standin_init(unsigned) {
  return std::atoi(setting("TW_STANDIN_INIT", "0"));
}
Status standin_driverGetVersion(int *version) {
  *version = 13000;
  return Success;
}
Status standin_deviceGetCount(int *count) {
  *count = 1;
  return Success;
}
Status standin_deviceGet(int *device, int ordinal) {
  *device = ordinal;
  return Success;
}
Status standin_deviceGetName(char *name, int bytes, int) {
  std::snprintf(name, bytes, "stand-in");
  return Success;
}
Status standin_deviceTotalMem(size_t *bytes, int) {
  *bytes = size_t(1) << 34;
  return Success;
}

//===--- Memory -----------------------------------------------------------===//

Status standin_memAlloc(Address *address, size_t bytes) {
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<Address>(memory);
  std::lock_guard<std::mutex> lock(mutex);
  allocations[*address] = bytes;
  return memory ? Success : 2;
}
Status standin_memFree(Address address) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!allocations.erase(address))
    return InvalidValue;
  std::free(reinterpret_cast<void *>(address));
  return Success;
}
Status standin_memAllocAsync(Address *address, size_t bytes, void *) {
  return standin_memAlloc(address, bytes);
}
Status standin_memFreeAsync(Address address, void *) {
  return standin_memFree(address);
}
Status standin_memHostAlloc(void **memory, size_t bytes, unsigned) {
  *memory = std::calloc(1, bytes);
  return Success;
}
Status standin_memFreeHost(void *memory) {
  std::free(memory);
  return Success;
}
Status standin_memHostRegister(void *, size_t, unsigned) { return Success; }
Status standin_memHostUnregister(void *) { return Success; }
Status standin_memHostGetDevicePointer(Address *address, void *memory,
                                       unsigned) {
  *address = reinterpret_cast<Address>(memory);
  return Success;
}
Status standin_memcpyHtoD(Address to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Success;
}
Status standin_memcpyDtoH(void *to, Address from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return Success;
}
Status standin_memcpyHtoDAsync(Address to, const void *from, size_t bytes,
                               void *) {
  return standin_memcpyHtoD(to, from, bytes);
}
Status standin_memcpyDtoHAsync(void *to, Address from, size_t bytes, void *) {
  return standin_memcpyDtoH(to, from, bytes);
}
Status standin_memcpyDtoDAsync(Address to, Address from, size_t bytes, void *) {
  return standin_memcpyHtoD(to, reinterpret_cast<void *>(from), bytes);
}
Status standin_memsetD8Async(Address to, unsigned char value, size_t count,
                             void *) {
  std::memset(reinterpret_cast<void *>(to), value, count);
  return Success;
}
Status standin_memsetD16Async(Address to, unsigned short value, size_t count,
                              void *) {
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<unsigned short *>(to)[i] = value;
  return Success;
}
Status standin_memsetD32Async(Address to, unsigned value, size_t count,
                              void *) {
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<unsigned *>(to)[i] = value;
  return Success;
}

//===--- Streams ----------------------------------------------------------===//

Status standin_streamCreate(void **stream, unsigned) {
  *stream = std::malloc(1);
  return Success;
}
Status standin_streamDestroy(void *stream) {
  std::free(stream);
  return Success;
}
Status standin_streamSynchronize(void *) { return Success; }
Status standin_streamWaitEvent(void *, void *, unsigned) { return Success; }
Status standin_threadExchangeCaptureMode(int *) { return Success; }
Status standin_eventCreate(void **event, unsigned) {
  *event = std::malloc(1);
  return Success;
}
Status standin_eventDestroy(void *event) {
  std::free(event);
  return Success;
}
Status standin_eventRecord(void *, void *) { return Success; }
Status standin_eventSynchronize(void *) { return Success; }
Status standin_eventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 1;
  return Success;
}

//===--- Modules and launches ---------------------------------------------===//

static Status loadImage(void **module, const void *image) {
  size_t bytes = elfBytes(image);
  if (!bytes) // PTX is text
    bytes = std::strlen(static_cast<const char *>(image));
  auto *made = new Module{std::string(static_cast<const char *>(image), bytes)};
  *module = made;
  return Success;
}
Status standin_moduleUnload(void *module) {
  delete static_cast<Module *>(module);
  return Success;
}
Status standin_moduleGetFunction(void **function, void *module,
                                 const char *name) {
  auto *from = static_cast<Module *>(module);
  if (from->image.find(name) == std::string::npos)
    return NotFound;
  *function = new Function{from, name};
  return Success;
}
Status standin_moduleGetGlobal(Address *address, size_t *bytes, void *module,
                               const char *name) {
  auto *from = static_cast<Module *>(module);
  if (from->image.find(name) == std::string::npos)
    return NotFound;
  *address = reinterpret_cast<Address>(&from->failureSlot);
  *bytes = sizeof from->failureSlot;
  return Success;
}
Status standin_functionGetAttribute(int *value, int, void *) {
  *value = 1024;
  return Success;
}
Status standin_occupancy(int *blocks, void *, int, size_t) {
  *blocks = 2;
  return Success;
}

/// As a kernel whose assertion does not hold.
static void fail(const Function &function) {
  auto *record =
      reinterpret_cast<tw_gpu_failure *>(function.module->failureSlot);
  if (!record || !std::getenv("TW_STANDIN_FAILS"))
    return;
  static const char text[] = "stands in for a failure";
  record->code = 6010;
  record->line = 7;
  record->message = reinterpret_cast<Address>(text);
  record->message_bytes = sizeof text - 1;
  record->state = 2;
}

static std::string list(unsigned x, unsigned y, unsigned z) {
  return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " +
         std::to_string(z) + "]";
}

Status standin_launchKernel(void *function, unsigned gridX, unsigned gridY,
                            unsigned gridZ, unsigned blockX, unsigned blockY,
                            unsigned blockZ, unsigned shared, void *,
                            void **parameters, void **extra) {
  if (parameters || !extra || extra[0] != reinterpret_cast<void *>(1) ||
      extra[2] != reinterpret_cast<void *>(2) || extra[4] != launchEnd)
    return InvalidValue;
  if (uint64_t(gridX) * blockX > 0xffffffff)
    return InvalidValue;
  auto *launched = static_cast<Function *>(function);
  size_t bytes = *static_cast<size_t *>(extra[3]);
  writeLine("{\"function\": \"" + launched->name + "\", \"module\": \"" +
            std::to_string(digest(launched->module->image)) +
            "\", \"grid\": " + list(gridX, gridY, gridZ) +
            ", \"block\": " + list(blockX, blockY, blockZ) +
            ", \"shared\": " + std::to_string(shared) + ", \"arguments\": \"" +
            hexadecimal(extra[1], bytes) + "\"}");
  fail(*launched);
  return Success;
}

//===--- One vendor's own -------------------------------------------------===//

#ifdef TW_STANDIN_HIP
/// Numbers of HIP's attributes, from its header of version 5.2.
Status standin_deviceGetAttribute(int *value, int attribute, int) {
  std::string arch = setting("TW_STANDIN_ARCH", "gfx942");
  static const std::map<int, int> values = {
      {29, 0x7fffffff}, {30, 65535}, {31, 65535}, {56, 1024},
      {63, 304},        {74, 65536}, {87, 64}};
  auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  if (attribute == 23)
    *value = std::atoi(arch.substr(3, arch.size() - 5).c_str());
  return Success;
}
const char *standin_getErrorName(Status status) {
  return status == 101 ? "hipErrorInvalidDevice" : "hipErrorOfTheStandIn";
}
const char *standin_getErrorString(Status) { return "an error"; }
static thread_local int currentDevice = 0;
Status standin_getDevice(int *device) {
  *device = currentDevice;
  return Success;
}
Status standin_setDevice(int device) {
  currentDevice = device;
  return device == 0 ? Success : 101;
}
Status standin_moduleLoadData(void **module, const void *image) {
  return elfBytes(image) ? loadImage(module, image) : InvalidImage;
}
/// The struct of version 6, whose architecture is 1,160 bytes in.
Status standin_getProperties6(void *properties, int) {
  auto *bytes = static_cast<char *>(properties);
  std::memset(bytes, 0, 1472);
  std::strcpy(bytes, "stand-in gfx000");
  std::string arch = setting("TW_STANDIN_ARCH", "gfx942");
  std::strcpy(bytes + 1160, (arch + ":sramecc+:xnack-").c_str());
  return Success;
}
/// The struct of version 5.
Status standin_getProperties(void *properties, int) {
  auto *bytes = static_cast<char *>(properties);
  std::memset(bytes, 0, 792);
  std::strcpy(bytes + 396, setting("TW_STANDIN_ARCH", "gfx942"));
  return Success;
}
#else
Status standin_deviceGetAttribute(int *value, int attribute, int) {
  static const std::map<int, int> values = {
      {1, 1024}, {5, 0x7fffffff}, {6, 65535}, {7, 65535},     {16, 132},
      {75, 9},   {76, 0},         {95, 1},    {97, 227 << 10}};
  auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  return Success;
}
Status standin_getErrorName(Status, const char **name) {
  *name = "CUDA_ERROR_OF_THE_STAND_IN";
  return Success;
}
Status standin_getErrorString(Status, const char **text) {
  *text = "an error";
  return Success;
}
Status standin_primaryContextRetain(void **context, int) {
  *context = &allocations;
  return Success;
}
Status standin_primaryContextRelease(int) { return Success; }
static thread_local void *currentContext = nullptr;
Status standin_contextGetCurrent(void **context) {
  *context = currentContext;
  return Success;
}
Status standin_contextSetCurrent(void *context) {
  currentContext = context;
  return Success;
}
Status standin_memsetD2D32Async(Address to, size_t pitch, unsigned value,
                                size_t width, size_t height, void *) {
  for (size_t row = 0; row < height; ++row)
    standin_memsetD32Async(to + row * pitch, value, width, nullptr);
  return Success;
}
Status standin_moduleLoadDataEx(void **module, const void *image, unsigned,
                                int *, void **) {
  return loadImage(module, image);
}
Status standin_functionSetAttribute(void *, int, int) { return Success; }
Status standin_functionLoad(void *) { return Success; }
Status standin_launchKernelEx(const void *, void *, void **, void **) {
  return InvalidValue;
}
Status standin_tensorMapEncodeTiled(void *, int, unsigned, void *,
                                    const uint64_t *, const uint64_t *,
                                    const uint32_t *, const uint32_t *, int,
                                    int, int, int) {
  return InvalidValue;
}
#endif

} // extern "C"
