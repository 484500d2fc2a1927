// RUN: tw-opt %s --tile-to-kernel | FileCheck %s
// RUN: tw-opt %s --tile-to-kernel="variants=false" | FileCheck %s --check-prefix=SINGLE

// The benchmark's matrix product. With M and N positive the wrapped rows reach
// masked-off elements only, so both operands are plain checked boxes at
// (rows, k) and (k, columns); the fallback keeps the rows of A as indices.

// CHECK-LABEL: func.func @matmul__v1
// CHECK-SAME: %[[A:[a-z0-9]+]]: !kernel.ptr<f16>
// CHECK-SAME: %[[B:[a-z0-9]+]]: !kernel.ptr<f16>
// CHECK-SAME: %[[C:[a-z0-9]+]]: !kernel.ptr<f16>
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32 {tw.name = "M", tw.range = [1, 2147483647]}
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32 {tw.name = "N", tw.range = [1, 2147483647]}
// CHECK-SAME: %[[K:[a-z0-9]+]]: i32
// CHECK-SAME: tw.facts_used = ["N:range", "M:range"]
// CHECK-SAME: tw.predicate = "M > 0 and N > 0", tw.variant_of = "matmul"
// CHECK-DAG: %[[MW:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK-DAG: %[[NW:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG: %[[KW:.*]] = arith.extsi %[[K]] : i32 to i64
// CHECK-DAG: %[[AV:.*]] = kernel.view %[[A]] sizes[%[[MW]], %[[KW]]] strides
// CHECK-DAG: %[[BV:.*]] = kernel.view %[[B]] sizes[%[[KW]], %[[NW]]] strides
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<128x128xf32>)
// CHECK-DAG: %[[IW:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK-DAG: %[[KO:.*]] = arith.muli %[[IW]], %{{.*}} : i64
// CHECK: %[[AT:.*]] = kernel.load %[[AV]][%{{.*}}, %[[KO]]] lo[%[[Z:.*]], %[[Z]]] hi[%[[MW]], %[[KW]]] boundary [0, 0] : <2, f16> -> tensor<128x64xf16>
// CHECK: %[[BT:.*]] = kernel.load %[[BV]][%[[KO]], %{{.*}}] lo[%[[Z]], %[[Z]]] hi[%[[KW]], %[[NW]]] boundary [0, 0] : <2, f16> -> tensor<64x128xf16>
// CHECK: linalg.matmul {kernel.max_imprecise_acc = 0 : i32, kernel.precision = "ieee"} ins(%[[AT]], %[[BT]] {{.*}}) outs(%[[ACC]]
// CHECK: tw.opt.loop = {num_stages = 3 : i32}
// CHECK: kernel.store %{{.*}} hi[%[[MW]], %[[NW]]] boundary [0, 0]

// CHECK-LABEL: func.func @matmul(
// CHECK-NOT: tw.predicate
// CHECK: kernel.load {{.*}} boundary [1, 0] index %{{.*}} : tensor<128xi32> index_dim 0
// CHECK: kernel.load {{.*}} boundary [0, 0] : <2, f16>

