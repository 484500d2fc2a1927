//===- Header.cpp - A bundle as a C header ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function's own names start with `tilewright_`.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/bundle/Header.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdio>

namespace tilewright::tool {

using llvm::StringRef;

/// Keywords of C23 and C++26 that Python allows as names, then what the
/// included headers, compilers and <errno.h> define.
static constexpr StringRef kTaken[] = {"alignas",
                                       "alignof",
                                       "and_eq",
                                       "asm",
                                       "auto",
                                       "bitand",
                                       "bitor",
                                       "bool",
                                       "case",
                                       "catch",
                                       "char",
                                       "char16_t",
                                       "char32_t",
                                       "char8_t",
                                       "co_await",
                                       "co_return",
                                       "co_yield",
                                       "compl",
                                       "concept",
                                       "const",
                                       "const_cast",
                                       "consteval",
                                       "constexpr",
                                       "constinit",
                                       "contract_assert",
                                       "decltype",
                                       "default",
                                       "delete",
                                       "do",
                                       "double",
                                       "dynamic_cast",
                                       "enum",
                                       "explicit",
                                       "export",
                                       "extern",
                                       "false",
                                       "float",
                                       "friend",
                                       "goto",
                                       "inline",
                                       "int",
                                       "long",
                                       "mutable",
                                       "namespace",
                                       "new",
                                       "noexcept",
                                       "not_eq",
                                       "nullptr",
                                       "operator",
                                       "or_eq",
                                       "private",
                                       "protected",
                                       "public",
                                       "register",
                                       "reinterpret_cast",
                                       "requires",
                                       "restrict",
                                       "short",
                                       "signed",
                                       "sizeof",
                                       "static",
                                       "static_assert",
                                       "static_cast",
                                       "struct",
                                       "switch",
                                       "template",
                                       "this",
                                       "thread_local",
                                       "throw",
                                       "true",
                                       "typedef",
                                       "typeid",
                                       "typename",
                                       "typeof",
                                       "typeof_unqual",
                                       "union",
                                       "unsigned",
                                       "using",
                                       "virtual",
                                       "void",
                                       "volatile",
                                       "wchar_t",
                                       "xor",
                                       "xor_eq",
                                       "EOF",
                                       "I",
                                       "NULL",
                                       "assert",
                                       "complex",
                                       "errno",
                                       "i386",
                                       "int32_t",
                                       "int64_t",
                                       "linux",
                                       "memset",
                                       "offsetof",
                                       "stderr",
                                       "stdin",
                                       "stdout",
                                       "uint64_t",
                                       "unix"};

/// Starts of names that the header or implementations of C use.
static bool hasTakenStart(StringRef name) {
  return name.starts_with("tw_") || name.starts_with("TW_") ||
         name.starts_with("tilewright_") || name.starts_with("TILEWRIGHT_") ||
         name.starts_with("__") ||
         (name.size() > 1 && name[0] == '_' && llvm::isUpper(name[1]));
}

static bool isTaken(StringRef name, StringRef kernel) {
  return llvm::is_contained(kTaken, name) || hasTakenStart(name) ||
         (name.consume_front(kernel) &&
          (name == "_twb" || name == "_twb_size" || name == "_launch"));
}

/// The names of the function's parameters, all different.
static std::vector<std::string> parameterNames(const HeaderContent &content) {
  std::vector<std::string> names;
  for (const RuntimeArgument &argument : content.arguments)
    names.push_back(argument.name);
  for (std::string &name : names) {
    if (!isTaken(name, content.kernel))
      continue;
    std::string other = hasTakenStart(name) ? "arg_" + name : name;
    do
      other += "_";
    while (llvm::is_contained(names, other) || isTaken(other, content.kernel));
    name = other;
  }
  return names;
}

/// `static const unsigned char KERNEL_twb[]` and its size.
static std::string renderBytes(const std::string &kernel,
                               const std::string &bytes) {
  std::string text = "static const unsigned char " + kernel + "_twb[] = {";
  char digits[8];
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::snprintf(digits, sizeof digits, "%s%u,", i % 20 ? "" : "\n",
                  static_cast<unsigned char>(bytes[i]));
    text += digits;
  }
  return text + "\n};\nstatic const uint64_t " + kernel +
         "_twb_size = sizeof " + kernel + "_twb;\n";
}

static std::string renderLaunch(const HeaderContent &content) {
  std::vector<std::string> names = parameterNames(content);
  std::string parameters, fill;
  for (size_t i = 0; i < names.size(); ++i) {
    const RuntimeArgument &argument = content.arguments[i];
    bool isFloat = StringRef(argument.dtype).starts_with("fp") ||
                   StringRef(argument.dtype).starts_with("bf");
    const char *type = argument.isPointer ? "const tw_rt_buffer *"
                       : isFloat          ? "double "
                                          : "int64_t ";
    const char *field = argument.isPointer ? "buffer"
                        : isFloat          ? "number"
                                           : "integer";
    const char *kind = argument.isPointer ? "BUFFER"
                       : isFloat          ? "FLOAT"
                                          : "INT";
    std::string value = "tilewright_values[" + std::to_string(i) + "].";
    parameters += std::string(",\n    ") + type + names[i];
    fill += "  " + value + "kind = TW_RT_VALUE_" + kind + ";\n  " + value +
            field + " = " + names[i] + "; /* " + argument.name + ": " +
            (argument.isPointer ? "*" : "") + argument.dtype + " */\n";
  }
  std::string count = std::to_string(names.size());
  return "\n/* Launches `tilewright_kernel`, which tw_rt_bundle_find gave. */\n"
         "static inline int32_t " +
         content.kernel +
         "_launch(tw_rt_stream *tilewright_stream,\n"
         "    const tw_rt_dispatch *tilewright_kernel" +
         parameters + ") {\n  tw_rt_value tilewright_values[" + count +
         " + 1];\n  memset(tilewright_values, 0, sizeof tilewright_values);\n" +
         fill +
         "  return tw_rt_dispatch_launch(tilewright_stream, "
         "tilewright_kernel,\n                               "
         "tilewright_values, " +
         count + ", NULL);\n}\n";
}

std::string renderHeader(const HeaderContent &content,
                         const std::string &bytes) {
  std::string guard = "TILEWRIGHT_BUNDLE_" + content.kernel;
  return "/* Made by `tilewright bundle`. Variants, in the order in "
         "which they are tried:\n" +
         content.variants + "*/\n#ifndef " + guard + "\n#define " + guard +
         "\n\n#include \"tilewright/runtime.h\"\n\n" +
         renderBytes(content.kernel, bytes) + renderLaunch(content) +
         "\n#endif\n";
}

} // namespace tilewright::tool
