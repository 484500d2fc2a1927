//===- ArtifactTest.cpp - Writing and reading .twa --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Round trip of every field; every prefix and every flipped bit is refused;
// so is everything that a newer writer might add.
//===----------------------------------------------------------------------===//
#include "tilewright/artifact.h"
#include "test/unit/runtime/TestArtifact.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace tilewright;
using namespace tilewright::artifact;
using namespace tilewright::test;

static constexpr uint8_t argument0[] = {TW_EXPR_ARGUMENT, 0, 0};

/// An artifact that uses every field of the format.
static Artifact makeFullArtifact() {
  Artifact artifact;
  artifact.target = "nvidia:sm_90a+x";
  artifact.signature = "a:*fp16[:16], n:i32";
  artifact.compat = "compat \"text\" \xc3\xa9";
  artifact.fingerprint = "f";
  artifact.options = {{"num_warps", int64_t(4)},
                      {"scale", 0.1},
                      {"math", std::string("fast")},
                      {"low", INT64_MIN}};
  artifact.tools = {{"llvm", "22.1.8"}, {"ptxas", "13"}};
  artifact.payloads = {{"ptx", {1, 2, 3}}, {"cubin", {}}, {"x", Bytes(200, 7)}};
  Kernel kernel =
      makeKernel("k", {pointer("a", TW_DTYPE_F16), scalar("flag", TW_DTYPE_I1),
                       scalar("n", TW_DTYPE_I32), scalar("s", TW_DTYPE_BF16)});
  kernel.symbol = "k_1";
  kernel.payload = 2;
  kernel.flags = TW_KERNEL_NEEDS_PROGRESS | TW_KERNEL_SCRATCH_ZEROED;
  Parameter grid;
  grid.name = "grid_y";
  grid.kind = TW_PARAMETER_HIDDEN_GRID;
  grid.dtype = TW_DTYPE_I32;
  grid.offset = TW_NO_OFFSET;
  grid.deviceOffset = 20;
  grid.bytes = grid.alignment = 4;
  grid.axis = 1;
  Parameter first = grid;
  first.name = "first_y";
  first.kind = TW_PARAMETER_HIDDEN_FIRST;
  first.deviceOffset = 24;
  Parameter map = grid;
  map.name = "map";
  map.kind = TW_PARAMETER_DERIVED;
  map.dtype = TW_DTYPE_NONE;
  map.deviceOffset = 64;
  map.bytes = 128;
  map.alignment = 64;
  map.axis = 0;
  map.source = 0;
  kernel.parameters.push_back(grid);
  kernel.parameters.push_back(first);
  kernel.parameters.push_back(map);
  kernel.deviceBlockBytes = 192;
  kernel.facts = {
      makeFact(TW_FACT_DIVISIBLE, 2, 16), makeFact(TW_FACT_VALUE, 2, -5),
      makeFact(TW_FACT_RANGE, 2, -1, INT64_MAX), makeFact(TW_FACT_READONLY, 0),
      makeFact(TW_FACT_DISJOINT, 0, 0, 0, 0)};
  Bytes code(argument0, std::end(argument0));
  kernel.derived = {{TW_DERIVED_TENSOR_MAP,
                     TW_DTYPE_NONE,
                     {code, code, code, code},
                     {TW_DTYPE_F16, 2, 64, 64, 1, 1, 128, 0, 0, 256}}};
  kernel.predicate = code;
  kernel.blockSize = {128, 2, 1};
  kernel.clusterSize = {2, 1, 1};
  kernel.sharedStaticBytes = 1024;
  kernel.sharedDynamicBytes = 65536;
  kernel.scratchBytes = 1ull << 40;
  kernel.scratchAlignment = 128;
  kernel.scratchFormula = code;
  kernel.registers = 168;
  kernel.spillBytes = 8;
  artifact.kernels = {kernel, makeKernel("j", {})};
  return artifact;
}

static std::optional<Artifact> read(const Bytes &file, Problem &problem) {
  return readArtifact({file.data(), file.size()}, problem);
}

/// Recomputes the checksum, so that what lies behind it is reached.
static void seal(Bytes &file) {
  constexpr size_t field = offsetof(tw_artifact_header, checksum);
  std::memset(file.data() + field, 0, 8);
  uint64_t hash = XXH64(file.data(), file.size(), 0);
  std::memcpy(file.data() + field, &hash, 8);
}

