//===- AttributeReader.h - Attributes from tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes MLIR's attributes from those that the C reader passes.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_ATTRIBUTEREADER_H
#define TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_ATTRIBUTEREADER_H

#include "tilewright/portable.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"

namespace tilewright::kernel::portable {

class AttributeReader {
public:
  /// `module` outlives the reader.
  AttributeReader(const tw_portable_schema &schema,
                  const tw_portable_module &module, mlir::MLIRContext *context)
      : schema(schema), module(module), b(context), names(schema.attr_count) {}

  /// Attributes and hints of an operation; those that are left out because they
  /// equal their default, too. `result` is the type of a constant.
  void read(const tw_portable_op &op, mlir::Type result,
            mlir::NamedAttrList &list);
  void readArgument(const tw_portable_argument &argument,
                    mlir::NamedAttrList &list);

private:
  mlir::StringAttr name(uint32_t id);
  llvm::StringRef text(int64_t index) const {
    return {module.texts[index].data, module.texts[index].size};
  }
  mlir::Attribute make(const tw_portable_attr &attr, mlir::Type result);
  mlir::Attribute makeConstant(int64_t bits, mlir::Type type);
  mlir::Attribute makeGroups(const tw_portable_attr &attr);
  mlir::Attribute makeDictionary(const tw_portable_attr &attr);
  void addHints(const tw_portable_attr *hints, uint32_t count,
                mlir::NamedAttrList &list);

  const tw_portable_schema &schema;
  const tw_portable_module &module;
  mlir::Builder b;
  llvm::SmallVector<mlir::StringAttr> names;
};

} // namespace tilewright::kernel::portable

#endif // TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_ATTRIBUTEREADER_H
