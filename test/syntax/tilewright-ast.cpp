//===- tilewright-ast.cpp - Dump the trees of many files --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test tool: for each path on standard input prints a line "ok SIZE" or
// "error SIZE", then SIZE bytes (the dump, or the rendered diagnostics), then
// an end of line; with --texts each line is the size of a text that follows
// it, instead of a path. With paths as arguments it prints the plain text
// instead;
// --time=N parses each file N times and prints the fastest time.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/Parser.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace tilewright;

namespace {
struct Options {
  syntax::DumpOptions dump;
  bool json = false;
  bool readsTexts = false;
  int timedRuns = 0;
};
} // namespace

static std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The dump, or the diagnostics when there are errors.
static std::string describe(const std::string &path, const std::string &text,
                            const Options &options, bool &isFine) {
  ast::ASTContext context;
  syntax::DiagnosticSink sink;
  const ast::Module *module = syntax::parseModule(context, text, path, sink);
  isFine = !sink.hasErrors();
  if (options.json)
    return syntax::renderJSON(sink);
  return isFine ? syntax::dumpAST(*module, options.dump)
                : syntax::renderText(sink);
}

static void timeFile(const std::string &path, int runs) {
  using Clock = std::chrono::steady_clock;
  std::string text = readFile(path);
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    ast::ASTContext context;
    syntax::DiagnosticSink sink;
    Clock::time_point start = Clock::now();
    syntax::parseModule(context, text, path, sink);
    std::chrono::duration<double, std::milli> took = Clock::now() - start;
    best = std::min(best, took.count());
  }
  size_t lines = std::count(text.begin(), text.end(), '\n');
  std::printf("%s: %zu lines, %.3f ms, %.3f ms per 1000 lines\n", path.c_str(),
              lines, best, lines ? best * 1000 / lines : 0.0);
}

int main(int argc, char **argv) {
  Options options;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--attributes")
      options.dump.attributes = true;
    else if (argument == "--hide-interpolations")
      options.dump.hideInterpolations = true;
    else if (argument == "--texts")
      options.readsTexts = true;
    else if (argument == "--json")
      options.json = true;
    else if (argument.rfind("--time=", 0) == 0)
      options.timedRuns = std::stoi(argument.substr(7));
    else
      paths.push_back(argument);
  }

  bool allFine = true;
  for (const std::string &path : paths) {
    if (options.timedRuns) {
      timeFile(path, options.timedRuns);
      continue;
    }
    bool isFine = true;
    std::cout << describe(path, readFile(path), options, isFine) << '\n';
    allFine &= isFine;
  }
  if (!paths.empty())
    return allFine ? 0 : 1;

  for (std::string line; std::getline(std::cin, line);) {
    bool isFine = true;
    std::string source;
    if (options.readsTexts) {
      source.resize(std::stoul(line));
      std::cin.read(source.data(), source.size());
    } else {
      source = readFile(line);
    }
    std::string text =
        describe(options.readsTexts ? "text" : line, source, options, isFine);
    std::cout << (isFine ? "ok " : "error ") << text.size() << '\n'
              << text << '\n';
  }
  return 0;
}
