// RUN: tw-opt %s -cpu-pipeline="target=cpu:x86-64-v3" | FileCheck %s
// RUN: tw-opt %s -cpu-pipeline="target=cpu:x86-64-v4" | FileCheck %s --check-prefix=WIDE

// From Kernel IR to the LLVM dialect: one visible function a kernel, vectors as wide as the target's.

// CHECK-LABEL: llvm.func @scale(
// CHECK-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr)
// CHECK: llvm.call @scale.program
// CHECK: llvm.func internal @scale.program(
// CHECK-SAME: always_inline
// CHECK: llvm.fmul %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NOT: tensor
// WIDE: llvm.fmul %{{.*}}, %{{.*}} : vector<32xf32>
func.func @scale(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %s: f32 {tw.name = "s", tw.dtype = "fp32", tw.index = 1 : i32}) attributes {tw.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 128 : i64
  %v = kernel.view %x sizes [%size] strides [%one] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %a = kernel.load %v[%zero] lo [%zero] hi [%size] boundary [1] : !kernel.view<1, f32> -> tensor<128xf32>
  %b = tensor.splat %s : tensor<128xf32>
  %c = arith.mulf %a, %b : tensor<128xf32>
  kernel.store %c, %v[%zero] lo [%zero] hi [%size] boundary [1] : tensor<128xf32>, !kernel.view<1, f32>
  return
}
