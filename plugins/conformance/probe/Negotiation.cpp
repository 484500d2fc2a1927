//===- Negotiation.cpp - Rules TWB-102 and TWB-2xx --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offers of hosts that are older, newer, foreign or ask for the unknown, to the
// bare entry function.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <thread>

namespace tilewright::conformance {

namespace {
/// An offer with memory behind it, and the answer to it.
struct Talk {
  Talk() {
    room.offer.size = sizeof(tw_host_offer);
    room.offer.magic = TW_OFFER_MAGIC;
    room.offer.min_version = TW_ABI_VERSION(0, 1);
    room.offer.max_version = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
    room.offer.build_id = tw_string("plugin-check");
    answer.size = sizeof answer;
  }
  int32_t ask(tw_backend_entry_fn entry) {
    return status = entry(&room.offer, &answer);
  }
  /// Not 0, the same status in the answer, and a text.
  void expectRefusal(const std::string &what, int32_t wanted = 0) const {
    expect(status != TW_OK, what + " was accepted");
    expect(!wanted || status == wanted, what + ": expected status " +
                                            std::to_string(wanted) + ", got " +
                                            std::to_string(status));
    expect(answer.refusal == status,
           what + ": the entry returned " + std::to_string(status) +
               ", the answer's refusal is " + std::to_string(answer.refusal));
    expect(answer.refusal_text.size != 0, what + " was refused without a text");
  }

