// RUN: tw-opt %s --simt-assign-layouts | FileCheck %s

!v = !kernel.view<1, f16>

// Vectors of 16 bytes, then lanes, then warps, then registers again.
// CHECK-LABEL: func @access
// CHECK: kernel.load
// CHECK-SAME{LITERAL}: -> tensor<2048xf16, #simt.layout<warp=[[256], [512]], lane=[[8], [16], [32], [64], [128]], register=[[1], [2], [4], [1024]] -> dim0=2048>>
func.func @access(%p: !kernel.ptr<f16>, %i: i64) attributes {tw.kernel, simt.num_warps = 4 : i32, simt.lanes = 32 : i32} {
  %c1 = arith.constant 1 : i64
  %v = kernel.view %p sizes [%i] strides [%c1] : !kernel.ptr<f16> -> !v
  %x = kernel.load %v[%i] lo [%i] hi [%i] boundary [1] : !v -> tensor<2048xf16>
  kernel.store %x, %v[%i] lo [%i] hi [%i] boundary [1] : tensor<2048xf16>, !v
  return
}

// A tensor smaller than the block: lanes hold copies.
// CHECK-LABEL: func @small
// CHECK{LITERAL}: kernel.range 0 to 4 : tensor<4xi32, #simt.layout<warp=[[0]], lane=[[1], [2], [0]], register=[] -> dim0=4>>
func.func @small() attributes {tw.kernel, simt.num_warps = 2 : i32, simt.lanes = 8 : i32} {
  %x = kernel.range 0 to 4 : tensor<4xi32>
  %y = arith.addi %x, %x : tensor<4xi32>
  return
}

// What a broadcast reads is spread like its result; constants get a type too.
// CHECK-LABEL: func @broadcast
// CHECK: arith.constant dense<1.000000e+00> : tensor<4x8xf32, #simt
// CHECK: simt.convert_layout
// CHECK: simt.broadcast
func.func @broadcast() attributes {tw.kernel, simt.num_warps = 1 : i32, simt.lanes = 4 : i32} {
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %x = kernel.range 0 to 4 : tensor<4xi32>
  %f = arith.sitofp %x : tensor<4xi32> to tensor<4xf32>
  %b = simt.broadcast %f [1] : tensor<4xf32> -> tensor<4x8xf32>
  %s = arith.addf %b, %one : tensor<4x8xf32>
  return
}
