//===- Tables.cpp - Bytes of tw.portable put together -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each text, type and location is written once, when it is first referred to.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/Tables.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/portable/Vocabulary.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Endian.h"

using namespace mlir;

namespace tilewright::kernel::portable {

void Tables::append(std::string &bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
}

void Tables::signedNumber(int64_t value) {
  number(static_cast<uint64_t>(value) << 1 ^
         static_cast<uint64_t>(value >> 63));
}

uint32_t Tables::textIndex(StringRef value) {
  auto [entry, isNew] = textNumbers.try_emplace(value, textNumbers.size());
  if (isNew) {
    append(texts, value.size());
    texts += value;
  }
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool Tables::element(Type value) {
  uint32_t code = elementCode(value);
  if (!code || code >= schema.element_count ||
      !lives(schema.elements[code].since, schema.elements[code].until))
    return false;
  number(code);
  return true;
}

bool Tables::encodeType(Type value, std::string &bytes) {
  auto withElement = [&](Type element) {
    uint32_t code = elementCode(element);
    if (!code || code >= schema.element_count ||
        !lives(schema.elements[code].since, schema.elements[code].until))
      return false;
    append(bytes, code);
    return true;
  };
  if (auto pointer = dyn_cast<PointerType>(value)) {
    append(bytes, TW_PORTABLE_TYPE_POINTER);
    return withElement(pointer.getPointee());
  }
  if (auto view = dyn_cast<ViewType>(value)) {
    append(bytes, TW_PORTABLE_TYPE_VIEW);
    append(bytes, view.getRank());
    return view.getRank() <= TW_PORTABLE_MAX_RANK &&
           withElement(view.getElementType());
  }
  auto tensor = dyn_cast<RankedTensorType>(value);
  if (!tensor) {
    append(bytes, TW_PORTABLE_TYPE_SCALAR);
    return withElement(value);
  }
  if (!tensor.hasStaticShape() || tensor.getEncoding() ||
      tensor.getRank() > TW_PORTABLE_MAX_RANK || tensor.getNumElements() < 1 ||
      tensor.getNumElements() > int64_t(1) << 40)
    return false;
  auto pointer = dyn_cast<PointerType>(tensor.getElementType());
  append(bytes, pointer ? TW_PORTABLE_TYPE_POINTERS : TW_PORTABLE_TYPE_TENSOR);
  append(bytes, tensor.getRank());
  for (int64_t extent : tensor.getShape())
    append(bytes, extent);
  needs[Extents] += tensor.getRank();
  return withElement(pointer ? pointer.getPointee() : tensor.getElementType());
}

std::optional<uint32_t> Tables::typeIndex(Type value) {
  if (auto known = typeNumbers.find(value); known != typeNumbers.end())
    return known->second;
  if (!encodeType(value, types))
    return std::nullopt;
  return typeNumbers[value] = needs[Types]++;
}

LogicalResult Tables::type(Type value, Location where) {
  if (std::optional<uint32_t> index = typeIndex(value)) {
    number(*index);
    return success();
  }
  return emitError(where) << "TW3131: expected a type of tw.portable "
                          << version << ", got " << value;
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// Locations that one refers to, which get smaller numbers.
static SmallVector<LocationAttr> partsOf(LocationAttr value) {
  if (auto call = dyn_cast<CallSiteLoc>(value))
    return {call.getCallee(), call.getCaller()};
  if (auto named = dyn_cast<NameLoc>(value))
    return {named.getChildLoc()};
  if (auto fused = dyn_cast<FusedLoc>(value))
    return SmallVector<LocationAttr>(fused.getLocations());
  return {};
}

std::optional<uint32_t> Tables::locationIndex(LocationAttr value,
                                              unsigned depth) {
  if (isa<UnknownLoc, OpaqueLoc>(value))
    return 0;
  if (auto known = locationNumbers.find(value); known != locationNumbers.end())
    return known->second;
  if (depth >= TW_PORTABLE_MAX_CHAIN)
    return std::nullopt;
  SmallVector<uint32_t> parts;
  for (LocationAttr part : partsOf(value)) {
    std::optional<uint32_t> index = locationIndex(part, depth + 1);
    if (!index)
      return std::nullopt;
    parts.push_back(*index);
  }
  auto write = [&](ArrayRef<uint32_t> numbers) {
    for (uint32_t number : numbers)
      append(locations, number);
  };
  if (auto range = dyn_cast<FileLineColRange>(value)) {
    write({TW_PORTABLE_LOCATION_RANGE, textIndex(range.getFilename()),
           range.getStartLine(), range.getStartColumn(), range.getEndLine(),
           range.getEndColumn()});
  } else if (isa<CallSiteLoc>(value)) {
    write({TW_PORTABLE_LOCATION_CALL});
  } else if (auto named = dyn_cast<NameLoc>(value)) {
    write({TW_PORTABLE_LOCATION_NAMED, textIndex(named.getName())});
  } else if (isa<FusedLoc>(value)) {
    write({TW_PORTABLE_LOCATION_FUSED, uint32_t(parts.size())});
    needs[Children] += parts.size();
  } else {
    return std::nullopt;
  }
  write(parts);
  return locationNumbers[value] = needs[Locations]++;
}

LogicalResult Tables::location(Location value) {
  if (std::optional<uint32_t> index = locationIndex(value, 1)) {
    number(*index);
    return success();
  }
  return emitError(value) << "TW3131: expected a location of a place, a call, "
                             "a name or several, at most "
                          << TW_PORTABLE_MAX_CHAIN
                          << " inside one another, got another one";
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// FNV-1a of 64 bits, as in the reader.
static uint64_t checksum(StringRef bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

void Tables::assemble(std::string &bytes) {
  needs[Texts] = textNumbers.size();
  std::string payload;
  for (uint64_t count : needs)
    append(payload, count);
  payload += texts;
  payload += types;
  payload += locations;
  payload += body;
  auto fixed = [&](auto value) {
    char buffer[sizeof value];
    llvm::support::endian::write(buffer, value, llvm::endianness::little);
    bytes.append(buffer, sizeof value);
  };
  bytes += "TWPI";
  fixed(version);
  fixed(uint64_t(payload.size()));
  fixed(checksum(payload));
  bytes += payload;
}

} // namespace tilewright::kernel::portable
