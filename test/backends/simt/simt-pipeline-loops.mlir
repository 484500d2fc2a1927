// RUN: tw-opt %s --simt-prepare="num-warps=1 atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-assign-layouts="atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-optimize-conversions --simt-pipeline-loops="stages=3" --split-input-file | FileCheck %s
// RUN: tw-opt %s --simt-prepare="num-warps=1 atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-assign-layouts="atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-optimize-conversions --simt-pipeline-loops="stages=1" --split-input-file | FileCheck %s --check-prefix=OFF
// RUN: tw-opt %s --simt-prepare="num-warps=1 atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-assign-layouts="atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-optimize-conversions --simt-pipeline-loops="stages=3 in-registers" --split-input-file | FileCheck %s --check-prefix=REG
// RUN: tw-opt %s --simt-prepare="num-warps=1 atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-assign-layouts="atoms={m16n8k16.f16 16 8 16 f16 f16 f32 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]; [0; 8]] -> dim0=16; dim1=16 | lane=[[2; 0]; [4; 0]; [0; 1]; [0; 2]; [0; 4]]; register=[[1; 0]; [8; 0]] -> dim0=16; dim1=8 | lane=[[0; 2]; [0; 4]; [1; 0]; [2; 0]; [4; 0]]; register=[[0; 1]; [8; 0]] -> dim0=16; dim1=8}" --simt-optimize-conversions --simt-pipeline-loops="stages=3 in-registers shared-bytes=1024" --split-input-file | FileCheck %s --check-prefix=TIGHT

!v = !kernel.view<2, f16>

// Two iterations are copied ahead; the loop's hints stay.
// CHECK-LABEL: func @product
// CHECK-DAG: %[[A:.*]] = simt.alloc {{.*}}<3 x[16, 16], f16
// CHECK-DAG: %[[B:.*]] = simt.alloc {{.*}}<3 x[16, 8], f16
// CHECK: %[[ANY:.*]] = arith.cmpi slt
// CHECK: simt.async_copy {{.*}} to %[[A]][%{{.*}}] if %[[ANY]]
// CHECK: simt.async_copy {{.*}} to %[[B]]
// CHECK: simt.async_commit
// CHECK: arith.cmpi ugt
// CHECK: simt.async_copy
// CHECK: simt.async_copy
// CHECK: simt.async_commit
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] = {{.*}}, %[[R:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}})
// CHECK-NEXT: simt.async_wait 1
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]]
// CHECK: simt.async_copy {{.*}} to %[[A]][%[[W]]] if
// CHECK: simt.async_copy {{.*}} to %[[B]][%[[W]]] if
// CHECK: simt.async_commit
// CHECK-NOT: kernel.load
// CHECK: simt.local_load %[[A]][%[[R]]]
// CHECK-NEXT: simt.local_load %[[B]][%[[R]]]
// CHECK-NEXT: simt.dot {{.*}} %[[ACC]] ieee atom "m16n8k16.f16"
// CHECK-DAG: simt.rotate %[[R]] of 3
// CHECK-DAG: simt.rotate %[[W]] of 3
// CHECK: } {tw.opt.loop = {flatten}}
// CHECK: simt.async_wait 0
// OFF-LABEL: func @product
// OFF-NOT: simt.async_copy

