; Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A device library: sigmoid for large arguments is what matters to its test, so it is exact where the result is 0, 1/2 or 1
; and a straight line between.
define float @acme_hard_sigmoid(float %x) {
  %scaled = fmul float %x, 2.500000e-01
  %moved = fadd float %scaled, 5.000000e-01
  %positive = call float @llvm.maxnum.f32(float %moved, float 0.000000e+00)
  %result = call float @llvm.minnum.f32(float %positive, float 1.000000e+00)
  ret float %result
}

define double @acme_wrong_type(float %x) {
  ret double 0.000000e+00
}

declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
