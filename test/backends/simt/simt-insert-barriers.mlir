// RUN: tw-opt %s --simt-insert-barriers | FileCheck %s

#a = #simt.layout<warp=[[4]], lane=[[1], [2]], register=[] -> dim0=8>
#r = #simt.layout<warp=[[0]], lane=[[1], [2]], register=[[4]] -> dim0=8>
!t = tensor<8xi32, #a>
!p = !kernel.ptr<i32>
!v = !kernel.view<1, i32>

// A later read must see the write: global memory, in program order.
// CHECK-LABEL: func @storeThenLoad
// CHECK: kernel.store
// CHECK-NEXT: simt.barrier global
// CHECK-NEXT: kernel.load
func.func @storeThenLoad(%p: !p, %q: !p, %x: !t, %i: i64) attributes {tw.kernel} {
  %c1 = arith.constant 1 : i64
  %v = kernel.view %p sizes [%i] strides [%c1] : !p -> !v
  %w = kernel.view %q sizes [%i] strides [%c1] : !p -> !v
  kernel.store %x, %v[%i] lo [%i] hi [%i] boundary [1] : !t, !v
  %0 = kernel.load %w[%i] lo [%i] hi [%i] boundary [1] : !v -> !t
  return
}

// CHECK-LABEL: func @disjoint
// CHECK-NOT: simt.barrier
// CHECK: return
func.func @disjoint(%p: !p {tw.disjoint}, %q: !p {tw.disjoint}, %x: !t, %i: i64) attributes {tw.kernel} {
  %c1 = arith.constant 1 : i64
  %v = kernel.view %p sizes [%i] strides [%c1] : !p -> !v
  %w = kernel.view %q sizes [%i] strides [%c1] : !p -> !v
  kernel.store %x, %v[%i] lo [%i] hi [%i] boundary [1] : !t, !v
  %0 = kernel.load %w[%i] lo [%i] hi [%i] boundary [1] : !v -> !t
  return
}

// Each thread writes back what it alone has read.
// CHECK-LABEL: func @inPlace
// CHECK-NOT: simt.barrier
// CHECK: return
func.func @inPlace(%p: !p, %i: i64) attributes {tw.kernel} {
  %c1 = arith.constant 1 : i64
  %v = kernel.view %p sizes [%i] strides [%c1] : !p -> !v
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [1] : !v -> !t
  kernel.store %0, %v[%i] lo [%i] hi [%i] boundary [1] : !t, !v
  return
}

// A copy of the element is read by another warp.
// CHECK-LABEL: func @inPlaceWithCopies
// CHECK: kernel.load
// CHECK-NEXT: simt.barrier global
// CHECK-NEXT: kernel.store
func.func @inPlaceWithCopies(%p: !p, %i: i64) attributes {tw.kernel} {
  %c1 = arith.constant 1 : i64
  %v = kernel.view %p sizes [%i] strides [%c1] : !p -> !v
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [1] : !v -> tensor<8xi32, #r>
  kernel.store %0, %v[%i] lo [%i] hi [%i] boundary [1] : tensor<8xi32, #r>, !v
  return
}

// Elements of one address have no owner: the stride is not known.
// CHECK-LABEL: func @unknownStride
// CHECK: kernel.load
// CHECK-NEXT: simt.barrier global
// CHECK-NEXT: kernel.store
func.func @unknownStride(%p: !p, %i: i64) attributes {tw.kernel} {
  %v = kernel.view %p sizes [%i] strides [%i] : !p -> !v
  %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [1] : !v -> !t
  kernel.store %0, %v[%i] lo [%i] hi [%i] boundary [1] : !t, !v
  return
}

// In a loop the view is the same but the place is not.
// CHECK-LABEL: func @loop
// CHECK: scf.for
// CHECK-NEXT: simt.barrier global
// CHECK-NEXT: kernel.load
// CHECK-NEXT: kernel.store
func.func @loop(%p: !p, %n: i64) attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %v = kernel.view %p sizes [%n] strides [%c1] : !p -> !v
  scf.for %i = %c0 to %n step %c1 : i64 {
    %0 = kernel.load %v[%i] lo [%i] hi [%i] boundary [1] : !v -> !t
    kernel.store %0, %v[%i] lo [%i] hi [%i] boundary [1] : !t, !v
  }
  return
}

// Scratch memory of neighbours: the second writes what the first still reads.
// CHECK-LABEL: func @scratch
// CHECK: simt.convert_layout
// CHECK-NEXT: simt.barrier
// CHECK-NOT: global
// CHECK-NEXT: simt.convert_layout
func.func @scratch(%x: !t) attributes {tw.kernel} {
  %0 = simt.convert_layout %x {simt.scratch = 0 : i64, simt.scratch_bytes = 32 : i64} : !t -> tensor<8xi32, #r>
  %1 = simt.convert_layout %0 {simt.scratch = 16 : i64, simt.scratch_bytes = 32 : i64} : tensor<8xi32, #r> -> !t
  return
}
