// RUN: tw-opt %s --split-input-file --simt-check-races --verify-diagnostics

#a = #simt.layout<warp=[[4]], lane=[[1], [2]], register=[] -> dim0=8>
#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
!t = tensor<8xi32, #a>
!m = !simt.memdesc<1 x [8], i32, #s>

func.func @ordered(%x: !t) attributes {tw.kernel} {
  %m = simt.alloc offset 0 : !m
  simt.local_store %x, %m : !t, !m
  simt.barrier
  %0 = simt.local_load %m : !m -> !t
  return
}

// -----

#a = #simt.layout<warp=[[4]], lane=[[1], [2]], register=[] -> dim0=8>
#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
!t = tensor<8xi32, #a>
!m = !simt.memdesc<1 x [8], i32, #s>

func.func @unordered(%x: !t) attributes {tw.kernel} {
  %m = simt.alloc offset 0 : !m
  // expected-note @below {{this operation writes it}}
  simt.local_store %x, %m : !t, !m
  // expected-error @below {{TW4151: expected a barrier before this operation, which reads shared memory, got none}}
  %0 = simt.local_load %m : !m -> !t
  return
}

// -----

#a = #simt.layout<warp=[[4]], lane=[[1], [2]], register=[] -> dim0=8>
#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
!t = tensor<8xi32, #a>
!m = !simt.memdesc<1 x [8], i32, #s>

// The next iteration writes what this one reads.
func.func @loop(%x: !t, %n: index) attributes {tw.kernel} {
  %m = simt.alloc offset 0 : !m
  scf.for %i = %n to %n step %n {
    // expected-error @below {{TW4151: expected a barrier before this operation, which writes shared memory, got none}}
    simt.local_store %x, %m : !t, !m
    simt.barrier
    // expected-note @below {{this operation reads it}}
    %0 = simt.local_load %m : !m -> !t
  }
  return
}

// -----

#a = #simt.layout<warp=[[4]], lane=[[1], [2]], register=[] -> dim0=8>
#s = #simt.layout<offset=[[1], [2], [4]] -> dim0=8>
!m = !simt.memdesc<1 x [8], i32, #s>
!v = !kernel.view<1, i32>

// A barrier does not wait for copies.
func.func @copy(%p: !kernel.ptr<i32>, %n: i64) attributes {tw.kernel} {
  %v = kernel.view %p sizes [%n] strides [%n] : !kernel.ptr<i32> -> !v
  %m = simt.alloc offset 0 : !m
  // expected-note @below {{this operation writes it and may still be under way}}
  %t = simt.async_copy %v[%n] lo [%n] hi [%n] boundary [0] to %m : !v, !m
  %g = simt.async_commit %t
  simt.barrier
  // expected-error @below {{TW4151: expected a barrier before this operation, which reads shared memory, got none}}
  %0 = simt.local_load %m : !m -> tensor<8xi32, #a>
  return
}

// -----

#a = #simt.layout<warp=[[4]], lane=[[1], [2]], register=[] -> dim0=8>
!t = tensor<8xi32, #a>
!v = !kernel.view<1, i32>

// A barrier of shared memory does not order global memory.
func.func @global(%p: !kernel.ptr<i32>, %x: !t, %n: i64) attributes {tw.kernel} {
  %v = kernel.view %p sizes [%n] strides [%n] : !kernel.ptr<i32> -> !v
  // expected-note @below {{this operation writes it}}
  kernel.store %x, %v[%n] lo [%n] hi [%n] boundary [1] : !t, !v
  simt.barrier
  // expected-error @below {{TW4151: expected a barrier before this operation, which reads global memory, got none}}
  %0 = kernel.load %v[%n] lo [%n] hi [%n] boundary [1] : !v -> !t
  return
}
