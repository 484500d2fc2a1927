// RUN: tw-opt %s --tile-inline-call-ops | FileCheck %s
// RUN: tw-opt %s --tile-to-kernel="claims=relu@1" | FileCheck %s --check-prefix=CLAIMED
// RUN: tw-opt %s --tile-to-kernel="claims=other@1,relu@1:f16|f32:1-2" | FileCheck %s --check-prefix=CLAIMED
// RUN: tw-opt %s --tile-inline-call-ops="claims=relu@1:f16:1-2" | FileCheck %s
// RUN: tw-opt %s --tile-inline-call-ops="claims=relu@1:f32:2-3" | FileCheck %s
// RUN: tw-opt %s --tile-inline-call-ops="claims=relu@2" | FileCheck %s
// RUN: not tw-opt %s --tile-inline-call-ops="claims=relu" 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not tw-opt %s --tile-inline-call-ops="claims=relu@1:f32:two" 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: TW3125: expected a claim such as softmax@1:f32|f16:1-2, got 'relu

// CHECK-LABEL: func.func @calls
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NOT: tile.call_op
// CHECK: %[[R:.*]] = arith.maxnumf %[[X]], %{{.*}} : tensor<8xf32>
// CHECK: %[[S:.*]] = arith.addf %[[R]], %[[R]]
// CHECK: return %[[S]]

// A claimed op keeps its meaning attached, an unclaimed one around it does not.
// CLAIMED-LABEL: func.func @calls
// CLAIMED-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CLAIMED: %[[C:.*]] = "kernel.call_op"(%[[X]]) <{name = "relu@1"}>
// CLAIMED: arith.maxnumf
// CLAIMED: kernel.yield
// CLAIMED: arith.addf %[[C]], %[[C]]
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
