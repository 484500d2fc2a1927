//===- KernelMemoryOps.td - Views, accesses, atomics ------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory in Kernel IR. Boxes of strided views where the address is
// proved to be one, gather and scatter elsewhere. A program observes its own
// accesses in program order; accesses may be reordered only if disjoint by view
// algebra or if both root arguments carry `tw.disjoint`.
//===----------------------------------------------------------------------===//

def Kernel_ViewOp : Kernel_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "strided view from a base pointer";
  let description = [{
    Element (p0, p1, ..) lies at `base + offset + p0*stride0 + p1*stride1 + ..`,
    all in elements. Sizes are the extents of the described array: only mode
    `wrap` reads them, a size of -1 says "not known". C1: as many sizes and
    strides as the view has dimensions. C2: the view's elements are the pointee. Views are never
    loop-carried (VerifyKernelIR).
    Example: `%v = kernel.view %p + %o sizes [%n, %m] strides [%s, %c1] : !kernel.ptr<f32> -> !kernel.view<2, f32>`
  }];
  let arguments = (ins Kernel_Ptr:$base, Optional<I64>:$offset,
                       Variadic<I64>:$sizes, Variadic<I64>:$strides);
  let results = (outs Kernel_View:$result);
  let assemblyFormat = [{
    $base (`+` $offset^)? `sizes` `[` $sizes `]` `strides` `[` $strides `]`
    attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_LoadOp : Kernel_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read a box of a view";
  let description = [{
    Result element (i0, i1, ..) has position `p_d = offsets[d] + i_d` in
    dimension d (`p_d = offsets[d] + index[i_d]` for `indexDim`). By
    `boundary[d]`:
    - `checked` (0): in bounds iff `lo[d] <= p_d < hi[d]`;
    - `unchecked` (1): always in bounds, lo/hi are not read;
    - `wrap` (2): as unchecked, with p_d replaced by `p_d mod size_d` (sign of
      the size; the size is positive).
    An element out of bounds in any dimension, or whose `mask` element is false,
    touches no memory and equals `other` (0 if there is none). A rank-0 view
    gives a scalar. C1: one offset, boundary mode, lo and hi a dimension.
    C2: the result has the view's rank and element type. C3: the mask has the
    result's shape. C4: `other` is a scalar of the element type or has the
    result's type. C5: `index` is 1-D of i32 or i64 with the result's extent in
    `indexDim`; both or neither are present.
    Example: `%t = kernel.load %v[%i, %j] lo [%c0, %c0] hi [%m, %n] boundary [0, 0] : !kernel.view<2, f32> -> tensor<16x32xf32>`
  }];
  let arguments = (ins Kernel_View:$view, Variadic<I64>:$offsets,
    Variadic<I64>:$lo, Variadic<I64>:$hi, DenseI32ArrayAttr:$boundary,
    Optional<Kernel_Tensor>:$index, OptionalAttr<I32Attr>:$indexDim,
    Optional<Kernel_MaskLike>:$mask, Optional<Kernel_Any>:$other,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict,
    UnitAttr:$isVolatile);
  let results = (outs Kernel_Any:$result);
  let assemblyFormat = [{
    $view `[` $offsets `]` `lo` `[` $lo `]` `hi` `[` $hi `]` `boundary` $boundary
    (`index` $index^ `:` type($index))? (`index_dim` $indexDim^)?
    (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))?
    (`cache` $cache^)? (`evict` $evict^)? (`volatile` $isVolatile^)?
    attr-dict `:` type($view) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_StoreOp : Kernel_Op<"store", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write a box of a view";
  let description = [{
    Positions, bounds and mask are as in `kernel.load`; elements out of bounds
    or masked off touch no memory. If two active elements have one address,
    which is kept is not stated. C1: one offset, boundary mode, lo and hi a
    dimension. C2: the value has the view's rank and element type. C3: the mask
    has the value's shape. C4: `index` as in `kernel.load`.
    Example: `kernel.store %t, %v[%i] lo [%c0] hi [%n] boundary [0] : tensor<16xf32>, !kernel.view<1, f32>`
  }];
  let arguments = (ins Kernel_Any:$value, Kernel_View:$view, Variadic<I64>:$offsets,
    Variadic<I64>:$lo, Variadic<I64>:$hi, DenseI32ArrayAttr:$boundary,
    Optional<Kernel_Tensor>:$index, OptionalAttr<I32Attr>:$indexDim,
    Optional<Kernel_MaskLike>:$mask,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict);
  let assemblyFormat = [{
    $value `,` $view `[` $offsets `]` `lo` `[` $lo `]` `hi` `[` $hi `]` `boundary` $boundary
    (`index` $index^ `:` type($index))? (`index_dim` $indexDim^)?
    (`mask` $mask^ `:` type($mask))? (`cache` $cache^)? (`evict` $evict^)?
    attr-dict `:` type($value) `,` type($view)
  }];
  let hasVerifier = 1;
}

def Kernel_AddPtrOp : Kernel_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "advance pointers by element offsets";
  let description = [{
    C1: pointer and offset have the same shape; the offset is i32 or i64, signed.
    Example: `%1 = kernel.addptr %p, %o : !kernel.ptr<f32>, i64`
  }];
  let arguments = (ins Kernel_PtrLike:$ptr, Kernel_IntLike:$offset);
  let results = (outs Kernel_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
}

def Kernel_IntToPtrOp : Kernel_Op<"int_to_ptr", [Pure]> {
  let summary = "address to pointer";
  let description = [{
    C1: same shape; the operand's element type is i64.
    Example: `%1 = kernel.int_to_ptr %0 : i64 -> !kernel.ptr<f32>`
  }];
  let arguments = (ins Kernel_IntLike:$source);
  let results = (outs Kernel_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_PtrToIntOp : Kernel_Op<"ptr_to_int", [Pure]> {
  let summary = "pointer to address";
  let description = [{
    C1: same shape; the result's element type is i64.
    Example: `%1 = kernel.ptr_to_int %0 : !kernel.ptr<f32> -> i64`
  }];
  let arguments = (ins Kernel_PtrLike:$source);
  let results = (outs Kernel_IntLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_PtrCastOp : Kernel_Op<"ptr_cast", [Pure]> {
  let summary = "same address, another pointee";
  let description = [{
    C1: same shape.
    Example: `%1 = kernel.ptr_cast %0 : !kernel.ptr<f32> -> !kernel.ptr<i32>`
  }];
  let arguments = (ins Kernel_PtrLike:$source);
  let results = (outs Kernel_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_GatherOp : Kernel_Op<"gather", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read elements at computed addresses";
  let description = [{
    Element i is read at `base + offsets[i]` (elements, signed). With a tensor
    of pointers as base each element has its own; offsets may then be absent.
    Where the mask is false no memory is touched and the element is `other`
    (0 if there is none). C1: offsets (i32 or i64), a tensor base, mask and
    other have the result's shape; a scalar base needs tensor offsets.
    C2: the result has the pointee as element type.
    Example: `%t = kernel.gather %p [%o : tensor<8xi64>] mask %m : tensor<8xi1> : !kernel.ptr<f32> -> tensor<8xf32>`
  }];
  let arguments = (ins Kernel_PtrLike:$base, Optional<Kernel_IntLike>:$offsets,
    Optional<Kernel_MaskLike>:$mask, Optional<Kernel_Any>:$other,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict,
    UnitAttr:$isVolatile);
  let results = (outs Kernel_Any:$result);
  let assemblyFormat = [{
    $base (`[` $offsets^ `:` type($offsets) `]`)? (`mask` $mask^ `:` type($mask))?
    (`other` $other^ `:` type($other))? (`cache` $cache^)? (`evict` $evict^)?
    (`volatile` $isVolatile^)? attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_ScatterOp : Kernel_Op<"scatter", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write elements at computed addresses";
  let description = [{
    Addresses and mask as in `kernel.gather`. If two active elements have one
    address, which is kept is not stated. C1: as in gather, for the value's
    shape. C2: the value has the pointee as element type.
    Example: `kernel.scatter %t, %p [%o : tensor<8xi64>] : tensor<8xf32>, !kernel.ptr<f32>`
  }];
  let arguments = (ins Kernel_Any:$value, Kernel_PtrLike:$base,
    Optional<Kernel_IntLike>:$offsets, Optional<Kernel_MaskLike>:$mask,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict);
  let assemblyFormat = [{
    $value `,` $base (`[` $offsets^ `:` type($offsets) `]`)? (`mask` $mask^ `:` type($mask))?
    (`cache` $cache^)? (`evict` $evict^)? attr-dict `:` type($value) `,` type($base)
  }];
  let hasVerifier = 1;
}

def Kernel_AtomicRMWOp : Kernel_Op<"atomic_rmw", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "atomic read-modify-write, giving the old value";
  let description = [{
    Addresses and mask as in `kernel.gather`; scalar base without offsets and
    scalar value is one operation. Every active element performs its own
    operation and gets its own old value; masked-off elements touch nothing and
    give 0. Release covers all earlier accesses of the whole program, acquire
    all later ones. C1: as in gather, for the value's shape. C2: value and
    result have the pointee as element type. C3: `fadd`, `fmax`, `fmin` need a
    float element, the others but `xchg` an integer.
    Example: `%r = kernel.atomic_rmw add relaxed gpu %v, %p [%o : tensor<8xi64>] : tensor<8xi32>, !kernel.ptr<i32> -> tensor<8xi32>`
  }];
  let arguments = (ins Kernel_AtomicKindAttr:$kind, Kernel_MemorySemanticsAttr:$semantics,
    Kernel_MemoryScopeAttr:$scope, Kernel_Any:$value, Kernel_PtrLike:$base,
    Optional<Kernel_IntLike>:$offsets, Optional<Kernel_MaskLike>:$mask);
  let results = (outs Kernel_Any:$result);
  let assemblyFormat = [{
    $kind $semantics $scope $value `,` $base (`[` $offsets^ `:` type($offsets) `]`)?
    (`mask` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_AtomicCASOp : Kernel_Op<"atomic_cas", [
    AllTypesMatch<["compare", "value"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "atomic compare-and-swap, giving the old value";
  let description = [{
    Stores `value` where memory equals `compare` bit for bit. Addresses as in
    `kernel.gather`. C1: as in gather, for the value's shape. C2: compare, value
    and result have the pointee as element type, 16, 32 or 64 bits wide.
    Example: `%r = kernel.atomic_cas acq_rel gpu %c, %v, %p : i32, !kernel.ptr<i32> -> i32`
  }];
  let arguments = (ins Kernel_MemorySemanticsAttr:$semantics, Kernel_MemoryScopeAttr:$scope,
    Kernel_Any:$compare, Kernel_Any:$value, Kernel_PtrLike:$base, Optional<Kernel_IntLike>:$offsets);
  let results = (outs Kernel_Any:$result);
  let assemblyFormat = [{
    $semantics $scope $compare `,` $value `,` $base (`[` $offsets^ `:` type($offsets) `]`)?
    attr-dict `:` type($value) `,` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_BarrierOp : Kernel_Op<"barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "wait until the whole program is here";
  let description = [{
    Orders all accesses of the program before it against all after it.
    Example: `kernel.barrier`
  }];
  let assemblyFormat = "attr-dict";
}
