// RUN: tw-opt %s -cpu-contract-multiply-add | FileCheck %s
// RUN: tw-opt %s -cpu-contract-multiply-add="has-fma=false" | FileCheck %s --check-prefix=PLAIN

// PLAIN-NOT: math.fma
// PLAIN-NOT: contract

// CHECK-LABEL: func.func @sum
// CHECK-NEXT: %[[R:.*]] = math.fma %arg0, %arg1, %arg2 : vector<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @sum(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %p = arith.mulf %a, %b fastmath<contract> : vector<4xf32>
  %r = arith.addf %c, %p fastmath<contract> : vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @differences
// CHECK-NEXT: %[[NA:.*]] = arith.negf %arg0
// CHECK-NEXT: math.fma %[[NA]], %arg1, %arg2 : f64
// CHECK-NEXT: %[[NC:.*]] = arith.negf %arg2
// CHECK-NEXT: math.fma %arg0, %arg1, %[[NC]] : f64
func.func @differences(%a: f64, %b: f64, %c: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b fastmath<contract> : f64
  %r = arith.subf %c, %p fastmath<contract> : f64
  %q = arith.mulf %a, %b fastmath<contract> : f64
  %s = arith.subf %q, %c fastmath<contract> : f64
  return %r, %s : f64, f64
}

// The left product of two; the right one is rounded.
// CHECK-LABEL: func.func @products
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %arg1, %arg1 : f32
// CHECK-NEXT: math.fma %arg0, %arg0, %[[Q]] : f32
func.func @products(%a: f32, %b: f32) -> f32 {
  %p = arith.mulf %a, %a fastmath<contract> : f32
  %q = arith.mulf %b, %b fastmath<contract> : f32
  %r = arith.addf %p, %q fastmath<contract> : f32
  return %r : f32
}

// Not without both flags, not a product with two uses, not across blocks, not
// f16, whose arithmetic is that of f32 on most processors and not on others.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: math.fma
// CHECK-NOT: contract
// CHECK: nnan
func.func @kept(%a: f32, %h: f16, %n: index) -> (f32, f32, f32, f16, f32, f16) {
  %p = arith.mulf %a, %a : f32
  %r = arith.addf %p, %a fastmath<contract> : f32
  %q = arith.mulf %a, %a fastmath<nnan,contract> : f32
  %s = arith.addf %q, %q fastmath<contract> : f32
  %t = arith.mulf %h, %h fastmath<contract> : f16
  %u = arith.addf %t, %h fastmath<contract> : f16
  %v = arith.mulf %a, %a fastmath<contract> : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f32 {
    %y = arith.addf %v, %x fastmath<contract> : f32
    scf.yield %y : f32
  }
  %x = arith.truncf %a : f32 to f16
  return %r, %s, %q, %u, %w, %x : f32, f32, f32, f16, f32, f16
}
