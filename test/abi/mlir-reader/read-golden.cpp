//===- read-golden.cpp - Kernel IR in somebody else's MLIR ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a file of tw.portable as MLIR, and writes it again: the bytes are
// those of the file.
//===----------------------------------------------------------------------===//
#include "dialects/kernel/portable/Portable.h"

#include "llvm/Support/MemoryBuffer.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file)
    return 2;
  llvm::StringRef bytes = (*file)->getBuffer();
  mlir::MLIRContext context;
  auto module = tilewright::kernel::readPortableIR(bytes, &context);
  if (!module)
    return 1;
  module->print(llvm::outs());
  std::string again;
  bool isSame = succeeded(tilewright::kernel::writePortableIR(
                    *module, TW_PORTABLE_OLDEST, again)) &&
                again == bytes;
  return isSame ? 0 : 3;
}
