// Memory effects: what may be dropped, merged or moved.
// RUN: tw-opt %s --canonicalize --cse --loop-invariant-code-motion --split-input-file | FileCheck %s

// Plain loads are dropped when unused, volatile ones, atomics and output not.
// CHECK-LABEL: func.func @unused
// CHECK-NOT: tile.load %{{[^ ]*}} : !tile.ptr<f32> -> f32
// CHECK: tile.load %{{.*}} volatile
// CHECK: tile.atomic_rmw
// CHECK: tile.atomic_cas
// CHECK: tile.barrier
// CHECK: tile.print
// CHECK: tile.assert
// CHECK: tile.assume
// CHECK: tile.clock
// CHECK: tile.inline_asm "nvidia" "bar"
// CHECK-NOT: tile.inline_asm
// CHECK: tile.trap
func.func @unused(%p: !tile.ptr<f32>, %q: !tile.ptr<i32>, %i: i32, %c: i1) {
  %0 = tile.load %p : !tile.ptr<f32> -> f32
  %1 = tile.load %p volatile : !tile.ptr<f32> -> f32
  %2 = tile.atomic_rmw add relaxed gpu %q, %i : !tile.ptr<i32>, i32 -> i32
  %3 = tile.atomic_cas relaxed gpu %q, %i, %i : !tile.ptr<i32>, i32 -> i32
  tile.barrier
  tile.print "done" {signedness = array<i1>}
  tile.assert %c, "text" : i1
  tile.assume %c : i1
  %4 = tile.clock "clock" : i64
  %5 = tile.inline_asm "nvidia" "bar" constraints "=r,r" pack 1 (%i) : (i32) -> i32
  %6 = tile.inline_asm "nvidia" "mov" constraints "=r,r" pack 1 pure (%i) : (i32) -> i32
  tile.trap "text"
  return
}

// -----

// Equal loads merge, but not across a store, an atomic or a barrier.
// CHECK-LABEL: func.func @merged
// CHECK-COUNT-1: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.store
// CHECK: tile.load
// CHECK: tile.barrier
// CHECK: tile.load
// CHECK-NOT: tile.load
func.func @merged(%p: !tile.ptr<f32>, %x: f32) -> (f32, f32, f32, f32) {
  %0 = tile.load %p : !tile.ptr<f32> -> f32
  %1 = tile.load %p : !tile.ptr<f32> -> f32
  tile.store %p, %x : !tile.ptr<f32>, f32
  %2 = tile.load %p : !tile.ptr<f32> -> f32
  tile.barrier
  %3 = tile.load %p : !tile.ptr<f32> -> f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// -----

// An assumption stays under its guard and inside its loop.
// CHECK-LABEL: func.func @assumption
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.assume
func.func @assumption(%c: i1, %d: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %c {
      tile.assume %d : i1
    }
  }
  return
}
