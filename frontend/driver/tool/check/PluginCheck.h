//===- PluginCheck.h - The examination of one plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings together what the kit needs: the plugin's partner of the same vendor,
// requests for the kit's kernels, the reference's results, other libraries.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_PLUGINCHECK_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_PLUGINCHECK_H

#include "frontend/driver/tool/check/SuiteCheck.h"

#include <nlohmann/json.hpp>

#include <set>

namespace tilewright::tool {

struct PluginCheckOptions {
  std::string library;
  std::string partner;            // empty: looked for
  std::string target;             // empty: the vendor
  std::string lists;              // empty: the file beside the library
  std::string json;               // report file; "-" is standard output
  std::vector<std::string> rules; // empty: all
  std::vector<std::string> neighbours;
  SuiteOptions suite;
  double seconds = 120;
  std::string glibc; // newest version that may be needed; empty: any
  bool showsAll = false;
  bool printsRules = false;
};

class Examination {
public:
  explicit Examination(const PluginCheckOptions &options);
  ~Examination();
  Examination(const Examination &) = delete;
  Examination &operator=(const Examination &) = delete;

  conformance::Report run();

private:
  bool wants(unsigned rule) const {
    return chosen.empty() || chosen.count(rule);
  }
  void findPartner();
  std::vector<std::string> findNeighbours() const;
  /// The kit's launches of a kind ("cases", "failures") with requests for a
  /// target made by a plugin.
  nlohmann::json makeCases(const std::string &kind, const std::string &library,
                           const std::string &target, const std::string &tag);
  nlohmann::json makeClaims();
  std::string writeSettings(const std::string &name,
                            const nlohmann::json &settings) const;
  void runReference();
  void examineLoaded(std::vector<conformance::Finding> &findings);
  conformance::Finding examineSuite();
  /// Why a rule is not about this plugin; empty if it is.
  std::string whyNot(const conformance::Rule &rule) const;

  const PluginCheckOptions &options;
  conformance::Lists lists;
  std::set<unsigned> chosen;
  std::string folder; // for files of this examination
  conformance::Runner runner;
  std::string compileLibrary, launchLibrary;
  std::string target;
  nlohmann::json cases;
  conformance::SuiteReport suite;
};

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_PLUGINCHECK_H
