// RUN: tw-opt %s --tile-convert-to-kernel --split-input-file -verify-diagnostics

// expected-error @+1 {{TW3001: expected a pointer, shape and strides, got a tensor descriptor as kernel argument}}
func.func @descriptor_argument(%d: !tile.desc<tensor<16xf16>>) attributes {tw.kernel} {
  return
}
