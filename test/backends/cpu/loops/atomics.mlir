// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=16" --split-input-file | FileCheck %s

// Element by element, under the mask; old values are kept only if wanted.
// CHECK-LABEL: func.func @add
// CHECK-SAME: tw.scratch_bytes = 0 : i64
// CHECK: scf.for
// CHECK:   scf.if {{.*}} -> (i32) {
// CHECK:     llvm.atomicrmw add {{.*}} monotonic
// CHECK:   } else {
func.func @add(
    %x: !kernel.ptr<i32> {tw.name = "x", tw.dtype = "*i32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  %limit = arith.constant dense<5> : tensor<8xi32>
  %range = kernel.range 0 to 8 : tensor<8xi32>
  %mask = arith.cmpi slt, %range, %limit : tensor<8xi32>
  %old = kernel.atomic_rmw add relaxed gpu %range, %x [%range : tensor<8xi32>] mask %mask : tensor<8xi1>
      : tensor<8xi32>, !kernel.ptr<i32> -> tensor<8xi32>
  return
}

// -----

// f16 has no atomic instruction: the sum is made in f32 and exchanged.
// CHECK-LABEL: func.func @half
// CHECK: scf.while
// CHECK:   arith.extf
// CHECK:   arith.addf {{.*}} : f32
// CHECK:   arith.truncf
// CHECK:   llvm.cmpxchg {{.*}} acq_rel acquire
func.func @half(
    %x: !kernel.ptr<f16> {tw.name = "x", tw.dtype = "*fp16", tw.index = 0 : i32},
    %v: f16 {tw.name = "v", tw.dtype = "fp16", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %old = kernel.atomic_rmw fadd acq_rel gpu %v, %x : f16, !kernel.ptr<f16> -> f16
  return
}

// -----

// A release store cannot fail as a release.
// CHECK-LABEL: func.func @exchange
// CHECK: llvm.cmpxchg {{.*}} release monotonic
func.func @exchange(
    %x: !kernel.ptr<i32> {tw.name = "x", tw.dtype = "*i32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %old = kernel.atomic_cas release gpu %c0, %c1, %x : i32, !kernel.ptr<i32> -> i32
  return
}
