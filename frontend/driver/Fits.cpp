//===- Fits.cpp - Does a kernel fit a target? -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial is a compile that stops when shared memory is allocated; targets
// without such a point compile to the end.
//===----------------------------------------------------------------------===//

#include "frontend/driver/Fits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::driver {

namespace json = llvm::json;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// The parts between commas outside brackets and quotes.
static std::vector<std::string> splitSignature(const std::string &text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (StringRef("([{<").contains(c))
      ++depth;
    else if (StringRef(")]}>").contains(c))
      --depth;
    else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

/// `name=integer`, or nothing.
static std::optional<std::pair<std::string, int64_t>>
integerConstant(StringRef part) {
  auto [name, value] = part.split('=');
  int64_t number = 0;
  if (name.contains(':') || value.trim().getAsInteger(10, number))
    return std::nullopt;
  return std::pair(name.trim().str(), number);
}

std::string withConstants(const std::string &signature,
                          const std::map<std::string, int64_t> &values) {
  std::vector<std::string> parts = splitSignature(signature);
  for (std::string &part : parts)
    if (auto constant = integerConstant(part))
      if (auto value = values.find(constant->first); value != values.end())
        part = constant->first + "=" + std::to_string(value->second);
  return llvm::join(parts, ",");
}

std::map<std::string, int64_t> blockSizes(const std::string &signature) {
  constexpr int64_t fewest = 16;
  std::map<std::string, int64_t> sizes;
  for (const std::string &part : splitSignature(signature))
    if (auto constant = integerConstant(part))
      if (constant->second >= fewest && llvm::isPowerOf2_64(constant->second))
        sizes.insert(*constant);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

namespace {
/// What one trial changes in the request.
struct Change {
  std::map<std::string, int64_t> constants;
  std::map<std::string, int64_t> options;
};

class FitQuery {
public:
  FitQuery(Backends &backends, const tw_compile_input &input)
      : backends(backends), input(input),
        signature(input.signature.data, input.signature.size) {}

  json::Object run();

private:
  std::unique_ptr<CompileOutput> attempt(const Change &change);
  int64_t option(StringRef name, int64_t otherwise) const;
  bool fits(const Change &change) {
    return ++trials <= kMostTrials && attempt(change)->status == TW_OK;
  }
  json::Array alternatives();

  /// Bounds the time of a query: a trial takes some tens of milliseconds.
  static constexpr unsigned kMostTrials = 60;

  Backends &backends;
  const tw_compile_input &input;
  std::string signature;
  unsigned trials = 0;
};
} // namespace

int64_t FitQuery::option(StringRef name, int64_t otherwise) const {
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (StringRef(input.options[i].key.data, input.options[i].key.size) ==
            name &&
        input.options[i].kind == TW_VALUE_INT)
      return input.options[i].integer;
  return otherwise;
}

std::unique_ptr<CompileOutput> FitQuery::attempt(const Change &change) {
  std::string changed = withConstants(signature, change.constants);
  std::vector<tw_option> options;
  for (uint64_t i = 0; i < input.option_count; ++i) {
    const tw_option &given = input.options[i];
    if (!change.options.count(std::string(given.key.data, given.key.size)))
      options.push_back(given);
  }
  for (const auto &[name, value] : change.options) {
    tw_option added = {};
    added.key = {name.data(), name.size()};
    added.kind = TW_VALUE_INT;
    added.integer = value;
    options.push_back(added);
  }
  tw_option stop = {};
  stop.key = tw_string("stop_after");
  stop.kind = TW_VALUE_TEXT;
  stop.text = tw_string("simt");
  options.push_back(stop);
  tw_str stage = tw_string("layout");
  tw_compile_input trial = input;
  trial.signature = {changed.data(), changed.size()};
  trial.options = options.data();
  trial.option_count = options.size();
  trial.stages = &stage;
  trial.stage_count = 1;
  auto output = std::make_unique<CompileOutput>();
  compileSource(backends, trial, *output);
  return output;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static json::Object place(const std::string &file,
                          const syntax::SourceRange &range) {
  json::Object object;
  if (range.isValid()) {
    object["file"] = file;
    object["line"] = range.line;
    object["column"] = range.column + 1;
  }
  return object;
}

static json::Array reasonsOf(const CompileOutput &output) {
  json::Array reasons;
  for (const syntax::Diagnostic &each : output.sink.diagnostics()) {
    if (each.severity != syntax::Severity::Error)
      continue;
    json::Object reason = place(each.fileName, each.range);
    reason["code"] = syntax::codeName(each.code);
    reason["message"] = each.message;
    if (!each.hint.empty())
      reason["hint"] = each.hint;
    json::Array notes;
    for (const syntax::Note &note : each.notes) {
      json::Object object = place(
          note.fileName.empty() ? each.fileName : note.fileName, note.range);
      object["message"] = note.message;
      notes.push_back(std::move(object));
    }
    reason["notes"] = std::move(notes);
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

/// Whether smaller blocks or other options may help.
static bool isAboutResources(const CompileOutput &output) {
  constexpr unsigned codes[] = {4150, 4152}; // shared memory, threads
  return llvm::any_of(output.sink.diagnostics(), [&](const auto &each) {
    return llvm::is_contained(codes, each.code);
  });
}

static json::Object toJSON(const std::map<std::string, int64_t> &values) {
  json::Object object;
  for (const auto &[name, value] : values)
    object[name] = value;
  return object;
}

/// The least change of each option and block size alone that fits; of all block
/// sizes together if no one does.
json::Array FitQuery::alternatives() {
  json::Array found;
  auto add = [&](const Change &change) {
    found.push_back(json::Object{{"constants", toJSON(change.constants)},
                                 {"options", toJSON(change.options)}});
  };
  for (int64_t stages = option("num_stages", 3) - 1; stages >= 1; --stages)
    if (Change change{{}, {{"num_stages", stages}}}; fits(change)) {
      add(change);
      break;
    }
  int64_t warps = option("num_warps", 4);
  for (int64_t other = 1; other <= 32; other *= 2)
    if (Change change{{}, {{"num_warps", other}}};
        other != warps && fits(change)) {
      add(change);
      break;
    }
  std::map<std::string, int64_t> sizes = blockSizes(signature);
  for (const auto &[name, size] : sizes)
    for (int64_t smaller = size / 2; smaller >= 1 && smaller * 64 >= size;
         smaller /= 2)
      if (Change change{{{name, smaller}}, {}}; fits(change)) {
        add(change);
        break;
      }
  for (unsigned shift = 1; found.empty() && shift <= 6 && sizes.size() > 1;
       ++shift) {
    Change change;
    for (const auto &[name, size] : sizes)
      change.constants[name] = std::max<int64_t>(size >> shift, 1);
    if (fits(change))
      add(change);
  }
  return found;
}

/// What a "layout" stage says of each kernel's resources.
static json::Array resourcesOf(const std::string &layout) {
  llvm::Expected<json::Value> parsed = json::parse(layout);
  json::Array kernels;
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return kernels;
  }
  for (const json::Value &kernel :
       *parsed->getAsObject()->getArray("kernels")) {
    json::Object resources;
    for (StringRef key :
         {"kernel", "warps", "lanes", "shared_bytes", "shared_limit",
          "registers_estimate", "registers_limit"})
      if (const json::Value *value = kernel.getAsObject()->get(key))
        resources[key] = *value;
    kernels.push_back(std::move(resources));
  }
  return kernels;
}

json::Object FitQuery::run() {
  std::unique_ptr<CompileOutput> output = attempt({});
  bool isFit = output->status == TW_OK;
  json::Object answer{{"version", 1},
                      {"target", output->target},
                      {"fits", isFit},
                      {"reasons", reasonsOf(*output)}};
  for (const StageText &stage : output->stages)
    if (stage.name == "layout")
      answer["kernels"] = resourcesOf(stage.text);
  if (!isFit && isAboutResources(*output))
    answer["alternatives"] = alternatives();
  return answer;
}

std::string describeFit(Backends &backends, const tw_compile_input &input) {
  return llvm::formatv("{0:2}\n", json::Value(FitQuery(backends, input).run()))
      .str();
}

} // namespace tilewright::driver
