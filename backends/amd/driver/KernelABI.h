/*===- KernelABI.h - What AMD code and its driver agree on --------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The calling convention is that of backends/simt/driver/KernelABI.h; hidden */
/* first programs exist for all three axes. What is AMD's own is the payload. */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_BACKENDS_AMD_DRIVER_KERNELABI_H
#define TILEWRIGHT_BACKENDS_AMD_DRIVER_KERNELABI_H

#include "backends/simt/driver/KernelABI.h"

/* The payload is a code object, which hipModuleLoadData takes. The compat text
   is its target id, "gfx942" or "gfx90a:sramecc+:xnack-". */
#define TW_AMD_FORMAT_HSACO "hsaco"

#endif /* TILEWRIGHT_BACKENDS_AMD_DRIVER_KERNELABI_H */
