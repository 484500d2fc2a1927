//===- TileDialect.td - The tile dialect and its types -----*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-level SSA: one program of a kernel, on builtin tensors of static shape
// and pointers to global memory. The frontend emits it, dialects/lowering
// turns it into Kernel IR.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_TILE_TILEDIALECT
#define TILEWRIGHT_DIALECTS_TILE_TILEDIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "dialects/kernel/KernelEnums.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilewright::tile";
  let summary = "Block-level kernel programs, as the frontend writes them";
  let description = [{
    A kernel is a `func.func` with the unit attribute `tw.kernel`. Its body is
    what *one* program does. Values are scalars and tensors of static shape;
    integers are signless and operations carry the signedness. Scalars and
    elementwise arithmetic use `arith` and `math` directly on tensors, control
    flow uses `scf`.

    Integer arithmetic is total in this dialect's programs: `x / 0 = -1`,
    `x % 0 = x`, `INT_MIN / -1 = INT_MIN`; shifts by the width or more give 0
    or the sign; float-to-int conversion saturates and maps NaN to 0.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::tilewright::kernel::KernelDialect"
  ];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
}

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_PointerType : Tile_Type<"Pointer", "ptr"> {
  let summary = "pointer to elements in global memory";
  let description = [{
    Address arithmetic is in elements of `pointee`. The pointee is an integer,
    a float or another pointer (a pointer table). `i1` occupies one byte:
    a load gives "byte is not zero", a store writes 0 or 1.
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
}

def Tile_DescriptorType : Tile_Type<"Descriptor", "desc"> {
  let summary = "tensor descriptor: base, shape, strides and a block shape";
  let description = [{
    `block` is the tensor type that one load gives. The described tensor has
    the same rank; its shape and strides are run-time values.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$block);
  let assemblyFormat = "`<` $block `>`";
  let genVerifyDecl = 1;
}

#endif // TILEWRIGHT_DIALECTS_TILE_TILEDIALECT
