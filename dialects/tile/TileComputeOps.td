//===- TileComputeOps.td - Matrix, reduction, debug ops ----*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What arith and math do not hold: matrix products, reductions and scans with
// any combine function, debugging and escapes to a target.
//===----------------------------------------------------------------------===//

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product plus accumulator";
  let description = [{
    `result = lhs x rhs + acc`, 2-D or 3-D (batch first). C1: lhs [B,]MxK, rhs
    [B,]KxN, acc [B,]MxN. C2: operands have the same element type, or both fp8.
    C3: the accumulator is i32 for i8 operands, f64 for f64, f32 or f16 for
    f16 and fp8, f32 for bf16 and f32. Products and sums are at least as exact
    as in the accumulator type; `precision` may lower f32 products.
    Example: `%3 = tile.dot %0, %1, %2 : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>`
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs, Tile_Tensor:$acc,
    DefaultValuedAttr<Kernel_DotPrecisionAttr, "::tilewright::kernel::DotPrecision::IEEE">:$precision,
    DefaultValuedAttr<I32Attr, "0">:$maxImpreciseAcc);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`precision` $precision^)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Tile_DotScaledOp : Tile_Op<"dot_scaled", [Pure, AttrSizedOperandSegments,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product of block-scaled operands";
  let description = [{
    Each run of 32 elements along K shares an e8m0 scale (u8; 255 is NaN).
    C1: lhs MxK, rhs KxN, acc MxN f32; e2m1 packs two elements a byte, along K
    unless the operand's `KPack` is false.
    C2: formats are e2m1 (i8), e4m3, e5m2, bf16, fp16. C3: lhs scale is MxK/32, rhs
    scale NxK/32, tensors of i8.
    Example: `%1 = tile.dot_scaled %a "e4m3", %b "e5m2", %acc : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E5M2>, tensor<16x16xf32>`
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs, Tile_Tensor:$acc,
    Optional<Tile_Tensor>:$lhsScale, Optional<Tile_Tensor>:$rhsScale,
    StrAttr:$lhsFormat, StrAttr:$rhsFormat, UnitAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhsKPack, DefaultValuedAttr<BoolAttr, "true">:$rhsKPack);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $lhs $lhsFormat (`scale` $lhsScale^ `:` type($lhsScale))? `,`
    $rhs $rhsFormat (`scale` $rhsScale^ `:` type($rhsScale))? `,` $acc attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "combine all elements along one axis";
  let description = [{
    The region takes two scalars an operand (left values, then right values)
    and yields one each; it is associative and commutative. The order of
    combination is not stated. C1: operands have one shape; `axis` is a valid
    dimension. C2: results have that shape without `axis` (scalars for rank 1)
    and the operands' element types. C3: region arguments and yields are the
    element types. C4: the region has no side effects.
    Example:
    ```
    %1 = "tile.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }) : (tensor<8xf32>) -> f32
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$operands, I32Attr:$axis);
  let results = (outs Variadic<Tile_Any>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "int32_t":$axis,
    "::tilewright::kernel::CombineBuilder":$body)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [Pure, SingleBlock]> {
  let summary = "inclusive prefix combination along one axis";
  let description = [{
    `result[0] = x[0]`, `result[i] = combine(result[i-1], x[i])`. With `reverse`
    it equals flip, scan, flip. The region is as in `tile.reduce` and need only
    be associative. C1: operands have one shape; `axis` is a valid dimension.
    C2: results have the operands' types. C3: region arguments and yields are
    the element types. C4: the region has no side effects.
    Example: as `tile.reduce`, results of the operands' types.
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$operands, I32Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tensor>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "int32_t":$axis,
    "bool":$reverse, "::tilewright::kernel::CombineBuilder":$body)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp", "ScanOp", "CallOpOp"]>]> {
  let summary = "result of a combine region";
  let description = [{ Example: `tile.yield %0 : f32` }];
  let arguments = (ins Variadic<Tile_Any>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure]> {
  let summary = "count elements by value";
  let description = [{
    Bin b counts elements equal to b; elements outside [0, bins) or with a
    false mask are not counted. C1: source is 1-D of integers, result 1-D i32.
    C2: the mask has the source's shape.
    Example: `%1 = tile.histogram %0 : tensor<128xi32> -> tensor<16xi32>`
  }];
  let arguments = (ins Tile_Tensor:$source, Optional<Tile_Tensor>:$mask);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source (`mask` $mask^ `:` type($mask))? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MulHiOp : Tile_Op<"mulhi", [Pure, Elementwise, Scalarizable, Vectorizable,
    Tensorizable, SameOperandsAndResultType]> {
  let summary = "high half of the unsigned product";
  let description = [{
    C1: 32- or 64-bit integers.
    Example: `%2 = tile.mulhi %0, %1 : tensor<8xi32>`
  }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs);
  let results = (outs Tile_IntLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_PrintOp : Tile_Op<"print", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "print values from the device";
  let description = [{
    One line an element: program ids, index, prefix, value. C1: `signedness` has
    an entry an operand; true prints integers as signed.
    Example: `tile.print "x" %0 : tensor<8xi32> {signedness = array<i1: true>}`
  }];
  let arguments = (ins StrAttr:$prefix, Variadic<Tile_Any>:$values,
    DenseBoolArrayAttr:$signedness, UnitAttr:$hex);
  let assemblyFormat = "$prefix ($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fail the launch unless all conditions hold";
  let description = [{ Example: `tile.assert %0, "out of range" : tensor<8xi1>` }];
  let arguments = (ins Tile_MaskLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_AssumeOp : Tile_Op<"assume", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "promise that a condition holds here";
  let description = [{
    Holds only under the guards around it and is never hoisted across them.
    Example: `tile.assume %0 : i1`
  }];
  let arguments = (ins Tile_MaskLike:$condition);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
}

def Tile_TrapOp : Tile_Op<"trap", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "stop the launch with an error";
  let description = [{ Example: `tile.trap "unreachable branch"` }];
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

def Tile_ClockOp : Tile_Op<"clock", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a counter of the device";
  let description = [{
    `kind` is "clock" (cycles) or "globaltimer" (nanoseconds).
    Example: `%0 = tile.clock "globaltimer" : i64`
  }];
  let arguments = (ins StrAttr:$kind);
  let results = (outs I64:$result);
  let assemblyFormat = "$kind attr-dict `:` type($result)";
}

def Tile_InlineAsmOp : Tile_Op<"inline_asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "assembly text of one target, per element";
  let description = [{
    `target` is the vendor that the text is for. Each invocation takes `pack`
    elements of every operand. Pure text may be moved and repeated.
    Example: `%1 = tile.inline_asm "nvidia" "mov.b32 $0, $1;" constraints "=r,r" pack 1 (%0) : (tensor<8xi32>) -> tensor<8xi32>`
  }];
  let arguments = (ins StrAttr:$target, StrAttr:$asmText, StrAttr:$constraints, I32Attr:$pack,
    Variadic<Tile_Any>:$args, UnitAttr:$pure);
  let results = (outs Variadic<Tile_Any>:$results);
  let assemblyFormat = [{
    $target $asmText `constraints` $constraints `pack` $pack (`pure` $pure^)?
    `(` $args `)` attr-dict `:` functional-type($args, $results)
  }];
}

def Tile_ExternCallOp : Tile_Op<"extern_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elementwise call of a device-library function";
  let description = [{
    Example: `%1 = tile.extern_call "libdevice" "__nv_fast_expf" (%0) : (tensor<8xf32>) -> tensor<8xf32>`
  }];
  let arguments = (ins StrAttr:$library, StrAttr:$symbol, Variadic<Tile_Any>:$args, UnitAttr:$pure);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $library $symbol (`pure` $pure^)? `(` $args `)` attr-dict `:` functional-type($args, $result)
  }];
}

def Tile_CallOpOp : Tile_Op<"call_op", [RecursiveMemoryEffects, SingleBlock, IsolatedFromAbove]> {
  let summary = "a high-level op with its meaning attached";
  let description = [{
    `name` is `op@version` (softmax@1). The region takes the operands and yields
    the results: it is the decomposition used unless the target claims the op.
    C1: region arguments have the operands' types. C2: yields have the results'
    types. C3: the name has that form.
    Example:
    ```
    %1 = "tile.call_op"(%0) <{name = "negate@1"}> ({
    ^bb0(%a: tensor<8xf32>):
      %n = arith.negf %a : tensor<8xf32>
      tile.yield %n : tensor<8xf32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Tile_Any>:$args);
  let results = (outs Variadic<Tile_Any>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
