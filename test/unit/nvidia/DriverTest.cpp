//===- DriverTest.cpp - What the driver plugin decides itself ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a made-up libcuda whose functions answer what a test wants. Which code
// runs where follows NVIDIA's "CUDA Compatibility" and "PTX ISA", section on
// `.target`: binaries of a major version on newer minors, PTX on everything
// newer, `a` on one architecture, `f` on newer minors of its major version.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Cuda.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright::gpu;
namespace cuda = tilewright::nvidia::cuda;

namespace {
/// A device of a compute capability.
class DriverTest : public testing::Test {
protected:
  DriverTest() {
    driver.version = 12040;
    driver.contextGetCurrent = [](Context *) { return Success; };
    driver.contextSetCurrent = [](Context) { return Success; };
    driver.threadExchangeCaptureMode = [](int *) { return Success; };
    driver.getErrorName = [](Status, const char **name) {
      *name = "CUDA_ERROR_MADE_UP";
      return Success;
    };
    driver.getErrorString = [](Status, const char **) { return Success; };
    device.api = &driver;
    device.failure = &failure;
    sink.size = sizeof sink;
    sink.ctx = this;
    sink.emit = [](void *ctx, const tw_diagnostic *given) {
      auto &test = *static_cast<DriverTest *>(ctx);
      test.code = given->code;
      test.message.assign(given->message.data, given->message.size);
      test.hint.assign(given->hint.data, given->hint.size);
    };
  }

  uint32_t grade(int capability, const char *format, const char *compat) {
    device.limits.major = capability / 10;
    device.limits.minor = capability % 10;
    uint32_t result = ~0u;
    EXPECT_EQ(
        gradeArtifact(&device, tw_string(format), tw_string(compat), &result),
        TW_OK);
    return result;
  }

  cuda::Driver driver = {};
  tw_device device = {};
  tw_gpu_failure failure = {};
  tw_sink sink = {};
  uint32_t code = 0;
  std::string message, hint;
};
} // namespace

TEST_F(DriverTest, RunsPtxOfOlderArchitectures) {
  for (int here : {80, 86, 89, 90, 100, 120})
    EXPECT_EQ(grade(here, "ptx", "sm_75;ptx80"), TW_GRADE_USABLE) << here;
  EXPECT_EQ(grade(90, "ptx", "sm_90;ptx80"), TW_GRADE_OPTIMAL);
  EXPECT_EQ(grade(89, "ptx", "sm_90;ptx80"), TW_GRADE_UNUSABLE);
}

TEST_F(DriverTest, RunsBinariesOfTheSameMajorVersion) {
  EXPECT_EQ(grade(80, "cubin", "sm_80;ptx80"), TW_GRADE_OPTIMAL);
  EXPECT_EQ(grade(86, "cubin", "sm_80;ptx80"), TW_GRADE_USABLE);
  EXPECT_EQ(grade(80, "cubin", "sm_86;ptx80"), TW_GRADE_UNUSABLE);
  EXPECT_EQ(grade(90, "cubin", "sm_80;ptx80"), TW_GRADE_UNUSABLE);
}

TEST_F(DriverTest, RunsCodeWithALetterOnItsOwn) {
  for (const char *format : {"ptx", "cubin"}) {
    EXPECT_EQ(grade(90, format, "sm_90a;ptx84"), TW_GRADE_OPTIMAL) << format;
    EXPECT_EQ(grade(100, format, "sm_90a;ptx84"), TW_GRADE_UNUSABLE) << format;
    EXPECT_EQ(grade(103, format, "sm_100a;ptx86"), TW_GRADE_UNUSABLE) << format;
    EXPECT_EQ(grade(103, format, "sm_100f;ptx88"), TW_GRADE_USABLE) << format;
    EXPECT_EQ(grade(100, format, "sm_103f;ptx88"), TW_GRADE_UNUSABLE) << format;
    EXPECT_EQ(grade(120, format, "sm_100f;ptx88"), TW_GRADE_UNUSABLE) << format;
  }
}

TEST_F(DriverTest, RefusesFormatsThatItDoesNotKnow) {
  EXPECT_EQ(grade(90, "spirv", "sm_90;ptx80"), TW_GRADE_UNUSABLE);
  EXPECT_EQ(grade(90, "", "sm_90;ptx80"), TW_GRADE_UNUSABLE);
}

