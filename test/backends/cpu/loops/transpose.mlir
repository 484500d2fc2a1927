// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=32" --split-input-file | FileCheck %s

// The right operand of an A * B^T product is read along its rows and turned in
// registers, eight vectors at a time: three rounds of eight shuffles.
// CHECK-LABEL: func.func @turn
// CHECK: scf.for {{.*}} step %c8_i64
// CHECK:   scf.for {{.*}} step %c8_i64
// CHECK-COUNT-8: llvm.load {{.*}} -> vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-8: llvm.store {{.*}} : vector<8xf32>
// CHECK-NOT: masked.gather
func.func @turn(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %xv = kernel.view %x sizes [%c16, %c16] strides [%c16, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %yv = kernel.view %y sizes [%c16, %c16] strides [%c16, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %t = kernel.load %xv[%c0, %c0] lo [%c0, %c0] hi [%c16, %c16] boundary [1, 1] : !kernel.view<2, f32> -> tensor<16x16xf32>
  %empty = tensor.empty() : tensor<16x16xf32>
  %turned = linalg.transpose ins(%t : tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) permutation = [1, 0]
  %p = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32}
      ins(%one, %turned : tensor<16x16xf32>, tensor<16x16xf32>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  kernel.store %p, %yv[%c0, %c0] lo [%c0, %c0] hi [%c16, %c16] boundary [1, 1] : tensor<16x16xf32>, !kernel.view<2, f32>
  return
}

// -----

// A view whose first stride is one is the same case without a transpose.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: masked.gather
func.func @columns(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint},
    %stride: i64 {tw.name = "stride", tw.dtype = "i64", tw.index = 2 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %xv = kernel.view %x sizes [%c16, %c16] strides [%c1, %stride] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %yv = kernel.view %y sizes [%c16, %c16] strides [%c16, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %t = kernel.load %xv[%c0, %c0] lo [%c0, %c0] hi [%c16, %c16] boundary [1, 1] : !kernel.view<2, f32> -> tensor<16x16xf32>
  %p = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32}
      ins(%one, %t : tensor<16x16xf32>, tensor<16x16xf32>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  kernel.store %p, %yv[%c0, %c0] lo [%c0, %c0] hi [%c16, %c16] boundary [1, 1] : tensor<16x16xf32>, !kernel.view<2, f32>
  return
}

// -----

// The exponentials lie along the columns of memory and are read twice: by the
// fold in stated order, which works on a copy, and by the division. Turned
// blocks go to the buffer that is kept, and from there to the copy.
// CHECK-LABEL: func.func @kept_and_folded
// CHECK-SAME: tw.scratch_bytes = 2112 : i64
// CHECK-DAG: %[[KEPT:.*]] = llvm.getelementptr inbounds %{{.*}}[1088]
// CHECK-DAG: %[[COPY:.*]] = llvm.getelementptr inbounds %{{.*}}[64]
// CHECK: math.exp
// CHECK: llvm.getelementptr %[[KEPT]][
// CHECK-NEXT: llvm.store
// CHECK: llvm.getelementptr %[[COPY]][
// CHECK-NEXT: llvm.store
// CHECK: arith.divf
func.func @kept_and_folded(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %xv = kernel.view %x sizes [%c16, %c16] strides [%c1, %c16] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %yv = kernel.view %y sizes [%c16, %c16] strides [%c16, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %t = kernel.load %xv[%c0, %c0] lo [%c0, %c0] hi [%c16, %c16] boundary [1, 1] : !kernel.view<2, f32> -> tensor<16x16xf32>
  %e = math.exp %t : tensor<16x16xf32>
  %s = "kernel.reduce"(%e) <{axis = 1 : i32, order = #kernel<order stated>}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  %empty = tensor.empty() : tensor<16x16xf32>
  %spread = linalg.broadcast ins(%s : tensor<16xf32>) outs(%empty : tensor<16x16xf32>) dimensions = [1]
  %d = arith.divf %e, %spread : tensor<16x16xf32>
  kernel.store %d, %yv[%c0, %c0] lo [%c0, %c0] hi [%c16, %c16] boundary [1, 1] : tensor<16x16xf32>, !kernel.view<2, f32>
  return
}
