//===- ASTContext.h - Owner of syntax trees ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bump allocator for nodes, lists and text. Trees live as long as their
// context and are freed at once, without walking them.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_ASTCONTEXT_H
#define TILEWRIGHT_FRONTEND_SYNTAX_ASTCONTEXT_H

#include "frontend/syntax/AST.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace tilewright::ast {

class ASTContext {
public:
  ASTContext() = default;
  ASTContext(const ASTContext &) = delete;
  ASTContext &operator=(const ASTContext &) = delete;

  /// Makes a node from its range and its fields in declaration order.
  template <typename T, typename... Fields>
  T *create(SourceRange range, Fields... fields) {
    static_assert(std::is_trivially_destructible_v<T>);
    void *memory = allocate(sizeof(T), alignof(T));
    T *node = new (memory) T{typename T::Header(range), fields...};
    uint32_t tallest = 0;
    ((tallest = std::max(tallest, heightOf(fields))), ...);
    node->height = tallest + 1;
    return node;
  }

  template <typename T> ArrayView<T> copy(const T *data, size_t size) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size == 0)
      return {};
    void *memory = allocate(sizeof(T) * size, alignof(T));
    std::memcpy(memory, data, sizeof(T) * size);
    return {static_cast<const T *>(memory), size};
  }
  template <typename T> ArrayView<T> copy(const std::vector<T> &list) {
    return copy(list.data(), list.size());
  }
  std::string_view copy(std::string_view text) {
    ArrayView<char> bytes = copy(text.data(), text.size());
    return {bytes.data(), bytes.size()};
  }

  size_t bytesAllocated() const { return total; }

private:
  void *allocate(size_t size, size_t alignment) {
    size_t start = (used + alignment - 1) & ~(alignment - 1);
    if (start + size > capacity) {
      blockSize = std::min<size_t>(blockSize * 2, 1 << 20);
      capacity = std::max(size, blockSize);
      blocks.push_back(
          std::unique_ptr<Block[]>(new Block[capacity / sizeof(Block) + 1]));
      start = 0;
    }
    used = start + size;
    total += size;
    return blocks.back()[0].bytes + start;
  }

  static uint32_t heightOf(const Node *node) { return node ? node->height : 0; }
  template <typename T> static uint32_t heightOf(ArrayView<T> list) {
    uint32_t tallest = 0;
    if constexpr (std::is_pointer_v<T>)
      for (const Node *node : list)
        tallest = std::max(tallest, heightOf(node));
    return tallest;
  }
  template <typename T>
  static std::enable_if_t<!std::is_convertible_v<T, const Node *>, uint32_t>
  heightOf(const T &) {
    return 0;
  }

  struct alignas(16) Block {
    char bytes[16];
  };
  std::vector<std::unique_ptr<Block[]>> blocks;
  size_t blockSize = 1 << 13;
  size_t used = 0;
  size_t capacity = 0;
  size_t total = 0;
};

} // namespace tilewright::ast

#endif // TILEWRIGHT_FRONTEND_SYNTAX_ASTCONTEXT_H
