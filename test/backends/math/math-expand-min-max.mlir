// RUN: tw-opt %s --math-expand-min-max | FileCheck %s

// CHECK-LABEL: func @maxnum
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK-NOT: arith.maxnumf
// CHECK: arith.andi
// CHECK: %[[GREATER:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK: arith.select %[[GREATER]], %[[A]], %[[B]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[B]], %[[B]]
// CHECK: arith.select %[[NAN]], %[[A]]
func.func @maxnum(%a: f32, %b: f32) -> f32 {
  %0 = arith.maxnumf %a, %b : f32
  return %0 : f32
}

// CHECK-LABEL: func @minimum
// CHECK-SAME: %[[A:.*]]: vector<4xf64>, %[[B:.*]]: vector<4xf64>
// CHECK: arith.ori
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[A]], %[[A]]
// CHECK: arith.select %[[NAN]], %[[A]]
func.func @minimum(%a: vector<4xf64>, %b: vector<4xf64>) -> vector<4xf64> {
  %0 = arith.minimumf %a, %b : vector<4xf64>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: func @small
// CHECK: arith.extf
// CHECK: arith.truncf
func.func @small(%a: f16, %b: f16) -> f16 {
  %0 = arith.maximumf %a, %b : f16
  return %0 : f16
}
