//===- Unicode.cpp - Code point properties ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UTF-8, property ranges, and NFKC after the algorithm of Unicode Standard
// Annex 15; the name table of \N{...} is LLVM's.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/Unicode.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

using namespace tilewright;

namespace {
#include "frontend/syntax/lex/UnicodeTables.inc"
} // namespace

//===----------------------------------------------------------------------===//
// UTF-8
//===----------------------------------------------------------------------===//

void syntax::appendUTF8(std::string &out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

/// Length of the sequence that a lead byte announces; 0 for no lead byte.
static unsigned sequenceLength(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

uint32_t syntax::nextCodePoint(std::string_view text, size_t &offset) {
  unsigned char lead = text[offset++];
  unsigned length = sequenceLength(lead);
  if (length <= 1)
    return lead;
  uint32_t c = lead & (0x7Fu >> length);
  for (unsigned i = 1; i < length && offset < text.size(); ++i)
    c = (c << 6) | (static_cast<unsigned char>(text[offset++]) & 0x3F);
  return c;
}

size_t syntax::findInvalidUTF8(std::string_view text, size_t from) {
  for (size_t at = from; at < text.size();) {
    if (!(text[at] & 0x80)) {
      ++at;
      continue;
    }
    unsigned char lead = text[at];
    unsigned length = sequenceLength(lead);
    if (length == 0 || at + length > text.size())
      return at;
    for (unsigned i = 1; i < length; ++i)
      if ((text[at + i] & 0xC0) != 0x80)
        return at;
    unsigned char second = text[at + 1];
    bool isOverlong =
        (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    bool isSurrogate = lead == 0xED && second >= 0xA0;
    bool isBeyond = lead == 0xF4 && second >= 0x90;
    if (isOverlong || isSurrogate || isBeyond)
      return at;
    at += length;
  }
  return text.size();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

namespace {
/// Sorted, disjoint half-open ranges.
class CodePointSet {
public:
  template <size_t N> explicit CodePointSet(const uint32_t (&pairs)[N]) {
    uint32_t at = 0;
    for (size_t i = 0; i < N; i += 2) {
      uint32_t begin = at + pairs[i];
      at = begin + pairs[i + 1];
      ranges.push_back({begin, at});
    }
  }

  bool contains(uint32_t c) const {
    auto after = std::upper_bound(
        ranges.begin(), ranges.end(), c,
        [](uint32_t value, const Range &range) { return value < range.begin; });
    return after != ranges.begin() && c < std::prev(after)->end;
  }

private:
  struct Range {
    uint32_t begin;
    uint32_t end;
  };
  std::vector<Range> ranges;
};
} // namespace

bool syntax::isIdentifierStart(uint32_t codePoint) {
  static const CodePointSet set(identifierStartRanges);
  return set.contains(codePoint);
}

bool syntax::isIdentifierContinue(uint32_t codePoint) {
  static const CodePointSet set(identifierContinueRanges);
  return set.contains(codePoint);
}

bool syntax::isPrintable(uint32_t codePoint) {
  if (codePoint < 0x7F)
    return codePoint >= 0x20;
  static const CodePointSet set(printableRanges);
  return set.contains(codePoint);
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

namespace {
struct NormalizationData {
  NormalizationData();
  std::unordered_map<uint32_t, uint32_t> classes;
  std::unordered_map<uint32_t, std::u32string> forms;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> composed;
};
} // namespace

NormalizationData::NormalizationData() {
  uint32_t c = 0;
  for (size_t i = 0; i < std::size(combiningClasses); i += 2)
    classes[c += combiningClasses[i]] = combiningClasses[i + 1];
  c = 0;
  for (size_t i = 0; i < std::size(decompositions);) {
    c += decompositions[i];
    size_t count = decompositions[i + 1];
    const uint32_t *first = decompositions + i + 2;
    forms[c].assign(first, first + count);
    i += 2 + count;
  }
  c = 0;
  for (size_t i = 0; i < std::size(compositions); i += 3)
    composed[{compositions[i + 1], compositions[i + 2]}] =
        (c += compositions[i]);
}

static const NormalizationData &normalizationData() {
  static const NormalizationData data;
  return data;
}

// Hangul syllables are composed by arithmetic (Unicode Standard, 3.12).
constexpr uint32_t SyllableBase = 0xAC00, LeadBase = 0x1100, VowelBase = 0x1161,
                   TailBase = 0x11A7, LeadCount = 19, VowelCount = 21,
                   TailCount = 28,
                   SyllableCount = LeadCount * VowelCount * TailCount;

static void decompose(uint32_t c, std::u32string &out) {
  const NormalizationData &data = normalizationData();
  if (c - SyllableBase < SyllableCount) {
    uint32_t index = c - SyllableBase;
    out += LeadBase + index / (VowelCount * TailCount);
    out += VowelBase + index % (VowelCount * TailCount) / TailCount;
    if (uint32_t tail = index % TailCount)
      out += TailBase + tail;
    return;
  }
  auto found = data.forms.find(c);
  if (found == data.forms.end())
    out += c;
  else
    out += found->second;
}

static uint32_t combiningClass(uint32_t c) {
  const NormalizationData &data = normalizationData();
  auto found = data.classes.find(c);
  return found == data.classes.end() ? 0 : found->second;
}

/// The character that two compose to, or 0.
static uint32_t compose(uint32_t first, uint32_t second) {
  if (first - LeadBase < LeadCount && second - VowelBase < VowelCount)
    return SyllableBase +
           ((first - LeadBase) * VowelCount + second - VowelBase) * TailCount;
  if (first - SyllableBase < SyllableCount &&
      (first - SyllableBase) % TailCount == 0 &&
      second - TailBase - 1 < TailCount - 1)
    return first + second - TailBase;
  const NormalizationData &data = normalizationData();
  auto found = data.composed.find({first, second});
  return found == data.composed.end() ? 0 : found->second;
}

/// Sorts runs of combining marks by class.
static void orderMarks(std::u32string &text) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && combiningClass(text[end]))
      ++end;
    std::stable_sort(text.begin() + begin, text.begin() + end,
                     [](uint32_t a, uint32_t b) {
                       return combiningClass(a) < combiningClass(b);
                     });
    begin = end + 1;
  }
}

static std::u32string composeAll(const std::u32string &text) {
  std::u32string out;
  size_t starter = std::u32string::npos;
  uint32_t lastClass = 0;
  for (uint32_t c : text) {
    uint32_t mark = combiningClass(c);
    bool isAdjacent =
        starter != std::u32string::npos && starter + 1 == out.size();
    bool isBlocked = !isAdjacent && lastClass >= mark;
    if (starter != std::u32string::npos && !isBlocked)
      if (uint32_t joined = compose(out[starter], c)) {
        out[starter] = joined;
        continue;
      }
    lastClass = mark;
    if (mark == 0)
      starter = out.size();
    out += c;
  }
  return out;
}

std::string syntax::normalizeIdentifier(std::string_view identifier) {
  std::u32string decomposed;
  for (size_t offset = 0; offset < identifier.size();)
    decompose(nextCodePoint(identifier, offset), decomposed);
  orderMarks(decomposed);
  std::string result;
  for (uint32_t c : composeAll(decomposed))
    appendUTF8(result, c);
  return result;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<uint32_t> syntax::characterNamed(std::string_view name) {
  std::string upper(name);
  for (char &c : upper)
    if (c >= 'a' && c <= 'z')
      c -= 32;
  if (auto found = llvm::sys::unicode::nameToCodepointStrict(upper))
    return static_cast<uint32_t>(*found);
  return std::nullopt;
}
