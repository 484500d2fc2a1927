//===- Signature.h - The signature grammar ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x:*fp16[:16], n:i32, BLOCK=128`: what a host says about a kernel's
// parameters. Shared by the driver and the Python host.
//
//   signature  := [entry ("," entry)* [","]]
//   entry      := name (":" type | "=" constant)
//   type       := ["*"+ ["k"]] scalar facts? | [name] "(" element, ... ")"
//               | "tensordesc<" scalar "[" int, ... "]" [",nan"] ">" facts?
//   element    := [name ":"] type | [name] "=" constant
//   facts      := "[" value | [":" divisibility] [","] ["disjoint"] "]"
//   constant   := number | True | False | None | string | dtype
//               | "(" constant, ... ")" | "[" constant, ... "]"
//               | name "(" name "=" constant, ... ")"
//               | function | module ":" function | module ":"
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_KERNEL_SIGNATURE_H
#define TILEWRIGHT_FRONTEND_SEMA_KERNEL_SIGNATURE_H

#include "frontend/sema/value/Constant.h"
#include "frontend/syntax/Diagnostic.h"

namespace tilewright::sema {

/// The type of one parameter with what is known about its value.
struct SignatureType {
  enum class Kind : uint8_t { Scalar, Tuple, Descriptor, Constant };
  Kind kind = Kind::Scalar;
  DType type;
  /// Descriptor: extents of the block.
  std::vector<int64_t> block;
  /// Descriptor: reads out of bounds give NaN rather than 0.
  bool padsWithNaN = false;
  /// Tuple.
  std::vector<SignatureType> elements;
  /// Tuple: names of its type and elements; empty when it has none.
  std::string name;
  std::vector<std::string> fields;
  /// Constant: an element that is known.
  Constant constant;
  /// Value (or, for pointers, address in bytes) is a multiple of this; 0 when
  /// nothing is known.
  int64_t divisibility = 0;
  /// The array overlaps no other argument that says so.
  bool isDisjoint = false;
  /// The value itself, folded into the kernel.
  std::optional<int64_t> value;

  /// As written in a signature.
  std::string str() const;
};

struct SignatureArg {
  std::string name;
  /// Either a run-time type or a constant.
  bool isConstant = false;
  SignatureType type;
  Constant constant;
};

/// Parses a signature. Errors carry the signature itself as their source file
/// (`fileName`), so that carets point into it; nullopt when there were any.
std::optional<std::vector<SignatureArg>>
parseSignature(llvm::StringRef text, syntax::DiagnosticSink &sink,
               std::string fileName = "<signature>");

/// Parses one constant; nullopt with an error in the sink.
std::optional<Constant> parseConstant(llvm::StringRef text,
                                      syntax::DiagnosticSink &sink,
                                      std::string fileName = "<constant>");

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_KERNEL_SIGNATURE_H
