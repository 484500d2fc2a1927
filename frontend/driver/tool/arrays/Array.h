//===- Array.h - Host arrays of run and verify -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A typed host array, its .npy form, and the fills of `--arg x=fp32[4]~...`.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_ARRAYS_ARRAY_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_ARRAYS_ARRAY_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::tool {

/// Element type by its TW_DTYPE_* number; names are Triton's.
uint32_t parseDType(const std::string &name); // TW_DTYPE_NONE if unknown
std::string dtypeName(uint32_t dtype);
bool isFloat(uint32_t dtype);
bool isSignedInteger(uint32_t dtype);

/// `value` as the stored bits of `dtype`, rounded to nearest even.
uint64_t encodeElement(uint32_t dtype, double value);
/// The stored bits of `dtype` as a double.
double decodeElement(uint32_t dtype, uint64_t bits);

/// One element for people: integers exactly, floats so that they read back.
std::string elementText(uint32_t dtype, uint64_t bits);

/// C-contiguous host array; `data` is 64-byte aligned.
class Array {
public:
  Array(uint32_t dtype, std::vector<int64_t> shape);
  Array(const Array &other);
  Array(Array &&) = default;
  Array &operator=(const Array &other) { return *this = Array(other); }
  Array &operator=(Array &&) = default;
  /// Bytes that such an array has; throws Failure when it has too many.
  static uint64_t bytesOf(uint32_t dtype, const std::vector<int64_t> &shape);

  uint32_t dtype() const { return elementType; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t elements() const { return count; }
  uint64_t bytes() const;
  void *data();
  const void *data() const;
  /// Stored bits of one element.
  uint64_t bits(int64_t index) const;
  void setBits(int64_t index, uint64_t bits);
  /// Keeps the bytes, names them `dtype` (of the same width).
  void reinterpret(uint32_t dtype);

  /// Puts elements that no kernel may touch before and behind the data, as many
  /// bytes each (a multiple of 64): NaNs, or for integers small negative
  /// numbers, which differ by place and by `salt`.
  void addGuards(uint64_t bytes, uint64_t salt);
  uint64_t guardBytes() const { return guard; }
  /// The data with the guards around it.
  void *whole() { return static_cast<char *>(data()) - guard; }
  const void *whole() const {
    return static_cast<const char *>(data()) - guard;
  }
  uint64_t wholeBytes() const { return bytes() + 2 * guard; }

private:
  uint32_t elementType;
  std::vector<int64_t> extents;
  int64_t count;
  uint64_t guard = 0;
  std::vector<char> storage;
  size_t start; ///< of the data
  void allocate();
};

/// Fills from `normal(seed=1)`, `uniform(lo, hi, seed=1)`,
/// `integers(lo, hi, seed=1)`, `arange(start, step)`, `values(a, b, ...)`,
/// `bytes(00803f)` (hexadecimal, repeated) or `edges(seed=1)` (numbers at which
/// rules change, and others); the same text gives the same values everywhere.
void fillArray(Array &array, const std::string &generator);

/// Reads a .npy file; refuses truncated, big-endian and Fortran-order files.
Array readNpy(const std::string &path);
/// Writes through a temporary file in the same folder, then renames.
void writeNpy(const std::string &path, const Array &array);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_ARRAYS_ARRAY_H
