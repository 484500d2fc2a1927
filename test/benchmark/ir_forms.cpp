//===- ir_forms.cpp - What it costs to hand Kernel IR over ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tilewright compile k.py ... --emit=kernel -o k.mlir;  ir-forms k.mlir
//
// Median microseconds of writing and of reading, in both forms, and of the C
// reader alone.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Serialization.h"
#include "dialects/kernel/portable/Portable.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <chrono>

using namespace mlir;
using namespace tilewright::kernel;

static double median(llvm::function_ref<void()> step) {
  std::vector<double> times;
  for (int i = 0; i < 201; ++i) {
    auto start = std::chrono::steady_clock::now();
    step();
    times.push_back(std::chrono::duration<double, std::micro>(
                        std::chrono::steady_clock::now() - start)
                        .count());
  }
  llvm::sort(times);
  return times[times.size() / 2];
}

static void print(llvm::StringRef form, size_t size, double write,
                  double read) {
  llvm::outs() << llvm::format(
                      "%-12s %6zu bytes  write %7.1f us  read %7.1f us",
                      form.str().c_str(), size, write, read)
               << "\n";
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerKernelIRDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module;
  if (argc == 2)
    module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module) {
    llvm::errs() << "usage: ir-forms FILE with Kernel IR as text\n";
    return 1;
  }
  std::string exact, portable;
  double writeExact = median([&] {
    exact.clear();
    (void)writeKernelIR(*module, exact);
  });
  double writePortable = median([&] {
    portable.clear();
    (void)writePortableIR(*module, TW_PORTABLE_NEWEST, portable);
  });
  print("mlir.exact", exact.size(), writeExact,
        median([&] { readKernelIR(exact, &context); }));
  print("tw.portable", portable.size(), writePortable,
        median([&] { readPortableIR(portable, &context); }));
  tw_bytes ir = {portable.data(), portable.size()};
  print("C reader", portable.size(), 0, median([&] {
          uint64_t size = 0;
          if (tw_portable_measure(ir, &size, nullptr, nullptr) != TW_OK)
            return;
          std::vector<uint64_t> workspace(size / 8);
          tw_portable_read(ir, workspace.data(), size, nullptr, nullptr,
                           nullptr);
        }));
  return 0;
}
