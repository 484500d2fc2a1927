//===- Interpreter.h - Kernel IR, executed directly -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the operations of a kernel, one program at a time, and computes every
// element as the dialect's text says. It shares no lowering with any backend:
// when both agree, two independent readings of the text agree.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_INTERPRETER_H
#define TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_INTERPRETER_H

#include "backends/reference/interpreter/Allocations.h"
#include "backends/reference/interpreter/Races.h"

#include "tilewright/extensions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <functional>
#include <unordered_map>

namespace tilewright::reference {

/// A run-time value: the bits of each element, row-major; a scalar has no
/// dimensions and one element. Bits above an element's width are zero. A view
/// holds its address, then sizes, then strides.
struct Tile {
  mlir::Type element;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<uint64_t> bits;

  int64_t size() const { return int64_t(bits.size()); }
  /// The element at `i`, or the only one of a scalar.
  uint64_t at(int64_t i) const { return bits[bits.size() == 1 ? 0 : i]; }
};

/// A tile of a type's shape and element type, all bits zero.
Tile makeTile(mlir::Type type);

/// What stops a launch; without a code, whoever follows its steps.
struct KernelError {
  uint32_t code = 0;
  std::string message;
  std::string file;
  uint32_t line = 0;
};

/// Writes where an operation stands in the source into an error.
void setPlace(mlir::Operation *op, KernelError &error);

/// One allocation that a kernel may touch.
struct Buffer {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

/// What a launch looks for, by option `check`.
struct Checks {
  bool bounds = false;   ///< accesses outside a buffer
  bool nan = false;      ///< elementwise operations that make NaN of numbers
  bool overflow = false; ///< signed overflow on the way to an address or mask
  bool races = false;    ///< programs that touch an element without order
  bool uninit = false;   ///< reads of memory that nothing has written
};

/// Parses "bounds,nan" and the like; nullopt if a word is not known.
std::optional<Checks> parseChecks(llvm::StringRef text);

/// The additions, subtractions and multiplications that may not overflow:
/// signed chains from ids, arguments and ranges to an address or a mask.
llvm::DenseSet<mlir::Operation *>
findAddressArithmetic(mlir::func::FuncOp kernel);

/// What a launch lends to its programs.
struct Environment {
  std::array<int64_t, 3> grid = {1, 1, 1};
  Checks checks;
  std::function<void(llvm::StringRef)> print;
  /// The buffer that holds an address; needed with Checks::bounds.
  std::function<std::optional<Buffer>(uint64_t)> findBuffer;
  /// Memory whose writes are tracked; needed with Checks::uninit.
  Allocations *allocations = nullptr;
  /// Made for each launch with Checks::races.
  RaceDetector *races = nullptr;
  /// Told of each step, if anyone follows them; false ends the launch.
  std::function<bool(const tw_trace_step &)> step;
};

class Interpreter;

/// Executes one operation; false after Interpreter::fail.
using Handler = bool (*)(Interpreter &, mlir::Operation *);
/// Computes one element of a result from one element of each operand.
using Element = std::function<uint64_t(const uint64_t *)>;
using ElementMaker = Element (*)(mlir::Operation *);

/// How operations execute, by name. Built once, then only read.
struct Semantics {
  llvm::StringMap<Handler> operations;
  llvm::StringMap<ElementMaker> elementwise;

  static const Semantics &get();
  bool knows(llvm::StringRef name) const {
    return operations.contains(name) || elementwise.contains(name);
  }
};

// One function a family of operations; each adds its rows.
void addIntegers(Semantics &semantics);
void addFloats(Semantics &semantics);
void addCasts(Semantics &semantics);
void addFunctions(Semantics &semantics);
void addShapes(Semantics &semantics);
void addReductions(Semantics &semantics);
void addProducts(Semantics &semantics);
void addControlFlow(Semantics &semantics);
void addMemory(Semantics &semantics);
void addAtomics(Semantics &semantics);
void addServices(Semantics &semantics);

/// Runs programs of one kernel.
class Interpreter {
public:
  Interpreter(mlir::func::FuncOp kernel, const Environment &environment)
      : environment(environment), kernel(kernel) {
    if (environment.checks.overflow)
      addressArithmetic = findAddressArithmetic(kernel);
  }

