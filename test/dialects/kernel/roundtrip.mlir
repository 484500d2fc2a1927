// Every op prints what it parses, also in generic form. The forms are the
// examples of the .td files.
// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s

// CHECK-LABEL: func.func @ids
func.func @ids() {
  // CHECK: kernel.program_id 0 : i32
  %0 = kernel.program_id 0 : i32
  // CHECK: kernel.num_programs 1 : i32
  %1 = kernel.num_programs 1 : i32
  // CHECK: kernel.range 0 to 128 : tensor<128xi32>
  %2 = kernel.range 0 to 128 : tensor<128xi32>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%p: !kernel.ptr<f32>, %n: i64, %t: tensor<16x32xf32>, %m: tensor<16x32xi1>,
                 %rows: tensor<16xi32>, %s: f32, %b: i1) {
  // CHECK: kernel.view %{{.*}} + %{{.*}} sizes[%{{.*}}, %{{.*}}] strides[%{{.*}}, %{{.*}}] : <f32> -> <2, f32>
  %v = kernel.view %p + %n sizes [%n, %n] strides [%n, %n] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  // CHECK: kernel.view %{{.*}} sizes[] strides[] : <f32> -> <0, f32>
  %z = kernel.view %p sizes [] strides [] : !kernel.ptr<f32> -> !kernel.view<0, f32>
  // CHECK: kernel.load %{{.*}}[%{{.*}}, %{{.*}}] lo[%{{.*}}, %{{.*}}] hi[%{{.*}}, %{{.*}}] boundary [0, 2] : <2, f32> -> tensor<16x32xf32>
  %0 = kernel.load %v[%n, %n] lo [%n, %n] hi [%n, %n] boundary [0, 2] : !kernel.view<2, f32> -> tensor<16x32xf32>
  // CHECK: kernel.load %{{.*}} boundary [0, 1] index %{{.*}} : tensor<16xi32> index_dim 0 mask %{{.*}} : tensor<16x32xi1> other %{{.*}} : f32 cache ca evict evict_last volatile : <2, f32> -> tensor<16x32xf32>
  %1 = kernel.load %v[%n, %n] lo [%n, %n] hi [%n, %n] boundary [0, 1] index %rows : tensor<16xi32> index_dim 0 mask %m : tensor<16x32xi1> other %s : f32 cache ca evict evict_last volatile : !kernel.view<2, f32> -> tensor<16x32xf32>
  // CHECK: kernel.load %{{.*}}[] lo[] hi[] boundary [] mask %{{.*}} : i1 : <0, f32> -> f32
  %2 = kernel.load %z[] lo [] hi [] boundary [] mask %b : i1 : !kernel.view<0, f32> -> f32
  // CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] lo[%{{.*}}, %{{.*}}] hi[%{{.*}}, %{{.*}}] boundary [1, 1] mask %{{.*}} : tensor<16x32xi1> : tensor<16x32xf32>, <2, f32>
  kernel.store %t, %v[%n, %n] lo [%n, %n] hi [%n, %n] boundary [1, 1] mask %m : tensor<16x32xi1> : tensor<16x32xf32>, !kernel.view<2, f32>
  // CHECK: kernel.store %{{.*}}, %{{.*}}[] lo[] hi[] boundary [] : f32, <0, f32>
  kernel.store %s, %z[] lo [] hi [] boundary [] : f32, !kernel.view<0, f32>
  return
}

