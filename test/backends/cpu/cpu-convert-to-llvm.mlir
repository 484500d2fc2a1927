// RUN: tw-opt %s -cpu-convert-to-llvm -split-input-file -verify-diagnostics | FileCheck %s

// Loops, vectors and index arithmetic in one go; program functions are always inlined.

// CHECK-LABEL: llvm.func internal @k.program(
// CHECK-SAME: always_inline
// CHECK: llvm.cond_br
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NOT: scf.
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.return
func.func private @k.program(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %n step %c16 {
    %i64 = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %q : !llvm.ptr -> vector<16xf32>
    %s = arith.addf %v, %v : vector<16xf32>
    llvm.store %s, %q : vector<16xf32>, !llvm.ptr
  }
  return
}

// -----

// Masks and steps have no instruction of their own.

// CHECK-LABEL: llvm.func @mask(
// CHECK: llvm.mlir.constant(dense<[0, 1, 2, 3]>
// CHECK: llvm.icmp "slt"
func.func @mask(%n: index) -> vector<4xi1> {
  %step = vector.step : vector<4xindex>
  %b = vector.broadcast %n : index to vector<4xindex>
  %m = arith.cmpi slt, %step, %b : vector<4xindex>
  return %m : vector<4xi1>
}

// -----

// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func @left_over(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
