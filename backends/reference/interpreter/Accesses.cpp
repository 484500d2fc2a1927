//===- Accesses.cpp - One element of memory ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing elements, and the checks of every access. An i1 is one
// byte: not zero reads as true, and 0 or 1 is written.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <cstring>

using namespace mlir;

namespace tilewright::reference {

bool Interpreter::load(Operation *op, Value base, uint64_t address,
                       Type element, Access access, uint64_t &bits) {
  if (!beginAccess(op, base, address, element, /*reads=*/true))
    return false;
  bits = 0; // little-endian, like every supported machine
  std::memcpy(&bits, reinterpret_cast<const void *>(address), bytesOf(element));
  if (element.isInteger(1))
    bits = bits != 0;
  return endAccess(op, base, address, element, access);
}

bool Interpreter::store(Operation *op, Value base, uint64_t address,
                        Type element, uint64_t bits) {
  if (!beginAccess(op, base, address, element, /*reads=*/false))
    return false;
  std::memcpy(reinterpret_cast<void *>(address), &bits, bytesOf(element));
  return endAccess(op, base, address, element, Access::Write);
}

/// The kernel argument that a pointer or view was computed from, if one is
/// plain to see.
static BlockArgument findRoot(Value value) {
  for (;;) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (isa<func::FuncOp>(parent))
        return isa<kernel::PointerType>(argument.getType()) ? argument
                                                            : BlockArgument();
      auto loop = dyn_cast<LoopLikeOpInterface>(parent);
      OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!init)
        return {};
      value = init->get();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getNumOperands() == 0 || op->getNumRegions() > 1)
      return {};
    Type first = getElementTypeOrSelf(op->getOperand(0).getType());
    if (!isa<kernel::PointerType>(first))
      return {};
    value = op->getOperand(0);
  }
}

static std::string hexOf(uint64_t address) {
  return "0x" + llvm::utohexstr(address);
}

std::string Interpreter::nameOf(BlockArgument argument) {
  auto name =
      kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tw.name");
  return ("argument '" + (name ? name.getValue() : "?") + "'").str();
}

/// "index 5 of argument 'x'", or the address where the argument is not known.
std::string Interpreter::placeOf(Value base, uint64_t address, Type element) {
  BlockArgument root = findRoot(base);
  if (!root)
    return "address " + hexOf(address);
  int64_t distance = int64_t(address) - int64_t(get(root).bits[0]);
  return "index " + std::to_string(distance / int64_t(bytesOf(element))) +
         " of " + nameOf(root);
}

bool Interpreter::checkBounds(Operation *op, Value base, uint64_t address,
                              Type element) {
  unsigned bytes = bytesOf(element);
  auto isInside = [&](const std::optional<Buffer> &buffer) {
    return buffer && address >= buffer->address &&
           address - buffer->address + bytes <= buffer->bytes;
  };
  BlockArgument root = findRoot(base);
  if (!root) {
    if (isInside(environment.findBuffer(address)))
      return true;
    return fail(op, kOutOfBounds,
                "expected an address inside a buffer, got " + hexOf(address));
  }
  uint64_t start = get(root).bits[0];
  std::optional<Buffer> buffer = environment.findBuffer(start);
  if (isInside(buffer))
    return true;
  int64_t extent =
      buffer ? int64_t(buffer->address + buffer->bytes - start) / bytes : 0;
  return fail(op, kOutOfBounds,
              "expected an index from 0 to " + Twine(extent - 1) + " of " +
                  nameOf(root) + ", which has " + Twine(extent) +
                  " elements, got " +
                  Twine((int64_t(address) - int64_t(start)) / int64_t(bytes)));
}

bool Interpreter::beginAccess(Operation *op, Value base, uint64_t address,
                              Type element, bool reads) {
  if (environment.checks.bounds && !checkBounds(op, base, address, element))
    return false;
  if (!environment.checks.uninit || !reads ||
      environment.allocations->isWritten(address, bytesOf(element)))
    return true;
  return fail(op, kUnwritten,
              "expected an element that was written before it is read, got " +
                  placeOf(base, address, element));
}

static StringRef wordOf(Access access) {
  static constexpr StringLiteral words[] = {"a load", "a store",
                                            "an atomic read", "an atomic"};
  return words[unsigned(access)];
}

static std::string textOf(std::array<int64_t, 3> ids) {
  return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " +
         std::to_string(ids[2]) + ")";
}

bool Interpreter::failElement(ArrayRef<int64_t> position) {
  if (error.code == kRace) // names both programs
    return false;
  error.message += ", in program " + textOf(ids);
  if (position.empty())
    return false;
  llvm::raw_string_ostream out(error.message);
  out << " for element (";
  llvm::interleaveComma(position, out);
  out << ") of the tile";
  return false;
}

bool Interpreter::failRace(Operation *op, const std::string &place,
                           Access access, const AccessEvent &earlier) {
  KernelError other;
  setPlace(earlier.op, other);
  std::string line = other.file.empty()
                         ? std::string()
                         : " at line " + std::to_string(other.line);
  return fail(op, kRace,
              "expected an order between programs that touch " + place +
                  ", got " + wordOf(access) + " of program " + textOf(ids) +
                  " and " + wordOf(earlier.access) + " of program " +
                  textOf(environment.races->idsOf(earlier)) + line);
}

bool Interpreter::endAccess(Operation *op, Value base, uint64_t address,
                            Type element, Access access) {
  bool writes = access == Access::Write || access == Access::AtomicWrite;
  if (writes && environment.allocations)
    environment.allocations->markWritten(address, bytesOf(element));
  if (!environment.races)
    return true;
  const AccessEvent *earlier =
      environment.races->touch(op, address, bytesOf(element), access);
  return !earlier ||
         failRace(op, placeOf(base, address, element), access, *earlier);
}

} // namespace tilewright::reference
