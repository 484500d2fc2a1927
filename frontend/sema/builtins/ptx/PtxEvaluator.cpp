//===- PtxEvaluator.cpp - Evaluates PTX on tiles ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands first, then the families of instructions. PtxIdioms.cpp splits a
// text into instructions.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/ptx/PtxEvaluator.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using ast::CompareOperator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Types and operands
//===----------------------------------------------------------------------===//

std::optional<DType> sema::ptxType(StringRef suffix) {
  return llvm::StringSwitch<std::optional<DType>>(suffix)
      .Cases({"b16", "u16"}, DType(Scalar::U16))
      .Case("s16", DType(Scalar::I16))
      .Cases({"b32", "u32"}, DType(Scalar::U32))
      .Case("s32", DType(Scalar::I32))
      .Cases({"b64", "u64"}, DType(Scalar::U64))
      .Case("s64", DType(Scalar::I64))
      .Cases({"u8", "b8"}, DType(Scalar::U8))
      .Case("s8", DType(Scalar::I8))
      .Case("f16", DType(Scalar::FP16))
      .Case("bf16", DType(Scalar::BF16))
      .Case("f32", DType(Scalar::FP32))
      .Case("f64", DType(Scalar::FP64))
      .Case("pred", DType(Scalar::I1))
      .Default(std::nullopt);
}

std::optional<DType> sema::ptxHalf(StringRef suffix) {
  return llvm::StringSwitch<std::optional<DType>>(suffix)
      .Case("f16x2", DType(Scalar::FP16))
      .Case("bf16x2", DType(Scalar::BF16))
      .Case("e4m3x2", DType(Scalar::FP8E4NV))
      .Case("e5m2x2", DType(Scalar::FP8E5))
      .Default(std::nullopt);
}

DType sema::registerType(DType type) {
  return type.isBool()
             ? DType(Scalar::I1)
             : DType::integer(std::max(16u, unsigned(type.width())), false);
}

Value PtxEvaluator::immediate(StringRef text, DType type) {
  bool isFloatBits =
      text.starts_with_insensitive("0f") || text.starts_with_insensitive("0d");
  uint64_t raw;
  if (isFloatBits && !text.drop_front(2).getAsInteger(16, raw)) {
    DType bits = text[1] == 'f' || text[1] == 'F' ? Scalar::U32 : Scalar::U64;
    Value constant =
        e.constant(Value::integer(BigInt::fromUnsigned(raw)), bits, shape);
    return bits.width() == type.width() ? e.bitcast(constant, type) : Value();
  }
  bool isNegative = text.consume_front("-");
  text.consume_back("U");
  if (!text.getAsInteger(0, raw)) {
    BigInt value = BigInt::fromUnsigned(raw);
    Value wide = e.constant(Value::integer(isNegative ? -value : value),
                            raw >> 63 ? Scalar::U64 : Scalar::I64, shape);
    return e.cast(wide, type);
  }
  double real;
  if (type.isFloat() && !text.getAsDouble(real))
    return e.cast(e.constant(Value::number(isNegative ? -real : real),
                             Scalar::FP64, shape),
                  type);
  return Value::error();
}

/// An operand as a value of a type; a braced list joins 16-bit parts.
Value PtxEvaluator::read(StringRef operand, DType type) {
  if (operand.consume_front("{") && operand.consume_back("}")) {
    llvm::SmallVector<StringRef> parts;
    operand.split(parts, ',');
    unsigned width = type.width() / parts.size();
    Value joined;
    for (size_t i = 0; i < parts.size(); ++i) {
      Value part = read(parts[i].trim(), DType::integer(width, false));
      if (part.isError())
        return part;
      part =
          shifted(e.cast(part, registerType(type)), i * width, /*isLeft=*/true);
      joined = i ? binary(BinaryOperator::BitOr, joined, part) : part;
    }
    return e.bitcast(joined, type);
  }
  auto it = registers.find(operand.str());
  if (it == registers.end())
    return immediate(operand, type);
  Value value = it->second;
  if (type.isBool())
    return value;
  DType bits = DType::integer(type.width(), false);
  if (value.dtype().width() != bits.width())
    value = e.cast(value, bits);
  return e.bitcast(value, type);
}

