// Every op prints what it parses, also in generic form. The forms are the
// examples of the .td files.
// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s

// CHECK-LABEL: func.func @ids
func.func @ids() -> (i32, i32, tensor<128xi32>) {
  // CHECK: tile.program_id 0 : i32
  %0 = tile.program_id 0 : i32
  // CHECK: tile.num_programs 1 : i32
  %1 = tile.num_programs 1 : i32
  // CHECK: tile.range -4 to 124 : tensor<128xi32>
  %2 = tile.range -4 to 124 : tensor<128xi32>
  return %0, %1, %2 : i32, i32, tensor<128xi32>
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%s: f32, %p: !tile.ptr<f32>, %a: tensor<4x1xf32>, %b: tensor<8xf32>,
                  %c: tensor<4x2xf32>, %i: tensor<4xi32>, %d: tensor<2xi8>) {
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<4x8xf32>
  %0 = tile.splat %s : f32 -> tensor<4x8xf32>
  // CHECK: tile.splat %{{.*}} : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %1 = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  // CHECK: tile.broadcast %{{.*}} : tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = tile.broadcast %a : tensor<4x1xf32> -> tensor<4x8xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<8xf32> -> tensor<2x4xf32>
  %3 = tile.reshape %b : tensor<8xf32> -> tensor<2x4xf32>
  // CHECK: tile.reshape %{{.*}} allow_reorder : tensor<8xf32> -> tensor<4x2xf32>
  %4 = tile.reshape %b allow_reorder : tensor<8xf32> -> tensor<4x2xf32>
  // CHECK: tile.transpose %{{.*}} [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  %5 = tile.transpose %c [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<8xf32> -> tensor<8x2xf32>
  %6 = tile.join %b, %b : tensor<8xf32> -> tensor<8x2xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : f32 -> tensor<2xf32>
  %7 = tile.join %s, %s : f32 -> tensor<2xf32>
  // CHECK: tile.split %{{.*}} : tensor<4x2xf32> -> tensor<4xf32>, tensor<4xf32>
  %8:2 = tile.split %c : tensor<4x2xf32> -> tensor<4xf32>, tensor<4xf32>
  // CHECK: tile.split %{{.*}} : tensor<2xi8> -> i8, i8
  %9:2 = tile.split %d : tensor<2xi8> -> i8, i8
  // CHECK: tile.cat %{{.*}}, %{{.*}} : tensor<8xf32> -> tensor<16xf32>
  %10 = tile.cat %b, %b : tensor<8xf32> -> tensor<16xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} allow_reorder : tensor<8xf32> -> tensor<16xf32>
  %11 = tile.cat %b, %b allow_reorder : tensor<8xf32> -> tensor<16xf32>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  %12 = tile.gather %b[%i] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  // CHECK: tile.fact %{{.*}} divisibility [16] contiguity [4] constancy [1] : tensor<4xi32>
  %13 = tile.fact %i divisibility [16] contiguity [4] constancy [1] : tensor<4xi32>
  return
}

// CHECK-LABEL: func.func @pointers
func.func @pointers(%p: !tile.ptr<f32>, %t: tensor<8x!tile.ptr<f32>>, %o: tensor<8xi32>,
                    %a: i64, %table: !tile.ptr<!tile.ptr<f16>>) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %0 = tile.addptr %t, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<f32>, i64
  %1 = tile.addptr %p, %a : !tile.ptr<f32>, i64
  // CHECK: tile.int_to_ptr %{{.*}} : i64 -> !tile.ptr<f32>
  %2 = tile.int_to_ptr %a : i64 -> !tile.ptr<f32>
  // CHECK: tile.ptr_to_int %{{.*}} : !tile.ptr<f32> -> i64
  %3 = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
  // CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<f32> -> !tile.ptr<i32>
  %4 = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i32>
  // CHECK: tile.load %{{.*}} : !tile.ptr<!tile.ptr<f16>> -> !tile.ptr<f16>
  %5 = tile.load %table : !tile.ptr<!tile.ptr<f16>> -> !tile.ptr<f16>
  return
}

