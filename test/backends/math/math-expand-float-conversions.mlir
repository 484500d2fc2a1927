// RUN: tw-opt %s --math-expand-float-conversions | FileCheck %s
// RUN: tw-opt %s --math-expand-float-conversions=native-f16=false | FileCheck %s --check-prefix=NOHALF
// RUN: tw-opt %s --math-expand-float-conversions=native-bf16=true | FileCheck %s --check-prefix=BRAIN

// CHECK-LABEL: func @bf16_to_f32
// CHECK-SAME: %[[X:.*]]: vector<8xbf16>
// CHECK: %[[B:.*]] = arith.bitcast %[[X]] : vector<8xbf16> to vector<8xi16>
// CHECK: %[[W:.*]] = arith.extui %[[B]] : vector<8xi16> to vector<8xi32>
// CHECK: %[[C:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK: %[[S:.*]] = arith.shli %[[W]], %[[C]]
// CHECK: %[[R:.*]] = arith.bitcast %[[S]] : vector<8xi32> to vector<8xf32>
// CHECK: return %[[R]]
// BRAIN-LABEL: func @bf16_to_f32
// BRAIN-NEXT: arith.extf
func.func @bf16_to_f32(%x: vector<8xbf16>) -> vector<8xf32> {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func @f16_native
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: return
// NOHALF-LABEL: func @f16_native
// NOHALF-NOT: arith.extf
// NOHALF-NOT: arith.truncf
// NOHALF: return
func.func @f16_native(%x: f16) -> f16 {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}

// f64 reaches a small float through f32 rounded to odd, never in two nearest
// roundings: the last bit is set where the f32 is inexact.
// CHECK-LABEL: func @f64_to_f16
// CHECK: %[[F:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[F]] : f32 to f64
// CHECK: arith.cmpf one, %[[BACK]]
// CHECK: arith.ori
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @f64_to_f16(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// Saturation is a minimum with the largest finite encoding, 0x7e; otherwise
// beyond it comes NaN, 0x7f.
// CHECK-LABEL: func @saturating
// CHECK: %[[MAX:.*]] = arith.constant 126 : i32
// CHECK: arith.minui %{{.*}}, %[[MAX]]
// CHECK: return
func.func @saturating(%x: f32) -> f8E4M3FN {
  %0 = arith.truncf %x {tw.saturate} : f32 to f8E4M3FN
  return %0 : f8E4M3FN
}

// CHECK-LABEL: func @not_saturating
// CHECK-NOT: arith.minui
// CHECK: return
func.func @not_saturating(%x: f32) -> f8E4M3FN {
  %0 = arith.truncf %x : f32 to f8E4M3FN
  return %0 : f8E4M3FN
}

// No cast in memory formats is left.
// CHECK-LABEL: func @all_formats
// CHECK-NOT: arith.truncf
// CHECK-NOT: : f8
// CHECK: return
func.func @all_formats(%x: vector<4xf32>) -> (vector<4xf8E5M2>,
    vector<4xf8E4M3FNUZ>, vector<4xf8E5M2FNUZ>, vector<4xbf16>) {
  %0 = arith.truncf %x toward_zero : vector<4xf32> to vector<4xf8E5M2>
  %1 = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FNUZ>
  %2 = arith.truncf %x to_nearest_even : vector<4xf32> to vector<4xf8E5M2FNUZ>
  %3 = arith.truncf %x toward_zero : vector<4xf32> to vector<4xbf16>
  return %0, %1, %2, %3 : vector<4xf8E5M2>, vector<4xf8E4M3FNUZ>,
      vector<4xf8E5M2FNUZ>, vector<4xbf16>
}

// An i32 is exact in f64, not in f32.
// CHECK-LABEL: func @integer_to_bf16
// CHECK: arith.sitofp %{{.*}} : i32 to f64
// CHECK-NOT: arith.sitofp
// CHECK: return
func.func @integer_to_bf16(%x: i32) -> bf16 {
  %0 = arith.sitofp %x : i32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @fp8_to_integer
// CHECK: arith.fptosi %{{.*}} : vector<4xf32> to vector<4xi8>
func.func @fp8_to_integer(%x: vector<4xf8E5M2>) -> vector<4xi8> {
  %0 = arith.fptosi %x : vector<4xf8E5M2> to vector<4xi8>
  return %0 : vector<4xi8>
}
