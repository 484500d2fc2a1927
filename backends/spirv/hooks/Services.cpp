//===- Services.cpp - Prints and failures -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both write into the launch memory, which the driver reads after the launch.
//===----------------------------------------------------------------------===//
#include "backends/simt/services/PrintLines.h"
#include "backends/spirv/driver/KernelABI.h"
#include "backends/spirv/hooks/SpirvHooks.h"

#include "llvm/IR/Module.h"

using llvm::Value;

namespace tilewright::spirv {

Value *SpirvHooks::textId(Builder &b, llvm::StringRef text) {
  usedTexts.insert(text.str());
  return b.getInt64(tw_spirv_text_id(text.data(), text.size()));
}

Value *SpirvHooks::launchWord(Builder &b, Value *offset) {
  return b.CreateGEP(b.getInt8Ty(), launchMemory, offset);
}

/// Starts a block that runs where `condition` holds; gives the one behind it.
static llvm::BasicBlock *beginIf(llvm::IRBuilderBase &b, Value *condition) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  auto *then = llvm::BasicBlock::Create(b.getContext(), "", function);
  auto *after = llvm::BasicBlock::Create(b.getContext(), "", function);
  b.CreateCondBr(condition, then, after);
  b.SetInsertPoint(then);
  return after;
}

static void endIf(llvm::IRBuilderBase &b, llvm::BasicBlock *after) {
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

/// Takes room for a record; where it is used up, a size of 0 ends the records.
void SpirvHooks::print(Builder &b, llvm::StringRef format,
                       llvm::ArrayRef<Value *> values) {
  uint32_t bytes = TW_SPIRV_PRINT_HEADER + 8 * values.size();
  Value *used = launchWord(b, b.getInt32(TW_SPIRV_PRINT_USED));
  Value *start =
      atomicRMW(b, kernel::AtomicKind::Add, kernel::MemorySemantics::Relaxed,
                kernel::MemoryScope::Device, used, b.getInt32(bytes));
  Value *room = b.CreateLoad(b.getInt32Ty(),
                             launchWord(b, b.getInt32(TW_SPIRV_PRINT_ROOM)));
  llvm::BasicBlock *after = beginIf(b, b.CreateICmpULT(start, room));
  Value *fits = b.CreateICmpULE(b.getInt32(bytes), b.CreateSub(room, start));
  Value *record =
      launchWord(b, b.CreateAdd(start, b.getInt32(TW_SPIRV_PRINT_AREA)));
  b.CreateStore(b.CreateSelect(fits, b.getInt32(bytes), b.getInt32(0)), record);
  llvm::BasicBlock *full = beginIf(b, fits);
  auto store = [&](uint32_t offset, Value *value) {
    b.CreateStore(value,
                  b.CreateGEP(b.getInt8Ty(), record, b.getInt32(offset)));
  };
  store(8, textId(b, format));
  for (auto [index, value] : llvm::enumerate(values))
    store(TW_SPIRV_PRINT_HEADER + 8 * index, simt::widenPrinted(b, value));
  endIf(b, full);
  endIf(b, after);
}

/// The first failure of a stream wins.
void SpirvHooks::fail(Builder &b, unsigned code, llvm::StringRef message,
                      const simt::SourcePlace &place) {
  auto word = [&](uint32_t offset) {
    return launchWord(b, b.getInt32(offset));
  };
  Value *earlier = compareAndSwap(
      b, kernel::MemorySemantics::Relaxed, kernel::MemoryScope::Device,
      word(TW_SPIRV_FAILED), b.getInt32(0), b.getInt32(1));
  llvm::BasicBlock *after = beginIf(b, b.CreateICmpEQ(earlier, b.getInt32(0)));
  b.CreateStore(b.getInt32(code), word(TW_SPIRV_FAIL_CODE));
  b.CreateStore(b.getInt32(place.line), word(TW_SPIRV_FAIL_LINE));
  b.CreateStore(textId(b, message), word(TW_SPIRV_FAIL_TEXT));
  b.CreateStore(textId(b, place.file), word(TW_SPIRV_FAIL_FILE));
  endIf(b, after);
}

} // namespace tilewright::spirv
