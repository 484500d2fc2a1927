//===- MappingText.h - The mapping to threads as text -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders the JSON of stage "layout" and of tw_compiler_fits for a terminal.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_MAPPINGTEXT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_MAPPINGTEXT_H

#include <string>

namespace tilewright::tool {

/// `json` is the text of stage "layout".
std::string renderMapping(const std::string &json);
/// `json` is what tw_compiler_fits wrote.
std::string renderFit(const std::string &json);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_MAPPINGTEXT_H
