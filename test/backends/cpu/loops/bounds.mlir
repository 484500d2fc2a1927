// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=32 mask-registers" | FileCheck %s

// A chunk that does not reach the end of a wrapped dimension is consecutive;
// others wrap by one division and a select.
// CHECK-LABEL: func.func @wrapped
// CHECK: arith.remsi {{.*}} : i64
// CHECK: scf.if
// CHECK:   llvm.load {{.*}} -> vector<16xf32>
// CHECK: } else {
// CHECK:   arith.remsi {{.*}} : i64
// CHECK:   scf.if
// CHECK:     arith.select {{.*}} : vector<16xi1>, vector<16xi64>
// CHECK:   llvm.intr.masked.gather
func.func @wrapped(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint},
    %n: i64 {tw.name = "n", tw.dtype = "i64", tw.index = 2 : i32},
    %o: i64 {tw.name = "o", tw.dtype = "i64", tw.index = 3 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%o] lo [%c0] hi [%n] boundary [2] : !kernel.view<1, f32> -> tensor<64xf32>
  kernel.store %t, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  return
}
