//===- Interpreter.cpp - Kernel IR, executed directly -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values, the walk over a block, and elementwise operations in general.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tilewright::reference {

unsigned widthOf(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

unsigned bytesOf(Type element) { return (widthOf(element) + 7) / 8; }

bool isPortable(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto mode = module ? module->getAttrOfType<StringAttr>("tw.math") : nullptr;
  return mode && mode.getValue() == "portable";
}

Tile makeTile(Type type) {
  Tile tile;
  tile.element = getElementTypeOrSelf(type);
  int64_t size = 1;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    tile.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    size = tensor.getNumElements();
  }
  tile.bits.resize(size);
  return tile;
}

const Semantics &Semantics::get() {
  static const Semantics semantics = [] {
    Semantics all;
    addIntegers(all);
    addFloats(all);
    addCasts(all);
    addFunctions(all);
    addShapes(all);
    addReductions(all);
    addProducts(all);
    addControlFlow(all);
    addMemory(all);
    addAtomics(all);
    addServices(all);
    return all;
  }();
  return semantics;
}

int64_t Interpreter::scalar(Value value) const {
  const Tile &tile = get(value);
  return signExtend(tile.bits[0], widthOf(tile.element));
}

std::vector<Tile> Interpreter::copy(ValueRange from) const {
  std::vector<Tile> tiles;
  for (Value value : from)
    tiles.push_back(get(value));
  return tiles;
}

void Interpreter::assign(ValueRange to, std::vector<Tile> tiles) {
  for (auto [value, tile] : llvm::zip_equal(to, tiles))
    set(value, std::move(tile));
}

void setPlace(Operation *op, KernelError &error) {
  LocationAttr location = op->getLoc();
  while (auto call = dyn_cast<CallSiteLoc>(location))
    location = call.getCallee();
  if (auto place = dyn_cast<FileLineColRange>(location)) {
    error.file = place.getFilename().str();
    error.line = place.getStartLine();
  }
}

bool Interpreter::fail(Operation *op, uint32_t code, const Twine &message) {
  error.code = code;
  error.message = message.str();
  setPlace(op, error);
  return false;
}

bool Interpreter::executeElementwise(Operation *op, ElementMaker maker) {
  Element element = maker(op);
  Tile result = makeTile(op->getResult(0).getType());
  SmallVector<const Tile *, 3> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  SmallVector<uint64_t, 3> bits(operands.size());
  for (int64_t i = 0; i < result.size(); ++i) {
    for (size_t k = 0; k < operands.size(); ++k)
      bits[k] = operands[k]->at(i);
    result.bits[i] = element(bits.data());
    if ((environment.checks.nan || environment.checks.overflow) &&
        !checkElement(op, bits, result.bits[i]))
      return false;
  }
  set(op->getResult(0), std::move(result));
  return true;
}

bool Interpreter::execute(Operation *op) {
  const Semantics &semantics = Semantics::get();
  StringRef name = op->getName().getStringRef();
  if (ElementMaker maker = semantics.elementwise.lookup(name))
    return executeElementwise(op, maker);
  if (Handler handler = semantics.operations.lookup(name))
    return handler(*this, op);
  return fail(op, 4130, "the reference does not execute '" + name + "'");
}

bool Interpreter::run(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!execute(&op))
      return false;
  return true;
}

bool Interpreter::run(ArrayRef<uint64_t> arguments,
                      std::array<int64_t, 3> programIds) {
  ids = programIds;
  if (environment.races)
    environment.races->startProgram(ids);
  values.clear();
  for (auto [argument, bits] :
       llvm::zip_equal(kernel.getArguments(), arguments)) {
    Tile tile = makeTile(argument.getType());
    tile.bits[0] = bits;
    set(argument, std::move(tile));
  }
  return run(kernel.getBody().front());
}

} // namespace tilewright::reference