// In registers: the first iteration's operands are stored before the loop if there is one, later ones at the end of the
// iteration before, whose own are loaded once more by the last.
// REG-LABEL: func @product
// REG-NOT: simt.async_copy
// REG-DAG: %[[A:.*]] = simt.alloc {{.*}}<2 x[16, 16], f16
// REG-DAG: %[[B:.*]] = simt.alloc {{.*}}<2 x[16, 8], f16
// REG: %[[ANY:.*]] = arith.cmpi slt
// REG: scf.if %[[ANY]]
// REG: kernel.load
// REG: simt.local_store {{.*}} %[[A]]
// REG: scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] = {{.*}}, %[[R:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}})
// REG: %[[NEXT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]]
// REG: %[[X:.*]] = kernel.load {{.*}}[%{{.*}}, %[[NEXT]]]
// REG: %[[Y:.*]] = kernel.load {{.*}}[%[[NEXT]], %{{.*}}]
// REG: simt.local_load %[[A]][%[[R]]]
// REG-NEXT: simt.local_load %[[B]][%[[R]]]
// REG: simt.dot {{.*}} %[[ACC]] ieee atom "m16n8k16.f16"
// REG: simt.local_store %[[X]], %[[A]][%[[W]]]
// REG-NEXT: simt.local_store %[[Y]], %[[B]][%[[W]]]
// REG: } {tw.opt.loop = {flatten}}
// REG-NOT: simt.async_wait

// With room for one buffer it is read and written in turn.
// TIGHT-LABEL: func @product
// TIGHT: simt.alloc {{.*}}<1 x[16, 16], f16
// TIGHT: scf.for {{.*}} iter_args(%{{[a-z0-9]*}} = %{{[a-z0-9_]*}}) ->
// TIGHT: simt.local_store
func.func @product(%a: !kernel.ptr<f16> {tw.divisibility = 16 : i64, tw.disjoint}, %b: !kernel.ptr<f16> {tw.divisibility = 16 : i64, tw.disjoint},
                   %o: !kernel.ptr<f32> {tw.divisibility = 16 : i64, tw.disjoint}, %k: i64 {tw.divisibility = 16 : i64}) attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %va = kernel.view %a sizes [%c16, %k] strides [%k, %c1] : !kernel.ptr<f16> -> !v
  %vb = kernel.view %b sizes [%k, %c8] strides [%c8, %c1] : !kernel.ptr<f16> -> !v
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  %r = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> tensor<16x8xf32> : i64 {
    %x = kernel.load %va[%c0, %i] lo [%c0, %c0] hi [%c16, %k] boundary [0, 0] : !v -> tensor<16x16xf16>
    %y = kernel.load %vb[%i, %c0] lo [%c0, %c0] hi [%k, %c8] boundary [0, 0] : !v -> tensor<16x8xf16>
    %d = linalg.matmul {kernel.max_imprecise_acc = 0 : i32, kernel.precision = "ieee"} ins(%x, %y : tensor<16x16xf16>, tensor<16x8xf16>) outs(%s : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %d : tensor<16x8xf32>
  } {tw.opt.loop = {flatten}}
  %vo = kernel.view %o sizes [%c16, %c8] strides [%c8, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>
  kernel.store %r, %vo[%c0, %c0] lo [%c0, %c0] hi [%c16, %c8] boundary [1, 1] : tensor<16x8xf32>, !kernel.view<2, f32>
  return
}

// -----

!v = !kernel.view<2, f16>

// What a store of the loop may overwrite is not read ahead.
// CHECK-LABEL: func @aliased
// CHECK-NOT: simt.async_copy
// CHECK: kernel.load
func.func @aliased(%a: !kernel.ptr<f16> {tw.divisibility = 16 : i64}, %k: i64 {tw.divisibility = 16 : i64}) attributes {tw.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %va = kernel.view %a sizes [%c16, %k] strides [%k, %c1] : !kernel.ptr<f16> -> !v
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  scf.for %i = %c0 to %k step %c16 : i64 {
    %x = kernel.load %va[%c0, %i] lo [%c0, %c0] hi [%c16, %k] boundary [0, 0] : !v -> tensor<16x16xf16>
    %d = linalg.matmul {kernel.max_imprecise_acc = 0 : i32, kernel.precision = "ieee"} ins(%x, %x : tensor<16x16xf16>, tensor<16x16xf16>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
    %h = arith.truncf %d : tensor<16x16xf32> to tensor<16x16xf16>
    kernel.store %h, %va[%c0, %i] lo [%c0, %c0] hi [%c16, %k] boundary [0, 0] : tensor<16x16xf16>, !v
  }
  return
}
