//===- Value.h - What an expression evaluates to ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of the abstract interpreter: known at compile time (numbers, text,
// tuples, types, functions, modules) or at run time (an SSA value with the
// language's type). An Error value means that a diagnostic was reported; it
// passes through every operation in silence.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_VALUE_H
#define TILEWRIGHT_FRONTEND_SEMA_VALUE_H

#include "frontend/sema/value/Constant.h"
#include "frontend/syntax/AST.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <memory>

namespace tilewright::sema {

struct Builtin;
struct RecordLayout;
class ModuleEnv;
class Scope;

/// Base of the heap part of values, shared and immutable.
struct Payload {
  virtual ~Payload() = default;
};

class Value {
public:
  enum class Kind : uint8_t {
    Error,
    None,
    Ellipsis,
    Bool,
    Int,
    Float,
    Str,
    /// Tuples and lists.
    Tuple,
    /// Compile-time dictionaries with text keys.
    Dict,
    /// A dtype, or a block type with a shape.
    Type,
    Function,
    Builtin,
    Module,
    Class,
    /// A method with the value it was taken from.
    Method,
    Slice,
    /// The iterable of a for statement.
    Range,
    Tensor,
    BlockPointer,
    Descriptor
  };

  Value() = default;
  static Value error() { return Value(); }
  static Value none() { return Value(Kind::None); }
  static Value ellipsis() { return Value(Kind::Ellipsis); }
  static Value boolean(bool value);
  static Value integer(BigInt value);
  static Value number(double value);
  /// The number with a run-time type; see isTyped.
  static Value typed(Value number, DType type);
  static Value str(std::string value);
  static Value tuple(std::vector<Value> elements, bool isList = false);
  /// A tuple whose elements have names; an ordinary one without a layout.
  static Value record(std::vector<Value> elements,
                      std::shared_ptr<const RecordLayout> layout);
  static Value type(DType type, llvm::ArrayRef<int64_t> shape = {});
  /// A run-time scalar or tensor.
  static Value tensor(mlir::Value value, DType type);
  static Value builtin(const Builtin *builtin);
  static Value module(std::string path);
  static Value descriptor(mlir::Value handle, DType element,
                          std::shared_ptr<const Payload> payload);
  static Value withPayload(Kind kind, std::shared_ptr<const Payload> payload);
  /// All kinds but functions and modules, which need a module to belong to.
  static Value fromConstant(const Constant &constant);

  Kind kind() const { return theKind; }
  bool is(Kind kind) const { return theKind == kind; }
  bool isError() const { return is(Kind::Error); }
  bool isNone() const { return is(Kind::None); }
  bool isInt() const { return is(Kind::Int); }
  bool isBool() const { return is(Kind::Bool); }
  bool isFloat() const { return is(Kind::Float); }
  bool isStr() const { return is(Kind::Str); }
  bool isTuple() const { return is(Kind::Tuple); }
  bool isType() const { return is(Kind::Type); }
  bool isTensor() const { return is(Kind::Tensor); }
  /// A compile-time bool, int or float.
  bool isNumber() const { return isInt() || isBool() || isFloat(); }
  /// A number that follows the rules of run-time values of the type dtype():
  /// an argument whose value is known, and what is computed from it.
  bool isTyped() const { return isNumber() && !theType.isVoid(); }
  /// Something that has run-time parts and can be carried by a loop.
  bool isRuntime() const;

  bool boolValue() const { return flag; }
  /// Int, and Bool as 0 or 1.
  BigInt intValue() const { return isBool() ? BigInt(flag) : bigint; }
  double floatValue() const { return real; }
  /// Any compile-time number as a double.
  double toDouble() const;
  llvm::StringRef strValue() const;
  llvm::ArrayRef<Value> elements() const;
  bool isList() const { return flag; }
  /// The names of a tuple's elements, or nullptr.
  const RecordLayout *recordLayout() const;
  /// A tuple of the same form (list, names) with other elements.
  Value withElements(std::vector<Value> elements) const;
  DType dtype() const { return theType; }
  mlir::Value ssa() const { return theValue; }
  const Builtin *builtinValue() const { return theBuiltin; }
  template <typename T> const T &payload() const {
    return static_cast<const T &>(*heap);
  }
  const Payload *payloadPointer() const { return heap.get(); }

