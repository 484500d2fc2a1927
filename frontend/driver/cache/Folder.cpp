//===- Folder.cpp - Listing and tidying a cache folder ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `tilewright cache` does to a folder; safe beside processes that use it.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/Store.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <ctime>

namespace tilewright::driver::cache {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::vector<StoredFile> listFiles(const std::string &folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder + "/v1", error), end;
       it != end && !error; it.increment(error)) {
    llvm::StringRef file = it->path(), name = path::stem(file);
    fs::file_status status;
    if (path::extension(file) != ".twc" || name.size() != nameDigits ||
        fs::status(file, status) || !fs::is_regular_file(status))
      continue;
    files.push_back({file.str(), name.str(), status.getSize(),
                     llvm::sys::toTimeT(status.getLastModificationTime())});
  }
  llvm::sort(files, [](const StoredFile &a, const StoredFile &b) {
    return a.name < b.name;
  });
  return files;
}

/// Removes files that nobody has written to for an hour.
static void removeLeftOver(const std::string &folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    fs::file_status status;
    if (!fs::status(it->path(), status) && fs::is_regular_file(status) &&
        std::time(nullptr) -
                llvm::sys::toTimeT(status.getLastModificationTime()) >
            3600)
      fs::remove(it->path());
  }
}

Collected collect(const std::string &folder, uint64_t maxBytes,
                  uint64_t maxAgeSeconds) {
  removeLeftOver(folder + "/v1/writing");
  removeLeftOver(folder + "/v1/claims");
  std::vector<StoredFile> files = listFiles(folder);
  llvm::sort(files, [](const StoredFile &a, const StoredFile &b) {
    return std::tie(a.usedSeconds, a.name) < std::tie(b.usedSeconds, b.name);
  });
  uint64_t total = 0;
  for (const StoredFile &file : files)
    total += file.bytes;
  Collected done;
  int64_t now = std::time(nullptr);
  for (const StoredFile &file : files) {
    bool isOld =
        maxAgeSeconds && now - file.usedSeconds > int64_t(maxAgeSeconds);
    if (!isOld && !(maxBytes && total > maxBytes))
      break; // all that follow were used later
    total -= file.bytes;
    if (fs::remove(file.path))
      done.kept.push_back(file.path);
    else
      ++done.removed;
  }
  return done;
}

} // namespace tilewright::driver::cache
