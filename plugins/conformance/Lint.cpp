//===- Lint.cpp - What can be said of a plugin's file -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's reader does the parsing; it survives any file.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/Lint.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VersionTuple.h"

#include <optional>

using llvm::StringRef;
using llvm::object::ELF64LE;
using llvm::object::ELF64LEFile;

namespace tilewright::conformance {

namespace {

/// What the rules look at.
struct Facts {
  std::vector<std::string> exports;
  std::vector<std::string> unique;
  bool hasStackNote = false;
  bool wantsExecutableStack = false;
  bool hasTextRelocations = false;
  bool isBoundNow = false;
  std::vector<std::string> needed;
  std::vector<std::string> versions; // GLIBC_2.34, GLIBCXX_3.4.30, ...
  std::vector<std::string> runPaths;
  std::optional<std::string> soname;
};

llvm::Error readSymbols(const ELF64LEFile &file, Facts &facts) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM)
      continue;
    auto symbols = file.symbols(&section);
    auto names = file.getStringTableForSymtab(section);
    if (!symbols)
      return symbols.takeError();
    if (!names)
      return names.takeError();
    for (const ELF64LE::Sym &symbol : *symbols) {
      bool isLocal = symbol.getBinding() == llvm::ELF::STB_LOCAL;
      if (symbol.isUndefined() || isLocal)
        continue;
      auto name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      facts.exports.push_back(name->str());
      if (symbol.getBinding() == llvm::ELF::STB_GNU_UNIQUE)
        facts.unique.push_back(name->str());
    }
  }
  return llvm::Error::success();
}

/// The versions of symbols that other libraries must have.
llvm::Error readVersions(const ELF64LEFile &file, Facts &facts) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_GNU_verneed)
      continue;
    auto libraries = file.getVersionDependencies(
        section, [](const llvm::Twine &) { return llvm::Error::success(); });
    if (!libraries)
      return libraries.takeError();
    for (const llvm::object::VerNeed &library : *libraries)
      for (const llvm::object::VernAux &version : library.AuxV)
        facts.versions.push_back(version.Name.c_str()); // the rest follows
  }
  return llvm::Error::success();
}

