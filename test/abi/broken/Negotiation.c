/*===- Negotiation.c - Plugins that break a rule TWB-2xx ----------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* One fault in the answer or in `open`.                                      */
/*===----------------------------------------------------------------------===*/
#include "Base.h"

#include <stdatomic.h>

/* A copy of this binary's size: what stands behind it is not looked at. */
static tw_host_offer cut(const tw_host_offer *offer) {
  tw_host_offer copy = *offer;
  copy.size = (uint32_t)sizeof copy;
  return copy;
}

int32_t breakAnswer(const tw_host_offer *given, tw_backend_answer *answer) {
  const uint32_t oldest = TW_ABI_VERSION(0, 1), newest = TW_ABI_VERSION(0, 9);
  tw_host_offer offer = cut(given);
  const tw_host_offer *passed = given;
  uint32_t version = 0;
  int32_t status;
  (void)oldest;
  (void)newest;
  (void)offer;
#if TWB == 202
  if (given->min_version > newest) {
    offer.min_version = oldest;
    version = given->max_version;
    passed = &offer;
  }
#elif TWB == 203
  if (given->max_version < oldest) {
    offer.max_version = newest;
    version = given->max_version;
    passed = &offer;
  }
#elif TWB == 204
  if (given->max_version >= oldest && given->max_version < newest) {
    offer.max_version = newest;
    version = newest;
    passed = &offer;
  }
#elif TWB == 205
  passed = &offer;
#elif TWB == 207
  offer.magic = TW_OFFER_MAGIC;
  if (given->size == sizeof offer)
    passed = &offer;
#endif
#if TWB == 206
  tw_backend_answer whole;
  memset(&whole, 0, sizeof whole);
  whole.size = (uint32_t)sizeof whole;
  status = answerWithTables(passed, &whole);
  whole.size = answer->size;
  *answer = whole;
#else
  status = answerWithTables(passed, answer);
#endif
  if (status == TW_OK && version)
    answer->version = version;
#if TWB == 201
  if (status == TW_OK && answer->size >= sizeof *answer)
    answer->overrides = NULL;
#elif TWB == 208
  static atomic_uint calls;
  if (status == TW_OK && atomic_fetch_add(&calls, 1) % 2)
    answer->flags = 0;
#endif
  return status;
}

#if TWB == 209 || TWB == 210 || TWB == 211
static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  tw_backend_config config = *given;
  (void)config;
#if TWB == 209
  if (given->option_count &&
      !(given->options[0].flags & TW_OPTION_MUST_UNDERSTAND))
    return TW_E_INVALID_ARGUMENT;
#elif TWB == 210
  if (given->option_count) {
    config.size = (uint32_t)sizeof config;
    config.option_count = 0;
    return baseOpen(&config, backend);
  }
#elif TWB == 211
  config.size = (uint32_t)sizeof config;
  return baseOpen(&config, backend);
#endif
  return baseOpen(given, backend);
}
#endif

void breakTables(void) {
#if TWB == 209 || TWB == 210 || TWB == 211
  brokenOpen = openBackend;
#endif
}
