//===- Library.h - The standard library's source ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of `tl` that are written in the kernel language itself. Their text
// is part of the binary and is parsed when a kernel first uses one.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_LIBRARY_LIBRARY_H
#define TILEWRIGHT_FRONTEND_LIBRARY_LIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::sema {

/// The file that defines a public library function, or "".
llvm::StringRef libraryFileOf(llvm::StringRef name);
/// The same for functions that only libdevice has.
llvm::StringRef deviceFileOf(llvm::StringRef name);
/// The text of a library file.
std::string_view librarySource(llvm::StringRef file);
/// The public functions of tl, or of libdevice.
std::vector<std::string> libraryNames(bool isDevice);
/// Whether a function may be called as `x.name(...)` on a tensor.
bool isLibraryMethod(llvm::StringRef name);
/// The dialect beside the language that a module belongs to, with what the
/// language has instead.
std::optional<std::pair<llvm::StringRef, llvm::StringRef>>
outsideDialectOf(llvm::StringRef module);
/// What to use instead of a name that is not part of the language, or "".
llvm::StringRef alternativeFor(llvm::StringRef name);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_LIBRARY_LIBRARY_H
