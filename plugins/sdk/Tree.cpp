//===- Tree.cpp - Kernel IR in memory ---------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visitor of portable.c that keeps what it is shown.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Tree.h"

namespace tilewright::sdk {

int64_t Type::count() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

const char *Op::name() const {
  return tw_portable_builtin_schema()->ops[id].name;
}

std::vector<const Value *> Op::slot(unsigned index) const {
  size_t start = 0;
  for (unsigned i = 0; i < index; ++i)
    start += segments[i];
  return {operands.begin() + start, operands.begin() + start + segments[index]};
}

const Value *Op::optional(unsigned index) const {
  std::vector<const Value *> values = slot(index);
  return values.empty() ? nullptr : values[0];
}

const Attribute *Op::find(uint32_t id) const {
  for (const Attribute &attribute : attributes)
    if (attribute.id == id)
      return &attribute;
  return nullptr;
}

int64_t Op::number(uint32_t id, int64_t otherwise) const {
  const Attribute *attribute = find(id);
  return attribute ? attribute->number : otherwise;
}

std::string Op::text(uint32_t id) const {
  const Attribute *attribute = find(id);
  return attribute ? attribute->text : std::string();
}

const std::vector<int64_t> &Op::numbers(uint32_t id) const {
  static const std::vector<int64_t> none;
  const Attribute *attribute = find(id);
  return attribute ? attribute->numbers : none;
}

std::vector<Place> Module::placesOf(uint32_t at) const {
  const Location &location = locations[at];
  std::vector<Place> places;
  switch (location.kind) {
  case TW_PORTABLE_LOCATION_RANGE:
    places.push_back({texts[location.text], "", location.line, location.column,
                      location.end_line, location.end_column});
    break;
  case TW_PORTABLE_LOCATION_CALL: {
    places = placesOf(location.first);
    std::vector<Place> callers = placesOf(location.second);
    places.insert(places.end(), callers.begin(), callers.end());
    break;
  }
  case TW_PORTABLE_LOCATION_NAMED:
    places = placesOf(location.first);
    if (!places.empty() && places[0].function.empty())
      places[0].function = texts[location.text];
    break;
  case TW_PORTABLE_LOCATION_FUSED:
    for (uint32_t part : location.parts)
      if (places.empty())
        places = placesOf(part);
    break;
  }
  return places;
}

namespace {
/// Builds a module; `open` are the operations around the one that is read.
class Builder {
public:
  Module &module;
  const tw_portable_module *given = nullptr;
  std::vector<Op *> open;
  std::vector<Region *> regions;
  std::vector<const Value *> live;

  explicit Builder(Module &module) : module(module) {}

