// RUN: tw-opt %s --simt-expand-arithmetic | FileCheck %s
// RUN: tw-opt %s --simt-expand-arithmetic=native-functions=2.f32 | FileCheck %s --check-prefix=NATIVE

// CHECK-LABEL: func @functions
// CHECK-NOT: math.exp2
// NATIVE-LABEL: func @functions
// NATIVE: math.exp2
func.func @functions(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp2 %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The reduction remembers what combined it.
// CHECK-LABEL: func @combine
// CHECK: arith.cmpf
// CHECK: simt.combine = "arith.maxnumf"
func.func @combine(%x: tensor<8xf32>) -> f32 {
  %0 = "kernel.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.maxnumf %a, %b : f32
    kernel.yield %s : f32
  }) : (tensor<8xf32>) -> f32
  return %0 : f32
}

// CHECK-LABEL: func @smallFloats
// CHECK: arith.addf %{{.*}} : tensor<8xf32>
func.func @smallFloats(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = arith.addf %x, %x : tensor<8xbf16>
  return %0 : tensor<8xbf16>
}