/// Writes under the instruction's guard; registers keep bits.
bool PtxEvaluator::write(StringRef operand, Value value,
                         const PtxInstruction &instruction) {
  if (value.isError())
    return unsupported(instruction.text);
  if (operand.consume_front("{") && operand.consume_back("}")) {
    llvm::SmallVector<StringRef> parts;
    operand.split(parts, ',');
    unsigned width = value.dtype().width() / parts.size();
    value = e.bitcast(value, registerType(value.dtype()));
    for (size_t i = 0; i < parts.size(); ++i)
      if (!write(parts[i].trim(),
                 e.cast(shifted(value, i * width, /*isLeft=*/false),
                        DType::integer(width, false)),
                 instruction))
        return false;
    return true;
  }
  if (!value.dtype().isBool()) {
    value = e.bitcast(value, DType::integer(value.dtype().width(), false));
    value = e.cast(value, registerType(value.dtype()));
  }
  if (!instruction.guard.empty()) {
    auto guard = registers.find(instruction.guard.str());
    if (guard == registers.end() || !guard->second.dtype().isBool())
      return unsupported(instruction.text);
    // A register without a value holds any; a narrow write clears the rest.
    auto found = registers.find(operand.str());
    Value old = found == registers.end() ? e.cast(u32(0), value.dtype())
                                         : found->second;
    if (old.dtype().isBool() != value.dtype().isBool())
      return unsupported(instruction.text);
    if (old.dtype().width() < value.dtype().width())
      old = e.cast(old, value.dtype());
    else
      value = e.cast(value, old.dtype());
    value = instruction.isNegated ? e.select(guard->second, old, value)
                                  : e.select(guard->second, value, old);
  }
  registers[operand.str()] = value;
  return true;
}

Value PtxEvaluator::call(StringRef builtin, llvm::ArrayRef<Value> arguments) {
  return in.callValue(Value::builtin(builtinTable().find(builtin)), arguments);
}