  /// Extents of a tensor; empty for a scalar.
  llvm::ArrayRef<int64_t> shape() const;
  int64_t rank() const { return static_cast<int64_t>(shape().size()); }
  bool isScalar() const { return isTensor() && shape().empty(); }

  /// The SSA values inside, in a fixed order.
  void flatten(llvm::SmallVectorImpl<mlir::Value> &out) const;
  /// This value with the SSA values inside replaced in the same order.
  Value rebuild(llvm::ArrayRef<mlir::Value> &values) const;
  /// True when both have the same structure and run-time types, so that one
  /// can stand for the other in a loop; compile-time parts must be equal.
  static bool compatible(const Value &a, const Value &b);
  /// True when both are surely the same value.
  static bool same(const Value &a, const Value &b);

  /// For messages: "fp16[64, 32]", "int 3", "str 'relu'", "a function".
  std::string describe() const;
  /// What Python's str() gives; for compile-time values.
  std::string pythonStr() const;
  /// What Python's repr() gives.
  std::string pythonRepr() const;

private:
  explicit Value(Kind kind) : theKind(kind) {}

  Kind theKind = Kind::Error;
  bool flag = false;
  DType theType;
  union {
    double real = 0.0;
    const Builtin *theBuiltin;
  };
  mlir::Value theValue;
  BigInt bigint;
  std::shared_ptr<const Payload> heap;
};

struct StrPayload : Payload {
  std::string text;
};
/// What a named tuple or an aggregate looks like.
struct RecordLayout {
  std::string name;
  std::vector<std::string> fields;
  /// Fields annotated as tl.constexpr keep compile-time values.
  std::vector<bool> areConstexpr;
  /// Values of the last fields, as in a parameter list.
  std::vector<Value> defaults;
  /// Where the methods are; null for a tuple without any.
  const ast::ClassDef *def = nullptr;
  ModuleEnv *module = nullptr;

  std::optional<size_t> find(llvm::StringRef field) const;
  /// True when one may stand for the other.
  bool matches(const RecordLayout *other) const;
};

struct TuplePayload : Payload {
  std::vector<Value> elements;
  std::shared_ptr<const RecordLayout> layout;
};
struct DictPayload : Payload {
  std::vector<std::pair<std::string, Value>> entries;
  const Value *find(llvm::StringRef key) const;
};
/// A block type.
struct TypePayload : Payload {
  std::vector<int64_t> shape;
};
struct ModulePayload : Payload {
  /// "tl", "tl.math", "libdevice", "math", or the name of a user's module.
  std::string path;
  /// Set for modules given as source.
  ModuleEnv *env = nullptr;
};
struct FunctionPayload : Payload {
  std::string name;
  const ast::Arguments *args = nullptr;
  /// Body of a def, or of a lambda.
  ast::StmtList body;
  const ast::Expr *lambdaBody = nullptr;
  const ast::Node *node = nullptr;
  ModuleEnv *module = nullptr;
  /// Names of the enclosing function, for nested definitions.
  std::shared_ptr<const Scope> closure;
};
struct ClassPayload : Payload {
  std::string name;
  /// Null for a named tuple made by a call.
  const ast::ClassDef *def = nullptr;
  ModuleEnv *module = nullptr;
  /// Set for classes that can be called to make a record.
  std::shared_ptr<const RecordLayout> layout;
};
struct MethodPayload : Payload {
  Value self;
  const Builtin *method = nullptr;
  /// A method written by the user, when `method` is null.
  Value function;
};
struct SlicePayload : Payload {
  Value lower = Value::none(), upper = Value::none(), step = Value::none();
};
struct RangePayload : Payload {
  Value start, stop, step;
  bool isStatic = false;
  /// Hints of tl.range, in order of appearance.
  std::vector<std::pair<std::string, Value>> hints;
};
/// shape, strides and offsets are run-time i64 scalars.
struct BlockPointerPayload : Payload {
  Value base;
  std::vector<Value> shape, strides, offsets;
  std::vector<int64_t> block;
};
/// The handle is the value's SSA value.
struct DescriptorPayload : Payload {
  std::vector<int64_t> block;
  std::vector<Value> shape, strides;
};

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_VALUE_H
