//===- Descriptors.cpp - Tensor descriptors ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule G7: descriptors made in the kernel, their loads and stores.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/MemoryAccess.h"

#include "dialects/tile/TileOps.h"
#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::sema;
using kernel::AtomicKind;

static llvm::SmallVector<mlir::Value> ssaOf(llvm::ArrayRef<Value> values) {
  llvm::SmallVector<mlir::Value> result;
  for (const Value &value : values)
    result.push_back(value.ssa());
  return result;
}

Value sema::makeDescriptor(Emitter &emitter, const Value &base,
                           std::vector<Value> shape, std::vector<Value> strides,
                           llvm::ArrayRef<int64_t> block, bool padsWithNaN) {
  DType element = base.dtype().pointee();
  auto blockType =
      llvm::cast<mlir::RankedTensorType>(emitter.typeFor(element, block));
  auto type = tile::DescriptorType::get(emitter.b.getContext(), blockType);
  auto op = tile::MakeDescriptorOp::create(
      emitter.b, type, base.ssa(), ssaOf(shape), ssaOf(strides),
      padsWithNaN ? kernel::Padding::NaN : kernel::Padding::Zero);
  auto payload = std::make_shared<DescriptorPayload>();
  payload->block = block.vec();
  payload->shape = std::move(shape);
  payload->strides = std::move(strides);
  return Value::descriptor(op, element, std::move(payload));
}

/// The elements of a tuple argument as i64 (or i32) scalars.
static std::optional<std::vector<Value>> scalarList(Interpreter &in,
                                                    const CallArgs &args,
                                                    llvm::StringRef name,
                                                    DType type, size_t count) {
  const Value &given = args[name];
  std::vector<Value> elements;
  if (given.isTuple())
    elements = given.elements().vec();
  else
    elements.push_back(given);
  if (elements.size() != count) {
    in.argumentError(args, name, 2280,
                     "expected " + llvm::Twine(count) + " entries for '" +
                         name + "', got " + llvm::Twine(elements.size()));
    return std::nullopt;
  }
  for (Value &element : elements) {
    element = in.emitter.toScalarInt(element, type, name);
    if (element.isError())
      return std::nullopt;
  }
  return elements;
}

static bool isOne(const Value &value) {
  return value.isNumber() ? value.toDouble() == 1
                          : mlir::matchPattern(value.ssa(), mlir::m_One());
}

static Value emitMakeDescriptor(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> block =
      in.constantShape(args, "block_shape");
  std::optional<std::string> padding = in.constantStr(args, "padding_option");
  if (!block || !padding || !checkPointer(in, args, "base"))
    return Value::error();
  const Value &base = args["base"];
  if (!base.isScalar())
    return in.argumentError(args, "base", 2281,
                            "expected a scalar pointer as the base, got " +
                                base.describe());
  if (block->empty() || block->size() > 5)
    return in.argumentError(args, "block_shape", 2282,
                            "expected 1 to 5 dimensions");
  if (!in.emitter.checkShape(*block))
    return Value::error();
  if (*padding != "" && *padding != "zero" && *padding != "nan")
    return in.argumentError(args, "padding_option", 2283,
                            "expected 'zero' or 'nan', got '" + *padding + "'");
  if (*padding == "nan" && !base.dtype().pointee().isFloat())
    return in.argumentError(args, "padding_option", 2283,
                            "expected floats with NaN padding, got " +
                                base.dtype().pointee().spelling());
  auto shape = scalarList(in, args, "shape", Scalar::I64, block->size());
  auto strides = scalarList(in, args, "strides", Scalar::I64, block->size());
  if (!shape || !strides)
    return Value::error();
  if (!isOne(strides->back()))
    return in.argumentError(args, "strides", 2284,
                            "expected the last stride to be the constant 1",
                            "transpose the tensor's description, or load with "
                            "pointers");
  return makeDescriptor(in.emitter, base, *shape, *strides, *block,
                        *padding == "nan");
}

/// The offsets of an access; variadic calls give them one by one.
static std::optional<std::vector<Value>> offsetsOf(Interpreter &in,
                                                   const CallArgs &args) {
  const auto &descriptor = args["self"].payload<DescriptorPayload>();
  return scalarList(in, args, "offsets", Scalar::I32, descriptor.block.size());
}

static Value emitLoad(Interpreter &in, CallArgs &args) {
  const Value &self = args["self"];
  std::optional<AccessHints> hints = accessHints(in, args);
  std::optional<std::vector<Value>> offsets = offsetsOf(in, args);
  if (!hints || !offsets)
    return Value::error();
  const auto &block = self.payload<DescriptorPayload>().block;
  auto op = tile::DescriptorLoadOp::create(
      in.builder(), in.emitter.typeFor(self.dtype(), block), self.ssa(),
      ssaOf(*offsets), hints->cache, hints->eviction);
  return Value::tensor(op, self.dtype());
}

