// RUN: tw-opt %s --tile-split-carried --split-input-file | FileCheck %s

// Linear in the induction variable: nothing is carried, the loop keeps its
// hints.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x!tile.ptr<f32>>, %[[S:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
// CHECK: %[[SW:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} : i32 {
// CHECK: %[[IW:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[O:.*]] = arith.muli %[[IW]], %[[SW]] : i64
// CHECK: %[[OS:.*]] = tile.splat %[[O]] : i64 -> tensor<8xi64>
// CHECK: %[[A:.*]] = tile.addptr %[[P]], %[[OS]]
// CHECK: tile.load %[[A]]
// CHECK: } {tw.opt.loop = {num_stages = 4 : i32}}
func.func @linear(%p: tensor<8x!tile.ptr<f32>>, %s: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ss = tile.splat %s : i32 -> tensor<8xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p) -> (tensor<8x!tile.ptr<f32>>) : i32 {
    %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
    tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
    %b = tile.addptr %a, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    scf.yield %b : tensor<8x!tile.ptr<f32>>
  } {tw.opt.loop = {num_stages = 4 : i32}}
  return
}

// -----

// A step that does not divide the advance, and a result that is used: the
// offset is carried in 64 bits.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x!tile.ptr<f32>>, %[[S:[a-z0-9]+]]: i32
// CHECK: %[[Z:.*]] = arith.constant 0 : i64
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[O:.*]] = %[[Z]]) -> (i64)
// CHECK: %[[OS:.*]] = tile.splat %[[O]] : i64 -> tensor<8xi64>
// CHECK: %[[A:.*]] = tile.addptr %[[P]], %[[OS]]
// CHECK: tile.load %[[A]]
// CHECK: %[[SW:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[O]], %[[SW]] : i64
// CHECK: scf.yield %[[NEXT]] : i64
// CHECK: tw.opt.loop = {flatten}
// CHECK: %[[RS:.*]] = tile.splat %[[R]] : i64 -> tensor<8xi64>
// CHECK: %[[E:.*]] = tile.addptr %[[P]], %[[RS]]
// CHECK: tile.load %[[E]]
func.func @carried(%p: tensor<8x!tile.ptr<f32>>, %s: i32, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %ss = tile.splat %s : i32 -> tensor<8xi32>
  %r = scf.for %i = %c0 to %n step %c3 iter_args(%a = %p) -> (tensor<8x!tile.ptr<f32>>) : i32 {
    %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
    tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
    %b = tile.addptr %a, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    scf.yield %b : tensor<8x!tile.ptr<f32>>
  } {tw.opt.loop = {flatten}}
  %y = tile.load %r : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A different amount for each element carries a tensor of offsets.
// CHECK-LABEL: func.func @uneven
// CHECK: scf.for {{.*}} iter_args(%[[O:.*]] = %{{.*}}) -> (tensor<8xi64>)
// CHECK: tile.addptr %{{.*}}, %[[O]]
func.func @uneven(%p: tensor<8x!tile.ptr<f32>>, %s: tensor<8xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p) -> (tensor<8x!tile.ptr<f32>>) : i32 {
    %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
    tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
    %b = tile.addptr %a, %s : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    scf.yield %b : tensor<8x!tile.ptr<f32>>
  }
  return
}

// -----

// An index tensor: the carried scalar is exact, so its truncation is marked.
// CHECK-LABEL: func.func @index
// CHECK-SAME: %[[R0:[a-z0-9]+]]: tensor<8xi32>
// CHECK: scf.for %[[I:.*]] = %[[LB:.*]] to
// CHECK: %[[LW:.*]] = arith.extsi %[[LB]]
// CHECK: %[[D:.*]] = arith.subi %{{.*}}, %[[LW]] : i64
// CHECK: %[[O:.*]] = arith.muli %[[D]], %{{.*}} : i64
// CHECK: %[[T:.*]] = arith.trunci %[[O]] {tw.carried} : i64 to i32
// CHECK: %[[TS:.*]] = tile.splat %[[T]]
// CHECK: arith.addi %[[R0]], %[[TS]] : tensor<8xi32>
func.func @index(%r: tensor<8xi32>, %p: tensor<8x!tile.ptr<f32>>, %lb: i32, %n: i32) {
  %c64 = arith.constant 64 : i32
  %d = arith.constant dense<128> : tensor<8xi32>
  %e = scf.for %i = %lb to %n step %c64 iter_args(%o = %r) -> (tensor<8xi32>) : i32 {
    %a = tile.addptr %p, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
    tile.store %a, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
    %q = arith.addi %o, %d : tensor<8xi32>
    scf.yield %q : tensor<8xi32>
  }
  return
}

