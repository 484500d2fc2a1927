// Constraints of tile pointers, accesses and atomics.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

func.func @addptr_c1_shape(%p: !tile.ptr<f32>, %o: tensor<8xi32>) {
  // expected-error@+1 {{op expected one shape, got '!tile.ptr<f32>' and 'tensor<8xi32>' (C1)}}
  %0 = tile.addptr %p, %o : !tile.ptr<f32>, tensor<8xi32>
  return
}

// -----

func.func @addptr_c1_width(%p: !tile.ptr<f32>, %o: i16) {
  // expected-error@+1 {{op expected an offset of i32 or i64, got 'i16' (C1)}}
  %0 = tile.addptr %p, %o : !tile.ptr<f32>, i16
  return
}

// -----

func.func @int_to_ptr_c1_width(%a: i32) {
  // expected-error@+1 {{op expected an address of type i64, got 'i32' (C1)}}
  %0 = tile.int_to_ptr %a : i32 -> !tile.ptr<f32>
  return
}

// -----

func.func @int_to_ptr_c1_shape(%a: tensor<8xi64>) {
  // expected-error@+1 {{op expected one shape}}
  %0 = tile.int_to_ptr %a : tensor<8xi64> -> !tile.ptr<f32>
  return
}

// -----

func.func @ptr_to_int_c1_width(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{op expected an address of type i64, got 'i32' (C1)}}
  %0 = tile.ptr_to_int %p : !tile.ptr<f32> -> i32
  return
}

// -----

func.func @ptr_cast_c1(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{op expected one shape}}
  %0 = tile.ptr_cast %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<i32>>
  return
}

// -----

func.func @load_c1_shape(%p: tensor<8x!tile.ptr<f32>>) {
  // expected-error@+1 {{op expected a value of type 'tensor<8xf32>', got 'tensor<4xf32>' (C1)}}
  %0 = tile.load %p : tensor<8x!tile.ptr<f32>> -> tensor<4xf32>
  return
}

// -----

func.func @load_c1_element(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{op expected a value of type 'f32', got 'i32' (C1)}}
  %0 = tile.load %p : !tile.ptr<f32> -> i32
  return
}

// -----

