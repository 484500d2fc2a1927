//===- NegotiationTest.cpp - The handshake, case by case --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of well and badly behaved plugins, in this process, and the rule for
// fields that one side does not know.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Negotiation.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::plugins;

namespace {
/// What the fake plugin does; a test sets it before it negotiates.
struct Fake {
  uint32_t minVersion = TW_ABI_VERSION(0, 1); // spoken by the plugin
  uint32_t maxVersion = TW_ABI_VERSION(0, 1);
  bool ignoresRange = false;
  tw_backend_answer answer = {};
  tw_compile_table compile = {};
};
Fake fake;

int32_t fakeFingerprint(tw_backend *, tw_writer out) {
  out.write(out.ctx, "fake", 4);
  return TW_OK;
}
int32_t fakeResolve(tw_backend *, tw_str, const tw_sink *, tw_writer) {
  return TW_OK;
}
int32_t fakeCaps(tw_backend *, tw_str, tw_capability *, uint64_t) {
  return TW_OK;
}
int32_t fakeCompile(tw_backend *, const tw_compile_request *,
                    tw_compile_response *) {
  return TW_OK;
}
int32_t fakeOpen(const tw_backend_config *, tw_backend **) { return TW_OK; }
void fakeClose(tw_backend *) {}

int32_t fakeEntry(const tw_host_offer *offer, tw_backend_answer *answer) {
  tw_backend_answer mine = fake.answer;
  uint32_t version = std::min(fake.maxVersion, offer->max_version);
  if (!fake.ignoresRange &&
      (version < fake.minVersion || version < offer->min_version)) {
    mine.refusal = TW_E_VERSION;
    mine.refusal_text = tw_string("needs a newer host");
  }
  mine.version = fake.ignoresRange ? fake.maxVersion : version;
  tw_write_struct(answer, sizeof mine, &mine);
  return mine.refusal;
}

class Negotiation : public testing::Test {
protected:
  Negotiation() {
    fake = Fake();
    fake.compile.size = sizeof fake.compile;
    fake.compile.fingerprint = fakeFingerprint;
    fake.compile.resolve_target = fakeResolve;
    fake.compile.get_caps = fakeCaps;
    fake.compile.compile = fakeCompile;
    fake.answer.profiles = TW_PROFILE_COMPILE;
    fake.answer.vendor = tw_string("fake");
    fake.answer.build_id = tw_string("fake 1");
    fake.answer.open = fakeOpen;
    fake.answer.close = fakeClose;
    fake.answer.compile = &fake.compile;
  }
  bool run() { return negotiate(fakeEntry, host, agreement, problem); }

  HostVersions host;
  Agreement agreement;
  Problem problem;
};
} // namespace

TEST_F(Negotiation, AgreesAndCopies) {
  ASSERT_TRUE(run()) << problem.str();
  EXPECT_EQ(agreement.version, TW_ABI_VERSION(0, 1));
  EXPECT_EQ(agreement.vendor, "fake");
  EXPECT_EQ(agreement.buildId, "fake 1");
  std::string text;
  agreement.tables.compile.fingerprint(nullptr, writerTo(text));
  EXPECT_EQ(text, "fake");
}

TEST_F(Negotiation, PicksTheNewestCommonVersion) {
  struct Row {
    uint32_t hostMin, hostMax, pluginMin, pluginMax, expected; // 0: refused
  };
  constexpr auto v = [](uint32_t a, uint32_t b) {
    return TW_ABI_VERSION(a, b);
  };
  for (Row row :
       {Row{v(0, 1), v(0, 1), v(0, 1), v(0, 1), v(0, 1)},
        Row{v(0, 1), v(0, 9), v(0, 1), v(0, 1), v(0, 1)}, // older plugin
        Row{v(0, 1), v(0, 1), v(0, 1), v(0, 9), v(0, 1)}, // newer plugin
        Row{v(0, 1), v(1, 3), v(0, 9), v(1, 0), v(1, 0)},
        Row{v(0, 1), v(0, 1), v(0, 9), v(0, 9), 0},    // plugin too new
        Row{v(1, 0), v(1, 3), v(0, 1), v(0, 9), 0}}) { // plugin too old
    host.minVersion = row.hostMin;
    host.maxVersion = row.hostMax;
    fake.minVersion = row.pluginMin;
    fake.maxVersion = row.pluginMax;
    EXPECT_EQ(run(), row.expected != 0);
    if (row.expected)
      EXPECT_EQ(agreement.version, row.expected);
    else
      EXPECT_EQ(problem.code, 5003u);
  }
}