// CHECK-LABEL: func.func @accesses
func.func @accesses(%p: !tile.ptr<f32>, %t: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>,
                    %v: tensor<8xf32>, %s: f32) {
  // CHECK: tile.load %{{.*}} : !tile.ptr<f32> -> f32
  %0 = tile.load %p : !tile.ptr<f32> -> f32
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<8xi1> other %{{.*}} : tensor<8xf32> cache cg evict evict_first volatile : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  %1 = tile.load %t mask %m : tensor<8xi1> other %v : tensor<8xf32> cache cg evict evict_first volatile : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<f32>, f32
  tile.store %p, %s : !tile.ptr<f32>, f32
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8xi1> cache wb evict evict_last : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  tile.store %t, %v mask %m : tensor<8xi1> cache wb evict evict_last : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  // CHECK: tile.barrier
  tile.barrier
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: !tile.ptr<i32>, %i: i32, %t: tensor<8x!tile.ptr<f32>>, %v: tensor<8xf32>,
                   %m: tensor<8xi1>) {
  // CHECK: tile.atomic_rmw add relaxed gpu %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32 -> i32
  %0 = tile.atomic_rmw add relaxed gpu %p, %i : !tile.ptr<i32>, i32 -> i32
  // CHECK: tile.atomic_rmw fadd release sys %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32> -> tensor<8xf32>
  %1 = tile.atomic_rmw fadd release sys %t, %v mask %m : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32> -> tensor<8xf32>
  // CHECK: tile.atomic_cas acq_rel cta %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32 -> i32
  %2 = tile.atomic_cas acq_rel cta %p, %i, %i : !tile.ptr<i32>, i32 -> i32
  return
}

// CHECK-LABEL: func.func @descriptors
func.func @descriptors(%p: !tile.ptr<f16>, %n: i64, %i: i32, %rows: tensor<8xi32>) {
  // CHECK: tile.make_descriptor %{{.*}}, shape[%{{.*}}, %{{.*}}] strides[%{{.*}}, %{{.*}}] padding nan : <f16> -> <tensor<64x32xf16>>
  %d = tile.make_descriptor %p, shape [%n, %n] strides [%n, %n] padding nan : !tile.ptr<f16> -> !tile.desc<tensor<64x32xf16>>
  // CHECK: tile.make_descriptor {{.*}}] : <f16> -> <tensor<1x32xf16>>
  %e = tile.make_descriptor %p, shape [%n, %n] strides [%n, %n] : !tile.ptr<f16> -> !tile.desc<tensor<1x32xf16>>
  // CHECK: tile.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cache cg : <tensor<64x32xf16>> -> tensor<64x32xf16>
  %0 = tile.descriptor_load %d[%i, %i] cache cg : !tile.desc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // CHECK: tile.descriptor_load %{{.*}} : <tensor<1x32xf16>> -> tensor<32xf16>
  %1 = tile.descriptor_load %e[%i, %i] : !tile.desc<tensor<1x32xf16>> -> tensor<32xf16>
  // CHECK: tile.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : <tensor<64x32xf16>>, tensor<64x32xf16>
  tile.descriptor_store %d[%i, %i], %0 : !tile.desc<tensor<64x32xf16>>, tensor<64x32xf16>
  // CHECK: tile.descriptor_store %{{.*}}, %{{.*}} kind fadd : <tensor<64x32xf16>>, tensor<64x32xf16>
  tile.descriptor_store %d[%i, %i], %0 kind fadd : !tile.desc<tensor<64x32xf16>>, tensor<64x32xf16>
  // CHECK: tile.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : <tensor<1x32xf16>>, tensor<8xi32> -> tensor<8x32xf16>
  %2 = tile.descriptor_gather %e[%rows, %i] : !tile.desc<tensor<1x32xf16>>, tensor<8xi32> -> tensor<8x32xf16>
  // CHECK: tile.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : <tensor<1x32xf16>>, tensor<8xi32>, tensor<8x32xf16>
  tile.descriptor_scatter %e[%rows, %i], %2 : !tile.desc<tensor<1x32xf16>>, tensor<8xi32>, tensor<8x32xf16>
  return
}