Value PtxEvaluator::shifted(Value value, unsigned count, bool isLeft) {
  if (count == 0)
    return value;
  return binary(isLeft ? BinaryOperator::LShift : BinaryOperator::RShift, value,
                e.constantInt(count, value.dtype(), shape));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Functions of one float operand; 16-bit floats are computed in fp32.
Value PtxEvaluator::unary(StringRef name, DType type, Value a, bool isExact) {
  if (a.isError())
    return a;
  if (name == "neg")
    return e.negate(a);
  if (name == "abs")
    return call("tl.abs", {a});
  if (!type.isFloat())
    return Value::error();
  StringRef builtin = llvm::StringSwitch<StringRef>(name)
                          .Case("ex2", "tl.exp2")
                          .Case("lg2", "tl.log2")
                          .Case("sin", "tl.sin")
                          .Case("cos", "tl.cos")
                          .Case("sqrt", isExact ? "tl.sqrt_rn" : "tl.sqrt")
                          .Case("rsqrt", "tl.rsqrt")
                          .Case("tanh", "libdevice.tanh")
                          .Case("rcp", "libdevice.rcp_rn")
                          .Default("");
  if (builtin.empty())
    return Value::error();
  Value wide = type.width() < 32 ? e.cast(a, Scalar::FP32) : a;
  return e.cast(call(builtin, {wide}), type);
}

/// mul and the product of mad: the low, the high or the whole result.
Value PtxEvaluator::multiply(const PtxInstruction &instruction, DType type,
                             Value a, Value b) {
  if (type.isFloat() || instruction.has("lo"))
    return binary(BinaryOperator::Mult, a, b);
  if (type.width() > 32)
    return Value::error();
  DType wide = DType::integer(2 * type.width(), type.isSigned());
  Value product =
      binary(BinaryOperator::Mult, e.cast(a, wide), e.cast(b, wide));
  if (instruction.has("wide"))
    return product;
  return instruction.has("hi")
             ? e.cast(shifted(product, type.width(), false), type)
             : Value::error();
}

Value PtxEvaluator::extremum(Value a, Value b, bool isMax, bool propagatesNaN) {
  DType type = a.dtype();
  if (!type.is(Scalar::BF16))
    return e.extremum(a, b, isMax, propagatesNaN);
  return e.cast(e.extremum(e.cast(a, Scalar::FP32), e.cast(b, Scalar::FP32),
                           isMax, propagatesNaN),
                type);
}

/// What `.relu` and, of floats, `.sat` make of a result.
Value PtxEvaluator::clamped(Value value, const PtxInstruction &instruction) {
  if (value.isError())
    return value;
  Value zero = e.cast(u32(0), value.dtype());
  // NaN stays NaN under relu, and saturates to 0.
  if (instruction.has("relu"))
    return extremum(value, zero, /*isMax=*/true, /*propagatesNaN=*/true);
  if (!instruction.has("sat"))
    return value;
  value = extremum(value, zero, /*isMax=*/true, /*propagatesNaN=*/false);
  return extremum(value, e.cast(u32(1), value.dtype()), /*isMax=*/false,
                  /*propagatesNaN=*/false);
}

Value PtxEvaluator::arithmetic(const PtxInstruction &instruction, DType type) {
  // A stated rounding is never lost in that of a fused sum.
  llvm::SaveAndRestore contract(e.contract,
                                e.contract && !instruction.has("rn"));
  return clamped(unclamped(instruction, type), instruction);
}

Value PtxEvaluator::unclamped(const PtxInstruction &instruction, DType type) {
  StringRef name = instruction.name;
  llvm::ArrayRef<StringRef> operands = instruction.operands;
  if (operands.size() == 2)
    return unary(name, type, read(operands[1], type), instruction.has("rn"));
  Value a = read(operands[1], type), b = read(operands[2], type);
  if (a.isError() || b.isError())
    return Value::error();
  if (name == "min" || name == "max") {
    return extremum(a, b, name == "max", instruction.has("NaN"));
  }
  if (name == "mul")
    return multiply(instruction, type, a, b);
  if (name == "mad" || name == "fma") {
    if (type.isFloat()) {
      Value c = read(operands[3], type);
      return c.isError() ? c : call("tl.fma", {a, b, c});
    }
    Value product = multiply(instruction, type, a, b);
    if (product.isError())
      return product;
    Value c = read(operands[3], product.dtype());
    return c.isError() ? c : binary(BinaryOperator::Add, product, c);
  }
  if (name == "div" && instruction.has("rn"))
    return call("libdevice.div_rn", {a, b});
  BinaryOperator op = llvm::StringSwitch<BinaryOperator>(name)
                          .Case("add", BinaryOperator::Add)
                          .Case("sub", BinaryOperator::Sub)
                          .Case("div", BinaryOperator::Div)
                          .Default(BinaryOperator::Mod);
  if (op == BinaryOperator::Div && type.isInt())
    op = BinaryOperator::FloorDiv;
  return e.cast(binary(op, a, b), type);
}

/// The same instruction on both halves of a register.
Value PtxEvaluator::pairwise(const PtxInstruction &instruction, DType half) {
  Value parts[2];
  for (unsigned side = 0; side < 2; ++side) {
    PtxEvaluator inner(in, shape);
    PtxInstruction single = instruction;
    single.suffixes.back() = half.is(Scalar::FP16) ? "f16" : "bf16";
    std::vector<std::string> names;
    for (size_t i = 0; i < instruction.operands.size(); ++i)
      names.push_back("p" + std::to_string(i));
    for (size_t i = 0; i < names.size(); ++i) {
      single.operands[i] = names[i];
      if (i == 0)
        continue;
      Value both = read(instruction.operands[i], Scalar::U32);
      if (both.isError())
        return both;
      inner.registers[names[i]] =
          e.cast(shifted(both, 16 * side, false), Scalar::U16);
    }
    Value result = inner.arithmetic(single, half);
    if (result.isError())
      return result;
    parts[side] = e.cast(e.bitcast(result, Scalar::U16), Scalar::U32);
  }
  return binary(BinaryOperator::BitOr, parts[0], shifted(parts[1], 16, true));
}

/// lop3: bit i of the result is bit (a_i << 2 | b_i << 1 | c_i) of the table.
Value PtxEvaluator::lookup3(Value a, Value b, Value c, unsigned table) {
  Value result;
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1))
      continue;
    Value term = row & 4 ? a : e.invert(a);
    term = binary(BinaryOperator::BitAnd, term, row & 2 ? b : e.invert(b));
    term = binary(BinaryOperator::BitAnd, term, row & 1 ? c : e.invert(c));
    result =
        result.isError() ? term : binary(BinaryOperator::BitOr, result, term);
  }
  return result.isError() ? u32(0) : result;
}

