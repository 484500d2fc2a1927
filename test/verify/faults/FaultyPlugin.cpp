//===- FaultyPlugin.cpp - A compiler with a seeded fault --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for the plugin of one vendor (REAL_PLUGIN): it changes the Kernel
// IR of a request by the option `fault=NAME` and hands it on. `fault=NAME@STEP`
// keeps the fault away where `disable` names the step.
//===----------------------------------------------------------------------===//
#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Serialization.h"
#include "test/verify/faults/Faults.h"

#include "tilewright/plugin.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

#include <dlfcn.h>
#include <mutex>

using namespace mlir;
using namespace tilewright;

namespace {
/// What the real plugin answered; libraries are never closed.
tw_backend_answer real;
tw_compile_table compileTable;

StringRef toRef(tw_str text) { return {text.data, size_t(text.size)}; }

const tw_option *find(const tw_compile_request &request, StringRef key) {
  for (uint64_t i = 0; i < request.option_count; ++i)
    if (toRef(request.options[i].key) == key)
      return &request.options[i];
  return nullptr;
}

/// The request's IR with the fault, or nothing.
std::optional<std::string> plantFault(const tw_compile_request &request) {
  const tw_option *option = find(request, "fault");
  if (!option)
    return std::nullopt;
  auto [name, step] = toRef(option->text).split('@');
  const tw_option *disabled = find(request, "disable");
  if (!step.empty() && disabled &&
      llvm::is_contained(llvm::split(toRef(disabled->text), ','), step))
    return std::nullopt;
  DialectRegistry registry;
  kernel::registerKernelIRDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = kernel::readKernelIR(
      {static_cast<const char *>(request.ir.data), request.ir.size}, &context);
  std::string bytes;
  if (!module || !faults::plant(name, *module) ||
      failed(kernel::writeKernelIR(*module, bytes)))
    llvm::report_fatal_error("cannot plant fault " + name);
  return bytes;
}

int32_t compile(tw_backend *backend, const tw_compile_request *given,
                tw_compile_response *response) {
  tw_compile_request request = *given;
  std::optional<std::string> bytes = plantFault(request);
  if (bytes)
    request.ir = {bytes->data(), bytes->size()};
  std::vector<tw_option> options;
  for (uint64_t i = 0; i < request.option_count; ++i)
    if (toRef(request.options[i].key) != "fault")
      options.push_back(request.options[i]);
  request.options = options.data();
  request.option_count = options.size();
  return real.compile->compile(backend, &request, response);
}
} // namespace

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  static std::once_flag once;
  std::call_once(once, [&] {
    void *library = dlopen(REAL_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    auto entry = library ? reinterpret_cast<tw_backend_entry_fn>(
                               dlsym(library, TW_BACKEND_ENTRY_NAME))
                         : nullptr;
    real.size = sizeof real;
    if (!entry || entry(offer, &real) != TW_OK)
      llvm::report_fatal_error("cannot open " REAL_PLUGIN);
    compileTable = *real.compile;
    compileTable.compile = compile;
    compileTable.can_compile = nullptr;
  });
  tw_backend_answer mine = real;
  mine.profiles = TW_PROFILE_COMPILE;
  mine.compile = &compileTable;
  mine.runtime = nullptr;
  mine.launch = nullptr;
  mine.overrides = nullptr;
  return tw_write_struct(answer, sizeof mine, &mine);
}
