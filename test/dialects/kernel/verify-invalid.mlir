// Each rule of kernel-verify, broken once.
// RUN: tw-opt %s --kernel-verify --verify-diagnostics --split-input-file

// Operations.

func.func @tw3101_op() attributes {tw.kernel} {
  // expected-error@+1 {{TW3101: expected an operation of Kernel IR, got 'tile.barrier'}}
  tile.barrier
  return
}

// -----

#map = affine_map<(d0) -> (d0)>
func.func @tw3101_generic(%p: !kernel.ptr<f32> {tw.dtype = "*fp32"}) attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{TW3101: expected an operation of Kernel IR, got 'linalg.generic'}}
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return
}

// -----

// Inside regions too.
func.func @tw3101_region(%c: i1 {tw.dtype = "i1"}) attributes {tw.kernel} {
  scf.if %c {
    // expected-error@+1 {{TW3101: expected an operation of Kernel IR, got 'tile.barrier'}}
    tile.barrier
  }
  return
}

// -----

// Element types.

func.func @tw3102_float(%a: f64 {tw.dtype = "fp64"}) attributes {tw.kernel} {
  %q = arith.truncf %a : f64 to f8E5M2
  // expected-error@+1 {{TW3102: expected a float as operand of 'math.exp', got 'f8E5M2'}}
  %0 = math.exp %q : f8E5M2
  return
}

// -----

func.func @tw3102_width(%a: i32 {tw.dtype = "i32"}) attributes {tw.kernel} {
  // expected-error@+1 {{TW3102: expected i1 or an integer as result of 'arith.trunci', got 'i24'}}
  %0 = arith.trunci %a : i32 to i24
  return
}

// -----

func.func @tw3102_index(%n: i32 {tw.dtype = "i32"}) attributes {tw.kernel} {
  // expected-error@+1 {{TW3102: expected i1 or an integer or a float or fp8 as result of 'arith.constant', got 'index'}}
  %c = arith.constant 0 : index
  return
}

// -----

func.func @tw3102_division(%c: i1 {tw.dtype = "i1"}) attributes {tw.kernel} {
  // expected-error@+1 {{TW3102: expected an integer as operand of 'arith.divsi', got 'i1'}}
  %0 = arith.divsi %c, %c : i1
  return
}

// -----

func.func @tw3102_wide() attributes {tw.kernel} {
  // expected-error@+1 {{TW3102: expected i1 or an integer or a float or fp8 as result of 'arith.constant', got 'tensor<8xf80>'}}
  %a = arith.constant dense<1.0> : tensor<8xf80>
  return
}

// -----

func.func @tw3102_matmul() attributes {tw.kernel} {
  %a = arith.constant dense<1> : tensor<16x16xi8>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error@+1 {{TW3102: expected operands of one type with an accumulator that fits, got 'i8' x 'i8' + 'f32'}}
  %0 = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32} ins(%a, %a : tensor<16x16xi8>, tensor<16x16xi8>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

// Shapes.

func.func @tw3103_dynamic(%n: i32 {tw.dtype = "i32"}) attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{TW3101: expected an operation of Kernel IR, got 'tensor.cast'}}
  %b = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
  // expected-error@+1 {{TW3103: expected a tensor of static shape as operand of 'math.exp', got 'tensor<?xf32>'}}
  %c = math.exp %b : tensor<?xf32>
  return
}

// -----

func.func @tw3103_vector() attributes {tw.kernel} {
  // expected-error@+1 {{TW3103: expected a tensor of static shape as result of 'arith.constant', got 'vector<8xf32>'}}
  %a = arith.constant dense<1.0> : vector<8xf32>
  return
}

// -----

func.func @tw3103_encoding() attributes {tw.kernel} {
  // expected-error@+1 {{TW3103: expected a tensor of static shape as result of 'tensor.empty', got 'tensor<8xf32, "layout">'}}
  %a = tensor.empty() : tensor<8xf32, "layout">
  return
}

// -----

// Reductions.

func.func @tw3104_op() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<8x4xf32>
  %i = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{TW3104: expected linalg.reduce of one operand by one add, mul, min, max, and, or or xor; any other combination is kernel.reduce}}
  %0 = linalg.reduce { arith.subf } ins(%a : tensor<8x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return
}

// -----

func.func @tw3104_two_ops() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<8x4xf32>
  %i = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{TW3104: expected linalg.reduce of one operand by one add}}
  %0 = linalg.reduce ins(%a : tensor<8x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
    (%l: f32, %r: f32) {
      %m = arith.mulf %l, %l : f32
      %s = arith.addf %m, %r : f32
      linalg.yield %s : f32
    }
  return
}

