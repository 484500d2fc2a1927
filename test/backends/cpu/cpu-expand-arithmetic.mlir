// RUN: tw-opt %s -cpu-expand-arithmetic | FileCheck %s
// RUN: tw-opt %s -cpu-expand-arithmetic="has-half-conversion=false" | FileCheck %s --check-prefix=SOFT

// Functions on f64 call the driver, lane by lane.
// CHECK-LABEL: func.func @service(
// CHECK-SAME: %[[SERVICES:arg7]]: !llvm.ptr
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[SERVICES]][32]
// CHECK: %[[CALLEE:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[SIN:.*]] = arith.constant 8 : i32
// CHECK: llvm.call %[[CALLEE]](%[[SIN]], %{{.*}}, %{{.*}}) : !llvm.ptr, (i32, f64, f64) -> f64
// CHECK: vector.from_elements
// CHECK-NOT: math.sin
func.func @service(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: !llvm.ptr, %arg8: !llvm.ptr) {
  %v = llvm.load %arg0 : !llvm.ptr -> vector<2xf64>
  %s = math.sin %v : vector<2xf64>
  llvm.store %s, %arg0 : vector<2xf64>, !llvm.ptr
  return
}

// f16 arithmetic is done in f32; the casts are instructions or integer code.
// CHECK-LABEL: func.func @half(
// CHECK-COUNT-2: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// SOFT-LABEL: func.func @half(
// SOFT-NOT: arith.extf
// SOFT: arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
// SOFT-NOT: arith.truncf
// SOFT: return
func.func @half(%a: vector<8xf16>, %b: vector<8xf16>) -> vector<8xf16> {
  %0 = arith.addf %a, %b : vector<8xf16>
  return %0 : vector<8xf16>
}

// CHECK-LABEL: func.func @classes(
// CHECK: arith.cmpf uno, %[[A:.*]], %[[A]] : vector<4xf32>
// CHECK: %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<4xf32>
// CHECK: %[[M:.*]] = math.absf
// CHECK: arith.cmpf oeq, %[[M]], %[[INF]]
// CHECK: arith.cmpf olt
func.func @classes(%a: vector<4xf32>) -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %0 = math.isnan %a : vector<4xf32>
  %1 = math.isinf %a : vector<4xf32>
  %2 = math.isfinite %a : vector<4xf32>
  return %0, %1, %2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}