TEST_F(DriverTest, RefusesTextsThatNameNoArchitecture) {
  for (const char *compat : {"", "90", "sm_", "compute_90", "sm_x"})
    EXPECT_EQ(grade(90, "ptx", compat), TW_GRADE_UNUSABLE) << compat;
}

TEST_F(DriverTest, SaysThatPtxIsNewerThanTheDriver) {
  driver.moduleLoadDataEx = [](Module *, const void *, unsigned, int *,
                               void **) { return cuda::UnsupportedPtxVersion; };
  tw_module *module = nullptr;
  std::string text = ".version 9.0";
  EXPECT_EQ(loadModule(&device, tw_string("ptx"), {text.data(), text.size()},
                       &sink, &module),
            TW_E_DIAGNOSED);
  EXPECT_EQ(code, 6015u);
  EXPECT_EQ(message,
            "the PTX is newer than the driver, which is for CUDA 12.4");
  EXPECT_NE(hint.find("nvidia:sm_90a+ptx80"), std::string::npos) << hint;
}

TEST_F(DriverTest, RefusesPayloadsThatAreNone) {
  tw_module *module = nullptr;
  std::string text = "no ELF file";
  EXPECT_EQ(loadModule(&device, tw_string("cubin"), {text.data(), text.size()},
                       &sink, &module),
            TW_E_DIAGNOSED);
  EXPECT_EQ(message, "the payload is no cubin");
  // The headers of this very program, without what they speak of.
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string cut(4096, '\0');
  self.read(cut.data(), std::streamsize(cut.size()));
  for (size_t bytes : {size_t(4), size_t(40), size_t(64), cut.size()}) {
    message.clear();
    EXPECT_EQ(loadModule(&device, tw_string("cubin"), {cut.data(), bytes},
                         &sink, &module),
              TW_E_DIAGNOSED);
    EXPECT_EQ(message, "the payload is a part of a cubin") << bytes;
  }
  EXPECT_EQ(loadModule(&device, tw_string("spirv"), {text.data(), text.size()},
                       &sink, &module),
            TW_E_DIAGNOSED);
  EXPECT_EQ(message, "expected a payload of format cubin or ptx, got 'spirv'");
}

TEST_F(DriverTest, AlignsFurtherThanTheDriver) {
  static Address freed = 0;
  driver.memAlloc = [](Address *address, size_t bytes) {
    EXPECT_GE(bytes, 4096u);
    *address = 0x10100;
    return Success;
  };
  driver.memFree = [](Address address) {
    freed = address;
    return Success;
  };
  uint64_t address = 0;
  EXPECT_EQ(runtimeTable.memory_allocate(&device, 1, 4096, &address), TW_OK);
  EXPECT_EQ(address, 0x11000u);
  EXPECT_EQ(runtimeTable.memory_free(&device, address), TW_OK);
  EXPECT_EQ(freed, 0x10100u);
  EXPECT_EQ(runtimeTable.memory_allocate(&device, 1, 48, &address),
            TW_E_INVALID_ARGUMENT);
}

/// The hardware reports a failure some time after it happened: an earlier
/// kernel may be to blame.
TEST_F(DriverTest, NamesTheLastKernelOfALateErrorAsABound) {
  driver.streamSynchronize = [](Stream) { return 700; };
  tw_stream stream = {&device, nullptr, false, {nullptr}};
  EXPECT_EQ(synchronizeStream(&stream, &sink), TW_E_DEVICE_ERROR);
  EXPECT_EQ(code, 6012u);
  EXPECT_EQ(message, "CUDA_ERROR_MADE_UP");
  stream.lastKernel = "softmax";
  EXPECT_EQ(synchronizeStream(&stream, &sink), TW_E_DEVICE_ERROR);
  EXPECT_EQ(message, "CUDA_ERROR_MADE_UP at or before kernel 'softmax', the "
                     "last one launched on the stream");
}

//===--- Prints -----------------------------------------------------------===//

namespace {
/// A module with two formats, whose kernels are this test.
class PrintTest : public DriverTest {
protected:
  static constexpr Address slotAddress = 0x1000, formatAddress = 0x2000;

