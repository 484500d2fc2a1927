// Constraints of kernel pointers, accesses and atomics.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

func.func @addptr_c1_shape(%p: !kernel.ptr<f32>, %o: tensor<8xi32>) {
  // expected-error@+1 {{op expected one shape, got '!kernel.ptr<f32>' and 'tensor<8xi32>' (C1)}}
  %0 = kernel.addptr %p, %o : !kernel.ptr<f32>, tensor<8xi32>
  return
}

// -----

func.func @addptr_c1_width(%p: !kernel.ptr<f32>, %o: i16) {
  // expected-error@+1 {{op expected an offset of i32 or i64, got 'i16' (C1)}}
  %0 = kernel.addptr %p, %o : !kernel.ptr<f32>, i16
  return
}

// -----

func.func @int_to_ptr_c1_width(%a: i32) {
  // expected-error@+1 {{op expected an address of type i64, got 'i32' (C1)}}
  %0 = kernel.int_to_ptr %a : i32 -> !kernel.ptr<f32>
  return
}

// -----

func.func @int_to_ptr_c1_shape(%a: tensor<8xi64>) {
  // expected-error@+1 {{op expected one shape}}
  %0 = kernel.int_to_ptr %a : tensor<8xi64> -> !kernel.ptr<f32>
  return
}

// -----

func.func @ptr_to_int_c1_width(%p: !kernel.ptr<f32>) {
  // expected-error@+1 {{op expected an address of type i64, got 'i32' (C1)}}
  %0 = kernel.ptr_to_int %p : !kernel.ptr<f32> -> i32
  return
}

// -----

func.func @ptr_cast_c1(%p: !kernel.ptr<f32>) {
  // expected-error@+1 {{op expected one shape}}
  %0 = kernel.ptr_cast %p : !kernel.ptr<f32> -> tensor<8x!kernel.ptr<i32>>
  return
}

// -----

func.func @view_c1(%p: !kernel.ptr<f32>, %n: i64) {
  // expected-error@+1 {{op expected 2 sizes and strides, got 1 and 2 (C1)}}
  %0 = kernel.view %p sizes [%n] strides [%n, %n] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  return
}

// -----

func.func @view_c2(%p: !kernel.ptr<f32>, %n: i64) {
  // expected-error@+1 {{op expected a view of the pointee, got '!kernel.view<1, f16>' (C2)}}
  %0 = kernel.view %p sizes [%n] strides [%n] : !kernel.ptr<f32> -> !kernel.view<1, f16>
  return
}

// -----

