//===- AddEntryPoints.cpp - The kernel's calling convention -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over programs. Program ids are carried and stepped, so that the
// divisions by the grid's extents happen once a call, not once a program.
//===----------------------------------------------------------------------===//
#include "backends/cpu/lower/Passes.h"

#include "backends/cpu/driver/KernelABI.h"

using namespace mlir;

namespace tilewright::cpu {

#define GEN_PASS_DEF_CPUADDENTRYPOINTSPASS
#include "backends/cpu/lower/Passes.h.inc"

/// Loads a field of the grid at a byte offset.
static Value loadField(OpBuilder &builder, Location loc, Value grid,
                       size_t offset, Type type) {
  Value address = LLVM::GEPOp::create(
      builder, loc, grid.getType(), builder.getI8Type(), grid,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return LLVM::LoadOp::create(builder, loc, type, address, 8);
}

namespace {
struct Grid {
  Value extent[3];   // i64, at least 1
  Value programs[3]; // i32, as the kernel sees them
  Value services;
};
} // namespace

static Grid loadGrid(OpBuilder &builder, Location loc, Value grid) {
  Grid result;
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value extent =
        loadField(builder, loc, grid, offsetof(tw_cpu_grid, num) + 8 * axis,
                  builder.getI64Type());
    result.extent[axis] = LLVM::UMaxOp::create(builder, loc, extent, one);
    result.programs[axis] =
        arith::TruncIOp::create(builder, loc, builder.getI32Type(), extent);
  }
  result.services = loadField(builder, loc, grid,
                              offsetof(tw_cpu_grid, services), grid.getType());
  return result;
}

/// The ids of linear id `begin`.
static SmallVector<Value> firstIds(OpBuilder &builder, Location loc,
                                   const Grid &grid, Value begin) {
  Value nx = grid.extent[0], ny = grid.extent[1];
  Value row = LLVM::UDivOp::create(builder, loc, begin, nx);
  SmallVector<Value> ids = {LLVM::URemOp::create(builder, loc, begin, nx),
                            LLVM::URemOp::create(builder, loc, row, ny),
                            LLVM::UDivOp::create(builder, loc, row, ny)};
  for (Value &id : ids)
    id = arith::TruncIOp::create(builder, loc, builder.getI32Type(), id);
  return ids;
}

/// The ids of the next program: x fastest.
static SmallVector<Value> nextIds(OpBuilder &builder, Location loc,
                                  const Grid &grid, ValueRange ids) {
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value carry = arith::ConstantIntOp::create(builder, loc, 1, 32);
  SmallVector<Value> next;
  for (unsigned axis = 0; axis < 2; ++axis) {
    Value id = arith::AddIOp::create(builder, loc, ids[axis], carry);
    Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        id, grid.programs[axis]);
    next.push_back(arith::SelectOp::create(builder, loc, wraps, zero, id));
    carry = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), wraps);
  }
  next.push_back(arith::AddIOp::create(builder, loc, ids[2], carry));
  return next;
}

static void addEntryPoint(func::FuncOp program) {
  std::string name = program.getSymName().str();
  OpBuilder builder(program);
  Location loc = program.getLoc();
  program.setSymName(name + kProgramSuffix.str());
  program.setPrivate();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto entry = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType({pointer, pointer, i64, i64, pointer}, {}));
  Block *body = entry.addEntryBlock();
  builder.setInsertionPointToStart(body);
  Value begin = body->getArgument(2), end = body->getArgument(3);
  Grid grid = loadGrid(builder, loc, body->getArgument(1));
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
  scf::ForOp::create(
      builder, loc, begin, end, one, firstIds(builder, loc, grid, begin),
      [&](OpBuilder &nested, Location loc, Value, ValueRange ids) {
        SmallVector<Value> operands = {body->getArgument(0)};
        llvm::append_range(operands, ids);
        llvm::append_range(operands, grid.programs);
        operands.append({grid.services, body->getArgument(4)});
        func::CallOp::create(nested, loc, program, operands);
        scf::YieldOp::create(nested, loc, nextIds(nested, loc, grid, ids));
      });
  func::ReturnOp::create(builder, loc);
}

/// True for the signature that cpu-lower-to-loops produces.
static bool runsOneProgram(func::FuncOp function) {
  ArrayRef<Type> types = function.getArgumentTypes();
  return types.size() == 9 && isa<LLVM::LLVMPointerType>(types[0]) &&
         llvm::all_of(types.slice(1, 6),
                      [](Type type) { return type.isInteger(32); }) &&
         isa<LLVM::LLVMPointerType>(types[7]) &&
         isa<LLVM::LLVMPointerType>(types[8]);
}

namespace {
struct AddEntryPointsPass
    : public impl::CpuAddEntryPointsPassBase<AddEntryPointsPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> programs;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        programs.push_back(function);
    for (func::FuncOp program : programs) {
      if (!runsOneProgram(program)) {
        program.emitError("TW4110: expected a function that runs one program");
        return signalPassFailure();
      }
      addEntryPoint(program);
    }
  }
};
} // namespace

} // namespace tilewright::cpu
