// RUN: tw-opt %s --tile-to-kernel --split-input-file | FileCheck %s

// Both operand orders and every signed predicate are bounds; unit and full
// extents; one bound on each dimension.
// CHECK-LABEL: func.func @unit_row
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[M2:.*]] = arith.constant -2 : i64
// CHECK: %[[PID:.*]] = kernel.program_id 0
// CHECK: %[[ROW:.*]] = arith.extsi %[[PID]]
// CHECK: %[[D:.*]] = arith.addi %[[ROW]], %[[M2]] : i64
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[D]], %[[C0]] : i64
// CHECK: %[[H:.*]] = arith.extui %[[IN]] : i1 to i64
// The columns are all in bounds; the row is a condition on a scalar, which
// makes the box empty by an upper bound of 0.
// CHECK: kernel.load %{{.*}}[%[[C0]], %[[C0]]] lo[%[[C0]], %[[C0]]] hi[%[[H]], %[[C0]]] boundary [0, 1] : <2, f32> -> tensor<1x8xf32>
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[C0]], %[[C0]]] lo[%[[C0]], %[[C0]]] hi[%[[H]], %[[C0]]] boundary [0, 1]
func.func @unit_row(%x: !tile.ptr<f32>, %s: i32) attributes {tw.kernel} {
  %pid = tile.program_id 0 : i32
  %r1 = tile.range 0 to 1 : tensor<1xi32>
  %pids = tile.splat %pid : i32 -> tensor<1xi32>
  %rows1 = arith.addi %pids, %r1 : tensor<1xi32>
  %rows = tile.reshape %rows1 : tensor<1xi32> -> tensor<1x1xi32>
  %r8 = tile.range 0 to 8 : tensor<8xi32>
  %cols = tile.reshape %r8 : tensor<8xi32> -> tensor<1x8xi32>
  %c2 = arith.constant dense<2> : tensor<1x1xi32>
  %c8 = arith.constant dense<8> : tensor<1x8xi32>
  %mr = arith.cmpi slt, %rows, %c2 : tensor<1x1xi32>
  %mc = arith.cmpi slt, %cols, %c8 : tensor<1x8xi32>
  %mrb = tile.broadcast %mr : tensor<1x1xi1> -> tensor<1x8xi1>
  %mask = arith.andi %mrb, %mc : tensor<1x8xi1>
  %ss = tile.splat %s : i32 -> tensor<1x1xi32>
  %ro = arith.muli %rows, %ss : tensor<1x1xi32>
  %rob = tile.broadcast %ro : tensor<1x1xi32> -> tensor<1x8xi32>
  %offs = arith.addi %rob, %cols : tensor<1x8xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1x8x!tile.ptr<f32>>
  %p = tile.addptr %xs, %offs : tensor<1x8x!tile.ptr<f32>>, tensor<1x8xi32>
  %v = tile.load %p mask %mask : tensor<1x8xi1> : tensor<1x8x!tile.ptr<f32>> -> tensor<1x8xf32>
  tile.store %p, %v mask %mask : tensor<1x8xi1> : tensor<1x8x!tile.ptr<f32>>, tensor<1x8xf32>
  return
}

// -----

