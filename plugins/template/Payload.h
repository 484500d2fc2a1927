//===- Payload.h - The bytes of an artifact's payload -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library behind a mark, its size and a checksum, so that a cut or damaged
// file is refused before the dynamic loader sees it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEMPLATE_PAYLOAD_H
#define TILEWRIGHT_TEMPLATE_PAYLOAD_H

#include "KernelABI.h"

#include <cstring>
#include <string>
#include <string_view>

namespace tilewright::template_ {

struct PayloadHead {
  char mark[8]; ///< "TWTMPL", then TEMPLATE_ABI
  uint64_t bytes;
  uint64_t checksum; ///< FNV-1a of the library
};

inline PayloadHead headOf(std::string_view library) {
  PayloadHead head = {{'T', 'W', 'T', 'M', 'P', 'L', 0, TEMPLATE_ABI},
                      library.size(),
                      0xcbf29ce484222325ull};
  for (unsigned char byte : library)
    head.checksum = (head.checksum ^ byte) * 0x100000001b3ull;
  return head;
}

inline std::string sealPayload(const std::string &library) {
  PayloadHead head = headOf(library);
  return std::string(reinterpret_cast<const char *>(&head), sizeof head) +
         library;
}

/// The library of a payload; empty if it is none or not whole.
inline std::string_view openPayload(std::string_view payload) {
  if (payload.size() <= sizeof(PayloadHead))
    return {};
  std::string_view library = payload.substr(sizeof(PayloadHead));
  PayloadHead head = headOf(library);
  return std::memcmp(&head, payload.data(), sizeof head) == 0
             ? library
             : std::string_view();
}

} // namespace tilewright::template_

#endif // TILEWRIGHT_TEMPLATE_PAYLOAD_H
