// RUN: tw-opt %s --tile-to-kernel --mlir-print-debuginfo | FileCheck %s

// Accesses and loops keep the user's locations; the view stays outside of the
// loop.
// CHECK-LABEL: func.func @locations
// CHECK: %[[V:.*]] = kernel.view
// CHECK: scf.for
// CHECK: kernel.load %[[V]]{{.*}} loc(#[[LOAD:.*]])
// CHECK: kernel.store {{.*}} loc(#[[STORE:.*]])
// CHECK: } {tw.opt.loop = {num_stages = 2 : i32}} loc(#[[LOOP:.*]])
// CHECK-DAG: #[[LOOP]] = loc("k.py":3:5)
// CHECK-DAG: #[[LOAD]] = loc("k.py":4:9)
// CHECK-DAG: #[[STORE]] = loc("k.py":5:9)
func.func @locations(%p: !tile.ptr<f32>, %s: i32, %n: i32) attributes {tw.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %ss = tile.splat %s : i32 -> tensor<8xi32>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a) -> (tensor<8x!tile.ptr<f32>>) : i32 {
    %x = tile.load %q : tensor<8x!tile.ptr<f32>> -> tensor<8xf32> loc("k.py":4:9)
    tile.store %q, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32> loc("k.py":5:9)
    %next = tile.addptr %q, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    scf.yield %next : tensor<8x!tile.ptr<f32>>
  } {tw.opt.loop = {num_stages = 2 : i32}} loc("k.py":3:5)
  return
}
