/*===- FakeDriver.c - A library by the name of a driver -----------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* What a plugin must not be linked against.                                  */
/*===----------------------------------------------------------------------===*/
int fake_driver(void) { return 0; }