// CHECK-LABEL: func.func @addresses
func.func @addresses(%p: !kernel.ptr<f32>, %a: i64, %o: tensor<8xi64>, %m: tensor<8xi1>,
                     %t: tensor<8x!kernel.ptr<f32>>, %v: tensor<8xf32>) {
  // CHECK: kernel.addptr %{{.*}}, %{{.*}} : !kernel.ptr<f32>, i64
  %0 = kernel.addptr %p, %a : !kernel.ptr<f32>, i64
  // CHECK: kernel.int_to_ptr %{{.*}} : i64 -> !kernel.ptr<f32>
  %1 = kernel.int_to_ptr %a : i64 -> !kernel.ptr<f32>
  // CHECK: kernel.ptr_to_int %{{.*}} : !kernel.ptr<f32> -> i64
  %2 = kernel.ptr_to_int %p : !kernel.ptr<f32> -> i64
  // CHECK: kernel.ptr_cast %{{.*}} : !kernel.ptr<f32> -> !kernel.ptr<i32>
  %3 = kernel.ptr_cast %p : !kernel.ptr<f32> -> !kernel.ptr<i32>
  // CHECK: kernel.gather %{{.*}}[%{{.*}} : tensor<8xi64>] mask %{{.*}} : tensor<8xi1> : !kernel.ptr<f32> -> tensor<8xf32>
  %4 = kernel.gather %p [%o : tensor<8xi64>] mask %m : tensor<8xi1> : !kernel.ptr<f32> -> tensor<8xf32>
  // CHECK: kernel.gather %{{.*}} mask %{{.*}} : tensor<8xi1> other %{{.*}} : tensor<8xf32> cache cv volatile : tensor<8x!kernel.ptr<f32>> -> tensor<8xf32>
  %5 = kernel.gather %t mask %m : tensor<8xi1> other %v : tensor<8xf32> cache cv volatile : tensor<8x!kernel.ptr<f32>> -> tensor<8xf32>
  // CHECK: kernel.scatter %{{.*}}, %{{.*}}[%{{.*}} : tensor<8xi64>] : tensor<8xf32>, !kernel.ptr<f32>
  kernel.scatter %v, %p [%o : tensor<8xi64>] : tensor<8xf32>, !kernel.ptr<f32>
  // CHECK: kernel.barrier
  kernel.barrier
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: !kernel.ptr<i32>, %o: tensor<8xi64>, %v: tensor<8xi32>, %i: i32, %m: tensor<8xi1>) {
  // CHECK: kernel.atomic_rmw add relaxed gpu %{{.*}}, %{{.*}}[%{{.*}} : tensor<8xi64>] mask %{{.*}} : tensor<8xi1> : tensor<8xi32>, !kernel.ptr<i32> -> tensor<8xi32>
  %0 = kernel.atomic_rmw add relaxed gpu %v, %p [%o : tensor<8xi64>] mask %m : tensor<8xi1> : tensor<8xi32>, !kernel.ptr<i32> -> tensor<8xi32>
  // CHECK: kernel.atomic_rmw xchg acquire sys %{{.*}}, %{{.*}} : i32, !kernel.ptr<i32> -> i32
  %1 = kernel.atomic_rmw xchg acquire sys %i, %p : i32, !kernel.ptr<i32> -> i32
  // CHECK: kernel.atomic_cas acq_rel gpu %{{.*}}, %{{.*}}, %{{.*}} : i32, !kernel.ptr<i32> -> i32
  %2 = kernel.atomic_cas acq_rel gpu %i, %i, %p : i32, !kernel.ptr<i32> -> i32
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%b: tensor<8xf32>, %c: tensor<4x2xf32>, %i: tensor<4xi32>, %m: tensor<4xi1>,
                 %x: tensor<16x64xf8E4M3FN>, %y: tensor<64x16xf8E5M2>, %z: tensor<16x16xf32>) {
  // CHECK: kernel.join %{{.*}}, %{{.*}} : tensor<8xf32> -> tensor<8x2xf32>
  %0 = kernel.join %b, %b : tensor<8xf32> -> tensor<8x2xf32>
  // CHECK: kernel.split %{{.*}} : tensor<4x2xf32> -> tensor<4xf32>, tensor<4xf32>
  %1:2 = kernel.split %c : tensor<4x2xf32> -> tensor<4xf32>, tensor<4xf32>
  // CHECK: kernel.cat %{{.*}}, %{{.*}} allow_reorder : tensor<8xf32> -> tensor<16xf32>
  %2 = kernel.cat %b, %b allow_reorder : tensor<8xf32> -> tensor<16xf32>
  // CHECK: kernel.gather_in_tile %{{.*}}[%{{.*}}] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  %3 = kernel.gather_in_tile %b[%i] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  // CHECK: kernel.fact %{{.*}} divisibility [16] : tensor<4xi32>
  %4 = kernel.fact %i divisibility [16] : tensor<4xi32>
  // CHECK: kernel.dot_scaled %{{.*}} "e4m3", %{{.*}} "e5m2", %{{.*}} : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E5M2>, tensor<16x16xf32>
  %5 = kernel.dot_scaled %x "e4m3", %y "e5m2", %z : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E5M2>, tensor<16x16xf32>
  // CHECK: kernel.histogram %{{.*}} mask %{{.*}} : tensor<4xi1> : tensor<4xi32> -> tensor<16xi32>
  %6 = kernel.histogram %i mask %m : tensor<4xi1> : tensor<4xi32> -> tensor<16xi32>
  // CHECK: kernel.mulhi %{{.*}}, %{{.*}} : tensor<4xi32>
  %7 = kernel.mulhi %i, %i : tensor<4xi32>
  // CHECK: "kernel.reduce"(%{{.*}}) <{axis = 0 : i32, order = #kernel<order stated>}> ({
  // CHECK: kernel.yield %{{.*}} : f32
  // CHECK: }) : (tensor<8xf32>) -> f32
  %8 = "kernel.reduce"(%b) <{axis = 0 : i32, order = #kernel<order stated>}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    kernel.yield %s : f32
  }) : (tensor<8xf32>) -> f32
  // CHECK: "kernel.scan"(%{{.*}}) <{axis = 1 : i32, reverse}> ({
  %9 = "kernel.scan"(%c) <{axis = 1 : i32, reverse}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    kernel.yield %s : f32
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @escapes
func.func @escapes(%i: tensor<8xi32>, %m: tensor<8xi1>, %c: i1, %v: tensor<8xf32>) {
  // CHECK: kernel.print "x" %{{.*}} : tensor<8xi32> {signedness = array<i1: true>}
  kernel.print "x" %i : tensor<8xi32> {signedness = array<i1: true>}
  // CHECK: kernel.assert %{{.*}}, "out of range" : tensor<8xi1>
  kernel.assert %m, "out of range" : tensor<8xi1>
  // CHECK: kernel.assume %{{.*}} : i1
  kernel.assume %c : i1
  // CHECK: kernel.trap "unreachable branch"
  kernel.trap "unreachable branch"
  // CHECK: kernel.clock "globaltimer" : i64
  %0 = kernel.clock "globaltimer" : i64
  // CHECK: kernel.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1(%{{.*}}) : (tensor<8xi32>) -> tensor<8xi32>
  %1 = kernel.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1 (%i) : (tensor<8xi32>) -> tensor<8xi32>
  // CHECK: kernel.extern_call "libdevice" "__nv_fast_expf" pure(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = kernel.extern_call "libdevice" "__nv_fast_expf" pure (%v) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "kernel.call_op"(%{{.*}}) <{name = "negate@1"}> ({
  %3 = "kernel.call_op"(%v) <{name = "negate@1"}> ({
  ^bb0(%a: tensor<8xf32>):
    %n = arith.negf %a : tensor<8xf32>
    kernel.yield %n : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
