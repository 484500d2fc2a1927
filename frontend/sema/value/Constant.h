//===- Constant.h - Compile-time values from outside ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants as hosts hand them over: in signatures, as captured globals and as
// defaults of parameters. Plain data, without MLIR.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_CONSTANT_H
#define TILEWRIGHT_FRONTEND_SEMA_CONSTANT_H

#include "frontend/sema/value/BigInt.h"
#include "frontend/sema/value/DType.h"

#include <vector>

namespace tilewright::sema {

struct Constant {
  enum class Kind : uint8_t {
    None,
    Bool,
    Int,
    Float,
    Str,
    Tuple,
    Type,
    /// A function of a module: `text` is its name, `module` the module's name
    /// as the resolver knows it (empty: the kernel's own module).
    Function,
    /// A module by its dotted name.
    Module
  };
  Kind kind = Kind::None;
  bool boolean = false;
  BigInt integer;
  double number = 0.0;
  std::string text;
  std::string module;
  DType type;
  std::vector<Constant> elements;
  /// Tuple: names of its elements, `text` being that of its type.
  std::vector<std::string> fields;

  static Constant none() { return {}; }
  static Constant makeBool(bool value);
  static Constant makeInt(BigInt value);
  static Constant makeFloat(double value);
  static Constant makeStr(std::string value);
  static Constant makeType(DType value);
  static Constant makeTuple(std::vector<Constant> elements);
  static Constant makeFunction(std::string name, std::string module);
};

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_CONSTANT_H
