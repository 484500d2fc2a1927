//===- Store.cpp - Folders of compiled kernels ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding, writing and claiming entries. In a folder: `v1/<2
// digits>/<name>.twc` the entries, `v1/writing` files being written,
// `v1/claims` advisory locks.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/Store.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <random>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::driver::cache {

namespace fs = llvm::sys::fs;

static std::string entryPath(const std::string &folder,
                             const std::string &name) {
  return folder + "/v1/" + name.substr(0, 2) + "/" + name + ".twc";
}

//===----------------------------------------------------------------------===//
// Trust
//===----------------------------------------------------------------------===//

bool isTrusted(const std::string &folder, FolderUse use, Problem &problem) {
  auto isOurs = [&](const struct stat &info) {
    return use == FolderUse::Shared || info.st_uid == 0 ||
           info.st_uid == ::geteuid();
  };
  auto refuse = [&](const std::string &what) {
    return problem.set(TW_E_PERMISSION, 7201,
                       "cache folder '" + folder + "' is not used: " + what,
                       "use a folder that only you can write: chmod go-w");
  };
  struct stat info;
  if (::stat(folder.c_str(), &info) != 0)
    return true; // nothing to be read there
  if (!S_ISDIR(info.st_mode))
    return refuse("it is no folder");
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return refuse("others can write there");
  if (!isOurs(info))
    return refuse("it belongs to another user");
  // Who can rename a folder above can put another one in its place.
  llvm::SmallString<256> path;
  if (fs::real_path(folder, path))
    return refuse("it cannot be read");
  for (llvm::StringRef above = llvm::sys::path::parent_path(path);
       !above.empty(); above = llvm::sys::path::parent_path(above)) {
    if (::stat(above.str().c_str(), &info) != 0)
      continue;
    bool isOpen = (info.st_mode & S_IWOTH) && !(info.st_mode & S_ISVTX);
    if (isOpen || !isOurs(info))
      return refuse("others can write in '" + above.str() + "' above it");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The bytes of a regular file.
static std::unique_ptr<llvm::MemoryBuffer> readBytes(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0)
    return nullptr;
  // Read, not mapped: a file that is cut off meanwhile must not kill us.
  auto buffer = llvm::MemoryBuffer::getOpenFile(
      fs::convertFDToNativeFile(descriptor), path, /*FileSize=*/-1,
      /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  ::close(descriptor);
  return buffer ? std::move(*buffer) : nullptr;
}

std::optional<Entry> readFile(const StoredFile &file, Problem &problem) {
  auto buffer = readBytes(file.path);
  if (!buffer) {
    problem.set(TW_E_NOT_FOUND, 7202, "the cache entry cannot be read");
    return std::nullopt;
  }
  std::optional<Entry> entry = readEntry(buffer->getBuffer(), problem);
  if (entry && entry->key.name() != file.name) {
    problem.set(TW_E_DATA_LOSS, 7202,
                "damaged cache entry: it is that of another key",
                "it is not used; `tilewright cache check --remove` removes it");
    return std::nullopt;
  }
  return entry;
}

/// Marks an entry as used, not more often than every hour.
static void touch(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 &&
      ::time(nullptr) - info.st_mtime > 3600)
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

static bool writeAll(int descriptor, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.drop_front(size_t(count));
  }
  return true;
}

/// A name that no other process or thread uses.
static std::string uniqueName() {
  std::random_device source;
  return std::to_string(::getpid()) + "-" + std::to_string(source()) + "-" +
         std::to_string(source());
}

//===----------------------------------------------------------------------===//
// The store
//===----------------------------------------------------------------------===//

Store::Store(Settings given) : settings(std::move(given)) {
  Problem problem;
  if (settings.folder.empty()) {
    isUsable = false;
  } else if (!isTrusted(settings.folder, FolderUse::Own, problem)) {
    note(problem);
    isUsable = false;
  }
  llvm::erase_if(settings.sharedFolders, [&](const std::string &folder) {
    Problem reason;
    bool isGood = isTrusted(folder, FolderUse::Shared, reason);
    if (!isGood)
      note(reason);
    return !isGood;
  });
}

void Store::note(const Problem &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  if (noted.insert(problem.str()).second)
    problems.push_back(problem);
}

std::vector<Problem> Store::takeProblems() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(problems, {});
}

