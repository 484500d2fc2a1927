//===- Writer.cpp - Kernel IR to tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are written by their rows. Tables grow while operations refer to
// them and are put before them at the end.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/Portable.h"

#include "dialects/kernel/portable/AttributeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tilewright::kernel;
using namespace tilewright::kernel::portable;

namespace {

/// Writes the operations of one module.
class Writer {
public:
  Writer(const tw_portable_schema &schema, uint32_t version,
         MLIRContext *context)
      : schema(schema), version(version), tables(schema, version),
        attributes(tables, context) {
    for (uint32_t id = 1; id < schema.op_count; ++id)
      ids.try_emplace(schema.ops[id].name, id);
  }

  LogicalResult write(ModuleOp module, std::string &bytes) {
    tables.textIndex("tilewright"); // the producer
    if (failed(writeOp(module, 0)))
      return failure();
    tables.assemble(bytes);
    return success();
  }

private:
  LogicalResult writeOp(Operation *op, unsigned depth);
  LogicalResult writeOperands(Operation *op, const tw_portable_op_info &row);
  LogicalResult writeResults(Operation *op, const tw_portable_op_info &row);
  LogicalResult writeRegions(Operation *op, const tw_portable_op_info &row,
                             unsigned depth);
  LogicalResult writeRegion(Operation *op, const tw_portable_op_info &row,
                            Region &region, unsigned depth);
  LogicalResult writeArguments(Operation *op, const tw_portable_op_info &row,
                               Region &region);
  bool segmentsOf(Operation *op, const tw_portable_op_info &row,
                  SmallVectorImpl<uint32_t> &segments);
  void define(Value value) {
    values[value] = live++;
    tables.need(Tables::Values, live);
  }

  const tw_portable_schema &schema;
  uint32_t version;
  Tables tables;
  AttributeWriter attributes;
  llvm::StringMap<uint32_t> ids;
  DenseMap<Value, uint32_t> values;
  uint32_t live = 0;
};

} // namespace

/// Operands of each slot; false if they do not fit the slots.
bool Writer::segmentsOf(Operation *op, const tw_portable_op_info &row,
                        SmallVectorImpl<uint32_t> &segments) {
  unsigned fixed = 0, variable = 0;
  for (unsigned i = 0; i < row.in_count; ++i)
    ++(row.in[i].count == '1' ? fixed : variable);
  if (variable > 1) {
    auto stated = dyn_cast_or_null<DenseI32ArrayAttr>(
        op->getInherentAttr("operandSegmentSizes").value_or(Attribute()));
    if (!stated || stated.size() != row.in_count)
      return false;
    segments.assign(stated.asArrayRef().begin(), stated.asArrayRef().end());
    return true;
  }
  if (op->getNumOperands() < fixed ||
      (variable == 0 && op->getNumOperands() != fixed))
    return false;
  for (unsigned i = 0; i < row.in_count; ++i)
    segments.push_back(row.in[i].count == '1' ? 1
                                              : op->getNumOperands() - fixed);
  return true;
}

LogicalResult Writer::writeOperands(Operation *op,
                                    const tw_portable_op_info &row) {
  SmallVector<uint32_t> segments;
  if (!segmentsOf(op, row, segments))
    return op->emitError() << "TW3131: expected operands of '" << row.name
                           << "' as in its row of tw.portable, got "
                           << op->getNumOperands();
  unsigned next = 0;
  for (auto [i, segment] : llvm::enumerate(segments)) {
    if (row.in[i].count != '1')
      tables.number(segment);
    for (unsigned k = 0; k < segment; ++k)
      tables.number(values.lookup(op->getOperand(next++)));
  }
  return success();
}

LogicalResult Writer::writeResults(Operation *op,
                                   const tw_portable_op_info &row) {
  bool isList = row.out_count == 1 && row.out[0].count == '*';
  if (!isList && op->getNumResults() != row.out_count)
    return op->emitError() << "TW3131: expected " << unsigned(row.out_count)
                           << " results of '" << row.name << "', got "
                           << op->getNumResults();
  if (isList)
    tables.number(op->getNumResults());
  for (Type type : op->getResultTypes())
    if (failed(tables.type(type, op->getLoc())))
      return failure();
  tables.need(Tables::Ids,
              row.in_count + op->getNumOperands() + op->getNumResults());
  return success();
}

