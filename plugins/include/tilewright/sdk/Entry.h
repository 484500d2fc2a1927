//===- Entry.h - How a plugin answers its host ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negotiation, options and host services, the same for compilers and drivers.
// Nothing but the C interface is needed.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_ENTRY_H
#define TILEWRIGHT_SDK_ENTRY_H

#include "tilewright/plugin.h"

#include <new>
#include <string>

namespace tilewright::host {

/// The oldest ABI that our plugins speak.
inline constexpr uint32_t kOldestVersion = TW_ABI_VERSION(0, 1);

/// Turns exceptions (only the standard library's can occur) into codes.
template <typename Function> int32_t keepInside(const Function &function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return TW_E_EXHAUSTED;
  } catch (...) {
    return TW_E_INTERNAL;
  }
}

/// Accepts the offer with `mine`, whose version is filled in here, or refuses.
inline int32_t answerOffer(const tw_host_offer *given, tw_backend_answer mine,
                           tw_backend_answer *answer) {
  uint32_t version = 0;
  const char *text = nullptr;
  int32_t status = tw_accept_offer(given, kOldestVersion, &version, &text);
  if (status == TW_OK) {
    mine.version = version;
    return tw_write_struct(answer, sizeof mine, &mine);
  }
  mine = {};
  mine.refusal = status;
  mine.refusal_text = tw_string(text);
  tw_write_struct(answer, sizeof mine, &mine);
  return status;
}

/// The answer of a driver: profiles RUNTIME and LAUNCH. Texts are literals.
inline tw_backend_answer
driverAnswer(const char *vendor, const char *name, const char *buildId,
             int32_t (*open)(const tw_backend_config *, tw_backend **),
             void (*close)(tw_backend *), const tw_runtime_table *runtime,
             const tw_launch_table *launch) {
  tw_backend_answer mine = {};
  mine.profiles = TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH;
  mine.vendor = tw_string(vendor);
  mine.name = tw_string(name);
  mine.build_id = tw_string(buildId);
  mine.open = open;
  mine.close = close;
  mine.runtime = runtime;
  mine.launch = launch;
  return mine;
}

/// Refuses an option that must be understood and is not one of `known`; others
/// are for whoever shares the configuration. `who` begins the message.
inline int32_t refuseOptions(const tw_backend_config &config, uint32_t code,
                             const char *who, const char *hint,
                             const char *known = nullptr) {
  for (uint64_t i = 0; i < config.option_count; ++i) {
    const tw_option &option = config.options[i];
    if (!(option.flags & TW_OPTION_MUST_UNDERSTAND) ||
        (known && tw_str_equal(option.key, tw_string(known))))
      continue;
    std::string message = std::string(who) + " has no option '" +
                          std::string(option.key.data, option.key.size) + "'";
    tw_emit(config.sink, TW_SEVERITY_ERROR, code, message.c_str(), hint);
    return TW_E_UNKNOWN_OPTION;
  }
  return TW_OK;
}

/// Where the host wants printed text; null where it does not.
inline const tw_print_interface *findPrinter(const tw_backend_config &config) {
  const tw_host_services *services = config.services;
  if (!services || !services->get_interface)
    return nullptr;
  return static_cast<const tw_print_interface *>(services->get_interface(
      services->ctx, tw_string(TW_PRINT_INTERFACE_NAME), 1));
}

} // namespace tilewright::host

#endif // TILEWRIGHT_SDK_ENTRY_H
