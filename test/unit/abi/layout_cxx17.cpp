/*===- layout_cxx17.cpp - The interfaces compiled as C++17 -----*- C++ -*--===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* It compiles or it does not; nothing runs.                                  */
/*===----------------------------------------------------------------------===*/
#include "test/unit/abi/layout.h"
