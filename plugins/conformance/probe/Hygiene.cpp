//===- Hygiene.cpp - Rules TWB-3xx and TWB-4xx ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A life of the plugin (load, open, compile, launch, close) between two looks
// at the process; and the same life beside other libraries.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"
#include "plugins/worker/ProcessState.h"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <filesystem>
#include <malloc.h>
#include <thread>
#include <unistd.h>

namespace tilewright::conformance {

static size_t entriesOf(const char *folder) {
  size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error))
    ++count;
  return count;
}

/// One life, as far as the plugin under examination offers it. Returns what the
/// compile gave.
static std::string live(Session &session) {
  const plugins::Plugin &plugin = session.plugin();
  tw_backend *backend = session.open(plugin);
  std::string artifact;
  if (plugin.offers(TW_PROFILE_COMPILE)) {
    std::string text;
    plugin.compile().resolve_target(backend, toStr(session.settings.vendor),
                                    nullptr, writerTo(text));
    plugin.compile().fingerprint(backend, writerTo(text));
    for (const Case &entry : session.settings.cases) {
      if (entry.request.empty())
        continue;
      artifact = session.compile(entry).all();
      break;
    }
  }
  if (plugin.offers(TW_PROFILE_RUNTIME)) {
    uint32_t count = 0;
    tw_device *device = nullptr;
    const tw_runtime_table &runtime = plugin.runtime();
    if (runtime.device_count(backend, &count) == TW_OK && count &&
        runtime.device_open(backend, 0, nullptr, &device) == TW_OK) {
      tw_stream *stream = nullptr;
      if (runtime.stream_create(device, &stream) == TW_OK)
        runtime.stream_destroy(stream);
      runtime.device_close(device);
    }
  }
  plugin.close(backend);
  return artifact;
}

/// What a life changed in the process; taken once for three rules.
static const std::string &changesOfALife(Session &session) {
  static std::string changes;
  static bool isDone = false;
  if (!isDone) {
    isDone = true;
    worker::ProcessState before = worker::ProcessState::take();
    live(session);
    changes = before.changesTo(worker::ProcessState::take());
  }
  return changes;
}

/// Fails if one of the changed things is of a kind.
static void expectUnchanged(Session &session,
                            std::initializer_list<const char *> kinds) {
  const std::string &changes = changesOfALife(session);
  for (const char *kind : kinds)
    expect(changes.find(kind) == changes.npos, "changed: " + changes);
}

static std::string printsNothing(Session &session) {
  live(session); // the kit looks at the streams
  return {};
}

static std::string keepsFloatControl(Session &session) {
  expectUnchanged(session, {"floating-point"});
  return {};
}
static std::string keepsSignals(Session &session) {
  expectUnchanged(session, {"handler of", "signal mask"});
  return {};
}
static std::string keepsTheRest(Session &session) {
  expectUnchanged(session, {"locale", "folder", "file mode", "environment"});
  return {};
}

/// Lives until caches are warm, then counts over some more.
static std::string closesDescriptors(Session &session) {
  live(session);
  live(session);
  size_t before = entriesOf("/proc/self/fd");
  for (int i = 0; i < 4; ++i)
    live(session);
  size_t after = entriesOf("/proc/self/fd");
  expect(after <= before,
         std::to_string(after - before) + " descriptors more after four lives");
  return {};
}

