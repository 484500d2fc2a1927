/*===- no_entry.c - A shared library that is no plugin ------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Has a symbol, but not tw_backend_entry.                                    */
/*===----------------------------------------------------------------------===*/
int someOtherFunction(void);
int someOtherFunction(void) { return 1; }
