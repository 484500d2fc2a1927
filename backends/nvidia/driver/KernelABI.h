/*===- KernelABI.h - What NVIDIA code and its driver agree on -----*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The calling convention is that of backends/simt/driver/KernelABI.h; hidden */
/* first programs exist for the second and third axis. What is NVIDIA's own   */
/* are the names of payloads.                                                 */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_KERNELABI_H
#define TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_KERNELABI_H

#include "backends/simt/driver/KernelABI.h"

/* Payload formats. The compat text is "sm_90a;ptx90": the architecture and,
   for PTX, the version of the text. */
#define TW_NVIDIA_FORMAT_CUBIN "cubin"
#define TW_NVIDIA_FORMAT_PTX "ptx"

#endif /* TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_KERNELABI_H */
