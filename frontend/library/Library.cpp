//===- Library.cpp - The standard library's source --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of public names and the embedded text.
//===----------------------------------------------------------------------===//

#include "frontend/library/Library.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;

// Generated from the .py files: one raw string each.
#include "frontend/library/LibraryText.inc"

namespace {
struct LibraryFile {
  llvm::StringRef name;
  llvm::StringRef text;
  /// Whether its functions are reached through libdevice only.
  bool isDevice;
};
} // namespace

static llvm::ArrayRef<LibraryFile> files() {
  static const LibraryFile table[] = {{"bessel.py", besselText, true},
                                      {"bits.py", bitsText, true},
                                      {"libdevice.py", libdeviceText, true},
                                      {"random.py", randomText, false},
                                      {"sort.py", sortText, false},
                                      {"standard.py", standardText, false}};
  return table;
}

/// File of every function, by name.
static const llvm::StringMap<const LibraryFile *> &functions() {
  static const llvm::StringMap<const LibraryFile *> table = [] {
    llvm::StringMap<const LibraryFile *> result;
    for (const LibraryFile &file : files())
      for (llvm::StringRef line : llvm::split(file.text, '\n'))
        if (line.consume_front("def "))
          result.try_emplace(line.take_until([](char c) { return c == '('; }),
                             &file);
    return result;
  }();
  return table;
}

/// Names that start with '_' are for the library itself.
static llvm::StringRef fileOf(llvm::StringRef name, bool isDevice) {
  auto it = functions().find(name);
  bool fits = it != functions().end() && it->second->isDevice == isDevice &&
              (isDevice || !name.starts_with("_"));
  return fits ? it->second->name : "";
}

llvm::StringRef sema::libraryFileOf(llvm::StringRef name) {
  return fileOf(name, /*isDevice=*/false);
}

llvm::StringRef sema::deviceFileOf(llvm::StringRef name) {
  return fileOf(name, /*isDevice=*/true);
}

std::string_view sema::librarySource(llvm::StringRef file) {
  for (const LibraryFile &entry : files())
    if (entry.name == file)
      return entry.text;
  return "";
}

std::vector<std::string> sema::libraryNames(bool isDevice) {
  std::vector<std::string> result;
  for (const auto &entry : functions())
    if (entry.second->isDevice == isDevice && !entry.first().starts_with("_"))
      result.push_back(entry.first().str());
  llvm::sort(result);
  return result;
}

bool sema::isLibraryMethod(llvm::StringRef name) {
  static constexpr llvm::StringLiteral methods[] = {
      "flip", "ravel",   "sigmoid", "softmax",
      "sort", "squeeze", "topk",    "unsqueeze"};
  return llvm::is_contained(methods, name);
}

llvm::StringRef sema::alternativeFor(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"async_copy", "async_load", "local_alloc", "local_load"},
             "shared memory is managed by the compiler; use tl.load")
      .Cases({"experimental_descriptor_load", "_experimental_descriptor_load"},
             "use tl.make_tensor_descriptor and desc.load")
      .Cases(
          {"experimental_descriptor_store", "_experimental_descriptor_store"},
          "use tl.make_tensor_descriptor and desc.store")
      .Cases({"async_task", "async_tasks"},
             "warp specialisation is chosen by the compiler; use "
             "tl.range(..., warp_specialize=True)")
      .Cases({"parallel", "compile_hint", "insert_slice", "extract_slice",
              "get_element", "sync_block_all", "sync_block_set",
              "sync_block_wait"},
             "this belongs to the Ascend extension; use tl.range for loops, "
             "tl.hint for hints and pointers for parts of a tile")
      .Cases({"atomic_poll", "expect_zero"},
             "use a while loop around tl.atomic_add(p, 0) or tl.load(p, "
             "volatile=True)")
      .Cases({"nextafter", "tanh", "pow"},
             "use the function of libdevice: from triton.language.extra import "
             "libdevice")
      .Default("");
}

namespace {
/// A dialect beside the language that kernels in the wild are written in.
struct OutsideDialect {
  llvm::StringRef module;
  llvm::StringRef name;
  llvm::StringRef alternative;
};
} // namespace

static constexpr OutsideDialect outsideDialects[] = {
    {"tl.extra.tlx", "TLX",
     "shared memory, barriers and warp roles are placed by the compiler; write "
     "tl.load, tl.dot and tl.range(..., num_stages=n)"},
    {"tl.extra.tle", "TLE",
     "shared memory and copies are placed by the compiler; write tl.load and "
     "tl.store"},
    {"tl.extra.ascend", "the Ascend extension",
     "use tl.range for loops, tl.hint for hints and pointers for parts of a "
     "tile"},
    {"tl.extra.cann.extension", "the Ascend extension",
     "use tl.range for loops, tl.hint for hints and pointers for parts of a "
     "tile"},
    {"tl.extra.libshmem_device", "SHMEM",
     "a program reaches the memory of its own device; pass addresses of peers "
     "as integers, convert with tl.pointer_type and use atomics with "
     "scope='sys'"},
    {"triton.experimental.gluon", "Gluon",
     "layouts are chosen by the compiler; write the kernel with tl"},
    {"triton.experimental.tle", "TLE",
     "shared memory and copies are placed by the compiler; write tl.load and "
     "tl.store"},
    {"triton_dist", "SHMEM",
     "a program reaches the memory of its own device; pass addresses of peers "
     "as integers, convert with tl.pointer_type and use atomics with "
     "scope='sys'"}};

std::optional<std::pair<llvm::StringRef, llvm::StringRef>>
sema::outsideDialectOf(llvm::StringRef module) {
  for (const OutsideDialect &dialect : outsideDialects) {
    llvm::StringRef rest = module;
    if (rest.consume_front(dialect.module) &&
        (rest.empty() || rest.front() == '.'))
      return std::pair(dialect.name, dialect.alternative);
  }
  return std::nullopt;
}
