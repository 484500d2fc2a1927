//===- Harness.cpp - Compiling and running kernels in tests -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin is opened with dlopen and RTLD_LOCAL, payloads from memory files.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Serialization.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::cpu::test {

static std::string toText(tw_str text) {
  return std::string(text.data ? text.data : "", text.size);
}

static tw_str view(const std::string &text) {
  return tw_str{text.data(), text.size()};
}

//===----------------------------------------------------------------------===//
// Plugin
//===----------------------------------------------------------------------===//

static void *allocate(void *, uint64_t bytes, uint64_t alignment) {
  return aligned_alloc(alignment,
                       (bytes + alignment - 1) / alignment * alignment);
}

static const tw_host_services services = {
    sizeof(tw_host_services),
    0,
    nullptr,
    [](void *, uint32_t, tw_str) {},
    allocate,
    [](void *, void *memory) { free(memory); },
    [](void *) -> uint32_t { return 1; },
    nullptr};

Plugin::Plugin() : answer{} {
  void *library = dlopen(TW_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
  auto entry = reinterpret_cast<tw_backend_entry_fn>(
      dlsym(library, TW_BACKEND_ENTRY_NAME));
  tw_host_offer offer{};
  offer.size = sizeof offer;
  offer.magic = TW_OFFER_MAGIC;
  offer.min_version = offer.max_version =
      TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  answer.size = sizeof answer;
  tw_backend_config config{};
  config.size = sizeof config;
  config.services = &services;
  if (!entry || entry(&offer, &answer) != TW_OK ||
      answer.open(&config, &opened) != TW_OK)
    abort();
}

Plugin::~Plugin() { answer.close(opened); }

Plugin &plugin() {
  static Plugin instance;
  return instance;
}

static tw_writer writeTo(std::string &text) {
  return {&text, [](void *ctx, const char *data, uint64_t size) {
            static_cast<std::string *>(ctx)->append(data, size);
          }};
}

std::string Plugin::resolve(const std::string &target) {
  std::string text;
  if (table().resolve_target(backend(), view(target), nullptr, writeTo(text)))
    return "";
  return text;
}

std::string exactFormat() {
  return "mlir.exact:" + kernel::kernelIRFingerprint();
}

std::string toBytes(const std::string &text) {
  mlir::DialectRegistry registry;
  kernel::registerKernelIRDialects(registry);
  registry.insert<mlir::LLVM::LLVMDialect>(); // for what is refused
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  std::string bytes;
  if (!module || failed(kernel::writeKernelIR(*module, bytes)))
    ADD_FAILURE() << "the test's Kernel IR does not parse:\n" << text;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Request and response
//===----------------------------------------------------------------------===//

void Request::setOption(const char *key, int64_t value, uint32_t flags) {
  tw_option option{};
  option.key = tw_string(key);
  option.kind = TW_VALUE_INT;
  option.flags = flags;
  option.integer = value;
  options.push_back(option);
}

void Request::setOption(const char *key, const char *value, uint32_t flags) {
  tw_option option{};
  option.key = tw_string(key);
  option.kind = TW_VALUE_TEXT;
  option.flags = flags;
  option.text = tw_string(value);
  options.push_back(option);
}

static void takeDiagnostic(void *ctx, const tw_diagnostic *diagnostic) {
  const tw_location *location = diagnostic->location;
  static_cast<std::vector<Diagnostic> *>(ctx)->push_back(
      {diagnostic->severity, diagnostic->code, toText(diagnostic->message),
       toText(diagnostic->hint), location ? toText(location->file) : "",
       location ? location->line : 0});
}

Compiled::Compiled(Request request) {
  tw_sink sink{sizeof(tw_sink), 0, &diagnostics, takeDiagnostic};
  std::vector<tw_str> entries, names;
  for (const std::string &entry : request.entries)
    entries.push_back(view(entry));
  for (const std::string &stage : request.stages)
    names.push_back(view(stage));
  tw_compile_request raw{};
  raw.size = sizeof raw;
  raw.ir_format = view(request.format);
  raw.ir = {request.bytes.data(), request.bytes.size()};
  raw.entries = entries.data();
  raw.entry_count = entries.size();
  raw.ops = request.ops.data();
  raw.op_count = request.ops.size();
  raw.target = view(request.target);
  raw.options = request.options.data();
  raw.option_count = request.options.size();
  raw.libraries = request.libraries.data();
  raw.library_count = request.libraries.size();
  raw.stages = names.data();
  raw.stage_count = names.size();
  raw.sink = &sink;
  raw.time_limit = request.timeLimit;
  raw.extensions = request.extensions;
  if (request.cancelled) {
    raw.cancelled = [](void *ctx) {
      return (*static_cast<std::function<int32_t()> *>(ctx))();
    };
    raw.cancel_ctx = &request.cancelled;
  }
  response.size = sizeof response;
  status = plugin().table().compile(plugin().backend(), &raw, &response);
  if (status != TW_OK)
    return;
  payload.assign(static_cast<const char *>(response.payload.data),
                 response.payload.size);
  for (uint64_t i = 0; i < response.stage_count; ++i)
    stages[toText(response.stages[i].name)] = toText(response.stages[i].text);
}

Compiled::~Compiled() {
  if (response.release)
    response.release(response.release_ctx);
}

bool Compiled::hasCode(uint32_t code) const {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == TW_SEVERITY_ERROR && diagnostic.code == code)
      return true;
  return false;
}

std::string Compiled::text() const {
  std::string text = "status " + std::to_string(status) + "\n";
  for (const Diagnostic &diagnostic : diagnostics)
    text += "TW" + std::to_string(diagnostic.code) + " " + diagnostic.message +
            " (" + diagnostic.hint + ")\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Library::Library(const std::string &payload) {
  int fd = memfd_create("kernel", MFD_CLOEXEC);
  if (fd >= 0 &&
      write(fd, payload.data(), payload.size()) == ssize_t(payload.size()))
    handle = dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(),
                    RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    ADD_FAILURE() << "the payload does not load: " << dlerror();
  close(fd);
}

Library::~Library() {
  if (handle)
    dlclose(handle);
}

tw_cpu_kernel_fn Library::find(const std::string &symbol) const {
  return reinterpret_cast<tw_cpu_kernel_fn>(dlsym(handle, symbol.c_str()));
}

static double math64(uint32_t function, double a, double b) {
  switch (function) {
#define CASE(NAME, CALL)                                                       \
  case TW_CPU_MATH_##NAME:                                                     \
    return CALL;
    CASE(EXP, std::exp(a))
    CASE(EXP2, std::exp2(a))
    CASE(LOG, std::log(a))
    CASE(LOG2, std::log2(a))
    CASE(LOG10, std::log10(a))
    CASE(LOG1P, std::log1p(a))
    CASE(EXPM1, std::expm1(a))
    CASE(SIN, std::sin(a))
    CASE(COS, std::cos(a))
    CASE(TAN, std::tan(a))
    CASE(ASIN, std::asin(a))
    CASE(ACOS, std::acos(a))
    CASE(ATAN, std::atan(a))
    CASE(ATAN2, std::atan2(a, b))
    CASE(SINH, std::sinh(a))
    CASE(COSH, std::cosh(a))
    CASE(TANH, std::tanh(a))
    CASE(ASINH, std::asinh(a))
    CASE(ACOSH, std::acosh(a))
    CASE(ATANH, std::atanh(a))
    CASE(POW, std::pow(a, b))
    CASE(ERF, std::erf(a))
    CASE(ERFC, std::erfc(a))
    CASE(CBRT, std::cbrt(a))
    CASE(FMOD, std::fmod(a, b))
#undef CASE
  default:
    ADD_FAILURE() << "unexpected function " << function;
    return 0;
  }
}

void run(const Compiled &compiled, const Arguments &arguments, int64_t x,
         int64_t y, int64_t z, size_t index) {
  Library library(compiled.payload);
  if (!library.isLoaded())
    return;
  const tw_kernel_record &record = compiled.record(index);
  std::string symbol = toText(record.symbol.size ? record.symbol : record.name);
  tw_cpu_kernel_fn kernel = library.find(symbol);
  ASSERT_NE(kernel, nullptr) << symbol;
  tw_cpu_services callbacks{};
  callbacks.size = sizeof callbacks;
  callbacks.math64 = math64;
  callbacks.print = [](void *, const char *, uint64_t) {};
  callbacks.fail = [](void *, uint32_t, const char *message, const char *,
                      uint32_t) { ADD_FAILURE() << message; };
  tw_cpu_grid grid{{x, y, z}, &callbacks};
  void *scratch = nullptr;
  if (record.scratch_bytes)
    scratch = aligned_alloc(64, (record.scratch_bytes + 63) / 64 * 64);
  kernel(arguments.data(), &grid, 0, x * y * z, scratch);
  free(scratch);
}

bool canRun(const std::string &target) {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (target == "cpu:x86-64-v4")
    return features.lookup("avx512f") && features.lookup("avx512vl") &&
           features.lookup("avx512bw") && features.lookup("avx512dq");
  if (target == "cpu:neoverse-n1")
    return false;
  if (target == "cpu:x86-64-v2")
    return features.lookup("sse4.2") && features.lookup("popcnt");
  if (target == "cpu:x86-64-v3")
    return features.lookup("avx2") && features.lookup("fma");
  return features.lookup("sse2");
}

} // namespace tilewright::cpu::test
