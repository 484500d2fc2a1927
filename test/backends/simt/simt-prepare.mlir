// RUN: tw-opt %s --simt-prepare="num-warps=2 lanes=16" | FileCheck %s

// CHECK-LABEL: func @shapes
// CHECK-SAME: simt.lanes = 16 : i32, simt.num_warps = 2 : i32
// CHECK: %[[ROWS:.*]] = simt.broadcast %{{.*}} [1] : tensor<8xf32> -> tensor<8x4xf32>
// CHECK: %[[TURNED:.*]] = simt.transpose %[[ROWS]] [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
// CHECK: simt.reshape %[[TURNED]] : tensor<4x8xf32> -> tensor<32xf32>
// CHECK-NOT: tensor.empty
func.func @shapes(%x: tensor<8xf32>) -> tensor<32xf32> attributes {tw.kernel} {
  %e = tensor.empty() : tensor<8x4xf32>
  %b = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<8x4xf32>) dimensions = [1]
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %r : tensor<32xf32>
}

// The last dimension first; the initial values come last.
// CHECK-LABEL: func @reduce
// CHECK: %[[LAST:.*]] = "kernel.reduce"(%{{.*}}) <{axis = 1 : i32
// CHECK: }) : (tensor<4x8xi32>) -> tensor<4xi32>
// CHECK: %[[ALL:.*]] = "kernel.reduce"(%[[LAST]]) <{axis = 0 : i32
// CHECK: }) : (tensor<4xi32>) -> i32
// CHECK: %[[SPLAT:.*]] = tensor.splat %[[ALL]] : tensor<i32>
// CHECK: arith.addi %{{.*}}, %[[SPLAT]] : tensor<i32>
func.func @reduce(%x: tensor<4x8xi32>, %i: tensor<i32>) -> tensor<i32> attributes {tw.kernel} {
  %r = linalg.reduce ins(%x : tensor<4x8xi32>) outs(%i : tensor<i32>) dimensions = [0, 1]
    (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    }
  return %r : tensor<i32>
}

// Operands in the type in which products are summed.
// CHECK-LABEL: func @matmul
// CHECK: %[[A:.*]] = arith.extf %{{.*}} : tensor<16x8xf16> to tensor<16x8xf32>
// CHECK: %[[B:.*]] = arith.extf %{{.*}} : tensor<8x16xf16> to tensor<8x16xf32>
// CHECK: simt.dot %[[A]], %[[B]], %{{.*}} ieee : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
func.func @matmul(%a: tensor<16x8xf16>, %b: tensor<8x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {tw.kernel} {
  %r = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32} ins(%a, %b : tensor<16x8xf16>, tensor<8x16xf16>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// Halves that no index bit tells apart.
// CHECK-LABEL: func @cat
// CHECK: kernel.join %{{.*}} : tensor<3xi32> -> tensor<3x2xi32>
// CHECK: simt.transpose %{{.*}} [1, 0] : tensor<3x2xi32> -> tensor<2x3xi32>
// CHECK: simt.reshape %{{.*}} : tensor<2x3xi32> -> tensor<6xi32>
func.func @cat(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<6xi32> attributes {tw.kernel} {
  %r = kernel.cat %a, %b : tensor<3xi32> -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// CHECK-LABEL: func @print
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<4xbf16> to tensor<4xf32>
// CHECK: kernel.print "x" %[[WIDE]] : tensor<4xf32>
// CHECK: kernel.print "y" %{{.*}} : tensor<4xbf16> {hex
func.func @print(%x: tensor<4xbf16>) attributes {tw.kernel} {
  kernel.print "x" %x : tensor<4xbf16> {signedness = array<i1: true>}
  kernel.print "y" %x : tensor<4xbf16> {signedness = array<i1: true>, hex}
  return
}
