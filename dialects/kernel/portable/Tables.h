//===- Tables.h - Bytes of tw.portable as they are put together -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, and the tables of texts, types and locations that they point into.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_TABLES_H
#define TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_TABLES_H

#include "tilewright/portable.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace tilewright::kernel::portable {

/// The body of one module, with the tables that go before it.
class Tables {
public:
  /// Numbers of the head, in the order of the bytes.
  enum Need {
    Texts,
    Types,
    Extents,
    Locations,
    Children,
    Values,
    Ids,
    Numbers,
    Entries,
    Arguments,
    NeedCount
  };

  Tables(const tw_portable_schema &schema, uint32_t version)
      : schema(schema), version(version) {}

  const tw_portable_schema &getSchema() const { return schema; }
  uint32_t getVersion() const { return version; }

  bool lives(uint32_t since, uint32_t until) const {
    return since <= version && (!until || version <= until);
  }

  /// Appends an unsigned or a signed number to the body.
  void number(uint64_t value) { append(body, value); }
  void signedNumber(int64_t value);

  /// Appends a reference. Types and locations outside of the form are errors at
  /// `where`.
  void text(llvm::StringRef value) { number(textIndex(value)); }
  mlir::LogicalResult type(mlir::Type value, mlir::Location where);
  mlir::LogicalResult location(mlir::Location value);
  /// Appends the code of an element type; false if the version lacks it.
  bool element(mlir::Type value);

  /// States that a reader needs room for so many.
  void need(Need what, uint64_t count) {
    needs[what] = std::max(needs[what], count);
  }

  /// The position of a text, which a list of numbers may hold.
  uint32_t textIndex(llvm::StringRef value);

  /// Header, head, tables and body.
  void assemble(std::string &bytes);

private:
  static void append(std::string &bytes, uint64_t value);
  std::optional<uint32_t> typeIndex(mlir::Type value);
  bool encodeType(mlir::Type value, std::string &bytes);
  std::optional<uint32_t> locationIndex(mlir::LocationAttr value,
                                        unsigned depth);

  const tw_portable_schema &schema;
  uint32_t version;
  std::string body, texts, types, locations;
  llvm::StringMap<uint32_t> textNumbers;
  llvm::DenseMap<mlir::Type, uint32_t> typeNumbers;
  llvm::DenseMap<mlir::Attribute, uint32_t> locationNumbers;
  uint64_t needs[NeedCount] = {0, 0, 0, 1};
};

} // namespace tilewright::kernel::portable

#endif // TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_TABLES_H
