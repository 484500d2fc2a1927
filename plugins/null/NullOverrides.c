/*===- NullOverrides.c - The smallest complete plugin: OVERRIDE ---*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Claims one high-level op for some types: the host then leaves softmax of   */
/* fp32 and fp16 tiles of rank 2 whole. A real plugin generates its own code  */
/* for the op, or links a library.                                            */
/*===----------------------------------------------------------------------===*/
#include "NullPlugin.h"

static const tw_override_record softmax = {sizeof(tw_override_record),
                                           0,
                                           {"softmax", 7},
                                           1, /* min_version */
                                           1, /* max_version */
                                           TW_OVERRIDE_WHOLE,
                                           0, /* priority */
                                           TW_NUMERICS_EXACT,
                                           0, /* ulp */
                                           (uint64_t)1 << TW_DTYPE_F32 |
                                               (uint64_t)1 << TW_DTYPE_F16,
                                           2, /* min_rank */
                                           2, /* max_rank */
                                           {"null:", 5},
                                           {NULL, 0}, /* symbol */
                                           {"null", 4},
                                           {NULL, 0}, /* content_hash */
                                           {NULL, 0}, /* predicate */
                                           NULL,      /* arguments */
                                           0};

static const tw_override_record *const records[] = {&softmax};

static int32_t listOverrides(tw_backend *backend, tw_str target,
                             const tw_override_record *const **list,
                             uint64_t *count) {
  (void)backend;
  (void)target;
  *list = records;
  *count = sizeof records / sizeof records[0];
  return TW_OK;
}

const tw_override_table nullOverrideTable = {
    sizeof(tw_override_table), 0, listOverrides, NULL, NULL, NULL};
