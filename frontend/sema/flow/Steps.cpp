//===- Steps.cpp - Steps of a kernel for a debugger -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With option `trace` a kernel reports each line that it reaches and what the
// line binds, as a print with the attribute `tw.opt.reference.step`. A print
// keeps its values alive and in order, so what is reported is what the language
// says, whatever the passes below do. Control flow needs no reports: who
// follows the steps sees only those that run.
//
//   y = x * 2   ->   tile.print "" {tw.opt.reference.step = {kind = "line",
//   ...}}
//                    %y = arith.mulf ...
//                    tile.print "" %y {tw.opt.reference.step = {kind =
//                    "values",
//                      names = ["y"], types = ["fp32"], texts = [""], ...}}
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/flow/AssignedNames.h"

#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpDefinition.h"

using namespace tilewright;
using namespace tilewright::sema;

/// The mask under which the elements of a tile were read, where all of them
/// come from loads under one mask; null otherwise. Operations on elements keep
/// it, a select chooses what replaces the others.
static mlir::Value maskBehind(mlir::Value value,
                              llvm::DenseMap<mlir::Value, mlir::Value> &known) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto load = llvm::dyn_cast<tile::LoadOp>(op))
    return load.getMask();
  if (!op->hasTrait<mlir::OpTrait::Elementwise>() ||
      llvm::isa<mlir::arith::SelectOp>(op))
    return {};
  auto [place, isNew] = known.try_emplace(value);
  if (!isNew)
    return place->second;
  mlir::Value mask;
  for (mlir::Value operand : op->getOperands()) {
    mlir::Value other = maskBehind(operand, known);
    if (mask && other && mask != other)
      return {};
    mask = mask ? mask : other;
  }
  return known[value] = mask;
}

namespace {
/// What a step says of names: run-time values are operands, others are text.
class StepReport {
public:
  explicit StepReport(mlir::OpBuilder &builder) : b(builder) {}

  /// Adds a value under a path such as "x", "pair[0]" or "state.count".
  void add(const llvm::Twine &path, const Value &value) {
    switch (value.kind()) {
    case Value::Kind::Error:
    case Value::Kind::Function:
    case Value::Kind::Builtin:
    case Value::Kind::Module:
    case Value::Kind::Class:
    case Value::Kind::Method:
      return;
    case Value::Kind::Tensor:
      return addTensor(path.str(), value);
    case Value::Kind::Tuple:
      return addTuple(path.str(), value);
    case Value::Kind::BlockPointer: {
      const auto &pointer = value.payload<BlockPointerPayload>();
      add(path + ".base", pointer.base);
      addAll(path + ".shape", pointer.shape);
      addAll(path + ".strides", pointer.strides);
      return addAll(path + ".offsets", pointer.offsets);
    }
    case Value::Kind::Bool:
    case Value::Kind::Int:
    case Value::Kind::Float:
    case Value::Kind::Str:
    case Value::Kind::None:
      return addText(path.str(), value.pythonRepr());
    default:
      return addText(path.str(), "<" + value.describe() + ">");
    }
  }

