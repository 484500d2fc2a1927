//===- TileMemoryOps.td - Pointers, loads, stores, atomics -*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory. A program observes its own accesses in program order; between
// programs only atomics order.
//===----------------------------------------------------------------------===//

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "advance pointers by element offsets";
  let description = [{
    The offset is signed, i32 or i64. C1: pointer and offset have the same
    shape (both scalars or both tensors).
    Example: `%2 = tile.addptr %0, %1 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>`
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_IntLike:$offset);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_IntToPtrOp : Tile_Op<"int_to_ptr", [Pure]> {
  let summary = "address to pointer";
  let description = [{
    C1: same shape; the operand's element type is i64.
    Example: `%1 = tile.int_to_ptr %0 : i64 -> !tile.ptr<f32>`
  }];
  let arguments = (ins Tile_IntLike:$source);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_PtrToIntOp : Tile_Op<"ptr_to_int", [Pure]> {
  let summary = "pointer to address";
  let description = [{
    C1: same shape; the result's element type is i64.
    Example: `%1 = tile.ptr_to_int %0 : !tile.ptr<f32> -> i64`
  }];
  let arguments = (ins Tile_PtrLike:$source);
  let results = (outs Tile_IntLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_PtrCastOp : Tile_Op<"ptr_cast", [Pure]> {
  let summary = "same address, another pointee";
  let description = [{
    C1: same shape.
    Example: `%1 = tile.ptr_cast %0 : !tile.ptr<f32> -> !tile.ptr<i32>`
  }];
  let arguments = (ins Tile_PtrLike:$source);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read global memory";
  let description = [{
    Where the mask is false no memory is touched and the element is `other`
    (0 if there is none). Scalar pointers give scalars. C1: the result has the
    pointers' shape and their pointee as element type. C2: the mask has that
    shape. C3: `other` has the result's type and needs a mask.
    Example: `%3 = tile.load %0 mask %1 : tensor<8xi1> other %2 : tensor<8xf32> : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>`
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Optional<Tile_MaskLike>:$mask,
    Optional<Tile_Any>:$other,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict,
    UnitAttr:$isVolatile);
  let results = (outs Tile_Any:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, CArg<"::mlir::Value", "{}">:$mask, CArg<"::mlir::Value", "{}">:$other,
    CArg<"::tilewright::kernel::CacheHint", "::tilewright::kernel::CacheHint::None">:$cache,
    CArg<"::tilewright::kernel::EvictionHint", "::tilewright::kernel::EvictionHint::Normal">:$evict,
    CArg<"bool", "false">:$isVolatile)>];
  let assemblyFormat = [{
    $ptr (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))?
    (`cache` $cache^)? (`evict` $evict^)? (`volatile` $isVolatile^)?
    attr-dict `:` type($ptr) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write global memory";
  let description = [{
    Where the mask is false no memory is touched. C1: the value has the
    pointers' shape and their pointee as element type. C2: the mask has that
    shape. If two active elements have one address, which is kept is not stated.
    Example: `tile.store %0, %1 mask %2 : tensor<8xi1> : tensor<8x!tile.ptr<f32>>, tensor<8xf32>`
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_Any:$value, Optional<Tile_MaskLike>:$mask,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`mask` $mask^ `:` type($mask))? (`cache` $cache^)?
    (`evict` $evict^)? attr-dict `:` type($ptr) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "atomic read-modify-write, giving the old value";
  let description = [{
    Every active element performs its own operation and gets its own old value;
    elements whose mask is false touch nothing and give 0. Release covers all
    earlier accesses of the whole program, acquire all later ones. C1: value
    and result have the pointers' shape and their pointee as element type.
    C2: the mask has that shape. C3: `fadd`, `fmax`, `fmin` need a float
    element, the others but `xchg` an integer.
    Example: `%2 = tile.atomic_rmw add relaxed gpu %0, %1 : !tile.ptr<i32>, i32 -> i32`
  }];
  let arguments = (ins Kernel_AtomicKindAttr:$kind, Kernel_MemorySemanticsAttr:$semantics,
    Kernel_MemoryScopeAttr:$scope, Tile_PtrLike:$ptr, Tile_Any:$value,
    Optional<Tile_MaskLike>:$mask);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $kind $semantics $scope $ptr `,` $value (`mask` $mask^ `:` type($mask))?
    attr-dict `:` type($ptr) `,` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCASOp : Tile_Op<"atomic_cas", [
    AllTypesMatch<["compare", "value"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "atomic compare-and-swap, giving the old value";
  let description = [{
    Stores `value` where memory equals `compare` bit for bit. C1: compare,
    value and result have the pointers' shape and their pointee as element
    type. C2: the element is 16, 32 or 64 bits wide.
    Example: `%3 = tile.atomic_cas acq_rel gpu %0, %1, %2 : !tile.ptr<i32>, i32 -> i32`
  }];
  let arguments = (ins Kernel_MemorySemanticsAttr:$semantics, Kernel_MemoryScopeAttr:$scope,
    Tile_PtrLike:$ptr, Tile_Any:$compare, Tile_Any:$value);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $semantics $scope $ptr `,` $compare `,` $value attr-dict
    `:` type($ptr) `,` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_MakeDescriptorOp : Tile_Op<"make_descriptor", [Pure, AttrSizedOperandSegments]> {
  let summary = "describe a tensor in global memory";
  let description = [{
    C1: shape and strides have as many entries as the block has dimensions.
    C2: the block's element type is the pointee. C3: 1 <= rank <= 5. Shape and
    strides are i64, in elements.
    Example: `%d = tile.make_descriptor %p, shape [%m, %n] strides [%s, %one] padding zero : !tile.ptr<f16> -> !tile.desc<tensor<64x32xf16>>`
  }];
  let arguments = (ins Tile_Ptr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides,
    DefaultValuedAttr<Kernel_PaddingAttr, "::tilewright::kernel::Padding::Zero">:$padding);
  let results = (outs Tile_Desc:$result);
  let assemblyFormat = [{
    $base `,` `shape` `[` $shape `]` `strides` `[` $strides `]`
    (`padding` $padding^)? attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DescriptorLoadOp : Tile_Op<"descriptor_load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read a block through a descriptor";
  let description = [{
    Elements outside the described shape give the descriptor's padding. C1: one
    offset a dimension, in elements. C2: the result has the block's element
    type and extents, any leading extents of 1 dropped.
    Example: `%1 = tile.descriptor_load %d[%i, %j] : !tile.desc<tensor<64x32xf16>> -> tensor<64x32xf16>`
  }];
  let arguments = (ins Tile_Desc:$descriptor, Variadic<I32>:$offsets,
    DefaultValuedAttr<Kernel_CacheHintAttr, "::tilewright::kernel::CacheHint::None">:$cache,
    DefaultValuedAttr<Kernel_EvictionHintAttr, "::tilewright::kernel::EvictionHint::Normal">:$evict);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $descriptor `[` $offsets `]` (`cache` $cache^)? (`evict` $evict^)? attr-dict
    `:` type($descriptor) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DescriptorStoreOp : Tile_Op<"descriptor_store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write a block through a descriptor";
  let description = [{
    Elements outside the described shape are dropped. C1: one offset a
    dimension. C2: the value has the block's element type and extents,
    leading extents of 1 dropped or kept. C3: `kind` suits the element. With
    `kind` each element is combined into memory atomically (relaxed, gpu).
    Example: `tile.descriptor_store %d[%i, %j], %v : !tile.desc<tensor<64x32xf16>>, tensor<64x32xf16>`
  }];
  let arguments = (ins Tile_Desc:$descriptor, Variadic<I32>:$offsets, Tile_Tensor:$value,
    OptionalAttr<Kernel_AtomicKindAttr>:$kind);
  let assemblyFormat = [{
    $descriptor `[` $offsets `]` `,` $value (`kind` $kind^)? attr-dict
    `:` type($descriptor) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Tile_DescriptorGatherOp : Tile_Op<"descriptor_gather", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read chosen rows through a descriptor";
  let description = [{
    Row r of the result is row `rows[r]` of the described tensor from column
    `column` on. C1: the block is 1xN. C2: rows is 1-D; the result is
    rows x N with the block's element type.
    Example: `%1 = tile.descriptor_gather %d[%rows, %j] : !tile.desc<tensor<1x32xf16>>, tensor<8xi32> -> tensor<8x32xf16>`
  }];
  let arguments = (ins Tile_Desc:$descriptor, Tile_Tensor:$rows, I32:$column);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $descriptor `[` $rows `,` $column `]` attr-dict
    `:` type($descriptor) `,` type($rows) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DescriptorScatterOp : Tile_Op<"descriptor_scatter", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write chosen rows through a descriptor";
  let description = [{
    C1: the block is 1xN. C2: rows is 1-D; the value is rows x N with the
    block's element type. Rows out of bounds are dropped.
    Example: `tile.descriptor_scatter %d[%rows, %j], %v : !tile.desc<tensor<1x32xf16>>, tensor<8xi32>, tensor<8x32xf16>`
  }];
  let arguments = (ins Tile_Desc:$descriptor, Tile_Tensor:$rows, I32:$column, Tile_Tensor:$value);
  let assemblyFormat = [{
    $descriptor `[` $rows `,` $column `]` `,` $value attr-dict
    `:` type($descriptor) `,` type($rows) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "wait until the whole program is here";
  let description = [{
    Orders all accesses of the program before it against all after it.
    Example: `tile.barrier`
  }];
  let assemblyFormat = "attr-dict";
}
