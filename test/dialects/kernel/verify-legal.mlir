// One module with every form that Kernel IR has.
// RUN: tw-opt %s --kernel-verify | FileCheck %s
// RUN: tw-opt %s --canonicalize --cse --kernel-verify | FileCheck %s

// CHECK: module attributes {tw.math = "accurate", tw.options = {num_stages = 3 : i32, num_warps = 4 : i32}, tw.target = "cpu"}
module attributes {tw.target = "cpu", tw.math = "accurate", tw.options = {num_warps = 4 : i32, num_stages = 3 : i32}} {

// CHECK-LABEL: func.func @matmul
func.func @matmul(
    %a: !kernel.ptr<f16> {tw.name = "a_ptr", tw.dtype = "*fp16", tw.index = 0 : i32, tw.divisibility = 16 : i64, tw.readonly, tw.disjoint},
    %b: !kernel.ptr<f16> {tw.name = "b_ptr", tw.dtype = "*kfp16", tw.index = 1 : i32, tw.disjoint},
    %c: !kernel.ptr<f32> {tw.dtype = "*fp32", tw.index = 2 : i32},
    %k: i32 {tw.dtype = "u32", tw.range = [0, 4096], tw.divisibility = 16 : i64, tw.opt.cpu.hint = "any"},
    %table: !kernel.ptr<i64> {tw.dtype = "**fp32"},
    %scale: f32 {tw.dtype = "fp32"}) attributes {tw.kernel, tw.needs_progress, tw.facts_used = ["a_ptr:divisibility"]} {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %step = arith.constant 32 : i32
  %acc0 = arith.constant dense<0.0> : tensor<16x16xf32>
  %size = arith.extsi %k : i32 to i64
  // CHECK: scf.for
  %acc = scf.for %i = %c0 to %k step %step iter_args(%acc = %acc0) -> (tensor<16x16xf32>) : i32 {
    %o = arith.extsi %i : i32 to i64
    %va = kernel.view %a sizes [%size, %size] strides [%size, %one] : !kernel.ptr<f16> -> !kernel.view<2, f16>
    %vb = kernel.view %b + %o sizes [%size, %size] strides [%size, %one] : !kernel.ptr<f16> -> !kernel.view<2, f16>
    %x = kernel.load %va[%zero, %o] lo [%zero, %zero] hi [%size, %size] boundary [2, 0] : !kernel.view<2, f16> -> tensor<16x32xf16>
    %y = kernel.load %vb[%zero, %zero] lo [%zero, %zero] hi [%size, %size] boundary [0, 1] : !kernel.view<2, f16> -> tensor<32x16xf16>
    %next = linalg.matmul {kernel.precision = "ieee", kernel.max_imprecise_acc = 0 : i32} ins(%x, %y : tensor<16x32xf16>, tensor<32x16xf16>) outs(%acc : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  } {tw.opt.loop = {num_stages = 3 : i32}}
  %init = arith.constant dense<0xFF800000> : tensor<16xf32>
  %max = linalg.reduce ins(%acc : tensor<16x16xf32>) outs(%init : tensor<16xf32>) dimensions = [1]
    (%l: f32, %r: f32) {
      %m = arith.maxnumf %l, %r : f32
      linalg.yield %m : f32
    }
  %empty = tensor.empty() : tensor<16x16xf32>
  %wide = linalg.broadcast ins(%max : tensor<16xf32>) outs(%empty : tensor<16x16xf32>) dimensions = [1]
  %sub = arith.subf %acc, %wide fastmath<contract> : tensor<16x16xf32>
  %exp = math.exp2 %sub : tensor<16x16xf32>
  %turned = linalg.transpose ins(%exp : tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) permutation = [1, 0]
  %flat = tensor.collapse_shape %turned [[0, 1]] : tensor<16x16xf32> into tensor<256xf32>
  %half = tensor.extract_slice %flat[0] [128] [1] : tensor<256xf32> to tensor<128xf32>
  %box = tensor.expand_shape %half [[0, 1]] output_shape [8, 16] : tensor<128xf32> into tensor<8x16xf32>
  %low = arith.truncf %box {tw.saturate} : tensor<8x16xf32> to tensor<8x16xf8E4M3FN>
  %back = arith.extf %low : tensor<8x16xf8E4M3FN> to tensor<8x16xf32>
  %total = "kernel.reduce"(%half) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    kernel.yield %s : f32
  }) : (tensor<128xf32>) -> f32
  %pred = arith.cmpf ogt, %total, %scale : f32
  %picked = arith.select %pred, %c, %c : !kernel.ptr<f32>
  %chosen = arith.select %pred, %back, %box : tensor<8x16xf32>
  %end = scf.while (%n = %c0) : (i32) -> i32 {
    %go = arith.cmpi slt, %n, %k : i32
    scf.condition(%go) %n : i32
  } do {
  ^bb0(%n: i32):
    %m = arith.addi %n, %step : i32
    scf.yield %m : i32
  }
  scf.if %pred {
    kernel.assume %pred : i1
    %vc = kernel.view %picked sizes [%size, %size] strides [%size, %one] : !kernel.ptr<f32> -> !kernel.view<2, f32>
    kernel.store %chosen, %vc[%zero, %zero] lo [%zero, %zero] hi [%size, %size] boundary [0, 0] : tensor<8x16xf32>, !kernel.view<2, f32>
  }
  %offsets = kernel.range 0 to 8 : tensor<8xi32>
  %addresses = kernel.gather %table [%offsets : tensor<8xi32>] : !kernel.ptr<i64> -> tensor<8xi64>
  %pointers = kernel.int_to_ptr %addresses : tensor<8xi64> -> tensor<8x!kernel.ptr<f32>>
  %values = kernel.gather %pointers : tensor<8x!kernel.ptr<f32>> -> tensor<8xf32>
  %filled = tensor.splat %total : tensor<8xf32>
  %sum = arith.addf %values, %filled : tensor<8xf32>
  kernel.scatter %sum, %pointers : tensor<8xf32>, tensor<8x!kernel.ptr<f32>>
  kernel.print "end" %end : i32 {signedness = array<i1: true>}
  return
}

// CHECK-LABEL: func.func @matmul__v1
func.func @matmul__v1(%n: i32 {tw.dtype = "i32", tw.value = 1 : i64}) attributes {tw.kernel, tw.variant_of = "matmul", tw.predicate = "n % 16 == 0"} {
  return
}

}
