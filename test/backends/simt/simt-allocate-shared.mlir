// RUN: tw-opt %s --split-input-file --simt-allocate-shared | FileCheck %s
// RUN: tw-opt %s --split-input-file --simt-allocate-shared=shared-bytes=1024 | FileCheck %s --check-prefix=LITTLE

#a = #simt.layout<warp=[[64], [128]], lane=[[1], [2], [4], [8], [16]], register=[[32]] -> dim0=256>
#b = #simt.layout<warp=[[1], [2]], lane=[[8], [16], [32], [64], [128]], register=[[4]] -> dim0=256>

// Neighbours lie apart, so that they need no barrier. Where memory is short they
// move their elements in rounds.
// CHECK-LABEL: func @neighbours
// CHECK-SAME: simt.shared_bytes = 2048
// CHECK: simt.convert_layout {{.*}} {simt.scratch = 0 : i64, simt.scratch_bytes = 1024 : i64}
// CHECK: simt.convert_layout {{.*}} {simt.scratch = 1024 : i64, simt.scratch_bytes = 1024 : i64}
// CHECK: simt.convert_layout {{.*}} {simt.scratch = 0 : i64, simt.scratch_bytes = 1024 : i64}
// LITTLE-LABEL: func @neighbours
// LITTLE-SAME: simt.shared_bytes = 1024
// LITTLE: simt.scratch = 0 : i64, simt.scratch_bytes = 512
// LITTLE: simt.scratch = 512 : i64, simt.scratch_bytes = 512
// LITTLE: simt.scratch = 0 : i64, simt.scratch_bytes = 512
func.func @neighbours(%x: tensor<256xi32, #a>) {
  %0 = simt.convert_layout %x : tensor<256xi32, #a> -> tensor<256xi32, #b>
  %1 = simt.convert_layout %0 : tensor<256xi32, #b> -> tensor<256xi32, #a>
  %2 = simt.convert_layout %1 : tensor<256xi32, #a> -> tensor<256xi32, #b>
  return
}

// -----

#a = #simt.layout<warp=[[64], [128]], lane=[[1], [2], [4], [8], [16]], register=[[32]] -> dim0=256>
#c = #simt.layout<warp=[[64], [128]], lane=[[1], [2], [4], [8], [32]], register=[[16]] -> dim0=256>
#d = #simt.layout<warp=[[64], [128]], lane=[[1], [2], [4], [8], [16]], register=[[0], [32]] -> dim0=256>

// What stays in its thread needs nothing.
// CHECK-LABEL: func @inThreads
// CHECK-SAME: simt.shared_bytes = 0
// CHECK: simt.convert_layout %{{.*}} : tensor
func.func @inThreads(%x: tensor<256xi32, #a>) {
  %0 = simt.convert_layout %x : tensor<256xi32, #a> -> tensor<256xi32, #d>
  return
}

// -----

#a = #simt.layout<warp=[], lane=[[1], [2]], register=[] -> dim0=4>
#s = #simt.layout<offset=[[1], [2]] -> dim0=4>

// A buffer of a loop lives until the loop ends; one whose last use is past
// gives its bytes to the next.
// CHECK-LABEL: func @liveness
// CHECK-SAME: simt.shared_bytes = 64
// CHECK: simt.alloc offset 0
// CHECK: simt.alloc offset 32
// CHECK: scf.for
// CHECK: simt.alloc offset 48
// CHECK: simt.alloc offset 0
func.func @liveness(%x: tensor<4xi32, #a>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = simt.alloc : !simt.memdesc<2 x [4], i32, #s>
  %n = simt.alloc : !simt.memdesc<1 x [4], i32, #s>
  scf.for %i = %c0 to %c1 step %c1 {
    simt.local_store %x, %n : tensor<4xi32, #a>, !simt.memdesc<1 x [4], i32, #s>
    %inner = simt.alloc : !simt.memdesc<1 x [4], i32, #s>
    simt.local_store %x, %inner : tensor<4xi32, #a>, !simt.memdesc<1 x [4], i32, #s>
  }
  simt.local_store %x, %m : tensor<4xi32, #a>, !simt.memdesc<2 x [4], i32, #s>
  %o = simt.alloc : !simt.memdesc<1 x [4], i32, #s>
  simt.local_store %x, %o : tensor<4xi32, #a>, !simt.memdesc<1 x [4], i32, #s>
  return
}
