//===- Reader.cpp - tw.portable to Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visitor of the C reader that builds MLIR, and what it checks before it
// calls builders of MLIR that take right operands for granted.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/Portable.h"

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/Normalize.h"
#include "dialects/kernel/Passes.h"
#include "dialects/kernel/portable/AttributeReader.h"
#include "dialects/kernel/portable/Vocabulary.h"
#include "dialects/kernel/rules/OpRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tilewright::kernel;
using namespace tilewright::kernel::portable;

namespace {

/// Builds the module while the C reader reads.
class ModuleBuilder {
public:
  ModuleBuilder(const tw_portable_schema &schema, MLIRContext *context)
      : schema(schema), context(context), builder(context) {}

  tw_portable_visitor visitor();
  OwningOpRef<ModuleOp> module;

private:
  int32_t begin(const tw_portable_module &tables);
  int32_t beginOp(const tw_portable_op &op);
  int32_t beginRegion(uint32_t index, ArrayRef<tw_portable_argument> arguments);
  int32_t endRegion();
  int32_t endOp(uint32_t first, uint32_t count);

  void makeTypes();
  void makeLocations();
  Location makeLocation(const tw_portable_location &at);
  Operation *createPlain(OperationState &state, const tw_portable_op &op);
  Operation *createStructured(OperationState &state, const tw_portable_op &op);
  void setArguments(func::FuncOp function,
                    ArrayRef<tw_portable_argument> arguments);
  int32_t refuse(Location where, const Twine &text) {
    emitError(where) << "TW3134: " << text;
    return TW_E_DIAGNOSED;
  }

  const tw_portable_schema &schema;
  MLIRContext *context;
  OpBuilder builder;
  const tw_portable_module *tables = nullptr;
  std::optional<AttributeReader> attributes;
  SmallVector<std::optional<OperationName>> names;
  SmallVector<Type> types;
  SmallVector<Location> locations;
  SmallVector<Value> values;
  SmallVector<Operation *> open; ///< operations whose regions are being read
};

} // namespace

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void ModuleBuilder::makeTypes() {
  for (uint32_t i = 0; i < tables->type_count; ++i) {
    const tw_portable_type &type = tables->types[i];
    Type element = elementType(type.element, context);
    ArrayRef<int64_t> shape(type.extents, type.extents ? type.rank : 0);
    switch (type.kind) {
    case TW_PORTABLE_TYPE_POINTER:
      types.push_back(PointerType::get(context, element));
      break;
    case TW_PORTABLE_TYPE_VIEW:
      types.push_back(ViewType::get(context, type.rank, element));
      break;
    case TW_PORTABLE_TYPE_TENSOR:
      types.push_back(RankedTensorType::get(shape, element));
      break;
    case TW_PORTABLE_TYPE_POINTERS:
      types.push_back(
          RankedTensorType::get(shape, PointerType::get(context, element)));
      break;
    default:
      types.push_back(element);
    }
  }
}

Location ModuleBuilder::makeLocation(const tw_portable_location &at) {
  auto text = [&] {
    return StringAttr::get(context, StringRef(tables->texts[at.text].data,
                                              tables->texts[at.text].size));
  };
  switch (at.kind) {
  case TW_PORTABLE_LOCATION_RANGE:
    return FileLineColRange::get(text(), at.line, at.column, at.end_line,
                                 at.end_column);
  case TW_PORTABLE_LOCATION_CALL:
    return CallSiteLoc::get(locations[at.first], locations[at.second]);
  case TW_PORTABLE_LOCATION_NAMED:
    return NameLoc::get(text(), locations[at.first]);
  case TW_PORTABLE_LOCATION_FUSED: {
    SmallVector<Location> parts;
    for (uint32_t child : ArrayRef(at.children, at.count))
      parts.push_back(locations[child]);
    return FusedLoc::get(context, parts);
  }
  default:
    return UnknownLoc::get(context);
  }
}

void ModuleBuilder::makeLocations() {
  for (uint32_t i = 0; i < tables->location_count; ++i)
    locations.push_back(makeLocation(tables->locations[i]));
}

