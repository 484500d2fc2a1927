//===- Services.cpp - Functions that lanes call -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each runs on the stack of its lane.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Services.h"

#include "backends/common/host/Math64.h"
#include "backends/simulate/machine/Codes.h"
#include "backends/simulate/machine/Permutations.h"
#include "tilewright/sdk/HostRuntime.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace tilewright::simulate::services {

//===--- Meetings ---------------------------------------------------------===//

void barrier(Lane *lane, uint32_t spaces, uint32_t site,
             const CodePlace *place) {
  lane->value = spaces;
  lane->meet(Meeting::Barrier, site, place);
}

uint64_t shuffle(Lane *lane, uint64_t value, uint32_t from, uint32_t site,
                 const CodePlace *place) {
  lane->value = value;
  lane->from = from;
  lane->meet(Meeting::Shuffle, site, place);
  return lane->value;
}

uint64_t ballot(Lane *lane, uint32_t predicate, uint32_t site,
                const CodePlace *place) {
  lane->value = predicate;
  lane->meet(Meeting::Ballot, site, place);
  return lane->value;
}

void matrix(Lane *lane, const MatrixShape *shape, const void *lhs,
            const void *rhs, const void *accumulator, void *result,
            uint32_t site, const CodePlace *place) {
  lane->shape = shape;
  lane->lhs = static_cast<const char *>(lhs);
  lane->rhs = static_cast<const char *>(rhs);
  lane->accumulator = static_cast<const char *>(accumulator);
  lane->result = static_cast<char *>(result);
  lane->meet(Meeting::Matrix, site, place);
}

void matrix_load(Lane *lane, const char *row, uint32_t matrices,
                 uint32_t isTransposed, uint32_t *words, uint32_t site,
                 const CodePlace *place) {
  lane->row = row;
  lane->matrices = matrices;
  lane->isTransposed = isTransposed;
  lane->words = words;
  lane->meet(Meeting::MatrixLoad, site, place);
}

/// The lanes' values of one execution are compared as they come; which one that
/// is, each lane counts.
uint64_t uniform(Lane *lane, uint64_t value, uint32_t site,
                 const CodePlace *place) {
  lane->place = place;
  uint32_t warp = lane->thread / lane->block->launch->warpLanes;
  std::vector<uint64_t> &seen = lane->block->uniforms[{warp, site}];
  uint32_t execution = lane->executions[site]++;
  if (execution == seen.size())
    seen.push_back(value);
  else if (seen[execution] != value)
    lane->stop({kFragment, "thread " + std::to_string(lane->thread) + " has " +
                               std::to_string(value) + " where others have " +
                               std::to_string(seen[execution]) +
                               ", and an instruction reads one for all lanes"});
  return value;
}

//===--- Memory -----------------------------------------------------------===//

void access_shared(Lane *lane, const char *address, uint32_t bytes,
                   uint32_t alignment, uint32_t access,
                   const CodePlace *place) {
  lane->place = place;
  if (Finding finding = lane->block->shared.access(
          {lane->thread, access, place}, address, bytes, alignment))
    lane->stop(finding);
}

void access_global(Lane *lane, const char *address, uint32_t bytes,
                   uint32_t alignment, uint32_t access,
                   const CodePlace *place) {
  lane->place = place;
  if (Finding finding = lane->block->global.access(
          {lane->thread, access, place}, address, bytes, alignment))
    lane->stop(finding);
}

void copy(Lane *lane, char *shared, const char *global, uint32_t bytes,
          uint32_t predicate, const CodePlace *place) {
  lane->place = place;
  if (Finding finding = lane->block->shared.startCopy(
          {lane->thread, Write, place}, shared, bytes))
    lane->stop(finding);
  if (predicate)
    access_global(lane, global, bytes, bytes, Read, place);
  lane->copies.push_back(
      {shared, global, bytes, lane->group, !predicate, place});
}

void commit(Lane *lane) { ++lane->group; }

/// Copies land here, as late as they may.
static void landFirst(Lane *lane) {
  const PendingCopy &copy = lane->copies.front();
  if (copy.isZero)
    std::memset(copy.shared, 0, copy.bytes);
  else
    std::memcpy(copy.shared, copy.global, copy.bytes);
  lane->block->shared.landCopy({lane->thread, Write, copy.place}, copy.shared,
                               copy.bytes);
  lane->copies.pop_front();
}

void wait(Lane *lane, uint32_t pending) {
  while (!lane->copies.empty() &&
         lane->copies.front().group + pending < lane->group)
    landFirst(lane);
}

void wait_copies(Lane *lane, uint32_t pending) {
  while (lane->copies.size() > pending)
    landFirst(lane);
}

/// Words of 4 bytes or less are aligned to their size, longer ones to 4.
static bool reach(Lane *lane, const Buffer *buffer, uint32_t offset,
                  uint32_t bytes, uint32_t access, const CodePlace *place) {
  if (uint64_t(offset) + bytes > buffer->bytes)
    return false;
  access_global(lane, buffer->base + offset, bytes, std::min(bytes, 4u), access,
                place);
  return true;
}

void buffer_load(Lane *lane, const Buffer *buffer, uint32_t offset,
                 uint32_t bytes, void *to, const CodePlace *place) {
  if (reach(lane, buffer, offset, bytes, Read, place))
    std::memcpy(to, buffer->base + offset, bytes);
  else
    std::memset(to, 0, bytes);
}

void buffer_store(Lane *lane, const Buffer *buffer, uint32_t offset,
                  uint32_t bytes, const void *from, const CodePlace *place) {
  if (reach(lane, buffer, offset, bytes, Write, place))
    std::memcpy(buffer->base + offset, from, bytes);
}

uint32_t source_lane(Lane *lane, uint32_t kind, uint64_t control) {
  uint32_t lanes = lane->block->launch->warpLanes;
  return sourceLane(kind, control, lane->thread % lanes, lanes);
}

//===--- The host ---------------------------------------------------------===//

void print(Lane *lane, const char *format, ...) {
  va_list values;
  va_start(values, format);
  char line[4096];
  int length = std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length > 0 && lane->block->launch->print)
    lane->block->launch->print(
        line, std::min<uint64_t>(uint64_t(length), sizeof line - 1));
}

void fail(Lane *lane, uint32_t code, const char *message, const char *file,
          uint32_t line) {
  lane->block->launch->fail(code, message, file, line);
}

uint64_t clock(Lane *, uint32_t) { return host::monotonicNanoseconds(); }

double math64(Lane *, uint32_t function, double a, double b) {
  return host::evaluateMath64(function, a, b);
}

} // namespace tilewright::simulate::services