// -----

func.func @tw3104_one_argument() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<8x4xf32>
  %i = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{TW3104: expected linalg.reduce of one operand by one add}}
  %0 = linalg.reduce ins(%a : tensor<8x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
    (%l: f32, %r: f32) {
      %m = arith.addf %l, %l : f32
      linalg.yield %m : f32
    }
  return
}

// -----

// Matrix products.

func.func @tw3105_precision() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error@+1 {{TW3105: expected attribute 'kernel.precision' on 'linalg.matmul'}}
  %0 = linalg.matmul {kernel.max_imprecise_acc = 0 : i32} ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%a : tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

func.func @tw3105_imprecise() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<2x16x16xf32>
  // expected-error@+1 {{TW3105: expected attribute 'kernel.max_imprecise_acc' on 'linalg.batch_matmul'}}
  %0 = linalg.batch_matmul {kernel.precision = "tf32"} ins(%a, %a : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%a : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (k, m)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
func.func @tw3105_maps() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error@+1 {{TW3105: expected 'linalg.matmul' without indexing maps of its own}}
  %0 = linalg.matmul indexing_maps = [#lhs, #rhs, #acc] {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32} ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%a : tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

// Views.

func.func @tw3106_loop(%p: !kernel.ptr<f32> {tw.dtype = "*fp32"}, %n: i32 {tw.dtype = "i32"}) attributes {tw.kernel} {
  %v = kernel.view %p sizes [] strides [] : !kernel.ptr<f32> -> !kernel.view<0, f32>
  // expected-error@+1 {{TW3106: expected no view across a region of 'scf.for'; carry offsets and make the view inside}}
  %0 = scf.for %i = %n to %n step %n iter_args(%w = %v) -> (!kernel.view<0, f32>) : i32 {
    // expected-error@+1 {{TW3106: expected no view across a region of 'scf.yield'}}
    scf.yield %w : !kernel.view<0, f32>
  }
  return
}

// -----

func.func @tw3106_if(%p: !kernel.ptr<f32> {tw.dtype = "*fp32"}, %c: i1 {tw.dtype = "i1"}) attributes {tw.kernel} {
  %v = kernel.view %p sizes [] strides [] : !kernel.ptr<f32> -> !kernel.view<0, f32>
  // expected-error@+1 {{TW3106: expected no view across a region of 'scf.if'}}
  %0 = scf.if %c -> (!kernel.view<0, f32>) {
    // expected-error@+1 {{TW3106}}
    scf.yield %v : !kernel.view<0, f32>
  } else {
    // expected-error@+1 {{TW3106}}
    scf.yield %v : !kernel.view<0, f32>
  }
  return
}

// -----

// Arguments.

// expected-error@+1 {{TW3107: argument 0, 'tw.dtype': expected the spelling of the argument's type}}
func.func @tw3107_missing(%n: i32) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.dtype': expected a spelling of the argument's type}}
func.func @tw3107_dtype(%n: !kernel.ptr<f32> {tw.dtype = "*fp16"}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 1, 'tw.index': expected a position from 0 on}}
func.func @tw3107_index(%m: i1 {tw.dtype = "i1"}, %n: i32 {tw.dtype = "i32", tw.index = -1 : i32}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.divisibility': expected a positive integer}}
func.func @tw3107_divisibility(%n: i32 {tw.dtype = "i32", tw.divisibility = 0 : i64}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.range': expected [lo, hi] on an integer argument}}
func.func @tw3107_range(%n: i32 {tw.dtype = "i32", tw.range = [4, 1]}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.value': expected an integer on an integer argument}}
func.func @tw3107_value(%n: f32 {tw.dtype = "fp32", tw.value = 1 : i64}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.readonly': expected a unit on a pointer}}
func.func @tw3107_readonly(%n: i32 {tw.dtype = "i32", tw.readonly}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.disjoint': expected a unit on a pointer}}
func.func @tw3107_disjoint(%p: !kernel.ptr<f32> {tw.dtype = "*fp32", tw.disjoint = true}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.name': expected a string}}
func.func @tw3107_name(%n: i32 {tw.dtype = "i32", tw.name = 1 : i32}) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3107: argument 0, 'tw.aligned': expected no such attribute; hints are named tw.opt.*}}
func.func @tw3107_unknown(%n: i32 {tw.dtype = "i32", tw.aligned}) attributes {tw.kernel} { return }

// -----

// Attributes.

func.func @tw3108_unknown(%n: i32 {tw.dtype = "i32"}) attributes {tw.kernel} {
  // expected-error@+1 {{TW3108: expected no attribute 'tw.hint' on 'arith.addi'; hints are named tw.opt.*}}
  %0 = arith.addi %n, %n {tw.hint} : i32
  return
}

// -----

func.func @tw3108_saturate(%n: f32 {tw.dtype = "fp32"}) attributes {tw.kernel} {
  // expected-error@+1 {{TW3108: expected no attribute 'tw.saturate' on 'arith.addf'}}
  %0 = arith.addf %n, %n {tw.saturate} : f32
  return
}

// -----

func.func @tw3110_saturate(%n: f32 {tw.dtype = "fp32"}) attributes {tw.kernel} {
  // expected-error@+1 {{TW3110: expected 'tw.saturate' to be a unit on a conversion to fp8, got unit}}
  %0 = arith.truncf %n {tw.saturate} : f32 to f16
  return
}

// -----

func.func @tw3110_precision() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error@+1 {{TW3110: expected 'kernel.precision' to be a string: ieee, tf32, tf32x3, bf16x3 or bf16x6, got "fast"}}
  %0 = linalg.matmul {kernel.precision = "fast", kernel.max_imprecise_acc = 0 : i32} ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%a : tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

func.func @tw3110_imprecise() attributes {tw.kernel} {
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error@+1 {{TW3110: expected 'kernel.max_imprecise_acc' to be an i32 from 0 on, got -1 : i32}}
  %0 = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = -1 : i32} ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%a : tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

// expected-error@+1 {{TW3110: expected 'tw.math' to be "accurate", "portable" or "fast", got "exact"}}
module attributes {tw.math = "exact"} {}

// -----

// expected-error@+1 {{TW3110: expected 'tw.target' to be a string such as "cpu", got ""}}
module attributes {tw.target = ""} {}

// -----

// expected-error@+1 {{TW3110: expected 'tw.options' to be a dictionary of numbers and strings}}
module attributes {tw.options = {num_warps = [4 : i32]}} {}

// -----

// expected-error@+1 {{TW3110: expected 'tw.facts_used' to be a list of "argument:fact", got "n:range"}}
func.func @tw3110_facts() attributes {tw.kernel, tw.facts_used = "n:range"} { return }

// -----

// expected-error@+1 {{TW3108: expected no attribute 'tw.version' on 'builtin.module'}}
module attributes {tw.version = 1 : i32} {}

// -----

// Kernels.

// expected-error@+1 {{TW3109: kernel 'helper': expected the attribute tw.kernel}}
func.func @helper() { return }

// -----

// expected-error@+1 {{TW3109: kernel 'result': expected no results}}
func.func @result(%n: i32 {tw.dtype = "i32"}) -> i32 attributes {tw.kernel} {
  // expected-error@+1 {{TW3102: expected nothing as operand of 'func.return', got 'i32'}}
  return %n : i32
}

// -----

// expected-error@+1 {{TW3109: kernel 'declared': expected a body of one block}}
func.func private @declared() attributes {tw.kernel}

// -----

// expected-error@+1 {{TW3109: kernel 'tensor': expected scalar and pointer arguments, got 'tensor<8xf32>'}}
func.func @tensor(%t: tensor<8xf32>) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3109: kernel 'view': expected scalar and pointer arguments, got '!kernel.view<0, f32>'}}
func.func @view(%v: !kernel.view<0, f32>) attributes {tw.kernel} { return }

// -----

// expected-error@+1 {{TW3109: kernel 'predicate': expected tw.variant_of beside tw.predicate}}
func.func @predicate() attributes {tw.kernel, tw.predicate = "n > 0"} { return }

// -----

// expected-error@+1 {{TW3109: expected only kernels in a module, got 'memref.global'}}
memref.global @g : memref<8xf32>

// -----

// Values.

func.func @tw3111_constant() attributes {tw.kernel} {
  // expected-error@+1 {{TW3111: expected a constant of one repeated value, got 'tensor<2xi32>'}}
  %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
  return
}

// -----

func.func @tw3112_wrap(%p: !kernel.ptr<f32> {tw.dtype = "*fp32"}) attributes {tw.kernel} {
  %unknown = arith.constant -1 : i64
  %v = kernel.view %p sizes [%unknown] strides [%unknown] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  // expected-error@+1 {{TW3112: expected a positive size of wrapped dimension 0, got -1}}
  %0 = kernel.load %v[%unknown] lo [%unknown] hi [%unknown] boundary [2] : !kernel.view<1, f32> -> tensor<8xf32>
  return
}
