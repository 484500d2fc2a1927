//===- AttributeWriter.h - Attributes to tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the attributes of an operation, or of an argument, by its row.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_ATTRIBUTEWRITER_H
#define TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_ATTRIBUTEWRITER_H

#include "dialects/kernel/portable/Tables.h"

#include "mlir/IR/Operation.h"

namespace tilewright::kernel::portable {

/// All attributes of an operation but those that follow from its operands,
/// types and name.
void collectAttributes(mlir::Operation *op,
                       llvm::SmallVectorImpl<mlir::NamedAttribute> &list);

class AttributeWriter {
public:
  AttributeWriter(Tables &tables, mlir::MLIRContext *context);

  /// Starts an operation or the arguments of a region, whose lists are read
  /// into memory of the same life.
  void begin() { numbers = entries = 0; }

  /// Writes `list` by the rows of `uses`, hints behind them. Anything else in
  /// it is an error at `where`.
  mlir::LogicalResult write(mlir::Operation *op, mlir::Location where,
                            llvm::ArrayRef<tw_portable_use> uses,
                            llvm::ArrayRef<mlir::NamedAttribute> list);

private:
  bool writeValue(const tw_portable_attr_info &info, mlir::Operation *op,
                  mlir::Attribute value);
  bool writeCase(const tw_portable_attr_info &info, mlir::Attribute value);
  bool writeAny(mlir::Attribute value, unsigned depth);
  bool writeInteger(mlir::IntegerAttr value);
  bool writeConstant(mlir::Attribute value);
  bool writeMaps(mlir::Operation *op);
  bool writeGroups(mlir::Attribute value);
  bool writeTexts(mlir::Attribute value);
  template <typename ArrayAttrT> bool writeList(mlir::Attribute value);
  bool writeEntries(llvm::ArrayRef<mlir::NamedAttribute> list, unsigned depth);
  /// The attributes of a list by what they are.
  struct Sorted {
    llvm::SmallVector<mlir::Attribute> values; // by row, null if absent
    llvm::SmallVector<mlir::NamedAttribute> hints;
    std::optional<mlir::NamedAttribute> unknown;
  };
  Sorted sort(llvm::ArrayRef<tw_portable_use> uses,
              llvm::ArrayRef<mlir::NamedAttribute> list) const;
  bool isThere(const tw_portable_use &use, mlir::Attribute value);
  void countNumbers(uint64_t count) {
    tables.need(Tables::Numbers, numbers += count);
  }
  void countEntries(uint64_t count) {
    tables.need(Tables::Entries, entries += count);
  }

  Tables &tables;
  const tw_portable_schema &schema;
  llvm::SmallVector<mlir::StringAttr> names; // by number of the attribute
  uint64_t numbers = 0, entries = 0;
};

} // namespace tilewright::kernel::portable

#endif // TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_ATTRIBUTEWRITER_H