TEST_F(Negotiation, RefusalTextReachesTheUser) {
  fake.minVersion = fake.maxVersion = TW_ABI_VERSION(0, 99);
  ASSERT_FALSE(run());
  EXPECT_NE(problem.message.find("needs a newer host"), std::string::npos);
  EXPECT_NE(problem.hint.find("0.1"), std::string::npos);
}

TEST_F(Negotiation, AVersionOutsideTheOfferIsRefused) {
  fake.ignoresRange = true;
  fake.maxVersion = TW_ABI_VERSION(0, 99);
  ASSERT_FALSE(run());
  EXPECT_EQ(problem.code, 5003u);
  EXPECT_NE(problem.message.find("0.9"), std::string::npos);
}

TEST_F(Negotiation, InconsistentAnswersAreRefused) {
  auto refused = [&](auto change) {
    Fake saved = fake;
    change();
    bool agreed = run();
    fake = saved;
    fake.answer.compile = &fake.compile;
    return !agreed && problem.code == 5005;
  };
  EXPECT_TRUE(refused([] { fake.answer.profiles = 0; }));
  EXPECT_TRUE(refused([] { fake.answer.profiles |= 64; }));
  EXPECT_TRUE(refused([] { fake.answer.profiles |= TW_PROFILE_RUNTIME; }));
  EXPECT_TRUE(refused([] { fake.answer.profiles = TW_PROFILE_OVERRIDE; }));
  EXPECT_TRUE(refused([] { fake.answer.flags = 64; }));
  EXPECT_TRUE(refused([] { fake.answer.vendor = tw_string("Fake One"); }));
  EXPECT_TRUE(refused([] { fake.answer.vendor = tw_string(""); }));
  EXPECT_TRUE(refused([] { fake.compile.size = 4; }));
  EXPECT_TRUE(refused([] { fake.compile.size = sizeof fake.compile - 3; }));
  EXPECT_TRUE(refused([] { fake.compile.flags = 1; }));
  EXPECT_TRUE(run()) << problem.str();
}

TEST_F(Negotiation, RequiredFunctionsMustBeThere) {
  fake.compile.compile = nullptr;
  ASSERT_FALSE(run());
  EXPECT_EQ(problem.code, 5006u);
  EXPECT_NE(problem.message.find("'compile'"), std::string::npos);
  fake.compile.compile = fakeCompile;
  fake.answer.close = nullptr;
  ASSERT_FALSE(run());
  EXPECT_EQ(problem.code, 5006u);
}

TEST_F(Negotiation, MissingOptionalFunctionsBecomeStubs) {
  ASSERT_TRUE(run()) << problem.str();
  const Tables &tables = agreement.tables;
  EXPECT_EQ(tables.compile.can_compile(nullptr, nullptr), TW_E_UNIMPLEMENTED);
  EXPECT_EQ(tables.compile.list_targets(nullptr, {}), TW_E_UNIMPLEMENTED);
  // Absent profiles hold stubs too.
  EXPECT_EQ(
      tables.launch.launch(nullptr, nullptr, nullptr, nullptr, 0, nullptr),
      TW_E_UNIMPLEMENTED);
  tables.runtime.device_close(nullptr);
}

TEST_F(Negotiation, ShorterAndLongerTablesAreRead) {
  // An older plugin's table ends before the optional slots.
  fake.compile.size = offsetof(tw_compile_table, can_compile);
  fake.compile.list_targets = [](tw_backend *, tw_writer) -> int32_t {
    return TW_OK;
  };
  ASSERT_TRUE(run()) << problem.str();
  EXPECT_EQ(agreement.tables.compile.list_targets(nullptr, {}),
            TW_E_UNIMPLEMENTED);
  // A newer plugin's table goes on; the host never looks there.
  struct {
    tw_compile_table known;
    void *newer[4];
  } longer = {fake.compile, {&fake, &fake, &fake, &fake}};
  longer.known.size = sizeof longer;
  fake.answer.compile = &longer.known;
  ASSERT_TRUE(run()) << problem.str();
  EXPECT_EQ(agreement.tables.compile.size, sizeof(tw_compile_table));
  EXPECT_EQ(agreement.tables.compile.list_targets(nullptr, {}), TW_OK);
}

//===--- The null plugin's side -------------------------------------------===//

