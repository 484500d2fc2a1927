//===- Records.cpp - Whether records are those of the IR's kernels -*- C++
//-*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and types of user parameters against the attributes of arguments.
//===----------------------------------------------------------------------===//

#include "frontend/driver/stages/Records.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilewright::driver {

/// "'n': i32", "'x': *fp32".
static std::string describe(const std::string &name, const std::string &type) {
  return "'" + name + "': " + type;
}

/// As a record would say it: that a pointer is only read is a fact there, and a
/// pointer to pointers is one to 64-bit integers.
static std::string describe(func::FuncOp kernel, unsigned argument) {
  StringRef type =
      kernel.getArgAttrOfType<StringAttr>(argument, "tw.dtype").getValue();
  auto given = kernel.getArgAttrOfType<StringAttr>(argument, "tw.name");
  std::string name =
      given ? given.getValue().str() : "arg" + std::to_string(argument);
  if (!type.consume_front("*"))
    return describe(name, type.str());
  type.consume_front("k");
  return describe(name, "*" + (type.starts_with("*") ? "i64" : type.str()));
}

static std::string whyNotRecordOf(func::FuncOp kernel,
                                  const artifact::Kernel &record) {
  auto wrong = [&](const std::string &expected, const std::string &got) {
    return "expected " + expected + " in the record of kernel '" + record.name +
           "', got " + got;
  };
  unsigned arguments = kernel.getNumArguments();
  unsigned listed = artifact::countUserParameters(record);
  if (listed == 0)
    return "";
  if (listed != arguments)
    return wrong(std::to_string(arguments) + " user parameters",
                 std::to_string(listed));
  for (unsigned i = 0; i < arguments; ++i) {
    std::string expected = describe(kernel, i);
    const artifact::Parameter &parameter = record.parameters[i];
    std::string got = describe(parameter.name, artifact::typeOf(parameter));
    if (got != expected)
      return wrong(expected + " as user parameter " + std::to_string(i), got);
  }
  return "";
}

SmallVector<func::FuncOp> kernelsOf(ModuleOp module) {
  return llvm::to_vector(llvm::make_filter_range(
      module.getOps<func::FuncOp>(), [](func::FuncOp op) {
        return op->hasAttr("tw.kernel") && !op->hasAttr("tw.variant_of");
      }));
}

std::string whyNotRecordsOf(ModuleOp module,
                            const std::vector<artifact::Kernel> &records) {
  for (func::FuncOp kernel : kernelsOf(module)) {
    StringRef name = kernel.getName();
    bool isThere = false;
    for (const artifact::Kernel &record : records) {
      if (record.name != name)
        continue;
      isThere = true;
      if (std::string why = whyNotRecordOf(kernel, record); !why.empty())
        return why;
    }
    if (!isThere)
      return "expected a record of kernel '" + name.str() + "', got none";
  }
  return "";
}

} // namespace tilewright::driver
