// Constraints of tile matrix products, reductions and counts.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

func.func @dot_scaled_c1_rank(%a: tensor<1x16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected 2-D operands (C1)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e4m3", %c : tensor<1x16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c1_k(%a: tensor<16x64xf8E4M3FN>, %b: tensor<32x16xf8E4M3FN>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected equal extents along K, got 64 and 32 (C1)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e4m3", %c : tensor<16x64xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c1_packed(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected equal extents along K, got 64 and 128 (C1)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e2m1", %c : tensor<16x64xf8E4M3FN>, tensor<64x16xi8>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c1_packed_n(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected an accumulator of 16x32 f32, got 'tensor<16x16xf32>' (C1)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e2m1", %c {rhsKPack = false} : tensor<16x64xf8E4M3FN>, tensor<64x16xi8>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c1_acc(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf16>) {
  // expected-error@+1 {{op expected an accumulator of 16x16 f32, got 'tensor<16x16xf16>' (C1)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e4m3", %c : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf16>
  return
}

// -----

func.func @dot_scaled_c2_name(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected format e2m1, e4m3, e5m2, bf16 or fp16, got "e3m3" (C2)}}
  %0 = tile.dot_scaled %a "e3m3", %b "e4m3", %c : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c2_element(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected elements of format e5m2, got 'f8E4M3FN' (C2)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e5m2", %c : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c3_lhs(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x4xi8>) {
  // expected-error@+1 {{op expected one i8 scale for each 32 of 64 elements along K and 16 rows, got 'tensor<16x4xi8>' (C3)}}
  %0 = tile.dot_scaled %a "e4m3" scale %s : tensor<16x4xi8>, %b "e4m3", %c : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c3_rhs(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<2x16xi8>) {
  // expected-error@+1 {{op expected one i8 scale for each 32 of 64 elements along K and 16 rows, got 'tensor<2x16xi8>' (C3)}}
  %0 = tile.dot_scaled %a "e4m3", %b "e4m3" scale %s : tensor<2x16xi8>, %c : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_scaled_c3_element(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xi16>) {
  // expected-error@+1 {{op expected one i8 scale for each 32 of 64 elements along K and 16 rows, got 'tensor<16x2xi16>' (C3)}}
  %0 = tile.dot_scaled %a "e4m3" scale %s : tensor<16x2xi16>, %b "e4m3", %c : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  return
}

// -----

func.func @reduce_c1_none() {
  // expected-error@+1 {{op expected at least one operand (C1)}}
  "tile.reduce"() <{axis = 0 : i32}> ({
    tile.yield
  }) : () -> ()
  return
}

// -----

func.func @reduce_c1_shapes(%a: tensor<8xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{op expected operands of one shape, got 'tensor<4xf32>' (C1)}}
  %0:2 = "tile.reduce"(%a, %b) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32, %x: f32, %y: f32):
    tile.yield %l, %r : f32, f32
  }) : (tensor<8xf32>, tensor<4xf32>) -> (f32, f32)
  return
}

// -----

func.func @reduce_c1_axis(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected an axis below 1, got 1 (C1)}}
  %0 = "tile.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @reduce_c2_type(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{op expected a result of type 'tensor<8xf32>', got 'tensor<4xf32>' (C2)}}
  %0 = "tile.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c2_scalar(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected a result of type 'f32', got 'tensor<1xf32>' (C2)}}
  %0 = "tile.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @reduce_c2_count(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected 1 results, got 0 (C2)}}
  "tile.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @reduce_c3_arguments(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected two region arguments of each operand's element type, left values first (C3)}}
  %0 = "tile.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f16, %r: f16):
    %s = arith.extf %l : f16 to f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @scan_c1_axis(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected an axis below 1, got 2 (C1)}}
  %0 = "tile.scan"(%a) <{axis = 2 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scan_c2(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected a result of type 'tensor<8xf32>', got 'tensor<4xf32>' (C2)}}
  %0 = "tile.scan"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }) : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scan_c3(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected two region arguments of each operand's element type, left values first (C3)}}
  %0 = "tile.scan"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32):
    tile.yield %l : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @histogram_c1_source(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected a 1-D source of integers, got 'tensor<8xf32>' (C1)}}
  %0 = tile.histogram %a : tensor<8xf32> -> tensor<4xi32>
  return
}

// -----

