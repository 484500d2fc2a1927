// RUN: tw-opt %s --tile-inline-call-ops | FileCheck %s
// RUN: tw-opt %s --tile-to-kernel | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: func.func @calls
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NOT: tile.call_op
// CHECK: %[[R:.*]] = arith.maxnumf %[[X]], %{{.*}} : tensor<8xf32>
// CHECK: %[[S:.*]] = arith.addf %[[R]], %[[R]]
// CHECK: return %[[S]]
func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "tile.call_op"(%x) <{name = "twice@1"}> ({
  ^bb0(%a: tensor<8xf32>):
    %1 = "tile.call_op"(%a) <{name = "relu@1"}> ({
    ^bb0(%b: tensor<8xf32>):
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %r = arith.maxnumf %b, %zero : tensor<8xf32>
      tile.yield %r : tensor<8xf32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %s = arith.addf %1, %1 : tensor<8xf32>
    tile.yield %s : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A marked op keeps its meaning attached, an unmarked one around it does not.
// CHECK-LABEL: func.func @marked
// CHECK-NOT: twice@1
// CHECK: "tile.call_op"(%{{.*}}) <{name = "relu@1"}>
// KERNEL-LABEL: func.func @marked
// KERNEL-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// KERNEL: %[[C:.*]] = "kernel.call_op"(%[[X]]) <{name = "relu@1"}>
// KERNEL: arith.maxnumf
// KERNEL: kernel.yield
// KERNEL: tw.claims
// KERNEL: arith.addf %[[C]], %[[C]]
func.func @marked(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "tile.call_op"(%x) <{name = "twice@1"}> ({
  ^bb0(%a: tensor<8xf32>):
    %1 = "tile.call_op"(%a) <{name = "relu@1"}> ({
    ^bb0(%b: tensor<8xf32>):
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %r = arith.maxnumf %b, %zero : tensor<8xf32>
      tile.yield %r : tensor<8xf32>
    }) {tw.claims} : (tensor<8xf32>) -> tensor<8xf32>
    %s = arith.addf %1, %1 : tensor<8xf32>
    tile.yield %s : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