func.func @load_c1_offsets(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected 1 offsets, lo, hi and boundary modes, got 2, 1, 1 and 1 (C1)}}
  %0 = kernel.load %v[%i, %i] lo [%i] hi [%i] boundary [0] : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c1_lo(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected 1 offsets, lo, hi and boundary modes, got 1, 0, 1 and 1 (C1)}}
  %0 = kernel.load %v[%i] lo [] hi [%i] boundary [0] : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c1_hi(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected 1 offsets, lo, hi and boundary modes, got 1, 1, 2 and 1 (C1)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i, %i] boundary [0] : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c1_boundary(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected 1 offsets, lo, hi and boundary modes, got 1, 1, 1 and 2 (C1)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0, 0] : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c1_mode(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected boundary mode 0, 1 or 2, got 3 (C1)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [3] : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c2_rank(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected the view's rank and element type, got 'tensor<8x8xf32>' (C2)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] : !kernel.view<1, f32> -> tensor<8x8xf32>
  return
}

// -----

func.func @load_c2_element(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected the view's rank and element type, got 'tensor<8xf16>' (C2)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] : !kernel.view<1, f32> -> tensor<8xf16>
  return
}

// -----

func.func @load_c2_scalar(%v: !kernel.view<0, f32>, %i: i64) {
  // expected-error@+1 {{op expected the view's rank and element type, got 'tensor<f32>' (C2)}}
  %0 = kernel.load %v[] lo [] hi [] boundary [] : !kernel.view<0, f32> -> tensor<f32>
  return
}

// -----

func.func @load_c3(%v: !kernel.view<1, f32>, %i: i64, %m: tensor<4xi1>) {
  // expected-error@+1 {{op expected a mask of the value's shape, got 'tensor<4xi1>' (C3)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] mask %m : tensor<4xi1> : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c4(%v: !kernel.view<1, f32>, %i: i64, %o: f16) {
  // expected-error@+1 {{op expected other of the element's or the result's type, got 'f16' (C4)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] other %o : f16 : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c5_alone(%v: !kernel.view<1, f32>, %i: i64) {
  // expected-error@+1 {{op expected both or neither of index and index_dim (C5)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] index_dim 0 : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c5_dim(%v: !kernel.view<1, f32>, %i: i64, %r: tensor<8xi32>) {
  // expected-error@+1 {{op expected an index_dim below 1, got 1 (C5)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] index %r : tensor<8xi32> index_dim 1 : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c5_extent(%v: !kernel.view<1, f32>, %i: i64, %r: tensor<4xi32>) {
  // expected-error@+1 {{op expected a 1-D index of i32 or i64 with the extent of index_dim, got 'tensor<4xi32>' (C5)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] index %r : tensor<4xi32> index_dim 0 : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @load_c5_element(%v: !kernel.view<1, f32>, %i: i64, %r: tensor<8xi16>) {
  // expected-error@+1 {{op expected a 1-D index of i32 or i64 with the extent of index_dim, got 'tensor<8xi16>' (C5)}}
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [0] index %r : tensor<8xi16> index_dim 0 : !kernel.view<1, f32> -> tensor<8xf32>
  return
}

// -----

func.func @store_c1(%v: !kernel.view<1, f32>, %i: i64, %x: tensor<8xf32>) {
  // expected-error@+1 {{op expected 1 offsets, lo, hi and boundary modes, got 1, 1, 0 and 1 (C1)}}
  kernel.store %x, %v[%i] lo [%i] hi [] boundary [0] : tensor<8xf32>, !kernel.view<1, f32>
  return
}

// -----

func.func @store_c2(%v: !kernel.view<1, f32>, %i: i64, %x: f32) {
  // expected-error@+1 {{op expected the view's rank and element type, got 'f32' (C2)}}
  kernel.store %x, %v[%i] lo [%i] hi [%i] boundary [0] : f32, !kernel.view<1, f32>
  return
}

// -----

func.func @store_c3(%v: !kernel.view<1, f32>, %i: i64, %x: tensor<8xf32>, %m: i1) {
  // expected-error@+1 {{op expected a mask of the value's shape, got 'i1' (C3)}}
  kernel.store %x, %v[%i] lo [%i] hi [%i] boundary [0] mask %m : i1 : tensor<8xf32>, !kernel.view<1, f32>
  return
}

// -----

func.func @store_c4(%v: !kernel.view<1, f32>, %i: i64, %x: tensor<8xf32>, %r: tensor<8xi32>) {
  // expected-error@+1 {{op expected both or neither of index and index_dim (C4)}}
  kernel.store %x, %v[%i] lo [%i] hi [%i] boundary [0] index %r : tensor<8xi32> : tensor<8xf32>, !kernel.view<1, f32>
  return
}

// -----

func.func @gather_c1_base(%p: tensor<8x!kernel.ptr<f32>>) {
  // expected-error@+1 {{op expected pointers of the value's shape, got 'tensor<8x!kernel.ptr<f32>>' (C1)}}
  %0 = kernel.gather %p : tensor<8x!kernel.ptr<f32>> -> tensor<4xf32>
  return
}

// -----

func.func @gather_c1_no_offsets(%p: !kernel.ptr<f32>) {
  // expected-error@+1 {{op expected tensor offsets with a scalar base (C1)}}
  %0 = kernel.gather %p : !kernel.ptr<f32> -> tensor<8xf32>
  return
}

// -----

func.func @gather_c1_scalar(%p: !kernel.ptr<f32>, %o: i64) {
  // expected-error@+1 {{op expected tensor offsets with a scalar base (C1)}}
  %0 = kernel.gather %p [%o : i64] : !kernel.ptr<f32> -> f32
  return
}

// -----

func.func @gather_c1_offsets(%p: !kernel.ptr<f32>, %o: tensor<4xi64>) {
  // expected-error@+1 {{op expected i32 or i64 offsets of the value's shape, got 'tensor<4xi64>' (C1)}}
  %0 = kernel.gather %p [%o : tensor<4xi64>] : !kernel.ptr<f32> -> tensor<8xf32>
  return
}

// -----

func.func @gather_c1_width(%p: !kernel.ptr<f32>, %o: tensor<8xi16>) {
  // expected-error@+1 {{op expected i32 or i64 offsets of the value's shape, got 'tensor<8xi16>' (C1)}}
  %0 = kernel.gather %p [%o : tensor<8xi16>] : !kernel.ptr<f32> -> tensor<8xf32>
  return
}

// -----

func.func @gather_c1_mask(%p: tensor<8x!kernel.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error@+1 {{op expected a mask of the value's shape, got 'tensor<4xi1>' (C1)}}
  %0 = kernel.gather %p mask %m : tensor<4xi1> : tensor<8x!kernel.ptr<f32>> -> tensor<8xf32>
  return
}

// -----

func.func @gather_c1_other(%p: tensor<8x!kernel.ptr<f32>>, %x: f32) {
  // expected-error@+1 {{op expected other of the result's type, got 'f32' (C1)}}
  %0 = kernel.gather %p other %x : f32 : tensor<8x!kernel.ptr<f32>> -> tensor<8xf32>
  return
}

// -----

func.func @gather_c2(%p: tensor<8x!kernel.ptr<f32>>) {
  // expected-error@+1 {{op expected elements of the pointee, got 'tensor<8xf16>' (C2)}}
  %0 = kernel.gather %p : tensor<8x!kernel.ptr<f32>> -> tensor<8xf16>
  return
}

// -----

func.func @scatter_c1(%p: !kernel.ptr<f32>, %x: tensor<8xf32>) {
  // expected-error@+1 {{op expected tensor offsets with a scalar base (C1)}}
  kernel.scatter %x, %p : tensor<8xf32>, !kernel.ptr<f32>
  return
}

// -----

func.func @scatter_c2(%p: tensor<8x!kernel.ptr<f32>>, %x: tensor<8xi32>) {
  // expected-error@+1 {{op expected elements of the pointee, got 'tensor<8xi32>' (C2)}}
  kernel.scatter %x, %p : tensor<8xi32>, tensor<8x!kernel.ptr<f32>>
  return
}

// -----

func.func @atomic_rmw_c1(%p: !kernel.ptr<i32>, %x: tensor<8xi32>) {
  // expected-error@+1 {{op expected tensor offsets with a scalar base (C1)}}
  %0 = kernel.atomic_rmw add relaxed gpu %x, %p : tensor<8xi32>, !kernel.ptr<i32> -> tensor<8xi32>
  return
}

// -----

func.func @atomic_rmw_c2_value(%p: !kernel.ptr<i32>, %x: i64) {
  // expected-error@+1 {{op expected elements of the pointee, got 'i64' (C2)}}
  %0 = kernel.atomic_rmw add relaxed gpu %x, %p : i64, !kernel.ptr<i32> -> i64
  return
}

// -----

func.func @atomic_rmw_c2_result(%p: !kernel.ptr<i32>, %x: i32) {
  // expected-error@+1 {{op expected a result of the value's type, got 'i64' (C2)}}
  %0 = kernel.atomic_rmw add relaxed gpu %x, %p : i32, !kernel.ptr<i32> -> i64
  return
}

// -----

func.func @atomic_rmw_c3(%p: !kernel.ptr<f32>, %x: f32) {
  // expected-error@+1 {{op expected an integer element for and, got 'f32' (C3)}}
  %0 = kernel.atomic_rmw and relaxed gpu %x, %p : f32, !kernel.ptr<f32> -> f32
  return
}

// -----

func.func @atomic_cas_c1(%p: !kernel.ptr<i32>, %x: tensor<8xi32>) {
  // expected-error@+1 {{op expected tensor offsets with a scalar base (C1)}}
  %0 = kernel.atomic_cas relaxed gpu %x, %x, %p : tensor<8xi32>, !kernel.ptr<i32> -> tensor<8xi32>
  return
}

// -----

func.func @atomic_cas_c2_width(%p: !kernel.ptr<i8>, %x: i8) {
  // expected-error@+1 {{op expected an element of 16, 32 or 64 bits, got 'i8' (C2)}}
  %0 = kernel.atomic_cas relaxed gpu %x, %x, %p : i8, !kernel.ptr<i8> -> i8
  return
}

// -----

func.func @atomic_cas_c2_result(%p: !kernel.ptr<i32>, %x: i32) {
  // expected-error@+1 {{op expected a result of the value's type, got 'i64' (C2)}}
  %0 = kernel.atomic_cas relaxed gpu %x, %x, %p : i32, !kernel.ptr<i32> -> i64
  return
}
