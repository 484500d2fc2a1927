//===- Emitter.h - C text of one kernel -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel becomes one C function that runs one program. Scalars are variables,
// tiles are arrays in the program's frame, each operation on tiles is a loop;
// the system's compiler does the rest. One file for each family of operations.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEMPLATE_EMITTER_H
#define TILEWRIGHT_TEMPLATE_EMITTER_H

#include "tilewright/sdk/Target.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilewright::template_ {

using sdk::Op;
using sdk::Region;
using sdk::Type;
using sdk::Value;

/// `pattern` with $0 .. $9 replaced.
std::string fill(const char *pattern, const std::vector<std::string> &parts);
std::string text(int64_t number);

//===--- Types ------------------------------------------------------------===//

/// How a type is stored: small floats as their codes, pointers as addresses.
std::string storageType(const Type &type);
std::string unsignedType(const Type &type);
unsigned widthOf(uint32_t dtype); ///< bits; 1 for i1
uint64_t storageBytes(const Type &type);
/// A stored float as a float or double; and the other way.
std::string asNumber(const std::string &stored, uint32_t dtype);
std::string asStored(const std::string &number, uint32_t dtype);
/// What stores these bits of an element.
std::string constantText(uint64_t bits, uint32_t dtype);

//===--- The emitter ------------------------------------------------------===//

class Emitter {
public:
  explicit Emitter(const sdk::Request &request) : request(request) {}

  /// The function and the exported record of a kernel.
  std::string emitKernel(const Op &kernel, const std::string &symbol);
  std::vector<std::string> overridesUsed;

  // For the operation families below.
  void line(const char *pattern, const std::vector<std::string> &parts = {});
  void emitOps(const Region &region);
  /// The stored text of a scalar, or of element `index` of a tile.
  std::string element(const Value &value, const std::string &index) const;
  std::string name(const Value &value) const;
  /// Makes a result: a variable or an array in the frame.
  void declare(const Value &value);
  /// A result that is another value under its own name.
  void alias(const Value &value, const Value &same);
  /// A buffer in the frame that is no value.
  std::string temporary(const std::string &type, uint64_t bytes);
  void copy(const Value &from, const std::string &to);
  /// Opens a loop over each extent, with variables i0, i1, ...
  void openLoops(const std::vector<int64_t> &shape, const char *variable = "i");
  void closeLoops(size_t count);
  /// The linear index of loop variables i0, i1, ...
  static std::string linear(const std::vector<int64_t> &shape,
                            const char *variable = "i");
  /// Assigns values to the arguments of a region of scalars, emits it and gives
  /// what it yields.
  std::vector<std::string> inlineRegion(const Region &region,
                                        const std::vector<std::string> &values);
  /// A number for a failure at an operation.
  std::string failure(const Op &op, uint32_t code, const std::string &message);
  std::string fresh(const char *stem) { return stem + text(++names); }

private:
  const sdk::Request &request;
  std::string body;
  std::string indent = "  ";
  std::map<const Value *, std::string> renamed;
  std::vector<std::string> failures;
  uint64_t frame = 0, frameMost = 0;
  uint64_t names = 0;

  void emitOp(const Op &op);
  void copyIn(const std::vector<const Value *> &values,
              const std::vector<std::string> &to, uint64_t first);
  void emitFor(const Op &op);
  void emitIf(const Op &op);
  void emitWhile(const Op &op);
  void emitElementwise(const Op &op);
  void emitArguments(const Op &kernel);
};

/// What one stored element of an elementwise operation is, given its operands';
/// empty for an operation that is none.
std::string elementwiseText(const Op &op,
                            const std::vector<std::string> &operands);

using EmitFunction = void (*)(Emitter &, const Op &);
/// The families, by TW_PORTABLE_OP_*.
using EmitTable = std::map<uint32_t, EmitFunction>;
void addMemory(EmitTable &table);
void addAtomics(EmitTable &table);
void addShapes(EmitTable &table);
void addReductions(EmitTable &table);
void addProducts(EmitTable &table);
void addServices(EmitTable &table);

/// Emits a claimed high-level op (Overrides.cpp); false if it is none.
bool emitOverride(Emitter &emitter, const Op &call);

/// Operations that this target does not have, with why.
extern const std::vector<sdk::Lacking> lackingOperations;

} // namespace tilewright::template_

#endif // TILEWRIGHT_TEMPLATE_EMITTER_H
