//===- BuildId.h - Which build of the plugin this is ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker's build id of this library, part of every cache key.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_BUILDID_H
#define TILEWRIGHT_BACKENDS_COMMON_BUILDID_H

namespace tilewright::backend {

/// Hexadecimal, or "unknown" when the library was linked without one. Lives as
/// long as the library.
const char *buildId();

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_BUILDID_H
