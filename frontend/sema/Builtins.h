//===- Builtins.h - The table of built-in functions -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in functions declare their parameters as Python would; binding of
// positional and keyword arguments, defaults and arity errors are the same for
// all. One file per family registers its rows (folder builtins/).
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_H

#include "frontend/sema/value/Value.h"
#include "llvm/ADT/StringMap.h"

#include <deque>

namespace tilewright::sema {

class Interpreter;

struct BuiltinParameter {
  std::string name;
  bool hasDefault = false;
  /// `*name`: takes all further positional arguments as a tuple.
  bool isVariadic = false;
  Value defaultValue;
};

/// The arguments of one call, bound to the parameters in order.
struct CallArgs {
  const Builtin *builtin = nullptr;
  llvm::SmallVector<Value, 8> values;
  /// Where each argument is written; the call itself for defaults.
  llvm::SmallVector<syntax::SourceRange, 8> ranges;
  syntax::SourceRange range;

  const Value &operator[](llvm::StringRef name) const;
  /// The range of an argument, for errors.
  syntax::SourceRange rangeOf(llvm::StringRef name) const;
};

struct Builtin {
  /// Canonical name: "tl.load", "libdevice.tanh", "py.min", "math.sqrt".
  llvm::StringRef name;
  std::vector<BuiltinParameter> parameters;
  Value (*emit)(Interpreter &, CallArgs &) = nullptr;
  /// Callable as `x.name(...)` on a tensor.
  bool isMethod = false;
  /// Takes `math=`: the maths mode of this call.
  bool takesMathMode = false;
  /// Distinguishes rows that share one emit function.
  int64_t variant = 0;
};

class BuiltinTable {
public:
  /// `parameters` is written as in Python: "pointer, mask=None, *rest".
  Builtin &add(llvm::StringRef name, llvm::StringRef parameters,
               Value (*emit)(Interpreter &, CallArgs &));
  /// The same function under a second name.
  void alias(llvm::StringRef name, llvm::StringRef existing);
  const Builtin *find(llvm::StringRef name) const;
  /// A function that may be called as a method of a tensor.
  const Builtin *findMethod(llvm::StringRef name) const;
  /// All names below a prefix such as "tl.", without it; sorted.
  std::vector<std::string> namesUnder(llvm::StringRef prefix) const;

private:
  std::deque<Builtin> storage;
  llvm::StringMap<const Builtin *> byName;
};

/// The table, built on first use.
const BuiltinTable &builtinTable();

/// Answers `dtype.is_floating()` and its like; nullopt for other names.
std::optional<bool> queryType(DType type, llvm::ArrayRef<int64_t> shape,
                              llvm::StringRef name);

/// Emits a descriptor over i64 shape and strides.
Value makeDescriptor(class Emitter &emitter, const Value &base,
                     std::vector<Value> shape, std::vector<Value> strides,
                     llvm::ArrayRef<int64_t> block, bool padsWithNaN);

void registerMemory(BuiltinTable &table);
void registerAtomics(BuiltinTable &table);
void registerMapElementwise(BuiltinTable &table);
void registerMath(BuiltinTable &table);
void registerLibdevice(BuiltinTable &table);
void registerReductions(BuiltinTable &table);
void registerShapes(BuiltinTable &table);
void registerDot(BuiltinTable &table);
void registerControl(BuiltinTable &table);
void registerCreation(BuiltinTable &table);
void registerCasts(BuiltinTable &table);
void registerDescriptors(BuiltinTable &table);
void registerBlockPointers(BuiltinTable &table);
void registerPython(BuiltinTable &table);
void registerRecords(BuiltinTable &table);
void registerTargets(BuiltinTable &table);
void registerInlineAsm(BuiltinTable &table);
void registerVersions(BuiltinTable &table);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_H
