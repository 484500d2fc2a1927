//===- Tree.h - Kernel IR in memory -----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What portable.c reads, as a tree of operations for backends that have no
// MLIR: C++17 and the standard library. docs/kernel-ir.md says what operations
// mean.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_TREE_H
#define TILEWRIGHT_SDK_TREE_H

#include "tilewright/portable.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::sdk {

struct Type {
  uint32_t kind = 0;    ///< TW_PORTABLE_TYPE_*
  uint32_t element = 0; ///< TW_DTYPE_*; of pointers the pointee
  uint32_t rank = 0;    ///< of views, which have no shape
  std::vector<int64_t> shape;

  bool isTensor() const { return kind >= TW_PORTABLE_TYPE_TENSOR; }
  bool isPointer() const {
    return kind == TW_PORTABLE_TYPE_POINTER ||
           kind == TW_PORTABLE_TYPE_POINTERS;
  }
  bool isFloat() const {
    return !isPointer() && element >= TW_DTYPE_F16 &&
           element <= TW_DTYPE_F8E5B16;
  }
  int64_t count() const; ///< elements, 1 for scalars
};

struct Op;

/// A result or an argument of a region.
struct Value {
  const Type *type = nullptr;
  const Op *producer = nullptr; ///< null for arguments of regions
  uint32_t number = 0;          ///< its own, within the module
};

/// An attribute, an entry of a dictionary or of a list; see tw_portable_attr.
struct Attribute {
  uint32_t id = 0;
  uint32_t kind = 0;
  uint32_t element = 0;
  int64_t number = 0; ///< bits of floats and constants
  std::string name;   ///< of an entry of a dictionary
  std::string text;
  std::vector<int64_t> numbers;
  std::vector<Attribute> entries;
};

struct Region {
  bool isPresent = false;
  std::vector<const Value *> arguments;
  std::vector<std::vector<Attribute>> argumentAttributes;
  std::vector<std::unique_ptr<Op>> ops;

  const Op &last() const { return *ops.back(); }
};

struct Op {
  uint32_t id = 0; ///< TW_PORTABLE_OP_*
  uint32_t location = 0;
  std::vector<const Value *> operands;
  std::vector<uint32_t> segments; ///< operands of each slot
  std::vector<const Value *> results;
  std::vector<Attribute> attributes;
  std::vector<Region> regions; ///< by position in the table

  const char *name() const;
  const Value &operand(unsigned i) const { return *operands[i]; }
  const Value &result() const { return *results[0]; }
  /// The operands of one slot of the table.
  std::vector<const Value *> slot(unsigned index) const;
  /// The operand of a slot that may be absent, or null.
  const Value *optional(unsigned index) const;
  const Attribute *find(uint32_t id) const;
  bool has(uint32_t id) const { return find(id) != nullptr; }
  int64_t number(uint32_t id, int64_t otherwise = 0) const;
  std::string text(uint32_t id) const;
  const std::vector<int64_t> &numbers(uint32_t id) const;
};

/// A place in the user's source.
struct Place {
  std::string file, function;
  uint32_t line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// A module; types and values live as long as it.
struct Module {
  std::deque<Type> types;
  std::deque<Value> values;
  std::unique_ptr<Op> top;

  /// Where a location is, the innermost call first; empty if it is not known.
  std::vector<Place> placesOf(uint32_t location) const;

  struct Location : tw_portable_location {
    std::vector<uint32_t> parts;
  };
  std::vector<std::string> texts;
  std::vector<Location> locations;
};

/// Reads IR of form tw.portable. An empty result comes with why in `error`.
std::unique_ptr<Module> readTree(tw_bytes ir, std::string &error);

} // namespace tilewright::sdk

#endif // TILEWRIGHT_SDK_TREE_H
