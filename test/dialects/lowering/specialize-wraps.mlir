// RUN: tw-opt %s --tile-to-kernel --split-input-file | FileCheck %s

// The wrapped rows reach a sum over rows: their values matter, so positions
// wrap. Offsets are not negative here, and the extent is given to be positive.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK-SAME: tw.facts_used = ["n:range"]
// CHECK-DAG: %[[NW:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: kernel.view %{{.*}} sizes[%[[NW]]] strides
// CHECK: kernel.load {{.*}} boundary [2] : <1, f32> -> tensor<8xf32>
// CHECK-NOT: @mixed
func.func @mixed(%p: !tile.ptr<f32>, %n: i32 {tw.name = "n", tw.range = [1, 4096]}) attributes {tw.kernel} {
  %c8 = arith.constant 8 : i32
  %pid = tile.program_id 0 : i32
  %start = arith.muli %pid, %c8 : i32
  %ss = tile.splat %start : i32 -> tensor<8xi32>
  %r = tile.range 0 to 8 : tensor<8xi32>
  %o = arith.addi %ss, %r : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %w = arith.remsi %o, %ns : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %w : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %s = "tile.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %m: f32):
    %t = arith.addf %l, %m : f32
    tile.yield %t : f32
  }) : (tensor<8xf32>) -> f32
  tile.store %p, %s : !tile.ptr<f32>, f32
  return
}

// -----

// Without the fact there is a variant; the fallback gathers.
// CHECK-LABEL: func.func @choice__v1
// CHECK-SAME: tw.predicate = "n > 0", tw.variant_of = "choice"
// CHECK: boundary [2]
// CHECK-LABEL: func.func @choice(
// CHECK: kernel.gather
func.func @choice(%p: !tile.ptr<f32>, %n: i32 {tw.name = "n"}) attributes {tw.kernel} {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %w = arith.remsi %r, %ns : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %w : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %q = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %q, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// Offsets that may be negative truncate: the remainder is no wrap-around.
// CHECK-LABEL: func.func @negative(
// CHECK: kernel.gather
func.func @negative(%p: !tile.ptr<f32>, %n: i32 {tw.name = "n", tw.range = [1, 4096]}, %k: i32) attributes {tw.kernel} {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ks = tile.splat %k : i32 -> tensor<8xi32>
  %o = arith.subi %r, %ks : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %w = arith.remsi %o, %ns : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %w : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %q = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %q, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

// The store lets one row beyond the extent through: no box without wrap.
// CHECK-LABEL: func.func @leaky(
// CHECK: kernel.load {{.*}} boundary [2] : <1, f32>
// A tight mask does not: a checked range.
// CHECK-LABEL: func.func @tight(
// CHECK: kernel.load {{.*}} boundary [0] : <1, f32>
func.func @leaky(%p: !tile.ptr<f32>, %n: i32 {tw.name = "n", tw.range = [1, 4096]}) attributes {tw.kernel} {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %w = arith.remsi %r, %ns : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %w : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %m = arith.cmpi sle, %r, %ns : tensor<8xi32>
  %q = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %q, %x mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}
func.func @tight(%p: !tile.ptr<f32>, %n: i32 {tw.name = "n", tw.range = [1, 4096]}) attributes {tw.kernel} {
  %r = tile.range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %w = arith.remsi %r, %ns : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a = tile.addptr %ps, %w : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %y = math.exp %x : tensor<8xf32>
  %m = arith.cmpi slt, %r, %ns : tensor<8xi32>
  %q = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %q, %y mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}
