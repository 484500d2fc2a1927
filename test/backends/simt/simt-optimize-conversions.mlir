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
