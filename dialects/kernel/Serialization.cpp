//===- Serialization.cpp - Kernel IR as bytes ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout, integers little-endian: magic "TWKI", u32 format version, u32 length
// of the fingerprint, fingerprint, u64 size of the bytecode, u64 xxh3 of the
// bytecode, bytecode.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Serialization.h"

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Fingerprint.h"
#include "dialects/kernel/Normalize.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
namespace endian = llvm::support::endian;

static constexpr llvm::StringLiteral magic = "TWKI";
static constexpr uint32_t formatVersion = 1;

std::string tilewright::kernel::kernelIRFingerprint() {
  return (Twine(formatVersion) + "-" LLVM_VERSION_STRING
                                 "-" TILEWRIGHT_KERNEL_IR_HASH)
      .str();
}

template <typename Int> static void append(std::string &bytes, Int value) {
  char buffer[sizeof(Int)];
  endian::write<Int>(buffer, value, llvm::endianness::little);
  bytes.append(buffer, sizeof(Int));
}

LogicalResult tilewright::kernel::writeKernelIR(ModuleOp module,
                                                std::string &bytes) {
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  std::string fingerprint = kernelIRFingerprint();
  std::string producer = "tilewright " + fingerprint; // the config borrows it
  BytecodeWriterConfig config(producer);
  if (failed(writeBytecodeToFile(module, stream, config)))
    return module.emitError()
           << "TW3124: expected Kernel IR that can be written as bytes";
  bytes += magic;
  append<uint32_t>(bytes, formatVersion);
  append<uint32_t>(bytes, fingerprint.size());
  bytes += fingerprint;
  append<uint64_t>(bytes, bytecode.size());
  append<uint64_t>(bytes, llvm::xxh3_64bits(bytecode));
  bytes += bytecode;
  return success();
}

namespace {

/// Takes the header apart; every step fails once the bytes run out.
class Reader {
public:
  explicit Reader(StringRef bytes) : rest(bytes) {}

  bool take(size_t size, StringRef &out) {
    if (size > rest.size())
      return false;
    out = rest.take_front(size);
    rest = rest.drop_front(size);
    return true;
  }

  template <typename Int> bool takeInt(Int &out) {
    StringRef raw;
    if (!take(sizeof(Int), raw))
      return false;
    out = endian::read<Int>(raw.data(), llvm::endianness::little);
    return true;
  }

  StringRef rest;
};

} // namespace

/// The bytecode inside `bytes`, or none after an error at `loc`.
static std::optional<StringRef> readHeader(StringRef bytes, Location loc) {
  Reader reader(bytes);
  StringRef word, fingerprint;
  uint32_t version, fingerprintSize;
  uint64_t size, checksum;
  if (!reader.take(magic.size(), word) || word != magic) {
    emitError(loc) << "TW3120: expected Kernel IR, got bytes without its mark; "
                      "compile the kernel again";
    return std::nullopt;
  }
  std::string own = tilewright::kernel::kernelIRFingerprint();
  if (!reader.takeInt(version) || !reader.takeInt(fingerprintSize) ||
      !reader.take(fingerprintSize, fingerprint)) {
    emitError(loc) << "TW3120: expected Kernel IR, got bytes that are cut "
                      "short; compile the kernel again";
    return std::nullopt;
  }
  if (version != formatVersion || fingerprint != own) {
    emitError(loc) << "TW3122: expected Kernel IR of build " << own << ", got "
                   << fingerprint
                   << "; use a compiler and a plugin of one build";
    return std::nullopt;
  }
  if (!reader.takeInt(size) || !reader.takeInt(checksum) ||
      size != reader.rest.size()) {
    emitError(loc) << "TW3120: expected Kernel IR, got bytes of another size "
                      "than they state; compile the kernel again";
    return std::nullopt;
  }
  if (llvm::xxh3_64bits(reader.rest) != checksum) {
    emitError(loc) << "TW3121: expected Kernel IR, got damaged bytes; compile "
                      "the kernel again";
    return std::nullopt;
  }
  return reader.rest;
}

OwningOpRef<ModuleOp> tilewright::kernel::readKernelIR(StringRef bytes,
                                                       MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  std::optional<StringRef> bytecode = readHeader(bytes, loc);
  if (!bytecode)
    return {};
  DialectRegistry registry;
  registerKernelIRDialects(registry);
  context->appendDialectRegistry(registry);

  // A copy, because the bytecode reader needs an aligned buffer.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(*bytecode, "kernel IR");
  Block block;
  bool isRead =
      isBytecode(*buffer) &&
      succeeded(readBytecodeFile(*buffer, &block, ParserConfig(context)));
  if (isRead && llvm::hasSingleElement(block))
    if (auto module = dyn_cast<ModuleOp>(block.front())) {
      module->remove();
      normalizeModule(module);
      return module;
    }
  emitError(loc) << "TW3123: expected one module of Kernel IR, got bytes that "
                    "hold something else; compile the kernel again";
  return {};
}
