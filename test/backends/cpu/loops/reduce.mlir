// RUN: tw-opt %s --cpu-lower-to-loops="vector-bytes=32" --split-input-file | FileCheck %s

// A softmax over one tile makes three passes: the exponential, which two nests
// want, is stored by the nest that sums it.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: tw.scratch_bytes = 1024 : i64
// CHECK: %[[MAX:.*]] = scf.for {{.*}} -> (vector<[[W:.*]]xf32>)
// CHECK:   arith.maxnumf
// CHECK: vector.shuffle
// CHECK: scf.for {{.*}} -> (vector<
// CHECK:   %[[E:.*]] = math.exp
// CHECK:   llvm.store %[[E]]
// CHECK:   arith.addf
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK:   arith.divf
// CHECK:   llvm.store
func.func @softmax(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<256xf32>
  %max = "kernel.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<256xf32>) -> f32
  %maxes = tensor.splat %max : tensor<256xf32>
  %shifted = arith.subf %t, %maxes : tensor<256xf32>
  %e = math.exp %shifted : tensor<256xf32>
  %sum = "kernel.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    kernel.yield %s : f32
  }) : (tensor<256xf32>) -> f32
  %sums = tensor.splat %sum : tensor<256xf32>
  %r = arith.divf %e, %sums : tensor<256xf32>
  kernel.store %r, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<256xf32>, !kernel.view<1, f32>
  return
}

// -----

// Lanes run along the dimension that is kept; no horizontal step.
// CHECK-LABEL: func.func @columns
// CHECK: scf.for
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf32>)
// CHECK:     llvm.load {{.*}} -> vector<32xf32>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @columns(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32, tw.disjoint},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32, tw.disjoint})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %xv = kernel.view %x sizes [%n, %n] strides [%n, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0, %c0] lo [%c0, %c0] hi [%n, %n] boundary [1, 1] : !kernel.view<2, f32> -> tensor<64x64xf32>
  %s = "kernel.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<64x64xf32>) -> tensor<64xf32>
  kernel.store %s, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<64xf32>, !kernel.view<1, f32>
  return
}

// -----

// The stated order folds the upper half onto the lower one in memory.
// CHECK-LABEL: func.func @stated
// CHECK-SAME: tw.scratch_bytes = 64 : i64
// CHECK-COUNT-4: arith.addf
// CHECK-NOT: arith.addf
func.func @stated(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [] strides [] : !kernel.ptr<f32> -> !kernel.view<0, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<16xf32>
  %s = "kernel.reduce"(%t) <{axis = 0 : i32, order = #kernel<order stated>}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<16xf32>) -> f32
  kernel.store %s, %yv[] lo [] hi [] boundary [] : f32, !kernel.view<0, f32>
  return
}
