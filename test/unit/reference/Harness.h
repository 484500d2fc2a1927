//===- Harness.h - Running Kernel IR text in tests --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a kernel and runs its programs on the test's own memory.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_REFERENCE_HARNESS_H
#define TILEWRIGHT_TEST_UNIT_REFERENCE_HARNESS_H

#include "backends/reference/interpreter/Interpreter.h"
#include "dialects/kernel/Dialects.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace tilewright::reference::test {

/// A parsed kernel and what its last launch said.
class Program {
public:
  explicit Program(const std::string &text) {
    mlir::DialectRegistry registry;
    kernel::registerKernelIRDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
  }

  /// Runs `programs` programs; false when one failed.
  bool run(llvm::ArrayRef<uint64_t> arguments, int64_t programs = 1) {
    if (!module)
      return false;
    environment.grid = {programs, 1, 1};
    environment.print = [this](llvm::StringRef text) { printed += text; };
    auto kernel = *module->getOps<mlir::func::FuncOp>().begin();
    Interpreter interpreter(kernel, environment);
    for (int64_t id = 0; id < programs; ++id)
      if (!interpreter.run(arguments, {id, 0, 0})) {
        error = interpreter.error;
        return false;
      }
    return true;
  }

  Environment environment;
  KernelError error;
  std::string printed;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

template <typename T> uint64_t addressOf(T *memory) {
  return reinterpret_cast<uintptr_t>(memory);
}

/// A kernel that stores the value of type `type` that `body` leaves in %r to
/// its first argument, a pointer to the element type; more arguments follow.
inline std::string storing(const std::string &type, const std::string &element,
                           const std::string &body,
                           const std::string &more = "") {
  bool isTensor = type.find("tensor") == 0;
  std::string shape =
      isTensor ? type.substr(7, type.rfind('x') - 7) : std::string();
  std::string text = "func.func @k(%out: !kernel.ptr<" + element + ">" + more +
                     ") attributes {tw.kernel} {\n" + body + "\n";
  if (isTensor)
    text += "%range = kernel.range 0 to " + shape + " : tensor<" + shape +
            "xi32>\nkernel.scatter %r, %out [%range : tensor<" + shape +
            "xi32>] : " + type + ", !kernel.ptr<" + element + ">\n";
  else
    text += "%place = kernel.view %out sizes [] strides [] : !kernel.ptr<" +
            element + "> -> !kernel.view<0, " + element +
            ">\nkernel.store %r, %place[] lo [] hi [] boundary [] : " + type +
            ", !kernel.view<0, " + element + ">\n";
  return text + "return\n}\n";
}

/// Computes one scalar.
template <typename T>
T compute(const std::string &type, const std::string &body) {
  T result{};
  Program program(storing(type, type, body));
  EXPECT_TRUE(program.run({addressOf(&result)})) << program.error.message;
  return result;
}

/// Computes a 1-D tensor.
template <typename T, size_t N>
std::array<T, N> computeMany(const std::string &element,
                             const std::string &body) {
  std::array<T, N> result{};
  Program program(storing("tensor<" + std::to_string(N) + "x" + element + ">",
                          element, body));
  EXPECT_TRUE(program.run({addressOf(result.data())})) << program.error.message;
  return result;
}

} // namespace tilewright::reference::test

#endif // TILEWRIGHT_TEST_UNIT_REFERENCE_HARNESS_H
