//===- SimtOps.td - Operations of the simt dialect ---------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads add to Kernel IR. Each operation states its constraints C1..Cn.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTOPS
#define TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTOPS

include "backends/simt/dialect/SimtDialect.td"
include "dialects/kernel/KernelEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Simt_Op<string mnemonic, list<Trait> traits = []>
    : Op<Simt_Dialect, mnemonic, traits>;

def Simt_Memory : Resource<"::tilewright::simt::SharedMemory">;
def Simt_Async : Resource<"::tilewright::simt::AsyncWork">;

//===--- Tensors ----------------------------------------------------------===//

def Simt_ConvertLayoutOp : Simt_Op<"convert_layout", [Pure]> {
  let summary = "the same tensor, spread differently";
  let description = [{
    C1: operand and result differ in layout only.
    Example: `%1 = simt.convert_layout %0 : tensor<8xf32, #a> -> tensor<8xf32, #b>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$source);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Simt_BroadcastOp : Simt_Op<"broadcast", [Pure]> {
  let summary = "repeat along new dimensions";
  let description = [{
    `dimensions` are the result's dimensions that the operand lacks, ascending.
    C1: without them the result has the operand's shape. C2: the operand's layout
    is the result's without those dimensions, registers that repeat left out.
    Example: `%1 = simt.broadcast %0 [1] : tensor<8xf32> -> tensor<8x4xf32>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$source, DenseI64ArrayAttr:$dimensions);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source $dimensions attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Simt_TransposeOp : Simt_Op<"transpose", [Pure]> {
  let summary = "permute dimensions";
  let description = [{
    Result dimension d is operand dimension `permutation[d]`.
    C1: `permutation` is one and matches the shapes.
    Example: `%1 = simt.transpose %0 [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Simt_ReshapeOp : Simt_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order in another shape";
  let description = [{
    C1: equally many elements of one type.
    Example: `%1 = simt.reshape %0 : tensor<8x4xf32> -> tensor<32xf32>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$source);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Simt_DotOp : Simt_Op<"dot", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "matrix product onto an accumulator";
  let description = [{
    Over the last two dimensions; leading dimensions are batches.
    C1: shapes are [.., M, K], [.., K, N] and [.., M, N]. `atom` names the
    target's matrix instruction; without it products are summed one by one.
    `isStated` folds the K products upper half onto lower and adds the
    accumulator last.
    C2: `scales` are none, or [M, K / 32] and [N, K / 32] of i8: factors (e8m0) of
    32 elements along K, in rank 2. Operands are bytes of the atom's formats then, and
    those with two elements a byte half as long along K.
    Example: `%1 = simt.dot %a, %b, %c ieee : tensor<16x8xf16>, tensor<8x16xf16>, tensor<16x16xf32>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$lhs, AnyStaticShapeTensor:$rhs,
    AnyStaticShapeTensor:$accumulator, Variadic<AnyStaticShapeTensor>:$scales,
    Kernel_DotPrecisionAttr:$precision, OptionalAttr<StrAttr>:$atom, UnitAttr:$isStated);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator $precision (`atom` $atom^)? (`stated` $isStated^)?
    (`scales` $scales^)? attr-dict `:` type($lhs) `,` type($rhs) `,`
    type($accumulator) (`scales` type($scales)^)?
  }];
  let hasVerifier = 1;
}

//===--- Shared memory ----------------------------------------------------===//

def Simt_AllocOp : Simt_Op<"alloc", [MemoryEffects<[MemAlloc<Simt_Memory>]>]> {
  let summary = "buffers in shared memory";
  let description = [{
    `offset` (bytes) is written by simt-allocate-shared.
    Example: `%0 = simt.alloc : !simt.memdesc<2 x [64, 32], f16, #s>`
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Simt_MemDescType:$result);
  let assemblyFormat = "(`offset` $offset^)? attr-dict `:` type($result)";
}

def Simt_RotateOp : Simt_Op<"rotate", [Pure]> {
  let summary = "the next of `count` buffers";
  let description = [{
    `slot + 1`, or 0 behind the last one. A loop that carries a slot and yields
    its successor uses its buffers in turn, which the race checker understands.
    C1: `count` is positive.
    Example: `%1 = simt.rotate %0 of 3`
  }];
  let arguments = (ins I32:$slot, I32Attr:$count);
  let results = (outs I32:$result);
  let assemblyFormat = "$slot `of` $count attr-dict";
  let hasVerifier = 1;
}

def Simt_LocalLoadOp : Simt_Op<"local_load", [MemoryEffects<[MemRead<Simt_Memory>]>]> {
  let summary = "read a buffer of shared memory";
  let description = [{
    C1: shapes and element types agree. `buffer` (i32) picks one of several.
    Example: `%1 = simt.local_load %0[%i] : !simt.memdesc<2 x [64, 32], f16, #s> -> tensor<64x32xf16, #a>`
  }];
  let arguments = (ins Simt_MemDescType:$memory, Optional<I32>:$buffer);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$memory (`[` $buffer^ `]`)? attr-dict `:` type($memory) `->` type($result)";
  let hasVerifier = 1;
}

def Simt_LocalStoreOp : Simt_Op<"local_store", [MemoryEffects<[MemWrite<Simt_Memory>]>]> {
  let summary = "write a buffer of shared memory";
  let description = [{
    C1: shapes and element types agree.
    Example: `simt.local_store %t, %0[%i] : tensor<64x32xf16, #a>, !simt.memdesc<2 x [64, 32], f16, #s>`
  }];
  let arguments = (ins AnyStaticShapeTensor:$value, Simt_MemDescType:$memory, Optional<I32>:$buffer);
  let assemblyFormat = "$value `,` $memory (`[` $buffer^ `]`)? attr-dict `:` type($value) `,` type($memory)";
  let hasVerifier = 1;
}

//===--- Asynchronous work ------------------------------------------------===//

def Simt_AsyncCopyOp : Simt_Op<"async_copy", [AttrSizedOperandSegments,
    MemoryEffects<[MemWrite<Simt_Memory>, MemRead, MemWrite<Simt_Async>]>]> {
  let summary = "start a copy of a box of a view to shared memory";
  let description = [{
    Positions and bounds as in `kernel.load`; elements out of bounds become 0,
    and all do where `predicate` is false.
    C1: one offset, boundary mode, lo and hi a dimension. C2: the view has the
    buffer's rank and element type.
    Example: `%t = simt.async_copy %v[%i, %j] lo [%l, %l] hi [%m, %n] boundary [0, 0] to %0[%s] : !kernel.view<2, f16>, !simt.memdesc<2 x [64, 32], f16, #s>`
  }];
  let arguments = (ins AnyType:$view, Variadic<I64>:$offsets, Variadic<I64>:$lo,
    Variadic<I64>:$hi, DenseI32ArrayAttr:$boundary, Simt_MemDescType:$memory,
    Optional<I32>:$buffer, Optional<I1>:$predicate);
  let results = (outs Simt_TokenType:$token);
  let assemblyFormat = [{
    $view `[` $offsets `]` `lo` `[` $lo `]` `hi` `[` $hi `]` `boundary` $boundary
    `to` $memory (`[` $buffer^ `]`)? (`if` $predicate^)? attr-dict
    `:` type($view) `,` type($memory)
  }];
  let hasVerifier = 1;
}

def Simt_AsyncCommitOp : Simt_Op<"async_commit", [MemoryEffects<[MemWrite<Simt_Async>]>]> {
  let summary = "close a group of copies";
  let description = [{ Example: `%g = simt.async_commit %t` }];
  let arguments = (ins Variadic<Simt_TokenType>:$tokens);
  let results = (outs Simt_TokenType:$group);
  let assemblyFormat = "$tokens attr-dict";
}

def Simt_AsyncWaitOp : Simt_Op<"async_wait",
    [MemoryEffects<[MemWrite<Simt_Async>, MemWrite<Simt_Memory>]>]> {
  let summary = "wait until at most `pending` groups are under way";
  let description = [{
    What this thread copied is then visible to it; a barrier makes it visible to
    others. Example: `simt.async_wait 1 for %g`
  }];
  let arguments = (ins I32Attr:$pending, Variadic<Simt_TokenType>:$groups);
  let assemblyFormat = "$pending (`for` $groups^)? attr-dict";
}

//===--- Threads together -------------------------------------------------===//

def Simt_BarrierOp : Simt_Op<"barrier",
    [MemoryEffects<[MemRead, MemWrite, MemRead<Simt_Memory>, MemWrite<Simt_Memory>]>]> {
  let summary = "wait for all threads of the program";
  let description = [{
    Accesses to shared memory (and, with `global`, to global memory) before it
    are seen after it. Example: `simt.barrier global`
  }];
  let arguments = (ins UnitAttr:$global);
  let assemblyFormat = "(`global` $global^)? attr-dict";
}

def Simt_NumBlocksOp : Simt_Op<"num_blocks", [Pure]> {
  let summary = "blocks along the grid's first axis";
  let description = [{
    At most the programs: a block of a kernel with `simt.strided` runs several.
    Example: `%0 = simt.num_blocks : i32`
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Simt_MBarrierInitOp : Simt_Op<"mbarrier.init", [MemoryEffects<[MemAlloc<Simt_Memory>]>]> {
  let summary = "barrier objects that expect `arrivals` arrivals a phase";
  let description = [{ Example: `%b = simt.mbarrier.init 1 : !simt.mbarrier<3>` }];
  let arguments = (ins I32Attr:$arrivals, OptionalAttr<I64Attr>:$offset);
  let results = (outs Simt_MBarrierType:$result);
  let assemblyFormat = "$arrivals (`offset` $offset^)? attr-dict `:` type($result)";
}

def Simt_MBarrierArriveOp : Simt_Op<"mbarrier.arrive", [MemoryEffects<[MemWrite<Simt_Memory>]>]> {
  let summary = "arrive at a barrier object";
  let description = [{
    `bytes` announces that many bytes of asynchronous copies in this phase.
    Example: `simt.mbarrier.arrive %b[%i] bytes 4096 : !simt.mbarrier<3>`
  }];
  let arguments = (ins Simt_MBarrierType:$barrier, I32:$index, OptionalAttr<I64Attr>:$bytes);
  let assemblyFormat = "$barrier `[` $index `]` (`bytes` $bytes^)? attr-dict `:` type($barrier)";
}

def Simt_MBarrierWaitOp : Simt_Op<"mbarrier.wait",
    [MemoryEffects<[MemRead<Simt_Memory>, MemWrite<Simt_Memory>]>]> {
  let summary = "wait until the phase of a barrier object is over";
  let description = [{ Example: `simt.mbarrier.wait %b[%i] phase %p : !simt.mbarrier<3>` }];
  let arguments = (ins Simt_MBarrierType:$barrier, I32:$index, I1:$phase);
  let assemblyFormat = "$barrier `[` $index `]` `phase` $phase attr-dict `:` type($barrier)";
}

def Simt_PartitionOp : Simt_Op<"partition", [NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "regions that different warps run side by side";
  let description = [{
    Region r runs on `warps[r]` warps with `registers[r]` registers a thread.
    Buffers used in two regions are ordered by barrier objects only.
    C1: one entry of `warps` and of `registers` a region, all positive.
    Example: `simt.partition warps [4, 8] registers [40, 232] { .. }, { .. }`
  }];
  let arguments = (ins DenseI32ArrayAttr:$warps, DenseI32ArrayAttr:$registers);
  let regions = (region VariadicRegion<SizedRegion<1>>:$partitions);
  let assemblyFormat = "`warps` $warps `registers` $registers attr-dict-with-keyword $partitions";
  let hasVerifier = 1;
}

def Simt_YieldOp : Simt_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["PartitionOp"]>]> {
  let summary = "end of a partition";
  let description = [{ Example: `simt.yield` }];
  let assemblyFormat = "attr-dict";
}

#endif // TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTOPS
