//===- Negotiation.cpp - Offer and answer -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host states the versions it speaks, the plugin picks one or refuses with
// a text; then the host checks the answer before it believes any of it.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Negotiation.h"

#include "plugins/loader/Utf8.h"

namespace tilewright::plugins {

std::string versionText(uint32_t version) {
  return std::to_string(version >> 16) + "." + std::to_string(version & 0xffff);
}

static uint32_t sanitizerOfThisBuild() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return TW_SANITIZER_ADDRESS;
#elif __has_feature(thread_sanitizer)
  return TW_SANITIZER_THREAD;
#elif __has_feature(memory_sanitizer)
  return TW_SANITIZER_MEMORY;
#endif
#endif
  return TW_SANITIZER_NONE;
}

static tw_host_offer makeOffer(const HostVersions &host) {
  tw_host_offer offer = {};
  offer.size = sizeof offer;
  offer.magic = TW_OFFER_MAGIC;
  offer.min_version = host.minVersion;
  offer.max_version = host.maxVersion;
  offer.portable_min = host.portableMin;
  offer.portable_max = host.portableMax;
  offer.sanitizer = sanitizerOfThisBuild();
  offer.build_id = toStr(host.buildId);
  return offer;
}

static bool isVendorName(const std::string &vendor) {
  if (vendor.empty() || (vendor[0] >= '0' && vendor[0] <= '9'))
    return false;
  for (char c : vendor)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  return true;
}

/// Refuses answers that contradict the offer or themselves.
static bool checkAnswer(const tw_backend_answer &answer,
                        const HostVersions &host, Problem &problem) {
  if (answer.version < host.minVersion || answer.version > host.maxVersion)
    return problem.set(TW_E_VERSION, 5003,
                       "the plugin chose ABI " + versionText(answer.version) +
                           ", expected one of " + versionText(host.minVersion) +
                           " to " + versionText(host.maxVersion),
                       "install a plugin made for this version of tilewright");
  const uint32_t known = TW_PROFILE_COMPILE | TW_PROFILE_RUNTIME |
                         TW_PROFILE_LAUNCH | TW_PROFILE_OVERRIDE;
  if ((answer.flags & ~TW_BACKEND_UNLOADABLE) || (answer.profiles & ~known) ||
      !answer.profiles)
    return problem.set(TW_E_VERSION, 5005,
                       "the answer has flags " + std::to_string(answer.flags) +
                           " and profiles " + std::to_string(answer.profiles) +
                           ", expected known bits and at least one profile",
                       "rebuild the plugin against plugin.h");
  if (answer.portable_min > answer.portable_max)
    return problem.set(TW_E_VERSION, 5005,
                       "the answer says that it reads tw.portable " +
                           std::to_string(answer.portable_min) + " to " +
                           std::to_string(answer.portable_max) +
                           ", expected the oldest version first",
                       "set both to 0 where none is read");
  if (!isVendorName(toString(answer.vendor)))
    return problem.set(TW_E_VERSION, 5005,
                       "expected a vendor name of lower-case letters, digits "
                       "and '_', got '" +
                           readable(answer.vendor) + "'",
                       "it is the word before ':' in a target");
  if (!answer.open || !answer.close)
    return problem.set(TW_E_UNIMPLEMENTED, 5006,
                       "the answer lacks the required function 'open' or "
                       "'close'",
                       "fill both, even when they have nothing to do");
  return true;
}

bool negotiate(tw_backend_entry_fn entry, const HostVersions &host,
               Agreement &agreement, Problem &problem) {
  tw_host_offer offer = makeOffer(host);
  tw_backend_answer answer = {};
  answer.size = sizeof answer;
  int32_t status = entry(&offer, &answer);
  if (status != TW_OK || answer.refusal != TW_OK) {
    std::string text = readable(answer.refusal_text);
    return problem.set(
        status ? status : answer.refusal, status == TW_E_VERSION ? 5003 : 5004,
        "the plugin refused: " +
            (text.empty() ? "status " + std::to_string(status) : text),
        "this host offers ABI " + versionText(host.minVersion) + " to " +
            versionText(host.maxVersion));
  }
  if (!checkAnswer(answer, host, problem) ||
      !copyTables(answer, agreement.tables, problem))
    return false;
  agreement.version = answer.version;
  agreement.flags = answer.flags;
  agreement.profiles = answer.profiles;
  agreement.portableMin = answer.portable_min;
  agreement.portableMax = answer.portable_max;
  agreement.vendor = toString(answer.vendor);
  agreement.name = readable(answer.name);
  agreement.buildId = readable(answer.build_id);
  agreement.open = answer.open;
  agreement.close = answer.close;
  return true;
}

} // namespace tilewright::plugins