// CHECK-LABEL: func.func @matrices
func.func @matrices(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>,
                    %x: tensor<16x64xf8E4M3FN>, %y: tensor<32x16xi8>, %s: tensor<16x2xi8>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32x3 {maxImpreciseAcc = 8 : i32} :
  %1 = tile.dot %a, %b, %c precision tf32x3 {maxImpreciseAcc = 8 : i32} : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  // CHECK: tile.dot_scaled %{{.*}} "e4m3" scale %{{.*}} : tensor<16x2xi8>, %{{.*}} "e2m1", %{{.*}} {fastMath} : tensor<16x64xf8E4M3FN>, tensor<32x16xi8>, tensor<16x16xf32>
  %2 = tile.dot_scaled %x "e4m3" scale %s : tensor<16x2xi8>, %y "e2m1", %c {fastMath} : tensor<16x64xf8E4M3FN>, tensor<32x16xi8>, tensor<16x16xf32>
  return
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%v: tensor<8xf32>, %w: tensor<4x8xi32>, %m: tensor<8xi1>, %i: tensor<8xi32>) {
  // CHECK: "tile.reduce"(%{{.*}}) <{axis = 0 : i32}> ({
  // CHECK: tile.yield %{{.*}} : f32
  // CHECK: }) : (tensor<8xf32>) -> f32
  %0 = "tile.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> f32
  // CHECK: "tile.reduce"
  // CHECK: }) : (tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  %1:2 = "tile.reduce"(%w, %w) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    tile.yield %a, %b : i32, i32
  }) : (tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  // CHECK: "tile.scan"(%{{.*}}) <{axis = 0 : i32, reverse}> ({
  %2 = "tile.scan"(%v) <{axis = 0 : i32, reverse}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} : tensor<8xi1> : tensor<8xi32> -> tensor<16xi32>
  %3 = tile.histogram %i mask %m : tensor<8xi1> : tensor<8xi32> -> tensor<16xi32>
  // CHECK: tile.histogram %{{.*}} : tensor<8xi32> -> tensor<16xi32>
  %4 = tile.histogram %i : tensor<8xi32> -> tensor<16xi32>
  // CHECK: tile.mulhi %{{.*}}, %{{.*}} : tensor<8xi32>
  %5 = tile.mulhi %i, %i : tensor<8xi32>
  return
}

// CHECK-LABEL: func.func @escapes
func.func @escapes(%i: tensor<8xi32>, %m: tensor<8xi1>, %c: i1, %v: tensor<8xf32>) {
  // CHECK: tile.print "x" %{{.*}} : tensor<8xi32> {hex, signedness = array<i1: true>}
  tile.print "x" %i : tensor<8xi32> {signedness = array<i1: true>, hex}
  // CHECK: tile.print "done" {signedness = array<i1>}
  tile.print "done" {signedness = array<i1>}
  // CHECK: tile.assert %{{.*}}, "out of range" : tensor<8xi1>
  tile.assert %m, "out of range" : tensor<8xi1>
  // CHECK: tile.assume %{{.*}} : i1
  tile.assume %c : i1
  // CHECK: tile.trap "unreachable branch"
  tile.trap "unreachable branch"
  // CHECK: tile.clock "globaltimer" : i64
  %0 = tile.clock "globaltimer" : i64
  // CHECK: tile.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1 pure(%{{.*}}) : (tensor<8xi32>) -> tensor<8xi32>
  %1 = tile.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1 pure (%i) : (tensor<8xi32>) -> tensor<8xi32>
  // CHECK: tile.extern_call "libdevice" "__nv_fast_expf"(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = tile.extern_call "libdevice" "__nv_fast_expf" (%v) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "tile.call_op"(%{{.*}}) <{name = "negate@1"}> ({
  %3 = "tile.call_op"(%v) <{name = "negate@1"}> ({
  ^bb0(%a: tensor<8xf32>):
    %n = arith.negf %a : tensor<8xf32>
    tile.yield %n : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
