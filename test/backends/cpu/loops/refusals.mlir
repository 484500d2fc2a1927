// RUN: tw-opt %s --cpu-lower-to-loops --split-input-file --verify-diagnostics

func.func @assembly(
    %x: i32 {tw.name = "x", tw.dtype = "i32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  // expected-error @below {{TW4127: the CPU backend takes no inline assembly, got text for 'nvidia'}}
  %0 = kernel.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1 (%x) : (i32) -> i32
  return
}

// -----

func.func @library(
    %x: f32 {tw.name = "x", tw.dtype = "fp32", tw.index = 0 : i32})
    attributes {tw.kernel} {
  // expected-error @below {{TW4128: the CPU backend does not know function '__nv_j0f' of 'libdevice'}}
  %0 = kernel.extern_call "libdevice" "__nv_j0f" (%x) : (f32) -> f32
  return
}

// -----

func.func @clock() attributes {tw.kernel} {
  // expected-error @below {{TW4129: expected kind 'clock' or 'globaltimer', got 'wall'}}
  %0 = kernel.clock "wall" : i64
  return
}

// -----

// expected-error @below {{TW4122: expected tiles within 1073741824 bytes of temporary storage, got 2147483648}}
func.func @huge(
    %x: !kernel.ptr<f32> {tw.name = "x", tw.dtype = "*fp32", tw.index = 0 : i32},
    %y: !kernel.ptr<f32> {tw.name = "y", tw.dtype = "*fp32", tw.index = 1 : i32})
    attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 536870912 : i64
  %xv = kernel.view %x sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %yv = kernel.view %y sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
  %t = kernel.load %xv[%c0] lo [%c0] hi [%n] boundary [1] : !kernel.view<1, f32> -> tensor<536870912xf32>
  kernel.store %t, %yv[%c0] lo [%c0] hi [%n] boundary [1] : tensor<536870912xf32>, !kernel.view<1, f32>
  return
}
