//===- Modules.cpp - Loading compiled lanes ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A payload is an object of the host, linked in memory by LLVM's JIT against
// the machine's services and the C library's functions.
//===----------------------------------------------------------------------===//
#include "backends/common/Report.h"
#include "backends/simulate/driver/Driver.h"
#include "backends/simulate/machine/Services.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/TargetParser/Host.h"

tw_module::~tw_module() = default;

namespace tilewright::simulate {

using backend::toRef;

static constexpr uint32_t kCannotLoad = 6015;

std::string compatText(unsigned warpLanes) {
  return llvm::sys::getHostCPUName().str() + ";" + std::to_string(warpLanes);
}

static llvm::orc::SymbolMap serviceSymbols(llvm::orc::LLJIT &code) {
  llvm::orc::SymbolMap symbols;
#define SIMULATE_SERVICE(function)                                             \
  symbols[code.mangleAndIntern("tw_simulate_" #function)] = {                  \
      llvm::orc::ExecutorAddr::fromPtr(services::function),                    \
      llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
#include "backends/simulate/machine/Services.def"
  return symbols;
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
link(llvm::StringRef payload) {
  auto code = llvm::orc::LLJITBuilder()
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .create();
  if (!code)
    return code.takeError();
  // What fails is told by the lookup that asked.
  (*code)->getExecutionSession().setErrorReporter(llvm::consumeError);
  llvm::orc::JITDylib &library = (*code)->getMainJITDylib();
  if (auto error =
          library.define(llvm::orc::absoluteSymbols(serviceSymbols(**code))))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*code)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (auto error = (*code)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(payload, "kernel")))
    return error;
  return code;
}

int32_t loadModule(tw_device *, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  return keepInside([&]() -> int32_t {
    auto refuse = [&](const std::string &message) {
      tw_emit(sink, TW_SEVERITY_ERROR, kCannotLoad, message.c_str(),
              "compile the kernel again with this version's simulator");
      return TW_E_DIAGNOSED;
    };
    if (toRef(format) != kPayloadFormat)
      return refuse("expected a payload of format simulate-object, got '" +
                    toRef(format).str() + "'");
    auto code = link({static_cast<const char *>(payload.data), payload.size});
    if (!code)
      return refuse(llvm::toString(code.takeError()));
    auto made = std::make_unique<tw_module>();
    made->code = std::move(*code);
    *module = made.release();
    return TW_OK;
  });
}

void unloadModule(tw_module *module) { delete module; }

void *findSymbol(tw_module &module, llvm::StringRef symbol, std::string &why) {
  auto found = module.code->lookup(symbol);
  if (found)
    return found->toPtr<void *>();
  why = llvm::toString(found.takeError());
  return nullptr;
}

int32_t gradeArtifact(tw_device *, tw_str format, tw_str compat,
                      uint32_t *grade) {
  auto [processor, lanes] = toRef(compat).split(';');
  bool runs = toRef(format) == kPayloadFormat &&
              processor == llvm::sys::getHostCPUName();
  *grade = runs ? TW_GRADE_OPTIMAL : TW_GRADE_UNUSABLE;
  return TW_OK;
}

} // namespace tilewright::simulate
