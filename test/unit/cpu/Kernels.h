//===- Kernels.h - Kernel IR used by several tests --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of small kernels, with the element type left open where that helps.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_CPU_KERNELS_H
#define TILEWRIGHT_TEST_UNIT_CPU_KERNELS_H

#include <string>

namespace tilewright::cpu::test {

inline std::string replaceAll(std::string text, const std::string &from,
                              const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// o[i] = x[i] + y[i] for i < n, 256 elements a program.
inline std::string addKernel(const std::string &attributes = "") {
  return replaceAll(R"(
func.func @add(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32},
    %o: !kernel.ptr<f32> {tw.name = "o", tw.dtype = "*fp32", tw.index = 2 : i32},
    %n: i32 {tw.name = "n", tw.dtype = "i32", tw.index = 3 : i32ATTRIBUTES})
    attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %block = arith.constant 256 : i32
  %pid = kernel.program_id 0 : i32
  %start32 = arith.muli %pid, %block : i32
  %start = arith.extsi %start32 : i32 to i64
  %size = arith.extsi %n : i32 to i64
  %xv = kernel.view %x sizes [%size] strides [%one] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%size] strides [%one] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %ov = kernel.view %o sizes [%size] strides [%one] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %a = kernel.load %xv[%start] lo [%zero] hi [%size] boundary [0] : !kernel.view<1, f32> -> tensor<256xf32>
  %b = kernel.load %yv[%start] lo [%zero] hi [%size] boundary [0] : !kernel.view<1, f32> -> tensor<256xf32>
  %s = arith.addf %a, %b : tensor<256xf32>
  kernel.store %s, %ov[%start] lo [%zero] hi [%size] boundary [0] : tensor<256xf32>, !kernel.view<1, f32>
  return
}
)",
                    "ATTRIBUTES", attributes);
}

/// Copies n elements of type ELEMENT through views, 64 a program.
inline std::string copyThroughViews(const std::string &element,
                                    const std::string &dtype) {
  return replaceAll(replaceAll(R"(
func.func @copy(
    %x: !kernel.ptr<ELEMENT> {tw.name = "x", tw.dtype = "*DTYPE", tw.index = 0 : i32},
    %o: !kernel.ptr<ELEMENT> {tw.name = "o", tw.dtype = "*DTYPE", tw.index = 1 : i32},
    %n: i32 {tw.name = "n", tw.dtype = "i32", tw.index = 2 : i32})
    attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %block = arith.constant 64 : i32
  %pid = kernel.program_id 0 : i32
  %start32 = arith.muli %pid, %block : i32
  %start = arith.extsi %start32 : i32 to i64
  %size = arith.extsi %n : i32 to i64
  %xv = kernel.view %x sizes [%size] strides [%one] : !kernel.ptr<ELEMENT> -> !kernel.view<1, ELEMENT>
  %ov = kernel.view %o sizes [%size] strides [%one] : !kernel.ptr<ELEMENT> -> !kernel.view<1, ELEMENT>
  %a = kernel.load %xv[%start] lo [%zero] hi [%size] boundary [0] : !kernel.view<1, ELEMENT> -> tensor<64xELEMENT>
  kernel.store %a, %ov[%start] lo [%zero] hi [%size] boundary [0] : tensor<64xELEMENT>, !kernel.view<1, ELEMENT>
  return
}
)",
                               "ELEMENT", element),
                    "DTYPE", dtype);
}

/// The same through gather and scatter with a mask.
inline std::string copyThroughGather(const std::string &element,
                                     const std::string &dtype) {
  return replaceAll(replaceAll(R"(
func.func @copy(
    %x: !kernel.ptr<ELEMENT> {tw.name = "x", tw.dtype = "*DTYPE", tw.index = 0 : i32},
    %o: !kernel.ptr<ELEMENT> {tw.name = "o", tw.dtype = "*DTYPE", tw.index = 1 : i32},
    %n: i32 {tw.name = "n", tw.dtype = "i32", tw.index = 2 : i32})
    attributes {tw.kernel} {
  %block = arith.constant 64 : i32
  %pid = kernel.program_id 0 : i32
  %start = arith.muli %pid, %block : i32
  %starts = tensor.splat %start : tensor<64xi32>
  %lane = kernel.range 0 to 64 : tensor<64xi32>
  %at = arith.addi %starts, %lane : tensor<64xi32>
  %sizes = tensor.splat %n : tensor<64xi32>
  %mask = arith.cmpi slt, %at, %sizes : tensor<64xi32>
  %a = kernel.gather %x [%at : tensor<64xi32>] mask %mask : tensor<64xi1> : !kernel.ptr<ELEMENT> -> tensor<64xELEMENT>
  kernel.scatter %a, %o [%at : tensor<64xi32>] mask %mask : tensor<64xi1> : tensor<64xELEMENT>, !kernel.ptr<ELEMENT>
  return
}
)",
                               "ELEMENT", element),
                    "DTYPE", dtype);
}

} // namespace tilewright::cpu::test

#endif // TILEWRIGHT_TEST_UNIT_CPU_KERNELS_H
