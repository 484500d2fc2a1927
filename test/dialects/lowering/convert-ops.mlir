// RUN: tw-opt %s --tile-convert-to-kernel --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @shapes
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1]]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[E]]
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[C]] : tensor<8xf32>) outs(%{{.*}} : tensor<8x4xf32>) dimensions = [1]
// CHECK: linalg.transpose ins(%[[B]] : tensor<8x4xf32>) outs(%{{.*}} : tensor<4x8xf32>) permutation = [1, 0]
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<4x8xf32> into tensor<32xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 16]
// CHECK: tensor.splat
// CHECK: kernel.join
// CHECK: kernel.gather_in_tile
func.func @shapes(%x: tensor<8xf32>, %s: i32, %i: tensor<4xi32>) -> (tensor<2x16xf32>, tensor<8x2xf32>, tensor<3xi32>, tensor<4xf32>) {
  %a = tile.reshape %x : tensor<8xf32> -> tensor<8x1xf32>
  %b = tile.broadcast %a : tensor<8x1xf32> -> tensor<8x4xf32>
  %c = tile.transpose %b [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %d = tile.reshape %c : tensor<4x8xf32> -> tensor<2x16xf32>
  %e = tile.splat %s : i32 -> tensor<3xi32>
  %j = tile.join %x, %x : tensor<8xf32> -> tensor<8x2xf32>
  %g = tile.gather %x[%i] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  return %d, %j, %e, %g : tensor<2x16xf32>, tensor<8x2xf32>, tensor<3xi32>, tensor<4xf32>
}

// -----

// Several unit dimensions, in front, between and behind.
// CHECK-LABEL: func.func @units
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<8xf32>
// CHECK: linalg.broadcast {{.*}} outs(%{{.*}} : tensor<2x8x3x4xf32>) dimensions = [0, 2, 3]
// CHECK: tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
// CHECK: linalg.broadcast {{.*}} dimensions = [0, 1]
func.func @units(%x: tensor<1x8x1x1xf32>, %y: tensor<1x1xf32>) -> (tensor<2x8x3x4xf32>, tensor<4x8xf32>) {
  %a = tile.broadcast %x : tensor<1x8x1x1xf32> -> tensor<2x8x3x4xf32>
  %b = tile.broadcast %y : tensor<1x1xf32> -> tensor<4x8xf32>
  return %a, %b : tensor<2x8x3x4xf32>, tensor<4x8xf32>
}

// -----

// Identities: -0.0 for sums, NaN for the maximum that ignores NaN, -inf for the
// one that does not, all ones for a conjunction.
// CHECK-LABEL: func.func @reductions
// CHECK: %[[MZ:.*]] = arith.constant dense<-0.000000e+00> : tensor<4xf32>
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x8xf32>) outs(%[[MZ]] : tensor<4xf32>) dimensions = [1]
// CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<4xf32>
// CHECK: linalg.reduce { arith.maxnumf } {{.*}} outs(%[[NAN]]
// CHECK: %[[INF:.*]] = arith.constant dense<0xFF800000> : tensor<8xf32>
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x8xf32>) outs(%[[INF]] : tensor<8xf32>) dimensions = [0]
// CHECK: arith.maximumf
// CHECK: %[[ONES:.*]] = arith.constant dense<-1> : tensor<4xi32>
// CHECK: linalg.reduce {{.*}} outs(%[[ONES]]
// A difference is no such op, a vector gives a scalar.
// CHECK: "kernel.reduce"
// CHECK: arith.subf
// CHECK: "kernel.reduce"({{.*}}) <{axis = 0 : i32, order = #kernel<order any>}>
func.func @reductions(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %v: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4xi32>, tensor<4xf32>, f32) {
  %0 = "tile.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = "tile.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %b, %a : f32
    tile.yield %c : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  %2 = "tile.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }) : (tensor<4x8xf32>) -> tensor<8xf32>
  %3 = "tile.reduce"(%i) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.andi %a, %b : i32
    tile.yield %c : i32
  }) : (tensor<4x8xi32>) -> tensor<4xi32>
  %4 = "tile.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    tile.yield %c : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  %5 = "tile.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }) : (tensor<8xf32>) -> f32
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4xi32>, tensor<4xf32>, f32
}

// -----

// Portable mathematics states the order of float sums, not of maxima.
module attributes {tw.math = "portable"} {
  // CHECK-LABEL: func.func @portable
  // CHECK: "kernel.reduce"({{.*}}) <{axis = 1 : i32, order = #kernel<order stated>}>
  // CHECK: linalg.reduce
  func.func @portable(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = "tile.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }) : (tensor<4x8xf32>) -> tensor<4xf32>
    %1 = "tile.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tile.yield %c : f32
    }) : (tensor<4x8xf32>) -> tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: func.func @dots
// CHECK: linalg.matmul {kernel.max_imprecise_acc = 32 : i32, kernel.precision = "tf32x3"}
// CHECK: linalg.batch_matmul {kernel.max_imprecise_acc = 0 : i32, kernel.precision = "ieee"}
func.func @dots(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %d: tensor<2x4x8xi8>, %e: tensor<2x8x4xi8>, %f: tensor<2x4x4xi32>) -> (tensor<4x4xf32>, tensor<2x4x4xi32>) {
  %0 = tile.dot %a, %b, %c precision tf32x3 {maxImpreciseAcc = 32 : i32} : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
  %1 = tile.dot %d, %e, %f : tensor<2x4x8xi8>, tensor<2x8x4xi8>, tensor<2x4x4xi32>
  return %0, %1 : tensor<4x4xf32>, tensor<2x4x4xi32>
}

// -----

// A loop over pointers keeps its hints; scalar accesses are views of one
// element, pointers in memory are addresses.
// CHECK-LABEL: func.func @memory
// CHECK-SAME: %[[P:[a-z0-9]+]]: !kernel.ptr<f32>, %[[T:[a-z0-9]+]]: !kernel.ptr<i64>
// CHECK: scf.for {{.*}} -> (!kernel.ptr<f32>)
// CHECK: %[[V:.*]] = kernel.view %{{.*}} sizes[] strides[] : <f32> -> <0, f32>
// CHECK: %[[X:.*]] = kernel.load %[[V]][] lo[] hi[] boundary [] mask %{{.*}} : i1 : <0, f32> -> f32
// CHECK: kernel.addptr %{{.*}}, %{{.*}} : !kernel.ptr<f32>, i32
// CHECK: } {tw.opt.loop = {num_stages = 2 : i32}}
// CHECK: %[[A:.*]] = kernel.load {{.*}} -> i64
// CHECK: kernel.int_to_ptr %[[A]] : i64 -> !kernel.ptr<f32>
func.func @memory(%p: !tile.ptr<f32>, %t: !tile.ptr<!tile.ptr<f32>>, %o: i32, %m: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (!tile.ptr<f32>) : i32 {
    %x = tile.load %q mask %m : i1 : !tile.ptr<f32> -> f32
    tile.store %q, %x : !tile.ptr<f32>, f32
    %next = tile.addptr %q, %o : !tile.ptr<f32>, i32
    scf.yield %next : !tile.ptr<f32>
  } {tw.opt.loop = {num_stages = 2 : i32}}
  %u = tile.load %t : !tile.ptr<!tile.ptr<f32>> -> !tile.ptr<f32>
  %y = tile.load %u : !tile.ptr<f32> -> f32
  tile.store %r, %y : !tile.ptr<f32>, f32
  return
}
