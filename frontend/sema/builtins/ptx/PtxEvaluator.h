//===- PtxEvaluator.h - Evaluates PTX on tiles ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register holds a tile of bits (u16, u32, u64, or i1 for predicates); an
// instruction reads its operands as the types that its suffixes name. The
// meaning of instructions follows the PTX ISA manual; `.approx` functions are
// the accurate ones, and `.ftz` flushes nothing.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTX_PTXEVALUATOR_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTX_PTXEVALUATOR_H

#include "frontend/sema/Interpreter.h"

namespace tilewright::sema {

/// `mul.lo.s32 $0, a, 3;` as words.
struct PtxInstruction {
  llvm::StringRef text;
  llvm::StringRef guard; // the predicate of "@p", or empty
  bool isNegated = false;
  llvm::StringRef name;
  llvm::SmallVector<llvm::StringRef, 4> suffixes;
  llvm::SmallVector<llvm::StringRef, 4> operands;

  bool has(llvm::StringRef suffix) const {
    return llvm::is_contained(suffixes, suffix);
  }

  /// Whether all suffixes before the last `types` are words of `allowed`.
  bool hasOnly(unsigned types, llvm::StringRef allowed) const;
};

class PtxEvaluator {
public:
  PtxEvaluator(Interpreter &in, std::vector<int64_t> shape)
      : in(in), e(in.emitter), shape(std::move(shape)) {}

  std::string problem;
  std::map<std::string, Value> registers;
  /// Bits of the registers that are declared or stated by constraints.
  std::map<std::string, unsigned> widths;

  bool run(llvm::StringRef text);

private:
  bool step(llvm::StringRef statement);
  bool declare(llvm::StringRef declaration);
  bool statement(llvm::StringRef text);
  void closeScope();
  bool execute(const PtxInstruction &instruction);
  std::optional<std::vector<Value>> compute(const PtxInstruction &instruction);
  bool unsupported(const llvm::Twine &what) {
    if (problem.empty())
      problem = ("the instruction '" + what + "' is not recognised").str();
    return false;
  }

  Value read(llvm::StringRef operand, DType type);
  bool write(llvm::StringRef operand, Value value,
             const PtxInstruction &instruction);
  Value immediate(llvm::StringRef text, DType type);
  Value call(llvm::StringRef builtin, llvm::ArrayRef<Value> arguments);
  Value binary(ast::BinaryOperator op, Value a, Value b) {
    return e.binary(op, a, b);
  }
  Value u32(uint32_t value) {
    return e.constant(Value::integer(BigInt::fromUnsigned(value)), Scalar::U32,
                      shape);
  }
  Value shifted(Value value, unsigned count, bool isLeft);
  Value truncated(Value value, unsigned width);

  Value convert(const PtxInstruction &instruction);
  Value convertInt(Value value, DType to, const PtxInstruction &instruction);
  Value convertFloat(Value value, DType to, const PtxInstruction &instruction);
  Value convertTF32(const PtxInstruction &instruction);
  Value convertPair(const PtxInstruction &instruction, DType half);
  Value roundedToIntegral(Value value, const PtxInstruction &instruction);
  Value unary(llvm::StringRef name, DType type, Value a, bool isExact);
  Value extremum(Value a, Value b, bool isMax, bool propagatesNaN);
  Value clamped(Value value, const PtxInstruction &instruction);
  Value unclamped(const PtxInstruction &instruction, DType type);
  Value arithmetic(const PtxInstruction &instruction, DType type);
  Value multiply(const PtxInstruction &instruction, DType type, Value a,
                 Value b);
  Value bits(const PtxInstruction &instruction);
  Value permute(Value a, Value b, Value selector);
  Value lookup3(Value a, Value b, Value c, unsigned table);
  Value extractField(const PtxInstruction &instruction);
  Value insertField(const PtxInstruction &instruction);
  Value compare(const PtxInstruction &instruction);
  Value pairwise(const PtxInstruction &instruction, DType half);

  Interpreter &in;
  Emitter &e;
  std::vector<int64_t> shape;
  /// The names that each open pair of braces declares.
  std::vector<std::vector<std::string>> scopes{1};
};

/// The type that a suffix names: s32, f16, pred.
std::optional<DType> ptxType(llvm::StringRef suffix);

/// The element of a packed pair: f16x2, bf16x2, e4m3x2, e5m2x2.
std::optional<DType> ptxHalf(llvm::StringRef suffix);

/// Whether the instruction has only suffixes and as many operands as are
/// understood (PtxForms.cpp; of cvt PtxConversions.cpp looks at them).
bool isKnownPtx(const PtxInstruction &instruction);

/// The type of a register that holds values of a type.
DType registerType(DType type);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTX_PTXEVALUATOR_H
