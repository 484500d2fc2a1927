//===- Numerics.cpp - Rules TWB-6xx -----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every case of the kit against what the reference wrote for it. Integers and
// exact float operations agree in every bit; the others within the case's
// units of the largest result.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <cmath>
#include <cstring>
#include <fstream>

namespace tilewright::conformance {

double realAt(const std::string &bytes, uint32_t dtype, uint64_t index) {
  const char *at = bytes.data() + index * tw_dtype_bytes(dtype);
  auto read = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (dtype) {
  case TW_DTYPE_F64:
    return read(double());
  case TW_DTYPE_F32:
    return read(float());
  case TW_DTYPE_F16:
    return double(read(_Float16()));
  case TW_DTYPE_BF16: {
    uint32_t bits = uint32_t(read(uint16_t())) << 16;
    float single;
    std::memcpy(&single, &bits, sizeof single);
    return single;
  }
  default: {
    int64_t value = 0;
    std::memcpy(&value, at, tw_dtype_bytes(dtype));
    return double(value);
  }
  }
}

static double unitOf(uint32_t dtype) {
  return dtype == TW_DTYPE_F16    ? 0x1p-10
         : dtype == TW_DTYPE_BF16 ? 0x1p-7
         : dtype == TW_DTYPE_F64  ? 0x1p-52
                                  : 0x1p-23;
}

/// The first element that differs by more than allowed, or -1.
static int64_t firstDifference(const std::string &got,
                               const std::string &wanted, uint32_t dtype,
                               uint32_t ulps) {
  if (got == wanted)
    return -1;
  uint64_t count = wanted.size() / tw_dtype_bytes(dtype);
  bool isReal = dtype >= TW_DTYPE_F16 && dtype <= TW_DTYPE_F64;
  double largest = 0;
  for (uint64_t i = 0; i < count && isReal; ++i)
    largest = std::max(largest, std::abs(realAt(wanted, dtype, i)));
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t at = i * tw_dtype_bytes(dtype);
    if (!got.compare(at, tw_dtype_bytes(dtype), wanted, at,
                     tw_dtype_bytes(dtype)))
      continue;
    double a = realAt(got, dtype, i), b = realAt(wanted, dtype, i);
    if (isReal && ((std::isnan(a) && std::isnan(b)) || a == b ||
                   std::abs(a - b) <= ulps * unitOf(dtype) * largest))
      continue;
    return int64_t(i);
  }
  return -1;
}

namespace {
/// What the cases showed, for both rules.
struct Account {
  unsigned ran = 0;
  std::string values; // the first difference
  std::string writes; // the first write outside
  std::string skipped;
  std::string uncompared; // the reference gave nothing
};
} // namespace

static std::string fileOf(const Settings &settings, const Case &entry,
                          size_t array) {
  return settings.expected + "/" + entry.name + "." + std::to_string(array);
}

static void examine(Session &session, const Case &entry, Account &account) {
  Launch launch(session, entry);
  size_t arrays = 0;
  for (const CaseArgument &argument : entry.arguments)
    arrays += argument.count != 0;
  expect(launch.arrays.size() == arrays,
         "the record of '" + entry.name + "' has " +
             std::to_string(launch.arrays.size()) +
             " arrays as arguments, the kernel " + std::to_string(arrays));
  int32_t status = launch.run(session.stream(), nullptr, &entry.grid);
  expect(status == TW_OK,
         "launch of '" + entry.name + "' returned " + std::to_string(status));
  launch.finish(session.stream());
  ++account.ran;
  for (size_t i = 0; i < launch.arrays.size(); ++i) {
    const Launch::Array &array = launch.arrays[i];
    bool isTouched = !array.isOutput && array.after != array.given;
    if ((isTouched || !array.guardsAreIntact()) && account.writes.empty())
      account.writes = "'" + entry.name + "' wrote " +
                       (isTouched ? "to an array that it only reads, number "
                                  : "outside of array number ") +
                       std::to_string(i);
    if (!array.isOutput)
      continue;
    if (session.settings.writesExpected) {
      std::ofstream(fileOf(session.settings, entry, i), std::ios::binary)
          << array.content();
      continue;
    }
    std::ifstream file(fileOf(session.settings, entry, i), std::ios::binary);
    std::string wanted{std::istreambuf_iterator<char>(file), {}};
    if (wanted.empty()) {
      account.uncompared +=
          (account.uncompared.empty() ? "" : ", ") + entry.name;
      continue;
    }
    std::string got = array.content();
    int64_t at = firstDifference(got, wanted, array.dtype, entry.ulps);
    if (at >= 0 && account.values.empty())
      account.values = "'" + entry.name + "', array " + std::to_string(i) +
                       ", element " + std::to_string(at) + ": expected " +
                       std::to_string(realAt(wanted, array.dtype, at)) +
                       ", got " + std::to_string(realAt(got, array.dtype, at));
  }
}

static const Account &runAll(Session &session) {
  static Account account;
  static bool isDone = false;
  if (isDone)
    return account;
  isDone = true;
  session.stream();
  for (const Case &entry : session.settings.cases) {
    if (entry.request.empty()) {
      account.skipped += (account.skipped.empty() ? "" : ", ") + entry.name;
      continue;
    }
    try {
      examine(session, entry, account);
    } catch (const Broken &broken) {
      if (account.values.empty())
        account.values = broken.what();
    }
  }
  return account;
}

static std::string figures(const Account &account) {
  if (!account.ran)
    throw Skipped("no kernel could be compiled");
  return std::to_string(account.ran) + " launches" +
         (account.skipped.empty() ? "" : "; not: " + account.skipped);
}

const std::vector<CheckEntry> numericsChecks = {
    {601,
     [](Session &session) {
       const Account &account = runAll(session);
       expect(account.values.empty(), account.values);
       if (!account.uncompared.empty())
         throw Skipped("the reference gave no result for " +
                       account.uncompared);
       return figures(account);
     }},
    {602,
     [](Session &session) {
       const Account &account = runAll(session);
       expect(account.writes.empty(), account.writes);
       return figures(account);
     }},
};

} // namespace tilewright::conformance
