//===- SimtDialect.td - Tensors spread over threads --------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, its layout attribute and its types.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTDIALECT
#define TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTDIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Simt_Dialect : Dialect {
  let name = "simt";
  let cppNamespace = "::tilewright::simt";
  let summary = "One program as a block of threads";
  let description = [{
    Kernel IR whose tensors carry a layout as encoding: which element each
    register of each thread holds. Elementwise operations take and give tensors
    of one layout; `simt.convert_layout` moves elements between threads. Shared
    memory is a `!simt.memdesc` with a layout of its own; asynchronous work
    returns a `!simt.token`.
  }];
  let dependentDialects = ["::tilewright::kernel::KernelDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Simt_Attr<string name, string attrMnemonic> : AttrDef<Simt_Dialect, name> {
  let mnemonic = attrMnemonic;
}
class Simt_Type<string name, string typeMnemonic> : TypeDef<Simt_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Simt_LayoutAttr : Simt_Attr<"Layout", "layout"> {
  let summary = "which element a register of a thread holds";
  let description = [{
    A linear map over GF(2), as LinearLayout prints it. Inputs are warp, lane and
    register for tensors, offset (in elements) for shared memory; outputs are the
    tensor's dimensions, padded to powers of two.
    Example: `#simt.layout<warp=[[2, 0]], lane=[[1, 0]], register=[[0, 1]] -> dim0=4, dim1=2>`
  }];
  let parameters = (ins ArrayRefParameter<"unsigned">:$inputBits,
                        ArrayRefParameter<"unsigned">:$dimensionBits,
                        ArrayRefParameter<"uint64_t">:$columns);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Of a map with inputs warp, lane, register or offset alone.
    static LayoutAttr get(::mlir::MLIRContext *context,
                          const ::tilewright::simt::LinearLayout &layout);
    ::tilewright::simt::LinearLayout getLayout() const;
    bool isShared() const { return getInputBits().size() == 1; }
  }];
}

def Simt_MemDescType : Simt_Type<"MemDesc", "memdesc"> {
  let summary = "buffers of one shape in shared memory";
  let description = [{
    `buffers` buffers of `shape`, each laid out by `layout` (offset to
    dimensions, swizzles included).
    Example: `!simt.memdesc<3 x [64, 32], f16, #simt.layout<...>>`
  }];
  let parameters = (ins "int64_t":$buffers, ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "LayoutAttr":$layout);
  let assemblyFormat = "`<` $buffers `x` `[` $shape `]` `,` $elementType `,` $layout `>`";
}

def Simt_TokenType : Simt_Type<"Token", "token"> {
  let summary = "asynchronous work that was started";
}

def Simt_MBarrierType : Simt_Type<"MBarrier", "mbarrier"> {
  let summary = "barrier objects with phases, in shared memory";
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
}

#endif // TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTDIALECT
