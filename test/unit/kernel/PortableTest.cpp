//===- PortableTest.cpp - The portable form of Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table against the dialects, versions that a synthetic newer table makes,
// and bytes that are not right.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/Portable.h"

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/portable/Vocabulary.h"
#include "dialects/kernel/verify/KernelIRTable.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <set>

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
    %e = math.exp %x : tensor<8xf32> loc("user.py":4:7)
    kernel.store %e, %v[%c0] lo [%c0] hi [%c8] boundary [1] : tensor<8xf32>, !kernel.view<1, f32>
    return
  }
}
)";

/// The checksum of the form.
uint64_t fnv1a(StringRef bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

/// Makes size and checksum right again, so that readers look further.
std::string sealed(std::string bytes) {
  uint64_t words[] = {bytes.size() - 24,
                      fnv1a(StringRef(bytes).drop_front(24))};
  for (unsigned i = 0; i < 16; ++i)
    bytes[8 + i] = char(words[i / 8] >> (8 * (i % 8)));
  return bytes;
}

class PortableTest : public testing::Test {
protected:
  PortableTest() {
    DialectRegistry registry;
    registerKernelIRDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      llvm::raw_string_ostream stream(messages);
      stream << diagnostic.getLocation() << ": " << diagnostic << "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(source, &context);
  }

  /// Writes with a table and expects it to succeed.
  std::string write(const tw_portable_schema *table = nullptr,
                    uint32_t version = 1) {
    std::string bytes;
    EXPECT_TRUE(succeeded(writePortableIR(*module, version, bytes, table)))
        << messages;
    return bytes;
  }

  void expectMessage(const char *text) {
    EXPECT_NE(messages.find(text), std::string::npos)
        << "expected " << text << ", got: " << messages;
    messages.clear();
  }

  /// Reads bytes that must be refused with `text`.
  void expectRefusal(const std::string &bytes, const char *text) {
    EXPECT_FALSE(readPortableIR(bytes, &context));
    expectMessage(text);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string messages;
};

/// Today's table with a newer version, for elements to be moved to.
struct NewerTable {
  NewerTable() {
    schema.newest = 2;
    schema.ops = ops.data();
    schema.enums = enums.data();
  }

  const tw_portable_schema &today = *tw_portable_builtin_schema();
  std::vector<tw_portable_op_info> ops{today.ops, today.ops + today.op_count};
  std::vector<tw_portable_enum_info> enums{today.enums,
                                           today.enums + today.enum_count};
  tw_portable_schema schema = today;
};

TEST_F(PortableTest, TheTableHoldsEveryLegalOperation) {
  std::set<std::string> rows;
  const tw_portable_schema &table = *tw_portable_builtin_schema();
  for (uint32_t id = 1; id < table.op_count; ++id)
    rows.insert(table.ops[id].name);
  for (const LegalOp &op : legalOps())
    EXPECT_TRUE(rows.count(op.name.str())) << op.name.str();
}

/// A new attribute of MLIR must be in a row or be known to follow from others.
TEST_F(PortableTest, TheTableHoldsEveryAttribute) {
  const std::set<std::string> implied = {
      "operandSegmentSizes", "resultSegmentSizes", "function_type", "arg_attrs",
      "res_attrs",           "sym_visibility",     "no_inline",     "cast"};
  const tw_portable_schema &table = *tw_portable_builtin_schema();
  for (uint32_t id = 1; id < table.op_count; ++id) {
    const tw_portable_op_info &row = table.ops[id];
    auto op = RegisteredOperationName::lookup(row.name, &context);
    ASSERT_TRUE(op) << row.name;
    if (StringRef(row.name) == "builtin.module")
      continue; // its name and visibility have no meaning here
    for (StringAttr attribute : op->getAttributeNames()) {
      bool isInRow = llvm::any_of(
          ArrayRef(row.uses, row.use_count), [&](const tw_portable_use &use) {
            return portable::attributeName(use.attr) == attribute.getValue();
          });
      EXPECT_TRUE(isInRow || implied.count(attribute.str()))
          << row.name << " " << attribute.str();
    }
  }
}

TEST_F(PortableTest, WritesOnlyItsVersions) {
  std::string bytes;
  EXPECT_TRUE(failed(writePortableIR(*module, 0, bytes)));
  expectMessage("TW3130");
  EXPECT_TRUE(failed(writePortableIR(*module, TW_PORTABLE_NEWEST + 1, bytes)));
  expectMessage("TW3130");
}

TEST_F(PortableTest, AnOlderVersionRefusesANewerOperationAtItsPlace) {
  NewerTable newer;
  for (tw_portable_op_info &op : newer.ops)
    if (op.name && StringRef(op.name) == "math.exp")
      op.since = 2;
  std::string bytes;
  EXPECT_TRUE(failed(writePortableIR(*module, 1, bytes, &newer.schema)));
  expectMessage("\"user.py\":4:7");
  EXPECT_TRUE(readPortableIR(write(&newer.schema, 2), &context, &newer.schema));
  expectRefusal(write(&newer.schema, 2), "TW3132");
  // Bytes that claim to be of version 1 do not get the operation in.
  std::string forged = write();
  EXPECT_FALSE(readPortableIR(forged, &context, &newer.schema));
  expectMessage("TW3133: expected an operation of this version");
}

TEST_F(PortableTest, AnOlderVersionLeavesOutANewerAttributeWithItsDefault) {
  NewerTable newer;
  std::vector<tw_portable_use> uses;
  for (tw_portable_op_info &op : newer.ops) {
    if (!op.name || StringRef(op.name) != "kernel.load")
      continue;
    uses.assign(op.uses, op.uses + op.use_count);
    for (tw_portable_use &use : uses)
      if (use.attr == TW_PORTABLE_ATTR_EVICT ||
          use.attr == TW_PORTABLE_ATTR_CACHE)
        use.since = 2;
    op.uses = uses.data();
  }
  // cache = cg has no equal in version 1, evict is the default.
  std::string bytes;
  EXPECT_TRUE(failed(writePortableIR(*module, 1, bytes, &newer.schema)));
  expectMessage("TW3131: expected attributes of tw.portable 1 on "
                "'kernel.load', got 'cache'");
  for (tw_portable_use &use : uses)
    if (use.attr == TW_PORTABLE_ATTR_CACHE)
      use.since = 1;
  EXPECT_EQ(write(&newer.schema, 1), write());
}

TEST_F(PortableTest, AnOlderVersionRefusesANewerCase) {
  NewerTable newer;
  tw_portable_enum_info &cache = newer.enums[TW_PORTABLE_ENUM_CACHE];
  std::vector<tw_portable_case> cases(cache.cases, cache.cases + cache.count);
  cases[TW_PORTABLE_CACHE_CG].since = 2;
  cache.cases = cases.data();
  std::string bytes;
  EXPECT_TRUE(failed(writePortableIR(*module, 1, bytes, &newer.schema)));
  expectMessage("\"user.py\":3:5");
  EXPECT_TRUE(readPortableIR(write(&newer.schema, 2), &context, &newer.schema));
}

TEST_F(PortableTest, RefusesWhatTheFormDoesNotHold) {
  module->walk([](Operation *op) {
    if (op->getName().getStringRef() == "math.exp")
      op->setAttr("vendor.secret", UnitAttr::get(op->getContext()));
  });
  std::string bytes;
  EXPECT_TRUE(failed(writePortableIR(*module, 1, bytes)));
  expectMessage("got 'vendor.secret'");
}

TEST_F(PortableTest, RefusesEveryTruncation) {
  std::string bytes = write();
  for (size_t size = 0; size < bytes.size(); ++size) {
    expectRefusal(bytes.substr(0, size), "TW3133");
    if (size > 24)
      expectRefusal(sealed(bytes.substr(0, size)), "TW3133");
  }
  expectRefusal(sealed(bytes + '\0'), "TW3133");
}

TEST_F(PortableTest, RefusesEveryFlippedByte) {
  std::string bytes = write();
  for (size_t position = 0; position < bytes.size(); ++position) {
    std::string damaged = bytes;
    damaged[position] ^= 0x41;
    EXPECT_FALSE(readPortableIR(damaged, &context)) << position;
  }
}

/// Bytes with a right checksum: refused, or Kernel IR again.
TEST_F(PortableTest, SurvivesEveryForgedByte) {
  std::string bytes = write();
  for (size_t position = 24; position < bytes.size(); ++position)
    for (unsigned value : {0u, 1u, 2u, 0x7fu, 0x80u, 0xffu}) {
      std::string forged = bytes;
      forged[position] = char(value);
      readPortableIR(sealed(forged), &context);
    }
}

TEST_F(PortableTest, TheWorkspaceIsChecked) {
  std::string bytes = write();
  tw_bytes ir = {bytes.data(), bytes.size()};
  tw_portable_error error;
  uint64_t size = 0;
  ASSERT_EQ(tw_portable_measure(ir, &size, nullptr, &error), TW_OK);
  std::vector<uint64_t> workspace(size / 8 + 1);
  EXPECT_EQ(tw_portable_read(ir, workspace.data(), size - 8, nullptr, nullptr,
                             &error),
            TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(error.reason, TW_PORTABLE_BAD_WORKSPACE);
  EXPECT_EQ(tw_portable_read(ir, reinterpret_cast<char *>(workspace.data()) + 4,
                             size, nullptr, nullptr, &error),
            TW_E_INVALID_ARGUMENT);
  EXPECT_EQ(
      tw_portable_read(ir, workspace.data(), size, nullptr, nullptr, &error),
      TW_OK);
}

} // namespace
