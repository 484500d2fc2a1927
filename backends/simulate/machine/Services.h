//===- Services.h - Functions that lanes call -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The services of Services.def. None returns into a lane whose launch has
// failed by a finding of the machine: the lane stays where it is.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_SERVICES_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_SERVICES_H

#include "backends/simulate/machine/Block.h"

namespace tilewright::simulate::services {

/// What an access does; `Atomic` may meet others of its kind.
enum Access : uint32_t { Read = 0, Write = 1, Atomic = 2 };

/// `spaces` are simt::Spaces: which memory it orders.
void barrier(Lane *lane, uint32_t spaces, uint32_t site,
             const CodePlace *place);
uint64_t shuffle(Lane *lane, uint64_t value, uint32_t from, uint32_t site,
                 const CodePlace *place);
uint64_t ballot(Lane *lane, uint32_t predicate, uint32_t site,
                const CodePlace *place);
void matrix(Lane *lane, const MatrixShape *shape, const void *lhs,
            const void *rhs, const void *accumulator, void *result,
            uint32_t site, const CodePlace *place);
void matrix_load(Lane *lane, const char *row, uint32_t matrices,
                 uint32_t isTransposed, uint32_t *words, uint32_t site,
                 const CodePlace *place);

/// What all lanes of the warp have the same of; lanes do not wait for others.
uint64_t uniform(Lane *lane, uint64_t value, uint32_t site,
                 const CodePlace *place);

void access_shared(Lane *lane, const char *address, uint32_t bytes,
                   uint32_t alignment, uint32_t access, const CodePlace *place);
void access_global(Lane *lane, const char *address, uint32_t bytes,
                   uint32_t alignment, uint32_t access, const CodePlace *place);
void copy(Lane *lane, char *shared, const char *global, uint32_t bytes,
          uint32_t predicate, const CodePlace *place);
void commit(Lane *lane);
/// Until so many groups, or copies, are under way at most.
void wait(Lane *lane, uint32_t pending);
void wait_copies(Lane *lane, uint32_t pending);
/// Bytes at an offset of a raw buffer: outside of it they are 0, or not
/// written.
void buffer_load(Lane *lane, const Buffer *buffer, uint32_t offset,
                 uint32_t bytes, void *to, const CodePlace *place);
void buffer_store(Lane *lane, const Buffer *buffer, uint32_t offset,
                  uint32_t bytes, const void *from, const CodePlace *place);

uint32_t source_lane(Lane *lane, uint32_t kind, uint64_t control);
void print(Lane *lane, const char *format, ...);
void fail(Lane *lane, uint32_t code, const char *message, const char *file,
          uint32_t line);
uint64_t clock(Lane *lane, uint32_t isGlobalTimer);
double math64(Lane *lane, uint32_t function, double a, double b);

} // namespace tilewright::simulate::services

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_SERVICES_H
