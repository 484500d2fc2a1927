//===- FatalErrorTest.cpp - LLVM's fatal errors do not end the process -===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guard, called directly: no request is known that makes LLVM give up.
//===----------------------------------------------------------------------===//
#include "backends/common/FatalErrorGuard.h"

#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>
#include <new>

namespace tilewright::backend {
namespace {

TEST(FatalError, WorkThatEndsHasNoMessage) {
  bool isDone = false;
  EXPECT_EQ(runGuarded([&] { isDone = true; }), std::nullopt);
  EXPECT_TRUE(isDone);
}

TEST(FatalError, BecomesAMessage) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(runGuarded([] { llvm::report_fatal_error("cannot select"); }),
              "cannot select");
  EXPECT_EQ(runGuarded([] {}), std::nullopt) << "later work is not affected";
}

TEST(FatalError, OutOfMemoryBecomesAMessage) {
  EXPECT_EQ(runGuarded([] { throw std::bad_alloc(); }), "out of memory");
}

} // namespace
} // namespace tilewright::backend
