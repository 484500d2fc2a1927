/*===- undefined.c - A library that calls what nobody has ---------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Linked with lazy binding: it would open, and fail when it is called.       */
/*===----------------------------------------------------------------------===*/
int functionOfNobody(void);
int tw_backend_entry(void);
int tw_backend_entry(void) { return functionOfNobody(); }