/// prmt: byte i of the result is one of the eight bytes of a and b, or copies
/// of its sign.
Value PtxEvaluator::permute(Value a, Value b, Value selector) {
  Value both = binary(BinaryOperator::BitOr, e.cast(a, Scalar::U64),
                      shifted(e.cast(b, Scalar::U64), 32, true));
  Value result = u32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value nibble = shifted(selector, 4 * i, false);
    Value index = binary(BinaryOperator::BitAnd, nibble, u32(7));
    Value count = e.cast(shifted(index, 3, true), Scalar::U64);
    Value byte =
        e.cast(binary(BinaryOperator::RShift, both, count), Scalar::I8);
    Value sign = binary(BinaryOperator::RShift, byte,
                        e.constantInt(7, Scalar::I8, shape));
    Value isSign =
        e.compare(CompareOperator::NotEq,
                  binary(BinaryOperator::BitAnd, nibble, u32(8)), u32(0));
    byte = e.bitcast(e.select(isSign, sign, byte), Scalar::U8);
    result = binary(BinaryOperator::BitOr, result,
                    shifted(e.cast(byte, Scalar::U32), 8 * i, true));
  }
  return result;
}

/// bfe: `length` bits from `position` on, extended by sign or zero.
Value PtxEvaluator::extractField(const PtxInstruction &instruction) {
  std::optional<DType> type = ptxType(instruction.suffixes.back());
  if (!type || type->width() != 32 || instruction.operands.size() != 4)
    return Value::error();
  Value value = e.cast(read(instruction.operands[1], *type),
                       DType::integer(64, type->isSigned()));
  Value position = read(instruction.operands[2], Scalar::U32);
  Value length = read(instruction.operands[3], Scalar::U32);
  if (value.isError() || position.isError() || length.isError())
    return Value::error();
  position = binary(BinaryOperator::BitAnd, position, u32(255));
  length = binary(BinaryOperator::BitAnd, length, u32(255));
  // The field's last bit becomes the top one; beyond the register its sign is.
  Value end = e.extremum(binary(BinaryOperator::Add, position, length), u32(64),
                         /*isMax=*/false, /*propagatesNaN=*/false);
  Value count =
      e.cast(binary(BinaryOperator::Sub, u32(64), end), value.dtype());
  value = binary(BinaryOperator::LShift, value, count);
  value = binary(BinaryOperator::RShift, value, count);
  value =
      binary(BinaryOperator::RShift, value, e.cast(position, value.dtype()));
  Value isEmpty = e.compare(CompareOperator::Eq, length, u32(0));
  return e.select(isEmpty, e.cast(u32(0), *type), e.cast(value, *type));
}

/// bfi: the low `length` bits of a, put into b at `position`.
Value PtxEvaluator::insertField(const PtxInstruction &instruction) {
  if (instruction.operands.size() != 5 || !instruction.has("b32"))
    return Value::error();
  Value a = read(instruction.operands[1], Scalar::U32);
  Value b = read(instruction.operands[2], Scalar::U32);
  Value position = read(instruction.operands[3], Scalar::U32);
  Value length = read(instruction.operands[4], Scalar::U32);
  if (a.isError() || b.isError() || position.isError() || length.isError())
    return Value::error();
  position = binary(BinaryOperator::BitAnd, position, u32(255));
  length = binary(BinaryOperator::BitAnd, length, u32(255));
  Value ones = binary(BinaryOperator::Sub,
                      binary(BinaryOperator::LShift, u32(1), length), u32(1));
  Value mask = binary(BinaryOperator::LShift, ones, position);
  Value moved = binary(BinaryOperator::BitAnd,
                       binary(BinaryOperator::LShift, a, position), mask);
  return binary(BinaryOperator::BitOr, moved,
                binary(BinaryOperator::BitAnd, b, e.invert(mask)));
}

Value PtxEvaluator::bits(const PtxInstruction &instruction) {
  StringRef name = instruction.name;
  llvm::ArrayRef<StringRef> operands = instruction.operands;
  if (name == "bfe")
    return extractField(instruction);
  if (name == "bfi")
    return insertField(instruction);
  std::optional<DType> type = ptxType(instruction.suffixes.back());
  if (!type || operands.size() < 2)
    return Value::error();
  Value a = read(operands[1], *type);
  if (a.isError() || name == "not")
    return a.isError() ? a : e.invert(a);
  if (name == "popc" || name == "clz")
    return e.bitcast(
        call(name == "popc" ? "libdevice.popc" : "libdevice.clz", {a}),
        Scalar::U32);
  if (operands.size() < 3)
    return Value::error();
  bool isShift = name == "shl" || name == "shr";
  Value b = read(operands[2], isShift ? DType(Scalar::U32) : *type);
  if (b.isError())
    return b;
  if (isShift) {
    // The amount fits the type once those beyond the width are one.
    b = e.extremum(b, u32(type->width()), /*isMax=*/false,
                   /*propagatesNaN=*/false);
    return binary(name == "shl" ? BinaryOperator::LShift
                                : BinaryOperator::RShift,
                  a, e.cast(b, *type));
  }
  if (name == "prmt" || name == "lop3") {
    if (operands.size() < 4)
      return Value::error();
    Value c = read(operands[3], Scalar::U32);
    if (c.isError() || name == "prmt")
      return c.isError() ? c : permute(a, b, c);
    unsigned table;
    if (operands.size() != 5 || operands[4].getAsInteger(0, table) ||
        table > 255)
      return Value::error();
    return lookup3(a, b, c, table);
  }
  return binary(name == "and"  ? BinaryOperator::BitAnd
                : name == "or" ? BinaryOperator::BitOr
                               : BinaryOperator::BitXor,
                a, b);
}

