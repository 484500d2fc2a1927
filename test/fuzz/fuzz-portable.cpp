//===- fuzz-portable.cpp - The readers of tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes: once as they are, once with size and checksum made right, so that
// the readers look behind them. What the C reader lets pass goes to MLIR's,
// too.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/Portable.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

/// Touches everything that the reader passes.
struct Toucher {
  const tw_portable_module *module = nullptr;
  uint64_t sum = 0;

  void touch(const tw_portable_attr *attrs, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const tw_portable_attr &attr = attrs[i];
      sum += attr.id + attr.kind + uint64_t(attr.number);
      if (attr.kind == TW_PORTABLE_KIND_TEXT)
        sum += module->texts[attr.number].size;
      if (attr.entries)
        touch(attr.entries, attr.count);
      else
        for (uint32_t k = 0; k < attr.count; ++k)
          sum += uint64_t(attr.numbers[k]);
    }
  }
};

Toucher &of(void *ctx) { return *static_cast<Toucher *>(ctx); }

tw_portable_visitor touching(Toucher &toucher) {
  tw_portable_visitor visitor = {};
  visitor.ctx = &toucher;
  visitor.begin = [](void *ctx, const tw_portable_module *module) {
    of(ctx).module = module;
    for (uint32_t i = 0; i < module->type_count; ++i)
      for (uint32_t k = 0;
           module->types[i].extents && k < module->types[i].rank; ++k)
        of(ctx).sum += uint64_t(module->types[i].extents[k]);
    for (uint32_t i = 0; i < module->location_count; ++i)
      of(ctx).sum += module->locations[i].line +
                     module->texts[module->locations[i].text].size;
    return 0;
  };
  visitor.op_begin = [](void *ctx, const tw_portable_op *op) {
    for (uint32_t i = 0; i < op->operand_count; ++i)
      of(ctx).sum +=
          of(ctx)
              .module->types[of(ctx).module->value_types[op->operands[i]]]
              .kind;
    for (uint32_t i = 0; i < op->result_count; ++i)
      of(ctx).sum += of(ctx).module->types[op->result_types[i]].kind;
    of(ctx).touch(op->attrs, op->attr_count);
    of(ctx).touch(op->hints, op->hint_count);
    return 0;
  };
  visitor.region_begin = [](void *ctx, uint32_t,
                            const tw_portable_argument *arguments,
                            uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      of(ctx).touch(arguments[i].attrs, arguments[i].attr_count);
      of(ctx).touch(arguments[i].hints, arguments[i].hint_count);
    }
    return 0;
  };
  return visitor;
}

/// A context that is made anew now and then, because it keeps all attributes.
mlir::MLIRContext &context() {
  constexpr unsigned modulesOfContext = 256;
  static std::unique_ptr<mlir::MLIRContext> current;
  static unsigned used = 0;
  if (!current || ++used % modulesOfContext == 0) {
    current = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    current->getDiagEngine().registerHandler(
        [](mlir::Diagnostic &) { return mlir::success(); });
  }
  return *current;
}

void read(const std::string &bytes) {
  // On the heap and of that very size, so that sanitizers see its ends.
  std::vector<char> copy(bytes.begin(), bytes.end());
  tw_bytes ir = {copy.data(), copy.size()};
  tw_portable_error error = {};
  uint64_t size = 0;
  if (tw_portable_measure(ir, &size, nullptr, &error) != TW_OK)
    return;
  std::vector<uint64_t> workspace(size / 8);
  Toucher toucher;
  tw_portable_visitor visitor = touching(toucher);
  if (tw_portable_read(ir, workspace.data(), size, &visitor, nullptr, &error) ==
      TW_OK)
    tilewright::kernel::readPortableIR(bytes, &context());
  else if (error.reason == 0 || error.offset > copy.size())
    std::abort(); // a refusal says why and where
}

/// Makes size and checksum right.
std::string sealed(std::string bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 24; i < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3ull;
  uint64_t words[] = {bytes.size() - 24, hash};
  for (unsigned i = 0; i < 16; ++i)
    bytes[8 + i] = char(words[i / 8] >> (8 * (i % 8)));
  bytes.replace(0, 8, std::string("TWPI\1\0\0\0", 8));
  return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  read(bytes);
  if (size >= 24)
    read(sealed(bytes));
  return 0;
}
