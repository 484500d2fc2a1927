//===- SerializationTest.cpp - Kernel IR as bytes ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Round trips, and the refusal of anything that is not intact Kernel IR of this
// build.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Serialization.h"

#include "dialects/kernel/Dialects.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilewright::kernel;

namespace {

constexpr const char *source = R"(
module attributes {tw.target = "cpu"} {
  func.func @copy(%p: !kernel.ptr<f32> {tw.dtype = "*fp32"}) attributes {tw.kernel} {
    %c0 = arith.constant 0 : i64
    %c8 = arith.constant 8 : i64
    %v = kernel.view %p sizes [%c8] strides [%c8] : !kernel.ptr<f32> -> !kernel.view<1, f32>
    %x = kernel.load %v[%c0] lo [%c0] hi [%c8] boundary [0] cache cg : !kernel.view<1, f32> -> tensor<8xf32> loc("user.py":3:5)
    kernel.store %x, %v[%c0] lo [%c0] hi [%c8] boundary [1] : tensor<8xf32>, !kernel.view<1, f32>
    return
  }
}
)";

class SerializationTest : public testing::Test {
protected:
  SerializationTest() {
    DialectRegistry registry;
    registerKernelIRDialects(registry);
    context.appendDialectRegistry(registry);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    if (module)
      EXPECT_TRUE(succeeded(writeKernelIR(*module, bytes)));
  }

  /// Text with locations, which must survive.
  std::string print(ModuleOp op) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    op.print(stream, OpPrintingFlags().enableDebugInfo());
    return text;
  }

  /// Reads bytes that must be refused with `code`.
  void expectRefusal(StringRef damaged, const char *code) {
    messages.clear();
    EXPECT_FALSE(readKernelIR(damaged, &context));
    EXPECT_NE(messages.find(code), std::string::npos)
        << "expected " << code << ", got: " << messages;
  }

  /// `bytes` with another payload behind a header that fits it.
  std::string withPayload(const std::string &payload) {
    size_t header =
        bytes.find(kernelIRFingerprint()) + kernelIRFingerprint().size();
    std::string result = bytes.substr(0, header);
    for (uint64_t word :
         {uint64_t(payload.size()), uint64_t(llvm::xxh3_64bits(payload))})
      for (unsigned byte = 0; byte < 8; ++byte)
        result.push_back(char(word >> (8 * byte)));
    return result + payload;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string bytes;
  std::string messages;
};

TEST_F(SerializationTest, RoundTripKeepsTextAndLocations) {
  MLIRContext other;
  OwningOpRef<ModuleOp> read = readKernelIR(bytes, &other);
  ASSERT_TRUE(read);
  EXPECT_EQ(print(*read), print(*module));
  EXPECT_NE(print(*read).find("user.py\":3:5"), std::string::npos);
}

TEST_F(SerializationTest, WritingIsDeterministic) {
  std::string again;
  ASSERT_TRUE(succeeded(writeKernelIR(*module, again)));
  EXPECT_EQ(bytes, again);
}

TEST_F(SerializationTest, FingerprintNamesFormatAndLlvm) {
  std::string fingerprint = kernelIRFingerprint();
  EXPECT_EQ(fingerprint.substr(0, 5), "1-22.");
  EXPECT_EQ(fingerprint.size() - fingerprint.rfind('-') - 1, 16u);
}

TEST_F(SerializationTest, RefusesOtherBytes) {
  expectRefusal("", "TW3120");
  expectRefusal("TWK", "TW3120");
  expectRefusal(source, "TW3120");
  expectRefusal(StringRef(bytes).drop_front(4), "TW3120");
}

TEST_F(SerializationTest, RefusesEveryTruncation) {
  for (size_t size = 0; size < bytes.size(); ++size) {
    messages.clear();
    EXPECT_FALSE(readKernelIR(StringRef(bytes).take_front(size), &context));
    EXPECT_NE(messages.find("TW312"), std::string::npos) << size;
  }
}

TEST_F(SerializationTest, RefusesTrailingBytes) {
  expectRefusal(bytes + "x", "TW3120");
}

TEST_F(SerializationTest, RefusesEveryFlippedByte) {
  for (size_t position = 0; position < bytes.size(); ++position) {
    std::string damaged = bytes;
    damaged[position] ^= 0x41;
    messages.clear();
    EXPECT_FALSE(readKernelIR(damaged, &context));
    EXPECT_NE(messages.find("TW312"), std::string::npos) << position;
  }
}

TEST_F(SerializationTest, RefusesDamagedBody) {
  std::string damaged = bytes;
  damaged.back() ^= 1;
  expectRefusal(damaged, "TW3121");
}

TEST_F(SerializationTest, RefusesAnotherFingerprint) {
  std::string other = bytes;
  size_t position = other.find(kernelIRFingerprint());
  ASSERT_NE(position, std::string::npos);
  other[position + kernelIRFingerprint().size() - 1] ^= 1;
  expectRefusal(other, "TW3122");
}

TEST_F(SerializationTest, RefusesAnotherFormatVersion) {
  std::string other = bytes;
  other[4] = 2;
  expectRefusal(other, "TW3122");
}

TEST_F(SerializationTest, RefusesPayloadThatIsNotBytecode) {
  expectRefusal(withPayload("module {}"), "TW3123");
  expectRefusal(withPayload(""), "TW3123");
  expectRefusal(withPayload("ML\xefR"), "TW3123");
  expectRefusal(withPayload(std::string("ML\xefR\x06"
                                        "MLIR\0",
                                        10)),
                "TW3123");
}

TEST_F(SerializationTest, RefusesIRThatDoesNotVerify) {
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> bad = parseSourceString<ModuleOp>(
      "%0 = \"kernel.program_id\"() <{axis = 7 : i32}> : () -> i32",
      ParserConfig(&context, /*verifyAfterParse=*/false));
  ASSERT_TRUE(bad);
  std::string badBytes;
  ASSERT_TRUE(succeeded(writeKernelIR(*bad, badBytes)));
  expectRefusal(badBytes, "(C1)");
  expectRefusal(badBytes, "TW3123");
}

} // namespace
