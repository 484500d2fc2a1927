//===- Services.cpp - Ids, prints, assertions, clocks -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that concern the launch, not values.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Indexing.h"
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"

#include "dialects/kernel/KernelOps.h"

#include "llvm/Support/Format.h"

#include <chrono>
#include <cmath>

using namespace mlir;

namespace tilewright::reference {

static constexpr uint32_t kAssertFailed = 6030, kTrapped = 6031;

static bool setScalar(Interpreter &at, Operation *op, uint64_t bits) {
  Tile tile = makeTile(op->getResult(0).getType());
  tile.bits[0] = truncate(bits, widthOf(tile.element));
  at.set(op->getResult(0), std::move(tile));
  return true;
}

static bool programId(Interpreter &at, Operation *op) {
  return setScalar(at, op, at.ids[cast<kernel::ProgramIdOp>(op).getAxis()]);
}

static bool numPrograms(Interpreter &at, Operation *op) {
  return setScalar(
      at, op, at.environment.grid[cast<kernel::NumProgramsOp>(op).getAxis()]);
}

/// A program is one thread: all its accesses are in order already.
static bool nothing(Interpreter &, Operation *) { return true; }

static bool check(Interpreter &at, Operation *op) {
  auto check = cast<kernel::AssertOp>(op);
  for (uint64_t bit : at.get(check.getCondition()).bits)
    if (!bit)
      return at.fail(op, kAssertFailed, check.getMessage());
  return true;
}

static bool trap(Interpreter &at, Operation *op) {
  return at.fail(op, kTrapped, cast<kernel::TrapOp>(op).getMessage());
}

/// Both kinds count nanoseconds.
static bool clock(Interpreter &at, Operation *op) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return setScalar(
      at, op,
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

static void printElement(raw_ostream &out, uint64_t bits, Type type,
                         bool isSigned, bool isHex) {
  unsigned width = widthOf(type);
  if (isHex || !type.isIntOrFloat())
    out << "0x" << llvm::format_hex_no_prefix(bits, std::max(width / 4, 1u));
  else if (isa<FloatType>(type)) {
    double number = toDouble(bits, type);
    // Plain decimals up to 1e15, an exponent above.
    out << llvm::format(
        std::fabs(number) < 1e15 || !std::isfinite(number) ? "%f" : "%e",
        number);
  } else if (isSigned && width > 1)
    out << signExtend(bits, width);
  else
    out << bits;
}

static void printPlace(raw_ostream &out, const Interpreter &at,
                       ArrayRef<int64_t> position) {
  out << "pid (" << at.ids[0] << ", " << at.ids[1] << ", " << at.ids[2] << ") ";
  if (position.empty())
    return;
  out << "idx (";
  llvm::interleaveComma(position, out);
  out << ") ";
}

/// `pid (x, y, z) idx (i, j) prefix: value`, one line an element.
static bool print(Interpreter &at, Operation *op) {
  auto print = cast<kernel::PrintOp>(op);
  if (auto step = op->getAttrOfType<DictionaryAttr>(kStepAttr))
    return reportStep(at, op, step);
  std::string text;
  llvm::raw_string_ostream out(text);
  StringRef prefix = print.getPrefix();
  if (print.getValues().empty()) {
    printPlace(out, at, {});
    out << prefix << "\n";
  }
  for (auto [value, isSigned] :
       llvm::zip_equal(print.getValues(), print.getSignedness())) {
    const Tile &tile = at.get(value);
    for (int64_t i = 0; i < tile.size(); ++i) {
      printPlace(out, at, positionOf(i, tile.shape));
      out << prefix << (prefix.ends_with(": ") ? "" : ": ");
      printElement(out, tile.bits[i], tile.element, isSigned, print.getHex());
      out << "\n";
    }
  }
  if (at.environment.print)
    at.environment.print(text);
  return true;
}

void addServices(Semantics &semantics) {
  auto &rows = semantics.operations;
  rows["kernel.program_id"] = programId;
  rows["kernel.num_programs"] = numPrograms;
  rows["kernel.barrier"] = nothing;
  rows["kernel.assume"] = nothing;
  rows["kernel.assert"] = check;
  rows["kernel.trap"] = trap;
  rows["kernel.clock"] = clock;
  rows["kernel.print"] = print;
}

} // namespace tilewright::reference
