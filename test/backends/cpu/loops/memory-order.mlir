// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=16" --split-input-file | FileCheck %s

// x and y may overlap: all of x is read before y is written.
// CHECK-LABEL: func.func @may_alias
// CHECK-SAME: tw.scratch_bytes = 256 : i64
// CHECK: scf.for
// CHECK: scf.for
func.func @may_alias(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<64xf32>
  kernel.store %t, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  return
}

// -----

// Both are declared disjoint: one loop, no scratch memory.
// CHECK-LABEL: func.func @disjoint
// CHECK-SAME: tw.scratch_bytes = 0 : i64
// CHECK: scf.for
// CHECK-NOT: scf.for
func.func @disjoint(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<64xf32>
  kernel.store %t, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  return
}

// -----

// An update of the same elements may stay in one loop.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: tw.scratch_bytes = 0 : i64
func.func @in_place(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<64xf32>
  %u = arith.mulf %t, %t : tensor<64xf32>
  kernel.store %u, %xv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  return
}

// -----

// The old elements are wanted after the write: they are kept.
// CHECK-LABEL: func.func @read_before_write
// CHECK-SAME: tw.scratch_bytes = 256 : i64
func.func @read_before_write(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<64xf32>
  kernel.store %zero, %xv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  kernel.store %t, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  return
}

// -----

// A volatile read happens once for every element, where it stands.
// CHECK-LABEL: func.func @volatile
// CHECK: scf.for {{.*}} step %c1_i64
// CHECK:   scf.if
// CHECK:     llvm.load volatile {{.*}} -> f32
// CHECK-NOT: masked
func.func @volatile(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %n: i64 {tw.name = "n", tw.dtype = "i64", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [0] volatile : !kernel.view<1, f32> -> tensor<64xf32>
  return
}