/// setp.<comparison>.<type> p, a, b. NaN makes ordered comparisons false and
/// those with a final `u` true.
Value PtxEvaluator::compare(const PtxInstruction &instruction) {
  std::optional<DType> type = ptxType(instruction.suffixes.back());
  StringRef name = instruction.suffixes[0];
  size_t words = instruction.has("ftz") ? 3 : 2;
  if (!type || instruction.suffixes.size() != words || name == "ftz")
    return Value::error();
  Value a = read(instruction.operands[1], *type);
  Value b = read(instruction.operands[2], *type);
  if (a.isError() || b.isError())
    return Value::error();
  auto isOrdered = [&] {
    return binary(BinaryOperator::BitAnd, e.compare(CompareOperator::Eq, a, a),
                  e.compare(CompareOperator::Eq, b, b));
  };
  if (name == "num" || name == "nan")
    return name == "num" ? isOrdered() : e.invert(isOrdered());
  bool takesNaN = type->isFloat() && name.size() == 3 && name.consume_back("u");
  CompareOperator op = llvm::StringSwitch<CompareOperator>(name)
                           .Case("eq", CompareOperator::Eq)
                           .Case("ne", CompareOperator::NotEq)
                           .Cases({"lt", "lo"}, CompareOperator::Lt)
                           .Cases({"le", "ls"}, CompareOperator::LtE)
                           .Cases({"gt", "hi"}, CompareOperator::Gt)
                           .Default(CompareOperator::GtE);
  Value result = e.compare(op, a, b);
  if (!type->isFloat())
    return result;
  // The language's `!=` is true for NaN, its other comparisons are false.
  if (op == CompareOperator::NotEq)
    return takesNaN ? result
                    : binary(BinaryOperator::BitAnd, result, isOrdered());
  return takesNaN ? binary(BinaryOperator::BitOr, result, e.invert(isOrdered()))
                  : result;
}

bool PtxEvaluator::execute(const PtxInstruction &instruction) {
  StringRef name = instruction.name;
  llvm::ArrayRef<StringRef> operands = instruction.operands;
  if (operands.empty() || instruction.suffixes.empty() ||
      !isKnownPtx(instruction))
    return unsupported(instruction.text);
  Value result = Value::error();
  std::optional<DType> type = ptxType(instruction.suffixes.back());
  std::optional<DType> half = ptxHalf(instruction.suffixes.back());
  bool isBits = llvm::StringSwitch<bool>(name)
                    .Cases({"and", "or", "xor", "not", "shl", "shr"}, true)
                    .Cases({"bfe", "bfi", "prmt", "lop3", "popc", "clz"}, true)
                    .Default(false);
  bool isArithmetic =
      llvm::StringSwitch<bool>(name)
          .Cases({"add", "sub", "mul", "mad", "fma", "div", "rem"}, true)
          .Cases({"min", "max", "neg", "abs", "ex2", "lg2", "sin"}, true)
          .Cases({"cos", "sqrt", "rsqrt", "rcp", "tanh"}, true)
          .Default(false);
  if (name == "cvt")
    result = convert(instruction);
  else if (name == "mov" && operands.size() == 2 && type)
    result = read(operands[1], *type);
  else if (name == "setp")
    result = compare(instruction);
  else if (name == "selp" && operands.size() == 4 && type) {
    Value a = read(operands[1], *type), b = read(operands[2], *type);
    auto guard = registers.find(operands[3].str());
    if (!a.isError() && !b.isError() && guard != registers.end() &&
        guard->second.dtype().isBool())
      result = e.select(guard->second, a, b);
  } else if (isBits)
    result = bits(instruction);
  else if (isArithmetic && half && half->width() == 16)
    result = pairwise(instruction, *half);
  else if (isArithmetic && type)
    result = arithmetic(instruction, *type);
  return write(operands[0], result, instruction);
}
