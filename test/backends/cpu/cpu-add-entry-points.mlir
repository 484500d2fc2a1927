// RUN: tw-opt %s -cpu-add-entry-points -split-input-file -verify-diagnostics | FileCheck %s

// The program function becomes private; the entry point steps through ids, x fastest.

// CHECK-LABEL: func.func @k(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %[[GRID:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %[[SCRATCH:.*]]: !llvm.ptr)
// CHECK: %[[NX64:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[NX1:.*]] = llvm.intr.umax(%[[NX64]], %{{.*}})
// CHECK: %[[NX:.*]] = arith.trunci %[[NX64]]
// CHECK: %[[ROW:.*]] = llvm.udiv %[[BEGIN]], %[[NX1]]
// CHECK: llvm.urem %[[BEGIN]], %[[NX1]]
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %{{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}, %[[Z:.*]] = %{{.*}}) -> (i32, i32, i32) : i64
// CHECK: func.call @k.program(%[[ARGS]], %[[X]], %[[Y]], %[[Z]], %[[NX]], %{{.*}}, %{{.*}}, %{{.*}}, %[[SCRATCH]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[X]],
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %[[NX]]
// CHECK: arith.select %[[WRAPS]],
// CHECK: func.func private @k.program(
func.func @k(%args: !llvm.ptr, %x: i32, %y: i32, %z: i32, %nx: i32, %ny: i32, %nz: i32, %services: !llvm.ptr, %scratch: !llvm.ptr) {
  return
}

// -----

// expected-error @+1 {{TW4110: expected a function that runs one program}}
func.func @other(%args: !llvm.ptr) {
  return
}
