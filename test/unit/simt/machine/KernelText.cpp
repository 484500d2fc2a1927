//===- KernelText.cpp - Texts of small kernels ----------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of dense tensors have constant strides and unchecked bounds.
//===----------------------------------------------------------------------===//
#include "KernelText.h"

namespace tilewright::simt::test {

uint64_t elementCount(const TensorShape &shape) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string tensorType(const TensorShape &shape, const std::string &element,
                       const LinearLayout &layout) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ", #simt.layout<" + layout.toString() + ">>";
}

unsigned KernelText::addArgument(const std::string &element) {
  unsigned number = arguments.size();
  arguments.push_back("%p" + std::to_string(number) + ": !kernel.ptr<" +
                      element + "> {tw.dtype = \"*" + element +
                      "\", tw.name = \"p" + std::to_string(number) +
                      "\", tw.index = " + std::to_string(number) + " : i32}");
  return number;
}

/// `text` repeated and separated by commas.
static std::string repeat(const std::string &text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += (i ? ", " : "") + text;
  return all;
}

static std::string viewType(size_t rank, const std::string &element) {
  return "!kernel.view<" + std::to_string(rank) + ", " + element + ">";
}

std::string KernelText::view(unsigned argument, const TensorShape &shape,
                             const std::string &element) {
  std::string sizes, strides;
  int64_t stride = elementCount(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    stride /= shape[d];
    std::string size = fresh(), step = fresh();
    add(size + " = arith.constant " + std::to_string(shape[d]) + " : i64");
    add(step + " = arith.constant " + std::to_string(stride) + " : i64");
    sizes += (d ? ", " : "") + size;
    strides += (d ? ", " : "") + step;
  }
  std::string name = fresh();
  add(name + " = kernel.view %p" + std::to_string(argument) + " sizes [" +
      sizes + "] strides [" + strides + "] : !kernel.ptr<" + element + "> -> " +
      viewType(shape.size(), element));
  return name;
}

/// `[%zero, ..] lo [..] hi [..] boundary [1, ..]`: the whole view, unchecked.
static std::string wholeBox(size_t rank) {
  std::string zeros = "[" + repeat("%zero", rank) + "]";
  return zeros + " lo " + zeros + " hi " + zeros + " boundary [" +
         repeat("1", rank) + "]";
}

std::string KernelText::load(unsigned argument, const TensorShape &shape,
                             const std::string &element,
                             const LinearLayout &layout) {
  std::string source = view(argument, shape, element), name = fresh();
  add(name + " = kernel.load " + source + wholeBox(shape.size()) + " : " +
      viewType(shape.size(), element) + " -> " +
      tensorType(shape, element, layout));
  return name;
}

void KernelText::store(unsigned argument, const TensorShape &shape,
                       const std::string &element, const LinearLayout &layout,
                       const std::string &value) {
  std::string target = view(argument, shape, element);
  add("kernel.store " + value + ", " + target + wholeBox(shape.size()) + " : " +
      tensorType(shape, element, layout) + ", " +
      viewType(shape.size(), element));
}

void KernelText::store(unsigned argument, const std::string &element,
                       const std::string &value) {
  std::string target = view(argument, {}, element);
  add("kernel.store " + value + ", " + target + wholeBox(0) + " : " + element +
      ", " + viewType(0, element));
}

std::string KernelText::text() const {
  std::string header = "func.func @k(";
  for (size_t i = 0; i < arguments.size(); ++i)
    header += (i ? ", " : "") + arguments[i];
  return "module {\n" + header + ") attributes {tw.kernel} {\n" +
         "  %zero = arith.constant 0 : i64\n" + body + "  return\n}\n}\n";
}

} // namespace tilewright::simt::test
