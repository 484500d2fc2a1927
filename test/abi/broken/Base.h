/*===- Base.h - A plugin with one fault ---------------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Each library of this folder is a plugin that works (the null plugin, or    */
/* the reference behind dlopen) with one rule of the kit broken: TWB is its   */
/* number. A family's file defines `breakTables`, which changes the copies of */
/* the tables, and may replace `breakAnswer`.                                 */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_TEST_ABI_BROKEN_BASE_H
#define TILEWRIGHT_TEST_ABI_BROKEN_BASE_H

#include "tilewright/plugin.h"

/* The plugin that works. */
int32_t baseEntry(const tw_host_offer *offer, tw_backend_answer *answer);
extern int32_t (*baseOpen)(const tw_backend_config *config,
                           tw_backend **backend);
extern tw_compile_table baseCompile, brokenCompile;
extern tw_runtime_table baseRuntime, brokenRuntime;
extern tw_launch_table baseLaunch, brokenLaunch;

/* Runs once, when the copies are made. */
void breakTables(void);
/* What the exported function does; the default asks `answerWithTables`. */
int32_t breakAnswer(const tw_host_offer *offer, tw_backend_answer *answer);
/* The base's answer with the broken tables in it. */
int32_t answerWithTables(const tw_host_offer *offer, tw_backend_answer *answer);
/* What `open` does instead; NULL: as the base. */
extern int32_t (*brokenOpen)(const tw_backend_config *config,
                             tw_backend **backend);

#endif /* TILEWRIGHT_TEST_ABI_BROKEN_BASE_H */
