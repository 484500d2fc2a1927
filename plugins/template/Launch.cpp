//===- Launch.cpp - Modules, and LAUNCH -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A payload is a library that lives in memory only. Programs run one after the
// other in the thread that launches, so a launch has ended when it returns.
//===----------------------------------------------------------------------===//
#include "Payload.h"
#include "TemplatePlugin.h"

#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

using tilewright::template_::Stream;

struct tw_module {
  int file = -1;
  void *library = nullptr;

  ~tw_module() {
    if (library)
      dlclose(library);
    if (file >= 0)
      close(file);
  }
};

struct tw_kernel {
  const template_kernel *code;
  uint32_t blockBytes;
};

namespace tilewright::template_ {

static int32_t refuse(const tw_sink *sink, uint32_t code,
                      const std::string &message) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(),
          "compile the kernel again for target template");
  return TW_E_DIAGNOSED;
}

//===--- Modules ----------------------------------------------------------===//

std::string compatText() {
  utsname machine;
  return std::string(kPayloadFormat) + " " + std::to_string(TEMPLATE_ABI) +
         (uname(&machine) == 0 ? " " + std::string(machine.machine) : "");
}

int32_t gradeArtifact(tw_device *, tw_str format, tw_str compat,
                      uint32_t *grade) {
  return host::keepInside([&] {
    bool runs = tw_str_equal(format, tw_string(kPayloadFormat)) &&
                tw_str_equal(compat, tw_string(compatText().c_str()));
    *grade = runs ? TW_GRADE_OPTIMAL : TW_GRADE_UNUSABLE;
    return TW_OK;
  });
}

/// Loads a library from bytes, as a file that has no name but its descriptor's.
/// The loader takes a path that it knows for the library that it knows: the
/// descriptor stays open as long as the library, so that no other one gets it.
static bool loadLibrary(std::string_view bytes, tw_module &module) {
  module.file = memfd_create("tilewright-template", MFD_CLOEXEC);
  if (module.file < 0)
    return false;
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t size = write(module.file, bytes.data() + done, bytes.size() - done);
    if (size <= 0)
      return false;
    done += size;
  }
  std::string path = "/proc/self/fd/" + std::to_string(module.file);
  module.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return module.library != nullptr;
}

int32_t loadModule(tw_device *, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  return host::keepInside([&]() -> int32_t {
    if (!tw_str_equal(format, tw_string(kPayloadFormat)))
      return refuse(sink, 6011, "expected a payload of format template-so");
    std::string_view library = openPayload(
        {static_cast<const char *>(payload.data), size_t(payload.size)});
    if (library.empty())
      return refuse(sink, 6015, "the payload is damaged");
    auto loaded = std::make_unique<tw_module>();
    if (!loadLibrary(library, *loaded)) {
      const char *reason = dlerror();
      return refuse(sink, 6015, reason ? reason : "the payload does not load");
    }
    *module = loaded.release();
    return TW_OK;
  });
}

void unloadModule(tw_module *module) { delete module; }

//===--- Launch -----------------------------------------------------------===//

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  return host::keepInside([&]() -> int32_t {
    tw_kernel_record record;
    if (int32_t status = tw_read_struct(&record, sizeof record, given))
      return status;
    tw_str name = record.symbol.size ? record.symbol : record.name;
    std::string symbol(name.data, name.size);
    auto *code = static_cast<const template_kernel *>(
        dlsym(module->library, symbol.c_str()));
    if (!code)
      return refuse(sink, 6020, "the payload has no kernel '" + symbol + "'");
    if (code->frame_bytes > kFrameBytes)
      return refuse(sink, 6020,
                    "expected tiles of at most " + std::to_string(kFrameBytes) +
                        " bytes, got " + std::to_string(code->frame_bytes));
    *kernel = new tw_kernel{code, record.user_block_bytes};
    return TW_OK;
  });
}

static void destroyKernel(tw_kernel *kernel) { delete kernel; }

/// Runs all programs, x fastest; the first one that fails stops the launch.
static void runPrograms(Stream &stream, const tw_kernel &kernel,
                        const tw_dims &dims, const void *args) {
  template_launch launch = {};
  launch.args = static_cast<const unsigned char *>(args);
  launch.frame = stream.frame;
  launch.grid[0] = int32_t(dims.x);
  launch.grid[1] = int32_t(dims.y);
  launch.grid[2] = int32_t(dims.z);
  if (stream.printer) {
    launch.print_ctx = stream.printer->ctx;
    launch.print = stream.printer->write;
  }
  int32_t *at = launch.program;
  for (at[2] = 0; at[2] < dims.z; ++at[2])
    for (at[1] = 0; at[1] < dims.y; ++at[1])
      for (at[0] = 0; at[0] < dims.x; ++at[0])
        if (uint32_t number = kernel.code->run(&launch)) {
          const template_failure &why = kernel.code->failures[number - 1];
          stream.error.set(why.code, why.message, why.file, why.line);
          return;
        }
}

static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  if (int32_t status =
          host::checkLaunch(stream, kernel->blockBytes, *dims, argsSize, ext))
    return status;
  runPrograms(*static_cast<Stream *>(stream), *kernel, *dims, args);
  return TW_OK;
}

/// There is one block: programs read the user's.
static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *, const void *args,
                          uint32_t argsSize, void *device, uint32_t capacity,
                          uint32_t *written) {
  return host::encodeBlock(args, argsSize, kernel->blockBytes, device, capacity,
                           written);
}

const tw_launch_table launchTable = {
    sizeof(tw_launch_table),  0, prepare, destroyKernel, launch, encodeArgs,
    /*kernel_native=*/nullptr};

} // namespace tilewright::template_
