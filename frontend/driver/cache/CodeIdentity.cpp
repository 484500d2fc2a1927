//===- CodeIdentity.cpp - Which build is this? ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads build ids from files of the running process.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/CodeIdentity.h"
#include "frontend/driver/cache/Key.h"

#include "mlir/IR/Verifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <map>
#include <mutex>
#include <set>

#include <link.h>

namespace tilewright::driver::cache {

using llvm::StringRef;

static std::string readIdentity(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return {};
  auto binary = llvm::object::createBinary(**buffer);
  if (!binary) {
    llvm::consumeError(binary.takeError());
  } else if (auto *object =
                 llvm::dyn_cast<llvm::object::ObjectFile>(&**binary)) {
    llvm::object::BuildIDRef id = llvm::object::getBuildID(object);
    // Shorter ones are no digest of the content.
    if (id.size() >= 16)
      return llvm::toHex(id, /*LowerCase=*/true);
  }
  return digestOf((*buffer)->getBuffer());
}

std::string identityOfFile(const std::string &path) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] = known.try_emplace(path);
  if (isNew)
    it->second = readIdentity(path);
  return it->second;
}

/// Whether a loaded file holds this library, or the LLVM or MLIR that it calls.
/// Names do not tell: OpenCL's drivers bring an LLVM of their own.
static bool isCompilerFile(const dl_phdr_info &info) {
  const uintptr_t addresses[] = {
      reinterpret_cast<uintptr_t>(&identityOfCompiler),
      reinterpret_cast<uintptr_t>(&llvm::sys::getDefaultTargetTriple),
      reinterpret_cast<uintptr_t>(&mlir::verify)};
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_LOAD)
      continue;
    uintptr_t start = info.dlpi_addr + info.dlpi_phdr[i].p_vaddr;
    uintptr_t end = start + info.dlpi_phdr[i].p_memsz;
    if (llvm::any_of(addresses, [&](uintptr_t address) {
          return address >= start && address < end;
        }))
      return true;
  }
  return false;
}

std::string identityOfCompiler() {
  static const std::string identity = [] {
    std::set<std::string> files;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *list) {
          if (isCompilerFile(*info))
            static_cast<std::set<std::string> *>(list)->insert(
                *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
          return 0;
        },
        &files);
    std::set<std::string> identities;
    for (const std::string &file : files) {
      std::string found = identityOfFile(file);
      if (found.empty())
        return std::string();
      identities.insert(found);
    }
    return llvm::join(identities, " ");
  }();
  return identity;
}

} // namespace tilewright::driver::cache
