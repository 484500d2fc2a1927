//===- PtxEvaluator.h - Evaluates PTX on tiles ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register holds a tile of bits (u16, u32, u64, or i1 for predicates); an
// instruction reads its operands as the types that its suffixes name. The
// meaning of instructions follows the PTX ISA manual; `.approx` functions are
// the accurate ones.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTXEVALUATOR_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTXEVALUATOR_H

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
};

class PtxEvaluator {
public:
  PtxEvaluator(Interpreter &in, std::vector<int64_t> shape)
      : in(in), e(in.emitter), shape(std::move(shape)) {}

  std::string problem;
  std::map<std::string, Value> registers;

  bool run(llvm::StringRef text);

private:
  bool step(llvm::StringRef statement);
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
  Value convertFloat(Value value, DType to, const PtxInstruction &instruction);
  Value unary(llvm::StringRef name, DType type, Value a,
              const PtxInstruction &);
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
};

/// The type of a register that holds values of a type.
DType registerType(DType type);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTXEVALUATOR_H
