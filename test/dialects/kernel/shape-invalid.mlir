// Constraints of kernel ids, ranges and shape changes.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

func.func @program_id_c1() {
  // expected-error@+1 {{'kernel.program_id' op expected axis 0, 1 or 2, got 3 (C1)}}
  %0 = kernel.program_id 3 : i32
  return
}

// -----

func.func @num_programs_c1() {
  // expected-error@+1 {{op expected axis 0, 1 or 2, got -1 (C1)}}
  %0 = kernel.num_programs -1 : i32
  return
}

// -----

func.func @range_c1_rank() {
  // expected-error@+1 {{op expected a 1-D tensor of i32, got 'tensor<2x2xi32>' (C1)}}
  %0 = kernel.range 0 to 4 : tensor<2x2xi32>
  return
}

// -----

func.func @range_c1_element() {
  // expected-error@+1 {{op expected a 1-D tensor of i32, got 'tensor<4xi64>' (C1)}}
  %0 = kernel.range 0 to 4 : tensor<4xi64>
  return
}

// -----

func.func @range_c2() {
  // expected-error@+1 {{op expected 8 values, got a range of 4 (C2)}}
  %0 = kernel.range 0 to 4 : tensor<8xi32>
  return
}

// -----

func.func @range_c2_empty() {
  // expected-error@+1 {{op expected 4 values, got a range of -4 (C2)}}
  %0 = kernel.range 4 to 0 : tensor<4xi32>
  return
}

// -----

func.func @join_c1(%a: tensor<4xf32>) {
  // expected-error@+1 {{op expected the operands' shape followed by an extent of 2, got 'tensor<2x4xf32>' (C1)}}
  %0 = kernel.join %a, %a : tensor<4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @join_c1_scalar(%a: f32) {
  // expected-error@+1 {{op expected the operands' shape followed by an extent of 2, got 'tensor<4xf32>' (C1)}}
  %0 = kernel.join %a, %a : f32 -> tensor<4xf32>
  return
}

// -----

func.func @join_c2(%a: tensor<4xf32>) {
  // expected-error@+1 {{op expected the operands' element type, got 'tensor<4x2xf16>' (C2)}}
  %0 = kernel.join %a, %a : tensor<4xf32> -> tensor<4x2xf16>
  return
}

// -----

func.func @split_c1(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{op expected a last extent of 2, got 'tensor<2x4xf32>' (C1)}}
  %0:2 = kernel.split %a : tensor<2x4xf32> -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----

func.func @split_c2(%a: tensor<4x2xf32>) {
  // expected-error@+1 {{op expected results of the other extents, got 'tensor<4x1xf32>' (C2)}}
  %0:2 = kernel.split %a : tensor<4x2xf32> -> tensor<4xf32>, tensor<4x1xf32>
  return
}

// -----

func.func @cat_c1_rank(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{op expected 1-D operands, got 'tensor<2x4xf32>' (C1)}}
  %0 = kernel.cat %a, %a : tensor<2x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @cat_c1_extent(%a: tensor<4xf32>) {
  // expected-error@+1 {{op expected twice the operands' extent, got 'tensor<4xf32>' (C1)}}
  %0 = kernel.cat %a, %a : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @gather_in_tile_c1_rank(%a: tensor<8xf32>, %i: tensor<4x1xi32>) {
  // expected-error@+1 {{op expected indices of the source's rank, got 'tensor<4x1xi32>' (C1)}}
  %0 = kernel.gather_in_tile %a[%i] axis 0 : tensor<8xf32>, tensor<4x1xi32> -> tensor<4x1xf32>
  return
}

// -----

func.func @gather_in_tile_c1_extents(%a: tensor<8x4xf32>, %i: tensor<4x2xi32>) {
  // expected-error@+1 {{op expected the source's extents but for the axis, got 'tensor<4x2xi32>' (C1)}}
  %0 = kernel.gather_in_tile %a[%i] axis 0 : tensor<8x4xf32>, tensor<4x2xi32> -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_in_tile_c1_element(%a: tensor<8xf32>, %i: tensor<4xf32>) {
  // expected-error@+1 {{op expected integer indices, got 'tensor<4xf32>' (C1)}}
  %0 = kernel.gather_in_tile %a[%i] axis 0 : tensor<8xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @gather_in_tile_c2(%a: tensor<8xf32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{op expected the indices' shape and the source's element type, got 'tensor<8xf32>' (C2)}}
  %0 = kernel.gather_in_tile %a[%i] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<8xf32>
  return
}

// -----

func.func @gather_in_tile_c3(%a: tensor<8xf32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{op expected an axis below 1, got 1 (C3)}}
  %0 = kernel.gather_in_tile %a[%i] axis 1 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  return
}

// -----

func.func @fact_c1(%a: tensor<8xi32>) {
  // expected-error@+1 {{op failed to verify that all of {source, result} have same type}}
  %0 = "kernel.fact"(%a) : (tensor<8xi32>) -> tensor<8xi64>
  return
}

// -----

func.func @fact_c2_count(%a: tensor<8xi32>) {
  // expected-error@+1 {{op expected 1 values of divisibility, got 2 (C2)}}
  %0 = kernel.fact %a divisibility [16, 1] : tensor<8xi32>
  return
}

// -----

func.func @fact_c2_scalar(%a: i32) {
  // expected-error@+1 {{op expected 1 values of constancy, got 2 (C2)}}
  %0 = kernel.fact %a constancy [1, 1] : i32
  return
}

// -----

func.func @fact_c2_value(%a: tensor<8xi32>) {
  // expected-error@+1 {{op expected values of contiguity above 0 (C2)}}
  %0 = kernel.fact %a contiguity [0] : tensor<8xi32>
  return
}
