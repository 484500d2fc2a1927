//===- Fits.h - Does a kernel fit a target? -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles up to the point where resources are known, and looks for the nearest
// block sizes and options that fit where they do not.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_FITS_H
#define TILEWRIGHT_FRONTEND_DRIVER_FITS_H

#include "frontend/driver/CompileSession.h"

namespace tilewright::driver {

/// JSON of tw_compiler_fits, see compiler.h.
std::string describeFit(Backends &backends, const tw_compile_input &input);

/// The same signature with the integer constants of some names replaced:
/// ("n:i32, B=1024", {B: 512}) -> "n:i32, B=512".
std::string withConstants(const std::string &signature,
                          const std::map<std::string, int64_t> &values);

/// The constants of a signature that are powers of two from 16 on: block sizes.
std::map<std::string, int64_t> blockSizes(const std::string &signature);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_FITS_H
