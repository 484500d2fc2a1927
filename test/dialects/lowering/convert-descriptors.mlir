// RUN: tw-opt %s --tile-convert-to-kernel --canonicalize --split-input-file | FileCheck %s

// Every access checks the described shape and pads with the descriptor's value.
// CHECK-LABEL: func.func @block
// CHECK-SAME: %[[P:[a-z0-9]+]]: !kernel.ptr<f16>, %[[M:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32
// CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7E00 : f16
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
// CHECK: %[[V:.*]] = kernel.view %[[P]] sizes[%[[M]], %[[N]]] strides[%[[N]], %[[C1]]]
// CHECK-DAG: %[[IW:.*]] = arith.extsi %[[I]]
// CHECK-DAG: %[[JW:.*]] = arith.extsi %[[J]]
// CHECK: kernel.load %[[V]][%[[IW]], %[[JW]]] lo[%[[C0]], %[[C0]]] hi[%[[M]], %[[N]]] boundary [0, 0] other %[[NAN]] : f16 evict evict_first
// CHECK: kernel.store %{{.*}} lo[%[[C0]], %[[C0]]] hi[%[[M]], %[[N]]] boundary [0, 0]
func.func @block(%p: !tile.ptr<f16>, %m: i64, %n: i64, %i: i32, %j: i32) {
  %one = arith.constant 1 : i64
  %d = tile.make_descriptor %p, shape [%m, %n] strides [%n, %one] padding nan : !tile.ptr<f16> -> !tile.desc<tensor<16x32xf16>>
  %x = tile.descriptor_load %d[%i, %j] evict evict_first : !tile.desc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tile.descriptor_store %d[%i, %j], %x : !tile.desc<tensor<16x32xf16>>, tensor<16x32xf16>
  return
}

// -----

// Descriptors through control flow travel as their parts; padding included.
// CHECK-LABEL: func.func @control
// CHECK-SAME: %[[P:[a-z0-9]+]]: !kernel.ptr<f16>, %[[M:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i64, %[[C:[a-z0-9]+]]: i1
// CHECK-DAG: %[[H:.*]] = arith.select %[[C]], %[[M]], %[[N]] : i64
// CHECK-DAG: %[[PAD:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : f16
// CHECK: scf.for {{.*}} iter_args(%[[L:.*]] = %[[H]], %[[O:.*]] = %[[PAD]]) -> (i64, f16)
// CHECK: kernel.load {{.*}} hi[%[[L]]] boundary [0] other %[[O]] : f16
// CHECK: scf.yield %[[M]], %{{.*}} : i64, f16
// CHECK: } {tw.opt.loop = {num_stages = 2 : i32}}
func.func @control(%p: !tile.ptr<f16>, %m: i64, %n: i64, %c: i1, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %a = tile.make_descriptor %p, shape [%m] strides [%one] padding nan : !tile.ptr<f16> -> !tile.desc<tensor<32xf16>>
  %b = tile.make_descriptor %p, shape [%n] strides [%one] : !tile.ptr<f16> -> !tile.desc<tensor<32xf16>>
  %d = scf.if %c -> (!tile.desc<tensor<32xf16>>) {
    scf.yield %a : !tile.desc<tensor<32xf16>>
  } else {
    scf.yield %b : !tile.desc<tensor<32xf16>>
  }
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%e = %d) -> (!tile.desc<tensor<32xf16>>) : i32 {
    %x = tile.descriptor_load %e[%i] : !tile.desc<tensor<32xf16>> -> tensor<32xf16>
    tile.descriptor_store %e[%k], %x : !tile.desc<tensor<32xf16>>, tensor<32xf16>
    scf.yield %a : !tile.desc<tensor<32xf16>>
  } {tw.opt.loop = {num_stages = 2 : i32}}
  return
}

// -----

// Rows by number; a block without its unit extent; a reduction in memory.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[R:[a-z0-9]+]]: tensor<8xi32>
// CHECK: %[[X:.*]] = kernel.load {{.*}} boundary [0, 0] index %[[R]] : tensor<8xi32> index_dim 0 : <2, f32>
// CHECK: kernel.store %[[X]], {{.*}} index %[[R]] : tensor<8xi32> index_dim 0
// CHECK: %[[Y:.*]] = kernel.load {{.*}} -> tensor<1x32xf32>
// CHECK: tensor.collapse_shape %[[Y]] {{\[\[}}0, 1]] : tensor<1x32xf32> into tensor<32xf32>
// CHECK: kernel.atomic_rmw fadd relaxed gpu %[[Y]], %{{.*}}[%{{.*}} : tensor<1x32xi64>] mask %{{.*}} : tensor<1x32xi1>
func.func @rows(%p: !tile.ptr<f32>, %rows: tensor<8xi32>, %m: i64, %n: i64, %i: i32, %j: i32) -> tensor<32xf32> {
  %one = arith.constant 1 : i64
  %d = tile.make_descriptor %p, shape [%m, %n] strides [%n, %one] : !tile.ptr<f32> -> !tile.desc<tensor<1x32xf32>>
  %x = tile.descriptor_gather %d[%rows, %j] : !tile.desc<tensor<1x32xf32>>, tensor<8xi32> -> tensor<8x32xf32>
  tile.descriptor_scatter %d[%rows, %j], %x : !tile.desc<tensor<1x32xf32>>, tensor<8xi32>, tensor<8x32xf32>
  %y = tile.descriptor_load %d[%i, %j] : !tile.desc<tensor<1x32xf32>> -> tensor<32xf32>
  %z = tile.reshape %y : tensor<32xf32> -> tensor<1x32xf32>
  tile.descriptor_store %d[%i, %j], %z kind fadd : !tile.desc<tensor<1x32xf32>>, tensor<1x32xf32>
  return %y : tensor<32xf32>
}

// -----

// The view of an invariant descriptor is made outside of the loop.
// CHECK-LABEL: func.func @hoisted
// CHECK: %[[V:.*]] = kernel.view
// CHECK: scf.for
// CHECK: kernel.load %[[V]]
func.func @hoisted(%p: !tile.ptr<f32>, %m: i64, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %d = tile.make_descriptor %p, shape [%m] strides [%one] : !tile.ptr<f32> -> !tile.desc<tensor<32xf32>>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tile.descriptor_load %d[%i] : !tile.desc<tensor<32xf32>> -> tensor<32xf32>
    tile.descriptor_store %d[%n], %x : !tile.desc<tensor<32xf32>>, tensor<32xf32>
  }
  return
}
