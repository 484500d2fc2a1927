//===- PluginCheck.cpp - The examination of one plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order: the file, loading, then groups of rules, a process each.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/check/PluginCheck.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Session.h"
#include "frontend/driver/tool/check/RequestMaker.h"
#include "plugins/conformance/Lint.h"
#include "plugins/loader/Discovery.h"
#include "plugins/loader/PluginManifest.h"
#include "plugins/loader/Utf8.h"

#include "tilewright/plugin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace fs = std::filesystem;

namespace tilewright::tool {

using conformance::Finding;
using conformance::Needs;
using conformance::Rule;
using conformance::Verdict;
using nlohmann::json;

namespace {

/// Rules that share a process: those of a family, but what a plugin does to its
/// process is looked at in a fresh one.
constexpr unsigned ownProcess[] = {301, 305, 306, 307, 308, 401, 402};

std::string kitFolder() { return plugins::packageFolder() + "/kernels"; }

bool isSameFile(const std::string &a, const std::string &b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

std::string absolutePath(const std::string &path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error);
  return error ? path : absolute.string();
}

unsigned parseRule(const std::string &text) {
  for (const Rule &rule : conformance::rules())
    if (text == conformance::ruleName(rule.number) ||
        text == std::to_string(rule.number))
      return rule.number;
  throw Failure(7029, "there is no rule '" + text + "'",
                "'tilewright plugin-check --rules' lists them");
}

} // namespace

Examination::Examination(const PluginCheckOptions &options)
    : options(options),
      runner(plugins::packageFolder() + "/tilewright-plugin-probe",
             options.seconds) {
  for (const std::string &rule : options.rules)
    chosen.insert(parseRule(rule));
  if (std::string path = absolutePath(options.library); !plugins::isUtf8(path))
    throw Failure(5001,
                  "cannot examine the plugin '" +
                      plugins::readable(toStr(path)) +
                      "': expected a path in UTF-8",
                  "copy it to another folder; the report is JSON");
  Problem problem;
  auto read = conformance::readLists(options.lists, options.library, problem);
  if (!read)
    throw Failure(problem.code, problem.message, problem.hint);
  lists = *read;
  std::string pattern = "/tmp/tilewright-check-XXXXXX";
  if (!mkdtemp(pattern.data()))
    throw Failure(7002, "cannot make a folder in /tmp");
  folder = pattern;
}

Examination::~Examination() {
  std::error_code error;
  fs::remove_all(folder, error);
}

std::string Examination::writeSettings(const std::string &name,
                                       const json &settings) const {
  std::string path = folder + "/" + name + ".json";
  writeFile(path, settings.dump());
  return path;
}

/// Another library of the vendor that offers what this one lacks.
void Examination::findPartner() {
  auto offers = [](uint32_t profiles, uint32_t wanted) {
    return (profiles & wanted) == wanted;
  };
  constexpr uint32_t launches = TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH;
  uint32_t own = runner.identity.profiles;
  std::string library = absolutePath(options.library);
  compileLibrary = offers(own, TW_PROFILE_COMPILE) ? library : "";
  launchLibrary = offers(own, launches) ? library : "";
  plugins::SearchPlaces places;
  if (!options.partner.empty())
    places.pluginPaths = {absolutePath(options.partner)};
  // A library with overrides only is often for one of the plugins here.
  places.searchFolders = {fs::path(library).parent_path().string(),
                          plugins::packageFolder()};
  std::vector<std::string> notes;
  for (const auto &candidate : plugins::findCandidates(places, notes)) {
    Problem problem;
    auto manifest = plugins::readPluginManifest(candidate.path, problem);
    bool isNamed = candidate.path == absolutePath(options.partner);
    if (!isNamed && (!manifest || manifest->vendor != runner.identity.vendor))
      continue;
    uint32_t profiles = manifest ? manifest->profiles : ~0u;
    if (compileLibrary.empty() && offers(profiles, TW_PROFILE_COMPILE))
      compileLibrary = candidate.path;
    if (launchLibrary.empty() && offers(profiles, launches))
      launchLibrary = candidate.path;
  }
}

/// Every LLVM of the system that this plugin does not need itself.
std::vector<std::string> Examination::findNeighbours() const {
  std::vector<std::string> found = options.neighbours;
  std::vector<std::string> own = conformance::neededLibraries(options.library);
  std::error_code error;
  std::vector<fs::path> folders = {"/usr/lib64", "/usr/lib/x86_64-linux-gnu",
                                   "/usr/lib/aarch64-linux-gnu"};
  for (fs::directory_iterator it("/usr/lib", error), end; !error && it != end;
       it.increment(error))
    if (it->path().filename().string().rfind("llvm-", 0) == 0)
      folders.push_back(it->path() / "lib");
  for (const fs::path &place : folders)
    for (fs::directory_iterator it(place, error), end; !error && it != end;
         it.increment(error)) {
      std::string name = it->path().filename().string();
      bool isLLVM = name.rfind("libLLVM", 0) == 0 &&
                    name.find(".so") != std::string::npos;
      bool isOwn = std::any_of(own.begin(), own.end(), [&](const auto &needed) {
        return isSameFile(place / needed, it->path());
      });
      if (isLLVM && !isOwn)
        found.push_back(it->path().string());
    }
  return found;
}

json Examination::makeCases(const std::string &kind, const std::string &library,
                            const std::string &target, const std::string &tag) {
  json kit = json::parse(readTextFile(kitFolder() + "/kernels.json"));
  std::string source =
      readTextFile(kitFolder() + "/" + std::string(kit["file"]));
  json result = json::array();
  std::unique_ptr<RequestMaker> maker;
  std::string refusal = "no plugin of this vendor compiles";
  try {
    if (!library.empty())
      maker = std::make_unique<RequestMaker>(std::vector{library});
  } catch (const Failure &failure) {
    refusal = failure.what();
  }
  for (json entry : kit[kind]) {
    std::string name = entry["name"];
    RequestMaker::Options options;
    const json given = entry.value("options", json::object());
    for (const auto &[key, value] : given.items())
      options.push_back({key, value});
    auto listed = lists.kernels.find(name);
    try {
      if (listed != lists.kernels.end())
        throw Failure(5001, "listed: " + listed->second);
      if (!maker)
        throw Failure(5001, refusal);
      std::string path = folder + "/" + tag + "-" + name + ".twrequest";
      writeFile(path, maker->make(entry, source, target, options).request);
      entry["request"] = path;
    } catch (const Failure &failure) {
      entry["refusal"] = failure.what();
    }
    result.push_back(entry);
  }
  return result;
}

/// Each claim of the plugin on an op that the kit has a kernel for: a request
/// with the op's own definition, one with the claim.
json Examination::makeClaims() {
  json kit = json::parse(readTextFile(kitFolder() + "/kernels.json"));
  std::string source =
      readTextFile(kitFolder() + "/" + std::string(kit["file"]));
  json result = json::array();
  if (compileLibrary.empty())
    return result;
  std::unique_ptr<RequestMaker> maker;
  try {
    maker = std::make_unique<RequestMaker>(
        std::vector{absolutePath(options.library), compileLibrary});
  } catch (const Failure &) {
    return result; // the rules about loading say why
  }
  auto write = [&](const std::string &name, const std::string &request) {
    std::string path = folder + "/" + name + ".twrequest";
    writeFile(path, request);
    return path;
  };
  for (const json &entry : kit["claims"]) {
    std::string name = entry["name"], op = entry["op"];
    try {
      auto own = maker->make(entry, source, target, {{"overrides", "off"}});
      auto all = maker->make(entry, source, target);
      for (const DecidedClaim &claim : claimsOf(all.decisions, op)) {
        auto made = maker->make(entry, source, target,
                                {{"pin_op", op + "=" + claim.provider}});
        std::vector<DecidedClaim> decided = claimsOf(made.decisions, op);
        if (decided.empty() || !decided.front().isTaken)
          continue;
        json row = entry;
        row["provider"] = claim.provider;
        row["numerics"] = claim.numerics;
        row["own"] = write("own-" + name, own.request);
        row["request"] =
            write(name + "-" + std::to_string(result.size()), made.request);
        result.push_back(row);
      }
    } catch (const Failure &failure) {
      json row = entry;
      row["refusal"] = failure.what();
      result.push_back(row);
    }
  }
  return result;
}

/// Has the reference write its results beside the requests.
void Examination::runReference() {
  std::string library =
      plugins::packageFolder() + "/libtilewright_reference.so";
  if (!fs::exists(library) || isSameFile(library, options.library))
    return;
  json settings = {
      {"library", library},
      {"compile", library},
      {"launch", library},
      {"vendor", "reference"},
      {"folder", folder},
      {"writes", true},
      {"cases", makeCases("cases", library, "reference", "reference")}};
  conformance::Runner other(
      plugins::packageFolder() + "/tilewright-plugin-probe", options.seconds);
  other.examine(writeSettings("reference", settings), {601});
}

std::string Examination::whyNot(const Rule &rule) const {
  uint32_t own = runner.identity.profiles;
  bool compiles = own & TW_PROFILE_COMPILE, runs = own & TW_PROFILE_RUNTIME,
       launches = own & TW_PROFILE_LAUNCH;
  switch (rule.needs) {
  case Needs::None:
    return "";
  case Needs::Compile:
    return compiles ? "" : "offers no profile COMPILE";
  case Needs::Runtime:
    return runs ? "" : "offers no profile RUNTIME";
  case Needs::Launch:
    return launches ? "" : "offers no profile LAUNCH";
  case Needs::Override:
    return own & TW_PROFILE_OVERRIDE ? "" : "offers no profile OVERRIDE";
  case Needs::Both:
    return compiles || launches ? "" : "offers neither COMPILE nor LAUNCH";
  }
  return "";
}

/// Rule 604; before this process opens any plugin.
Finding Examination::examineSuite() {
  if (options.suite.name.empty())
    return {604, Verdict::Skip, "--suite names none"};
  if (compileLibrary.empty() || launchLibrary.empty())
    return {604, Verdict::Skip, "no plugin of this vendor compiles and runs"};
  std::vector<std::string> libraries = {compileLibrary};
  if (launchLibrary != compileLibrary)
    libraries.push_back(launchLibrary);
  auto start = std::chrono::steady_clock::now();
  suite = runSuite(options.suite, libraries, target, lists);
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  Finding finding = suite.finding();
  finding.milliseconds = time.count();
  return finding;
}

/// Everything behind rule 201.
void Examination::examineLoaded(std::vector<Finding> &findings) {
  findPartner();
  target = options.target.empty() ? runner.identity.vendor : options.target;
  std::map<unsigned, std::vector<unsigned>> groups;
  bool needsNumbers = false;
  for (const Rule &rule : conformance::rules()) {
    if (rule.number == 102 || rule.number < 202 || !wants(rule.number))
      continue;
    std::string reason = whyNot(rule);
    if (!reason.empty()) {
      findings.push_back({rule.number, Verdict::Skip, reason});
      continue;
    }
    if (rule.number == 604) {
      findings.push_back(examineSuite());
      continue;
    }
    bool isAlone = std::find(std::begin(ownProcess), std::end(ownProcess),
                             rule.number) != std::end(ownProcess);
    groups[isAlone ? rule.number : rule.number / 100].push_back(rule.number);
    needsNumbers |= rule.number == 601;
  }
  cases = makeCases("cases", compileLibrary, target, "plugin");
  json failures = wants(808)
                      ? makeCases("failures", compileLibrary, target, "plugin")
                      : json::array();
  if (needsNumbers)
    runReference();
  bool hasClaims = runner.identity.profiles & TW_PROFILE_OVERRIDE;
  json claims = hasClaims && wants(603) ? makeClaims() : json::array();
  std::string other = plugins::packageFolder() + "/libtilewright_null.so";
  json settings = {{"library", absolutePath(options.library)},
                   {"compile", compileLibrary},
                   {"launch", launchLibrary},
                   {"vendor", runner.identity.vendor},
                   {"folder", folder},
                   {"neighbours", findNeighbours()},
                   {"other", fs::exists(other) ? other : ""},
                   {"golden", kitFolder() + "/portable"},
                   {"cases", cases},
                   {"failures", failures},
                   {"claims", claims}};
  std::string path = writeSettings("plugin", settings);
  for (const auto &[name, rules] : groups)
    for (Finding &finding : runner.examine(path, rules))
      findings.push_back(std::move(finding));
}

conformance::Report Examination::run() {
  std::vector<Finding> findings =
      conformance::lintLibrary(options.library, options.glibc);
  std::string path =
      writeSettings("load", {{"library", absolutePath(options.library)}});
  bool isLoaded = true;
  for (unsigned rule : {102u, 201u}) {
    if (isLoaded)
      findings.push_back(runner.examine(path, {rule}).front());
    else
      findings.push_back({rule, Verdict::Skip, "the library does not load"});
    isLoaded &= findings.back().verdict == Verdict::Pass;
  }
  if (isLoaded)
    examineLoaded(findings);
  conformance::Report report;
  report.library = options.library;
  report.identity = runner.identity;
  report.target = target;
  report.suite = suite;
  std::string bytes = readTextFile(options.library);
  report.sha256 =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)),
                  /*LowerCase=*/true);
  for (const std::string &library : {compileLibrary, launchLibrary})
    if (!library.empty() && !isSameFile(library, options.library))
      report.partner = library;
  for (const Rule &rule : conformance::rules()) {
    if (!wants(rule.number))
      continue;
    auto found = std::find_if(
        findings.begin(), findings.end(),
        [&](const Finding &finding) { return finding.rule == rule.number; });
    Finding finding = found != findings.end()
                          ? *found
                          : Finding{rule.number, Verdict::Skip,
                                    "the plugin was not accepted (TWB-201)"};
    report.rules.push_back(conformance::judge(finding, lists));
  }
  return report;
}

} // namespace tilewright::tool
