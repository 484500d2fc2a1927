//===- RegistryTest.cpp - Finding, loading, reporting -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real files: the null plugin, a library that is none, missing and broken ones.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Registry.h"
#include "plugins/loader/Binding.h"
#include "plugins/loader/HostServices.h"
#include "plugins/loader/PluginManifest.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace tilewright;
using namespace tilewright::plugins;

namespace {
class RegistryTest : public testing::Test {
protected:
  RegistryTest() {
    std::string pattern = testing::TempDir() + "registry-XXXXXX";
    folder = mkdtemp(pattern.data());
    places.usePackageFolder = false;
  }
  ~RegistryTest() override { fs::remove_all(folder); }

  std::string copy(const char *from, const char *name) {
    fs::path to = folder / name;
    fs::copy_file(from, to);
    return to.string();
  }
  std::string write(const char *name, const std::string &text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }

  fs::path folder;
  SearchPlaces places;
  Problem problem;
};
} // namespace

TEST_F(RegistryTest, LoadsAnExplicitPath) {
  places.pluginPaths = {NULL_PLUGIN};
  Registry registry(places);
  const Plugin *plugin = registry.find("null", TW_PROFILE_COMPILE, problem);
  ASSERT_TRUE(plugin) << problem.str();
  EXPECT_TRUE(plugin->offers(TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH));
  EXPECT_TRUE(plugin->offers(TW_PROFILE_OVERRIDE));
  EXPECT_FALSE(plugin->offers(16u));
  EXPECT_EQ(registry.find("null", TW_PROFILE_LAUNCH, problem), plugin);
}

TEST_F(RegistryTest, SearchFoldersAndPackageFolder) {
  copy(NULL_PLUGIN, "libtilewright_mine.so");
  write("notes.txt", "not a plugin");
  places.searchFolders = {folder.string()};
  Registry registry(places);
  ASSERT_EQ(registry.reports().size(), 1u);
  EXPECT_TRUE(registry.find("null", TW_PROFILE_COMPILE, problem));
  EXPECT_EQ(registry.reports()[0].origin, "search folder");

  SearchPlaces package; // this test stands in build/bin, plugins in build/lib
  Registry packaged(package);
  EXPECT_TRUE(packaged.find("null", TW_PROFILE_COMPILE, problem))
      << problem.str();
}

TEST_F(RegistryTest, AManifestSparesOpeningOtherVendors) {
  std::string broken = write("libtilewright_other.so", "garbage");
  write("libtilewright_other.json",
        R"({"schema": 1, "vendor": "other", "profiles": ["compile"]})");
  places.pluginPaths = {broken, NULL_PLUGIN};
  Registry registry(places);
  ASSERT_TRUE(registry.find("null", TW_PROFILE_COMPILE, problem));
  EXPECT_EQ(registry.reports()[0].state, LoadReport::State::NotOpened);
  EXPECT_FALSE(registry.find("other", TW_PROFILE_COMPILE, problem));
  EXPECT_EQ(registry.reports()[0].state, LoadReport::State::Failed);
  EXPECT_NE(problem.hint.find("TW5001"), std::string::npos) << problem.str();
}

TEST_F(RegistryTest, AManifestThatLiesIsRefused) {
  std::string path = copy(NULL_PLUGIN, "libtilewright_liar.so");
  write("libtilewright_liar.json",
        R"({"schema": 1, "vendor": "cpu", "profiles": ["compile"]})");
  places.pluginPaths = {path};
  Registry registry(places);
  EXPECT_FALSE(registry.find("cpu", TW_PROFILE_COMPILE, problem));
  EXPECT_NE(problem.hint.find("TW5007"), std::string::npos) << problem.str();
}

TEST_F(RegistryTest, FindsPathsThatManifestsTellWithoutLoading) {
  places.pluginPaths = {NULL_PLUGIN};
  Registry registry(places);
  EXPECT_EQ(registry.findPath("null", TW_PROFILE_COMPILE), NULL_PLUGIN);
  EXPECT_EQ(registry.findPath("nobody", TW_PROFILE_COMPILE), "");
  EXPECT_EQ(registry.reports()[0].state, LoadReport::State::NotOpened);
  ASSERT_TRUE(registry.find("null", TW_PROFILE_COMPILE, problem));
  EXPECT_EQ(registry.findPath("null", TW_PROFILE_COMPILE), "");
}

TEST_F(RegistryTest, RefusesLibrariesThatLackAFunctionHoweverTheyAreBound) {
  EXPECT_FALSE(isBoundNow(UNDEFINED_LIBRARY));
  EXPECT_FALSE(loadPlugin(UNDEFINED_LIBRARY, {}, problem));
  EXPECT_EQ(problem.code, 5001u);
  EXPECT_NE(problem.message.find("functionOfNobody"), std::string::npos)
      << problem.message;
}

