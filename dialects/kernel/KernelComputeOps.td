//===- KernelComputeOps.td - Ids, reductions, escapes -----*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What linalg, arith and math do not hold exactly.
//===----------------------------------------------------------------------===//

def Kernel_ProgramIdOp : Kernel_Op<"program_id", [Pure]> {
  let summary = "id of this program along one grid axis";
  let description = [{
    C1: `axis` is 0, 1 or 2. `0 <= result < num_programs(axis)`.
    Example: `%0 = kernel.program_id 0 : i32`
  }];
  let arguments = (ins I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_NumProgramsOp : Kernel_Op<"num_programs", [Pure]> {
  let summary = "extent of the grid along one axis";
  let description = [{
    C1: `axis` is 0, 1 or 2.
    Example: `%0 = kernel.num_programs 1 : i32`
  }];
  let arguments = (ins I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_RangeOp : Kernel_Op<"range", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    Element i is `start + i`. C1: the result is a 1-D tensor of i32.
    C2: `end - start` equals its extent and is positive.
    Example: `%0 = kernel.range 0 to 128 : tensor<128xi32>`
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs Kernel_Tensor:$result);
  let builders = [OpBuilder<(ins "int32_t":$start, "int32_t":$end)>];
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_JoinOp : Kernel_Op<"join", [Pure, SameTypeOperands]> {
  let summary = "two values along a new last dimension of extent 2";
  let description = [{
    C1: the result's shape is the operands' shape with a trailing 2 (two
    scalars give extent [2]). C2: same element type.
    Example: `%2 = kernel.join %0, %1 : tensor<4xf32> -> tensor<4x2xf32>`
  }];
  let arguments = (ins Kernel_Any:$lhs, Kernel_Any:$rhs);
  let results = (outs Kernel_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_SplitOp : Kernel_Op<"split", [Pure]> {
  let summary = "the two halves along a last dimension of extent 2";
  let description = [{
    C1: the operand's last extent is 2. C2: both results have its other
    extents (a [2] tensor gives two scalars) and its element type.
    Example: `%1:2 = kernel.split %0 : tensor<4x2xf32> -> tensor<4xf32>, tensor<4xf32>`
  }];
  let arguments = (ins Kernel_Tensor:$source);
  let results = (outs Kernel_Any:$lhs, Kernel_Any:$rhs);
  let builders = [OpBuilder<(ins "::mlir::Value":$source)>];
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs) `,` type($rhs)";
  let hasVerifier = 1;
}

def Kernel_CatOp : Kernel_Op<"cat", [Pure, SameTypeOperands]> {
  let summary = "two 1-D tensors one after the other";
  let description = [{
    C1: operands are 1-D; the result has twice the extent and the same element
    type. `allow_reorder` lets a backend pick any order of elements.
    Example: `%2 = kernel.cat %0, %1 : tensor<4xf32> -> tensor<8xf32>`
  }];
  let arguments = (ins Kernel_Tensor:$lhs, Kernel_Tensor:$rhs, UnitAttr:$allow_reorder);
  let results = (outs Kernel_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, CArg<"bool", "false">:$allowReorder)>];
  let assemblyFormat = "$lhs `,` $rhs (`allow_reorder` $allow_reorder^)? attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_GatherInTileOp : Kernel_Op<"gather_in_tile", [Pure]> {
  let summary = "pick elements of a tensor by index along one axis";
  let description = [{
    `result[i..., j, k...] = source[i..., indices[i..., j, k...], k...]`.
    C1: source and indices have the same rank and, but for `axis`, the same
    extents. C2: the result has the indices' shape and the source's element
    type. C3: `0 <= axis < rank`. Indices out of range are a program error;
    backends clamp so that no memory outside the tile is read.
    Example: `%2 = kernel.gather_in_tile %0[%1] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>`
  }];
  let arguments = (ins Kernel_Tensor:$source, Kernel_Tensor:$indices, I32Attr:$axis);
  let results = (outs Kernel_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$indices, "int32_t":$axis)>];
  let assemblyFormat = "$source `[` $indices `]` `axis` $axis attr-dict `:` type($source) `,` type($indices) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_FactOp : Kernel_Op<"fact", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "identity that promises something about its operand";
  let description = [{
    The frontend's `multiple_of`, `max_contiguous` and `max_constancy`, one
    value a dimension (one value for a scalar). A broken promise is a program
    error; ignoring the op is always legal. C1: operand and result types are
    equal. C2: each array present has rank entries (1 for a scalar),
    all positive.
    Example: `%1 = kernel.fact %0 divisibility [16] : tensor<8xi32>`
  }];
  let arguments = (ins Kernel_Any:$source,
    OptionalAttr<DenseI64ArrayAttr>:$divisibility,
    OptionalAttr<DenseI64ArrayAttr>:$contiguity,
    OptionalAttr<DenseI64ArrayAttr>:$constancy);
  let results = (outs Kernel_Any:$result);
  let assemblyFormat = [{
    $source (`divisibility` $divisibility^)? (`contiguity` $contiguity^)?
    (`constancy` $constancy^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_DotScaledOp : Kernel_Op<"dot_scaled", [Pure, AttrSizedOperandSegments,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product of block-scaled operands";
  let description = [{
    Each run of 32 elements along K shares an e8m0 scale (u8; 255 is NaN).
    C1: lhs MxK, rhs KxN, acc MxN f32; e2m1 packs two elements a byte, along K
    unless the operand's `KPack` is false.
    C2: formats are e2m1 (i8), e4m3, e5m2, bf16, fp16. C3: lhs scale is MxK/32, rhs
    scale NxK/32, tensors of i8.
    Example: `%1 = kernel.dot_scaled %a "e4m3", %b "e5m2", %acc : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E5M2>, tensor<16x16xf32>`
  }];
  let arguments = (ins Kernel_Tensor:$lhs, Kernel_Tensor:$rhs, Kernel_Tensor:$acc,
    Optional<Kernel_Tensor>:$lhsScale, Optional<Kernel_Tensor>:$rhsScale,
    StrAttr:$lhsFormat, StrAttr:$rhsFormat, UnitAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhsKPack, DefaultValuedAttr<BoolAttr, "true">:$rhsKPack);
  let results = (outs Kernel_Tensor:$result);
  let assemblyFormat = [{
    $lhs $lhsFormat (`scale` $lhsScale^ `:` type($lhsScale))? `,`
    $rhs $rhsFormat (`scale` $rhsScale^ `:` type($rhsScale))? `,` $acc attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Kernel_ReduceOp : Kernel_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "combine all elements along one axis";
  let description = [{
    The region takes two scalars an operand (left values, then right values)
    and yields one each; it is associative and commutative. The order of
    combination is not stated but with `order = stated`, which folds the upper
    half onto the lower until one is left. C1: operands have one shape; `axis` is a valid
    dimension. C2: results have that shape without `axis` (scalars for rank 1)
    and the operands' element types. C3: region arguments and yields are the
    element types. C4: the region has no side effects.
    Example:
    ```
    %1 = "kernel.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      kernel.yield %s : f32
    }) : (tensor<8xf32>) -> f32
    ```
  }];
  let arguments = (ins Variadic<Kernel_Tensor>:$operands, I32Attr:$axis,
    DefaultValuedAttr<Kernel_ReduceOrderAttr, "::tilewright::kernel::ReduceOrder::Any">:$order);
  let results = (outs Variadic<Kernel_Any>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "int32_t":$axis,
    "ReduceOrder":$order, "::tilewright::kernel::CombineBuilder":$body)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Kernel_ScanOp : Kernel_Op<"scan", [Pure, SingleBlock]> {
  let summary = "inclusive prefix combination along one axis";
  let description = [{
    `result[0] = x[0]`, `result[i] = combine(result[i-1], x[i])`. With `reverse`
    it equals flip, scan, flip. The region is as in `kernel.reduce` and need only
    be associative. C1: operands have one shape; `axis` is a valid dimension.
    C2: results have the operands' types. C3: region arguments and yields are
    the element types. C4: the region has no side effects.
    Example: as `kernel.reduce`, results of the operands' types.
  }];
  let arguments = (ins Variadic<Kernel_Tensor>:$operands, I32Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Kernel_Tensor>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "int32_t":$axis,
    "bool":$reverse, "::tilewright::kernel::CombineBuilder":$body)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Kernel_YieldOp : Kernel_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp", "ScanOp", "CallOpOp"]>]> {
  let summary = "result of a combine region";
  let description = [{ Example: `kernel.yield %0 : f32` }];
  let arguments = (ins Variadic<Kernel_Any>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Kernel_HistogramOp : Kernel_Op<"histogram", [Pure]> {
  let summary = "count elements by value";
  let description = [{
    Bin b counts elements equal to b; elements outside [0, bins) or with a
    false mask are not counted. C1: source is 1-D of integers, result 1-D i32.
    C2: the mask has the source's shape.
    Example: `%1 = kernel.histogram %0 : tensor<128xi32> -> tensor<16xi32>`
  }];
  let arguments = (ins Kernel_Tensor:$source, Optional<Kernel_Tensor>:$mask);
  let results = (outs Kernel_Tensor:$result);
  let assemblyFormat = "$source (`mask` $mask^ `:` type($mask))? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Kernel_MulHiOp : Kernel_Op<"mulhi", [Pure, Elementwise, Scalarizable, Vectorizable,
    Tensorizable, SameOperandsAndResultType]> {
  let summary = "high half of the unsigned product";
  let description = [{
    C1: 32- or 64-bit integers.
    Example: `%2 = kernel.mulhi %0, %1 : tensor<8xi32>`
  }];
  let arguments = (ins Kernel_IntLike:$lhs, Kernel_IntLike:$rhs);
  let results = (outs Kernel_IntLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_PrintOp : Kernel_Op<"print", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "print values from the device";
  let description = [{
    One line an element: program ids, index, prefix, value. C1: `signedness` has
    an entry an operand; true prints integers as signed.
    Example: `kernel.print "x" %0 : tensor<8xi32> {signedness = array<i1: true>}`
  }];
  let arguments = (ins StrAttr:$prefix, Variadic<Kernel_Any>:$values,
    DenseBoolArrayAttr:$signedness, UnitAttr:$hex);
  let assemblyFormat = "$prefix ($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Kernel_AssertOp : Kernel_Op<"assert", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fail the launch unless all conditions hold";
  let description = [{ Example: `kernel.assert %0, "out of range" : tensor<8xi1>` }];
  let arguments = (ins Kernel_MaskLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Kernel_AssumeOp : Kernel_Op<"assume", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "promise that a condition holds here";
  let description = [{
    Holds only under the guards around it and is never hoisted across them.
    Example: `kernel.assume %0 : i1`
  }];
  let arguments = (ins Kernel_MaskLike:$condition);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
}

def Kernel_TrapOp : Kernel_Op<"trap", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "stop the launch with an error";
  let description = [{ Example: `kernel.trap "unreachable branch"` }];
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

def Kernel_ClockOp : Kernel_Op<"clock", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a counter of the device";
  let description = [{
    `kind` is "clock" (cycles) or "globaltimer" (nanoseconds).
    Example: `%0 = kernel.clock "globaltimer" : i64`
  }];
  let arguments = (ins StrAttr:$kind);
  let results = (outs I64:$result);
  let assemblyFormat = "$kind attr-dict `:` type($result)";
}

def Kernel_InlineAsmOp : Kernel_Op<"inline_asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "assembly text of one target, per element";
  let description = [{
    `target` is the vendor that the text is for. Each invocation takes `pack`
    elements of every operand. Pure text may be moved and repeated.
    Example: `%1 = kernel.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1 (%0) : (tensor<8xi32>) -> tensor<8xi32>`
  }];
  let arguments = (ins StrAttr:$target, StrAttr:$asmText, StrAttr:$constraints, I32Attr:$pack,
    Variadic<Kernel_Any>:$args, UnitAttr:$pure);
  let results = (outs Variadic<Kernel_Any>:$results);
  let assemblyFormat = [{
    $target $asmText `constraints` $constraints `pack` $pack (`pure` $pure^)?
    `(` $args `)` attr-dict `:` functional-type($args, $results)
  }];
}

def Kernel_ExternCallOp : Kernel_Op<"extern_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elementwise call of a device-library function";
  let description = [{
    Example: `%1 = kernel.extern_call "libdevice" "__nv_fast_expf" (%0) : (tensor<8xf32>) -> tensor<8xf32>`
  }];
  let arguments = (ins StrAttr:$library, StrAttr:$symbol, Variadic<Kernel_Any>:$args, UnitAttr:$pure);
  let results = (outs Kernel_Any:$result);
  let assemblyFormat = [{
    $library $symbol (`pure` $pure^)? `(` $args `)` attr-dict `:` functional-type($args, $result)
  }];
}

def Kernel_CallOpOp : Kernel_Op<"call_op", [RecursiveMemoryEffects, SingleBlock, IsolatedFromAbove]> {
  let summary = "a high-level op with its meaning attached";
  let description = [{
    `name` is `op@version` (softmax@1). The region takes the operands and yields
    the results: it is the decomposition used unless the target claims the op.
    C1: region arguments have the operands' types. C2: yields have the results'
    types. C3: the name has that form.
    Example:
    ```
    %1 = "kernel.call_op"(%0) <{name = "negate@1"}> ({
    ^bb0(%a: tensor<8xf32>):
      %n = arith.negf %a : tensor<8xf32>
      kernel.yield %n : tensor<8xf32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Kernel_Any>:$args);
  let results = (outs Variadic<Kernel_Any>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