// SINGLE-NOT: @matmul__v1
// SINGLE: func.func @matmul(
func.func @matmul(%a: !tile.ptr<f16> {tw.name = "a_ptr"}, %b: !tile.ptr<f16> {tw.name = "b_ptr"}, %c: !tile.ptr<f16> {tw.name = "c_ptr"},
                  %M: i32 {tw.name = "M"}, %N: i32 {tw.name = "N"}, %K: i32 {tw.name = "K"},
                  %sam: i32, %sak: i32, %sbk: i32, %sbn: i32, %scm: i32, %scn: i32) attributes {tw.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c127 = arith.constant 127 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %z1 = arith.constant dense<0.0> : tensor<128x64xf16>
  %z2 = arith.constant dense<0.0> : tensor<64x128xf16>
  %pid = tile.program_id 0 : i32
  %m1 = arith.addi %M, %c127 : i32
  %gm = arith.divsi %m1, %c128 : i32
  %n1 = arith.addi %N, %c127 : i32
  %gn = arith.divsi %n1, %c128 : i32
  %width = arith.muli %gn, %c8 : i32
  %group = arith.divsi %pid, %width : i32
  %first = arith.muli %group, %c8 : i32
  %left = arith.subi %gm, %first : i32
  %size = arith.minsi %left, %c8 : i32
  %in = arith.remsi %pid, %width : i32
  %in_m = arith.remsi %in, %size : i32
  %pm = arith.addi %first, %in_m : i32
  %pn = arith.divsi %in, %size : i32
  %r128 = tile.range 0 to 128 : tensor<128xi32>
  %r64 = tile.range 0 to 64 : tensor<64xi32>
  %m0 = arith.muli %pm, %c128 : i32
  %m0s = tile.splat %m0 : i32 -> tensor<128xi32>
  %m_offs = arith.addi %m0s, %r128 : tensor<128xi32>
  %Ms = tile.splat %M : i32 -> tensor<128xi32>
  %rm = arith.remsi %m_offs, %Ms : tensor<128xi32>
  %n0 = arith.muli %pn, %c128 : i32
  %n0s = tile.splat %n0 : i32 -> tensor<128xi32>
  %n_offs = arith.addi %n0s, %r128 : tensor<128xi32>
  %Ns = tile.splat %N : i32 -> tensor<128xi32>
  %rn = arith.remsi %n_offs, %Ns : tensor<128xi32>
  %rm2 = tile.reshape %rm : tensor<128xi32> -> tensor<128x1xi32>
  %sams = tile.splat %sam : i32 -> tensor<128x1xi32>
  %am = arith.muli %rm2, %sams : tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x1x!tile.ptr<f16>>
  %ap1 = tile.addptr %as, %am : tensor<128x1x!tile.ptr<f16>>, tensor<128x1xi32>
  %rk2 = tile.reshape %r64 : tensor<64xi32> -> tensor<1x64xi32>
  %saks = tile.splat %sak : i32 -> tensor<1x64xi32>
  %ak = arith.muli %rk2, %saks : tensor<1x64xi32>
  %ap2 = tile.broadcast %ap1 : tensor<128x1x!tile.ptr<f16>> -> tensor<128x64x!tile.ptr<f16>>
  %ak2 = tile.broadcast %ak : tensor<1x64xi32> -> tensor<128x64xi32>
  %ap = tile.addptr %ap2, %ak2 : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
  %rk3 = tile.reshape %r64 : tensor<64xi32> -> tensor<64x1xi32>
  %sbks = tile.splat %sbk : i32 -> tensor<64x1xi32>
  %bk = arith.muli %rk3, %sbks : tensor<64x1xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
  %bp1 = tile.addptr %bs, %bk : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %rn2 = tile.reshape %rn : tensor<128xi32> -> tensor<1x128xi32>
  %sbns = tile.splat %sbn : i32 -> tensor<1x128xi32>
  %bn = arith.muli %rn2, %sbns : tensor<1x128xi32>
  %bp2 = tile.broadcast %bp1 : tensor<64x1x!tile.ptr<f16>> -> tensor<64x128x!tile.ptr<f16>>
  %bn2 = tile.broadcast %bn : tensor<1x128xi32> -> tensor<64x128xi32>
  %bp = tile.addptr %bp2, %bn2 : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %k1 = arith.addi %K, %c63 : i32
  %kt = arith.divsi %k1, %c64 : i32
  %acc:3 = scf.for %k = %c0 to %kt step %c1 iter_args(%t = %zero, %pa = %ap, %pb = %bp)
      -> (tensor<128x128xf32>, tensor<128x64x!tile.ptr<f16>>, tensor<64x128x!tile.ptr<f16>>) : i32 {
    %done = arith.muli %k, %c64 : i32
    %rem = arith.subi %K, %done : i32
    %rem_a = tile.splat %rem : i32 -> tensor<1x64xi32>
    %mask_a1 = arith.cmpi slt, %rk2, %rem_a : tensor<1x64xi32>
    %mask_a = tile.broadcast %mask_a1 : tensor<1x64xi1> -> tensor<128x64xi1>
    %x = tile.load %pa mask %mask_a : tensor<128x64xi1> other %z1 : tensor<128x64xf16> : tensor<128x64x!tile.ptr<f16>> -> tensor<128x64xf16>
    %rem_b = tile.splat %rem : i32 -> tensor<64x1xi32>
    %mask_b1 = arith.cmpi slt, %rk3, %rem_b : tensor<64x1xi32>
    %mask_b = tile.broadcast %mask_b1 : tensor<64x1xi1> -> tensor<64x128xi1>
    %y = tile.load %pb mask %mask_b : tensor<64x128xi1> other %z2 : tensor<64x128xf16> : tensor<64x128x!tile.ptr<f16>> -> tensor<64x128xf16>
    %t2 = tile.dot %x, %y, %t : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    %sa = arith.muli %sak, %c64 : i32
    %sas = tile.splat %sa : i32 -> tensor<128x64xi32>
    %pa2 = tile.addptr %pa, %sas : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %sb = arith.muli %sbk, %c64 : i32
    %sbs = tile.splat %sb : i32 -> tensor<64x128xi32>
    %pb2 = tile.addptr %pb, %sbs : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
    scf.yield %t2, %pa2, %pb2 : tensor<128x128xf32>, tensor<128x64x!tile.ptr<f16>>, tensor<64x128x!tile.ptr<f16>>
  } {tw.opt.loop = {num_stages = 3 : i32}}
  %cm0 = arith.muli %pm, %c128 : i32
  %cm0s = tile.splat %cm0 : i32 -> tensor<128xi32>
  %cm = arith.addi %cm0s, %r128 : tensor<128xi32>
  %cn0 = arith.muli %pn, %c128 : i32
  %cn0s = tile.splat %cn0 : i32 -> tensor<128xi32>
  %cn = arith.addi %cn0s, %r128 : tensor<128xi32>
  %out = arith.truncf %acc#0 : tensor<128x128xf32> to tensor<128x128xf16>
  %cm2 = tile.reshape %cm : tensor<128xi32> -> tensor<128x1xi32>
  %cn2 = tile.reshape %cn : tensor<128xi32> -> tensor<1x128xi32>
  %scms = tile.splat %scm : i32 -> tensor<128x1xi32>
  %ca = arith.muli %cm2, %scms : tensor<128x1xi32>
  %cs = tile.splat %c : !tile.ptr<f16> -> tensor<128x1x!tile.ptr<f16>>
  %cp1 = tile.addptr %cs, %ca : tensor<128x1x!tile.ptr<f16>>, tensor<128x1xi32>
  %scns = tile.splat %scn : i32 -> tensor<1x128xi32>
  %cb = arith.muli %cn2, %scns : tensor<1x128xi32>
  %cp2 = tile.broadcast %cp1 : tensor<128x1x!tile.ptr<f16>> -> tensor<128x128x!tile.ptr<f16>>
  %cb2 = tile.broadcast %cb : tensor<1x128xi32> -> tensor<128x128xi32>
  %cp = tile.addptr %cp2, %cb2 : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %M2 = tile.splat %M : i32 -> tensor<128x1xi32>
  %mm = arith.cmpi slt, %cm2, %M2 : tensor<128x1xi32>
  %N2 = tile.splat %N : i32 -> tensor<1x128xi32>
  %mn = arith.cmpi slt, %cn2, %N2 : tensor<1x128xi32>
  %mmb = tile.broadcast %mm : tensor<128x1xi1> -> tensor<128x128xi1>
  %mnb = tile.broadcast %mn : tensor<1x128xi1> -> tensor<128x128xi1>
  %mask = arith.andi %mmb, %mnb : tensor<128x128xi1>
  tile.store %cp, %out mask %mask : tensor<128x128xi1> : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xf16>
  return
}
