//===- Respell.cpp - PTX that assemblers translate rightly ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On text: LLVM has many ways to arrive at an instruction, and all of them end
// here. The machine code is as long as before where the bug does not strike.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Respell.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilewright::nvidia {

//===--- Negation of 16 bits ----------------------------------------------===//

namespace {
/// How an instruction is written instead: `$0` is its destination, `$1` all of
/// its sources.
struct Spelling {
  StringRef opcode, instead;
};
} // namespace

static constexpr Spelling kSpellings[] = {
    {"sub.s16", "sub.u16 \t$0, $1;"},
    {"neg.s16", "sub.u16 \t$0, 0, $1;"},
    {"abs.s16", "{ .reg .b32 %wide; cvt.s32.s16 %wide, $1; abs.s32 %wide, "
                "%wide; cvt.u16.u32 $0, %wide; }"},
};

static std::string spelled(StringRef text, StringRef destination,
                           StringRef sources) {
  std::string out;
  for (size_t dollar; (dollar = text.find('$')) != StringRef::npos;) {
    out += text.take_front(dollar);
    out += text[dollar + 1] == '0' ? destination : sources;
    text = text.drop_front(dollar + 2);
  }
  return out + text.str();
}

//===--- Stores of low bits -----------------------------------------------===//

/// Bits of a register by its name: %rs1, %r1, %rd1; 0 for others.
static unsigned registerBits(StringRef name) {
  if (!name.consume_front("%r"))
    return 0;
  unsigned bits = name.consume_front("s")   ? 16
                  : name.consume_front("d") ? 64
                                            : 32;
  return !name.empty() && llvm::all_of(name, llvm::isDigit) ? bits : 0;
}

/// Cuts the registers of `values` ("%rd1" or "{%r1, %r2}") that are wider than
/// what is stored; empty if none is.
static std::string narrowed(StringRef opcode, StringRef address,
                            StringRef values, bool hasHalves) {
  unsigned bits = 0;
  if (opcode.rsplit(".b").second.getAsInteger(10, bits) || bits > 32)
    return "";
  std::string cuts, kept;
  unsigned count = 0;
  llvm::SmallVector<StringRef> names;
  values.trim("{}").split(names, ',');
  for (StringRef name : names) {
    name = name.trim();
    unsigned held = registerBits(name);
    kept += kept.empty() ? "" : ", ";
    bool isCut = held > bits && (held > 16 || hasHalves);
    if (!isCut) {
      kept += name;
      continue;
    }
    std::string own = "%n" + std::to_string(count++);
    std::string type = bits == 32 ? "32" : "16";
    cuts += ".reg .b" + type + " " + own + "; ";
    cuts += held == 16 ? "and.b16 " + own + ", " + name.str() + ", 255; "
                       : "cvt.u" + type + ".u" + std::to_string(held) + " " +
                             own + ", " + name.str() + "; ";
    kept += own;
  }
  if (cuts.empty())
    return "";
  if (values.starts_with("{"))
    kept = "{" + kept + "}";
  return "{ " + cuts + opcode.str() + " " + address.str() + ", " + kept + "; }";
}

//===--- Numbers of calls -------------------------------------------------===//

/// `{ // callseq 6, 0` without the number, which goes on through the life of a
/// process: equal requests have equal texts.
static StringRef withoutCallNumber(StringRef line) {
  StringRef body = line.ltrim();
  bool isOne = (body.consume_front("{") || body.consume_front("}")) &&
               body.starts_with(" // callseq ");
  return isOne ? line.drop_back(body.size()) : line;
}

//===--- Lines ------------------------------------------------------------===//

/// What stands for one instruction; empty if it stays.
static std::string respelledLine(StringRef line, bool hasHalves) {
  StringRef body = line.trim();
  StringRef opcode = body.take_until(llvm::isSpace);
  StringRef operands = body.drop_front(opcode.size()).trim();
  if (!operands.consume_back(";"))
    return "";
  if (opcode.starts_with("st.")) {
    auto [address, values] = operands.split("], ");
    return narrowed(opcode, (address + "]").str(), values.trim(), hasHalves);
  }
  const Spelling *found = llvm::find_if(
      kSpellings, [&](const Spelling &s) { return s.opcode == opcode; });
  if (found == std::end(kSpellings))
    return "";
  auto [destination, sources] = operands.split(',');
  return spelled(found->instead, destination.trim(), sources.trim());
}

std::string respelled(StringRef ptx) {
  // Registers of 16 bits hold floats only where there is arithmetic on them.
  bool hasHalves = ptx.contains("f16 ");
  std::string out;
  out.reserve(ptx.size());
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    bool hasEnd = line.size() < ptx.size();
    std::string instead = respelledLine(line, hasHalves);
    out += instead.empty() ? withoutCallNumber(line).str() : "\t" + instead;
    out += hasEnd ? "\n" : "";
    ptx = rest;
  }
  return out;
}

} // namespace tilewright::nvidia