TEST_F(RegistryTest, KnowsLibrariesThatAreBoundNow) {
  EXPECT_TRUE(isBoundNow(NULL_PLUGIN));
  EXPECT_FALSE(isBoundNow(write("libtilewright_text.so", "not an ELF file")));
  EXPECT_FALSE(isBoundNow((folder / "missing.so").string()));
  std::ifstream whole(NULL_PLUGIN, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(whole), {});
  for (size_t kept : {size_t(16), size_t(64), size_t(200), bytes.size() / 2})
    isBoundNow(write("cut.so", bytes.substr(0, kept)));
}

TEST_F(RegistryTest, ReportsWhyNothingWasLoaded) {
  places.pluginPaths = {(folder / "missing.so").string(),
                        write("libtilewright_text.so", "not an ELF file"),
                        NO_ENTRY_LIBRARY};
  places.searchFolders = {(folder / "no-folder").string()};
  Registry registry(places);
  EXPECT_FALSE(registry.find("null", TW_PROFILE_COMPILE, problem));
  EXPECT_EQ(problem.code, 5008u);
  std::vector<LoadReport> reports = registry.reports();
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0].problem.code, 5001u);
  EXPECT_NE(reports[0].problem.message.find("missing.so"), std::string::npos);
  EXPECT_EQ(reports[1].problem.code, 5001u);
  EXPECT_EQ(reports[2].problem.code, 5002u);
  std::string text = registry.reportText();
  EXPECT_NE(text.find("not loaded, TW5002"), std::string::npos) << text;
  EXPECT_NE(text.find("no-folder' is not a folder"), std::string::npos);
}

TEST_F(RegistryTest, ReportsWhichOfTwoPluginsOfAVendorServes) {
  std::string second = copy(NULL_PLUGIN, "libtilewright_b.so");
  std::string first = copy(NULL_PLUGIN, "libtilewright_a.so");
  places.searchFolders = {folder.string()};
  Registry registry(places);
  EXPECT_EQ(registry.find("null", TW_PROFILE_COMPILE, problem)->path(), first);
  std::string text = registry.reportText();
  size_t line = text.find('\n');
  EXPECT_EQ(text.find("comes first"), text.find("comes first", line)) << text;
  EXPECT_NE(text.find("; not used for compile, " + first +
                      " comes first; not "
                      "used for runtime, " +
                      first),
            std::string::npos)
      << text;
}

TEST_F(RegistryTest, SaysWhichVendorsThereAre) {
  places.pluginPaths = {NULL_PLUGIN};
  Registry registry(places);
  EXPECT_FALSE(registry.find("nvidia", TW_PROFILE_COMPILE, problem));
  EXPECT_EQ(problem.code, 5008u);
  EXPECT_NE(problem.hint.find("null"), std::string::npos);
  // A profile of the future.
  EXPECT_FALSE(registry.find("null", TW_PROFILE_OVERRIDE | 16u, problem));
  EXPECT_EQ(problem.code, 5009u);
  EXPECT_NE(problem.message.find("override"), std::string::npos);
  EXPECT_EQ(registry.vendors(TW_PROFILE_COMPILE),
            std::vector<std::string>{"null"});
}

TEST_F(RegistryTest, OpensABackendWithOptions) {
  places.pluginPaths = {NULL_PLUGIN};
  Registry registry(places);
  const Plugin *plugin = registry.find("null", TW_PROFILE_COMPILE, problem);
  ASSERT_TRUE(plugin);
  HostServices services({});
  tw_option option = {};
  option.key = tw_string("unheard-of");
  tw_backend *backend = plugin->open(services.table(), &option, 1, problem);
  ASSERT_TRUE(backend) << problem.str();
  std::string fingerprint;
  EXPECT_EQ(plugin->compile().fingerprint(backend, writerTo(fingerprint)),
            TW_OK);
  EXPECT_EQ(fingerprint, "null 0.1");
  plugin->close(backend);
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  EXPECT_FALSE(plugin->open(services.table(), &option, 1, problem));
  EXPECT_EQ(problem.code, 5016u);
  EXPECT_EQ(problem.status, TW_E_UNKNOWN_OPTION);
}

TEST(PluginManifest, IsReadStrictly) {
  Problem problem;
  auto good = parsePluginManifest(
      R"({"schema": 1, "vendor": "x", "profiles": ["compile", "launch"]})",
      problem);
  ASSERT_TRUE(good) << problem.str();
  EXPECT_EQ(good->vendor, "x");
  EXPECT_EQ(good->profiles, TW_PROFILE_COMPILE | TW_PROFILE_LAUNCH);
  for (const char *text :
       {"", "[]", "{",
        R"({"schema": 2, "vendor": "x", "profiles": ["launch"]})",
        R"({"vendor": "x", "profiles": ["launch"]})",
        R"({"schema": 1, "profiles": ["launch"]})",
        R"({"schema": 1, "vendor": "", "profiles": ["launch"]})",
        R"({"schema": 1, "vendor": "x", "profiles": []})",
        R"({"schema": 1, "vendor": "x", "profiles": ["fly"]})",
        R"({"schema": 1, "vendor": "x", "profiles": ["launch"], "y": 0})"}) {
    Problem refusal;
    EXPECT_FALSE(parsePluginManifest(text, refusal)) << text;
    EXPECT_EQ(refusal.code, 5007u) << text;
  }
}
