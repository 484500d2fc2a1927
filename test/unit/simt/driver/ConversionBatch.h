//===- ConversionBatch.h - Random conversions on OpenCL ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that start as simt IR, compiled to one SPIR-V module and run.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_DRIVER_CONVERSIONBATCH_H
#define TILEWRIGHT_TEST_UNIT_SIMT_DRIVER_CONVERSIONBATCH_H

#include <memory>
#include <string>

namespace tilewright::simt::test {

/// The first OpenCL device that takes SPIR-V.
class ConversionDevice {
public:
  virtual ~ConversionDevice();
  virtual std::string name() const = 0;
  /// Runs the conversions of seeds [first, first + count) as one module; gives
  /// what went wrong, or "".
  virtual std::string run(unsigned first, unsigned count) = 0;
};

/// Null with the reason in `why` where there is no such device.
std::unique_ptr<ConversionDevice> openDevice(std::string &why);

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_DRIVER_CONVERSIONBATCH_H
