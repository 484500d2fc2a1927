// What the kernel types can point at and view.
// RUN: tw-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{expected a pointee of i1 to i64 or a float, got 'index'}}
func.func @pointer_to_index(%p: !kernel.ptr<index>) { return }

// -----

// expected-error@+1 {{expected a pointee of i1 to i64 or a float, got '!kernel.ptr<f32>'}}
func.func @pointer_to_pointer(%p: !kernel.ptr<!kernel.ptr<f32>>) { return }

// -----

// expected-error@+1 {{expected elements of i1 to i64 or a float, got 'f80'}}
func.func @view_of_f80(%v: !kernel.view<1, f80>) { return }
