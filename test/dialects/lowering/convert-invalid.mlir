// RUN: tw-opt %s --tile-convert-to-kernel --split-input-file -verify-diagnostics

// expected-error @+1 {{TW3001: expected a pointer, shape and strides, got a tensor descriptor as kernel argument}}
func.func @descriptor_argument(%d: !tile.desc<tensor<16xf16>>) attributes {tw.kernel} {
  return
}

// -----

func.func @pointer_atomic(%p: !tile.ptr<!tile.ptr<f32>>, %v: !tile.ptr<f32>) attributes {tw.kernel} {
  // expected-error @+1 {{TW3002: expected an integer or float element of an atomic, got a pointer}}
  %0 = tile.atomic_rmw xchg relaxed gpu %p, %v : !tile.ptr<!tile.ptr<f32>>, !tile.ptr<f32> -> !tile.ptr<f32>
  return
}
