/*===- CyclesInterface.h - Cycles of a launch ---------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* An extension of the plugin interface: hosts ask the plugin's answer for it */
/* by name, get_interface("org.tilewright.npu.cycles", 1).                    */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_NPU_CYCLESINTERFACE_H
#define TILEWRIGHT_NPU_CYCLESINTERFACE_H

#include "tilewright/plugin.h"

#define NPU_CYCLES_INTERFACE_NAME "org.tilewright.npu.cycles"

/* Of all programs of a launch: in all, and at work. The DMA engine works beside
   the other units. */
typedef struct npu_cycles {
  uint64_t total;
  uint64_t scalar;
  uint64_t vector;
  uint64_t matrix;
  uint64_t dma;
} npu_cycles;

typedef struct npu_cycles_interface {
  uint32_t size;
  uint32_t flags;
  /* Of the last launch on a stream of this plugin. */
  int32_t (*last_launch)(tw_stream *stream, npu_cycles *out);
} npu_cycles_interface;

#endif /* TILEWRIGHT_NPU_CYCLESINTERFACE_H */
