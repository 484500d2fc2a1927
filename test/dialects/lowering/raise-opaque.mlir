// RUN: tw-opt %s --tile-raise-accesses=remarks --split-input-file -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// A truncation wraps as written: its result is an index like a loaded one.
// CHECK-LABEL: func.func @truncated
// CHECK: kernel.gather
// CHECK: kernel.scatter
func.func @truncated(%p: !tile.ptr<f32>, %n: i64) {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %w = arith.extsi %r : tensor<8xi32> to tensor<8xi64>
  %ns = tile.splat %n : i64 -> tensor<8xi64>
  %s = arith.addi %w, %ns : tensor<8xi64>
  %t = arith.trunci %s : tensor<8xi64> to tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %t : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // expected-remark @+1 {{raise: the access is a gather or scatter: every offset is a computed index}}
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  // expected-remark @+1 {{every offset is a computed index}}
  tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// So do unsigned sums and zero extensions, and a tensor of two dimensions that
// is no box is named.
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[Z:.*]] = arith.extui
// CHECK: kernel.gather %{{.*}}[%[[Z]] : tensor<8xi64>]
// CHECK: kernel.gather
func.func @unsigned(%p: !tile.ptr<f32>, %n: i32) {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %s = arith.addi %r, %ns : tensor<8xi32>
  %z = arith.extui %s : tensor<8xi32> to tensor<8xi64>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %z : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
  // expected-remark @+1 {{every offset is a computed index}}
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %r1 = tile.reshape %r : tensor<8xi32> -> tensor<8x1xi32>
  %r2 = tile.reshape %r : tensor<8xi32> -> tensor<1x8xi32>
  %b1 = tile.broadcast %r1 : tensor<8x1xi32> -> tensor<8x8xi32>
  %b2 = tile.broadcast %r2 : tensor<1x8xi32> -> tensor<8x8xi32>
  %u = arith.addi %b1, %b2 {tw.unsigned} : tensor<8x8xi32>
  %qs = tile.splat %p : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %b = tile.addptr %qs, %u : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
  // expected-remark @+1 {{the offsets depend on 'arith.addi', which is not affine in the position}}
  %y = tile.load %b : tensor<8x8x!tile.ptr<f32>> -> tensor<8x8xf32>
  // expected-remark @+1 {{not affine}}
  tile.store %b, %y : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xf32>
  // expected-remark @+1 {{every offset is a computed index}}
  tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// Scalars may be anything: a remainder, a loaded value. Index products are
// computed in 64 bits, the written 32-bit product is not used.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME: %[[S:[a-z0-9]+]]: i32
// CHECK-DAG: %[[SW:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK-DAG: %[[Q:.*]] = arith.remsi
// CHECK-DAG: %[[QW:.*]] = arith.extsi %[[Q]] : i32 to i64
// CHECK-DAG: arith.muli %[[SW]], %[[QW]] : i64
// CHECK-NOT: arith.muli {{.*}} : i32
// CHECK: kernel.load
func.func @scalars(%p: !tile.ptr<f32>, %t: !tile.ptr<i32>, %s: i32) {
  %c7 = arith.constant 7 : i32
  %pid = tile.program_id 0 : i32
  %q = arith.remsi %pid, %c7 : i32
  %l = tile.load %t : !tile.ptr<i32> -> i32
  %m = arith.muli %q, %s : i32
  %o = arith.addi %m, %l : i32
  %os = tile.splat %o : i32 -> tensor<8xi32>
  %r = tile.range 0 to 8 : tensor<8xi32>
  %k = arith.addi %os, %r : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %k : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // expected-remark @+1 {{the access is a box}}
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  // expected-remark @+1 {{the access is a box}}
  tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// Pointers from memory have no common base.
// CHECK-LABEL: func.func @table
// CHECK: tile.load {{.*}} -> tensor<8x!tile.ptr<f32>>
// CHECK: tile.load
func.func @table(%t: !tile.ptr<!tile.ptr<f32>>) {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ts = tile.splat %t : !tile.ptr<!tile.ptr<f32>> -> tensor<8x!tile.ptr<!tile.ptr<f32>>>
  %a = tile.addptr %ts, %r : tensor<8x!tile.ptr<!tile.ptr<f32>>>, tensor<8xi32>
  // expected-remark @+1 {{its elements are pointers}}
  %p = tile.load %a : tensor<8x!tile.ptr<!tile.ptr<f32>>> -> tensor<8x!tile.ptr<f32>>
  // expected-remark @+1 {{the pointers come from 'tile.load'}}
  %x = tile.load %p : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  // expected-remark @+1 {{the pointers come from 'tile.load'}}
  tile.store %p, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// A box may need a mask or an index tensor beside it.
// CHECK-LABEL: func.func @partly
// CHECK: kernel.load {{.*}} mask
// CHECK: kernel.load {{.*}} index
func.func @partly(%p: !tile.ptr<f32>, %n: i32) {
  %c2 = arith.constant dense<2> : tensor<8xi32>
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi ne, %r, %c2 : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // expected-remark @+1 {{raise: the access is a box, part of the mask is no bound}}
  %x = tile.load %a mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  // expected-remark @+1 {{raise: the access is a box}}
  tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  %w = arith.remsi %r, %ns : tensor<8xi32>
  %i = tile.reshape %w : tensor<8xi32> -> tensor<8x1xi32>
  %ib = tile.broadcast %i : tensor<8x1xi32> -> tensor<8x4xi32>
  %c = tile.range 0 to 4 : tensor<4xi32>
  %j = tile.reshape %c : tensor<4xi32> -> tensor<1x4xi32>
  %jb = tile.broadcast %j : tensor<1x4xi32> -> tensor<8x4xi32>
  %o = arith.addi %ib, %jb : tensor<8x4xi32>
  %qs = tile.splat %p : !tile.ptr<f32> -> tensor<8x4x!tile.ptr<f32>>
  %b = tile.addptr %qs, %o : tensor<8x4x!tile.ptr<f32>>, tensor<8x4xi32>
  // expected-remark @+1 {{raise: the access is a box with computed indices along dimension 0: the operands of '%' are not proved to be positive}}
  %y = tile.load %b : tensor<8x4x!tile.ptr<f32>> -> tensor<8x4xf32>
  // expected-remark @+1 {{computed indices along dimension 0}}
  tile.store %b, %y : tensor<8x4x!tile.ptr<f32>>, tensor<8x4xf32>
  return
}
