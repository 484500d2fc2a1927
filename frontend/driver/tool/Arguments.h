//===- Arguments.h - Values for a kernel's parameters -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses `--arg NAME=VALUE`, makes the arrays, and specialises the signature
// from the values as a launch would.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_ARGUMENTS_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_ARGUMENTS_H

#include "frontend/driver/tool/Session.h"
#include "frontend/driver/tool/arrays/Array.h"

#include "tilewright/runtime.h"

#include <map>
#include <optional>

namespace tilewright::tool {

/// What one parameter is bound to.
struct Binding {
  enum class Kind { Array, Integer, Float, Bool, Constant } kind;
  std::string name;
  std::optional<Array> array;
  bool isFilled = true; // false for an array of a shape only
  bool isExtra = false; // no parameter: reached through a table of addresses
  std::vector<std::string> addressesOf; // the array is such a table
  int64_t integer = 0;
  bool isUnsigned64 = false; // `integer` holds the bits of a u64
  double number = 0;
  std::string text; // of a constant, as it goes into the signature
  std::string type; // from --sig, empty if not said
};

class Arguments {
public:
  /// Binds every parameter; refuses unknown, missing and repeated names and
  /// values that do not fit a type given in `signature`. Throws Failure.
  Arguments(const KernelInfo &kernel, const std::vector<std::string> &values,
            const std::string &signature);

  /// Adds arrays that are no parameters, NAME=VALUE; an argument of the form
  /// `i64[2]~addresses(NAME, NAME)` gets their addresses at each launch. Throws
  /// Failure.
  void addExtras(const std::vector<std::string> &values);

  /// "x:*fp32[:16], n:i32[:16], BLOCK=1024".
  std::string signature() const;
  /// Integer values by name, for grids.
  std::map<std::string, int64_t> integers() const;
  Array *findArray(const std::string &name);
  std::vector<Binding> &bindings() { return list; }
  const std::vector<Binding> &bindings() const { return list; }

private:
  Binding bind(const ParameterInfo &parameter, const std::string &value,
               const std::string &type);
  void bindNumber(Binding &binding, const std::string &value);

  std::vector<Binding> list;
};

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_ARGUMENTS_H
