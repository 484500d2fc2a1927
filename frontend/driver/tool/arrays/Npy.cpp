//===- Npy.cpp - The .npy files of run and verify -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes NumPy's array format, version 1.0 to 3.0. .npy has no bf16
// and no fp8: they travel as <u2 and |u1 and are reinterpreted by the caller.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Session.h"
#include "frontend/driver/tool/arrays/Array.h"

#include "tilewright/base.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <cstring>

namespace tilewright::tool {

namespace {

struct DescrRow {
  const char *descr;
  uint32_t dtype;
};
constexpr DescrRow descrRows[] = {
    {"|b1", TW_DTYPE_I1},     {"|i1", TW_DTYPE_I8},     {"<i2", TW_DTYPE_I16},
    {"<i4", TW_DTYPE_I32},    {"<i8", TW_DTYPE_I64},    {"|u1", TW_DTYPE_U8},
    {"<u2", TW_DTYPE_U16},    {"<u4", TW_DTYPE_U32},    {"<u8", TW_DTYPE_U64},
    {"<f2", TW_DTYPE_F16},    {"<f4", TW_DTYPE_F32},    {"<f8", TW_DTYPE_F64},
    {"<u2", TW_DTYPE_BF16},   {"|u1", TW_DTYPE_F8E4NV}, {"|u1", TW_DTYPE_F8E5},
    {"|u1", TW_DTYPE_F8E4B8}, {"|u1", TW_DTYPE_F8E5B16}};

/// The text behind `'key':` in the header's dictionary.
llvm::StringRef headerField(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(("'" + key.str() + "'"));
  if (at == llvm::StringRef::npos)
    return {};
  return header.substr(at + key.size() + 2).ltrim().drop_front(1).ltrim();
}

std::vector<int64_t> parseShape(llvm::StringRef text, const std::string &path) {
  std::vector<int64_t> shape;
  if (!text.consume_front("("))
    throw Failure(7003, "expected a shape in the header of '" + path + "'");
  llvm::SmallVector<llvm::StringRef> pieces;
  text.take_until([](char c) { return c == ')'; }).split(pieces, ',');
  for (llvm::StringRef piece : pieces) {
    if (piece.trim().empty())
      continue;
    int64_t extent;
    if (piece.trim().getAsInteger(10, extent) || extent < 0)
      throw Failure(7003, "expected extents in the header of '" + path +
                              "', got '" + piece.str() + "'");
    shape.push_back(extent);
  }
  return shape;
}

/// The header text and the offset of the data.
std::pair<llvm::StringRef, size_t> splitHeader(llvm::StringRef text,
                                               const std::string &path) {
  if (!text.starts_with("\x93NUMPY") || text.size() < 12)
    throw Failure(7003, "expected a .npy file, got '" + path + "'");
  bool isLong = text[6] >= 2;
  size_t begin = isLong ? 12 : 10;
  size_t length = isLong ? llvm::support::endian::read32le(text.data() + 8)
                         : llvm::support::endian::read16le(text.data() + 8);
  if (text.size() < begin + length)
    throw Failure(7003, "'" + path + "' ends inside its header");
  return {text.substr(begin, length), begin + length};
}

} // namespace

Array readNpy(const std::string &path) {
  std::string text = readTextFile(path);
  auto [header, offset] = splitHeader(text, path);
  llvm::StringRef quoted = headerField(header, "descr");
  llvm::StringRef descr =
      quoted.consume_front("'") ? quoted.split('\'').first : quoted;
  uint32_t dtype = TW_DTYPE_NONE;
  for (const DescrRow &row : descrRows)
    if (dtype == TW_DTYPE_NONE && descr == row.descr)
      dtype = row.dtype;
  if (dtype == TW_DTYPE_NONE)
    throw Failure(7004,
                  "expected a little-endian number type in '" + path +
                      "', got '" + descr.str() + "'",
                  "convert the array, e.g. x.astype('<f4')");
  std::vector<int64_t> shape = parseShape(headerField(header, "shape"), path);
  if (headerField(header, "fortran_order").starts_with("True") &&
      shape.size() > 1)
    throw Failure(7005, "expected C order in '" + path + "', got Fortran order",
                  "save numpy.ascontiguousarray(x) instead");
  // Compared before the array is made: a header may claim any shape.
  uint64_t present = text.size() - offset;
  uint64_t wanted = Array::bytesOf(dtype, shape);
  if (present != wanted)
    throw Failure(7003, "expected " + std::to_string(wanted) +
                            " bytes of data in '" + path + "', got " +
                            std::to_string(present));
  Array array(dtype, shape);
  std::memcpy(array.data(), text.data() + offset, array.bytes());
  return array;
}

void writeNpy(const std::string &path, const Array &array) {
  const char *descr = nullptr;
  for (const DescrRow &row : descrRows)
    if (row.dtype == array.dtype())
      descr = row.descr;
  std::string header = std::string("{'descr': '") + descr +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape())
    header += std::to_string(extent) + ",";
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  char size[2];
  llvm::support::endian::write16le(size, header.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.append(size, 2).append(header);
  bytes.append(static_cast<const char *>(array.data()), array.bytes());
  writeFile(path, bytes);
}

} // namespace tilewright::tool
