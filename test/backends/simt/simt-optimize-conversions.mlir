// RUN: tw-opt %s --simt-optimize-conversions | FileCheck %s

#a = #simt.layout<warp=[], lane=[[1], [2]], register=[[4]] -> dim0=8>
#b = #simt.layout<warp=[], lane=[[2], [4]], register=[[1]] -> dim0=8>

// CHECK-LABEL: func @thereAndBack
// CHECK-NEXT: return %arg0
func.func @thereAndBack(%x: tensor<8xf32, #a>) -> tensor<8xf32, #a> {
  %0 = simt.convert_layout %x : tensor<8xf32, #a> -> tensor<8xf32, #b>
  %1 = simt.convert_layout %0 : tensor<8xf32, #b> -> tensor<8xf32, #a>
  return %1 : tensor<8xf32, #a>
}

// CHECK-LABEL: func @remade
// CHECK-NOT: simt.convert_layout
// CHECK-COUNT-2: register={{\[\[1\]\]}}
func.func @remade() -> (tensor<8xi32, #b>, tensor<8xi32, #b>) {
  %c = arith.constant dense<3> : tensor<8xi32, #a>
  %r = kernel.range 0 to 8 : tensor<8xi32, #a>
  %0 = simt.convert_layout %c : tensor<8xi32, #a> -> tensor<8xi32, #b>
  %1 = simt.convert_layout %r : tensor<8xi32, #a> -> tensor<8xi32, #b>
  return %0, %1 : tensor<8xi32, #b>, tensor<8xi32, #b>
}

#row = #simt.layout<warp=[], lane=[[1, 0], [2, 0]], register=[[0, 1]] -> dim0=4, dim1=2>
#column = #simt.layout<warp=[], lane=[[0, 1], [1, 0]], register=[[2, 0]] -> dim0=4, dim1=2>
#turned = #simt.layout<warp=[], lane=[[0, 1], [0, 2]], register=[[1, 0]] -> dim0=2, dim1=4>
#other = #simt.layout<warp=[], lane=[[0, 2], [0, 1]], register=[[1, 0]] -> dim0=2, dim1=4>
#v = #simt.layout<warp=[], lane=[[1], [2]], register=[] -> dim0=4>

// A broadcast is converted before it is made.
// CHECK-LABEL: func @smaller
// CHECK: %[[C:.*]] = simt.convert_layout %arg0 : tensor<4xf32
// CHECK: simt.broadcast %[[C]] [1] : tensor<4xf32
// CHECK-NOT: simt.convert_layout
func.func @smaller(%x: tensor<4xf32, #v>) -> tensor<4x2xf32, #column> {
  %0 = simt.broadcast %x [1] : tensor<4xf32, #v> -> tensor<4x2xf32, #row>
  %1 = simt.convert_layout %0 : tensor<4x2xf32, #row> -> tensor<4x2xf32, #column>
  return %1 : tensor<4x2xf32, #column>
}

// So is a transposition: its result is in the layout that was wanted.
// CHECK-LABEL: func @transposed
// CHECK: %[[C:.*]] = simt.convert_layout %arg0 : tensor<4x2xf32
// CHECK: simt.transpose %[[C]] [1, 0]
// CHECK-NOT: simt.convert_layout
func.func @transposed(%x: tensor<4x2xf32, #row>) -> tensor<2x4xf32, #other> {
  %0 = simt.transpose %x [1, 0] : tensor<4x2xf32, #row> -> tensor<2x4xf32, #turned>
  %1 = simt.convert_layout %0 : tensor<2x4xf32, #turned> -> tensor<2x4xf32, #other>
  return %1 : tensor<2x4xf32, #other>
}

// Casts to wider elements come behind the conversion, to narrower ones before.
// CHECK-LABEL: func @casts
// CHECK: simt.convert_layout %arg0 : tensor<8xf16
// CHECK: arith.extf
// CHECK: arith.truncf
// CHECK: simt.convert_layout %{{.*}} : tensor<8xf16
func.func @casts(%x: tensor<8xf16, #a>, %y: tensor<8xf32, #a>) -> (tensor<8xf32, #b>, tensor<8xf16, #b>) {
  %0 = arith.extf %x : tensor<8xf16, #a> to tensor<8xf32, #a>
  %1 = simt.convert_layout %0 : tensor<8xf32, #a> -> tensor<8xf32, #b>
  %2 = arith.truncf %y : tensor<8xf32, #a> to tensor<8xf16, #a>
  %3 = simt.convert_layout %2 : tensor<8xf16, #a> -> tensor<8xf16, #b>
  return %1, %3 : tensor<8xf32, #b>, tensor<8xf16, #b>
}

// What all turns of a loop convert is converted once.
// CHECK-LABEL: func @hoisted
// CHECK: simt.convert_layout
// CHECK-NEXT: scf.for
func.func @hoisted(%x: tensor<8xf32, #a>, %y: tensor<8xf32, #b>, %n: i32) -> tensor<8xf32, #b> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %y) -> tensor<8xf32, #b> : i32 {
    %0 = simt.convert_layout %x : tensor<8xf32, #a> -> tensor<8xf32, #b>
    %1 = arith.addf %s, %0 : tensor<8xf32, #b>
    scf.yield %1 : tensor<8xf32, #b>
  }
  return %r : tensor<8xf32, #b>
}