  void emit(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef kind,
            llvm::StringRef function, unsigned depth) {
    llvm::SmallVector<mlir::Value> operands = values;
    llvm::SmallVector<int32_t> maskNumbers;
    for (mlir::Value mask : masks) {
      maskNumbers.push_back(mask ? int32_t(operands.size()) : -1);
      if (mask)
        operands.push_back(mask);
    }
    signedness.resize(operands.size(), false);
    auto print =
        tile::PrintOp::create(builder, "", operands, signedness, false);
    print->setAttr(
        "tw.opt.reference.step",
        b.getDictionaryAttr(
            {b.getNamedAttr("kind", b.getStringAttr(kind)),
             b.getNamedAttr("function", b.getStringAttr(function)),
             b.getNamedAttr("depth", b.getI32IntegerAttr(depth)),
             b.getNamedAttr("names", b.getArrayAttr(names)),
             b.getNamedAttr("types", b.getArrayAttr(types)),
             b.getNamedAttr("texts", b.getArrayAttr(texts)),
             b.getNamedAttr("masks", b.getDenseI32ArrayAttr(maskNumbers))}));
  }

private:
  void addTensor(llvm::StringRef path, const Value &value) {
    addRow(path, value.dtype().spelling(), "");
    values.push_back(value.ssa());
    signedness.push_back(value.dtype().isSigned());
    llvm::DenseMap<mlir::Value, mlir::Value> known;
    mlir::Value mask = maskBehind(value.ssa(), known);
    bool fits = mask && mlir::getElementTypeOrSelf(mask).isInteger(1) &&
                shapeOf(mask) == value.shape();
    masks.push_back(fits ? mask : mlir::Value());
  }
  static llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    return tensor ? tensor.getShape() : llvm::ArrayRef<int64_t>();
  }
  void addTuple(llvm::StringRef path, const Value &value) {
    const RecordLayout *layout = value.recordLayout();
    if (!layout)
      return value.elements().empty() ? addText(path, "()")
                                      : addAll(path, value.elements());
    for (auto [field, element] :
         llvm::zip_equal(layout->fields, value.elements()))
      add(path + "." + field, element);
  }
  void addAll(const llvm::Twine &path, llvm::ArrayRef<Value> elements) {
    for (auto [i, element] : llvm::enumerate(elements))
      add(path + "[" + llvm::Twine(i) + "]", element);
  }
  void addText(llvm::StringRef path, llvm::StringRef text) {
    addRow(path, "", text);
  }
  void addRow(llvm::StringRef path, llvm::StringRef type,
              llvm::StringRef text) {
    names.push_back(b.getStringAttr(path));
    types.push_back(b.getStringAttr(type));
    texts.push_back(b.getStringAttr(text));
  }

  mlir::OpBuilder &b;
  llvm::SmallVector<mlir::Attribute> names, types, texts;
  llvm::SmallVector<mlir::Value> values, masks;
  llvm::SmallVector<bool> signedness;
};
} // namespace

bool Interpreter::isTraced() const {
  if (option("trace", "0") != "1" || active->isHostFunction ||
      active->frame.module->isLibrary())
    return false;
  // Not in regions that run once an element, nor in the bodies of ops.
  mlir::Block *block = emitter.b.getInsertionBlock();
  mlir::Operation *op = block ? block->getParentOp() : nullptr;
  while (op && llvm::isa<mlir::scf::SCFDialect>(op->getDialect()))
    op = op->getParentOp();
  return llvm::isa_and_nonnull<mlir::func::FuncOp>(op);
}

void Interpreter::traceStep(llvm::StringRef kind,
                            llvm::ArrayRef<llvm::StringRef> names) {
  if (!isTraced())
    return;
  StepReport report(emitter.b);
  for (llvm::StringRef name : names) {
    const Binding *binding = active->scope.find(name);
    if (binding && binding->unavailable.empty())
      report.add(name, binding->value);
  }
  report.emit(emitter.b, kind, active->frame.functionName, callDepth);
}

void Interpreter::traceLine(const ast::Stmt *stmt) {
  // A while reports its line with every test of its condition; a docstring is
  // no step.
  const auto *expr = ast::asNode<ast::ExprStmt>(stmt);
  if (ast::isNode<ast::While>(stmt) ||
      (expr && ast::isNode<ast::Constant>(expr->value)))
    return;
  RangeScope scope(*this, stmt->range);
  traceStep("line", {});
}

void Interpreter::traceAssigned(const ast::Stmt *stmt) {
  if (isTraced())
    traceStep("values", assignedNames(ast::StmtList(&stmt, 1)));
}

void Interpreter::traceCall(const ast::Node *function) {
  if (!isTraced())
    return;
  RangeScope scope(*this, function->range);
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &[name, binding] : active->scope)
    names.push_back(name);
  traceStep("call", names);
}

void Interpreter::traceReturn(const Value &result) {
  if (!isTraced())
    return;
  StepReport report(emitter.b);
  report.add("return", result);
  report.emit(emitter.b, "return", active->frame.functionName, callDepth);
}
