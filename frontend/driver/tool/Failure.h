//===- Failure.h - One coded error of the command line -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the command's own work (files, arguments, grids): a code of
// codes.def, a message and a next step. main() prints it and ends with 1.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_FAILURE_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_FAILURE_H

#include <stdexcept>
#include <string>

namespace tilewright::tool {

/// Thrown inside the tool only; never crosses a library boundary.
class Failure : public std::runtime_error {
public:
  Failure(unsigned code, const std::string &message, std::string hint = {})
      : std::runtime_error(message), code(code), hint(std::move(hint)) {}
  unsigned code;
  std::string hint;
};

/// The errors were printed already; only the exit status is left to give.
class AlreadyReported : public std::exception {};

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_FAILURE_H
