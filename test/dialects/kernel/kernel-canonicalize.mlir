// The canonicaliser that changes no value.
// RUN: tw-opt %s --kernel-canonicalize --split-input-file | FileCheck %s

// 70000 overflows f8E5M2: it saturates to 57344, the unmarked conversion gives
// infinity. 1e9 and infinity likewise.
// CHECK-LABEL: func.func @saturation
// CHECK-DAG: %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG: %[[SPLAT:.*]] = arith.constant dense<0x7F800000> : tensor<8xf32>
// CHECK-DAG: %[[A:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK-DAG: arith.truncf %[[A]] {tw.saturate} : f32 to f8E5M2
// CHECK-DAG: arith.truncf %[[INF]] {tw.saturate} : f32 to f8E5M2
// CHECK-DAG: arith.truncf %[[SPLAT]] {tw.saturate} : tensor<8xf32> to tensor<8xf8E5M2>
// CHECK-NOT: kernel.fact
func.func @saturation(%a: i32) -> (f8E5M2, f8E5M2, tensor<8xf8E5M2>) {
  %inf = arith.constant 0x7F800000 : f32
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.truncf %0 {tw.saturate} : f32 to f8E5M2
  %2 = arith.truncf %inf {tw.saturate} : f32 to f8E5M2
  %3 = tensor.splat %inf : tensor<8xf32>
  %4 = arith.truncf %3 {tw.saturate} : tensor<8xf32> to tensor<8xf8E5M2>
  return %1, %2, %4 : f8E5M2, f8E5M2, tensor<8xf8E5M2>
}

// -----

// Two roundings stay two.
// CHECK-LABEL: func.func @rounding
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.uitofp %{{.*}} : i32 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @rounding(%a: i32) -> (f16, f16) {
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.truncf %0 : f32 to f16
  %2 = arith.uitofp %a : i32 to f32
  %3 = arith.truncf %2 : f32 to f16
  return %1, %3 : f16, f16
}

// -----

// Everything else folds as ever, facts that say something stay.
// CHECK-LABEL: func.func @rest
// CHECK-SAME: (%[[A:.*]]: i32)
// CHECK-DAG: %[[E:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[F:.*]] = kernel.fact %[[A]] divisibility [16] : i32
// CHECK: return %[[E]], %[[F]], %[[A]]
func.func @rest(%a: i32) -> (f32, i32, i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %0 = math.exp %zero : f32
  %1 = kernel.fact %a divisibility [16] : i32
  %2 = arith.addi %a, %c0 : i32
  return %0, %1, %2 : f32, i32, i32
}

// -----

// Portable bits come from the shared expansions, not from this machine's libm;
// exact functions fold.
// CHECK-LABEL: func.func @portable
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4.000000e+00 : f32
// CHECK: %[[E:.*]] = math.exp %[[FOUR]] : f32
// CHECK: return %[[E]], %[[TWO]]
module attributes {tw.math = "portable"} {
  func.func @portable() -> (f32, f32) {
    %four = arith.constant 4.0 : f32
    %0 = math.exp %four : f32
    %1 = math.sqrt %four : f32
    return %0, %1 : f32, f32
  }
}
