//===- KernelEnums.td - Vocabulary of memory and matrix ops -*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations that the tile dialect and Kernel IR share, so that both spell
// them alike.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_KERNELENUMS
#define TILEWRIGHT_DIALECTS_KERNEL_KERNELENUMS

include "dialects/kernel/KernelDialect.td"
include "mlir/IR/EnumAttr.td"

class Kernel_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::tilewright::kernel";
}
class Kernel_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Kernel_Dialect, info, mnemonic>;

def Kernel_AtomicKind : Kernel_Enum<"AtomicKind", "read-modify-write operation", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"FAdd", 1, "fadd">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"UMin", 5, "umin">,
  I32EnumAttrCase<"FMax", 6, "fmax">, I32EnumAttrCase<"FMin", 7, "fmin">,
  I32EnumAttrCase<"And", 8, "and">, I32EnumAttrCase<"Or", 9, "or">,
  I32EnumAttrCase<"Xor", 10, "xor">, I32EnumAttrCase<"Xchg", 11, "xchg">]>;
def Kernel_AtomicKindAttr : Kernel_EnumAttr<Kernel_AtomicKind, "atomic_kind">;

def Kernel_MemorySemantics : Kernel_Enum<"MemorySemantics", "memory order", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">,
  I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">,
  I32EnumAttrCase<"AcquireRelease", 3, "acq_rel">]>;
def Kernel_MemorySemanticsAttr
    : Kernel_EnumAttr<Kernel_MemorySemantics, "semantics">;

def Kernel_MemoryScope : Kernel_Enum<"MemoryScope", "who sees the order", [
  I32EnumAttrCase<"Block", 0, "cta">, I32EnumAttrCase<"Device", 1, "gpu">,
  I32EnumAttrCase<"System", 2, "sys">]>;
def Kernel_MemoryScopeAttr : Kernel_EnumAttr<Kernel_MemoryScope, "scope">;

def Kernel_CacheHint : Kernel_Enum<"CacheHint", "cache modifier", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"CA", 1, "ca">,
  I32EnumAttrCase<"CG", 2, "cg">, I32EnumAttrCase<"CV", 3, "cv">,
  I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"CS", 5, "cs">,
  I32EnumAttrCase<"WT", 6, "wt">]>;
def Kernel_CacheHintAttr : Kernel_EnumAttr<Kernel_CacheHint, "cache">;

def Kernel_EvictionHint : Kernel_Enum<"EvictionHint", "eviction policy", [
  I32EnumAttrCase<"Normal", 0, "normal">,
  I32EnumAttrCase<"EvictFirst", 1, "evict_first">,
  I32EnumAttrCase<"EvictLast", 2, "evict_last">]>;
def Kernel_EvictionHintAttr : Kernel_EnumAttr<Kernel_EvictionHint, "evict">;

def Kernel_DotPrecision : Kernel_Enum<"DotPrecision", "fp32 dot precision", [
  I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">,
  I32EnumAttrCase<"TF32x3", 2, "tf32x3">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
  I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;
def Kernel_DotPrecisionAttr : Kernel_EnumAttr<Kernel_DotPrecision, "precision">;

def Kernel_Padding : Kernel_Enum<"Padding", "value of out-of-bounds elements", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NaN", 1, "nan">]>;
def Kernel_PaddingAttr : Kernel_EnumAttr<Kernel_Padding, "padding">;

def Kernel_BoundaryMode : Kernel_Enum<"BoundaryMode", "what guards one dimension of an access", [
  I32EnumAttrCase<"Checked", 0, "checked">,
  I32EnumAttrCase<"Unchecked", 1, "unchecked">,
  I32EnumAttrCase<"Wrap", 2, "wrap">]>;

def Kernel_ReduceOrder : Kernel_Enum<"ReduceOrder", "order of combination", [
  I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"Stated", 1, "stated">]>;
def Kernel_ReduceOrderAttr : Kernel_EnumAttr<Kernel_ReduceOrder, "order">;

#endif // TILEWRIGHT_DIALECTS_KERNEL_KERNELENUMS
