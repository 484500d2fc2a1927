//===- KernelDialect.td - Kernel IR: the contract ----------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, pointer and view types of Kernel IR, which is what plugins get.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_KERNELDIALECT
#define TILEWRIGHT_DIALECTS_KERNEL_KERNELDIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::tilewright::kernel";
  let summary = "Memory, reductions and escapes of Kernel IR";
  let description = [{
    Kernel IR is what crosses to a backend: `func.func` kernels (unit attribute
    `tw.kernel`) on tensors of static shape. Elementwise arithmetic is
    `arith`/`math` on tensors of equal shape; `linalg.matmul`,
    `linalg.batch_matmul`, `linalg.reduce` (one-op body), `linalg.broadcast`,
    `linalg.transpose`, `linalg.fill`, `tensor.splat`, `tensor.expand_shape`,
    `tensor.collapse_shape`, `tensor.extract_slice` and `tensor.empty` keep their
    upstream meaning; control flow is `scf.for/if/while`; everything else is in
    this dialect. `VerifyKernelIR` defines what is legal, a backend may trust it.

    Integer arithmetic is total: `x / 0 = -1`, `x % 0 = x`,
    `INT_MIN / -1 = INT_MIN`, shifts by the width or more give 0 or the sign,
    float-to-int conversion saturates and maps NaN to 0.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Kernel_Type<string name, string typeMnemonic>
    : TypeDef<Kernel_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Kernel_PointerType : Kernel_Type<"Pointer", "ptr"> {
  let summary = "address of elements in global memory";
  let description = [{
    The pointee is an integer or a float. `i1` occupies one byte: a load gives
    "byte is not zero", a store writes 0 or 1.
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
}

def Kernel_ViewType : Kernel_Type<"View", "view"> {
  let summary = "strided array in global memory";
  let description = [{
    A base address with a size and a stride (in elements, signed) for each of
    `rank` dimensions. Rank 0 is one element.
  }];
  let parameters = (ins "unsigned":$rank, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $rank `,` $elementType `>`";
  let genVerifyDecl = 1;
}

#endif // TILEWRIGHT_DIALECTS_KERNEL_KERNELDIALECT