std::vector<std::string> Store::folders() const {
  std::vector<std::string> list;
  if (isUsable)
    list.push_back(settings.folder);
  list.insert(list.end(), settings.sharedFolders.begin(),
              settings.sharedFolders.end());
  return list;
}

std::optional<Entry> Store::find(const Key &key) {
  std::string name = key.name();
  for (const std::string &folder : folders()) {
    std::string path = entryPath(folder, name);
    if (::access(path.c_str(), F_OK) != 0)
      continue;
    Problem problem;
    std::optional<Entry> entry = readFile({path, name}, problem);
    // The names agree; the whole keys have to.
    if (entry && entry->key.parts() == key.parts()) {
      if (folder == settings.folder)
        touch(path);
      return entry;
    }
    if (folder == settings.folder && problem.status == TW_E_DATA_LOSS)
      ::unlink(path.c_str());
  }
  return std::nullopt;
}

/// Makes the own folder and sees that it is ours; false where that fails.
bool Store::prepareFolder() {
  Problem problem;
  std::string base = settings.folder + "/v1/writing";
  std::error_code error = fs::create_directories(base, /*IgnoreExisting=*/true,
                                                 fs::perms::owner_all);
  if (error)
    problem.set(TW_E_PERMISSION, 7203,
                "cannot write the cache folder '" + settings.folder +
                    "': " + error.message(),
                "kernels are compiled again in each process; give a folder "
                "that can be written");
  else
    isTrusted(settings.folder, FolderUse::Own, problem);
  if (!problem)
    return true;
  note(problem);
  return false;
}

void Store::put(const Entry &entry) {
  if (!isUsable || !prepareFolder())
    return;
  std::string name = entry.key.name();
  std::string path = entryPath(settings.folder, name);
  std::string writing = settings.folder + "/v1/writing/" + uniqueName();
  int descriptor =
      ::open(writing.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = descriptor >= 0 && writeAll(descriptor, writeEntry(entry));
  int reason = errno;
  if (descriptor >= 0)
    good &= ::close(descriptor) == 0;
  if (good) {
    fs::create_directory(llvm::sys::path::parent_path(path),
                         /*IgnoreExisting=*/true, fs::perms::owner_all);
    good = ::rename(writing.c_str(), path.c_str()) == 0;
    reason = errno;
  }
  if (!good) {
    ::unlink(writing.c_str());
    Problem problem;
    problem.set(TW_E_EXHAUSTED, 7203,
                "cannot write to the cache folder '" + settings.folder +
                    "': " + std::generic_category().message(reason),
                "the kernel is compiled again in each process; make room or "
                "give another folder");
    return note(problem);
  }
  // One entry in sixteen pays for the order of the folder.
  if (settings.limitBytes && name[0] == '0')
    collect(settings.folder, settings.limitBytes, 0);
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

Claim::~Claim() {
  if (descriptor < 0)
    return;
  // Those who wait hold the same file, and find the entry when they get it.
  ::unlink(path.c_str());
  ::close(descriptor);
}

Claim Store::claim(const Key &key, const std::function<bool()> &isDone) {
  using Clock = std::chrono::steady_clock;
  if (!isUsable || !prepareFolder())
    return {};
  std::string folder = settings.folder + "/v1/claims";
  fs::create_directory(folder, /*IgnoreExisting=*/true, fs::perms::owner_all);
  std::string path = folder + "/" + key.name();
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return {};
  auto deadline = Clock::now() + std::chrono::minutes(2);
  auto pause = std::chrono::milliseconds(2);
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || Clock::now() > deadline || isDone()) {
      ::close(descriptor);
      return {};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(50));
  }
  return {descriptor, path};
}

} // namespace tilewright::driver::cache
