// RUN: tw-opt %s --math-expand-functions | FileCheck %s
// RUN: tw-opt %s --math-expand-functions=has-fma=false | FileCheck %s --check-prefix=NOFMA
// RUN: tw-opt %s --math-expand-functions="native-exp2=true" | FileCheck %s --check-prefix=EXP2
// RUN: tw-opt %s --math-expand-functions=has-rounding=false | FileCheck %s --check-prefix=NOROUND
// RUN: tw-opt %s --math-expand-functions=has-branches=true | FileCheck %s --check-prefix=BRANCH
// RUN: not tw-opt %s --math-expand-functions=mode=exact 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: for the {{.*}}mode option: Cannot find option named 'exact'

// Every f32 function becomes arithmetic, on any shape.
// CHECK-LABEL: func @vector
// CHECK-SAME: %[[X:.*]]: vector<16xf32>
// CHECK-NOT: math.exp
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK: arith.bitcast {{.*}} : vector<16xi32> to vector<16xf32>
// CHECK-NOT: math.exp
// NOFMA-LABEL: func @vector
// NOFMA-NOT: math.
// NOFMA: return
// EXP2-LABEL: func @vector
// EXP2: math.exp2 {{.*}} : vector<16xf32>
// EXP2: return
func.func @vector(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @shapes
// CHECK-NOT: math.log{{ }}
// CHECK: math.fma {{.*}} : f32
// CHECK: math.fma {{.*}} : vector<2x4xf32>
// CHECK: math.fma {{.*}} : vector<[4]xf32>
// CHECK: math.fma {{.*}} : tensor<3x5xf32>
// CHECK-NOT: math.log{{ }}
// CHECK: return
func.func @shapes(%a: f32, %b: vector<2x4xf32>, %c: vector<[4]xf32>,
                  %d: tensor<3x5xf32>)
    -> (f32, vector<2x4xf32>, vector<[4]xf32>, tensor<3x5xf32>) {
  %0 = math.log %a : f32
  %1 = math.log %b : vector<2x4xf32>
  %2 = math.log %c : vector<[4]xf32>
  %3 = math.log %d : tensor<3x5xf32>
  return %0, %1, %2, %3 : f32, vector<2x4xf32>, vector<[4]xf32>, tensor<3x5xf32>
}

// Small floats are computed in f32 and rounded once.
// CHECK-LABEL: func @small
// CHECK-SAME: %[[X:.*]]: vector<8xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : vector<8xbf16> to vector<8xf32>
// CHECK-NOT: arith.truncf {{.*}} to vector<8xbf16>
// CHECK: %[[R:.*]] = arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK-NEXT: return %[[R]]
func.func @small(%x: vector<8xbf16>) -> vector<8xbf16> {
  %0 = math.tanh %x : vector<8xbf16>
  return %0 : vector<8xbf16>
}

// So does every function on f64.
// CHECK-LABEL: func @double
// CHECK-NOT: math.{{exp|powf}}
// CHECK: math.fma {{.*}} : f64
// CHECK-NOT: math.{{exp|powf}}
// CHECK: return
func.func @double(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  %1 = math.powf %0, %x : f64
  return %1 : f64
}

// Constant exponents 1 and 2 need no power.
// CHECK-LABEL: func @square
// CHECK-SAME: %[[X:.*]]: vector<4xf32>
// CHECK: %[[R:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: return %[[R]], %[[X]]
func.func @square(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %two = arith.constant dense<2.0> : vector<4xf32>
  %one = arith.constant dense<1> : vector<4xi32>
  %0 = math.powf %x, %two : vector<4xf32>
  %1 = math.fpowi %x, %one : vector<4xf32>, vector<4xi32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// Powers of 2 are exp2.
// EXP2-LABEL: func @power_of_two
// EXP2: math.exp2 %{{.*}} : vector<4xf32>
// EXP2-NEXT: return
func.func @power_of_two(%x: vector<4xf32>) -> vector<4xf32> {
  %two = arith.constant dense<2.0> : vector<4xf32>
  %0 = math.powf %two, %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// sin and cos of sincos share one reduction.
// CHECK-LABEL: func @sincos
// CHECK-COUNT-1: arith.truncf
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @sincos(%x: f32) -> (f32, f32) {
  %s, %c = math.sincos %x : f32
  return %s, %c : f32, f32
}

// Native operations stay, unless the target lacks them.
// CHECK-LABEL: func @native
// CHECK-NEXT: math.sqrt {{.*}} : f32
// CHECK-NEXT: math.floor {{.*}} : f32
// CHECK-NEXT: math.fma {{.*}} : f32
// CHECK-NEXT: return
// NOFMA-LABEL: func @native
// NOFMA: math.floor
// NOFMA-NOT: math.fma
// NOFMA: return
// NOROUND-LABEL: func @native
// NOROUND-NOT: math.floor
// NOROUND: return
func.func @native(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  %1 = math.floor %0 : f32
  %2 = math.fma %0, %1, %x : f32
  return %2 : f32
}

// The long argument reduction is skipped where no element needs it; shapes that
// cannot be asked for "any" compute both.
// BRANCH-LABEL: func @branch
// BRANCH: %[[BIG:.*]] = arith.cmpf oge, {{.*}} : vector<8xf32>
// BRANCH: %[[ANY:.*]] = vector.reduction <or>, %[[BIG]]
// BRANCH: scf.if %[[ANY]] -> (vector<8xf64>, vector<8xi32>)
// BRANCH-NOT: scf.if
// BRANCH: return
// CHECK-LABEL: func @branch
// CHECK-NOT: scf.if
// CHECK: return
func.func @branch(%x: vector<8xf32>, %y: vector<2x4xf32>, %z: vector<8xf16>)
    -> (vector<8xf32>, vector<2x4xf32>, vector<8xf16>) {
  %0 = math.sin %x : vector<8xf32>
  %1 = math.cos %y : vector<2x4xf32>
  %2 = math.tan %z : vector<8xf16>
  return %0, %1, %2 : vector<8xf32>, vector<2x4xf32>, vector<8xf16>
}
