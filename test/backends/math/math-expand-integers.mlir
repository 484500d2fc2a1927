// RUN: tw-opt %s --math-expand-integers | FileCheck %s
// RUN: tw-opt %s --math-expand-integers --math-expand-integers | FileCheck %s
// RUN: tw-opt %s --math-expand-integers=divide-vectors-through-float=false | FileCheck %s --check-prefix=INT

// CHECK-LABEL: func @guarded
// CHECK-SAME: %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y]]
// CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[Y]]
// CHECK: %[[UNSAFE:.*]] = arith.ori %[[ZERO]], %[[MINUS]]
// CHECK: %[[D:.*]] = arith.select %[[UNSAFE]], %{{.*}}, %[[Y]]
// CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[D]] {tw.total}
// CHECK: %[[NEG:.*]] = arith.subi %{{.*}}, %[[X]]
// CHECK: %[[A:.*]] = arith.select %[[MINUS]], %[[NEG]], %[[Q]]
// CHECK: %[[B:.*]] = arith.select %[[ZERO]], %{{.*}}, %[[A]]
// CHECK: return %[[B]]
func.func @guarded(%x: i32, %y: i32) -> i32 {
  %0 = arith.divsi %x, %y : i32
  return %0 : i32
}

// Constants that are neither 0 nor -1 need no guard.
// CHECK-LABEL: func @constants
// CHECK-NOT: arith.select
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @constants(%x: i32, %v: vector<4xi32>) -> (i32, i32, i32, vector<4xi32>) {
  %c7 = arith.constant 7 : i32
  %minus = arith.constant -1 : i32
  %mixed = arith.constant dense<[1, 2, 3, -4]> : vector<4xi32>
  %0 = arith.divsi %x, %c7 : i32
  %1 = arith.remui %x, %minus : i32
  %2 = arith.shrsi %x, %c7 : i32
  %3 = arith.remsi %v, %mixed : vector<4xi32>
  return %0, %1, %2, %3 : i32, i32, i32, vector<4xi32>
}

// CHECK-LABEL: func @constant_with_zero
// CHECK: arith.select
func.func @constant_with_zero(%v: vector<2xi32>) -> vector<2xi32> {
  %c = arith.constant dense<[3, 0]> : vector<2xi32>
  %0 = arith.divui %v, %c : vector<2xi32>
  return %0 : vector<2xi32>
}

// Vectors of up to 32 bits divide in floating point of twice the digits.
// CHECK-LABEL: func @vector_division
// CHECK: arith.divf {{.*}} : vector<8xf64>
// CHECK: arith.divf {{.*}} : vector<8xf32>
// CHECK: arith.divsi {{.*}} : vector<8xi64>
// INT-LABEL: func @vector_division
// INT-NOT: arith.divf
// INT: return
func.func @vector_division(%a: vector<8xi32>, %b: vector<8xi16>, %c: vector<8xi64>)
    -> (vector<8xi32>, vector<8xi16>, vector<8xi64>) {
  %0 = arith.divsi %a, %a : vector<8xi32>
  %1 = arith.remui %b, %b : vector<8xi16>
  %2 = arith.divsi %c, %c : vector<8xi64>
  return %0, %1, %2 : vector<8xi32>, vector<8xi16>, vector<8xi64>
}

// One bit needs no division at all.
// CHECK-LABEL: func @one_bit
// CHECK-NOT: arith.div
// CHECK: arith.select
func.func @one_bit(%x: i1, %y: i1) -> i1 {
  %0 = arith.divsi %x, %y : i1
  return %0 : i1
}

// CHECK-LABEL: func @shifts
// CHECK-SAME: %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[Y]]
// CHECK: %[[L:.*]] = arith.shli %[[X]], %[[Y]] {tw.total}
// CHECK: arith.select %[[IN]], %[[L]]
// CHECK: %[[MIN:.*]] = arith.minui %[[Y]]
// CHECK: arith.shrsi %[[X]], %[[MIN]] {tw.total}
func.func @shifts(%x: i32, %y: i32) -> (i32, i32) {
  %0 = arith.shli %x, %y : i32
  %1 = arith.shrsi %x, %y : i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: func @to_integer
// CHECK-SAME: %[[X:.*]]: vector<4xf32>
// CHECK: arith.fptosi %[[X]] {tw.total} : vector<4xf32> to vector<4xi32>
// CHECK: arith.cmpf oge, %[[X]]
// CHECK: arith.cmpf olt, %[[X]]
// CHECK: arith.cmpf uno, %[[X]], %[[X]]
func.func @to_integer(%x: vector<4xf32>) -> vector<4xi32> {
  %0 = arith.fptosi %x : vector<4xf32> to vector<4xi32>
  return %0 : vector<4xi32>
}

// CHECK-LABEL: func @index
// CHECK: arith.divsi {{.*}} : index
func.func @index(%x: index, %y: index) -> index {
  %0 = arith.divsi %x, %y : index
  return %0 : index
}