// n > i, i >= lo, i <= hi, i == e.
// CHECK-LABEL: func.func @predicates
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32, %[[L:[a-z0-9]+]]: i32, %[[E:[a-z0-9]+]]: i32
// CHECK-DAG: %[[NW:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG: %[[LW:.*]] = arith.extsi %[[L]] : i32 to i64
// CHECK-DAG: %[[EW:.*]] = arith.extsi %[[E]] : i32 to i64
// CHECK-DAG: %[[E1:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: kernel.load %{{.*}} lo[%[[LW]]] hi[%[[NW]]] boundary [0]
// CHECK: kernel.load %{{.*}} lo[%[[EW]]] hi[%[[E1]]] boundary [0]
func.func @predicates(%x: !tile.ptr<f32>, %n: i32, %l: i32, %e: i32) attributes {tw.kernel} {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %ls = tile.splat %l : i32 -> tensor<8xi32>
  %es = tile.splat %e : i32 -> tensor<8xi32>
  %m1 = arith.cmpi sgt, %ns, %r : tensor<8xi32>
  %m2 = arith.cmpi sge, %r, %ls : tensor<8xi32>
  %m3 = arith.cmpi eq, %es, %r : tensor<8xi32>
  %m = arith.andi %m1, %m2 : tensor<8xi1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %p mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %w = tile.load %p mask %m3 : tensor<8xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %s = arith.addf %v, %w : tensor<8xf32>
  tile.store %p, %s : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// What is no bound of one dimension stays a mask beside the bound: causal,
// not-equal, unsigned, loaded.
// CHECK-LABEL: func.func @residue
// CHECK-SAME: %[[MASK:[a-z0-9]+]]: !kernel.ptr<i1>, %[[N:[a-z0-9]+]]: i32
// CHECK-DAG: %[[NW:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG: %[[CAUSAL:.*]] = arith.cmpi sge, {{.*}} : tensor<4x4xi32>
// CHECK: kernel.load {{.*}} hi[%{{.*}}, %[[NW]]] boundary [1, 0] mask %[[CAUSAL]] : tensor<4x4xi1>
// CHECK-DAG: %[[NE:.*]] = arith.cmpi ne
// CHECK-DAG: %[[UN:.*]] = arith.cmpi ult
// CHECK-DAG: %[[BOTH:.*]] = arith.andi %[[NE]], %[[UN]] : tensor<4xi1>
// CHECK: kernel.load {{.*}} boundary [1] mask %[[BOTH]]
// CHECK: %[[LOADED:.*]] = kernel.load {{.*}} : <1, i1> -> tensor<4xi1>
// CHECK: kernel.load {{.*}} hi[%[[NW]]] boundary [0] mask %[[LOADED]]
func.func @residue(%x: !tile.ptr<f32>, %q: !tile.ptr<i1>, %n: i32) attributes {tw.kernel} {
  %r = tile.range 0 to 4 : tensor<4xi32>
  %i = tile.reshape %r : tensor<4xi32> -> tensor<4x1xi32>
  %j = tile.reshape %r : tensor<4xi32> -> tensor<1x4xi32>
  %ib = tile.broadcast %i : tensor<4x1xi32> -> tensor<4x4xi32>
  %jb = tile.broadcast %j : tensor<1x4xi32> -> tensor<4x4xi32>
  %causal = arith.cmpi sge, %ib, %jb : tensor<4x4xi32>
  %n2 = tile.splat %n : i32 -> tensor<4x4xi32>
  %below = arith.cmpi slt, %jb, %n2 : tensor<4x4xi32>
  %m = arith.andi %causal, %below : tensor<4x4xi1>
  %c4 = arith.constant dense<4> : tensor<4x4xi32>
  %row = arith.muli %ib, %c4 : tensor<4x4xi32>
  %offs = arith.addi %row, %jb : tensor<4x4xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4x4x!tile.ptr<f32>>
  %p = tile.addptr %xs, %offs : tensor<4x4x!tile.ptr<f32>>, tensor<4x4xi32>
  %v = tile.load %p mask %m : tensor<4x4xi1> : tensor<4x4x!tile.ptr<f32>> -> tensor<4x4xf32>
  tile.store %p, %v : tensor<4x4x!tile.ptr<f32>>, tensor<4x4xf32>

  %c2 = arith.constant dense<2> : tensor<4xi32>
  %n1 = tile.splat %n : i32 -> tensor<4xi32>
  %ne = arith.cmpi ne, %r, %c2 : tensor<4xi32>
  %un = arith.cmpi ult, %r, %n1 : tensor<4xi32>
  %m2 = arith.andi %ne, %un : tensor<4xi1>
  %ys = tile.splat %x : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %py = tile.addptr %ys, %r : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %w = tile.load %py mask %m2 : tensor<4xi1> : tensor<4x!tile.ptr<f32>> -> tensor<4xf32>
  tile.store %py, %w : tensor<4x!tile.ptr<f32>>, tensor<4xf32>

  %qs = tile.splat %q : !tile.ptr<i1> -> tensor<4x!tile.ptr<i1>>
  %pq = tile.addptr %qs, %r : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  %flags = tile.load %pq : tensor<4x!tile.ptr<i1>> -> tensor<4xi1>
  %b1 = arith.cmpi slt, %r, %n1 : tensor<4xi32>
  %m3 = arith.andi %b1, %flags : tensor<4xi1>
  %u = tile.load %py mask %m3 : tensor<4xi1> : tensor<4x!tile.ptr<f32>> -> tensor<4xf32>
  tile.store %py, %u : tensor<4x!tile.ptr<f32>>, tensor<4xf32>
  return
}

// -----

// A scalar flag empties the box, a carried mask is a value like any other.
// CHECK-LABEL: func.func @scalar_and_carried
// CHECK-SAME: %[[FLAG:[a-z0-9]+]]: i1
// CHECK: %[[H:.*]] = arith.select %[[FLAG]], %{{.*}}, %{{.*}} : i64
// CHECK: kernel.load {{.*}} hi[%[[H]]] boundary [0]
// CHECK: scf.for {{.*}} iter_args(%[[MASK:.*]] = %{{.*}}) -> (tensor<8xi1>)
// CHECK: %[[NARROW:.*]] = arith.andi %[[MASK]]
// CHECK: kernel.load {{.*}} mask %[[MASK]]
// CHECK: scf.yield %[[NARROW]]
func.func @scalar_and_carried(%x: !tile.ptr<f32>, %flag: i1, %n: i32) attributes {tw.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %b = arith.cmpi slt, %r, %ns : tensor<8xi32>
  %fs = tile.splat %flag : i1 -> tensor<8xi1>
  %m = arith.andi %b, %fs : tensor<8xi1>
  %v = tile.load %p mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  tile.store %p, %v : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%mask = %b) -> (tensor<8xi1>) : i32 {
    %is = tile.splat %i : i32 -> tensor<8xi32>
    %now = arith.cmpi slt, %r, %is : tensor<8xi32>
    %next = arith.andi %mask, %now : tensor<8xi1>
    %w = tile.load %p mask %mask : tensor<8xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
    tile.store %p, %w mask %next : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
    scf.yield %next : tensor<8xi1>
  }
  return
}
