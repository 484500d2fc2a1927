//===- MappingText.cpp - The mapping to threads as text -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One section a topic; lines of accesses begin with the user's place.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/MappingText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tilewright::tool {

using Json = nlohmann::json;

static std::string number(const Json &object, const char *key) {
  return std::to_string(object.value(key, int64_t(0)));
}

/// "soft.py:7:9", or "-" where nothing is known.
static std::string place(const Json &object) {
  if (!object.contains("line"))
    return "-";
  std::filesystem::path file = object.value("file", "");
  return file.filename().string() + ":" + number(object, "line") + ":" +
         number(object, "column");
}

/// "4x256xf32".
static std::string shape(const Json &object) {
  std::string text;
  for (int64_t extent : object["shape"])
    text += std::to_string(extent) + "x";
  return text + object.value("element", "");
}

static std::string plural(int64_t count, const char *noun, const char *end) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : end);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static std::string renderGrid(const Json &grid) {
  size_t width = 0;
  for (const Json &row : grid["cells"])
    for (const std::string cell : row)
      width = std::max(width, cell.size());
  std::string text;
  for (const Json &row : grid["cells"]) {
    text += "   ";
    for (const std::string cell : row)
      text += " " + cell + std::string(width - cell.size(), ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  if (!grid["whole"])
    text += "    ... of " + number(grid, "rows") + " rows, " +
            number(grid, "columns") + " columns\n";
  return text;
}

static std::string renderLayout(const Json &layout) {
  Json shaped = layout;
  shaped["element"] = "";
  std::string extents = shape(shaped);
  extents.erase(extents.find_last_not_of('x') + 1);
  std::string text = "  L" + number(layout, "id") + ": " + extents + ", " +
                     plural(layout["registers"], "register", "s") +
                     " a thread, each element in " +
                     plural(layout["copies"], "place", "s") + "\n";
  for (const std::string rule : layout["rule"])
    text += "    " + rule + "\n";
  return text + renderGrid(layout["grid"]);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static std::string renderGlobal(const Json &access, const Json &kernel) {
  std::string text =
      "  " + place(access) + " " + access.value("operation", "") + " " +
      shape(access) + (access["write"] ? ": writes " : ": reads ") +
      number(access, "bytes_per_thread") + " bytes a thread at once";
  if (access.contains("instructions"))
    text += ", " + plural(access["instructions"], "time", "s");
  if (access.contains("sectors"))
    text += "; a warp meets " + plural(access["sectors"], "sector", "s") +
            " of " + number(kernel, "sector_bytes") + " bytes, " +
            number(access, "fewest_sectors") + " would hold it";
  text += "\n";
  if (access.contains("limit"))
    text += "    not wider: " + access.value("limit", "") + "\n";
  return text;
}

static std::string renderShared(const Json &access, const Json &kernel) {
  return "  " + place(access) + " " + access.value("operation", "") +
         (access["write"] ? ": writes " : ": reads ") +
         number(access, "bytes_per_thread") + " bytes a thread in " +
         plural(access["passes"], "pass", "es") + " over " +
         number(kernel, "banks") + " banks, " +
         number(access, "fewest_passes") + " would do\n";
}

static std::string renderKernel(const Json &kernel) {
  std::string text =
      kernel.value("kernel", "") + ": " + plural(kernel["warps"], "warp", "s") +
      " of " + plural(kernel["lanes"], "thread", "s") + ", " +
      number(kernel, "shared_bytes") + " of " + number(kernel, "shared_limit") +
      " bytes of shared memory, about " + number(kernel, "registers_estimate") +
      " of " + number(kernel, "registers_limit") + " registers for tensors\n";
  text += "layouts (warp.lane:register of the first place of an element)\n";
  for (const Json &layout : kernel["layouts"])
    text += renderLayout(layout);
  text += "tensors\n";
  for (const Json &tensor : kernel["tensors"])
    text += "  " + place(tensor) + " " + tensor.value("operation", "") + " " +
            shape(tensor) + " L" + number(tensor, "layout") + "\n";
  text += "global memory\n";
  for (const Json &access : kernel["global"])
    text += renderGlobal(access, kernel);
  text += "shared memory\n";
  for (const Json &access : kernel["shared"])
    text += renderShared(access, kernel);
  for (const Json &buffer : kernel["buffers"])
    text += "  " + place(buffer) + " " + buffer.value("operation", "") +
            ": uses " + number(buffer, "bytes") + " bytes from " +
            number(buffer, "offset") + " on\n";
  return text;
}

std::string renderMapping(const std::string &json) {
  Json report = Json::parse(json);
  std::string text = report.value("target", "") + "\n";
  for (const Json &kernel : report["kernels"])
    text += renderKernel(kernel);
  return text;
}

//===----------------------------------------------------------------------===//
// Fits
//===----------------------------------------------------------------------===//

static std::string renderAlternative(const Json &alternative) {
  std::string text;
  for (const char *kind : {"constants", "options"})
    for (const auto &[name, value] : alternative[kind].items())
      text += (text.empty() ? "" : ", ") + name + "=" + value.dump();
  return "  fits with " + text + "\n";
}

std::string renderFit(const std::string &json) {
  Json answer = Json::parse(json);
  std::string text = answer.value("target", "") + ": " +
                     (answer["fits"] ? "fits" : "does not fit") + "\n";
  for (const Json &kernel : answer.value("kernels", Json::array()))
    text += "  " + kernel.value("kernel", "") + ": " +
            number(kernel, "shared_bytes") + " of " +
            number(kernel, "shared_limit") + " bytes of shared memory, about " +
            number(kernel, "registers_estimate") + " of " +
            number(kernel, "registers_limit") + " registers for tensors\n";
  for (const Json &reason : answer["reasons"]) {
    text += "  " + place(reason) + " " + reason.value("code", "") + ": " +
            reason.value("message", "") + "\n";
    for (const Json &note : reason["notes"])
      text += "    " + place(note) + " " + note.value("message", "") + "\n";
    if (reason.contains("hint"))
      text += "    " + reason.value("hint", "") + "\n";
  }
  for (const Json &alternative : answer.value("alternatives", Json::array()))
    text += renderAlternative(alternative);
  return text;
}

} // namespace tilewright::tool
