//===- Compile.cpp - Requests and artifacts of a plugin ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of the host that concern warps and pipelines are taken and mean
// nothing here.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Compile.h"

#include <algorithm>
#include <deque>
#include <new>

namespace tilewright::sdk {

static constexpr uint32_t kBadFormat = 4104, kBadBytes = 4105,
                          kBadOption = 4106, kUnknownOption = 4107,
                          kNoKernel = 4108, kLibraries = 4114, kLacking = 4160;

static std::string toString(tw_str text) {
  return text.size ? std::string(text.data, text.size) : std::string();
}

static tw_str toStr(const std::string &text) {
  return {text.data(), text.size()};
}

void refuseOperation(const Op &op, const std::string &target,
                     const std::string &reason, const std::string &hint) {
  throw Refusal{TW_E_DIAGNOSED,
                kLacking,
                "expected operations of target " + target + ", got '" +
                    op.name() + "': " + reason,
                hint,
                &op,
                {}};
}

void walk(const Op &op, const std::function<void(const Op &)> &visit) {
  visit(op);
  for (const Region &region : op.regions)
    for (const auto &inner : region.ops)
      walk(*inner, visit);
}

//===--- Requests ---------------------------------------------------------===//

void Request::poll() const {
  if (given->cancelled && given->cancelled(given->cancel_ctx))
    throw Refusal{TW_E_CANCELLED, 0, "", "", nullptr, {}};
}

bool Request::wantsStage(const char *name) const {
  for (uint64_t i = 0; i < given->stage_count; ++i)
    if (tw_str_equal(given->stages[i], tw_string(name)))
      return true;
  return false;
}

std::string Request::option(const char *name, const char *otherwise) const {
  for (const auto &[key, text] : options)
    if (key == name)
      return text;
  return otherwise;
}

static void readOption(const tw_option &option, const std::string &vendor,
                       const std::vector<const char *> &own, Request &request) {
  static const char *const ignored[] = {"maxnreg", "num_ctas", "num_stages",
                                        "num_warps", "opt_level"};
  std::string key = toString(option.key);
  for (const char *name : ignored)
    if (key == name)
      return;
  for (const char *name : own)
    if (key == name && option.kind == TW_VALUE_TEXT) {
      request.options.emplace_back(key, toString(option.text));
      return;
    }
  if (key == "math") {
    std::string text = toString(option.text);
    if (text != "accurate" && text != "fast")
      throw Refusal{TW_E_DIAGNOSED,
                    kBadOption,
                    "expected accurate or fast for option 'math' of target " +
                        vendor + ", got '" + text + "'",
                    "use math=accurate, the default",
                    nullptr,
                    {}};
    request.isFastMath = text == "fast";
  } else if (option.flags & TW_OPTION_MUST_UNDERSTAND) {
    throw Refusal{TW_E_UNKNOWN_OPTION,
                  kUnknownOption,
                  "unknown option '" + key + "' for target " + vendor,
                  "remove the option, or correct its name",
                  nullptr,
                  {}};
  }
}

static void checkEnvelope(const tw_compile_request &given,
                          const std::string &vendor) {
  for (const tw_extension *e = given.extensions; e; e = e->next)
    if (e->flags & TW_EXTENSION_MUST_UNDERSTAND)
      throw Refusal{TW_E_UNKNOWN_FIELD, 0, "", "", nullptr, {}};
  std::string format = toString(given.ir_format);
  if (format != "tw.portable" || given.ir_version < TW_PORTABLE_OLDEST ||
      given.ir_version > TW_PORTABLE_NEWEST)
    throw Refusal{format == "tw.portable" ? TW_E_VERSION : TW_E_UNIMPLEMENTED,
                  kBadFormat,
                  "expected IR format tw.portable of a version from " +
                      std::to_string(TW_PORTABLE_OLDEST) + " to " +
                      std::to_string(TW_PORTABLE_NEWEST) + ", got '" + format +
                      "' " + std::to_string(given.ir_version),
                  "the host writes what a plugin names; update one of them",
                  nullptr,
                  {}};
  if (given.library_count)
    throw Refusal{TW_E_UNIMPLEMENTED,
                  kLibraries,
                  "expected no device libraries, got " +
                      std::to_string(given.library_count),
                  "target " + vendor + " links none",
                  nullptr,
                  {}};
}

/// Takes the wanted kernels; without a list, all. Launchers take the first form
/// that fits: variants stand before the one that always does.
static void selectKernels(Request &request) {
  const tw_compile_request &given = *request.given;
  std::vector<std::string> wanted;
  for (uint64_t i = 0; i < given.entry_count; ++i)
    wanted.push_back(toString(given.entries[i]));
  for (const auto &op : request.module->top->regions[0].ops)
    if (wanted.empty() ||
        std::count(wanted.begin(), wanted.end(), kernelName(*op)))
      request.kernels.push_back(op.get());
  for (const std::string &name : wanted)
    if (std::none_of(
            request.kernels.begin(), request.kernels.end(),
            [&](const Op *kernel) { return kernelName(*kernel) == name; }))
      throw Refusal{TW_E_NOT_FOUND,
                    kNoKernel,
                    "expected a kernel named '" + name + "' in the IR",
                    "",
                    nullptr,
                    {}};
  if (request.kernels.empty())
    throw Refusal{
        TW_E_NOT_FOUND, kNoKernel, "expected at least one kernel in the IR", "",
        nullptr,        {}};
  std::stable_sort(request.kernels.begin(), request.kernels.end(),
                   [](const Op *a, const Op *b) {
                     return a->has(TW_PORTABLE_ATTR_LAUNCH_PREDICATE) >
                            b->has(TW_PORTABLE_ATTR_LAUNCH_PREDICATE);
                   });
}

static void readRequest(const tw_compile_request &given,
                        const std::string &vendor,
                        const std::vector<const char *> &own,
                        Request &request) {
  request.given = &given;
  checkEnvelope(given, vendor);
  for (uint64_t i = 0; i < given.option_count; ++i)
    readOption(given.options[i], vendor, own, request);
  request.poll();
  std::string problem;
  request.module = readTree(given.ir, problem);
  if (!request.module)
    throw Refusal{
        TW_E_DIAGNOSED, kBadBytes,
        problem,        "the bytes are damaged: compile the kernel again",
        nullptr,        {}};
  selectKernels(request);
  request.poll();
}

//===--- Diagnostics ------------------------------------------------------===//

/// The chain of a place and the calls that it was inlined through.
static const tw_location *viewPlaces(const std::vector<Place> &places,
                                     std::deque<tw_location> &links) {
  const tw_location *next = nullptr;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    tw_location link = {};
    link.file = toStr(place->file);
    link.function = toStr(place->function);
    link.line = place->line;
    link.column = place->column;
    link.end_line = place->endLine;
    link.end_column = place->endColumn;
    link.caller = next;
    links.push_back(link);
    next = &links.back();
  }
  return next;
}