int32_t ModuleBuilder::begin(const tw_portable_module &given) {
  tables = &given;
  attributes.emplace(schema, given, context);
  names.resize(schema.op_count);
  values.resize(given.value_count);
  makeTypes();
  makeLocations();
  return TW_OK;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Sizes of the operand groups that MLIR has, which may be more than the slots
/// of a row: run-time extents do not occur.
static void addSegments(OperationState &state, const tw_portable_op &op,
                        const tw_portable_op_info &row) {
  auto registered = state.name.getRegisteredInfo();
  if (!registered || !llvm::any_of(registered->getAttributeNames(), [](auto n) {
        return n == "operandSegmentSizes";
      }))
    return;
  SmallVector<int32_t> segments(op.segments, op.segments + row.in_count);
  if (op.id == TW_PORTABLE_OP_TENSOR_EXTRACT_SLICE)
    segments.append({0, 0, 0});
  Builder b(state.getContext());
  state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
}

Operation *ModuleBuilder::createPlain(OperationState &state,
                                      const tw_portable_op &op) {
  const tw_portable_op_info &row = schema.ops[op.id];
  addSegments(state, op, row);
  if (op.id == TW_PORTABLE_OP_FUNC_FUNC) // its arguments come with its region
    state.addAttribute("function_type",
                       TypeAttr::get(builder.getFunctionType({}, {})));
  for (unsigned i = 0; i < row.region_count; ++i)
    state.addRegion();
  return builder.create(state);
}

/// Whether linalg can compute one type from the other.
static bool canCast(Type from, Type to) {
  return from == to || (from.isIntOrFloat() && to.isIntOrFloat());
}

/// Operations whose regions follow from their names; null if MLIR's builders
/// would not take the operands.
Operation *ModuleBuilder::createStructured(OperationState &state,
                                           const tw_portable_op &op) {
  ArrayRef<Value> operands = state.operands;
  Value init = operands.back();
  Type element = getElementTypeOrSelf(operands.front().getType());
  Type to = getElementTypeOrSelf(init.getType());
  if (state.types.front() != init.getType() || !canCast(element, to))
    return nullptr;
  ValueRange inputs(operands.drop_back());
  ArrayRef<NamedAttribute> list = state.attributes;
  bool isProduct =
      rules::areDotOperands(
          element,
          getElementTypeOrSelf(operands.drop_back().back().getType())) &&
      rules::isDotAccumulator(element, to);
  auto numbers = [&](StringRef name) {
    auto attribute = cast<DenseI64ArrayAttr>(state.attributes.get(name));
    state.attributes.erase(name);
    list = state.attributes;
    return attribute;
  };
  switch (op.id) {
  case TW_PORTABLE_OP_LINALG_MATMUL:
    return isProduct ? linalg::MatmulOp::create(builder, state.location,
                                                state.types, inputs, init, list)
                           .getOperation()
                     : nullptr;
  case TW_PORTABLE_OP_LINALG_BATCH_MATMUL:
    return isProduct
               ? linalg::BatchMatmulOp::create(builder, state.location,
                                               state.types, inputs, init, list)
                     .getOperation()
               : nullptr;
  case TW_PORTABLE_OP_LINALG_FILL:
    return linalg::FillOp::create(builder, state.location, state.types, inputs,
                                  init, list);
  case TW_PORTABLE_OP_LINALG_BROADCAST: {
    DenseI64ArrayAttr dimensions = numbers("dimensions");
    return linalg::BroadcastOp::create(
        builder, state.location, operands.front(), init, dimensions, list);
  }
  default: {
    DenseI64ArrayAttr permutation = numbers("permutation");
    return linalg::TransposeOp::create(
        builder, state.location, operands.front(), init, permutation, list);
  }
  }
}

static bool isStructured(uint32_t id) {
  return id == TW_PORTABLE_OP_LINALG_MATMUL ||
         id == TW_PORTABLE_OP_LINALG_BATCH_MATMUL ||
         id == TW_PORTABLE_OP_LINALG_FILL ||
         id == TW_PORTABLE_OP_LINALG_BROADCAST ||
         id == TW_PORTABLE_OP_LINALG_TRANSPOSE;
}

int32_t ModuleBuilder::beginOp(const tw_portable_op &op) {
  const tw_portable_op_info &row = schema.ops[op.id];
  Location location = locations[op.location];
  if (op.id == TW_PORTABLE_OP_BUILTIN_MODULE) {
    module = ModuleOp::create(location);
    NamedAttrList list;
    attributes->read(op, nullptr, list);
    (*module)->setAttrs(list);
    open.push_back(*module);
    return TW_OK;
  }
  if (!names[op.id]) {
    context->getOrLoadDialect(StringRef(row.name).split('.').first);
    names[op.id].emplace(row.name, context);
  }
  OperationState state(location, *names[op.id]);
  for (uint32_t value : ArrayRef(op.operands, op.operand_count))
    state.operands.push_back(values[value]);
  for (uint32_t type : ArrayRef(op.result_types, op.result_count))
    state.types.push_back(types[type]);
  attributes->read(op, op.result_count ? state.types.front() : Type(),
                   state.attributes);
  Operation *created = isStructured(op.id) ? createStructured(state, op)
                                           : createPlain(state, op);
  if (!created)
    return refuse(location, Twine("expected operands that '") + row.name +
                                "' computes, got others");
  open.push_back(created);
  return TW_OK;
}

void ModuleBuilder::setArguments(func::FuncOp function,
                                 ArrayRef<tw_portable_argument> arguments) {
  SmallVector<Type> inputs;
  SmallVector<DictionaryAttr> dictionaries;
  for (const tw_portable_argument &argument : arguments) {
    inputs.push_back(types[argument.type]);
    NamedAttrList list;
    attributes->readArgument(argument, list);
    dictionaries.push_back(list.getDictionary(context));
  }
  function.setFunctionType(builder.getFunctionType(inputs, {}));
  if (!arguments.empty())
    function.setAllArgAttrs(dictionaries);
}

int32_t ModuleBuilder::beginRegion(uint32_t index,
                                   ArrayRef<tw_portable_argument> arguments) {
  Operation *op = open.back();
  if (isa<ModuleOp>(op)) {
    if (!arguments.empty())
      return refuse(op->getLoc(), "expected a module without arguments");
    builder.setInsertionPointToEnd(module->getBody());
    return TW_OK;
  }
  if (auto function = dyn_cast<func::FuncOp>(op))
    setArguments(function, arguments);
  Block &block = op->getRegion(index).emplaceBlock();
  for (const tw_portable_argument &argument : arguments)
    values[argument.value] =
        block.addArgument(types[argument.type], locations[argument.location]);
  builder.setInsertionPointToEnd(&block);
  return TW_OK;
}

int32_t ModuleBuilder::endRegion() {
  if (Block *outside = open.back()->getBlock())
    builder.setInsertionPointToEnd(outside);
  return TW_OK;
}

int32_t ModuleBuilder::endOp(uint32_t first, uint32_t count) {
  Operation *op = open.pop_back_val();
  for (uint32_t i = 0; i < count; ++i)
    values[first + i] = op->getResult(i);
  return TW_OK;
}

tw_portable_visitor ModuleBuilder::visitor() {
  auto self = [](void *ctx) { return static_cast<ModuleBuilder *>(ctx); };
  static const auto get = self;
  tw_portable_visitor visitor = {};
  visitor.ctx = this;
  visitor.begin = [](void *ctx, const tw_portable_module *tables) {
    return get(ctx)->begin(*tables);
  };
  visitor.op_begin = [](void *ctx, const tw_portable_op *op) {
    return get(ctx)->beginOp(*op);
  };
  visitor.region_begin = [](void *ctx, uint32_t index,
                            const tw_portable_argument *arguments,
                            uint32_t count) {
    return get(ctx)->beginRegion(index, ArrayRef(arguments, count));
  };
  visitor.region_end = [](void *ctx) { return get(ctx)->endRegion(); };
  visitor.op_end = [](void *ctx, uint32_t first, uint32_t count) {
    return get(ctx)->endOp(first, count);
  };
  return visitor;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void report(const tw_portable_error &error, uint32_t oldest,
                   uint32_t newest, MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  if (error.reason == TW_PORTABLE_BAD_VERSION)
    emitError(loc) << "TW3132: expected a version of tw.portable from "
                   << oldest << " to " << newest << ", got " << error.got
                   << "; use a compiler and a plugin that share one";
  else
    emitError(loc) << "TW3133: expected " << error.expected << " at byte "
                   << error.offset << " of tw.portable, got " << error.got;
}

OwningOpRef<ModuleOp>
tilewright::kernel::readPortableIR(StringRef bytes, MLIRContext *context,
                                   const tw_portable_schema *schema) {
  if (!schema)
    schema = tw_portable_builtin_schema();
  DialectRegistry registry;
  registerKernelIRDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<KernelDialect>();

  tw_bytes ir = {bytes.data(), bytes.size()};
  tw_portable_error error = {};
  uint64_t size = 0;
  ModuleBuilder moduleBuilder(*schema, context);
  tw_portable_visitor visitor = moduleBuilder.visitor();
  int32_t status = tw_portable_measure(ir, &size, schema, &error);
  if (status == TW_OK) {
    std::vector<uint64_t> workspace(size / 8);
    status =
        tw_portable_read(ir, workspace.data(), size, &visitor, schema, &error);
  }
  if (error.reason)
    report(error, schema->oldest, schema->newest, context);
  if (status != TW_OK)
    return {};
  OwningOpRef<ModuleOp> module = std::move(moduleBuilder.module);
  if (succeeded(verify(*module)) && succeeded(verifyKernelIR(*module))) {
    normalizeModule(*module);
    return module;
  }
  emitError(UnknownLoc::get(context))
      << "TW3134: expected Kernel IR, got bytes that hold something else; "
         "compile the kernel again";
  return {};
}
