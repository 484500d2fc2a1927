//===- Recording.h - Inputs and outputs of rows on disk ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--save` keeps and `--compare` reads: FOLDER/ROW/TARGET/ARRAY.npy and a
// record of what went in, so that machines that never meet compare results.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_RECORDING_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_RECORDING_H

#include "frontend/driver/tool/Arguments.h"
#include "frontend/driver/tool/verify/Comparison.h"

namespace tilewright::tool::verify {

/// Of source, grid, options, mode and all argument values.
std::string hashInputs(const std::string &source, const Row &row,
                       const Arguments &inputs);

/// Throws Failure 7033 unless type (as stored) and shape are equal; gives
/// `wanted` the element type of `got`.
void requireSameShape(const std::string &name, const std::string &path,
                      Array &wanted, const Array &got);

/// Keeps all arrays as they are after the launch, and removes those of other
/// inputs.
void saveArrays(const std::string &folder, const Row &row,
                const Arguments &written, const std::string &target);

/// Adds a comparison of each array for each target that the folder has of this
/// row. Throws Failure 7034 where it has none, lacks an array or is of other
/// inputs.
void compareWithSaved(const std::string &folder, const Row &row,
                      const Arguments &written, const Tolerance &rule,
                      Cell &cell);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_RECORDING_H