  struct {
    tw_host_offer offer;
    uint64_t newer[4];
  } room = {};
  tw_backend_answer answer = {};
  int32_t status = TW_OK;
};
} // namespace

static std::string loads(Session &session) {
  Library library(session.settings.library);
  expect(library.entry != nullptr, library.problem);
  return {};
}

static std::string agrees(Session &session) {
  const plugins::Agreement &info = session.plugin().info();
  return info.vendor + ", ABI " + plugins::versionText(info.version);
}

static std::string refusesNewer(Session &session) {
  Talk talk;
  talk.room.offer.min_version = TW_ABI_VERSION(900, 0);
  talk.room.offer.max_version = TW_ABI_VERSION(900, 5);
  talk.ask(session.entry());
  talk.expectRefusal("an offer of ABI 900.0 to 900.5", TW_E_VERSION);
  return {};
}

static std::string refusesOlder(Session &session) {
  Talk talk;
  talk.room.offer.min_version = TW_ABI_VERSION(0, 0);
  talk.room.offer.max_version = TW_ABI_VERSION(0, 0);
  talk.ask(session.entry());
  talk.expectRefusal("an offer of ABI 0.0", TW_E_VERSION);
  return {};
}

static std::string choosesInside(Session &session) {
  for (uint32_t minor : {1u, uint32_t(TW_ABI_MINOR), TW_ABI_MINOR + 7u}) {
    Talk talk;
    talk.room.offer.max_version = TW_ABI_VERSION(TW_ABI_MAJOR, minor);
    talk.ask(session.entry());
    std::string what = "an offer of ABI 0.1 to 0." + std::to_string(minor);
    if (talk.status != TW_OK) {
      expect(minor < TW_ABI_MINOR, what + " was refused");
      talk.expectRefusal(what, TW_E_VERSION);
      continue;
    }
    expect(talk.answer.version >= talk.room.offer.min_version &&
               talk.answer.version <= talk.room.offer.max_version,
           what + " was answered with ABI " +
               plugins::versionText(talk.answer.version));
  }
  return {};
}

static std::string refusesUnknownFields(Session &session) {
  tw_backend_entry_fn entry = session.entry();
  Talk zero;
  zero.room.offer.size = sizeof zero.room;
  expect(zero.ask(entry) == TW_OK,
         "a larger offer whose new fields are zero was refused with " +
             std::to_string(zero.status));
  for (uint64_t &field : zero.room.newer) {
    Talk talk;
    talk.room.offer.size = sizeof talk.room;
    talk.room.newer[&field - zero.room.newer] = uint64_t(1) << 56;
    talk.ask(entry);
    talk.expectRefusal("an unknown field that is not zero", TW_E_UNKNOWN_FIELD);
  }
  return {};
}

static std::string keepsToTheAnswer(Session &session) {
  tw_backend_entry_fn entry = session.entry();
  for (uint32_t size : {8u, 16u, uint32_t(offsetof(tw_backend_answer, open)),
                        uint32_t(sizeof(tw_backend_answer) - 8)}) {
    Talk talk;
    std::memset(&talk.answer, 0xab, sizeof talk.answer);
    talk.answer.size = size;
    talk.ask(entry);
    auto *bytes = reinterpret_cast<const unsigned char *>(&talk.answer);
    for (uint32_t i = size; i < sizeof talk.answer; ++i)
      expect(bytes[i] == 0xab, "an answer of " + std::to_string(size) +
                                   " bytes was written at byte " +
                                   std::to_string(i));
  }
  return {};
}

static std::string refusesForeigners(Session &session) {
  Talk talk;
  talk.room.offer.magic = 0x1122334455667788;
  talk.ask(session.entry());
  talk.expectRefusal("an offer without the magic number");
  return {};
}

static std::string isRepeatable(Session &session) {
  tw_backend_entry_fn entry = session.entry();
  Talk first;
  first.ask(entry);
  std::vector<std::thread> threads;
  std::atomic<int> different{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        Talk talk;
        talk.ask(entry);
        different +=
            talk.status != first.status ||
            std::memcmp(&talk.answer, &first.answer, sizeof talk.answer) != 0;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  expect(different == 0, std::to_string(different.load()) +
                             " of 1600 answers differ from the first");
  return {};
}

//===--- Opening ----------------------------------------------------------===//

/// Opens with one option, or none; closes what was opened.
static int32_t openWith(Session &session, const tw_option *option,
                        uint64_t newer = 0) {
  const plugins::Agreement &info = session.plugin().info();
  plugins::HostServices services({});
  Collector reports;
  struct {
    tw_backend_config config;
    uint64_t newer;
  } room = {};
  room.config.size = sizeof room;
  room.config.services = services.table();
  room.config.options = option;
  room.config.option_count = option ? 1 : 0;
  room.config.sink = reports.sink();
  room.newer = newer;
  tw_backend *backend = nullptr;
  int32_t status = info.open(&room.config, &backend);
  if (status == TW_OK) {
    expect(backend != nullptr, "`open` gave no backend");
    info.close(backend);
  }
  return status;
}

static std::string opens(Session &session) {
  tw_option option = {};
  option.key = tw_string("org.tilewright.unheard-of");
  for (const tw_option *given : {static_cast<tw_option *>(nullptr), &option}) {
    int32_t status = openWith(session, given);
    expect(status == TW_OK, std::string("`open` with ") +
                                (given ? "an unknown option" : "no option") +
                                " returned " + std::to_string(status));
  }
  return {};
}

static std::string refusesUnknownOptions(Session &session) {
  tw_option option = {};
  option.key = tw_string("org.tilewright.unheard-of");
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  int32_t status = openWith(session, &option);
  expect(status == TW_E_UNKNOWN_OPTION,
         "expected status 65 for an option that must be understood, got " +
             std::to_string(status));
  return {};
}

static std::string refusesUnknownConfiguration(Session &session) {
  int32_t status = openWith(session, nullptr, 1);
  expect(status == TW_E_UNKNOWN_FIELD,
         "expected status 64 for an unknown field that is not zero, got " +
             std::to_string(status));
  return {};
}

const std::vector<CheckEntry> negotiationChecks = {
    {102, loads},
    {201, agrees},
    {202, refusesNewer},
    {203, refusesOlder},
    {204, choosesInside},
    {205, refusesUnknownFields},
    {206, keepsToTheAnswer},
    {207, refusesForeigners},
    {208, isRepeatable},
    {209, opens},
    {210, refusesUnknownOptions},
    {211, refusesUnknownConfiguration},
};

} // namespace tilewright::conformance
