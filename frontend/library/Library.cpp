//===- Library.cpp - The standard library's source --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of public names and the embedded text.
//===----------------------------------------------------------------------===//

#include "frontend/library/Library.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;

// Generated from the .py files: one raw string each.
#include "frontend/library/LibraryText.inc"

namespace {
struct Entry {
  llvm::StringRef name;
  llvm::StringRef file;
};
} // namespace

/// Functions of libdevice that are no operation of their own.
static constexpr llvm::StringLiteral deviceNames[] = {
    "cospi",   "erfcx",  "erfinv", "fdim",   "hypot", "ilogb",
    "j0",      "j1",     "ldexp",  "lgamma", "logb",  "nextafter",
    "normcdf", "rhypot", "scalbn", "sinpi",  "tgamma"};

static constexpr Entry entries[] = {{"bitonic_merge", "sort.py"},
                                    {"cdiv", "standard.py"},
                                    {"flip", "sort.py"},
                                    {"interleave", "standard.py"},
                                    {"pair_uniform_to_normal", "random.py"},
                                    {"philox", "random.py"},
                                    {"philox_impl", "random.py"},
                                    {"rand", "random.py"},
                                    {"rand4x", "random.py"},
                                    {"randint", "random.py"},
                                    {"randint4x", "random.py"},
                                    {"randn", "random.py"},
                                    {"randn4x", "random.py"},
                                    {"ravel", "standard.py"},
                                    {"sigmoid", "standard.py"},
                                    {"softmax", "standard.py"},
                                    {"sort", "sort.py"},
                                    {"squeeze", "standard.py"},
                                    {"swizzle2d", "standard.py"},
                                    {"topk", "sort.py"},
                                    {"uint_to_uniform_float", "random.py"},
                                    {"unsqueeze", "standard.py"},
                                    {"zeros", "standard.py"},
                                    {"zeros_like", "standard.py"}};

llvm::StringRef sema::libraryFileOf(llvm::StringRef name) {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.file;
  return "";
}

llvm::StringRef sema::deviceFileOf(llvm::StringRef name) {
  return llvm::is_contained(deviceNames, name) ? "libdevice.py" : "";
}

std::string_view sema::librarySource(llvm::StringRef file) {
  if (file == "standard.py")
    return standardText;
  if (file == "libdevice.py")
    return libdeviceText;
  if (file == "random.py")
    return randomText;
  return sortText;
}

llvm::ArrayRef<llvm::StringRef> sema::libraryNames() {
  static const std::vector<llvm::StringRef> names = [] {
    std::vector<llvm::StringRef> result;
    for (const Entry &entry : entries)
      result.push_back(entry.name);
    return result;
  }();
  return names;
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
      .Case("condition", "use while with a run-time condition")
      .Default("");
}
