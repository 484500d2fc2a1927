//===- Tables.cpp - The host's copies of a plugin's tables ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of slots per profile: place, name, whether it is required, stub.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Tables.h"

#include <cstddef>
#include <cstring>

namespace tilewright::plugins {

namespace {
/// A stub with the signature of the slot it fills.
template <typename Function> struct Stub;
template <typename... Arguments> struct Stub<int32_t (*)(Arguments...)> {
  static int32_t call(Arguments...) { return TW_E_UNIMPLEMENTED; }
};
template <typename... Arguments> struct Stub<void (*)(Arguments...)> {
  static void call(Arguments...) {}
};

struct Slot {
  uint32_t offset;
  const char *name;
  bool required;
  void (*stub)(); // cast back to the slot's own type by the caller of the slot
};
} // namespace

#define SLOT(table, name, required)                                            \
  Slot {                                                                       \
    offsetof(table, name), #name, required,                                    \
        reinterpret_cast<void (*)()>(&Stub<decltype(table::name)>::call)       \
  }

static const Slot compileSlots[] = {
    SLOT(tw_compile_table, fingerprint, true),
    SLOT(tw_compile_table, resolve_target, true),
    SLOT(tw_compile_table, get_caps, true),
    SLOT(tw_compile_table, compile, true),
    SLOT(tw_compile_table, can_compile, false),
    SLOT(tw_compile_table, list_targets, false),
};

static const Slot runtimeSlots[] = {
    SLOT(tw_runtime_table, device_count, true),
    SLOT(tw_runtime_table, device_open, true),
    SLOT(tw_runtime_table, device_close, true),
    SLOT(tw_runtime_table, device_name, true),
    SLOT(tw_runtime_table, get_caps, true),
    SLOT(tw_runtime_table, memory_allocate, true),
    SLOT(tw_runtime_table, memory_free, true),
    SLOT(tw_runtime_table, memory_import, true),
    SLOT(tw_runtime_table, memory_unimport, true),
    SLOT(tw_runtime_table, memory_copy, true),
    SLOT(tw_runtime_table, memory_fill, true),
    SLOT(tw_runtime_table, stream_create, true),
    SLOT(tw_runtime_table, stream_wrap, true),
    SLOT(tw_runtime_table, stream_native, true),
    SLOT(tw_runtime_table, stream_destroy, true),
    SLOT(tw_runtime_table, stream_synchronize, true),
    SLOT(tw_runtime_table, stream_wait, true),
    SLOT(tw_runtime_table, event_create, true),
    SLOT(tw_runtime_table, event_destroy, true),
    SLOT(tw_runtime_table, event_record, true),
    SLOT(tw_runtime_table, event_synchronize, true),
    SLOT(tw_runtime_table, event_elapsed, true),
    SLOT(tw_runtime_table, module_load, true),
    SLOT(tw_runtime_table, module_unload, true),
    SLOT(tw_runtime_table, grade_artifact, true),
};

static const Slot launchSlots[] = {
    SLOT(tw_launch_table, prepare, true),
    SLOT(tw_launch_table, kernel_destroy, true),
    SLOT(tw_launch_table, launch, true),
    SLOT(tw_launch_table, encode_args, true),
    SLOT(tw_launch_table, kernel_native, false),
};

static const Slot overrideSlots[] = {
    SLOT(tw_override_table, list, true),
    SLOT(tw_override_table, library, false),
    SLOT(tw_override_table, lower, false),
    SLOT(tw_override_table, sources, false),
};

#undef SLOT

/// Fills every slot with its stub, then takes the plugin's functions.
static bool copyTable(const char *profile, const void *from, void *to,
                      uint32_t bytes, const Slot *slots, size_t slotCount,
                      Problem &problem) {
  auto *destination = static_cast<unsigned char *>(to);
  std::memset(to, 0, bytes);
  std::memcpy(to, &bytes, sizeof bytes);
  for (size_t i = 0; i < slotCount; ++i)
    std::memcpy(destination + slots[i].offset, &slots[i].stub, sizeof(void *));
  if (!from)
    return true;
  uint32_t size, flags;
  std::memcpy(&size, from, sizeof size);
  std::memcpy(&flags, static_cast<const char *>(from) + 4, sizeof flags);
  if (size < 8 || size % 8 || flags)
    return problem.set(TW_E_VERSION, 5005,
                       std::string("the ") + profile + " table has size " +
                           std::to_string(size) + " and flags " +
                           std::to_string(flags) +
                           ", expected a multiple of 8 and 0",
                       "rebuild the plugin against plugin.h");
  for (size_t i = 0; i < slotCount; ++i) {
    void (*function)() = nullptr;
    if (slots[i].offset + sizeof(void *) <= size)
      std::memcpy(&function, static_cast<const char *>(from) + slots[i].offset,
                  sizeof(void *));
    if (function)
      std::memcpy(destination + slots[i].offset, &function, sizeof(void *));
    else if (slots[i].required)
      return problem.set(TW_E_UNIMPLEMENTED, 5006,
                         std::string("the ") + profile +
                             " table lacks the required function '" +
                             slots[i].name + "'",
                         "a plugin may leave out a profile, not a required "
                         "function of one that it offers");
  }
  return true;
}

bool copyTables(const tw_backend_answer &answer, Tables &tables,
                Problem &problem) {
  auto offered = [&](uint32_t profile, const char *name, const void *table) {
    bool listed = answer.profiles & profile;
    if (listed == (table != nullptr))
      return true;
    return problem.set(TW_E_VERSION, 5005,
                       std::string("profile ") + name +
                           (listed ? " is offered but has no table"
                                   : " has a table but is not offered"),
                       "profile bits and table pointers must agree");
  };
  if (!offered(TW_PROFILE_COMPILE, "compile", answer.compile) ||
      !offered(TW_PROFILE_RUNTIME, "runtime", answer.runtime) ||
      !offered(TW_PROFILE_LAUNCH, "launch", answer.launch) ||
      !offered(TW_PROFILE_OVERRIDE, "override", answer.overrides))
    return false;
  if ((answer.profiles & TW_PROFILE_LAUNCH) &&
      !(answer.profiles & TW_PROFILE_RUNTIME))
    return problem.set(TW_E_VERSION, 5005,
                       "profile launch is offered without profile runtime",
                       "streams and modules come from the runtime profile");
  return copyTable("compile", answer.compile, &tables.compile,
                   sizeof tables.compile, compileSlots, std::size(compileSlots),
                   problem) &&
         copyTable("runtime", answer.runtime, &tables.runtime,
                   sizeof tables.runtime, runtimeSlots, std::size(runtimeSlots),
                   problem) &&
         copyTable("launch", answer.launch, &tables.launch,
                   sizeof tables.launch, launchSlots, std::size(launchSlots),
                   problem) &&
         copyTable("override", answer.overrides, &tables.overrides,
                   sizeof tables.overrides, overrideSlots,
                   std::size(overrideSlots), problem);
}

} // namespace tilewright::plugins
