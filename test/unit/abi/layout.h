/*===- layout.h - The recorded layout as assertions ---------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Compiled as C11, C++98 and C++17: every interface header, and each number  */
/* of plugins/abi/0.9/layout.def. Arrays of negative size stand in for static */
/* assertions, which C++98 lacks.                                             */
/*===----------------------------------------------------------------------===*/
#include "backends/cpu/driver/KernelABI.h"
#include "backends/simt/driver/KernelABI.h"
#include "tilewright/artifact.h"
#include "tilewright/compiler.h"
#include "tilewright/expression.h"
#include "tilewright/extensions.h"
#include "tilewright/plugin.h"
#include "tilewright/runtime.h"

#include <stddef.h>

#define TW_LAYOUT_SIZE(type, bytes)                                            \
  typedef char layout_size_##type[sizeof(struct type) == (bytes) ? 1 : -1];
#define TW_LAYOUT_FIELD(type, field, offset, bytes)                            \
  typedef char                                                                 \
      layout_##type##_##field[offsetof(struct type, field) == (offset) &&      \
                                      sizeof(((struct type *)0)->field) ==     \
                                          (bytes)                              \
                                  ? 1                                          \
                                  : -1];
#include "plugins/abi/0.9/layout.def"
