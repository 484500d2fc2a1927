// Folds and canonical forms: constants stay scalars or splats.
// RUN: tw-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @splat_constant
// CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4x8xf32>
// CHECK: return %[[C]]
func.func @splat_constant() -> tensor<4x8xf32> {
  %c = arith.constant 2.0 : f32
  %0 = tile.splat %c : f32 -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @shape_changes_of_constants
// CHECK-DAG: %[[B:.*]] = arith.constant dense<7> : tensor<4x8xi32>
// CHECK-DAG: %[[R:.*]] = arith.constant dense<7> : tensor<4xi32>
// CHECK-DAG: %[[T:.*]] = arith.constant dense<7> : tensor<1x4xi32>
// CHECK: return %[[B]], %[[R]], %[[T]]
func.func @shape_changes_of_constants() -> (tensor<4x8xi32>, tensor<4xi32>, tensor<1x4xi32>) {
  %c = arith.constant dense<7> : tensor<4x1xi32>
  %0 = tile.broadcast %c : tensor<4x1xi32> -> tensor<4x8xi32>
  %1 = tile.reshape %c : tensor<4x1xi32> -> tensor<4xi32>
  %2 = tile.transpose %c [1, 0] : tensor<4x1xi32> -> tensor<1x4xi32>
  return %0, %1, %2 : tensor<4x8xi32>, tensor<4xi32>, tensor<1x4xi32>
}

// -----

// CHECK-LABEL: func.func @identities
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]]
func.func @identities(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tile.broadcast %a : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.reshape %a : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tile.transpose %a [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A square transpose keeps its type but is no identity.
// CHECK-LABEL: func.func @square_transpose
// CHECK: tile.transpose
func.func @square_transpose(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tile.transpose %a [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @shape_changes_of_splats
// CHECK-SAME: (%[[S:.*]]: f32)
// CHECK-DAG: %[[B:.*]] = tile.splat %[[S]] : f32 -> tensor<4x8xf32>
// CHECK-DAG: %[[R:.*]] = tile.splat %[[S]] : f32 -> tensor<4xf32>
// CHECK-DAG: %[[T:.*]] = tile.splat %[[S]] : f32 -> tensor<1x4xf32>
// CHECK: return %[[B]], %[[R]], %[[T]]
func.func @shape_changes_of_splats(%s: f32) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<1x4xf32>) {
  %c = tile.splat %s : f32 -> tensor<4x1xf32>
  %0 = tile.broadcast %c : tensor<4x1xf32> -> tensor<4x8xf32>
  %1 = tile.reshape %c : tensor<4x1xf32> -> tensor<4xf32>
  %2 = tile.transpose %c [1, 0] : tensor<4x1xf32> -> tensor<1x4xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4xf32>, tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @pairs_of_shape_changes
// CHECK-SAME: (%[[A:.*]]: tensor<2x3x4xf32>, %[[B:.*]]: tensor<1x1xf32>)
// transpose: result d is operand [2,0,1][ [1,2,0][d] ] = [0,1,2][d]
// CHECK-DAG: %[[R:.*]] = tile.reshape %[[A]] : tensor<2x3x4xf32> -> tensor<24xf32>
// CHECK-DAG: %[[T:.*]] = tile.transpose %[[A]] [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
// CHECK-DAG: %[[C:.*]] = tile.broadcast %[[B]] : tensor<1x1xf32> -> tensor<4x8xf32>
// CHECK: return %[[R]], %[[A]], %[[T]], %[[C]]
func.func @pairs_of_shape_changes(%a: tensor<2x3x4xf32>, %b: tensor<1x1xf32>) -> (tensor<24xf32>, tensor<2x3x4xf32>, tensor<3x4x2xf32>, tensor<4x8xf32>) {
  %0 = tile.reshape %a : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %1 = tile.reshape %0 : tensor<6x4xf32> -> tensor<24xf32>
  %2 = tile.transpose %a [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %3 = tile.transpose %2 [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  %4 = tile.transpose %2 [2, 0, 1] : tensor<4x2x3xf32> -> tensor<3x4x2xf32>
  %5 = tile.broadcast %b : tensor<1x1xf32> -> tensor<4x1xf32>
  %6 = tile.broadcast %5 : tensor<4x1xf32> -> tensor<4x8xf32>
  return %1, %3, %4, %6 : tensor<24xf32>, tensor<2x3x4xf32>, tensor<3x4x2xf32>, tensor<4x8xf32>
}

// -----

// Only reshapes that agree on the order of elements merge.
// CHECK-LABEL: func.func @reordering_reshape
// CHECK: tile.reshape %{{.*}} allow_reorder
// CHECK: tile.reshape
func.func @reordering_reshape(%a: tensor<24xf32>) -> tensor<2x12xf32> {
  %0 = tile.reshape %a allow_reorder : tensor<24xf32> -> tensor<6x4xf32>
  %1 = tile.reshape %0 : tensor<6x4xf32> -> tensor<2x12xf32>
  return %1 : tensor<2x12xf32>
}

// -----

// CHECK-LABEL: func.func @addptr_zero
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[T:.*]]: tensor<8x!tile.ptr<f32>>)
// CHECK-NEXT: return %[[P]], %[[T]]
func.func @addptr_zero(%p: !tile.ptr<f32>, %t: tensor<8x!tile.ptr<f32>>) -> (!tile.ptr<f32>, tensor<8x!tile.ptr<f32>>) {
  %z = arith.constant 0 : i32
  %zs = arith.constant dense<0> : tensor<8xi64>
  %0 = tile.addptr %p, %z : !tile.ptr<f32>, i32
  %1 = tile.addptr %t, %zs : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
  return %0, %1 : !tile.ptr<f32>, tensor<8x!tile.ptr<f32>>
}

// -----

// CHECK-LABEL: func.func @addptr_of_addptr
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[T:.*]]: tensor<8x!tile.ptr<f32>>)
// CHECK-DAG: %[[C:.*]] = arith.constant 12 : i32
// CHECK-DAG: %[[D:.*]] = arith.constant dense<-2> : tensor<8xi32>
// CHECK-DAG: tile.addptr %[[P]], %[[C]]
// CHECK-DAG: tile.addptr %[[T]], %[[D]]
func.func @addptr_of_addptr(%p: !tile.ptr<f32>, %t: tensor<8x!tile.ptr<f32>>) -> (!tile.ptr<f32>, tensor<8x!tile.ptr<f32>>) {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %d1 = arith.constant dense<1> : tensor<8xi32>
  %d3 = arith.constant dense<-3> : tensor<8xi32>
  %0 = tile.addptr %p, %c5 : !tile.ptr<f32>, i32
  %1 = tile.addptr %0, %c7 : !tile.ptr<f32>, i32
  %2 = tile.addptr %t, %d1 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %3 = tile.addptr %2, %d3 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  return %1, %3 : !tile.ptr<f32>, tensor<8x!tile.ptr<f32>>
}

// -----

// The sum does not fit i32, so the additions stay apart.
// CHECK-LABEL: func.func @addptr_sum_wraps
// CHECK: tile.addptr
// CHECK: tile.addptr
func.func @addptr_sum_wraps(%p: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %big = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i32
  %0 = tile.addptr %p, %big : !tile.ptr<f32>, i32
  %1 = tile.addptr %0, %one : !tile.ptr<f32>, i32
  return %1 : !tile.ptr<f32>
}

// -----

// CHECK-LABEL: func.func @ptr_casts
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>)
// CHECK-NEXT: %[[C:.*]] = tile.ptr_cast %[[P]] : !tile.ptr<f32> -> !tile.ptr<i8>
// CHECK-NEXT: return %[[P]], %[[C]]
func.func @ptr_casts(%p: !tile.ptr<f32>) -> (!tile.ptr<f32>, !tile.ptr<i8>) {
  %0 = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i32>
  %1 = tile.ptr_cast %0 : !tile.ptr<i32> -> !tile.ptr<f32>
  %2 = tile.ptr_cast %0 : !tile.ptr<i32> -> !tile.ptr<i8>
  return %1, %2 : !tile.ptr<f32>, !tile.ptr<i8>
}
