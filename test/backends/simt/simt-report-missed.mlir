// RUN: tw-opt %s --split-input-file --simt-report-missed="registers=48 atoms=true" --remark-format=emitRemark --remarks-filter=simt --verify-diagnostics

// Each of 32 lanes reads four neighbours of a row of its own. Nothing is known of
// alignment, so one float at once: 32 sectors, where 32 floats fill four.
#a = #simt.layout<warp=[], lane=[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], register=[[0, 1], [0, 2]] -> dim0=32, dim1=4>
func.func @rows(%p: !kernel.ptr<f32>, %stride: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %v = kernel.view %p sizes[%stride, %stride] strides[%stride, %one] : <f32> -> <2, f32>
  // expected-remark @below {{vector: a thread reads 4 of up to 16 bytes at once: the base, an offset or a stride is not known to be divisible by more}}
  // expected-remark @below {{coalesce: what a warp reads at once meets 32 sectors of 32 bytes, 4 would hold it}}
  %0 = kernel.load %v[%zero, %zero] lo[%zero, %zero] hi[%zero, %zero] boundary [1, 1] : <2, f32> -> tensor<32x4xf32, #a>
  return
}

// -----

// Rows of four lie one behind the other: 32 vectors of 16 bytes fill 16 sectors.
#a = #simt.layout<warp=[], lane=[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], register=[[0, 1], [0, 2]] -> dim0=32, dim1=4>
func.func @dense(%p: !kernel.ptr<f32> {tw.divisibility = 16 : i64}) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %v = kernel.view %p sizes[%four, %four] strides[%four, %one] : <f32> -> <2, f32>
  %0 = kernel.load %v[%zero, %zero] lo[%zero, %zero] hi[%zero, %zero] boundary [1, 1] : <2, f32> -> tensor<32x4xf32, #a>
  return
}

// -----

// Every second float: 32 floats over 256 bytes.
#a = #simt.layout<warp=[], lane=[[1], [2], [4], [8], [16]], register=[] -> dim0=32>
func.func @strided(%p: !kernel.ptr<f32>, %x: tensor<32xf32, #a>) {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %v = kernel.view %p sizes[%two] strides[%two] : <f32> -> <1, f32>
  // expected-remark @below {{coalesce: what a warp writes at once meets 8 sectors of 32 bytes, 4 would hold it}}
  kernel.store %x, %v[%zero] lo[%zero] hi[%zero] boundary [1] : tensor<32xf32, #a>, <1, f32>
  return
}

// -----

// Vectors of four words, eight lanes a pass; their rows begin in the same bank,
// so that each lane takes a pass.
#a = #simt.layout<warp=[], lane=[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], register=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]] -> dim0=32, dim1=32>
#s = #simt.layout<offset=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] -> dim0=32, dim1=32>
func.func @banks(%x: tensor<32x32xf32, #a>) {
  %m = simt.alloc offset 0 : !simt.memdesc<1 x [32, 32], f32, #s>
  // expected-remark @below {{banks: a warp writes shared memory in 32 passes, 4 would do}}
  simt.local_store %x, %m : tensor<32x32xf32, #a>, !simt.memdesc<1 x [32, 32], f32, #s>
  return
}

// -----

// The same rows, swizzled by their number: no conflict.
#a = #simt.layout<warp=[], lane=[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], register=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]] -> dim0=32, dim1=32>
#s = #simt.layout<offset=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]] -> dim0=32, dim1=32>
func.func @swizzled(%x: tensor<32x32xf32, #a>) {
  %m = simt.alloc offset 0 : !simt.memdesc<1 x [32, 32], f32, #s>
  simt.local_store %x, %m : tensor<32x32xf32, #a>, !simt.memdesc<1 x [32, 32], f32, #s>
  return
}

// -----

#a = #simt.layout<warp=[], lane=[[1, 0], [2, 0], [4, 0], [8, 0], [0, 1]], register=[[0, 2], [0, 4], [0, 8]] -> dim0=16, dim1=16>
func.func @product(%a: tensor<16x16xf16, #a>, %c: tensor<16x16xf32, #a>) {
  // The right side lies row by row of K: sixteen lanes are 16 words apart, in two
  // banks, two lanes side by side.
  // expected-remark @below {{banks: a warp writes shared memory in 8 passes, 1 would do}}
  // expected-remark @below {{matrix: no matrix instruction is used for f16[16, 16] x f16[16, 16] onto f32[16, 16], precision ieee: the products are summed one by one}}
  %0 = simt.dot %a, %a, %c ieee : tensor<16x16xf16, #a>, tensor<16x16xf16, #a>, tensor<16x16xf32, #a>
  %1 = simt.dot %a, %a, %c ieee atom "m16n8k16" : tensor<16x16xf16, #a>, tensor<16x16xf16, #a>, tensor<16x16xf32, #a>
  return
}

// -----

// 32 registers of x and as many of the sum; what repeats takes none.
#a = #simt.layout<warp=[], lane=[], register=[[1], [2], [4], [8], [16]] -> dim0=32>
func.func @registers(%s: f32) {
  %x = tensor.splat %s : tensor<32xf32, #a>
  %0 = arith.addf %x, %x : tensor<32xf32, #a>
  // expected-remark @below {{registers: tensors take about 64 registers of a thread here, 48 are there: use more warps or smaller tiles}}
  %1 = arith.mulf %0, %x : tensor<32xf32, #a>
  %2 = arith.mulf %1, %x : tensor<32xf32, #a>
  return
}