LogicalResult Writer::writeArguments(Operation *op,
                                     const tw_portable_op_info &row,
                                     Region &region) {
  auto function = dyn_cast<func::FuncOp>(op);
  tables.number(region.getNumArguments());
  tables.need(Tables::Arguments, region.getNumArguments());
  attributes.begin();
  for (BlockArgument argument : region.getArguments()) {
    define(argument);
    if (failed(tables.type(argument.getType(), argument.getLoc())))
      return failure();
    if (failed(tables.location(argument.getLoc())))
      return failure();
    if (!row.argument_use_count)
      continue;
    SmallVector<NamedAttribute> list;
    if (DictionaryAttr dictionary =
            function.getArgAttrDict(argument.getArgNumber()))
      list.assign(dictionary.begin(), dictionary.end());
    ArrayRef<tw_portable_use> uses(row.argument_uses, row.argument_use_count);
    if (failed(attributes.write(op, argument.getLoc(), uses, list)))
      return failure();
  }
  return success();
}

LogicalResult Writer::writeRegion(Operation *op, const tw_portable_op_info &row,
                                  Region &region, unsigned depth) {
  if (!region.hasOneBlock() || depth > TW_PORTABLE_MAX_DEPTH)
    return op->emitError() << "TW3131: expected regions of one block, at most "
                           << TW_PORTABLE_MAX_DEPTH
                           << " inside one another, got another form of '"
                           << op->getName() << "'";
  uint32_t outside = live;
  if (failed(writeArguments(op, row, region)))
    return failure();
  tables.number(region.front().getOperations().size());
  for (Operation &inner : region.front())
    if (failed(writeOp(&inner, depth)))
      return failure();
  live = outside;
  return success();
}

LogicalResult Writer::writeRegions(Operation *op,
                                   const tw_portable_op_info &row,
                                   unsigned depth) {
  // Regions of linalg's named operations follow from the names.
  if (row.region_count == 0 && isa<linalg::LinalgOp>(op))
    return success();
  if (op->getNumRegions() != row.region_count)
    return op->emitError() << "TW3131: expected " << unsigned(row.region_count)
                           << " regions of '" << row.name << "', got "
                           << op->getNumRegions();
  for (auto [i, region] : llvm::enumerate(op->getRegions()))
    if (row.regions[i].count == '?')
      tables.number(!region.empty());
  for (auto [i, region] : llvm::enumerate(op->getRegions())) {
    if (row.regions[i].count == '?' && region.empty())
      continue;
    if (failed(writeRegion(op, row, region, depth + 1)))
      return failure();
  }
  return success();
}

LogicalResult Writer::writeOp(Operation *op, unsigned depth) {
  uint32_t id = ids.lookup(op->getName().getStringRef());
  if (id == 0)
    return op->emitError() << "TW3131: expected an operation of tw.portable, "
                              "got '"
                           << op->getName() << "'";
  const tw_portable_op_info &row = schema.ops[id];
  if (!tables.lives(row.since, row.until))
    return op->emitError() << "TW3131: expected operations of tw.portable "
                           << version << ", got '" << row.name
                           << "', which versions from " << row.since
                           << " on have";
  tables.number(id);
  attributes.begin();
  SmallVector<NamedAttribute> list;
  collectAttributes(op, list);
  ArrayRef<tw_portable_use> uses(row.uses, row.use_count);
  if (failed(tables.location(op->getLoc())) || failed(writeOperands(op, row)) ||
      failed(writeResults(op, row)) ||
      failed(attributes.write(op, op->getLoc(), uses, list)) ||
      failed(writeRegions(op, row, depth)))
    return failure();
  for (Value result : op->getResults())
    define(result);
  return success();
}

LogicalResult
tilewright::kernel::writePortableIR(ModuleOp module, uint32_t version,
                                    std::string &bytes,
                                    const tw_portable_schema *schema) {
  if (!schema)
    schema = tw_portable_builtin_schema();
  if (version < schema->oldest || version > schema->newest)
    return module.emitError()
           << "TW3130: expected a version of tw.portable from "
           << schema->oldest << " to " << schema->newest << ", got " << version;
  return Writer(*schema, version, module.getContext()).write(module, bytes);
}