namespace {
class NullEntry : public testing::Test {
protected:
  NullEntry() {
    void *library = dlopen(NULL_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    entry = reinterpret_cast<tw_backend_entry_fn>(
        library ? dlsym(library, TW_BACKEND_ENTRY_NAME) : nullptr);
    memset(&wide, 0, sizeof wide);
    wide.offer.size = sizeof wide;
    wide.offer.magic = TW_OFFER_MAGIC;
    wide.offer.min_version = wide.offer.max_version = TW_ABI_VERSION(0, 1);
    answer.size = sizeof answer;
  }
  tw_backend_entry_fn entry;
  struct {
    tw_host_offer offer;
    uint64_t newer[2];
  } wide;
  tw_backend_answer answer = {};
};
} // namespace

TEST_F(NullEntry, AcceptsALargerOfferWithAZeroTail) {
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry(&wide.offer, &answer), TW_OK);
  EXPECT_EQ(toString(answer.vendor), "null");
}

TEST_F(NullEntry, RefusesANonZeroTail) {
  wide.newer[1] = 1;
  EXPECT_EQ(entry(&wide.offer, &answer), TW_E_UNKNOWN_FIELD);
  EXPECT_EQ(answer.refusal, TW_E_UNKNOWN_FIELD);
  EXPECT_GT(answer.refusal_text.size, 0u);
}

TEST_F(NullEntry, RefusesForeignCallersAndVersions) {
  wide.offer.magic = 1;
  EXPECT_EQ(entry(&wide.offer, &answer), TW_E_INVALID_ARGUMENT);
  wide.offer.magic = TW_OFFER_MAGIC;
  wide.offer.min_version = wide.offer.max_version = TW_ABI_VERSION(2, 0);
  EXPECT_EQ(entry(&wide.offer, &answer), TW_E_VERSION);
}

TEST_F(NullEntry, WritesNoFurtherThanTheAnswersSize) {
  struct {
    tw_backend_answer answer;
    uint64_t guard;
  } room;
  memset(&room, 0xab, sizeof room);
  room.answer.size = offsetof(tw_backend_answer, refusal_text);
  EXPECT_EQ(entry(&wide.offer, &room.answer), TW_OK);
  EXPECT_EQ(room.answer.refusal_text.size, 0xababababababababu);
  EXPECT_EQ(room.guard, 0xababababababababu);
}

TEST_F(NullEntry, IsRepeatableFromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> agreed{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        Agreement agreement;
        Problem problem;
        agreed += negotiate(entry, {}, agreement, problem);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(agreed, 1600);
}

//===--- The rule for unknown fields --------------------------------------===//

TEST(UnknownFields, EveryNonZeroTailByteIsRefused) {
  struct {
    tw_sink known;
    unsigned char newer[24];
  } given = {};
  given.known.size = sizeof given;
  tw_sink sink;
  EXPECT_EQ(tw_read_struct(&sink, sizeof sink, &given), TW_OK);
  EXPECT_EQ(sink.size, sizeof sink);
  for (unsigned char &byte : given.newer) {
    byte = 1;
    EXPECT_EQ(tw_read_struct(&sink, sizeof sink, &given), TW_E_UNKNOWN_FIELD);
    byte = 0;
  }
}

TEST(UnknownFields, MissingFieldsReadAsZero) {
  tw_diagnostic given = {};
  given.size = offsetof(tw_diagnostic, hint);
  given.code = 7;
  given.hint = tw_string("beyond the given size");
  tw_diagnostic read;
  ASSERT_EQ(tw_read_struct(&read, sizeof read, &given), TW_OK);
  EXPECT_EQ(read.code, 7u);
  EXPECT_EQ(read.hint.size, 0u);
  given.size = 4;
  EXPECT_EQ(tw_read_struct(&read, sizeof read, &given), TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(tw_read_struct(&read, sizeof read, nullptr), TW_E_INVALID_ARGUMENT);
}

TEST(Tables, ASizeThatCutsAFieldIsRefused) {
  for (uint32_t size = 0; size < 64; ++size) {
    unsigned char source[64] = {};
    memcpy(source, &size, sizeof size);
    unsigned char mine[32] = {};
    bool isWhole = size >= 8 && size % 8 == 0;
    EXPECT_EQ(tw_read_struct(mine, sizeof mine, source),
              isWhole ? TW_OK : TW_E_INVALID_ARGUMENT)
        << size;
  }
}
