//===- Machine.cpp - The simulated accelerator ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Payloads, the text of instructions, and the table of functions.
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include "tilewright/portable.h"

#include <cstring>
#include <map>
#include <type_traits>

namespace tilewright::npu {

//===--- Functions --------------------------------------------------------===//

/// What the vector unit computes, with its cost.
static const std::map<uint32_t, uint64_t> &functions() {
  static const std::map<uint32_t, uint64_t> rows = [] {
    std::map<uint32_t, uint64_t> table;
    for (uint32_t cheap :
         {TW_PORTABLE_OP_ARITH_ADDF,     TW_PORTABLE_OP_ARITH_ADDI,
          TW_PORTABLE_OP_ARITH_ANDI,     TW_PORTABLE_OP_ARITH_BITCAST,
          TW_PORTABLE_OP_ARITH_CMPF,     TW_PORTABLE_OP_ARITH_CMPI,
          TW_PORTABLE_OP_ARITH_EXTF,     TW_PORTABLE_OP_ARITH_EXTSI,
          TW_PORTABLE_OP_ARITH_EXTUI,    TW_PORTABLE_OP_ARITH_FPTOSI,
          TW_PORTABLE_OP_ARITH_FPTOUI,   TW_PORTABLE_OP_ARITH_MAXIMUMF,
          TW_PORTABLE_OP_ARITH_MAXNUMF,  TW_PORTABLE_OP_ARITH_MAXSI,
          TW_PORTABLE_OP_ARITH_MAXUI,    TW_PORTABLE_OP_ARITH_MINIMUMF,
          TW_PORTABLE_OP_ARITH_MINNUMF,  TW_PORTABLE_OP_ARITH_MINSI,
          TW_PORTABLE_OP_ARITH_MINUI,    TW_PORTABLE_OP_ARITH_MULF,
          TW_PORTABLE_OP_ARITH_MULI,     TW_PORTABLE_OP_ARITH_NEGF,
          TW_PORTABLE_OP_ARITH_ORI,      TW_PORTABLE_OP_ARITH_SELECT,
          TW_PORTABLE_OP_ARITH_SHLI,     TW_PORTABLE_OP_ARITH_SHRSI,
          TW_PORTABLE_OP_ARITH_SHRUI,    TW_PORTABLE_OP_ARITH_SITOFP,
          TW_PORTABLE_OP_ARITH_SUBF,     TW_PORTABLE_OP_ARITH_SUBI,
          TW_PORTABLE_OP_ARITH_TRUNCF,   TW_PORTABLE_OP_ARITH_TRUNCI,
          TW_PORTABLE_OP_ARITH_UITOFP,   TW_PORTABLE_OP_ARITH_XORI,
          TW_PORTABLE_OP_MATH_ABSF,      TW_PORTABLE_OP_MATH_ABSI,
          TW_PORTABLE_OP_MATH_CEIL,      TW_PORTABLE_OP_MATH_FLOOR,
          TW_PORTABLE_OP_MATH_FMA,       TW_PORTABLE_OP_KERNEL_ADDPTR,
          TW_PORTABLE_OP_KERNEL_PTR_CAST})
      table[cheap] = 1;
    for (uint32_t dear :
         {TW_PORTABLE_OP_ARITH_DIVF, TW_PORTABLE_OP_ARITH_DIVSI,
          TW_PORTABLE_OP_ARITH_DIVUI, TW_PORTABLE_OP_ARITH_REMSI,
          TW_PORTABLE_OP_ARITH_REMUI, TW_PORTABLE_OP_MATH_SQRT,
          TW_PORTABLE_OP_MATH_RSQRT, TW_PORTABLE_OP_MATH_EXP,
          TW_PORTABLE_OP_MATH_EXP2, TW_PORTABLE_OP_MATH_LOG,
          TW_PORTABLE_OP_MATH_LOG2, TW_PORTABLE_OP_MATH_TANH,
          TW_PORTABLE_OP_MATH_ERF, TW_PORTABLE_OP_MATH_SIN,
          TW_PORTABLE_OP_MATH_COS, TW_PORTABLE_OP_KERNEL_MULHI})
      table[dear] = 4;
    return table;
  }();
  return rows;
}

bool hasFunction(uint32_t function) { return functions().count(function) != 0; }

uint64_t functionCost(uint32_t function) { return functions().at(function); }

bool hasType(uint32_t dtype) {
  return (dtype >= TW_DTYPE_I1 && dtype <= TW_DTYPE_I64) ||
         (dtype >= TW_DTYPE_F16 && dtype <= TW_DTYPE_F32);
}

//===--- Payloads ---------------------------------------------------------===//

static constexpr char kMark[8] = {'T', 'W', 'N', 'P', 'U', 0, 0, 1};

static uint64_t checksumOf(const char *bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3ull;
  return hash;
}

/// The parts of what a payload holds; T is const for a writer.
template <typename Archive, typename T>
static void visit(Archive &archive, T &item) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, Failure>) {
    archive(item.code);
    archive(item.line);
    archive(item.file);
    archive(item.message);
  } else if constexpr (std::is_same_v<std::remove_const_t<T>, Program>) {
    archive(item.symbol);
    archive(item.scratchBytes);
    archive(item.registers);
    archive(item.reportsCycles);
    archive.list(item.words);
    archive.list(item.failures);
  } else {
    archive(item);
  }
}

