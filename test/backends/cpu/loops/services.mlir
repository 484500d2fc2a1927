// RUN: tw-opt %s --cpu-lower-to-loops | FileCheck %s

// Printing adds functions that need no C library; failures carry code and line.
// CHECK-DAG: llvm.mlir.global internal constant @report.text{{[0-9]+}}("too big\00")
// CHECK-DAG: llvm.mlir.global internal constant @report.text{{[0-9]+}}("x: \00")
// CHECK-LABEL: func.func @report
// CHECK: scf.for
// CHECK:   call @tw.append_text
// CHECK:   call @tw.append_signed
// CHECK: %[[PRINT:.*]] = llvm.getelementptr %arg7[8]
// CHECK: llvm.load %[[PRINT]]
// CHECK: llvm.call
// CHECK: %c6030_i32
// CHECK-LABEL: func.func private @tw.append_digits
func.func @report(
    %x: i32 {tw.name = "x", tw.dtype = "i32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  %range = kernel.range 0 to 4 : tensor<4xi32>
  kernel.print "x" %range : tensor<4xi32> {signedness = array<i1: true>}
  %splat = tensor.splat %x : tensor<4xi32>
  %small = arith.cmpi slt, %range, %splat : tensor<4xi32>
  kernel.assert %small, "too big" : tensor<4xi1>
  return
}
