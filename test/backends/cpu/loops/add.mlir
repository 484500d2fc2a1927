// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=64 register-count=32 fma mask-registers" | FileCheck %s
// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=16" | FileCheck %s --check-prefix=SMALL

// Adds two vectors, one tile a program, the last tile checked.
func.func @add(
    %x_ptr: !kernel.ptr<f32> {tw.name = "x_ptr", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y_ptr: !kernel.ptr<f32> {tw.name = "y_ptr", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint},
    %out_ptr: !kernel.ptr<f32> {tw.name = "out_ptr", tw.dtype = "*fp32", tw.index = 2 : i32, tw.disjoint},
    %n: i32 {tw.name = "n", tw.dtype = "i32", tw.index = 3 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i32
  %pid = kernel.program_id 0 : i32
  %start = arith.muli %pid, %c1024 : i32
  %offset = arith.extsi %start : i32 to i64
  %hi = arith.extsi %n : i32 to i64
  %xv = kernel.view %x_ptr sizes [%hi] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y_ptr sizes [%hi] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %ov = kernel.view %out_ptr sizes [%hi] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %x = kernel.load %xv[%offset] lo [%c0] hi [%hi] boundary [0] : !kernel.view<1, f32> -> tensor<1024xf32>
  %y = kernel.load %yv[%offset] lo [%c0] hi [%hi] boundary [0] : !kernel.view<1, f32> -> tensor<1024xf32>
  %sum = arith.addf %x, %y : tensor<1024xf32>
  kernel.store %sum, %ov[%offset] lo [%c0] hi [%hi] boundary [0] : tensor<1024xf32>, !kernel.view<1, f32>
  return
}

// Arguments come out of the packed block, chunks within bounds are not masked.
// CHECK-LABEL: func.func @add(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: !llvm.ptr, %arg8: !llvm.ptr {llvm.noalias})
// CHECK-SAME: tw.scratch_bytes = 0 : i64
// CHECK: llvm.getelementptr %arg0[24]
// CHECK-NEXT: llvm.load {{.*}} -> i32
// CHECK: scf.for {{.*}} : i64 {
// CHECK:   scf.if
// CHECK:     %[[X:.*]] = llvm.load {{.*}} -> vector<32xf32>
// CHECK:     %[[Y:.*]] = llvm.load {{.*}} -> vector<32xf32>
// CHECK:     %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : vector<32xf32>
// CHECK:     llvm.store %[[SUM]]
// CHECK:   } else {
// CHECK:     llvm.intr.masked.load
// CHECK:     llvm.intr.masked.store
// CHECK-NOT: tensor

// Without mask registers the rest goes element by element.
// SMALL: llvm.load {{.*}} -> vector<8xf32>
// SMALL: } else {
// SMALL:   scf.for
// SMALL-NOT: masked
// SMALL:     scf.if
// SMALL:       llvm.load {{.*}} -> f32
// SMALL:   {llvm.loop_annotation
