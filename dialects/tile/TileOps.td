//===- TileOps.td - Operations of the tile dialect ---------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation states its constraints C1..Cn; the verifier cites the number
// and test/dialects/tile/<group>-invalid.mlir covers each.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_TILE_TILEOPS
#define TILEWRIGHT_DIALECTS_TILE_TILEOPS

include "dialects/tile/TileDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

defvar Tile_Tensor = AnyStaticShapeTensor;
def Tile_Ptr : Type<CPred<"::mlir::isa<::tilewright::tile::PointerType>($_self)">,
                    "tile pointer", "::tilewright::tile::PointerType">;
/// A pointer or a tensor of pointers.
def Tile_PtrLike : Type<CPred<
    "::mlir::isa<::tilewright::tile::PointerType>(::mlir::getElementTypeOrSelf($_self))">,
    "pointer or tensor of pointers">;
/// A scalar integer or float, or a tensor of them, or of pointers.
defvar Tile_Any = AnyType;
def Tile_IntLike : TypeOrValueSemanticsContainer<AnySignlessInteger, "signless-integer-like">;
def Tile_MaskLike : TypeOrValueSemanticsContainer<I1, "i1-like">;
def Tile_Desc : Type<CPred<"::mlir::isa<::tilewright::tile::DescriptorType>($_self)">,
                     "tile descriptor", "::tilewright::tile::DescriptorType">;

include "dialects/tile/TileShapeOps.td"
include "dialects/tile/TileMemoryOps.td"
include "dialects/tile/TileComputeOps.td"

#endif // TILEWRIGHT_DIALECTS_TILE_TILEOPS
