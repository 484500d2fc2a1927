//===- Reproducer.cpp - A compile request as a file -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight bytes of magic, then the form of Wire.h.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Reproducer.h"

#include <cstdlib>
#include <unistd.h>

namespace tilewright::worker {

static constexpr std::string_view magic = "TWREQ\0\1\n";

std::string Reproducer::write(const std::string &pluginPath,
                              const tw_option *options, uint64_t optionCount,
                              const tw_compile_request &request) {
  std::string bytes(magic.data(), 8);
  Encoder encoder(bytes);
  std::string path = pluginPath;
  tw_compile_request copy = request;
  encoder.string(path);
  encoder.array(options, optionCount);
  visit(encoder, copy);
  return bytes;
}

Reproducer::Reproducer(std::string given)
    : bytes(std::move(given)), decoder(std::string_view(bytes).substr(
                                   std::min<size_t>(8, bytes.size()))) {}

std::unique_ptr<Reproducer> Reproducer::read(std::string bytes,
                                             Problem &problem) {
  bool isOne =
      std::string_view(bytes).substr(0, 8) == std::string_view(magic.data(), 8);
  std::unique_ptr<Reproducer> result(new Reproducer(std::move(bytes)));
  if (isOne) {
    result->decoder.string(result->pluginPath);
    result->decoder.array(result->options, result->optionCount);
    visit(result->decoder, result->request);
  }
  if (isOne && result->decoder.atEnd())
    return result;
  problem.set(TW_E_DATA_LOSS, 5026,
              isOne ? "the saved request is truncated or of another build"
                    : "expected a saved compile request",
              "compile again with the option that saved it, or with "
              "--emit=request");
  return nullptr;
}

std::string keepReproducer(const std::string &folder, const std::string &vendor,
                           const std::string &content) {
  std::string path = folder + "/tilewright-" + vendor + "-XXXXXX.twrequest";
  int file = mkstemps(path.data(), 10);
  if (file < 0)
    return {};
  bool isWritten =
      ::write(file, content.data(), content.size()) == ssize_t(content.size());
  close(file);
  if (isWritten)
    return path;
  unlink(path.c_str());
  return {};
}

} // namespace tilewright::worker
