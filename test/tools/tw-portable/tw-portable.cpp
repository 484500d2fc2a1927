//===- tw-portable.cpp - Text and bytes of Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tw-portable write VERSION    text in, bytes out
//   tw-portable read             bytes in, text with locations out
//   tw-portable dump             bytes in, what the C reader sees out
//   tw-portable check FILE...    each text goes through both forms and back,
//                                which must change nothing; the newest version
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Serialization.h"
#include "dialects/kernel/portable/Portable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilewright::kernel;

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  return text + "\n";
}

static OwningOpRef<ModuleOp> parse(StringRef text, MLIRContext *context) {
  return parseSourceString<ModuleOp>(text, context);
}

//===----------------------------------------------------------------------===//
// dump
//===----------------------------------------------------------------------===//

namespace {

/// Prints operations as the C reader passes them.
struct Dump {
  const tw_portable_schema &schema = *tw_portable_builtin_schema();
  const tw_portable_module *module = nullptr;
  unsigned indent = 0;

  StringRef text(int64_t index) const {
    return {module->texts[index].data, module->texts[index].size};
  }
  void print(const tw_portable_attr &attr, StringRef name) const;
  void print(const tw_portable_op &op) const;
};

} // namespace

void Dump::print(const tw_portable_attr &attr, StringRef name) const {
  llvm::outs() << " " << name << "=";
  if (attr.kind == TW_PORTABLE_KIND_TEXT)
    llvm::outs() << '"' << text(attr.number) << '"';
  else if (attr.count == 0)
    llvm::outs() << attr.number;
  for (uint32_t i = 0; i < attr.count; ++i) {
    llvm::outs() << (i ? "," : "[");
    if (attr.entries)
      print(attr.entries[i], text(attr.entries[i].id));
    else
      llvm::outs() << attr.numbers[i];
  }
  llvm::outs() << (attr.count ? "]" : "");
}

void Dump::print(const tw_portable_op &op) const {
  llvm::outs().indent(2 * indent) << schema.ops[op.id].name;
  for (uint32_t i = 0; i < op.operand_count; ++i)
    llvm::outs() << " %" << op.operands[i];
  for (uint32_t i = 0; i < op.attr_count; ++i)
    print(op.attrs[i], schema.attrs[op.attrs[i].id].name);
  for (uint32_t i = 0; i < op.hint_count; ++i)
    print(op.hints[i], text(op.hints[i].id));
  for (uint32_t i = 0; i < op.result_count; ++i)
    llvm::outs() << (i ? ", " : " -> ") << "type " << op.result_types[i];
  llvm::outs() << "\n";
}

static int dump(StringRef bytes) {
  Dump state;
  tw_portable_visitor visitor = {};
  visitor.ctx = &state;
  visitor.begin = [](void *ctx, const tw_portable_module *module) {
    static_cast<Dump *>(ctx)->module = module;
    llvm::outs() << "version " << module->version << "\n";
    return TW_OK;
  };
  visitor.op_begin = [](void *ctx, const tw_portable_op *op) {
    static_cast<Dump *>(ctx)->print(*op);
    return TW_OK;
  };
  visitor.region_begin = [](void *ctx, uint32_t, const tw_portable_argument *,
                            uint32_t) {
    ++static_cast<Dump *>(ctx)->indent;
    return TW_OK;
  };
  visitor.region_end = [](void *ctx) {
    --static_cast<Dump *>(ctx)->indent;
    return TW_OK;
  };
  tw_bytes ir = {bytes.data(), bytes.size()};
  tw_portable_error error = {};
  uint64_t size = 0;
  int32_t status = tw_portable_measure(ir, &size, nullptr, &error);
  if (status == TW_OK) {
    std::vector<uint64_t> workspace(size / 8);
    status =
        tw_portable_read(ir, workspace.data(), size, &visitor, nullptr, &error);
  }
  if (status == TW_OK)
    return 0;
  llvm::errs() << "expected " << error.expected << " at byte " << error.offset
               << ", got " << error.got << "\n";
  return 1;
}

//===----------------------------------------------------------------------===//
// check
//===----------------------------------------------------------------------===//

/// Whether a text comes back unchanged, and is written alike again.
static bool check(StringRef path, const DialectRegistry &registry) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return false;
  MLIRContext context(registry), other(registry);
  OwningOpRef<ModuleOp> module = parse((*file)->getBuffer(), &context);
  std::string exact, portable, again;
  if (!module || failed(writeKernelIR(*module, exact)) ||
      failed(writePortableIR(*module, TW_PORTABLE_NEWEST, portable)))
    return false;
  OwningOpRef<ModuleOp> fromExact = readKernelIR(exact, &context);
  OwningOpRef<ModuleOp> read = readPortableIR(portable, &other);
  if (!fromExact || !read)
    return false;
  if (failed(writePortableIR(*read, TW_PORTABLE_NEWEST, again)))
    return false;
  auto expect = [&](bool holds, StringRef what) {
    if (!holds)
      llvm::errs() << path << ": " << what << " changed on the way\n";
    return holds;
  };
  bool same = expect(print(*read) == print(*fromExact), "text");
  same &= expect(again == portable, "portable form");
  return same;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerKernelIRDialects(registry);
  StringRef command = argc > 1 ? argv[1] : "";
  if (command == "check") {
    int failures = 0;
    for (int i = 2; i < argc; ++i)
      failures += !check(argv[i], registry);
    llvm::outs() << argc - 2 << " modules, " << failures << " failures\n";
    return failures != 0;
  }
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return 1;
  StringRef bytes = (*input)->getBuffer();
  MLIRContext context(registry);
  if (command == "dump")
    return dump(bytes);
  if (command == "read") {
    OwningOpRef<ModuleOp> module = readPortableIR(bytes, &context);
    if (module)
      llvm::outs() << print(*module);
    return !module;
  }
  unsigned version;
  if (command != "write" || argc != 3 ||
      StringRef(argv[2]).getAsInteger(10, version)) {
    llvm::errs() << "usage: tw-portable write VERSION | read | dump | check "
                    "FILE...\n";
    return 2;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*input), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  std::string out;
  if (!module || failed(writePortableIR(*module, version, out)))
    return 1;
  llvm::outs() << out;
  return 0;
}
