// RUN: tw-opt %s --split-input-file --simt-allocate-shared=shared-bytes=256 --verify-diagnostics

#a = #simt.layout<warp=[], lane=[[1], [2], [4], [8]], register=[[16]] -> dim0=32>
#s = #simt.layout<offset=[[1], [2], [4], [8], [16]] -> dim0=32>

func.func @stages(%x: tensor<32xi32, #a>) {
  // expected-error @below {{TW4150: expected at most 256 bytes of shared memory, got 384; num_stages=2 fits}}
  // expected-note @below {{384 bytes for a buffer}}
  %m = simt.alloc : !simt.memdesc<3 x [32], i32, #s>
  simt.local_store %x, %m : tensor<32xi32, #a>, !simt.memdesc<3 x [32], i32, #s>
  return
}

// -----

#a = #simt.layout<warp=[], lane=[[1], [2], [4], [8]], register=[[16]] -> dim0=32>
#b = #simt.layout<warp=[], lane=[[16], [2], [4], [8]], register=[[1]] -> dim0=32>
#s = #simt.layout<offset=[[1], [2], [4], [8], [16]] -> dim0=32>

func.func @scratch(%x: tensor<32xi64, #a>) {
  // expected-note @below {{256 bytes for a buffer}}
  %m = simt.alloc : !simt.memdesc<1 x [32], i64, #s>
  // expected-error @below {{TW4150: expected at most 256 bytes of shared memory, got 384; use smaller tiles}}
  // expected-note @below {{128 bytes for moving values between threads}}
  %y = simt.convert_layout %x : tensor<32xi64, #a> -> tensor<32xi64, #b>
  simt.local_store %y, %m : tensor<32xi64, #b>, !simt.memdesc<1 x [32], i64, #s>
  return
}
