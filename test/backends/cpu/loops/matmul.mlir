// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=32 register-count=16 fma" | FileCheck %s

// The carried accumulator is updated in place: one buffer of 32 x 32, one for
// each operand, no copies. Four rows of two vectors stay in registers over K.
// CHECK-LABEL: func.func @gemm
// CHECK-SAME: tw.scratch_bytes = 8192 : i64
// CHECK: scf.for
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-8: math.fma
// CHECK-NOT: math.fma
func.func @gemm(
    %a: !kernel.ptr<f32> {tw.name = "a", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %b: !kernel.ptr<f32> {tw.name = "b", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint},
    %c: !kernel.ptr<f32> {tw.name = "c", tw.dtype = "*fp32", tw.index = 2 : i32, tw.disjoint},
    %k: i64 {tw.name = "k", tw.dtype = "i64", tw.index = 3 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 32 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %av = kernel.view %a sizes [%n, %k] strides [%k, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %bv = kernel.view %b sizes [%k, %n] strides [%n, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %cv = kernel.view %c sizes [%n, %n] strides [%n, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %r = scf.for %i = %c0 to %k step %n iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i64 {
    %at = kernel.load %av[%c0, %i] lo [%c0, %c0] hi [%n, %k] boundary [1, 1] : !kernel.view<2, f32> -> tensor<32x16xf32>
    %bt = kernel.load %bv[%i, %c0] lo [%c0, %c0] hi [%k, %n] boundary [1, 1] : !kernel.view<2, f32> -> tensor<16x32xf32>
    %next = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32}
        ins(%at, %bt : tensor<32x16xf32>, tensor<16x32xf32>) outs(%acc : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  }
  kernel.store %r, %cv[%c0, %c0] lo [%c0, %c0] hi [%n, %n] boundary [1, 1] : tensor<32x32xf32>, !kernel.view<2, f32>
  return
}
