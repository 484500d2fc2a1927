//===- Api.h - OpenCL's functions, found at run time ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader library (libOpenCL.so.1) is opened when a device is first asked
// for, so that plugins load on machines without it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_OPENCL_API_H
#define TILEWRIGHT_BACKENDS_SPIRV_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>

namespace tilewright::opencl {

struct Api {
#define TW_CL_REQUIRED(name) decltype(&::name) name = nullptr;
#define TW_CL_OPTIONAL(name) decltype(&::name) name = nullptr;
#include "backends/spirv/opencl/Functions.def"
};

/// The functions of this process's loader, or nullptr with the reason in `why`.
/// The library stays open.
const Api *openApi(std::string &why);

/// The name of an OpenCL status, "CL_INVALID_BINARY", or its number.
std::string statusName(cl_int status);

} // namespace tilewright::opencl

#endif // TILEWRIGHT_BACKENDS_SPIRV_OPENCL_API_H
