//===- SimtDialect.cpp - Layouts and types of the simt dialect --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, and the text form of layouts.
//===----------------------------------------------------------------------===//
#include "backends/simt/dialect/SimtDialect.h"

#include "backends/simt/dialect/SimtOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::simt;

#include "backends/simt/dialect/SimtDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "backends/simt/dialect/SimtAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "backends/simt/dialect/SimtTypes.cpp.inc"

void SimtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "backends/simt/dialect/SimtAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "backends/simt/dialect/SimtTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "backends/simt/dialect/SimtOps.cpp.inc"
      >();
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  SmallVector<unsigned> inputBits, dimensionBits;
  for (const LayoutDim &input : layout.inputs())
    inputBits.push_back(input.bits);
  for (const LayoutDim &output : layout.outputs())
    dimensionBits.push_back(output.bits);
  return get(context, inputBits, dimensionBits, layout.columns());
}

LinearLayout LayoutAttr::getLayout() const {
  static constexpr const char *names[] = {warpDim, laneDim, registerDim};
  LayoutDims inputs, outputs;
  for (auto [index, bits] : llvm::enumerate(getInputBits()))
    inputs.push_back({isShared() ? offsetDim : names[index], bits});
  for (auto [index, bits] : llvm::enumerate(getDimensionBits()))
    outputs.push_back({tensorDim(index), bits});
  return LinearLayout(inputs, outputs, getColumns().vec());
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << getLayout().toString() << ">";
}

/// `[[1, 0], [2, 0]]`: one index list a bit.
static ParseResult parseBases(AsmParser &parser,
                              SmallVectorImpl<SmallVector<uint64_t>> &bases) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::Square, [&, first = true]() mutable {
          if (first)
            bases.emplace_back();
          first = false;
          return parser.parseInteger(bases.back().emplace_back());
        });
  });
}

/// `dim0=4, dim1=2`: extents, which are powers of two.
static ParseResult parseDimensions(AsmParser &parser,
                                   SmallVectorImpl<unsigned> &bits) {
  do {
    uint64_t extent = 0;
    StringRef name;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseInteger(extent))
      return failure();
    if (name != tensorDim(bits.size()) || !llvm::isPowerOf2_64(extent))
      return parser.emitError(place)
             << "expected " << tensorDim(bits.size())
             << " = a power of two, got " << name << " = " << extent;
    bits.push_back(llvm::Log2_64(extent));
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc place = parser.getCurrentLocation();
  SmallVector<SmallVector<SmallVector<uint64_t>>> inputs;
  SmallVector<unsigned> inputBits, dimensionBits;
  if (parser.parseLess())
    return {};
  StringRef first, name;
  do {
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parseBases(parser, inputs.emplace_back()))
      return {};
    if (inputs.size() == 1)
      first = name;
    inputBits.push_back(inputs.back().size());
  } while (succeeded(parser.parseOptionalComma()));
  if (!(first == offsetDim && inputs.size() == 1) &&
      !(first == warpDim && inputs.size() == 3)) {
    parser.emitError(place)
        << "expected warp, lane and register, or offset, got " << first;
    return {};
  }
  if (parser.parseArrow() ||
      (failed(parser.parseOptionalGreater()) &&
       (parseDimensions(parser, dimensionBits) || parser.parseGreater())))
    return {};
  SmallVector<uint64_t> columns;
  for (auto &bases : llvm::reverse(inputs))
    for (ArrayRef<uint64_t> basis : bases) {
      uint64_t column = 0;
      if (basis.size() != dimensionBits.size()) {
        parser.emitError(place)
            << "expected one index a dimension, got " << basis.size();
        return {};
      }
      for (auto [index, bits] : llvm::zip(basis, dimensionBits)) {
        if (index >> bits) {
          parser.emitError(place) << "expected an index below " << (1u << bits)
                                  << ", got " << index;
          return {};
        }
        column = column << bits | index;
      }
      columns.push_back(column);
    }
  return get(parser.getContext(), inputBits, dimensionBits, columns);
}

LayoutAttr tilewright::simt::layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()) : nullptr;
}

RankedTensorType tilewright::simt::withLayout(Type tensor, LayoutAttr layout) {
  auto type = cast<RankedTensorType>(tensor);
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}
