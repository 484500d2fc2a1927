//===- KernelOps.td - Operations of Kernel IR --------------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation states its constraints C1..Cn and its decomposition; the
// verifier cites the number and test/dialects/kernel covers each.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_KERNELOPS
#define TILEWRIGHT_DIALECTS_KERNEL_KERNELOPS

include "dialects/kernel/KernelEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

defvar Kernel_Any = AnyType;
defvar Kernel_Tensor = AnyStaticShapeTensor;
def Kernel_IntLike : TypeOrValueSemanticsContainer<AnySignlessInteger, "signless-integer-like">;
def Kernel_MaskLike : TypeOrValueSemanticsContainer<I1, "i1-like">;
def Kernel_Ptr : Type<CPred<"::mlir::isa<::tilewright::kernel::PointerType>($_self)">,
                      "kernel pointer", "::tilewright::kernel::PointerType">;
def Kernel_PtrLike : Type<CPred<
    "::mlir::isa<::tilewright::kernel::PointerType>(::mlir::getElementTypeOrSelf($_self))">,
    "kernel pointer or tensor of them">;
def Kernel_View : Type<CPred<"::mlir::isa<::tilewright::kernel::ViewType>($_self)">,
                       "kernel view", "::tilewright::kernel::ViewType">;

include "dialects/kernel/KernelMemoryOps.td"
include "dialects/kernel/KernelComputeOps.td"

#endif // TILEWRIGHT_DIALECTS_KERNEL_KERNELOPS
