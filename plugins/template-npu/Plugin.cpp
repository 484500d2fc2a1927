//===- Plugin.cpp - The exported function -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negotiation, the backend object, and the vendor's own interface.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "NpuPlugin.h"

using namespace tilewright;
using namespace tilewright::npu;

static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  return host::keepInside([&]() -> int32_t {
    tw_backend_config config;
    if (int32_t status = tw_read_struct(&config, sizeof config, given))
      return status;
    if (int32_t refused = host::refuseOptions(config, 5016, "target npu",
                                              "remove the option"))
      return refused;
    *backend = new tw_backend{host::findPrinter(config)};
    return TW_OK;
  });
}

static void closeBackend(tw_backend *backend) { delete backend; }

static const void *getInterface(tw_str name, uint32_t version) {
  bool isCycles = tw_str_equal(name, tw_string(NPU_CYCLES_INTERFACE_NAME));
  return isCycles && version == 1 ? &cyclesInterface : nullptr;
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                   tw_backend_answer *answer) {
  tw_backend_answer mine = {};
  mine.profiles = TW_PROFILE_COMPILE | TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH;
  mine.vendor = tw_string(kVendor);
  mine.name =
      tw_string("A simulated accelerator: scratchpad, DMA, matrix unit");
  mine.build_id = tw_string(kBuildId);
  mine.portable_min = TW_PORTABLE_OLDEST;
  mine.portable_max = TW_PORTABLE_NEWEST;
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.compile = &compileTable;
  mine.runtime = &runtimeTable;
  mine.launch = &launchTable;
  mine.get_interface = getInterface;
  return host::answerOffer(offer, mine, answer);
}
