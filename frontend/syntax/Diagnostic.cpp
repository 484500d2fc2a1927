//===- Diagnostic.cpp - Collecting and rendering messages -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sink, and the text and JSON forms of its diagnostics.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/Diagnostic.h"

#include <algorithm>

using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Sink
//===----------------------------------------------------------------------===//

void DiagnosticSink::report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error)
    ++errors;
  list.push_back(std::move(diagnostic));
}

void DiagnosticSink::addSource(std::string fileName, std::string text) {
  std::vector<std::string> &texts = sources[std::move(fileName)];
  auto known = std::find(texts.begin(), texts.end(), text);
  if (known != texts.end())
    texts.erase(known);
  texts.push_back(std::move(text));
}

static std::string_view lineOf(const std::string &source, uint32_t line) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line; ++i) {
    begin = source.find('\n', begin);
    if (begin == std::string::npos)
      return {};
    ++begin;
  }
  size_t end = source.find('\n', begin);
  return std::string_view(source).substr(
      begin, end == std::string::npos ? end : end - begin);
}

const std::string *DiagnosticSink::findSource(std::string_view name,
                                              uint32_t line) const {
  auto found = sources.find(name);
  if (found == sources.end())
    return nullptr;
  const std::vector<std::string> &texts = found->second;
  if (line)
    for (auto text = texts.rbegin(); text != texts.rend(); ++text)
      if (lineOf(*text, line).find_first_not_of(" \t\r") != std::string::npos)
        return &*text;
  return &texts.back();
}

void DiagnosticSink::clear() {
  list.clear();
  sources.clear();
  errors = 0;
}

void DiagnosticSink::sortByPosition(size_t from) {
  std::stable_sort(list.begin() + from, list.end(),
                   [](const Diagnostic &a, const Diagnostic &b) {
                     if (a.range.line != b.range.line)
                       return a.range.line < b.range.line;
                     return a.range.column < b.range.column;
                   });
}

std::string tilewright::syntax::codeName(unsigned code) {
  return code ? "TW" + std::to_string(code) : std::string();
}

std::string_view tilewright::syntax::severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    break;
  }
  return "note";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool isContinuationByte(char c) { return (c & 0xC0) == 0x80; }

/// The source line and, below it, a caret under the first column of the range
/// and tildes under the rest. Tabs are kept and a character of several bytes
/// counts once, so that the caret stands where a terminal shows the column.
static void appendSnippet(std::string &out, std::string_view line,
                          SourceRange range) {
  out += "  ";
  out += line;
  out += "\n  ";
  size_t begin = std::min<size_t>(range.column, line.size());
  for (size_t i = 0; i < begin; ++i)
    if (!isContinuationByte(line[i]))
      out += line[i] == '\t' ? '\t' : ' ';
  out += '^';
  size_t end = range.endLine == range.line ? range.endColumn : line.size();
  end = std::min(end, line.size());
  bool isFirst = true;
  for (size_t i = begin; i < end; ++i) {
    if (isContinuationByte(line[i]))
      continue;
    if (!isFirst)
      out += '~';
    isFirst = false;
  }
  out += '\n';
}

static void appendMessage(std::string &out, const std::string &fileName,
                          SourceRange range, std::string_view severity,
                          const std::string &code, const std::string &message,
                          const std::string *source) {
  if (!fileName.empty())
    out += fileName + ":";
  if (range.isValid())
    out += std::to_string(range.line) + ":" + std::to_string(range.column + 1) +
           ":";
  if (!out.empty() && out.back() == ':')
    out += ' ';
  out += severity;
  out += ": ";
  if (!code.empty())
    out += code + ": ";
  out += message + "\n";
  if (!range.isValid() || !source)
    return;
  std::string_view line = lineOf(*source, range.line);
  if (!line.empty() || range.column == 0)
    appendSnippet(out, line, range);
}

static std::string render(const Diagnostic &diagnostic,
                          const std::string *source,
                          const DiagnosticSink *sink) {
  std::string out;
  appendMessage(out, diagnostic.fileName, diagnostic.range,
                severityName(diagnostic.severity), codeName(diagnostic.code),
                diagnostic.message, source);
  if (!diagnostic.hint.empty())
    out += "  hint: " + diagnostic.hint + "\n";
  for (const Note &note : diagnostic.notes) {
    bool isHere = note.fileName.empty();
    const std::string &file = isHere ? diagnostic.fileName : note.fileName;
    const std::string *text = isHere ? source : nullptr;
    if (sink)
      text = sink->findSource(file, note.range.line);
    appendMessage(out, file, note.range, "note", {}, note.message, text);
  }
  return out;
}

std::string tilewright::syntax::renderText(const Diagnostic &diagnostic,
                                           const std::string *source) {
  return render(diagnostic, source, nullptr);
}

std::string tilewright::syntax::renderText(const DiagnosticSink &sink) {
  std::string out;
  for (const Diagnostic &diagnostic : sink.diagnostics())
    out += render(diagnostic,
                  sink.findSource(diagnostic.fileName, diagnostic.range.line),
                  &sink);
  return out;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void appendQuoted(std::string &out, std::string_view text) {
  out += '"';
  for (char c : text) {
    switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        const char *digits = "0123456789abcdef";
        out += "\\u00";
        out += digits[c >> 4];
        out += digits[c & 15];
      } else {
        out += c;
      }
    }
  }
  out += '"';
}

static void appendField(std::string &out, std::string_view name,
                        std::string_view value) {
  out += ", ";
  appendQuoted(out, name);
  out += ": ";
  appendQuoted(out, value);
}

/// Opens an object with the fields that diagnostics and notes share.
static void appendLocation(std::string &out, const std::string &fileName,
                           SourceRange range) {
  out += "{\"file\": ";
  appendQuoted(out, fileName);
  if (!range.isValid())
    return;
  out += ", \"line\": " + std::to_string(range.line);
  out += ", \"column\": " + std::to_string(range.column + 1);
  out += ", \"endLine\": " + std::to_string(range.endLine);
  out += ", \"endColumn\": " + std::to_string(range.endColumn + 1);
}

std::string tilewright::syntax::renderJSON(const DiagnosticSink &sink) {
  std::string out = "[";
  const char *separator = "\n  ";
  for (const Diagnostic &diagnostic : sink.diagnostics()) {
    out += separator;
    separator = ",\n  ";
    appendLocation(out, diagnostic.fileName, diagnostic.range);
    appendField(out, "severity", severityName(diagnostic.severity));
    appendField(out, "code", codeName(diagnostic.code));
    appendField(out, "message", diagnostic.message);
    appendField(out, "hint", diagnostic.hint);
    out += ", \"notes\": [";
    const char *noteSeparator = "";
    for (const Note &note : diagnostic.notes) {
      out += noteSeparator;
      noteSeparator = ", ";
      appendLocation(
          out, note.fileName.empty() ? diagnostic.fileName : note.fileName,
          note.range);
      appendField(out, "message", note.message);
      out += '}';
    }
    out += "]}";
  }
  out += sink.diagnostics().empty() ? "]\n" : "\n]\n";
  return out;
}
