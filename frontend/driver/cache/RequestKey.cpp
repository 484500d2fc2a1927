//===- RequestKey.cpp - The key of a compile request ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the parts of a key from a request, in a fixed order.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/RequestKey.h"
#include "frontend/driver/ModulePath.h"
#include "frontend/driver/TargetFacts.h"
#include "frontend/driver/cache/CodeIdentity.h"
#include "frontend/driver/overrides/Overrides.h"
#include "frontend/syntax/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilewright::driver::cache {

using llvm::StringRef;

static StringRef text(tw_str value) {
  return {value.data, static_cast<size_t>(value.size)};
}

bool isCacheable(const tw_compile_input &input) {
  if (input.stage_count)
    return false;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (text(input.options[i].key) == "ir" ||
        text(input.options[i].key) == "stop_after")
      return false;
  return true;
}

static std::string valueText(const tw_option &option) {
  switch (option.kind) {
  case TW_VALUE_INT:
    return std::to_string(option.integer);
  case TW_VALUE_FLOAT: {
    char digits[40]; // exact
    std::snprintf(digits, sizeof digits, "%a", option.number);
    return digits;
  }
  default:
    return '"' + toString(option.text) + '"';
  }
}

/// Options by name; where one is given twice the order counts.
static void addOptions(Key &key, StringRef what, const tw_option *options,
                       uint64_t count) {
  std::vector<Key::Part> rows;
  for (uint64_t i = 0; i < count; ++i)
    rows.emplace_back(what.str() + toString(options[i].key),
                      valueText(options[i]));
  llvm::stable_sort(rows, llvm::less_first());
  for (Key::Part &row : rows)
    key.add(std::move(row.first), std::move(row.second));
}

/// What `tl.target` says.
static std::string describe(const sema::TargetInfo &info) {
  std::string out = info.vendor + ":" + info.arch;
  for (const std::string &feature : info.features)
    out += "+" + feature;
  for (const auto &[name, value] : info.limits)
    out += " " + name + "=" + std::to_string(value);
  if (info.hints)
    out += " hints=" + llvm::join(*info.hints, ",");
  return out;
}

/// The first line of a text that a host made holds what was captured.
static void addText(Key &key, const std::string &name, StringRef file,
                    StringRef content, bool holdsCaptured) {
  if (holdsCaptured)
    key.add(name + " captured",
            content.split('\n').first.take_front(1000).str());
  key.add(name, (file + " " + digestOf(content)).str());
}

/// The words that follow `extra.` in a text: perhaps vendors of ops.
static std::set<std::string> wordsAfterExtra(StringRef text) {
  std::set<std::string> words;
  for (size_t at = text.find("extra."); at != StringRef::npos;
       at = text.find("extra.", at + 1))
    words.insert(
        text.substr(at + 6)
            .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
            .str());
  return words;
}

/// Every file that the source imports, found as the compiler finds them, and
/// the ops that plugins add. Returns the vendors of those.
static std::vector<std::string> addImports(RequestKey &request,
                                           Backends &backends,
                                           const tw_compile_input &input) {
  ast::ASTContext context;
  syntax::DiagnosticSink sink;
  std::vector<std::string> opVendors;
  ModulePath modules(input, context, sink, [&](const std::string &vendor) {
    std::string text = backends.sources(vendor);
    if (!text.empty())
      opVendors.push_back(vendor);
    return text;
  });
  if (input.module_folder_count)
    modules.readAll(*syntax::parseModule(context,
                                         {input.source.data, input.source.size},
                                         toString(input.file_name), sink));
  std::set<std::string> words = wordsAfterExtra(text(input.source));
  for (uint64_t i = 0; i < input.module_count; ++i)
    words.merge(wordsAfterExtra(text(input.modules[i].text)));
  for (const auto &[path, content] : modules.filesRead())
    words.merge(wordsAfterExtra(content));
  for (const std::string &word : words)
    modules.resolve("tl.extra." + word, 0, "");
  for (const auto &[path, content] : modules.filesRead()) {
    request.files.insert(path);
    request.key.add("import " + path, digestOf(content));
  }
  return opVendors;
}

/// The kernel's name, also where it is the only one and need not be said.
static std::string kernelName(const tw_compile_input &input) {
  if (input.kernel.size)
    return toString(input.kernel);
  ast::ASTContext context;
  syntax::DiagnosticSink sink;
  std::vector<sema::KernelInfo> kernels = sema::listKernels(
      *syntax::parseModule(context, {input.source.data, input.source.size},
                           toString(input.file_name), sink));
  return kernels.size() == 1 ? kernels[0].name : "";
}

static bool addTarget(RequestKey &request, Backends &backends,
                      const tw_compile_input &input,
                      const Backends::Backend *&backend) {
  syntax::DiagnosticSink sink;
  request.target =
      resolveTarget(backends, toString(input.target), backend, sink);
  if (request.target.empty())
    return false;
  std::string described = request.target;
  const Backends::Backend *describing = backend;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (text(input.options[i].key) == "target_info")
      described = resolveTarget(backends, toString(input.options[i].text),
                                describing, sink);
  if (described.empty())
    return false;
  std::optional<sema::TargetInfo> info = describeTarget(*describing, described);
  std::string plugin = identityOfFile(backend->plugin->path());
  std::string compiler = identityOfCompiler();
  Problem problem;
  std::string fingerprint = backends.fingerprintOf(*backend, problem);
  if (!info || plugin.empty() || compiler.empty() || problem)
    return false;
  Key &key = request.key;
  key.add("compiler", compiler);
  key.add("plugin", fingerprint + " " + plugin);
  addOptions(key, "plugin option ", backends.openOptions().list().data(),
             backends.openOptions().list().size());
  key.add("target", request.target);
  key.add("target facts", describe(*info));
  return true;
}

std::optional<RequestKey> makeKey(Backends &backends,
                                  const tw_compile_input &input) {
  RequestKey request;
  Key &key = request.key;
  backends.prepare(toString(input.target));
  key.add("format", "1");
  key.add("kernel", kernelName(input));
  key.add("signature", toString(input.signature));
  const Backends::Backend *backend = nullptr;
  if (!addTarget(request, backends, input, backend))
    return std::nullopt;
  addOptions(key, "option ", input.options, input.option_count);
  for (uint64_t i = 0; i < input.global_count; ++i)
    key.add("global " + toString(input.globals[i].name),
            toString(input.globals[i].value));
  bool holdsCaptured = input.module_folder_count == 0;
  addText(key, "source", text(input.file_name), text(input.source),
          holdsCaptured);
  for (uint64_t i = 0; i < input.module_count; ++i) {
    const tw_source_module &module = input.modules[i];
    addText(key, "module " + toString(module.name), text(module.file_name),
            text(module.text), holdsCaptured);
  }
  std::vector<std::string> opVendors = addImports(request, backends, input);
  key.add("overrides",
          describeClaims(backends, *backend, opVendors, request.target));
  return request;
}

} // namespace tilewright::driver::cache
