// What the tile types can point at and describe.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{expected a pointee of i1 to i64, a float or a pointer, got 'i24'}}
func.func @pointer_width(%p: !tile.ptr<i24>) { return }

// -----

// expected-error@+1 {{expected a pointee of i1 to i64, a float or a pointer, got 'tensor<4xf32>'}}
func.func @pointer_to_tensor(%p: !tile.ptr<tensor<4xf32>>) { return }

// -----

// expected-error@+1 {{expected a block of static shape, got 'tensor<?xf32>'}}
func.func @dynamic_block(%d: !tile.desc<tensor<?xf32>>) { return }
