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
