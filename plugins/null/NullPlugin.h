/*===- NullPlugin.h - The null plugin's tables --------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* What the files of this plugin share. See README.md for how to copy it.     */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_PLUGINS_NULL_NULLPLUGIN_H
#define TILEWRIGHT_PLUGINS_NULL_NULLPLUGIN_H

#include "tilewright/plugin.h"

/* The one payload format that this plugin writes and loads. */
#define NULL_PAYLOAD_FORMAT "null"
#define NULL_COMPAT "null-1"

/* The plugin's state: whatever the host lends. Never global. */
struct tw_backend {
  const tw_host_services *services;
};

extern const tw_compile_table nullCompileTable;
extern const tw_runtime_table nullRuntimeTable;
extern const tw_launch_table nullLaunchTable;
extern const tw_override_table nullOverrideTable;

/* Zeroed memory from the host, or NULL. */
void *nullAllocate(tw_backend *backend, uint64_t bytes);

/* Answers the capability questions that hold for device and target alike. */
void nullAnswer(tw_capability *caps, uint64_t count);

#endif /* TILEWRIGHT_PLUGINS_NULL_NULLPLUGIN_H */