func.func @histogram_c1_result(%a: tensor<8xi32>) {
  // expected-error@+1 {{op expected a 1-D result of i32, got 'tensor<4xi64>' (C1)}}
  %0 = tile.histogram %a : tensor<8xi32> -> tensor<4xi64>
  return
}

// -----

func.func @histogram_c2(%a: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error@+1 {{op expected an i1 mask of the source's shape, got 'tensor<4xi1>' (C2)}}
  %0 = tile.histogram %a mask %m : tensor<4xi1> : tensor<8xi32> -> tensor<4xi32>
  return
}

// -----

func.func @mulhi_c1(%a: tensor<8xi16>) {
  // expected-error@+1 {{op expected 32- or 64-bit integers, got 'tensor<8xi16>' (C1)}}
  %0 = tile.mulhi %a, %a : tensor<8xi16>
  return
}

// -----

func.func @print_c1(%a: i32) {
  // expected-error@+1 {{op expected 1 entries of signedness, got 2 (C1)}}
  tile.print "x" %a : i32 {signedness = array<i1: true, false>}
  return
}

// -----

func.func @call_op_c1(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected region arguments of the operands' types (C1)}}
  %0 = "tile.call_op"(%a) <{name = "f@1"}> ({
  ^bb0(%x: tensor<4xf32>):
    tile.yield %x : tensor<4xf32>
  }) : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @call_op_c3(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected a name such as softmax@1, got "softmax" (C3)}}
  %0 = "tile.call_op"(%a) <{name = "softmax"}> ({
  ^bb0(%x: tensor<8xf32>):
    tile.yield %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @call_op_c3_version(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected a name such as softmax@1, got "softmax@new" (C3)}}
  %0 = "tile.call_op"(%a) <{name = "softmax@new"}> ({
  ^bb0(%x: tensor<8xf32>):
    tile.yield %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dot_c1_rank(%a: tensor<4x16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected operands that are all 2-D or all 3-D (C1)}}
  %0 = tile.dot %a, %b, %c : tensor<4x16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_c1_k(%a: tensor<16x32xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected shapes [B,]MxK, [B,]KxN and [B,]MxN, got 'tensor<16x16xf32>' (C1)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<16x16xf16>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_c1_m(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<32x16xf32>) {
  // expected-error@+1 {{op expected shapes [B,]MxK, [B,]KxN and [B,]MxN, got 'tensor<32x16xf32>' (C1)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x16xf16>, tensor<32x16xf32>
  return
}

// -----

func.func @dot_c1_n(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x32xf32>) {
  // expected-error@+1 {{op expected shapes [B,]MxK, [B,]KxN and [B,]MxN, got 'tensor<16x32xf32>' (C1)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x32xf32>
  return
}

// -----

func.func @dot_c1_batch(%a: tensor<4x16x32xf16>, %b: tensor<2x32x16xf16>, %c: tensor<4x16x16xf32>) {
  // expected-error@+1 {{op expected shapes [B,]MxK, [B,]KxN and [B,]MxN, got 'tensor<4x16x16xf32>' (C1)}}
  %0 = tile.dot %a, %b, %c : tensor<4x16x32xf16>, tensor<2x32x16xf16>, tensor<4x16x16xf32>
  return
}

// -----

func.func @dot_c2(%a: tensor<16x32xf16>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected operands of one element type, or both fp8, got 'tensor<32x16xbf16>' (C2)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_c3_bf16(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf16>) {
  // expected-error@+1 {{op expected an accumulator that fits the operands, got 'tensor<16x16xf16>' (C3)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xbf16>, tensor<32x16xbf16>, tensor<16x16xf16>
  return
}

// -----

func.func @dot_c3_i8(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected an accumulator that fits the operands, got 'tensor<16x16xf32>' (C3)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xi8>, tensor<32x16xi8>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_c3_f64(%a: tensor<16x32xf64>, %b: tensor<32x16xf64>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{op expected an accumulator that fits the operands, got 'tensor<16x16xf32>' (C3)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xf64>, tensor<32x16xf64>, tensor<16x16xf32>
  return
}

// -----

func.func @dot_c3_i32(%a: tensor<16x32xi32>, %b: tensor<32x16xi32>, %c: tensor<16x16xi32>) {
  // expected-error@+1 {{op expected an accumulator that fits the operands, got 'tensor<16x16xi32>' (C3)}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xi32>, tensor<32x16xi32>, tensor<16x16xi32>
  return
}
