// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=16" --split-input-file | FileCheck %s

// Carried tensors that change places go through a temporary, scalars stay SSA.
// CHECK-LABEL: func.func @swap
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)  : i32 {
// CHECK-COUNT-3: llvm.store {{.*}} vector<
// CHECK:   scf.yield %{{.*}} : f32
func.func @swap(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %n: i32 {tw.name = "n", tw.dtype = "i32", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %size = arith.constant 8 : i64
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a0 = arith.constant dense<0.0> : tensor<8xf32>
  %b0 = arith.constant dense<1.0> : tensor<8xf32>
  %xv = kernel.view %x sizes [%size] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %r:3 = scf.for %i = %i0 to %n step %i1 iter_args(%a = %a0, %b = %b0, %s = %zero)
      -> (tensor<8xf32>, tensor<8xf32>, f32) : i32 {
    %next = arith.addf %s, %one : f32
    scf.yield %b, %a, %next : tensor<8xf32>, tensor<8xf32>, f32
  }
  %sum = arith.addf %r#0, %r#1 : tensor<8xf32>
  %splat = tensor.splat %r#2 : tensor<8xf32>
  %all = arith.addf %sum, %splat : tensor<8xf32>
  kernel.store %all, %xv[%c0] lo [%c0] hi [%size] boundary [1] : tensor<8xf32>, !kernel.view<1, f32>
  return
}

// -----

// CHECK-LABEL: func.func @branch
// CHECK: scf.if %{{.*}} -> (i32) {
// CHECK:   llvm.store {{.*}} vector<
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   llvm.store {{.*}} vector<
// CHECK:   scf.yield
func.func @branch(
    %x: !kernel.ptr<i32> {tw.name = "x", tw.dtype = "*i32", tw.index = 0 : i32},
    %c: i1 {tw.name = "c", tw.dtype = "i1", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %size = arith.constant 8 : i64
  %xv = kernel.view %x sizes [%size] strides [%c1] : !kernel.ptr<i32> -> !kernel.view<1, i32>
  %range = kernel.range 0 to 8 : tensor<8xi32>
  %r:2 = scf.if %c -> (tensor<8xi32>, i32) {
    %twice = arith.addi %range, %range : tensor<8xi32>
    scf.yield %twice, %i1 : tensor<8xi32>, i32
  } else {
    scf.yield %range, %i2 : tensor<8xi32>, i32
  }
  %splat = tensor.splat %r#1 : tensor<8xi32>
  %all = arith.addi %r#0, %splat : tensor<8xi32>
  kernel.store %all, %xv[%c0] lo [%c0] hi [%size] boundary [1] : tensor<8xi32>, !kernel.view<1, i32>
  return
}

// -----

// What a branch reads at indices of its own is stored before the branch, though it would be cheap to compute again.
// CHECK-LABEL: func.func @reshaped_in_a_branch
// CHECK: llvm.store {{.*}} vector<
// CHECK: scf.if
// CHECK: llvm.load {{.*}} vector<
func.func @reshaped_in_a_branch(
    %x: !kernel.ptr<i32> {tw.name = "x", tw.dtype = "*i32", tw.index = 0 : i32},
    %c: i1 {tw.name = "c", tw.dtype = "i1", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %size = arith.constant 64 : i64
  %one = arith.constant dense<1> : tensor<8x8xi32>
  %xv = kernel.view %x sizes [%size] strides [%c1] : !kernel.ptr<i32> -> !kernel.view<1, i32>
  %r = kernel.range 0 to 8 : tensor<8xi32>
  %empty = tensor.empty() : tensor<8x8xi32>
  %b = linalg.broadcast ins(%r : tensor<8xi32>) outs(%empty : tensor<8x8xi32>) dimensions = [1]
  %s = arith.addi %b, %one : tensor<8x8xi32>
  scf.if %c {
    %flat = tensor.collapse_shape %s [[0, 1]] : tensor<8x8xi32> into tensor<64xi32>
    kernel.store %flat, %xv[%c0] lo [%c0] hi [%size] boundary [1] : tensor<64xi32>, !kernel.view<1, i32>
  }
  return
}