  void begin(const tw_portable_module &tables);
  void beginOp(const tw_portable_op &op);
  void beginRegion(uint32_t index, const tw_portable_argument *arguments,
                   uint32_t count);
  void endOp(uint32_t firstResult, uint32_t count);

private:
  const Value *define(uint32_t number, const Type *type, const Op *producer);
  Attribute copy(const tw_portable_attr &attr, bool isEntry);
};
} // namespace

void Builder::begin(const tw_portable_module &tables) {
  given = &tables;
  for (uint32_t i = 0; i < tables.text_count; ++i)
    module.texts.emplace_back(tables.texts[i].data, tables.texts[i].size);
  for (uint32_t i = 0; i < tables.type_count; ++i) {
    const tw_portable_type &type = tables.types[i];
    module.types.push_back({type.kind, type.element, type.rank, {}});
    if (type.extents)
      module.types.back().shape.assign(type.extents, type.extents + type.rank);
  }
  for (uint32_t i = 0; i < tables.location_count; ++i) {
    Module::Location location{tables.locations[i], {}};
    if (location.children)
      location.parts.assign(location.children,
                            location.children + location.count);
    module.locations.push_back(location);
  }
  live.resize(tables.value_count);
}

Attribute Builder::copy(const tw_portable_attr &attr, bool isEntry) {
  Attribute result;
  result.id = attr.id;
  result.kind = attr.kind;
  result.element = attr.element;
  result.number = attr.number;
  if (isEntry)
    result.name = module.texts[attr.id];
  if (attr.kind == TW_PORTABLE_KIND_TEXT)
    result.text = module.texts[attr.number];
  bool isDictionary = attr.kind == TW_PORTABLE_KIND_DICT;
  if (isDictionary || attr.kind == TW_PORTABLE_KIND_LIST)
    for (uint32_t i = 0; i < attr.count; ++i)
      result.entries.push_back(copy(attr.entries[i], isDictionary));
  else if (attr.numbers)
    result.numbers.assign(attr.numbers, attr.numbers + attr.count);
  return result;
}

const Value *Builder::define(uint32_t number, const Type *type,
                             const Op *producer) {
  module.values.push_back({type, producer, uint32_t(module.values.size())});
  return live[number] = &module.values.back();
}

void Builder::beginOp(const tw_portable_op &op) {
  auto made = std::make_unique<Op>();
  const tw_portable_op_info &row = tw_portable_builtin_schema()->ops[op.id];
  made->id = op.id;
  made->location = op.location;
  for (uint32_t i = 0; i < op.operand_count; ++i)
    made->operands.push_back(live[op.operands[i]]);
  made->segments.assign(op.segments, op.segments + row.in_count);
  for (uint32_t i = 0; i < op.attr_count; ++i)
    made->attributes.push_back(copy(op.attrs[i], /*isEntry=*/false));
  made->regions.resize(row.region_count);
  open.push_back(made.get());
  if (regions.empty())
    module.top = std::move(made);
  else
    regions.back()->ops.push_back(std::move(made));
}

void Builder::beginRegion(uint32_t index, const tw_portable_argument *arguments,
                          uint32_t count) {
  Region &region = open.back()->regions[index];
  region.isPresent = true;
  regions.push_back(&region);
  for (uint32_t i = 0; i < count; ++i) {
    const tw_portable_argument &argument = arguments[i];
    region.arguments.push_back(
        define(argument.value, &module.types[argument.type], nullptr));
    region.argumentAttributes.emplace_back();
    for (uint32_t k = 0; k < argument.attr_count; ++k)
      region.argumentAttributes.back().push_back(
          copy(argument.attrs[k], /*isEntry=*/false));
  }
}

void Builder::endOp(uint32_t firstResult, uint32_t count) {
  Op &op = *open.back();
  for (uint32_t i = 0; i < count; ++i)
    op.results.push_back(
        define(firstResult + i,
               &module.types[given->value_types[firstResult + i]], &op));
  open.pop_back();
}

std::unique_ptr<Module> readTree(tw_bytes ir, std::string &error) {
  auto module = std::make_unique<Module>();
  Builder builder(*module);
  tw_portable_visitor visitor = {};
  visitor.ctx = &builder;
  visitor.begin = [](void *ctx, const tw_portable_module *tables) -> int32_t {
    static_cast<Builder *>(ctx)->begin(*tables);
    return TW_OK;
  };
  visitor.op_begin = [](void *ctx, const tw_portable_op *op) -> int32_t {
    static_cast<Builder *>(ctx)->beginOp(*op);
    return TW_OK;
  };
  visitor.region_begin = [](void *ctx, uint32_t index,
                            const tw_portable_argument *arguments,
                            uint32_t count) -> int32_t {
    static_cast<Builder *>(ctx)->beginRegion(index, arguments, count);
    return TW_OK;
  };
  visitor.region_end = [](void *ctx) -> int32_t {
    static_cast<Builder *>(ctx)->regions.pop_back();
    return TW_OK;
  };
  visitor.op_end = [](void *ctx, uint32_t first, uint32_t count) -> int32_t {
    static_cast<Builder *>(ctx)->endOp(first, count);
    return TW_OK;
  };
  tw_portable_error problem;
  uint64_t bytes = 0;
  int32_t status = tw_portable_measure(ir, &bytes, nullptr, &problem);
  if (status == TW_OK) {
    std::vector<uint64_t> workspace(bytes / 8 + 1);
    status = tw_portable_read(ir, workspace.data(), workspace.size() * 8,
                              &visitor, nullptr, &problem);
  }
  if (status == TW_OK)
    return module;
  error = "expected " + std::string(problem.expected) + ", got " +
          std::to_string(problem.got) + " at byte " +
          std::to_string(problem.offset);
  return nullptr;
}

} // namespace tilewright::sdk