  /// Runs the program with these ids. False: `error` says why it stopped.
  bool run(llvm::ArrayRef<uint64_t> arguments, std::array<int64_t, 3> ids);

  const Tile &get(mlir::Value value) const {
    return values.find(value.getAsOpaquePointer())->second;
  }
  void set(mlir::Value value, Tile tile) {
    values[value.getAsOpaquePointer()] = std::move(tile);
  }
  /// The only element of a scalar, sign-extended.
  int64_t scalar(mlir::Value value) const;

  /// Runs all operations of a block but its terminator.
  bool run(mlir::Block &block);
  /// Copies, because a block's arguments may be among the values.
  std::vector<Tile> copy(mlir::ValueRange from) const;
  void assign(mlir::ValueRange to, std::vector<Tile> tiles);

  /// Stops the launch at `op`; always false.
  bool fail(mlir::Operation *op, uint32_t code, const llvm::Twine &message);

  /// Reads or writes one element of memory. `base` is the value the address
  /// was computed from, for messages.
  bool load(mlir::Operation *op, mlir::Value base, uint64_t address,
            mlir::Type element, Access access, uint64_t &bits);
  bool store(mlir::Operation *op, mlir::Value base, uint64_t address,
             mlir::Type element, uint64_t bits);
  /// Adds to the error of an access which element of the tile it is for, and
  /// the program; always false.
  bool failElement(llvm::ArrayRef<int64_t> position);
  /// The checks before and after an element of memory is touched.
  bool beginAccess(mlir::Operation *op, mlir::Value base, uint64_t address,
                   mlir::Type element, bool reads);
  bool endAccess(mlir::Operation *op, mlir::Value base, uint64_t address,
                 mlir::Type element, Access access);

  const Environment &environment;
  std::array<int64_t, 3> ids = {};
  KernelError error;

private:
  bool execute(mlir::Operation *op);
  bool executeElementwise(mlir::Operation *op, ElementMaker maker);
  /// With checks on: refuses what an element's operands came to.
  bool checkElement(mlir::Operation *op, llvm::ArrayRef<uint64_t> operands,
                    uint64_t result);
  /// With checks on: refuses an address outside the argument's buffer.
  bool checkBounds(mlir::Operation *op, mlir::Value base, uint64_t address,
                   mlir::Type element);
  bool failRace(mlir::Operation *op, const std::string &place, Access access,
                const AccessEvent &earlier);
  std::string nameOf(mlir::BlockArgument argument);
  std::string placeOf(mlir::Value base, uint64_t address, mlir::Type element);

  mlir::func::FuncOp kernel;
  llvm::DenseSet<mlir::Operation *> addressArithmetic;
  std::unordered_map<const void *, Tile> values; // references stay valid
};

/// On a print: the step of option `trace` that it reports (sema's Steps.cpp).
constexpr llvm::StringLiteral kStepAttr = "tw.opt.reference.step";
/// Tells Environment::step of it; nothing is printed.
bool reportStep(Interpreter &at, mlir::Operation *print,
                mlir::DictionaryAttr step);

/// Whether an operation's module asks for the same bits on every target.
bool isPortable(mlir::Operation *op);

/// Bytes of an element in memory: i1 takes one, pointers eight.
unsigned bytesOf(mlir::Type element);
/// Width in bits; pointers have 64.
unsigned widthOf(mlir::Type element);

inline uint64_t truncate(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}
inline int64_t signExtend(uint64_t bits, unsigned width) {
  return width >= 64 ? int64_t(bits)
                     : int64_t(bits << (64 - width)) >> (64 - width);
}

/// Codes that a running kernel may report, beside the services' own.
constexpr uint32_t kOutOfBounds = 6032, kBadStep = 6033, kMadeNaN = 6034,
                   kOverflow = 6035, kUnwritten = 6036, kRace = 6037;

} // namespace tilewright::reference

#endif // TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_INTERPRETER_H