static int32_t report(const Refusal &refusal, const Request &request) {
  const tw_sink *sink = request.given ? request.given->sink : nullptr;
  if (!sink || !sink->emit || refusal.message.empty())
    return refusal.status;
  std::vector<Place> places;
  if (refusal.at && request.module)
    places = request.module->placesOf(refusal.at->location);
  std::deque<tw_location> links;
  tw_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  diagnostic.severity = TW_SEVERITY_ERROR;
  diagnostic.code = refusal.code;
  diagnostic.message = toStr(refusal.message);
  diagnostic.hint = toStr(refusal.hint);
  diagnostic.location = viewPlaces(places, links);
  sink->emit(sink->ctx, &diagnostic);
  for (const std::string &note : refusal.notes)
    tw_emit(sink, TW_SEVERITY_NOTE, 0, note.c_str(), "");
  return refusal.status;
}

//===--- Responses --------------------------------------------------------===//

namespace {
/// An artifact and the C views of its parts.
struct Response {
  Artifact artifact;
  std::deque<tw_kernel_record> records;
  std::vector<const tw_kernel_record *> pointers;
  std::vector<tw_stage_text> stages;
  std::vector<tw_str> overrides;
  std::vector<tw_option> tools;

  void fill(tw_compile_response &out);
};
} // namespace

void Response::fill(tw_compile_response &out) {
  for (const KernelRecord &kernel : artifact.kernels) {
    records.push_back(kernel.view());
    pointers.push_back(&records.back());
  }
  for (const auto &[name, text] : artifact.stages)
    stages.push_back({toStr(name), toStr(text)});
  for (const std::string &claim : artifact.overrides)
    overrides.push_back(toStr(claim));
  for (const auto &[name, version] : artifact.tools) {
    tw_option tool = {};
    tool.key = toStr(name);
    tool.kind = TW_VALUE_TEXT;
    tool.text = toStr(version);
    tools.push_back(tool);
  }
  out.size = sizeof out;
  out.format = toStr(artifact.format);
  out.payload = {artifact.payload.data(), artifact.payload.size()};
  out.kernels = pointers.data();
  out.kernel_count = pointers.size();
  out.stages = stages.data();
  out.stage_count = stages.size();
  out.compat = toStr(artifact.compat);
  out.tools = tools.data();
  out.tool_count = tools.size();
  out.overrides = overrides.data();
  out.override_count = overrides.size();
  out.release = [](void *ctx) { delete static_cast<Response *>(ctx); };
  out.release_ctx = this;
}

int32_t compileRequest(const char *vendor, const std::vector<const char *> &own,
                       const tw_compile_request *given,
                       tw_compile_response *response,
                       const CompileFunction &body) {
  tw_compile_request copy;
  int32_t status = tw_read_struct(&copy, sizeof copy, given);
  if (status != TW_OK)
    return status;
  Request request;
  try {
    readRequest(copy, vendor, own, request);
    auto made = std::make_unique<Response>();
    body(request, made->artifact);
    tw_compile_response mine = {};
    made->fill(mine);
    status = tw_write_struct(response, sizeof mine, &mine);
    if (status == TW_OK)
      made.release();
    return status;
  } catch (const Refusal &refusal) {
    return report(refusal, request);
  } catch (const std::bad_alloc &) {
    return TW_E_EXHAUSTED;
  } catch (...) {
    return TW_E_INTERNAL;
  }
}

} // namespace tilewright::sdk
