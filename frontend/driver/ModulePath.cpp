//===- ModulePath.cpp - Python modules from folders -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a.b` is `<folder>/a/b.py` or `<folder>/a/b/__init__.py`.
//===----------------------------------------------------------------------===//

#include "frontend/driver/ModulePath.h"

#include "frontend/syntax/ASTFields.h"
#include "frontend/syntax/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::driver;
using llvm::StringRef;
namespace path = llvm::sys::path;

static StringRef text(tw_str value) {
  return {value.data, static_cast<size_t>(value.size)};
}

ModulePath::ModulePath(const tw_compile_input &input, ast::ASTContext &context,
                       syntax::DiagnosticSink &sink,
                       VendorSources vendorSources)
    : input(input), context(context), sink(sink),
      vendorSources(std::move(vendorSources)) {
  if (input.module_folder_count == 0)
    return;
  for (uint64_t i = 0; i < input.module_folder_count; ++i) {
    StringRef given = text(input.module_folders[i]);
    folders.push_back(given.empty() ? "." : given.str());
  }
  // The file is a module of the package that its folders form.
  llvm::SmallString<256> folder = path::parent_path(text(input.file_name));
  mainName = path::stem(text(input.file_name)).str();
  if (folder.empty())
    folder = ".";
  auto isPackage = [&] {
    return llvm::sys::fs::exists(llvm::Twine(folder) + "/__init__.py");
  };
  while (isPackage() && !path::filename(folder).empty() &&
         path::filename(folder) != ".") {
    mainName = path::filename(folder).str() + "." + mainName;
    folder = path::parent_path(folder);
    if (folder.empty())
      folder = ".";
  }
  folders.insert(folders.begin(), std::string(folder));
}

const ast::Module *ModulePath::parse(std::string_view text,
                                     std::string fileName) {
  return syntax::parseModule(context, text, std::move(fileName), sink);
}

const ast::Module *ModulePath::readFile(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return nullptr;
  files[file] = (*buffer)->getBuffer().str();
  return parse({(*buffer)->getBufferStart(), (*buffer)->getBufferSize()}, file);
}

sema::ResolvedModule ModulePath::find(const std::string &name) {
  auto known = modules.find(name);
  if (known != modules.end())
    return {known->second, name};
  for (uint64_t i = 0; i < input.module_count; ++i) {
    const tw_source_module &given = input.modules[i];
    if (text(given.name) == name)
      return {modules[name] = parse({given.text.data, given.text.size},
                                    text(given.file_name).str()),
              name};
  }
  if (StringRef vendor = name; vendor.consume_front("tl.extra.")) {
    texts.push_back(vendorSources(vendor.str()));
    const std::string &source = texts.back();
    std::string fileName = "<" + vendor.str() + ">/ops.py";
    if (!source.empty())
      files[fileName] = source;
    return {modules[name] = source.empty() ? nullptr : parse(source, fileName),
            name};
  }
  std::string relative = name;
  std::replace(relative.begin(), relative.end(), '.', '/');
  const ast::Module *found = nullptr;
  for (const std::string &folder : folders) {
    std::string base = folder + "/" + relative;
    if ((found = readFile(base + ".py")))
      break;
    if ((found = readFile(base + "/__init__.py"))) {
      packages.insert(name);
      break;
    }
  }
  modules[name] = found;
  return {found, name};
}

sema::ResolvedModule ModulePath::resolve(StringRef name, unsigned level,
                                         StringRef importer) {
  if (level == 0)
    return find(name.str());
  std::string base = importer.empty() ? mainName : importer.str();
  // `.` is the package itself, every further dot the one around it.
  bool isPackage = packages.count(base) != 0;
  for (unsigned up = isPackage ? 1 : 0; up < level; ++up) {
    size_t dot = base.rfind('.');
    base = dot == std::string::npos ? "" : base.substr(0, dot);
  }
  if (!name.empty())
    base += (base.empty() ? "" : ".") + name.str();
  if (sema::ResolvedModule found =
          base.empty() ? sema::ResolvedModule() : find(base);
      found.tree)
    return found;
  // Modules handed over as text carry the name of the import statement.
  return name.empty() ? sema::ResolvedModule() : find(name.str());
}

//===----------------------------------------------------------------------===//
// All imports
//===----------------------------------------------------------------------===//

namespace {

/// Collects what a module imports, wherever it does: (dots, dotted name).
struct ImportCollector {
  std::set<std::pair<unsigned, std::string>> found;

  void collect(const ast::Node &node) {
    if (const auto *import = ast::asNode<ast::Import>(&node))
      for (const ast::Alias *alias : import->names)
        addWithPackages(alias->name);
    if (const auto *from = ast::asNode<ast::ImportFrom>(&node)) {
      std::string base(from->module);
      found.emplace(from->level, base);
      // `from package import module` names a file, too.
      for (const ast::Alias *alias : from->names)
        found.emplace(from->level, base + (base.empty() ? "" : ".") +
                                       std::string(alias->name));
    }
    ast::visitFields(node, *this);
  }

  void operator()(std::string_view, const ast::Node *node) {
    if (node)
      collect(*node);
  }
  template <typename T>
  void operator()(std::string_view, ast::ArrayView<T> list) {
    if constexpr (std::is_convertible_v<T, const ast::Node *>)
      for (const ast::Node *node : list)
        (*this)("", node);
  }
  template <typename T>
  std::enable_if_t<!std::is_convertible_v<T, const ast::Node *>>
  operator()(std::string_view, const T &) {}
  template <typename T> void optional(std::string_view, const T &) {}

private:
  void addWithPackages(std::string_view name) {
    for (size_t dot = name.find('.'); dot != name.npos;
         dot = name.find('.', dot + 1))
      found.emplace(0, std::string(name.substr(0, dot)));
    found.emplace(0, std::string(name));
  }
};

} // namespace

void ModulePath::readAll(const ast::Module &main) {
  std::vector<std::pair<const ast::Module *, std::string>> pending = {
      {&main, ""}};
  std::set<const ast::Module *> seen = {&main};
  while (!pending.empty()) {
    auto [module, name] = pending.back();
    pending.pop_back();
    ImportCollector imports;
    imports.collect(*module);
    for (const auto &[level, imported] : imports.found)
      if (sema::ResolvedModule found = resolve(imported, level, name);
          found.tree && seen.insert(found.tree).second)
        pending.emplace_back(found.tree, found.name);
  }
}
