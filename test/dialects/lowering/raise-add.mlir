// RUN: tw-opt %s --tile-to-kernel | FileCheck %s
// RUN: tw-opt %s --tile-to-kernel="raise=false" | FileCheck %s --check-prefix=PLAIN

// One masked box a buffer; the upper bound is the argument itself.
// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:.*]]: !kernel.ptr<f32> {tw.name = "x_ptr"}, %[[O:.*]]: !kernel.ptr<f32>, %[[N:.*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : i64
// CHECK-DAG: %[[NW:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG: %[[P:.*]] = kernel.program_id 0 : i32
// CHECK-DAG: %[[PW:.*]] = arith.extsi %[[P]] : i32 to i64
// CHECK-DAG: %[[OFF:.*]] = arith.muli %[[PW]], %[[C256]] : i64
// CHECK-DAG: %[[XV:.*]] = kernel.view %[[X]] sizes[%[[NW]]] strides[%[[C1]]] : <f32> -> <1, f32>
// CHECK-DAG: %[[OV:.*]] = kernel.view %[[O]] sizes[%[[NW]]] strides[%[[C1]]]
// CHECK: %[[V:.*]] = kernel.load %[[XV]][%[[OFF]]] lo[%[[C0]]] hi[%[[NW]]] boundary [0] : <1, f32> -> tensor<256xf32>
// CHECK: %[[S:.*]] = arith.addf %[[V]], %[[V]]
// CHECK: kernel.store %[[S]], %[[OV]][%[[OFF]]] lo[%[[C0]]] hi[%[[NW]]] boundary [0]

// The plain form keeps tensors of pointers and the mask.
// PLAIN-LABEL: func.func @add
// PLAIN: %[[A:.*]] = kernel.addptr {{.*}} : tensor<256x!kernel.ptr<f32>>, tensor<256xi32>
// PLAIN: kernel.gather %[[A]] mask {{.*}} : tensor<256xi1> : tensor<256x!kernel.ptr<f32>> -> tensor<256xf32>
// PLAIN: kernel.scatter
func.func @add(%x: !tile.ptr<f32> {tw.name = "x_ptr"}, %o: !tile.ptr<f32>, %n: i32) attributes {tw.kernel} {
  %c256 = arith.constant 256 : i32
  %pid = tile.program_id 0 : i32
  %start = arith.muli %pid, %c256 : i32
  %range = tile.range 0 to 256 : tensor<256xi32>
  %starts = tile.splat %start : i32 -> tensor<256xi32>
  %offs = arith.addi %starts, %range : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %xp mask %mask : tensor<256xi1> : tensor<256x!tile.ptr<f32>> -> tensor<256xf32>
  %s = arith.addf %v, %v : tensor<256xf32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %op = tile.addptr %os, %offs : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %op, %s mask %mask : tensor<256xi1> : tensor<256x!tile.ptr<f32>>, tensor<256xf32>
  return
}

// A row of a matrix: the 64-bit row offset stays in the view, the mask is a
// bound on columns, the scalar `other` is kept.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[X:[a-z0-9]+]]: !kernel.ptr<f16>
// CHECK: %[[INF:.*]] = arith.constant 0xFC00 : f16
// CHECK: %[[ROW:.*]] = arith.muli
// CHECK: %[[V:.*]] = kernel.view %[[X]] + %[[ROW]] sizes[%[[N:.*]]] strides
// CHECK: kernel.load %[[V]][%[[Z:.*]]] lo[%[[Z]]] hi[%[[N]]] boundary [0] other %[[INF]] : f16 : <1, f16> -> tensor<64xf16>
func.func @softmax(%x: !tile.ptr<f16>, %o: !tile.ptr<f16>, %n: i32, %stride: i32) attributes {tw.kernel} {
  %inf = arith.constant dense<0xFC00> : tensor<64xf16>
  %pid = tile.program_id 0 : i32
  %row = arith.extsi %pid : i32 to i64
  %wide = arith.extsi %stride : i32 to i64
  %at = arith.muli %row, %wide : i64
  %p = tile.addptr %x, %at : !tile.ptr<f16>, i64
  %cols = tile.range 0 to 64 : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %cols, %ns : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %pp = tile.addptr %ps, %cols : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %v = tile.load %pp mask %mask : tensor<64xi1> other %inf : tensor<64xf16> : tensor<64x!tile.ptr<f16>> -> tensor<64xf16>
  %q = tile.addptr %o, %at : !tile.ptr<f16>, i64
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %qp = tile.addptr %qs, %cols : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  tile.store %qp, %v mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f16>>, tensor<64xf16>
  return
}