  PrintTest() {
    driver.memHostAlloc = [](void **memory, size_t bytes, unsigned) {
      *memory = queue = static_cast<tw_gpu_prints *>(std::malloc(bytes));
      return Success;
    };
    driver.memFreeHost = [](void *memory) {
      std::free(memory);
      return Success;
    };
    driver.memHostGetDevicePointer = [](Address *device, void *, unsigned) {
      *device = 0x77;
      return Success;
    };
    driver.moduleGetGlobal = [](Address *address, size_t *bytes, Module,
                                const char *name) {
      std::string given = name;
      *bytes = 8;
      *address = slotAddress;
      if (given == "tw_print_format_0" || given == "tw_print_format_1") {
        *address = formatAddress + (given.back() - '0');
        *bytes = 64;
        return Success;
      }
      return given == "tw_prints" ? Success : Status(NotFound);
    };
    driver.memcpyDtoH = [](void *to, Address from, size_t bytes) {
      std::memset(to, 0, bytes);
      std::strcpy(static_cast<char *>(to), from == formatAddress
                                               ? "pid (%d) x: %f\n"
                                               : "pid (%d) n: %lld\n");
      return Success;
    };
    driver.memcpyHtoD = [](Address to, const void *from, size_t bytes) {
      EXPECT_EQ(to, slotAddress);
      EXPECT_EQ(bytes, 8u);
      EXPECT_EQ(*static_cast<const Address *>(from), 0x77u);
      return Success;
    };
    printer.ctx = &printed;
    printer.write = [](void *ctx, const char *text, uint64_t bytes) {
      static_cast<std::string *>(ctx)->append(text, bytes);
    };
    EXPECT_EQ(prints.connect(driver, nullptr,
                             "tw_prints tw_print_format_0 tw_print_format_1",
                             formats),
              Success);
  }
  ~PrintTest() override { prints.close(driver); }

  /// What a thread does up to the number, and the rest.
  uint64_t begin(unsigned format, int64_t pid, int64_t value) {
    uint64_t number = queue->taken++;
    if (number < queue->limit) {
      tw_gpu_print_line &line = queue->lines[number % TW_GPU_PRINT_LINES];
      line.format = formatAddress + format;
      line.values[0] = uint64_t(pid);
      line.values[1] = uint64_t(value);
    }
    return number;
  }
  void end(uint64_t number) {
    if (number < queue->limit)
      queue->lines[number % TW_GPU_PRINT_LINES].number = number + 1;
  }
  std::string drained() {
    printed.clear();
    prints.drain(&printer);
    return printed;
  }

  static tw_gpu_prints *queue;
  Prints prints;
  std::vector<Address> formats;
  tw_print_interface printer = {};
  std::string printed;
};
tw_gpu_prints *PrintTest::queue;
} // namespace

TEST_F(PrintTest, LinesAreSentOnceWithTheFormatOfTheirModule) {
  EXPECT_EQ(formats, (std::vector<Address>{formatAddress, formatAddress + 1}));
  EXPECT_EQ(drained(), "");
  double x = 1.5;
  int64_t bits;
  std::memcpy(&bits, &x, sizeof x);
  end(begin(0, 3, bits));
  end(begin(1, 4, -5));
  EXPECT_EQ(drained(), "pid (3) x: 1.500000\npid (4) n: -5\n");
  EXPECT_EQ(drained(), "");
}

TEST_F(PrintTest, LinesThatAreNotCompleteComeLater) {
  uint64_t slow = begin(1, 1, 10), quick = begin(1, 2, 20);
  end(quick);
  EXPECT_EQ(drained(), "pid (2) n: 20\n");
  end(begin(1, 3, 30));
  end(slow);
  EXPECT_EQ(drained(), "pid (1) n: 10\npid (3) n: 30\n");
}

TEST_F(PrintTest, WhatDoesNotFitIsCountedAndLaterLinesFit) {
  for (unsigned i = 0; i < TW_GPU_PRINT_LINES + 7; ++i)
    end(begin(1, 0, i));
  std::string text = drained();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), TW_GPU_PRINT_LINES + 1);
  EXPECT_NE(text.find("[7 lines are lost"), std::string::npos);
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < TW_GPU_PRINT_LINES; ++i)
      end(begin(1, 0, i));
    text = drained();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), TW_GPU_PRINT_LINES);
    EXPECT_EQ(text.find("lost"), std::string::npos);
  }
}