static std::string joinsThreads(Session &session) {
  // A driver library that was opened stays, with what it runs.
  live(session);
  size_t before = entriesOf("/proc/self/task");
  size_t after = 0;
  for (int i = 0; i < 4; ++i)
    live(session);
  for (int i = 0; i < 100; ++i) {
    after = entriesOf("/proc/self/task");
    if (after <= before)
      return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw Broken(std::to_string(after - before) +
               " threads more, a second after the fourth close");
}

static std::string givesMemoryBack(Session &session) {
  constexpr int lives = 40;
  constexpr size_t most = 4096; // a life
  auto openAndClose = [&](int count) {
    for (int i = 0; i < count; ++i)
      session.plugin().close(session.open(session.plugin()));
  };
  openAndClose(10);
  size_t before = mallinfo2().uordblks;
  openAndClose(lives);
  size_t after = mallinfo2().uordblks;
  size_t each = after > before ? (after - before) / lives : 0;
  expect(each <= most, std::to_string(each) + " bytes stay from each open");
  return std::to_string(each) + " bytes stay from each open";
}

//===--- A host without memory --------------------------------------------===//

namespace {
/// Services whose `allocate` gives memory so many times.
class Starved {
public:
  explicit Starved(uint64_t left)
      : host({}), left(left), services(*host.table()) {
    services.ctx = this;
    services.log = [](void *, uint32_t, tw_str) {};
    services.allocate = [](void *ctx, uint64_t bytes,
                           uint64_t alignment) -> void * {
      auto *self = static_cast<Starved *>(ctx);
      if (self->left-- > 0)
        return self->real().allocate(self->real().ctx, bytes, alignment);
      self->hasRefused = true;
      return nullptr;
    };
    services.release = [](void *ctx, void *memory) {
      auto &real = static_cast<Starved *>(ctx)->real();
      real.release(real.ctx, memory);
    };
    services.thread_hint = [](void *) { return uint32_t(1); };
    services.get_interface = [](void *ctx, tw_str name, uint32_t version) {
      auto &real = static_cast<Starved *>(ctx)->real();
      return real.get_interface(real.ctx, name, version);
    };
  }

  const tw_host_services *table() const { return &services; }
  std::atomic<bool> hasRefused{false};

private:
  const tw_host_services &real() const { return *host.table(); }

  plugins::HostServices host;
  std::atomic<int64_t> left;
  tw_host_services services;
};
} // namespace

/// A life in which the host gives memory `count` times; whether more was asked
/// for. That the process is still there is what is examined.
static bool starve(Session &session, uint64_t count) {
  Starved services(count);
  const plugins::Plugin &plugin = session.plugin();
  Problem problem;
  tw_backend *backend = plugin.open(services.table(), nullptr, 0, problem);
  if (!backend)
    return services.hasRefused;
  if (plugin.offers(TW_PROFILE_COMPILE) && !session.settings.cases.empty()) {
    const Case &entry = session.anyCase();
    Compiled result = session.compile(entry, {}, backend);
    expect(result.status != TW_OK ||
               result.all() == session.artifact(entry).all(),
           "without memory a compile gives other bytes");
  }
  if (plugin.offers(TW_PROFILE_RUNTIME)) {
    const tw_runtime_table &runtime = plugin.runtime();
    tw_device *device = nullptr;
    tw_stream *stream = nullptr;
    uint64_t address = 0;
    if (runtime.device_open(backend, 0, nullptr, &device) == TW_OK) {
      if (runtime.memory_allocate(device, 64, 16, &address) == TW_OK)
        runtime.memory_free(device, address);
      if (runtime.stream_create(device, &stream) == TW_OK)
        runtime.stream_destroy(stream);
      runtime.device_close(device);
    }
  }
  plugin.close(backend);
  return services.hasRefused;
}

static std::string survivesWithoutMemory(Session &session) {
  constexpr uint64_t most = 100;
  uint64_t count = 0;
  while (count < most && starve(session, count))
    ++count;
  return count == 0 ? "asks the host for no memory"
                    : std::to_string(count) + " places";
}

//===--- Neighbours -------------------------------------------------------===//

static std::string worksBesideAnotherLLVM(Session &session) {
  std::string found;
  for (const std::string &path : session.settings.neighbours) {
    if (!dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
      continue;
    found = path;
    break;
  }
  if (found.empty())
    throw Skipped("no other LLVM was found; name one with --neighbour");
  live(session);
  return "beside " + found;
}

static std::string worksBesideOtherBackends(Session &session) {
  const std::string &other = session.settings.otherPlugin;
  if (other.empty())
    throw Skipped("no other backend was found");
  auto copyOf = [&](const char *name) {
    std::string path = session.settings.expected + "/" + name;
    std::error_code error;
    std::filesystem::copy_file(
        other, path, std::filesystem::copy_options::overwrite_existing, error);
    return path;
  };
  Problem problem;
  auto before =
      plugins::loadPlugin(copyOf("libtilewright_before.so"), {}, problem);
  expect(before != nullptr, "the other backend: " + problem.str());
  tw_backend *handle = session.open(*before);
  std::string first = live(session);
  auto after =
      plugins::loadPlugin(copyOf("libtilewright_after.so"), {}, problem);
  expect(after != nullptr,
         "the other backend behind this one: " + problem.str());
  session.open(*after);
  expect(live(session) == first,
         "the artifact changed when another backend was loaded");
  std::string fingerprint;
  int32_t status = before->compile().fingerprint(handle, writerTo(fingerprint));
  expect(status == TW_OK && !fingerprint.empty(),
         "the backend that was loaded before does not answer any more");
  return "beside " + other;
}

const std::vector<CheckEntry> hygieneChecks = {
    {301, printsNothing},   {302, keepsFloatControl},     {303, keepsSignals},
    {304, keepsTheRest},    {305, closesDescriptors},     {306, joinsThreads},
    {307, givesMemoryBack}, {308, survivesWithoutMemory},
};
const std::vector<CheckEntry> neighbourChecks = {
    {401, worksBesideAnotherLLVM},
    {402, worksBesideOtherBackends},
};

} // namespace tilewright::conformance
