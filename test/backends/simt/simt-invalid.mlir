// RUN: tw-opt %s --split-input-file --verify-diagnostics

func.func @convert_layout_c1(%x: tensor<8xf32>) {
  // expected-error @below {{C1: expected types that differ in layout only}}
  %0 = simt.convert_layout %x : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<8xf32>) {
  // expected-error @below {{C1: expected an operand of shape [4], got 'tensor<8xf32>'}}
  %0 = simt.broadcast %x [1] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

// Lane 1 repeats element 1, which the operand gives to lane 2.
#row = #simt.layout<warp=[], lane=[[2], [1]], register=[] -> dim0=4>
#all = #simt.layout<warp=[], lane=[[1, 0], [2, 0]], register=[[0, 1]] -> dim0=4, dim1=2>
func.func @broadcast_c2(%x: tensor<4xf32, #row>) {
  // expected-error @below {{C2: expected each thread to hold the elements that it repeats}}
  %0 = simt.broadcast %x [1] : tensor<4xf32, #row> -> tensor<4x2xf32, #all>
  return
}

// -----

func.func @transpose_c1_extents(%x: tensor<8x4xf32>) {
  // expected-error @below {{C1: expected extent 4 in dimension 0, got 8}}
  %0 = simt.transpose %x [1, 0] : tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<8x4xf32>) {
  // expected-error @below {{C1: expected a permutation of 2 dimensions, got [0, 0]}}
  %0 = simt.transpose %x [0, 0] : tensor<8x4xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<8x4xf32>) {
  // expected-error @below {{C1: expected as many elements of one type}}
  %0 = simt.reshape %x : tensor<8x4xf32> -> tensor<16xf32>
  return
}

// -----

func.func @dot_c1(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  // expected-error @below {{C1: expected [.., M, K], [.., K, N] and [.., M, N]}}
  %0 = simt.dot %a, %b, %c ieee : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  return
}

// -----

func.func @dot_c2(%a: tensor<16x128xf8E4M3FN>, %b: tensor<128x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x4xi8>, %t: tensor<16x2xi8>) {
  // expected-error @below {{C2: expected [M, K], [K, N], [M, N] and scales of [M, K / 32] and [N, K / 32] of i8}}
  %0 = simt.dot %a, %b, %c ieee scales %s, %t : tensor<16x128xf8E4M3FN>, tensor<128x16xf8E4M3FN>, tensor<16x16xf32> scales tensor<16x4xi8>, tensor<16x2xi8>
  return
}

// -----

#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
func.func @local_load_c1(%m: !simt.memdesc<1 x [8], f32, #s>) {
  // expected-error @below {{C1: expected the buffer's shape and elements}}
  %0 = simt.local_load %m : !simt.memdesc<1 x [8], f32, #s> -> tensor<4xf32>
  return
}

// -----

#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
func.func @local_store_c1(%m: !simt.memdesc<1 x [8], f32, #s>, %x: tensor<8xf16>) {
  // expected-error @below {{C1: expected the buffer's shape and elements}}
  simt.local_store %x, %m : tensor<8xf16>, !simt.memdesc<1 x [8], f32, #s>
  return
}

// -----

#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
func.func @async_copy_c1(%v: !kernel.view<1, f32>, %l: i64) {
  %m = simt.alloc : !simt.memdesc<1 x [8], f32, #s>
  // expected-error @below {{C1: expected 1 offsets, bounds and boundary modes}}
  %0 = simt.async_copy %v[%l] lo [%l] hi [%l, %l] boundary [0] to %m : !kernel.view<1, f32>, !simt.memdesc<1 x [8], f32, #s>
  return
}

// -----

#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
func.func @async_copy_c2(%v: !kernel.view<1, f16>, %l: i64) {
  %m = simt.alloc : !simt.memdesc<1 x [8], f32, #s>
  // expected-error @below {{C2: expected a view like the buffer}}
  %0 = simt.async_copy %v[%l] lo [%l] hi [%l] boundary [0] to %m : !kernel.view<1, f16>, !simt.memdesc<1 x [8], f32, #s>
  return
}

// -----

func.func @yield_outside() {
  // expected-error @below {{'simt.yield' op expects parent op 'simt.partition'}}
  simt.yield
}

// -----

func.func @partition_c1() {
  // expected-error @below {{C1: expected 1 positive numbers of warps and of registers, got 2 and 1}}
  simt.partition warps [4, 8] registers [40] {
    simt.yield
  }
  return
}

// -----

// expected-error @below {{expected dim0 = a power of two, got dim0 = 3}}
func.func @layout_extent(%x: tensor<3xf32, #simt.layout<warp=[], lane=[], register=[] -> dim0=3>>)

// -----

// expected-error @below {{expected an index below 4, got 4}}
func.func @layout_index(%x: tensor<4xf32, #simt.layout<warp=[], lane=[[4]], register=[] -> dim0=4>>)