namespace {
/// Writes what `visit` shows it.
struct Writer {
  std::string bytes;

  void operator()(uint32_t number) {
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  void operator()(const std::string &text) {
    (*this)(uint32_t(text.size()));
    bytes += text;
  }
  template <typename T> void list(const std::vector<T> &items) {
    (*this)(uint32_t(items.size()));
    for (const T &item : items)
      visit(*this, item);
  }
};

/// Reads it back; after a fault everything is empty.
struct Reader {
  const char *at, *end;
  bool isGood = true;

  void operator()(uint32_t &number) {
    number = 0;
    isGood = isGood && size_t(end - at) >= sizeof number;
    if (!isGood)
      return;
    std::memcpy(&number, at, sizeof number);
    at += sizeof number;
  }
  void operator()(std::string &text) {
    uint32_t size;
    (*this)(size);
    isGood = isGood && size <= size_t(end - at);
    if (!isGood)
      return;
    text.assign(at, size);
    at += size;
  }
  template <typename T> void list(std::vector<T> &items) {
    uint32_t count;
    (*this)(count);
    isGood = isGood && count <= size_t(end - at); // each takes a byte or more
    for (uint32_t i = 0; i < count && isGood; ++i) {
      items.emplace_back();
      visit(*this, items.back());
    }
  }
};
} // namespace

std::string writePayload(const std::vector<Program> &programs) {
  Writer writer;
  writer.list(programs);
  uint64_t checksum = checksumOf(writer.bytes.data(), writer.bytes.size());
  return std::string(kMark, sizeof kMark) +
         std::string(reinterpret_cast<const char *>(&checksum),
                     sizeof checksum) +
         writer.bytes;
}

bool readPayload(tw_bytes bytes, std::vector<Program> &programs) {
  constexpr size_t head = sizeof kMark + sizeof(uint64_t);
  auto *data = static_cast<const char *>(bytes.data);
  if (bytes.size < head || std::memcmp(data, kMark, sizeof kMark) != 0)
    return false;
  uint64_t checksum;
  std::memcpy(&checksum, data + sizeof kMark, sizeof checksum);
  if (checksum != checksumOf(data + head, bytes.size - head))
    return false;
  Reader reader{data + head, data + bytes.size};
  reader.list(programs);
  return reader.isGood && reader.at == reader.end;
}

//===--- Text -------------------------------------------------------------===//

static std::string operandText(uint32_t word) {
  return word & kRegister ? "r" + std::to_string(word & ~kRegister)
                          : std::to_string(word);
}

std::string disassemble(const Program &program) {
  static const char *const names[] = {
      "halt", "set",          "argument", "program", "programs", "compute",
      "iota", "copy",         "reduce",   "load",    "store",    "matrix",
      "jump", "jump_if_zero", "sync",     "fail"};
  std::string text = program.symbol + ": " +
                     std::to_string(program.scratchBytes) +
                     " bytes of scratchpad, " +
                     std::to_string(program.registers) + " registers\n";
  const tw_portable_schema &schema = *tw_portable_builtin_schema();
  for (size_t at = 0; at < program.words.size();) {
    uint32_t first = program.words[at], opcode = first & 255;
    text += std::to_string(at) + ": " + names[opcode];
    for (size_t i = at + 1; i < at + (first >> 8); ++i) {
      uint32_t word = program.words[i];
      bool isFunction = i == at + 1 && (opcode == Compute || opcode == Reduce);
      text +=
          " " + (isFunction ? schema.ops[word & 255].name : operandText(word));
    }
    text += "\n";
    at += first >> 8;
  }
  return text;
}

} // namespace tilewright::npu
