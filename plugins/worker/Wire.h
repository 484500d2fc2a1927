//===- Wire.h - ABI structs as bytes ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One description of each struct (visit) serves writing and reading. Both ends
// are of the same build and machine, so numbers cross as they lie in memory;
// the reader believes no count and no length.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_WIRE_H
#define TILEWRIGHT_PLUGINS_WORKER_WIRE_H

#include "tilewright/plugin.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tilewright::worker {

/// Appends what it visits to a text.
class Encoder {
public:
  explicit Encoder(std::string &out) : out(out) {}

  template <typename T> void number(T &value) {
    static_assert(std::is_arithmetic_v<T>);
    out.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void text(tw_str &value) { piece(value.data, value.size); }
  void blob(tw_bytes &value) { piece(value.data, value.size); }
  void string(std::string &value) { piece(value.data(), value.size()); }
  template <typename T> void array(const T *&data, uint64_t &count) {
    number(count);
    for (uint64_t i = 0; i < count; ++i)
      visit(*this, const_cast<T &>(data[i]));
  }
  template <typename T> void pointers(const T *const *&data, uint64_t &count) {
    number(count);
    for (uint64_t i = 0; i < count; ++i) {
      T known; // tables of an older plugin are shorter
      if (tw_read_struct(&known, sizeof known, data[i]) != TW_OK)
        known = {};
      visit(*this, known);
    }
  }
  /// A chain element, or its absence.
  template <typename T> void optional(const T *&data) {
    uint32_t exists = data != nullptr;
    number(exists);
    if (data)
      visit(*this, const_cast<T &>(*data));
  }

private:
  void piece(const void *data, uint64_t size) {
    size = data ? size : 0; // a plugin's message may be none
    out.append(reinterpret_cast<const char *>(&size), sizeof size);
    if (size)
      out.append(static_cast<const char *>(data), size);
  }
  std::string &out;
};

/// Reads what an Encoder wrote. Texts are views of the bytes, arrays live as
/// long as the decoder. After a mistake everything reads as zero and ok() says
/// so.
class Decoder {
public:
  explicit Decoder(std::string_view bytes) : rest(bytes) {}
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;

  bool ok() const { return isGood; }
  bool atEnd() const { return isGood && rest.empty(); }

  template <typename T> void number(T &value) {
    value = T();
    if (rest.size() < sizeof value)
      return fail();
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
  }
  void text(tw_str &value) {
    std::string_view view = piece();
    value = {view.data(), view.size()};
  }
  void blob(tw_bytes &value) {
    std::string_view view = piece();
    value = {view.data(), view.size()};
  }
  void string(std::string &value) { value = piece(); }
  template <typename T> void array(const T *&data, uint64_t &count) {
    T *elements = allocate<T>(count);
    for (uint64_t i = 0; i < count && isGood; ++i)
      visit(*this, elements[i]);
    data = elements;
  }
  template <typename T> void pointers(const T *const *&data, uint64_t &count) {
    const T *elements = nullptr;
    array(elements, count);
    uint64_t bytes = count * sizeof(T *);
    auto list = reinterpret_cast<const T **>(keep(bytes));
    for (uint64_t i = 0; i < count; ++i)
      list[i] = &elements[i];
    data = list;
  }
  template <typename T> void optional(const T *&data) {
    uint32_t exists = 0;
    number(exists);
    data = nullptr;
    // A chain is as deep as there are bytes, and the visit recurses.
    if (!exists || !isGood || ++depth > maxDepth)
      return exists ? fail() : void();
    T *element = reinterpret_cast<T *>(keep(sizeof(T)));
    visit(*this, *element);
    data = element;
    --depth;
  }

private:
  static constexpr unsigned maxDepth = 1000;

  void fail() {
    isGood = false;
    rest = {};
  }
  std::string_view piece() {
    uint64_t size = 0;
    number(size);
    if (size > rest.size()) {
      fail();
      return {};
    }
    std::string_view view = rest.substr(0, size);
    rest.remove_prefix(size);
    return view;
  }
  char *keep(uint64_t bytes) {
    // new[] of a class of 8-byte alignment, zeroed.
    memory.push_back(std::make_unique<uint64_t[]>(bytes / 8 + 1));
    return reinterpret_cast<char *>(memory.back().get());
  }
  /// Every element takes at least four bytes, which bounds the count.
  template <typename T> T *allocate(uint64_t &count) {
    static_assert(std::is_trivial_v<T>);
    number(count);
    if (count > rest.size() / 4) {
      fail();
      count = 0;
    }
    return reinterpret_cast<T *>(keep(count * sizeof(T)));
  }