TEST(Artifact, RoundTripsEveryField) {
  Artifact artifact = makeFullArtifact();
  Bytes file = writeArtifact(artifact);
  Problem problem;
  std::optional<Artifact> back = read(file, problem);
  ASSERT_TRUE(back) << problem.str();
  EXPECT_EQ(writeArtifact(*back), file);
  EXPECT_EQ(back->signature, artifact.signature);
  EXPECT_EQ(back->compat, artifact.compat);
  EXPECT_EQ(back->options, artifact.options);
  EXPECT_EQ(back->tools, artifact.tools);
  ASSERT_EQ(back->payloads.size(), 3u);
  EXPECT_EQ(back->payloads[2].bytes, Bytes(200, 7));
  const Kernel &kernel = back->kernels[0];
  EXPECT_EQ(kernel.symbol, "k_1");
  EXPECT_EQ(kernel.parameters[1].offset, 8u);
  EXPECT_EQ(kernel.parameters[2].offset, 12u);
  EXPECT_EQ(kernel.parameters[3].offset, 16u);
  EXPECT_EQ(kernel.userBlockBytes, 18u);
  EXPECT_EQ(kernel.facts[2].upper, INT64_MAX);
  EXPECT_EQ(kernel.derived[0].attributes.size(), 10u);
  EXPECT_EQ(kernel.scratchBytes, 1ull << 40);
}

TEST(Artifact, RecordsSurviveTheCInterface) {
  Artifact artifact = makeFullArtifact();
  RecordView view(artifact.kernels[0]);
  Kernel copy = Kernel::fromRecord(view.record());
  copy.payload = artifact.kernels[0].payload; // not part of a record
  artifact.kernels[0] = copy;
  EXPECT_EQ(writeArtifact(artifact), writeArtifact(makeFullArtifact()));
}

TEST(Artifact, EveryPrefixIsRefused) {
  Bytes file = writeArtifact(makeFullArtifact());
  for (size_t size = 0; size < file.size(); ++size) {
    Problem problem;
    ASSERT_FALSE(readArtifact({file.data(), size}, problem)) << size;
    ASSERT_EQ(problem.code, size < 4 ? 7101u : 7103u) << size;
  }
  file.push_back(0);
  Problem problem;
  EXPECT_FALSE(read(file, problem));
  EXPECT_EQ(problem.code, 7103u);
}

TEST(Artifact, EveryFlippedBitIsRefused) {
  const Bytes file = writeArtifact(makeFullArtifact());
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    Bytes damaged = file;
    damaged[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    Problem problem;
    ASSERT_FALSE(read(damaged, problem)) << "bit " << bit;
  }
}

TEST(Artifact, UnknownVersionsAndFlagsAreRefused) {
  const Bytes file = writeArtifact(makeFullArtifact());
  auto refusal = [&](size_t offset, uint8_t value) {
    Bytes changed = file;
    changed[offset] = value;
    seal(changed);
    Problem problem;
    EXPECT_FALSE(read(changed, problem)) << offset;
    return problem.code;
  };
  EXPECT_EQ(refusal(0, 'X'), 7101u);
  EXPECT_EQ(refusal(offsetof(tw_artifact_header, version), 2), 7102u);
  EXPECT_EQ(refusal(offsetof(tw_artifact_header, flags), 1), 7102u);
  EXPECT_EQ(refusal(offsetof(tw_artifact_header, reserved) + 31, 1), 7105u);
  EXPECT_EQ(refusal(offsetof(tw_artifact_header, section_count), 0), 7105u);
  EXPECT_EQ(refusal(offsetof(tw_artifact_header, section_count), 1), 7105u);
  EXPECT_EQ(refusal(offsetof(tw_artifact_header, section_count) + 3, 255),
            7105u);
  constexpr size_t table = sizeof(tw_artifact_header);
  EXPECT_EQ(refusal(table, TW_SECTION_PAYLOAD), 7105u);
  EXPECT_EQ(refusal(table + offsetof(tw_artifact_section, flags), 1), 7105u);
  EXPECT_EQ(refusal(table + offsetof(tw_artifact_section, offset), 1), 7105u);
  EXPECT_EQ(refusal(table + offsetof(tw_artifact_section, bytes) + 7, 255),
            7105u);
  EXPECT_EQ(refusal(table + offsetof(tw_artifact_section, reserved), 1), 7105u);
}

