//===- JitLink.cpp - NVIDIA's linker as an assembler ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Own prototypes after "nvJitLink" in the CUDA documentation; the unversioned
// symbols that the library has exported since CUDA 12.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/JitLink.h"

#include <dlfcn.h>

using llvm::StringRef;

namespace tilewright::nvidia {

static constexpr uint32_t kAssemblerFailed = 4112;
static constexpr int kPtxInput = 2; // NVJITLINK_INPUT_PTX

bool JitLink::load(void *library) {
  bool isComplete = true;
  auto find = [&](auto &member, const char *name) {
    member =
        reinterpret_cast<std::decay_t<decltype(member)>>(dlsym(library, name));
    isComplete &= member != nullptr;
  };
  find(create, "nvJitLinkCreate");
  find(destroy, "nvJitLinkDestroy");
  find(addData, "nvJitLinkAddData");
  find(complete, "nvJitLinkComplete");
  find(cubinBytes, "nvJitLinkGetLinkedCubinSize");
  find(cubin, "nvJitLinkGetLinkedCubin");
  find(errorBytes, "nvJitLinkGetErrorLogSize");
  find(errors, "nvJitLinkGetErrorLog");
  find(infoBytes, "nvJitLinkGetInfoLogSize");
  find(infos, "nvJitLinkGetInfoLog");
  return isComplete;
}

const JitLink *JitLink::open() {
  static const std::optional<JitLink> opened = []() -> std::optional<JitLink> {
    for (unsigned version : {13u, 12u})
      for (StringRef folder : {"", "/usr/local/cuda/lib64/"}) {
        std::string path =
            folder.str() + "libnvJitLink.so." + std::to_string(version);
        void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        JitLink link;
        link.major = version;
        if (library && link.load(library))
          return link;
      }
    return std::nullopt;
  }();
  return opened ? &*opened : nullptr;
}

std::string JitLink::name() const {
  return "nvjitlink " + std::to_string(major);
}

std::optional<Assembled> JitLink::assemble(StringRef ptx, const Target &target,
                                           const AssemblerOptions &options,
                                           Report &report) const {
  std::string arch = "-arch=" + target.processor;
  std::string level = "-O" + std::to_string(options.level);
  const char *flags[] = {arch.c_str(), level.c_str(), "-verbose"};
  std::string text = ptx.str();
  Link *link = nullptr;
  bool isDone =
      create(&link, 3, flags) == 0 &&
      addData(link, kPtxInput, text.c_str(), text.size() + 1, "kernel") == 0 &&
      complete(link) == 0;
  auto readLog = [&](auto size, auto get) {
    size_t bytes = 0;
    std::string log;
    if (link && size(link, &bytes) == 0 && bytes) {
      log.resize(bytes);
      get(link, log.data());
      log.resize(log.find('\0') == std::string::npos ? bytes : log.find('\0'));
    }
    return log;
  };
  Assembled assembled;
  assembled.tool = name();
  assembled.log = readLog(infoBytes, infos);
  size_t bytes = 0;
  if (isDone && cubinBytes(link, &bytes) == 0) {
    assembled.cubin.resize(bytes);
    isDone = cubin(link, assembled.cubin.data()) == 0;
  }
  if (!isDone)
    report.error(kAssemblerFailed,
                 "libnvJitLink refuses the code: " +
                     readLog(errorBytes, errors),
                 "report this kernel, or use --opt assembler=none");
  if (link)
    destroy(&link);
  if (!isDone)
    return std::nullopt;
  readResources(assembled.log, assembled);
  return assembled;
}

} // namespace tilewright::nvidia
