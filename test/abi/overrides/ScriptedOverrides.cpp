//===- ScriptedOverrides.cpp - Claims from a file ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin of profile OVERRIDE whose claims, libraries and added ops lie in
// files beside it, so that a test is a copy of it in a folder of its own:
// `vendor` (a word), `claims` (a claim a line, fields as in readClaim), the
// files that claims name, `ops.py`. A callback answers with the file
// <name>.<element type number>.<extents> of the call that it is shown, and
// declines without one.
//===----------------------------------------------------------------------===//
#include "tilewright/plugin.h"
#include "tilewright/portable.h"

#include <deque>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string folder() {
  Dl_info info = {};
  dladdr(reinterpret_cast<void *>(&tw_backend_entry), &info);
  std::string path = info.dli_fname ? info.dli_fname : "";
  return path.substr(0, path.rfind('/') + 1);
}

/// The bytes of a file beside the plugin; false if there is none.
bool readFile(const std::string &name, std::string &bytes) {
  std::ifstream file(folder() + name, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return file.good() || file.eof();
}

tw_str view(const std::string &text) { return {text.data(), text.size()}; }

std::string fromHex(const std::string &text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(char(std::stoi(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// A claim and the texts that it points to.
struct Claim {
  tw_override_record record = {};
  std::map<std::string, std::string> fields;
  std::string predicate, hash;
  std::vector<tw_str> arguments;
  std::deque<std::string> names;
};

/// key=value, separated by spaces: op, min, max, form, priority, numerics, ulp,
/// dtypes, min_rank, max_rank, arch, symbol, provider, format, file, hash and
/// predicate (hexadecimal), arguments (separated by commas).
std::unique_ptr<Claim> readClaim(const std::string &line) {
  auto claim = std::make_unique<Claim>();
  auto &fields = claim->fields;
  std::istringstream words(line);
  for (std::string word; words >> word;)
    fields[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  auto number = [&](const char *key, int64_t fallback) {
    return fields.count(key) ? std::stoll(fields[key]) : fallback;
  };
  claim->predicate = fromHex(fields["predicate"]);
  claim->hash = fromHex(fields["hash"]);
  std::istringstream list(fields["arguments"]);
  for (std::string name; std::getline(list, name, ',');)
    claim->names.push_back(name);
  for (const std::string &name : claim->names)
    claim->arguments.push_back(view(name));
  tw_override_record &record = claim->record;
  record.size = sizeof record;
  record.op = view(fields["op"]);
  record.min_version = uint32_t(number("min", 1));
  record.max_version = uint32_t(number("max", 1));
  record.form = uint32_t(number("form", 0));
  record.priority = int32_t(number("priority", 0));
  record.numerics = uint32_t(number("numerics", TW_NUMERICS_EXACT));
  record.ulp = uint32_t(number("ulp", 0));
  record.dtypes = uint64_t(number("dtypes", 0));
  record.min_rank = uint32_t(number("min_rank", 0));
  record.max_rank = uint32_t(number("max_rank", 0));
  record.arch = view(fields["arch"]);
  record.symbol = view(fields["symbol"]);
  record.provider = view(fields["provider"]);
  record.content_hash = {claim->hash.data(), claim->hash.size()};
  record.predicate = {claim->predicate.data(), claim->predicate.size()};
  record.arguments = claim->arguments.data();
  record.argument_count = claim->arguments.size();
  return claim;
}

/// What a callback wants to know: the type of the first operand of the call.
struct Seen {
  const tw_portable_module *module = nullptr;
  std::string type;
};

int32_t begin(void *ctx, const tw_portable_module *module) {
  static_cast<Seen *>(ctx)->module = module;
  return 0;
}

int32_t visit(void *ctx, const tw_portable_op *op) {
  Seen &seen = *static_cast<Seen *>(ctx);
  if (!seen.type.empty() || op->region_count == 0 || op->operand_count == 0)
    return 0;
  const tw_portable_type &type =
      seen.module->types[seen.module->value_types[op->operands[0]]];
  seen.type = std::to_string(type.element);
  for (uint32_t i = 0; i < type.rank; ++i)
    seen.type += "." + std::to_string(type.extents[i]);
  return 0;
}

} // namespace

struct tw_backend {
  std::vector<std::unique_ptr<Claim>> claims;
  std::vector<const tw_override_record *> records;
  std::map<std::string, std::string> files;
};

static int32_t openBackend(const tw_backend_config *, tw_backend **backend) {
  auto made = std::make_unique<tw_backend>();
  std::string text;
  readFile("claims", text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) {
      made->claims.push_back(readClaim(line));
      made->records.push_back(&made->claims.back()->record);
    }
  *backend = made.release();
  return TW_OK;
}

static void closeBackend(tw_backend *backend) { delete backend; }

static int32_t list(tw_backend *backend, tw_str,
                    const tw_override_record *const **records,
                    uint64_t *count) {
  *records = backend->records.data();
  *count = backend->records.size();
  return TW_OK;
}

static Claim *find(tw_backend *backend, const tw_override_record *record) {
  for (auto &claim : backend->claims)
    if (&claim->record == record)
      return claim.get();
  return nullptr;
}

static int32_t library(tw_backend *backend, const tw_override_record *record,
                       tw_library *out) {
  Claim *claim = find(backend, record);
  if (!claim)
    return TW_E_INVALID_ARGUMENT;
  std::string &bytes = backend->files[claim->fields["file"]];
  if (!readFile(claim->fields["file"], bytes))
    return TW_E_NOT_FOUND;
  out->format = view(claim->fields["format"]);
  out->name = view(claim->fields["provider"]);
  out->content = {bytes.data(), bytes.size()};
  return TW_OK;
}

static int32_t lower(tw_backend *backend, const tw_override_record *record,
                     tw_bytes op, const tw_sink *sink, tw_writer out) {
  Claim *claim = find(backend, record);
  uint64_t size = 0;
  tw_portable_error error = {};
  if (!claim || tw_portable_measure(op, &size, nullptr, &error) != TW_OK)
    return TW_E_INVALID_ARGUMENT;
  std::vector<uint64_t> workspace(size / 8);
  Seen seen;
  tw_portable_visitor visitor = {};
  visitor.ctx = &seen;
  visitor.begin = begin;
  visitor.op_begin = visit;
  if (tw_portable_read(op, workspace.data(), size, &visitor, nullptr, &error) !=
      TW_OK)
    return TW_E_INVALID_ARGUMENT;
  std::string name = claim->fields["file"] + "." + seen.type, bytes;
  if (claim->fields["file"] == "broken") {
    tw_emit(sink, TW_SEVERITY_ERROR, 0, "the script says so", "");
    return TW_E_DIAGNOSED;
  }
  if (!readFile(name, bytes) || bytes.empty())
    return TW_E_UNIMPLEMENTED;
  out.write(out.ctx, bytes.data(), bytes.size());
  return TW_OK;
}

static int32_t sources(tw_backend *, tw_writer out) {
  std::string text;
  if (!readFile("ops.py", text) || text.empty())
    return TW_E_UNIMPLEMENTED;
  out.write(out.ctx, text.data(), text.size());
  return TW_OK;
}

static const tw_override_table table = {
    sizeof(tw_override_table), 0, list, library, lower, sources};

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  static const std::string vendor = [] {
    std::string text;
    readFile("vendor", text);
    return text.substr(0, text.find('\n'));
  }();
  tw_backend_answer mine = {};
  const char *text = nullptr;
  mine.size = sizeof mine;
  mine.refusal =
      tw_accept_offer(offer, TW_ABI_VERSION(0, 9), &mine.version, &text);
  if (mine.refusal)
    mine.refusal_text = tw_string(text);
  mine.profiles = TW_PROFILE_OVERRIDE;
  mine.vendor = view(vendor);
  mine.name = tw_string("Overrides from files");
  mine.build_id = tw_string("scripted");
  mine.portable_min = TW_PORTABLE_OLDEST;
  mine.portable_max = TW_PORTABLE_NEWEST;
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.overrides = &table;
  int32_t status = tw_write_struct(answer, sizeof mine, &mine);
  return mine.refusal ? mine.refusal : status;
}
