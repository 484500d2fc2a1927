//===- Main.cpp - One probe process -----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright-plugin-probe SETTINGS.json RULE...`: a line of JSON on descriptor
// 3 before and after each rule, so that the kit knows where a crash was.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::conformance;
using nlohmann::json;

static constexpr int reportDescriptor = 3;

static void say(const json &line) {
  std::string text =
      line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  if (write(reportDescriptor, text.data(), text.size()) < 0)
    _exit(2);
}

static Case readCase(const json &entry) {
  Case result;
  result.name = entry.at("name");
  result.signature = entry.value("signature", "");
  result.request = entry.value("request", "");
  result.refusal = entry.value("refusal", "");
  const json &grid = entry.at("grid");
  result.grid = {grid.at(0), grid.at(1), grid.at(2)};
  result.ulps = entry.value("ulps", 0u);
  for (const json &argument : entry.at("arguments")) {
    CaseArgument given;
    given.fill = argument.value("fill", "");
    given.count = argument.value("count", uint64_t(0));
    given.below = argument.value("below", int64_t(0));
    given.isOutput = argument.value("out", false);
    given.value = argument.value("value", 0.0);
    result.arguments.push_back(given);
  }
  return result;
}

static ClaimCase readClaim(const json &entry) {
  ClaimCase result;
  result.op = entry.at("op");
  result.provider = entry.value("provider", "");
  result.refusal = entry.value("refusal", "");
  result.numerics = entry.value("numerics", "");
  result.own = result.taken = readCase(entry);
  result.own.request = entry.value("own", "");
  result.own.name += " of its own";
  result.taken.name += " by " + result.provider;
  return result;
}

static Settings readSettings(const char *path) {
  std::ifstream file(path);
  json root = json::parse(file);
  Settings settings;
  settings.library = root.at("library");
  settings.compileLibrary = root.value("compile", "");
  settings.launchLibrary = root.value("launch", "");
  settings.vendor = root.value("vendor", "");
  settings.expected = root.value("folder", "");
  settings.writesExpected = root.value("writes", false);
  settings.neighbours = root.value("neighbours", std::vector<std::string>());
  settings.otherPlugin = root.value("other", "");
  settings.golden = root.value("golden", "");
  for (const json &entry : root.value("cases", json::array()))
    settings.cases.push_back(readCase(entry));
  for (const json &entry : root.value("failures", json::array()))
    settings.failures.push_back(readCase(entry));
  for (const json &entry : root.value("claims", json::array()))
    settings.claims.push_back(readClaim(entry));
  return settings;
}

static Check findCheck(unsigned rule) {
  for (const auto *checks :
       {&negotiationChecks, &hygieneChecks, &neighbourChecks, &compileChecks,
        &numericsChecks, &claimChecks, &portableChecks, &runtimeChecks,
        &launchChecks})
    for (const CheckEntry &entry : *checks)
      if (entry.rule == rule)
        return entry.check;
  return nullptr;
}

static void examine(Session &session, unsigned rule) {
  say({{"rule", rule}, {"state", "started"}});
  auto start = std::chrono::steady_clock::now();
  std::string verdict = "pass", text;
  Check check = findCheck(rule);
  try {
    if (!check)
      throw Skipped("there is no check");
    text = check(session);
  } catch (const Skipped &skipped) {
    verdict = "skip";
    text = skipped.what();
  } catch (const std::exception &broken) {
    verdict = "fail";
    text = broken.what();
  }
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  json line = {{"rule", rule},
               {"state", verdict},
               {"text", text},
               {"milliseconds", time.count()}};
  if (rule == 201 && verdict == "pass") {
    const plugins::Agreement &info = session.plugin().info();
    line["vendor"] = info.vendor;
    line["name"] = info.name;
    line["build"] = info.buildId;
    line["profiles"] = info.profiles;
    line["version"] = info.version;
  }
  say(line);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  try {
    Session session(readSettings(argv[1]));
    for (int i = 2; i < argc; ++i)
      examine(session, unsigned(std::strtoul(argv[i], nullptr, 10)));
  } catch (const std::exception &error) {
    say({{"state", "broken"}, {"text", error.what()}});
    return 2;
  }
  // Leaving runs the plugin's destructors, which may crash, too.
  say({{"state", "leaving"}});
  std::exit(0);
}
