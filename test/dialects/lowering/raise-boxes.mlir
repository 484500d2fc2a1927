// RUN: tw-opt %s --tile-to-kernel --split-input-file | FileCheck %s

// Negative strides are strides: the row is read backwards from its end.
// CHECK-LABEL: func.func @reversed
// CHECK-SAME: %[[P:[a-z0-9]+]]: !kernel.ptr<f32>, %[[N:[a-z0-9]+]]: i32
// CHECK-DAG: %[[M1:.*]] = arith.constant -1 : i64
// CHECK-DAG: %[[NW:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG: %[[END:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: kernel.view %[[P]] + %[[END]] sizes[%[[NW]]] strides[%[[M1]]]
// CHECK: kernel.load %{{.*}}[%[[C0:.*]]] lo[%[[C0]]] hi[%[[NW]]] boundary [0]
func.func @reversed(%p: !tile.ptr<f32>, %n: i32) attributes {tw.kernel} {
  %c1 = arith.constant 1 : i32
  %r = tile.range 0 to 8 : tensor<8xi32>
  %last = arith.subi %n, %c1 : i32
  %ls = tile.splat %last : i32 -> tensor<8xi32>
  %o = arith.subi %ls, %r : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  tile.store %a, %x mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// Paged rows: the row numbers are loaded, the columns are a range. The bound on
// rows counts tile rows, so it stays a mask.
// CHECK-LABEL: func.func @paged
// CHECK: %[[ROWS:.*]] = kernel.load {{.*}} -> tensor<4xi32>
// CHECK: %[[MASK:.*]] = linalg.broadcast
// CHECK: kernel.load {{.*}} hi[%{{.*}}, %[[N:.*]]] boundary [1, 0] index %[[ROWS]] : tensor<4xi32> index_dim 0 mask %[[MASK]] : tensor<4x16xi1> : <2, f16> -> tensor<4x16xf16>
// CHECK: kernel.store {{.*}} index %[[ROWS]] : tensor<4xi32> index_dim 0 :
func.func @paged(%p: !tile.ptr<f16>, %table: !tile.ptr<i32>, %s: i32, %m: i32, %n: i32) attributes {tw.kernel} {
  %r4 = tile.range 0 to 4 : tensor<4xi32>
  %r16 = tile.range 0 to 16 : tensor<16xi32>
  %ts = tile.splat %table : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %tp = tile.addptr %ts, %r4 : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %idx = tile.load %tp : tensor<4x!tile.ptr<i32>> -> tensor<4xi32>
  %i = tile.reshape %idx : tensor<4xi32> -> tensor<4x1xi32>
  %ss = tile.splat %s : i32 -> tensor<4x1xi32>
  %ro = arith.muli %i, %ss : tensor<4x1xi32>
  %rob = tile.broadcast %ro : tensor<4x1xi32> -> tensor<4x16xi32>
  %c = tile.reshape %r16 : tensor<16xi32> -> tensor<1x16xi32>
  %cb = tile.broadcast %c : tensor<1x16xi32> -> tensor<4x16xi32>
  %o = arith.addi %rob, %cb : tensor<4x16xi32>
  %ms = tile.splat %m : i32 -> tensor<4xi32>
  %mr = arith.cmpi slt, %r4, %ms : tensor<4xi32>
  %mr2 = tile.reshape %mr : tensor<4xi1> -> tensor<4x1xi1>
  %mrb = tile.broadcast %mr2 : tensor<4x1xi1> -> tensor<4x16xi1>
  %ns = tile.splat %n : i32 -> tensor<4x16xi32>
  %mc = arith.cmpi slt, %cb, %ns : tensor<4x16xi32>
  %mask = arith.andi %mrb, %mc : tensor<4x16xi1>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<4x16x!tile.ptr<f16>>
  %a = tile.addptr %ps, %o : tensor<4x16x!tile.ptr<f16>>, tensor<4x16xi32>
  %x = tile.load %a mask %mask : tensor<4x16xi1> : tensor<4x16x!tile.ptr<f16>> -> tensor<4x16xf16>
  tile.store %a, %x : tensor<4x16x!tile.ptr<f16>>, tensor<4x16xf16>
  return
}

// -----

// A transposed tile of pointers transposes strides.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %[[P:[a-z0-9]+]]: !kernel.ptr<f32>, %[[S:[a-z0-9]+]]: i64
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
// CHECK: kernel.view %[[P]] sizes[%{{.*}}, %{{.*}}] strides[%[[C1]], %[[S]]]
// CHECK: kernel.load {{.*}} boundary [1, 1] : <2, f32> -> tensor<8x4xf32>
func.func @transposed(%p: !tile.ptr<f32>, %s: i64) attributes {tw.kernel} {
  %r4 = tile.range 0 to 4 : tensor<4xi32>
  %r8 = tile.range 0 to 8 : tensor<8xi32>
  %i = tile.reshape %r4 : tensor<4xi32> -> tensor<4x1xi32>
  %iw = arith.extsi %i : tensor<4x1xi32> to tensor<4x1xi64>
  %ss = tile.splat %s : i64 -> tensor<4x1xi64>
  %ro = arith.muli %iw, %ss : tensor<4x1xi64>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x1x!tile.ptr<f32>>
  %a = tile.addptr %ps, %ro : tensor<4x1x!tile.ptr<f32>>, tensor<4x1xi64>
  %ab = tile.broadcast %a : tensor<4x1x!tile.ptr<f32>> -> tensor<4x8x!tile.ptr<f32>>
  %j = tile.reshape %r8 : tensor<8xi32> -> tensor<1x8xi32>
  %jb = tile.broadcast %j : tensor<1x8xi32> -> tensor<4x8xi32>
  %b = tile.addptr %ab, %jb : tensor<4x8x!tile.ptr<f32>>, tensor<4x8xi32>
  %t = tile.transpose %b [1, 0] : tensor<4x8x!tile.ptr<f32>> -> tensor<8x4x!tile.ptr<f32>>
  %x = tile.load %t : tensor<8x4x!tile.ptr<f32>> -> tensor<8x4xf32>
  tile.store %t, %x : tensor<8x4x!tile.ptr<f32>>, tensor<8x4xf32>
  return
}

// -----

// Hints survive, volatile and the value out of bounds are kept.
// CHECK-LABEL: func.func @hints
// CHECK: kernel.load {{.*}} other %{{.*}} : f32 cache cg evict evict_last volatile {tw.opt.nvidia.l2 = 1 : i32} : <1, f32>
// CHECK: kernel.store {{.*}} cache wt {tw.opt.cpu.x} :
func.func @hints(%p: !tile.ptr<f32>, %n: i32, %v: f32) attributes {tw.kernel} {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<8xi32>
  %vs = tile.splat %v : f32 -> tensor<8xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a mask %m : tensor<8xi1> other %vs : tensor<8xf32> cache cg evict evict_last volatile {tw.opt.nvidia.l2 = 1 : i32} : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  tile.store %a, %x cache wt {tw.opt.cpu.x} : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}
