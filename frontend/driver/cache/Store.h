//===- Store.h - Folders of compiled kernels --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of one's own, written without locks, and shared folders that are
// only read. Entries appear whole, by renaming, or not at all; whatever cannot
// be read or written costs a compile, never a failure.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CACHE_STORE_H
#define TILEWRIGHT_FRONTEND_DRIVER_CACHE_STORE_H

#include "frontend/driver/cache/Entry.h"

#include <functional>
#include <mutex>
#include <set>

namespace tilewright::driver::cache {

struct Settings {
  std::string folder;
  std::vector<std::string> sharedFolders;
  /// Least recently used entries beyond this are removed; 0: no limit.
  uint64_t limitBytes = uint64_t(4) << 30;
};

/// A file of a folder, by its name.
struct StoredFile {
  std::string path;
  std::string name; // of the key
  uint64_t bytes = 0;
  int64_t usedSeconds = 0; // since 1970
};

/// A folder of one's own, or one that an administrator keeps for others.
enum class FolderUse { Own, Shared };

/// Whether a folder's entries may be believed: nobody but its owner can write
/// there, who of an own folder and those above it is the user or root. TW7201
/// otherwise; a folder that does not exist is fine.
bool isTrusted(const std::string &folder, FolderUse use, Problem &problem);

/// All entries of a folder; the order is that of their names.
std::vector<StoredFile> listFiles(const std::string &folder);

/// Reads the entry of a file; TW7202 if it is damaged or not the entry of its
/// name.
std::optional<Entry> readFile(const StoredFile &file, Problem &problem);

/// Removes entries not used for `maxAgeSeconds` (0: however old), then the
/// least recently used ones beyond `maxBytes` (0: however many), and what
/// killed processes left.
struct Collected {
  size_t removed = 0;
  std::vector<std::string> kept; ///< paths that the system does not let go
};
Collected collect(const std::string &folder, uint64_t maxBytes,
                  uint64_t maxAgeSeconds);

/// A wish to be the one who compiles a key; advice to others, not a lock that
/// correctness needs. Given back when it ends, also by the end of the process.
class Claim {
public:
  Claim() = default;
  Claim(int descriptor, std::string path)
      : descriptor(descriptor), path(std::move(path)) {}
  Claim(Claim &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)),
        path(std::move(other.path)) {}
  Claim &operator=(Claim &&) = delete;
  ~Claim();

private:
  int descriptor = -1;
  std::string path;
};

/// Thread-safe.
class Store {
public:
  explicit Store(Settings settings);

  /// The entry of a key, from the own folder or a shared one.
  std::optional<Entry> find(const Key &key);
  void put(const Entry &entry);
  /// Waits while another process compiles the key, until `isDone` says that it
  /// has, or for two minutes at most.
  Claim claim(const Key &key, const std::function<bool()> &isDone);

  /// What is wrong with the folders, each thing once.
  std::vector<Problem> takeProblems();
  /// The folders that are in use, one's own first.
  std::vector<std::string> folders() const;

private:
  void note(const Problem &problem);
  bool prepareFolder();

  Settings settings;
  bool isUsable = true; // the own folder
  std::mutex mutex;
  std::vector<Problem> problems;
  std::set<std::string> noted;
};

} // namespace tilewright::driver::cache

#endif // TILEWRIGHT_FRONTEND_DRIVER_CACHE_STORE_H