// -----

// Nested: the inner result is an advance of the outer value.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for {{.*}} iter_args(%[[OO:.*]] = %{{.*}}) -> (i64)
// CHECK: %[[IR:.*]] = scf.for {{.*}} iter_args(%[[IO:.*]] = %{{.*}}) -> (i64)
// CHECK: %[[N:.*]] = arith.addi %[[OO]], %[[IR]] : i64
// CHECK: scf.yield %[[N]] : i64
func.func @nested(%p: !tile.ptr<f32>, %s: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p) -> (!tile.ptr<f32>) : i32 {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (!tile.ptr<f32>) : i32 {
      %x = tile.load %b : !tile.ptr<f32> -> f32
      tile.store %b, %x : !tile.ptr<f32>, f32
      %c = tile.addptr %b, %s : !tile.ptr<f32>, i32
      scf.yield %c : !tile.ptr<f32>
    }
    scf.yield %q : !tile.ptr<f32>
  }
  return
}

// -----

// A conditional advance inside a while loop, which keeps its attributes.
// CHECK-LABEL: func.func @while
// CHECK-SAME: %[[P:[a-z0-9]+]]: !tile.ptr<i32>, %{{.*}}: i32
// CHECK: %[[R:.*]] = scf.while (%[[O:.*]] = %{{.*}}) : (i64) -> i64
// CHECK: scf.condition(%{{.*}}) %[[O]] : i64
// CHECK: ^bb0(%[[A:.*]]: i64):
// CHECK: %[[D:.*]] = scf.if %{{.*}} -> (i64)
// CHECK: %[[N:.*]] = arith.addi %[[A]], %[[D]] : i64
// CHECK: scf.yield %[[N]] : i64
// CHECK: attributes {tw.opt.loop = {disallow_acc_multi_buffer}}
// CHECK: tile.addptr %[[P]], %[[R]]
func.func @while(%p: !tile.ptr<i32>, %s: i32, %c: i1) -> !tile.ptr<i32> {
  %z = arith.constant 0 : i32
  %r = scf.while (%a = %p) : (!tile.ptr<i32>) -> !tile.ptr<i32> {
    %x = tile.load %a : !tile.ptr<i32> -> i32
    %go = arith.cmpi ne, %x, %z : i32
    scf.condition(%go) %a : !tile.ptr<i32>
  } do {
  ^bb0(%b: !tile.ptr<i32>):
    %d = scf.if %c -> (!tile.ptr<i32>) {
      %e = tile.addptr %b, %s : !tile.ptr<i32>, i32
      scf.yield %e : !tile.ptr<i32>
    } else {
      scf.yield %b : !tile.ptr<i32>
    }
    scf.yield %d : !tile.ptr<i32>
  } attributes {tw.opt.loop = {disallow_acc_multi_buffer}}
  return %r : !tile.ptr<i32>
}

// -----

// Two buffers that take turns have no common root: the pointers stay carried.
// CHECK-LABEL: func.func @swapped
// CHECK: scf.for {{.*}} -> (!tile.ptr<f32>, !tile.ptr<f32>)
// An unsigned advance wraps as written and stays, too.
// CHECK-LABEL: func.func @unsigned
// CHECK: scf.for {{.*}} -> (tensor<8xi32>)
func.func @swapped(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (!tile.ptr<f32>, !tile.ptr<f32>) : i32 {
    %x = tile.load %a : !tile.ptr<f32> -> f32
    tile.store %b, %x : !tile.ptr<f32>, f32
    scf.yield %b, %a : !tile.ptr<f32>, !tile.ptr<f32>
  }
  return
}
func.func @unsigned(%r: tensor<8xi32>, %n: i32) -> tensor<8xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<128> : tensor<8xi32>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%o = %r) -> (tensor<8xi32>) : i32 {
    %q = arith.addi %o, %d {tw.unsigned} : tensor<8xi32>
    scf.yield %q : tensor<8xi32>
  }
  return %e : tensor<8xi32>
}