/// Store, or an atomic update when the variant names one (kind + 1).
static Value emitStore(Interpreter &in, CallArgs &args) {
  const Value &self = args["self"];
  std::optional<std::vector<Value>> offsets = offsetsOf(in, args);
  if (!offsets)
    return Value::error();
  const auto &block = self.payload<DescriptorPayload>().block;
  Value value = in.emitter.cast(args["value"], self.dtype());
  if (value.isError())
    return value;
  int64_t count = 1, wanted = 1;
  for (int64_t extent : value.shape())
    count *= extent;
  for (int64_t extent : block)
    wanted *= extent;
  // Leading extents of 1 may be missing.
  if (count == wanted && value.shape() != Shape(block))
    value = in.emitter.reshape(value, block);
  if (value.shape() != Shape(block))
    return in.argumentError(args, "value", 2285,
                            "expected a value of " +
                                describeType(self.dtype(), block) + ", got " +
                                args["value"].describe());
  kernel::AtomicKindAttr kind;
  if (args.builtin->variant) {
    auto atomic = static_cast<AtomicKind>(args.builtin->variant - 1);
    bool isFloat = self.dtype().isFloat();
    bool isUnsigned = self.dtype().isUnsigned();
    if (atomic == AtomicKind::Add && isFloat)
      atomic = AtomicKind::FAdd;
    if (atomic == AtomicKind::Max)
      atomic = isFloat      ? AtomicKind::FMax
               : isUnsigned ? AtomicKind::UMax
                            : atomic;
    if (atomic == AtomicKind::Min)
      atomic = isFloat      ? AtomicKind::FMin
               : isUnsigned ? AtomicKind::UMin
                            : atomic;
    kind = kernel::AtomicKindAttr::get(in.builder().getContext(), atomic);
  }
  tile::DescriptorStoreOp::create(in.builder(), self.ssa(), ssaOf(*offsets),
                                  value.ssa(), kind);
  return Value::none();
}

static bool checkRows(Interpreter &in, const CallArgs &args) {
  const auto &block = args["self"].payload<DescriptorPayload>().block;
  const Value &rows = args["x_offsets"];
  bool fits = rows.isTensor() && rows.rank() == 1 && rows.dtype().isInt() &&
              block.size() == 2 && block[0] == 1;
  if (!fits)
    in.argumentError(args, "x_offsets", 2286,
                     "expected a 1-D tensor of rows and a block shape of "
                     "[1, N], got " +
                         rows.describe());
  return fits;
}

static Value emitGather(Interpreter &in, CallArgs &args) {
  if (!checkRows(in, args))
    return Value::error();
  const Value &self = args["self"];
  Value rows = in.emitter.cast(args["x_offsets"], Scalar::I32);
  Value column =
      in.emitter.toScalarInt(args["y_offset"], Scalar::I32, "y_offset");
  if (rows.isError() || column.isError())
    return Value::error();
  const auto &block = self.payload<DescriptorPayload>().block;
  auto op = tile::DescriptorGatherOp::create(
      in.builder(),
      in.emitter.typeFor(self.dtype(), {rows.shape()[0], block[1]}), self.ssa(),
      rows.ssa(), column.ssa());
  return Value::tensor(op, self.dtype());
}

static Value emitScatter(Interpreter &in, CallArgs &args) {
  if (!checkRows(in, args))
    return Value::error();
  const Value &self = args["self"];
  Value rows = in.emitter.cast(args["x_offsets"], Scalar::I32);
  Value column =
      in.emitter.toScalarInt(args["y_offset"], Scalar::I32, "y_offset");
  const auto &block = self.payload<DescriptorPayload>().block;
  Value value = in.emitter.cast(args["value"], self.dtype());
  if (rows.isError() || column.isError() || value.isError())
    return Value::error();
  std::vector<int64_t> shape = {rows.shape()[0], block[1]};
  if (value.shape() != Shape(shape))
    return in.argumentError(args, "value", 2285,
                            "expected a value of " +
                                describeType(self.dtype(), shape) + ", got " +
                                args["value"].describe());
  tile::DescriptorScatterOp::create(in.builder(), self.ssa(), rows.ssa(),
                                    column.ssa(), value.ssa());
  return Value::none();
}

/// tl.load_tensor_descriptor and tl.store_tensor_descriptor.
static Value emitFunctionForm(Interpreter &in, CallArgs &args) {
  const Value &self = args["self"];
  if (!self.is(Value::Kind::Descriptor))
    return in.argumentError(args, "self", 2287,
                            "expected a tensor descriptor, got " +
                                self.describe());
  bool isLoad = args.builtin->variant == 0;
  const Builtin *method =
      builtinTable().find(isLoad ? "descriptor.load" : "descriptor.store");
  std::vector<Value> values = {self, args["offsets"]};
  if (!isLoad)
    values.push_back(args["value"]);
  return in.callValue(Value::builtin(method), values);
}

void sema::registerDescriptors(BuiltinTable &table) {
  for (const char *name :
       {"tl.make_tensor_descriptor", "tl._experimental_make_tensor_descriptor"})
    table.add(name, "base, shape, strides, block_shape, padding_option='zero'",
              emitMakeDescriptor);
  table.add("descriptor.load",
            "self, offsets, cache_modifier='', eviction_policy=''", emitLoad);
  table.add("descriptor.store", "self, offsets, value", emitStore);
  auto atomic = [&](llvm::StringRef name, AtomicKind kind) {
    table.add(name, "self, offsets, value", emitStore).variant =
        static_cast<int64_t>(kind) + 1;
  };
  atomic("descriptor.atomic_add", AtomicKind::Add);
  atomic("descriptor.atomic_max", AtomicKind::Max);
  atomic("descriptor.atomic_min", AtomicKind::Min);
  atomic("descriptor.atomic_and", AtomicKind::And);
  atomic("descriptor.atomic_or", AtomicKind::Or);
  atomic("descriptor.atomic_xor", AtomicKind::Xor);
  table.add("descriptor.gather", "self, x_offsets, y_offset", emitGather);
  table.add("descriptor.scatter", "self, value, x_offsets, y_offset",
            emitScatter);
  table.add("tl.load_tensor_descriptor", "self, offsets", emitFunctionForm);
  table
      .add("tl.store_tensor_descriptor", "self, offsets, value",
           emitFunctionForm)
      .variant = 1;
}
