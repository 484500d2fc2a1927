// RUN: tw-opt %s --simt-stride-programs=limit-bytes=128 | FileCheck %s
// RUN: tw-opt %s --simt-stride-programs | FileCheck %s --check-prefix=OFF

// OFF-NOT: simt.strided
// OFF-NOT: scf.for

// The next row is loaded before this one is reduced; what does not depend on the program stays in its place.
// CHECK-LABEL: func @rows
// CHECK-SAME: simt.strided
// CHECK: %[[ID:.*]] = kernel.program_id 0
// CHECK: %[[COUNT:.*]] = kernel.num_programs 0
// CHECK: %[[PROGRAMS:.*]] = arith.extui %[[COUNT]] : i32 to i64
// CHECK: %[[BLOCKS:.*]] = simt.num_blocks : i32
// CHECK: %[[STEP:.*]] = arith.extui %[[BLOCKS]] : i32 to i64
// CHECK: %[[FIRST:.*]] = kernel.load
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[PROGRAMS]] step %[[STEP]] iter_args(%[[ROW:.*]] = %[[FIRST]]) -> (tensor<1024xf32>)
// CHECK: %[[OWN:.*]] = arith.trunci %[[I]] : i64 to i32
// CHECK: %[[AHEAD:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OWN]] : i32
// CHECK: arith.extsi %[[AHEAD]]
// CHECK: %[[NEXT:.*]] = kernel.load
// CHECK: "kernel.reduce"(%[[ROW]])
// CHECK: kernel.load
// CHECK: kernel.store
// CHECK: scf.yield %[[NEXT]]
func.func @rows(%x: !kernel.ptr<f32>, %w: !kernel.ptr<f32>, %o: !kernel.ptr<f32>, %n: i64)
    attributes {tw.kernel, simt.num_warps = 4 : i32, simt.lanes = 32 : i32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %p = kernel.program_id 0 : i32
  %q = arith.extsi %p : i32 to i64
  %f = arith.muli %q, %n : i64
  %v = kernel.view %x + %f sizes[%n] strides[%c1] : <f32> -> <1, f32>
  %t = kernel.load %v[%c0] lo[%c0] hi[%n] boundary [0] : <1, f32> -> tensor<1024xf32>
  %s = "kernel.reduce"(%t) <{axis = 0 : i32, order = #kernel<order any>}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<1024xf32>) -> f32
  %u = kernel.view %w sizes[%n] strides[%c1] : <f32> -> <1, f32>
  %k = kernel.load %u[%c0] lo[%c0] hi[%n] boundary [0] : <1, f32> -> tensor<1024xf32>
  %l = tensor.splat %s : tensor<1024xf32>
  %r = arith.mulf %k, %l : tensor<1024xf32>
  %z = kernel.view %o + %f sizes[%n] strides[%c1] : <f32> -> <1, f32>
  kernel.store %r, %z[%c0] lo[%c0] hi[%n] boundary [0] : tensor<1024xf32>, <1, f32>
  return
}

// A load behind a store may have to see it.
// CHECK-LABEL: func @storeFirst
// CHECK-NOT: simt.strided
// CHECK-NOT: scf.for
func.func @storeFirst(%x: !kernel.ptr<f32>, %n: i64, %y: tensor<1024xf32>)
    attributes {tw.kernel, simt.num_warps = 4 : i32, simt.lanes = 32 : i32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %p = kernel.program_id 0 : i32
  %q = arith.extsi %p : i32 to i64
  %v = kernel.view %x + %q sizes[%n] strides[%c1] : <f32> -> <1, f32>
  kernel.store %y, %v[%c0] lo[%c0] hi[%n] boundary [0] : tensor<1024xf32>, <1, f32>
  %t = kernel.load %v[%c0] lo[%c0] hi[%n] boundary [0] : <1, f32> -> tensor<1024xf32>
  %s = "kernel.reduce"(%t) <{axis = 0 : i32, order = #kernel<order any>}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<1024xf32>) -> f32
  %l = tensor.splat %s : tensor<1024xf32>
  kernel.store %l, %v[%c0] lo[%c0] hi[%n] boundary [0] : tensor<1024xf32>, <1, f32>
  return
}

// What is seen outside keeps its order.
// CHECK-LABEL: func @ordered
// CHECK-NOT: simt.strided
// CHECK-NOT: scf.for
func.func @ordered(%x: !kernel.ptr<f32>, %n: i64)
    attributes {tw.kernel, simt.num_warps = 4 : i32, simt.lanes = 32 : i32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %p = kernel.program_id 0 : i32
  %q = arith.extsi %p : i32 to i64
  %v = kernel.view %x + %q sizes[%n] strides[%c1] : <f32> -> <1, f32>
  %t = kernel.load %v[%c0] lo[%c0] hi[%n] boundary [0] : <1, f32> -> tensor<1024xf32>
  %s = "kernel.reduce"(%t) <{axis = 0 : i32, order = #kernel<order any>}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    kernel.yield %m : f32
  }) : (tensor<1024xf32>) -> f32
  kernel.print "s" %s : f32 {signedness = array<i1: true>}
  return
}