llvm::Error readDynamic(const ELF64LEFile &file, Facts &facts) {
  auto entries = file.dynamicEntries();
  if (!entries)
    return entries.takeError();
  StringRef names;
  for (const auto &entry : *entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB) {
      auto address = file.toMappedAddr(entry.getPtr());
      if (!address)
        return address.takeError();
      const uint8_t *end = file.base() + file.getBufSize();
      names = StringRef(reinterpret_cast<const char *>(*address),
                        size_t(end - *address));
    }
  auto text = [&](uint64_t offset) {
    return names.drop_front(std::min<uint64_t>(offset, names.size()))
        .split('\0')
        .first.str();
  };
  for (const auto &entry : *entries) {
    uint64_t value = entry.getVal();
    switch (entry.getTag()) {
    case llvm::ELF::DT_NEEDED:
      facts.needed.push_back(text(value));
      break;
    case llvm::ELF::DT_RPATH:
    case llvm::ELF::DT_RUNPATH: {
      std::string paths = text(value);
      for (StringRef path : llvm::split(paths, ':'))
        facts.runPaths.push_back(path.str());
      break;
    }
    case llvm::ELF::DT_SONAME:
      facts.soname = text(value);
      break;
    case llvm::ELF::DT_TEXTREL:
      facts.hasTextRelocations = true;
      break;
    case llvm::ELF::DT_BIND_NOW:
      facts.isBoundNow = true;
      break;
    case llvm::ELF::DT_FLAGS:
      facts.hasTextRelocations |= (value & llvm::ELF::DF_TEXTREL) != 0;
      facts.isBoundNow |= (value & llvm::ELF::DF_BIND_NOW) != 0;
      break;
    case llvm::ELF::DT_FLAGS_1:
      facts.isBoundNow |= (value & llvm::ELF::DF_1_NOW) != 0;
      break;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Facts> readFacts(StringRef bytes) {
  auto file = ELF64LEFile::create(bytes);
  if (!file)
    return file.takeError();
  if (file->getHeader().e_type != llvm::ELF::ET_DYN)
    return llvm::createStringError("it is no shared library");
  Facts facts;
  auto segments = file->program_headers();
  if (!segments)
    return segments.takeError();
  for (const ELF64LE::Phdr &segment : *segments)
    if (segment.p_type == llvm::ELF::PT_GNU_STACK) {
      facts.hasStackNote = true;
      facts.wantsExecutableStack = segment.p_flags & llvm::ELF::PF_X;
    }
  if (llvm::Error error = readSymbols(*file, facts))
    return std::move(error);
  if (llvm::Error error = readVersions(*file, facts))
    return std::move(error);
  if (llvm::Error error = readDynamic(*file, facts))
    return std::move(error);
  return facts;
}

/// Up to six names and how many more there are.
std::string listNames(std::vector<std::string> names) {
  constexpr size_t most = 6;
  size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return llvm::join(names, ", ") +
         (more ? " and " + std::to_string(more) + " more" : "");
}

bool isDriver(StringRef library) {
  for (const char *name : {"libcuda.so", "libnvidia", "libamdhip64", "libhsa",
                           "libOpenCL.so", "libze_loader", "libvulkan"})
    if (library.starts_with(name))
      return true;
  return false;
}

} // namespace

/// The newest version of the C library that is needed, and those behind the
/// newest one that may be. A private symbol is of one build of it.
static Finding judgeVersions(const Facts &facts, const std::string &glibc) {
  llvm::VersionTuple newest, most;
  most.tryParse(glibc);
  std::vector<std::string> newer;
  for (const std::string &name : facts.versions) {
    StringRef number(name);
    if (!number.consume_front("GLIBC_"))
      continue;
    llvm::VersionTuple version;
    if (number == "ABI_DT_RELR") // packed relocations, which older ones skip
      version = llvm::VersionTuple(2, 36);
    else if (version.tryParse(number) && number != "PRIVATE")
      continue;
    newest = std::max(newest, version);
    if (number == "PRIVATE" || (!glibc.empty() && version > most))
      newer.push_back(name);
  }
  if (!newer.empty())
    return {110, Verdict::Fail,
            "needs " + listNames(newer) +
                (glibc.empty() ? "" : ", expected at most " + glibc)};
  return {110, Verdict::Pass,
          newest.empty() ? "" : "needs glibc " + newest.getAsString()};
}

static std::vector<Finding> judge(const Facts &facts, const std::string &path,
                                  const std::string &glibc) {
  std::vector<Finding> findings;
  auto add = [&](unsigned rule, bool isGood, std::string text) {
    findings.push_back({rule, isGood ? Verdict::Pass : Verdict::Fail,
                        isGood ? "" : std::move(text)});
  };
  add(101, facts.exports == std::vector<std::string>{"tw_backend_entry"},
      "exports " + (facts.exports.empty() ? std::string("nothing")
                                          : listNames(facts.exports)));
  add(103, facts.hasStackNote && !facts.wantsExecutableStack,
      facts.hasStackNote ? "PT_GNU_STACK is executable"
                         : "there is no PT_GNU_STACK, which means executable");
  add(104, !facts.hasTextRelocations, "DT_TEXTREL is set");
  add(105, facts.unique.empty(), "unique: " + listNames(facts.unique));
  std::vector<std::string> loose, drivers;
  for (const std::string &folder : facts.runPaths)
    if (!StringRef(folder).starts_with("/") &&
        !StringRef(folder).starts_with("$ORIGIN") &&
        !StringRef(folder).starts_with("${ORIGIN}"))
      loose.push_back("'" + folder + "'");
  add(106, loose.empty(), "run path has " + listNames(loose));
  std::string name = llvm::sys::path::filename(path).str();
  add(107, !facts.soname || *facts.soname == name,
      "SONAME is '" + facts.soname.value_or("") + "', the file is '" + name +
          "'");
  for (const std::string &library : facts.needed)
    if (isDriver(library))
      drivers.push_back(library);
  add(108, drivers.empty(), "needs " + listNames(drivers));
  add(109, facts.isBoundNow, "neither DF_BIND_NOW nor DF_1_NOW is set");
  findings.push_back(judgeVersions(facts, glibc));
  return findings;
}

std::vector<std::string> neededLibraries(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return {};
  auto facts = readFacts((*buffer)->getBuffer());
  if (facts)
    return facts->needed;
  llvm::consumeError(facts.takeError());
  return {};
}

std::vector<Finding> lintLibrary(const std::string &path,
                                 const std::string &glibc) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  std::string reason;
  if (!buffer) {
    reason = buffer.getError().message();
  } else {
    auto facts = readFacts((*buffer)->getBuffer());
    if (facts)
      return judge(*facts, path, glibc);
    reason = llvm::toString(facts.takeError());
  }
  std::vector<Finding> findings;
  for (unsigned rule : {101, 103, 104, 105, 106, 107, 108, 109, 110})
    findings.push_back(
        {rule, Verdict::Fail, "cannot read '" + path + "': " + reason});
  return findings;
}

} // namespace tilewright::conformance