func.func @load_c2(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error@+1 {{op expected a mask of the pointers' shape, got 'tensor<4xi1>' (C2)}}
  %0 = tile.load %p mask %m : tensor<4xi1> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  return
}

// -----

func.func @load_c3_mask(%p: tensor<8x!tile.ptr<f32>>, %o: tensor<8xf32>) {
  // expected-error@+1 {{op expected a mask beside other (C3)}}
  %0 = tile.load %p other %o : tensor<8xf32> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  return
}

// -----

func.func @load_c3_type(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>, %o: f32) {
  // expected-error@+1 {{op expected other of the result's type, got 'f32' (C3)}}
  %0 = tile.load %p mask %m : tensor<8xi1> other %o : f32 : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>
  return
}

// -----

func.func @store_c1(%p: tensor<8x!tile.ptr<f32>>, %v: tensor<8xf16>) {
  // expected-error@+1 {{op expected a value of type 'tensor<8xf32>', got 'tensor<8xf16>' (C1)}}
  tile.store %p, %v : tensor<8x!tile.ptr<f32>>, tensor<8xf16>
  return
}

// -----

func.func @store_c2(%p: tensor<8x!tile.ptr<f32>>, %v: tensor<8xf32>, %m: i1) {
  // expected-error@+1 {{op expected a mask of the pointers' shape, got 'i1' (C2)}}
  tile.store %p, %v mask %m : i1 : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  return
}

// -----

func.func @atomic_rmw_c1_value(%p: tensor<8x!tile.ptr<i32>>, %v: i32) {
  // expected-error@+1 {{op expected a value of type 'tensor<8xi32>', got 'i32' (C1)}}
  %0 = tile.atomic_rmw add relaxed gpu %p, %v : tensor<8x!tile.ptr<i32>>, i32 -> tensor<8xi32>
  return
}

// -----

func.func @atomic_rmw_c1_result(%p: tensor<8x!tile.ptr<i32>>, %v: tensor<8xi32>) {
  // expected-error@+1 {{op expected a value of type 'tensor<8xi32>', got 'i32' (C1)}}
  %0 = tile.atomic_rmw add relaxed gpu %p, %v : tensor<8x!tile.ptr<i32>>, tensor<8xi32> -> i32
  return
}

// -----

func.func @atomic_rmw_c2(%p: tensor<8x!tile.ptr<i32>>, %v: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error@+1 {{op expected a mask of the pointers' shape, got 'tensor<4xi1>' (C2)}}
  %0 = tile.atomic_rmw add relaxed gpu %p, %v mask %m : tensor<4xi1> : tensor<8x!tile.ptr<i32>>, tensor<8xi32> -> tensor<8xi32>
  return
}

// -----

func.func @atomic_rmw_c3_float(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error@+1 {{op expected a float element for fadd, got 'i32' (C3)}}
  %0 = tile.atomic_rmw fadd relaxed gpu %p, %v : !tile.ptr<i32>, i32 -> i32
  return
}

// -----

func.func @atomic_rmw_c3_integer(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error@+1 {{op expected an integer element for max, got 'f32' (C3)}}
  %0 = tile.atomic_rmw max relaxed gpu %p, %v : !tile.ptr<f32>, f32 -> f32
  return
}

// -----

func.func @atomic_cas_c1(%p: !tile.ptr<i32>, %v: i64) {
  // expected-error@+1 {{op expected a value of type 'i32', got 'i64' (C1)}}
  %0 = tile.atomic_cas relaxed gpu %p, %v, %v : !tile.ptr<i32>, i64 -> i32
  return
}

// -----

func.func @atomic_cas_c2(%p: !tile.ptr<i8>, %v: i8) {
  // expected-error@+1 {{op expected an element of 16, 32 or 64 bits, got 'i8' (C2)}}
  %0 = tile.atomic_cas relaxed gpu %p, %v, %v : !tile.ptr<i8>, i8 -> i8
  return
}

// -----

func.func @make_descriptor_c1(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error@+1 {{op expected 2 entries of shape and strides, got 1 and 2 (C1)}}
  %0 = tile.make_descriptor %p, shape [%n] strides [%n, %n] : !tile.ptr<f16> -> !tile.desc<tensor<8x8xf16>>
  return
}

// -----

func.func @make_descriptor_c2(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error@+1 {{op expected a block of the pointee, got 'tensor<8xf32>' (C2)}}
  %0 = tile.make_descriptor %p, shape [%n] strides [%n] : !tile.ptr<f16> -> !tile.desc<tensor<8xf32>>
  return
}

// -----

func.func @make_descriptor_c3(%p: !tile.ptr<f16>) {
  // expected-error@+1 {{op expected rank 1 to 5, got 0 (C3)}}
  %0 = tile.make_descriptor %p, shape [] strides [] : !tile.ptr<f16> -> !tile.desc<tensor<f16>>
  return
}

// -----

func.func @make_descriptor_c3_high(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error@+1 {{op expected rank 1 to 5, got 6 (C3)}}
  %0 = tile.make_descriptor %p, shape [%n, %n, %n, %n, %n, %n] strides [%n, %n, %n, %n, %n, %n] : !tile.ptr<f16> -> !tile.desc<tensor<1x1x1x1x1x8xf16>>
  return
}

// -----

func.func @descriptor_load_c1(%d: !tile.desc<tensor<8x8xf16>>, %i: i32) {
  // expected-error@+1 {{op expected 2 offsets, got 1 (C1)}}
  %0 = tile.descriptor_load %d[%i] : !tile.desc<tensor<8x8xf16>> -> tensor<8x8xf16>
  return
}

// -----

func.func @descriptor_load_c2_extent(%d: !tile.desc<tensor<8x8xf16>>, %i: i32) {
  // expected-error@+1 {{op expected the block's extents and element type, got 'tensor<8xf16>' (C2)}}
  %0 = tile.descriptor_load %d[%i, %i] : !tile.desc<tensor<8x8xf16>> -> tensor<8xf16>
  return
}

// -----

func.func @descriptor_load_c2_element(%d: !tile.desc<tensor<8x8xf16>>, %i: i32) {
  // expected-error@+1 {{op expected the block's extents and element type, got 'tensor<8x8xf32>' (C2)}}
  %0 = tile.descriptor_load %d[%i, %i] : !tile.desc<tensor<8x8xf16>> -> tensor<8x8xf32>
  return
}

// -----

func.func @descriptor_store_c1(%d: !tile.desc<tensor<8xf16>>, %i: i32, %v: tensor<8xf16>) {
  // expected-error@+1 {{op expected 1 offsets, got 2 (C1)}}
  tile.descriptor_store %d[%i, %i], %v : !tile.desc<tensor<8xf16>>, tensor<8xf16>
  return
}

// -----

func.func @descriptor_store_c2(%d: !tile.desc<tensor<8xf16>>, %i: i32, %v: tensor<1x8xf16>) {
  // expected-error@+1 {{op expected the block's extents and element type, got 'tensor<1x8xf16>' (C2)}}
  tile.descriptor_store %d[%i], %v : !tile.desc<tensor<8xf16>>, tensor<1x8xf16>
  return
}

// -----

func.func @descriptor_store_c3(%d: !tile.desc<tensor<8xf16>>, %i: i32, %v: tensor<8xf16>) {
  // expected-error@+1 {{op expected an integer element for add, got 'f16' (C3)}}
  tile.descriptor_store %d[%i], %v kind add : !tile.desc<tensor<8xf16>>, tensor<8xf16>
  return
}

// -----

func.func @descriptor_gather_c1(%d: !tile.desc<tensor<8x32xf16>>, %r: tensor<8xi32>, %i: i32) {
  // expected-error@+1 {{op expected a block of 1xN, got 'tensor<8x32xf16>' (C1)}}
  %0 = tile.descriptor_gather %d[%r, %i] : !tile.desc<tensor<8x32xf16>>, tensor<8xi32> -> tensor<8x32xf16>
  return
}

// -----

func.func @descriptor_gather_c2_rows(%d: !tile.desc<tensor<1x32xf16>>, %r: tensor<8x1xi32>, %i: i32) {
  // expected-error@+1 {{op expected 1-D rows of i32, got 'tensor<8x1xi32>' (C2)}}
  %0 = tile.descriptor_gather %d[%r, %i] : !tile.desc<tensor<1x32xf16>>, tensor<8x1xi32> -> tensor<8x32xf16>
  return
}

// -----

func.func @descriptor_gather_c2_result(%d: !tile.desc<tensor<1x32xf16>>, %r: tensor<8xi32>, %i: i32) {
  // expected-error@+1 {{op expected rows x N of the block's element type, got 'tensor<4x32xf16>' (C2)}}
  %0 = tile.descriptor_gather %d[%r, %i] : !tile.desc<tensor<1x32xf16>>, tensor<8xi32> -> tensor<4x32xf16>
  return
}

// -----

func.func @descriptor_scatter_c1(%d: !tile.desc<tensor<32xf16>>, %r: tensor<8xi32>, %i: i32, %v: tensor<8x32xf16>) {
  // expected-error@+1 {{op expected a block of 1xN, got 'tensor<32xf16>' (C1)}}
  tile.descriptor_scatter %d[%r, %i], %v : !tile.desc<tensor<32xf16>>, tensor<8xi32>, tensor<8x32xf16>
  return
}

// -----

func.func @descriptor_scatter_c2(%d: !tile.desc<tensor<1x32xf16>>, %r: tensor<8xi32>, %i: i32, %v: tensor<8x16xf16>) {
  // expected-error@+1 {{op expected rows x N of the block's element type, got 'tensor<8x16xf16>' (C2)}}
  tile.descriptor_scatter %d[%r, %i], %v : !tile.desc<tensor<1x32xf16>>, tensor<8xi32>, tensor<8x16xf16>
  return
}
