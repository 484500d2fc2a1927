//===- Recording.cpp - Inputs and outputs of rows on disk -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bf16 and fp8 travel as u16 and u8, as in all .npy files of the command.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Recording.h"
#include "frontend/driver/tool/Failure.h"

#include "tilewright/base.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>

namespace tilewright::tool::verify {

static constexpr int kRecordVersion = 1;

std::string hashInputs(const std::string &source, const Row &row,
                       const Arguments &inputs) {
  std::string text = source;
  auto add = [&](const std::string &part) { text += '\0' + part; };
  add(row.kernel);
  add(row.grid);
  add(row.math);
  for (const std::string &option : row.options)
    add(option);
  add(inputs.signature());
  for (const Binding &binding : inputs.bindings()) {
    add(binding.name + "=" + std::to_string(binding.integer) + "/" +
        std::to_string(binding.number));
    if (binding.array)
      text.append(static_cast<const char *>(binding.array->data()),
                  binding.array->bytes());
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(llvm::xxh3_64bits(text)));
  return digits;
}

void requireSameShape(const std::string &name, const std::string &path,
                      Array &wanted, const Array &got) {
  bool isStorage =
      tw_dtype_bytes(wanted.dtype()) == tw_dtype_bytes(got.dtype()) &&
      (wanted.dtype() == TW_DTYPE_U16 || wanted.dtype() == TW_DTYPE_U8);
  if (wanted.shape() == got.shape() &&
      (wanted.dtype() == got.dtype() || isStorage)) {
    wanted.reinterpret(got.dtype());
    return;
  }
  auto describe = [](const Array &array) {
    std::string text = dtypeName(array.dtype()) + "[";
    for (size_t i = 0; i < array.shape().size(); ++i)
      text += (i ? "," : "") + std::to_string(array.shape()[i]);
    return text + "]";
  };
  throw Failure(7033,
                "expected " + describe(got) + " for '" + name + "' in '" +
                    path + "', got " + describe(wanted),
                "bf16 travels as u16 and fp8 as u8 in .npy files");
}

/// A target as a folder name: "cpu:znver4" -> "cpu_znver4".
static std::string folderName(std::string text) {
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        !std::strchr(".-_+@", c))
      c = '_';
  return text;
}

static void makeFolder(const std::string &path) {
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    throw Failure(7002, "cannot write '" + path + "': " + error.message());
}

/// Whether it is a whole record of these inputs.
static bool isRecordOf(const nlohmann::json &record, const Row &row) {
  return record.is_object() && record.contains("version") &&
         record["version"] == kRecordVersion && record.contains("inputs") &&
         record["inputs"] == row.inputs;
}

/// Arrays that a run of other inputs left here must not pass for results of
/// this one. Nothing but arrays, and folders that are empty then, is removed.
static void removeArrays(const std::string &rowFolder) {
  std::vector<std::string> folders, files;
  std::error_code error;
  llvm::sys::fs::directory_iterator end;
  for (llvm::sys::fs::directory_iterator it(rowFolder, error);
       it != end && !error; it.increment(error))
    if (llvm::sys::fs::is_directory(it->path()))
      folders.push_back(it->path());
  for (const std::string &folder : folders)
    for (llvm::sys::fs::directory_iterator it(folder, error);
         it != end && !error; it.increment(error))
      if (llvm::sys::path::extension(it->path()) == ".npy")
        files.push_back(it->path());
  for (const std::string &file : files)
    if (std::error_code failed = llvm::sys::fs::remove(file))
      throw Failure(7002, "cannot remove '" + file + "', which is of other " +
                              "inputs: " + failed.message());
  for (const std::string &folder : folders)
    llvm::sys::fs::remove(folder); // stays where it holds something else
}

void saveArrays(const std::string &folder, const Row &row,
                const Arguments &written, const std::string &target) {
  std::string rowFolder = folder + "/" + row.id;
  std::string place = rowFolder + "/" + folderName(target);
  std::string recordPath = rowFolder + "/row.json";
  if (llvm::sys::fs::is_directory(rowFolder) &&
      (!llvm::sys::fs::exists(recordPath) ||
       !isRecordOf(
           nlohmann::json::parse(readTextFile(recordPath), nullptr, false),
           row)))
    removeArrays(rowFolder);
  makeFolder(place);
  nlohmann::json record = {{"version", kRecordVersion},
                           {"inputs", row.inputs},
                           {"row", toJSON(row)}};
  writeFile(recordPath, record.dump(1) + "\n");
  for (const Binding &binding : written.bindings())
    if (binding.array)
      writeNpy(place + "/" + binding.name + ".npy", *binding.array);
}

/// Reads the record of a row; false where the folder has none.
static bool checkRecord(const std::string &path, const Row &row) {
  if (!llvm::sys::fs::exists(path))
    return false;
  nlohmann::json record =
      nlohmann::json::parse(readTextFile(path), nullptr, false);
  auto version = record.is_object() ? record.find("version") : record.end();
  auto inputs = record.is_object() ? record.find("inputs") : record.end();
  if (version == record.end() || inputs == record.end() ||
      *version != kRecordVersion || !inputs->is_string())
    throw Failure(7034,
                  "expected a record of version " +
                      std::to_string(kRecordVersion) + " in '" + path + "'",
                  "save the folder again with --save");
  if (*inputs != row.inputs)
    throw Failure(7034, "'" + path + "' is of other inputs or another source",
                  "both machines need the same kernel file, arguments, grid, "
                  "mode and options");
  return true;
}

void compareWithSaved(const std::string &folder, const Row &row,
                      const Arguments &written, const Tolerance &rule,
                      Cell &cell) {
  std::string rowFolder = folder + "/" + row.id;
  if (!checkRecord(rowFolder + "/row.json", row))
    throw Failure(7034,
                  "'" + folder + "' has nothing saved of '" + row.id + "'",
                  "run the same manifest with --save on the other machine");
  std::vector<std::string> targets;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(rowFolder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::fs::is_directory(it->path()))
      targets.push_back(llvm::sys::path::filename(it->path()).str());
  if (targets.empty())
    throw Failure(7034, "expected a folder of a target in '" + rowFolder + "'",
                  "save the folder again with --save");
  std::sort(targets.begin(), targets.end());
  for (const std::string &target : targets)
    for (const Binding &binding : written.bindings()) {
      std::string path = rowFolder + "/" + target + "/" + binding.name + ".npy";
      if (!binding.array)
        continue;
      if (!llvm::sys::fs::exists(path))
        throw Failure(7034, "expected the saved array '" + path + "'",
                      "save the folder again with --save");
      Array saved = readNpy(path);
      requireSameShape(binding.name, path, saved, *binding.array);
      Comparison comparison =
          compareArrays(binding.name, *binding.array, saved, rule);
      comparison.against = "saved " + target;
      cell.comparisons.push_back(comparison);
    }
}

} // namespace tilewright::tool::verify