  std::string_view rest;
  bool isGood = true;
  unsigned depth = 0;
  std::vector<std::unique_ptr<uint64_t[]>> memory;
};

//===--- The structs ------------------------------------------------------===//

template <typename Archive> void visit(Archive &archive, uint32_t &value) {
  archive.number(value);
}
template <typename Archive> void visit(Archive &archive, tw_str &value) {
  archive.text(value);
}
template <typename Archive> void visit(Archive &archive, tw_bytes &value) {
  archive.blob(value);
}

template <typename Archive> void visit(Archive &archive, tw_option &value) {
  archive.text(value.key);
  archive.number(value.kind);
  archive.number(value.flags);
  archive.number(value.integer);
  archive.number(value.number);
  archive.text(value.text);
}

template <typename Archive> void visit(Archive &archive, tw_location &value) {
  archive.text(value.file);
  archive.text(value.function);
  archive.number(value.line);
  archive.number(value.column);
  archive.number(value.end_line);
  archive.number(value.end_column);
  archive.optional(value.caller);
}

template <typename Archive> void visit(Archive &archive, tw_diagnostic &value) {
  value.size = sizeof value;
  archive.number(value.severity);
  archive.number(value.code);
  archive.text(value.message);
  archive.text(value.hint);
  archive.optional(value.location);
}

template <typename Archive> void visit(Archive &archive, tw_op_use &value) {
  archive.text(value.name);
  archive.number(value.version);
  archive.number(value.count);
}

template <typename Archive> void visit(Archive &archive, tw_library &value) {
  archive.text(value.format);
  archive.text(value.name);
  archive.blob(value.content);
}

template <typename Archive> void visit(Archive &archive, tw_stage_text &value) {
  archive.text(value.name);
  archive.text(value.text);
}

template <typename Archive> void visit(Archive &archive, tw_capability &value) {
  archive.number(value.id);
  archive.number(value.answer);
  archive.number(value.value);
  archive.text(value.text);
}

/// All but sink, cancel poll and extensions, which stay on their side.
template <typename Archive>
void visit(Archive &archive, tw_compile_request &value) {
  value.size = sizeof value;
  archive.number(value.flags);
  archive.text(value.ir_format);
  archive.number(value.ir_version);
  archive.blob(value.ir);
  archive.array(value.entries, value.entry_count);
  archive.array(value.ops, value.op_count);
  archive.text(value.target);
  archive.array(value.options, value.option_count);
  archive.array(value.libraries, value.library_count);
  archive.array(value.stages, value.stage_count);
  archive.number(value.memory_limit);
  archive.number(value.time_limit);
}

template <typename Archive> void visit(Archive &archive, tw_parameter &value) {
  archive.text(value.name);
  for (uint32_t *field :
       {&value.kind, &value.dtype, &value.offset, &value.device_offset,
        &value.bytes, &value.alignment, &value.source, &value.axis})
    archive.number(*field);
}

template <typename Archive> void visit(Archive &archive, tw_fact &value) {
  archive.number(value.kind);
  archive.number(value.argument);
  archive.number(value.other);
  archive.number(value.reserved);
  archive.number(value.value);
  archive.number(value.upper);
}

template <typename Archive> void visit(Archive &archive, tw_derived &value) {
  archive.number(value.kind);
  archive.number(value.dtype);
  archive.array(value.expressions, value.expression_count);
  archive.array(value.attributes, value.attribute_count);
}

template <typename Archive>
void visit(Archive &archive, tw_kernel_record &value) {
  value.size = sizeof value;
  archive.number(value.flags);
  archive.text(value.name);
  archive.text(value.symbol);
  archive.array(value.parameters, value.parameter_count);
  archive.array(value.facts, value.fact_count);
  archive.array(value.derived, value.derived_count);
  archive.blob(value.predicate);
  archive.number(value.user_block_bytes);
  archive.number(value.device_block_bytes);
  for (uint32_t &extent : value.block_size)
    archive.number(extent);
  for (uint32_t &extent : value.cluster_size)
    archive.number(extent);
  archive.number(value.shared_static_bytes);
  archive.number(value.shared_dynamic_bytes);
  archive.number(value.scratch_bytes);
  archive.number(value.scratch_alignment);
  archive.number(value.registers);
  archive.number(value.spill_bytes);
  archive.blob(value.scratch_formula);
}

/// All but `release`, which stays on its side.
template <typename Archive>
void visit(Archive &archive, tw_compile_response &value) {
  value.size = sizeof value;
  archive.number(value.flags);
  archive.text(value.format);
  archive.blob(value.payload);
  archive.pointers(value.kernels, value.kernel_count);
  archive.array(value.stages, value.stage_count);
  archive.pointers(value.remarks, value.remark_count);
  archive.text(value.compat);
  archive.array(value.tools, value.tool_count);
  archive.array(value.overrides, value.override_count);
}

template <typename Archive>
void visit(Archive &archive, tw_override_record &value) {
  value.size = sizeof value;
  archive.number(value.flags);
  archive.text(value.op);
  archive.number(value.min_version);
  archive.number(value.max_version);
  archive.number(value.form);
  archive.number(value.priority);
  archive.number(value.numerics);
  archive.number(value.ulp);
  archive.number(value.dtypes);
  archive.number(value.min_rank);
  archive.number(value.max_rank);
  archive.text(value.arch);
  archive.text(value.symbol);
  archive.text(value.provider);
  archive.blob(value.content_hash);
  archive.blob(value.predicate);
  archive.array(value.arguments, value.argument_count);
}

/// The bytes of a struct.
template <typename T> std::string encode(const T &value) {
  std::string bytes;
  Encoder encoder(bytes);
  T copy = value;
  visit(encoder, copy);
  return bytes;
}

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_WIRE_H
