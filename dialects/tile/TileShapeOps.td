//===- TileShapeOps.td - Ids, ranges and shape changes -----*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that create index values or move elements without computing.
//===----------------------------------------------------------------------===//

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "id of this program along one grid axis";
  let description = [{
    C1: `axis` is 0, 1 or 2. `0 <= result < num_programs(axis)`.
    Example: `%0 = tile.program_id 0 : i32`
  }];
  let arguments = (ins I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "extent of the grid along one axis";
  let description = [{
    C1: `axis` is 0, 1 or 2.
    Example: `%0 = tile.num_programs 1 : i32`
  }];
  let arguments = (ins I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_RangeOp : Tile_Op<"range", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    Element i is `start + i`. C1: the result is a 1-D tensor of i32.
    C2: `end - start` equals its extent and is positive.
    Example: `%0 = tile.range 0 to 128 : tensor<128xi32>`
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "int32_t":$start, "int32_t":$end)>];
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "tensor with every element equal to a scalar";
  let description = [{
    C1: the result's element type is the operand's type.
    Example: `%1 = tile.splat %0 : f32 -> tensor<4x8xf32>`
  }];
  let arguments = (ins Tile_Any:$source);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::llvm::ArrayRef<int64_t>":$shape)>];
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeat extents of 1";
  let description = [{
    C1: same rank and element type. C2: each operand extent is 1 or equals the
    result's.
    Example: `%1 = tile.broadcast %0 : tensor<4x1xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins Tile_Tensor:$source);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::llvm::ArrayRef<int64_t>":$shape)>];
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "same elements in row-major order, another shape";
  let description = [{
    Also adds and drops extents of 1. C1: same element type and element count.
    `allow_reorder` lets a backend pick any order of elements.
    Example: `%1 = tile.reshape %0 : tensor<8xf32> -> tensor<8x1xf32>`
  }];
  let arguments = (ins Tile_Tensor:$source, UnitAttr:$allow_reorder);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::llvm::ArrayRef<int64_t>":$shape, CArg<"bool", "false">:$allowReorder)>];
  let assemblyFormat = "$source (`allow_reorder` $allow_reorder^)? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "permute dimensions";
  let description = [{
    Result dimension d is operand dimension `order[d]`. C1: `order` is a
    permutation of 0..rank-1. C2: the result's extents are permuted so.
    Example: `%1 = tile.transpose %0 [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>`
  }];
  let arguments = (ins Tile_Tensor:$source, DenseI64ArrayAttr:$order);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::llvm::ArrayRef<int64_t>":$order)>];
  let assemblyFormat = "$source $order attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, SameTypeOperands]> {
  let summary = "two values along a new last dimension of extent 2";
  let description = [{
    C1: the result's shape is the operands' shape with a trailing 2 (two
    scalars give extent [2]). C2: same element type.
    Example: `%2 = tile.join %0, %1 : tensor<4xf32> -> tensor<4x2xf32>`
  }];
  let arguments = (ins Tile_Any:$lhs, Tile_Any:$rhs);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure]> {
  let summary = "the two halves along a last dimension of extent 2";
  let description = [{
    C1: the operand's last extent is 2. C2: both results have its other
    extents (a [2] tensor gives two scalars) and its element type.
    Example: `%1:2 = tile.split %0 : tensor<4x2xf32> -> tensor<4xf32>, tensor<4xf32>`
  }];
  let arguments = (ins Tile_Tensor:$source);
  let results = (outs Tile_Any:$lhs, Tile_Any:$rhs);
  let builders = [OpBuilder<(ins "::mlir::Value":$source)>];
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs) `,` type($rhs)";
  let hasVerifier = 1;
}

def Tile_CatOp : Tile_Op<"cat", [Pure, SameTypeOperands]> {
  let summary = "two 1-D tensors one after the other";
  let description = [{
    C1: operands are 1-D; the result has twice the extent and the same element
    type. `allow_reorder` lets a backend pick any order of elements.
    Example: `%2 = tile.cat %0, %1 : tensor<4xf32> -> tensor<8xf32>`
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs, UnitAttr:$allow_reorder);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, CArg<"bool", "false">:$allowReorder)>];
  let assemblyFormat = "$lhs `,` $rhs (`allow_reorder` $allow_reorder^)? attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure]> {
  let summary = "pick elements of a tensor by index along one axis";
  let description = [{
    `result[i..., j, k...] = source[i..., indices[i..., j, k...], k...]`.
    C1: source and indices have the same rank and, but for `axis`, the same
    extents. C2: the result has the indices' shape and the source's element
    type. C3: `0 <= axis < rank`. Indices out of range are a program error;
    backends clamp so that no memory outside the tile is read.
    Example: `%2 = tile.gather %0[%1] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>`
  }];
  let arguments = (ins Tile_Tensor:$source, Tile_Tensor:$indices, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$indices, "int32_t":$axis)>];
  let assemblyFormat = "$source `[` $indices `]` `axis` $axis attr-dict `:` type($source) `,` type($indices) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_FactOp : Tile_Op<"fact", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "identity that promises something about its operand";
  let description = [{
    The frontend's `multiple_of`, `max_contiguous` and `max_constancy`, one
    value a dimension (one value for a scalar). A broken promise is a program
    error; ignoring the op is always legal. C1: operand and result types are
    equal. C2: each array present has rank entries (1 for a scalar),
    all positive.
    Example: `%1 = tile.fact %0 divisibility [16] : tensor<8xi32>`
  }];
  let arguments = (ins Tile_Any:$source,
    OptionalAttr<DenseI64ArrayAttr>:$divisibility,
    OptionalAttr<DenseI64ArrayAttr>:$contiguity,
    OptionalAttr<DenseI64ArrayAttr>:$constancy);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $source (`divisibility` $divisibility^)? (`contiguity` $contiguity^)?
    (`constancy` $constancy^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
