//===- Harness.cpp - Compiling and running LLVM IR in tests -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device for all tests of the process; buffers live for one launch.
//===----------------------------------------------------------------------===//
#include "test/unit/spirv/Harness.h"

#include "backends/common/FatalErrorGuard.h"
#include "backends/spirv/driver/KernelABI.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

namespace tilewright::spirv::test {

tw_sink Messages::sink() {
  tw_sink sink = {};
  sink.size = sizeof sink;
  sink.ctx = this;
  sink.emit = [](void *ctx, const tw_diagnostic *given) {
    auto &text = static_cast<Messages *>(ctx)->text;
    text += "TW" + std::to_string(given->code) + ": " +
            std::string(given->message.data, given->message.size);
    if (given->location)
      text +=
          " at " +
          std::string(given->location->file.data, given->location->file.size) +
          ":" + std::to_string(given->location->line);
    text += "\n";
  };
  return sink;
}

Target target(const std::string &name) {
  backend::Problem problem;
  std::optional<Target> resolved = resolveTarget(name, problem);
  EXPECT_TRUE(resolved.has_value()) << problem.message;
  return resolved.value_or(Target());
}

/// Nothing with messages if the module is refused.
static std::optional<Generated> tryGenerate(llvm::Module &module,
                                            const Target &target,
                                            const std::set<std::string> &texts,
                                            Messages &messages) {
  tw_sink sink = messages.sink();
  Report report(&sink);
  CodegenOptions options;
  options.texts = texts;
  options.wantLLVM = true;
  std::optional<Generated> code;
  if (auto fatal = runGuarded(
          [&] { code = generateCode(module, target, options, report); }))
    messages.text += "fatal: " + *fatal;
  return code;
}

Generated generate(llvm::Module &module, const Target &target,
                   const std::set<std::string> &texts) {
  Messages messages;
  auto code = tryGenerate(module, target, texts, messages);
  EXPECT_TRUE(code.has_value()) << messages.text;
  return code.value_or(Generated());
}

static std::unique_ptr<llvm::Module> parse(const std::string &ir,
                                           llvm::LLVMContext &context) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(ir, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return module;
}

Generated generate(const std::string &ir, const Target &target) {
  llvm::LLVMContext context;
  auto module = parse(ir, context);
  return module ? generate(*module, target) : Generated();
}

std::string refusal(const std::string &ir, const Target &target) {
  llvm::LLVMContext context;
  Messages messages;
  auto module = parse(ir, context);
  EXPECT_FALSE(module && tryGenerate(*module, target, {}, messages));
  return messages.text;
}

//===--- The device -------------------------------------------------------===//

Device::Device() {
  tilewright::Problem reason;
  plugin = plugins::loadPlugin(TW_TEST_DRIVER, plugins::HostVersions(), reason);
  if (!plugin) {
    problem = reason.str();
    return;
  }
  plugins::HostCallbacks callbacks;
  callbacks.print = [this](std::string_view text) { printed += text; };
  services = std::make_unique<plugins::HostServices>(callbacks);
  backend = plugin->open(services->table(), nullptr, 0, reason);
  Messages messages;
  tw_sink sink = messages.sink();
  if (!backend || runtime().device_open(backend, 0, &sink, &device) ||
      runtime().stream_create(device, &stream))
    problem = reason.str() + messages.text;
}

Device::~Device() {
  if (stream)
    runtime().stream_destroy(stream);
  if (device)
    runtime().device_close(device);
  if (backend)
    plugin->close(backend);
}

Device &device() {
  static Device device;
  return device;
}

/// A record of pointer parameters and the launch memory.
static tw_kernel_record makeRecord(const Launch &launch, size_t pointers,
                                   std::vector<tw_parameter> &parameters) {
  for (size_t i = 0; i <= pointers; ++i) {
    tw_parameter parameter = {};
    bool isUser = i < pointers;
    parameter.kind =
        isUser ? TW_PARAMETER_USER_POINTER : TW_PARAMETER_HIDDEN_SCRATCH;
    parameter.offset = isUser ? uint32_t(8 * i) : TW_NO_OFFSET;
    parameter.bytes = parameter.alignment = 8;
    parameters.push_back(parameter);
  }
  tw_kernel_record record = {};
  record.size = sizeof record;
  record.flags = launch.flags;
  record.name = tw_str{launch.symbol.data(), launch.symbol.size()};
  record.parameters = parameters.data();
  record.parameter_count = parameters.size();
  record.user_block_bytes = uint32_t(8 * pointers);
  record.device_block_bytes = uint32_t(8 * parameters.size());
  record.block_size[0] = launch.threads;
  record.block_size[1] = record.block_size[2] = 1;
  return record;
}

static int32_t runPrepared(tw_kernel *kernel, const Launch &launch,
                           const std::vector<std::vector<char> *> &buffers,
                           const tw_sink *sink) {
  Device &at = device();
  std::vector<uint64_t> addresses(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    at.runtime().memory_allocate(at.device, buffers[i]->size(), 64,
                                 &addresses[i]);
    at.runtime().memory_copy(at.stream, addresses[i],
                             uint64_t(buffers[i]->data()), buffers[i]->size(),
                             TW_COPY_HOST_TO_DEVICE);
  }
  int32_t status =
      at.launch().launch(at.stream, kernel, &launch.dims, addresses.data(),
                         uint32_t(8 * addresses.size()), nullptr);
  EXPECT_EQ(status, TW_OK);
  status = at.runtime().stream_synchronize(at.stream, sink);
  for (size_t i = 0; i < buffers.size(); ++i)
    at.runtime().memory_copy(at.stream, uint64_t(buffers[i]->data()),
                             addresses[i], buffers[i]->size(),
                             TW_COPY_DEVICE_TO_HOST);
  at.runtime().stream_synchronize(at.stream, sink);
  for (uint64_t address : addresses)
    at.runtime().memory_free(at.device, address);
  return status;
}

int32_t run(const Generated &code, const Launch &launch,
            std::vector<std::vector<char> *> buffers, Messages &messages) {
  Device &at = device();
  tw_sink sink = messages.sink();
  std::string payload = writeWords(code.words);
  tw_module *module = nullptr;
  const char *format = code.needs.hasAddresses ? TW_SPIRV_PAYLOAD_FORMAT
                                               : TW_SPIRV_HANDLES_FORMAT;
  int32_t status = at.runtime().module_load(at.device, tw_string(format),
                                            {payload.data(), payload.size()},
                                            &sink, &module);
  if (status != TW_OK)
    return status;
  std::vector<tw_parameter> parameters;
  tw_kernel_record record = makeRecord(launch, buffers.size(), parameters);
  tw_kernel *kernel = nullptr;
  status = at.launch().prepare(module, &record, &sink, &kernel);
  if (status == TW_OK) {
    status = runPrepared(kernel, launch, buffers, &sink);
    at.launch().kernel_destroy(kernel);
  }
  at.runtime().module_unload(module);
  return status;
}

} // namespace tilewright::spirv::test
