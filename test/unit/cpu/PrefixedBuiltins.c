/*===- PrefixedBuiltins.c - The builtins under names of their own -*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* So that tests can call them beside the C library's.                        */
/*===----------------------------------------------------------------------===*/
#define memcpy builtin_memcpy
#define memmove builtin_memmove
#define memset builtin_memset
#define memcmp builtin_memcmp
#define trunc builtin_trunc
#define floor builtin_floor
#define ceil builtin_ceil
#define round builtin_round
#define roundeven builtin_roundeven
#define rint builtin_rint
#define nearbyint builtin_nearbyint
#define truncf builtin_truncf
#define floorf builtin_floorf
#define ceilf builtin_ceilf
#define roundf builtin_roundf
#define roundevenf builtin_roundevenf
#define rintf builtin_rintf
#define nearbyintf builtin_nearbyintf
#define fmod builtin_fmod
#define fmodf builtin_fmodf
#define fma builtin_fma
#define fmaf builtin_fmaf
#define __truncdfhf2 builtin_truncdfhf2
#define __truncsfhf2 builtin_truncsfhf2
#define __extendhfsf2 builtin_extendhfsf2
#define __truncdfbf2 builtin_truncdfbf2
#define __truncsfbf2 builtin_truncsfbf2
#include "backends/cpu/builtins/Builtins.c"
