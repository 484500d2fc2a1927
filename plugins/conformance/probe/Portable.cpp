//===- Portable.cpp - Rule TWB-518 ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Golden files of tw.portable take the place of the IR in the kit's requests.
//===----------------------------------------------------------------------===//
#include "tilewright/portable.h"
#include "plugins/conformance/probe/Probe.h"

#include <algorithm>
#include <fstream>

namespace tilewright::conformance {

static std::string readGolden(const Session &session, uint32_t version,
                              const Case &entry) {
  std::ifstream file(session.settings.golden + "/" + std::to_string(version) +
                         "/" + entry.name + ".tw",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<CheckEntry> portableChecks = {
    {518,
     [](Session &session) {
       const plugins::Agreement &info = session.compiler().info();
       uint32_t newest =
           std::min<uint32_t>(info.portableMax, TW_PORTABLE_NEWEST);
       if (newest == 0)
         throw Skipped("it reads no version of tw.portable");
       unsigned count = 0;
       for (uint32_t version = std::max(info.portableMin, 1u);
            version <= newest; ++version)
         for (const Case &entry : session.settings.cases) {
           std::string golden = readGolden(session, version, entry);
           if (golden.empty() || entry.request.empty())
             continue;
           Compiled compiled =
               session.compile(entry, [&](tw_compile_request &request) {
                 request.ir_format = tw_string("tw.portable");
                 request.ir_version = version;
                 request.ir = {golden.data(), golden.size()};
               });
           expect(compiled.status == TW_OK,
                  "version " + std::to_string(version) + " of '" + entry.name +
                      "' gives status " + std::to_string(compiled.status) +
                      " " + compiled.firstError);
           expect(!compiled.records.empty(),
                  "'" + entry.name + "' has no kernel record");
           ++count;
         }
       if (count == 0)
         throw Skipped("no golden file is for a kernel that it compiles");
       return std::to_string(count) + " files";
     }},
};

} // namespace tilewright::conformance
