// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s

#a = #simt.layout<warp=[], lane=[[1], [2]], register=[[4]] -> dim0=8>
#b = #simt.layout<warp=[], lane=[[2], [4]], register=[[1]] -> dim0=8>
#m = #simt.layout<warp=[], lane=[[1, 0], [2, 0]], register=[[0, 1], [4, 0]] -> dim0=8, dim1=2>
#t = #simt.layout<warp=[], lane=[[0, 1], [0, 2]], register=[[1, 0], [0, 4]] -> dim0=2, dim1=8>
#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
!buffers = !simt.memdesc<2 x [8], f16, #s>

// CHECK-LABEL: func @tensors
func.func @tensors(%x: tensor<8xf32, #a>, %m: tensor<8x2xf32, #m>) {
  // CHECK: simt.convert_layout %{{.*}} : tensor<8xf32, #simt.layout<{{.*}}>> -> tensor<8xf32, #simt.layout<{{.*}}>>
  %0 = simt.convert_layout %x : tensor<8xf32, #a> -> tensor<8xf32, #b>
  // CHECK: simt.broadcast %{{.*}} [1] : tensor<8xf32, {{.*}}> -> tensor<8x2xf32
  %1 = simt.broadcast %x [1] : tensor<8xf32, #a> -> tensor<8x2xf32, #m>
  // CHECK: simt.transpose %{{.*}} [1, 0] : tensor<8x2xf32, {{.*}}> -> tensor<2x8xf32
  %2 = simt.transpose %m [1, 0] : tensor<8x2xf32, #m> -> tensor<2x8xf32, #t>
  // CHECK: simt.reshape %{{.*}} : tensor<8x2xf32, {{.*}}> -> tensor<16xf32>
  %3 = simt.reshape %m : tensor<8x2xf32, #m> -> tensor<16xf32>
  return
}

// CHECK-LABEL: func @products
func.func @products(%a: tensor<16x8xf16>, %b: tensor<8x16xf16>, %c: tensor<16x16xf32>) {
  // CHECK: simt.dot %{{.*}}, %{{.*}}, %{{.*}} {{ieee}} : tensor<16x8xf16>, tensor<8x16xf16>, tensor<16x16xf32>
  %0 = simt.dot %a, %b, %c ieee : tensor<16x8xf16>, tensor<8x16xf16>, tensor<16x16xf32>
  // CHECK: simt.dot %{{.*}} tf32 stated : tensor
  %1 = simt.dot %a, %b, %0 tf32 stated : tensor<16x8xf16>, tensor<8x16xf16>, tensor<16x16xf32>
  return
}

// CHECK-LABEL: func @scaled_products
func.func @scaled_products(%a: tensor<16x128xf8E4M3FN>, %b: tensor<64x16xi8>, %c: tensor<16x16xf32>, %s: tensor<16x4xi8>) {
  // CHECK: simt.dot %{{.*}} ieee atom "x" scales %{{.*}}, %{{.*}} : tensor<16x128xf8E4M3FN>, tensor<64x16xi8>, tensor<16x16xf32> scales tensor<16x4xi8>, tensor<16x4xi8>
  %0 = simt.dot %a, %b, %c ieee atom "x" scales %s, %s : tensor<16x128xf8E4M3FN>, tensor<64x16xi8>, tensor<16x16xf32> scales tensor<16x4xi8>, tensor<16x4xi8>
  return
}

// CHECK-LABEL: func @shared
func.func @shared(%x: tensor<8xf16, #a>, %i: i32) {
  // CHECK: %[[OLD:.*]] = simt.alloc : <2 x[8], f16, <offset=
  %0 = simt.alloc : !buffers
  // CHECK: simt.alloc offset 32 : <2 x
  %1 = simt.alloc offset 32 : !buffers
  // CHECK: simt.local_store %{{.*}}, %[[OLD]][%{{.*}}] : tensor
  simt.local_store %x, %0[%i] : tensor<8xf16, #a>, !buffers
  // CHECK: simt.barrier{{$}}
  simt.barrier
  // CHECK: simt.local_load %[[OLD]] : <2 x[8], f16, {{.*}}>> -> tensor
  %2 = simt.local_load %0 : !buffers -> tensor<8xf16, #a>
  // CHECK: simt.barrier global
  simt.barrier global
  return
}

// CHECK-LABEL: func @copies
func.func @copies(%v: !kernel.view<1, f16>, %l: i64, %h: i64, %i: i32) {
  %0 = simt.alloc : !buffers
  // CHECK: %[[T:.*]] = simt.async_copy %{{.*}}[%{{.*}}] lo[%{{.*}}] hi[%{{.*}}] boundary [0] to %{{.*}}[%{{.*}}] : !kernel.view<1, f16>, <2 x
  %1 = simt.async_copy %v[%l] lo [%l] hi [%h] boundary [0] to %0[%i] : !kernel.view<1, f16>, !buffers
  // CHECK: %[[G:.*]] = simt.async_commit %[[T]]
  %2 = simt.async_commit %1
  // CHECK: simt.async_wait 1 for %[[G]]
  simt.async_wait 1 for %2
  return
}

// CHECK-LABEL: func @partitions
func.func @partitions(%i: i32, %p: i1) {
  // CHECK: %[[B:.*]] = simt.mbarrier.init 1 : <3>
  %b = simt.mbarrier.init 1 : !simt.mbarrier<3>
  // CHECK: simt.partition warps [4, 8] registers [40, 232] {
  simt.partition warps [4, 8] registers [40, 232] {
    // CHECK: simt.mbarrier.arrive %[[B]][%{{.*}}] bytes 4096 : <3>
    simt.mbarrier.arrive %b[%i] bytes 4096 : !simt.mbarrier<3>
    // CHECK: simt.mbarrier.arrive %[[B]][%{{.*}}] : <3>
    simt.mbarrier.arrive %b[%i] : !simt.mbarrier<3>
    // CHECK: simt.yield
    simt.yield
  }, {
    // CHECK: simt.mbarrier.wait %[[B]][%{{.*}}] phase %{{.*}} : <3>
    simt.mbarrier.wait %b[%i] phase %p : !simt.mbarrier<3>
    simt.yield
  }
  return
}
