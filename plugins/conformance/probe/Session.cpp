//===- Session.cpp - Objects that several checks share ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made on first use, so that a check has nothing in its process that it did
// not ask for. The process ends without cleaning up.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include "plugins/loader/DiagnosticText.h"

#include <dlfcn.h>
#include <fstream>

namespace tilewright::conformance {

Collector::Collector() {
  table.size = sizeof table;
  table.ctx = this;
  table.emit = [](void *ctx, const tw_diagnostic *given) {
    auto *self = static_cast<Collector *>(ctx);
    tw_diagnostic diagnostic;
    if (tw_read_struct(&diagnostic, sizeof diagnostic, given) != TW_OK ||
        diagnostic.severity != TW_SEVERITY_ERROR)
      return;
    if (self->errors++ == 0)
      self->first = toString(diagnostic.message);
  };
}

Library::Library(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    problem = reason ? reason : "no reason given";
    return;
  }
  entry = reinterpret_cast<tw_backend_entry_fn>(
      dlsym(library, TW_BACKEND_ENTRY_NAME));
  if (!entry)
    problem = "there is no " TW_BACKEND_ENTRY_NAME;
}

std::string Compiled::all() const {
  std::string text = format + '\n' + compat + '\n' + payload;
  for (const std::string &record : records)
    text += record;
  return text;
}

Session::Loaded::Loaded(const std::string &path) {
  agreed = plugins::loadPlugin(path, {}, problem);
}

const plugins::Plugin &Session::Loaded::plugin() {
  expect(agreed != nullptr, problem.str());
  return *agreed;
}

Session::Loaded &Session::load(const std::string &path) {
  auto &entry = loaded[path];
  if (!entry)
    entry = std::make_unique<Loaded>(path);
  return *entry;
}

tw_backend_entry_fn Session::entry() {
  Library library(settings.library);
  expect(library.entry != nullptr, library.problem);
  return library.entry;
}

const plugins::Plugin &Session::compiler() {
  if (settings.compileLibrary.empty())
    throw Skipped("no plugin of this vendor compiles");
  return load(settings.compileLibrary).plugin();
}

const plugins::Plugin &Session::launcher() {
  if (settings.launchLibrary.empty())
    throw Skipped("no plugin of this vendor launches");
  return load(settings.launchLibrary).plugin();
}

tw_backend *Session::open(const plugins::Plugin &plugin) {
  Problem problem;
  tw_backend *backend = plugin.open(services->table(), nullptr, 0, problem);
  expect(backend != nullptr, problem.str());
  return backend;
}

tw_backend *Session::compileBackend() {
  const plugins::Plugin &plugin = compiler();
  Loaded &entry = load(settings.compileLibrary);
  if (!entry.backend)
    entry.backend = open(plugin);
  return entry.backend;
}

tw_backend *Session::launchBackend() {
  const plugins::Plugin &plugin = launcher();
  Loaded &entry = load(settings.launchLibrary);
  if (!entry.backend)
    entry.backend = open(plugin);
  return entry.backend;
}

tw_device *Session::device() {
  if (openDevice)
    return openDevice;
  tw_backend *backend = launchBackend();
  uint32_t count = 0;
  int32_t status = launcher().runtime().device_count(backend, &count);
  if (status == TW_E_UNAVAILABLE || (status == TW_OK && count == 0))
    throw Skipped("there is no device here");
  expect(status == TW_OK, "device_count returned " + std::to_string(status));
  Collector reports;
  status =
      launcher().runtime().device_open(backend, 0, reports.sink(), &openDevice);
  if (status == TW_E_UNAVAILABLE)
    throw Skipped("the device is not available: " + reports.first);
  expect(status == TW_OK && openDevice, "device_open(0) returned " +
                                            std::to_string(status) + ": " +
                                            reports.first);
  return openDevice;
}

tw_stream *Session::stream() {
  if (!openStream) {
    int32_t status = launcher().runtime().stream_create(device(), &openStream);
    expect(status == TW_OK && openStream,
           "stream_create returned " + std::to_string(status));
  }
  return openStream;
}

static Compiled copyResponse(const tw_compile_response &response) {
  Compiled result;
  result.format = toString(response.format);
  result.compat = toString(response.compat);
  if (response.payload.size)
    result.payload.assign(static_cast<const char *>(response.payload.data),
                          response.payload.size);
  for (uint64_t i = 0; i < response.kernel_count; ++i) {
    tw_kernel_record record;
    expect(tw_read_struct(&record, sizeof record, response.kernels[i]) == TW_OK,
           "a kernel record has fields that this host does not know");
    result.records.push_back(worker::encode(record));
  }
  return result;
}

Compiled
Session::compile(const Case &given,
                 const std::function<void(tw_compile_request &)> &change,
                 tw_backend *backend) {
  std::ifstream file(given.request, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Problem problem;
  auto saved = worker::Reproducer::read(std::move(bytes), problem);
  if (!saved)
    throw Skipped("the kit's request is not readable: " + problem.str());
  // Behind the request lies memory that newer fields would take.
  struct {
    tw_compile_request request;
    uint64_t newer[2];
  } room = {saved->request, {0, 0}};
  Collector reports;
  room.request.sink = reports.sink();
  if (change)
    change(room.request);
  tw_compile_response response = {};
  response.size = sizeof response;
  int32_t status = compiler().compile().compile(
      backend ? backend : compileBackend(), &room.request, &response);
  Compiled result;
  if (status == TW_OK) {
    result = copyResponse(response);
    if (response.release)
      response.release(response.release_ctx);
  }
  result.status = status;
  result.errors = reports.errors;
  result.firstError = reports.first;
  return result;
}

const Case &Session::anyCase() {
  for (const Case &entry : settings.cases)
    if (!entry.request.empty())
      return entry;
  throw Skipped("no request could be made" +
                (settings.cases.empty() ? std::string()
                                        : ": " + settings.cases[0].refusal));
}

const Compiled &Session::artifact(const Case &given) {
  auto found = artifacts.find(given.name);
  if (found != artifacts.end())
    return found->second;
  if (given.request.empty())
    throw Skipped(given.refusal);
  Compiled compiled = compile(given);
  expect(compiled.status == TW_OK,
         "'" + given.name + "' does not compile: status " +
             std::to_string(compiled.status) + " " + compiled.firstError);
  return artifacts[given.name] = std::move(compiled);
}

} // namespace tilewright::conformance
