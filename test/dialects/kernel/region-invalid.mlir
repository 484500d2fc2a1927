// Errors of regions that point at a second place.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

func.func @reduce_c3_yield(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected the region to yield the operands' element types (C3)}}
  %0 = "kernel.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.cmpf olt, %l, %r : f32
    // expected-note@+1 {{yielded here}}
    kernel.yield %s : i1
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @reduce_c4(%a: tensor<8xf32>, %c: i1) {
  // expected-error@+1 {{op expected a combine region without side effects (C4)}}
  %0 = "kernel.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    // expected-note@+1 {{this operation has one}}
    kernel.assert %c, "text" : i1
    kernel.yield %l : f32
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @scan_c4(%a: tensor<8xf32>, %p: !kernel.ptr<f32>) {
  // expected-error@+1 {{op expected a combine region without side effects (C4)}}
  %0 = "kernel.scan"(%a) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    // expected-note@+1 {{this operation has one}}
    kernel.trap "text"
    kernel.yield %l : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @call_op_c2(%a: tensor<8xf32>) {
  // expected-error@+1 {{op expected the region to yield the results' types (C2)}}
  %0 = "kernel.call_op"(%a) <{name = "f@1"}> ({
  ^bb0(%x: tensor<8xf32>):
    // expected-note@+1 {{yielded here}}
    kernel.yield %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<4xf32>
  return
}
