//===- Lowering.cpp - Values, constants, kernels ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every operation needs: where a value is, and places for new ones.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "tilewright/portable.h"

namespace tilewright::npu {

const std::vector<sdk::Lacking> lackingOperations = [] {
  const char *gather = "the DMA engine moves boxes only";
  const char *asBox = "read a box and select, or use another target";
  const char *atomic = "memory is reached by DMA only, which is not atomic";
  const char *another = "use another target for this kernel";
  return std::vector<sdk::Lacking>{
      {TW_PORTABLE_OP_KERNEL_GATHER, gather, asBox},
      {TW_PORTABLE_OP_KERNEL_SCATTER, gather, asBox},
      {TW_PORTABLE_OP_KERNEL_ATOMIC_RMW, atomic, another},
      {TW_PORTABLE_OP_KERNEL_ATOMIC_CAS, atomic, another},
      {TW_PORTABLE_OP_KERNEL_GATHER_IN_TILE,
       "lanes of the vector unit do not reach one another", another},
      {TW_PORTABLE_OP_KERNEL_SCAN, "the vector unit has no prefix sums",
       another},
      {TW_PORTABLE_OP_KERNEL_HISTOGRAM,
       "lanes of the vector unit do not reach one another", another},
      {TW_PORTABLE_OP_KERNEL_DOT_SCALED,
       "the matrix unit takes fp16 and bf16 without scales",
       "scale the operands before the product"},
      {TW_PORTABLE_OP_KERNEL_PRINT, "there is no way to the host's output",
       "print on target reference"},
      {TW_PORTABLE_OP_KERNEL_CLOCK, "programs cannot read the cycle counter",
       "compile with report=cycles"},
      {TW_PORTABLE_OP_KERNEL_INLINE_ASM, "there is no assembler", another},
      {TW_PORTABLE_OP_KERNEL_EXTERN_CALL, "there is no device library",
       another},
      {TW_PORTABLE_OP_KERNEL_INT_TO_PTR, "addresses come from arguments only",
       another},
      {TW_PORTABLE_OP_KERNEL_PTR_TO_INT, "addresses are no numbers here",
       another},
  };
}();

void refuse(const Op &op, const std::string &reason, const std::string &hint) {
  sdk::refuseOperation(op, kVendor, reason, hint);
}

static std::string typeName(uint32_t dtype) {
  return tw_portable_builtin_schema()->elements[dtype].name;
}

void Lowering::checkType(const Op &op, const Type &type) const {
  if (type.kind == TW_PORTABLE_TYPE_POINTERS)
    refuse(op,
           "the DMA engine moves boxes only, and a tile of addresses is none",
           "read a box and select, or use another target");
  if (!type.isPointer() && type.kind != TW_PORTABLE_TYPE_VIEW &&
      !hasType(type.element))
    refuse(op, "the vector unit has no type " + typeName(type.element),
           "compute in fp32, fp16, bf16 or integers");
}

Operand Lowering::newPlace(const Value &value, const Op &op) {
  Operand place;
  if (value.type->isTensor()) {
    place.isRegister = false;
    place.number = code.newTile(
        value.type->count() * tw_dtype_bytes(value.type->element),
        std::string(op.name()) + " of " + std::to_string(value.type->count()) +
            " " + typeName(value.type->element),
        op);
  } else {
    place.number = code.newRegister();
  }
  return places[&value] = place;
}

std::vector<Operand>
Lowering::newPlaces(const std::vector<const Value *> &values, const Op &op) {
  std::vector<Operand> made;
  for (const Value *value : values)
    made.push_back(newPlace(*value, op));
  return made;
}

/// Constants are set where they are first used; inside of a loop or branch that
/// place need not be passed, so there each use has its own.
Operand Lowering::constant(uint64_t bits) {
  Operand place;
  place.number = code.newRegister();
  code.emit(Set, {place, uint32_t(bits), uint32_t(bits >> 32)});
  return place;
}

void Lowering::copyWhole(const Type &type, Operand from, Operand to) {
  uint32_t bytes = type.isPointer() ? 8 : tw_dtype_bytes(type.element);
  code.emit(Copy, {bytes, 1u, to, from, uint32_t(type.count()), 1u, 1u});
}

/// A value as a tile, also if its elements are equal.
Operand Lowering::asTile(const Value &value, const Op &op) {
  Operand place = at(value);
  if (!place.isRegister)
    return place;
  Operand tile;
  tile.isRegister = false;
  tile.number =
      code.newTile(value.type->count() * tw_dtype_bytes(value.type->element),
                   "operand of " + std::string(op.name()), op);
  copyWhole(*value.type, place, tile);
  return tile;
}

/// A scalar computation.
Operand Lowering::compute(uint32_t function, uint32_t from, uint32_t to,
                          uint32_t detail,
                          const std::vector<Operand> &operands) {
  Operand result;
  result.number = code.newRegister();
  auto operand = [&](size_t i) {
    return i < operands.size() ? operands[i] : operands[0];
  };
  code.emit(Compute, {function | from << 8 | to << 16, detail, 0u, result,
                      operand(0), operand(1), operand(2)});
  return result;
}

void Lowering::fail(const Op &op, uint32_t errorCode,
                    const std::string &message) {
  std::vector<sdk::Place> places = module.placesOf(op.location);
  Failure failure{errorCode, 0, "", message};
  if (!places.empty()) {
    failure.line = places[0].line;
    failure.file = places[0].file;
  }
  code.emit(Fail, {code.addFailure(failure)});
}

Program Lowering::lowerKernel(const Op &kernel, const std::string &symbol) {
  if (kernel.has(TW_PORTABLE_ATTR_NEEDS_PROGRESS))
    refuse(kernel,
           "the kernel waits for another program, and there is one core",
           "use a target whose programs run at the same time");
  sdk::KernelRecord record = sdk::readRecord(kernel);
  const Region &region = kernel.regions[0];
  for (size_t i = 0; i < region.arguments.size(); ++i) {
    const Value &argument = *region.arguments[i];
    checkType(kernel, *argument.type);
    const tw_parameter &parameter = record.parameters[i];
    code.emit(Argument,
              {newPlace(argument, kernel), parameter.offset, parameter.bytes});
    bool isTruth =
        parameter.dtype == TW_DTYPE_I1 && !argument.type->isPointer();
    if (isTruth) // any byte but 0 is true
      places[&argument] = compute(TW_PORTABLE_OP_ARITH_CMPI, TW_DTYPE_I8,
                                  TW_DTYPE_I1, TW_PORTABLE_INTEGER_PREDICATE_NE,
                                  {at(argument), constant(0)});
  }
  lowerOps(region);
  return code.finish(symbol, kernel);
}

} // namespace tilewright::npu