/// A file whose manifest is `text`, otherwise valid.
static Bytes withManifest(const std::string &text) {
  Artifact artifact = makeFullArtifact();
  Bytes file = writeArtifact(artifact);
  tw_artifact_section sections[4];
  std::memcpy(sections, file.data() + sizeof(tw_artifact_header),
              sizeof sections);
  Bytes out(file.begin(), file.begin() + long(sections[0].offset));
  uint64_t end = 0;
  for (tw_artifact_section &section : sections) {
    const uint8_t *data = file.data() + section.offset;
    uint64_t bytes = section.bytes;
    if (&section == sections) {
      data = reinterpret_cast<const uint8_t *>(text.data());
      bytes = text.size();
    }
    out.resize((out.size() + 63) / 64 * 64);
    section.offset = out.size();
    section.bytes = bytes;
    out.insert(out.end(), data, data + bytes);
    end = out.size();
  }
  std::memcpy(out.data() + sizeof(tw_artifact_header), sections,
              sizeof sections);
  std::memcpy(out.data() + offsetof(tw_artifact_header, file_bytes), &end, 8);
  seal(out);
  return out;
}

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Artifact, ManifestsAreReadStrictly) {
  const std::string good = manifestText(makeFullArtifact());
  Problem none;
  ASSERT_TRUE(read(withManifest(good), none)) << none.str();
  const std::pair<const char *, const char *> changes[] = {
      {"\"schema\": 1", "\"schema\": 2"},
      {"\"schema\": 1,", ""},
      {"\"schema\": 1", "\"schema\": 1, \"newer\": 0"},
      {"\"target\": \"nvidia:sm_90a+x\"", "\"target\": 5"},
      {"\"num_warps\": 4", "\"num_warps\": [4]"},
      {"\"num_warps\": 4", "\"num_warps\": 18446744073709551615"},
      {"\"ptx\"", "null"},
      {"\"payload\": 2", "\"payload\": 3"},
      {"\"payload\": 2", "\"payload\": -1"},
      {"\"needs_progress\"", "\"flies\""},
      {"\"kind\": \"pointer\"", "\"kind\": \"thing\""},
      {"\"dtype\": \"i1\"", "\"dtype\": \"i3\""},
      {"\"offset\": 8", "\"offset\": 9"},
      {"\"alignment\": 8", "\"alignment\": 4"},
      {"\"value\": 16", "\"value\": 0"},
      {"\"kind\": \"divisible\"", "\"kind\": \"lucky\""},
      {"\"argument\": 2", "\"argument\": 4"},
      {"\"predicate\": \"020000\"", "\"predicate\": \"02000\""},
      {"\"predicate\": \"020000\"", "\"predicate\": \"02000G\""},
      {"\"predicate\": \"020000\"", "\"predicate\": \"020400\""},
      {"\"predicate\": \"020000\"", "\"predicate\": \"10\""},
      {"\"user_block_bytes\": 18", "\"user_block_bytes\": 20"},
      {"\"device_block_bytes\": 192", "\"device_block_bytes\": 100"},
      {"\"scratch_alignment\": 128", "\"scratch_alignment\": 96"},
      {"\"scratch_alignment\": 128", "\"scratch_alignment\": 0"},
      {"\"registers\": 168", "\"registers\": 1.5"},
      {"\"spill_bytes\": 8", "\"spill_bytes\": 8, \"spill_bytes2\": 8"},
      {"\"source\": 0", "\"source\": 1"},
      {"{", "["},
      {"}", ""}};
  for (const auto &[from, to] : changes) {
    Problem problem;
    EXPECT_FALSE(read(withManifest(replaced(good, from, to)), problem))
        << from << " -> " << to;
    EXPECT_EQ(problem.code, 7106u) << from << " -> " << to;
  }
}

TEST(Artifact, DeepAndHugeManifestsDoNotCrash) {
  for (const std::string &text :
       {std::string(1 << 20, '['), std::string(1 << 20, ' '), std::string(),
        std::string("\xff\xfe\x00", 3)}) {
    Problem problem;
    EXPECT_FALSE(read(withManifest(text), problem));
    EXPECT_EQ(problem.code, 7106u);
  }
}

static std::set<std::string> keysOf(const nlohmann::json &object) {
  std::set<std::string> keys;
  for (const auto &item : object.items())
    keys.insert(item.key());
  return keys;
}

TEST(Artifact, TheDocumentedSchemaNamesTheSameKeys) {
  using nlohmann::json;
  json schema = json::parse(std::ifstream(MANIFEST_SCHEMA));
  json manifest = json::parse(manifestText(makeFullArtifact()));
  auto expectSame = [&](const json &object, const json &rule) {
    EXPECT_EQ(keysOf(object), keysOf(rule["properties"]));
    EXPECT_EQ(keysOf(object), rule["required"].get<std::set<std::string>>());
    EXPECT_EQ(rule["additionalProperties"], false);
  };
  expectSame(manifest, schema);
  const json &kernel = manifest["kernels"][0];
  expectSame(kernel, schema["$defs"]["kernel"]);
  expectSame(kernel["derived"][0], schema["$defs"]["derived"]);
  // Parameters and facts have keys that only some kinds carry.
  for (const char *list : {"parameters", "facts"}) {
    const json &rule = schema["$defs"][list[0] == 'p' ? "parameter" : "fact"];
    std::set<std::string> used, always = keysOf(kernel[list][0]);
    for (const json &item : kernel[list]) {
      std::set<std::string> keys = keysOf(item), both;
      used.insert(keys.begin(), keys.end());
      std::set_intersection(keys.begin(), keys.end(), always.begin(),
                            always.end(), std::inserter(both, both.end()));
      always = both;
    }
    EXPECT_EQ(used, keysOf(rule["properties"])) << list;
    EXPECT_EQ(always, rule["required"].get<std::set<std::string>>()) << list;
  }
}

TEST(Artifact, MissingFilesAndFoldersAreReported) {
  Problem problem;
  EXPECT_FALSE(readFile(testing::TempDir() + "no-such-file.twa", problem));
  EXPECT_EQ(problem.code, 7107u);
  problem = {};
  EXPECT_FALSE(readFile(testing::TempDir(), problem));
  EXPECT_EQ(problem.code, 7107u);
}
