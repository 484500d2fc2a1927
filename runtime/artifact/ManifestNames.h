//===- ManifestNames.h - Words of the manifest ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables between the numbers of record.h and the words in a manifest.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_ARTIFACT_MANIFESTNAMES_H
#define TILEWRIGHT_RUNTIME_ARTIFACT_MANIFESTNAMES_H

#include "tilewright/record.h"

#include <cstdint>

namespace tilewright::artifact {

struct Word {
  uint32_t number;
  const char *text;
};

inline constexpr Word dtypeWords[] = {
    {TW_DTYPE_NONE, "none"},       {TW_DTYPE_I1, "i1"},
    {TW_DTYPE_I8, "i8"},           {TW_DTYPE_I16, "i16"},
    {TW_DTYPE_I32, "i32"},         {TW_DTYPE_I64, "i64"},
    {TW_DTYPE_U8, "u8"},           {TW_DTYPE_U16, "u16"},
    {TW_DTYPE_U32, "u32"},         {TW_DTYPE_U64, "u64"},
    {TW_DTYPE_F16, "fp16"},        {TW_DTYPE_BF16, "bf16"},
    {TW_DTYPE_F32, "fp32"},        {TW_DTYPE_F64, "fp64"},
    {TW_DTYPE_F8E4NV, "fp8e4nv"},  {TW_DTYPE_F8E5, "fp8e5"},
    {TW_DTYPE_F8E4B8, "fp8e4b8"},  {TW_DTYPE_F8E5B16, "fp8e5b16"},
    {TW_DTYPE_F8E4B15, "fp8e4b15"}};

inline constexpr Word parameterWords[] = {
    {TW_PARAMETER_USER_SCALAR, "scalar"},
    {TW_PARAMETER_USER_POINTER, "pointer"},
    {TW_PARAMETER_HIDDEN_GRID, "grid"},
    {TW_PARAMETER_HIDDEN_SCRATCH, "scratch"},
    {TW_PARAMETER_HIDDEN_FIRST, "first"},
    {TW_PARAMETER_DERIVED, "derived"}};

/// Whether a kind of parameter belongs to an axis of the grid.
inline bool hasAxis(uint32_t kind) {
  return kind == TW_PARAMETER_HIDDEN_GRID || kind == TW_PARAMETER_HIDDEN_FIRST;
}

inline constexpr Word factWords[] = {{TW_FACT_DIVISIBLE, "divisible"},
                                     {TW_FACT_VALUE, "value"},
                                     {TW_FACT_RANGE, "range"},
                                     {TW_FACT_READONLY, "readonly"},
                                     {TW_FACT_DISJOINT, "disjoint"}};

inline constexpr Word derivedWords[] = {{TW_DERIVED_SCALAR, "scalar"},
                                        {TW_DERIVED_TENSOR_MAP, "tensor_map"}};

inline constexpr Word flagWords[] = {
    {TW_KERNEL_NEEDS_PROGRESS, "needs_progress"},
    {TW_KERNEL_COOPERATIVE, "cooperative"},
    {TW_KERNEL_SCRATCH_ZEROED, "scratch_zeroed"},
    {TW_KERNEL_SCRATCH_LAUNCH, "scratch_launch"},
    {TW_KERNEL_STRIDED, "strided"}};

template <size_t N>
const char *wordOf(const Word (&words)[N], uint32_t number) {
  for (const Word &word : words)
    if (word.number == number)
      return word.text;
  return "unknown";
}

} // namespace tilewright::artifact

#endif // TILEWRIGHT_RUNTIME_ARTIFACT_MANIFESTNAMES_H
