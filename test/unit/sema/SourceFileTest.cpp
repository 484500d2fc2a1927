//===- SourceFileTest.cpp - Kernels in test/frontend ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every file of test/frontend holds kernels with a line `# emit: name; sig`
// each. Files in language/ must emit without errors; they check themselves with
// tl.static_assert. In errors/ the lines that end in `# TW2030` must give
// exactly these codes, and no other line may.
//===----------------------------------------------------------------------===//

#include "SemaTest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace tilewright;
using llvm::StringRef;

namespace {
struct Request {
  std::string kernel, signature;
};
using Place = std::pair<unsigned, unsigned>;

class SourceFile : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    auto buffer = llvm::MemoryBuffer::getFile(GetParam());
    ASSERT_TRUE(buffer);
    text = (*buffer)->getBuffer().str();
    llvm::SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n');
    for (unsigned i = 0; i < lines.size(); ++i) {
      StringRef line = lines[i];
      if (line.consume_front("# emit: ")) {
        auto [kernel, signature] = line.split(';');
        requests.push_back({kernel.trim().str(), signature.trim().str()});
      }
      auto [code, comment] = line.rsplit("# TW");
      unsigned number;
      if (!comment.empty() && !comment.trim().getAsInteger(10, number))
        expected.insert({i + 1, number});
    }
    ASSERT_FALSE(requests.empty()) << GetParam();
  }

  std::string text;
  std::vector<Request> requests;
  std::set<Place> expected;
};
class LanguageFile : public SourceFile {};
class ErrorFile : public SourceFile {};
} // namespace

TEST_P(LanguageFile, Emits) {
  for (const Request &request : requests) {
    Emitted result = emit(text, request.kernel, request.signature);
    EXPECT_FALSE(result.text.empty()) << request.kernel << "\n"
                                      << result.diagnostics();
    EXPECT_FALSE(result.sink.hasErrors()) << result.diagnostics();
  }
}

TEST_P(ErrorFile, ReportsExactlyTheMarkedLines) {
  std::set<Place> found;
  std::string log;
  for (const Request &request : requests) {
    Emitted result = emit(text, request.kernel, request.signature);
    EXPECT_TRUE(result.text.empty()) << request.kernel;
    log += result.diagnostics();
    for (const syntax::Diagnostic &diagnostic : result.sink.diagnostics()) {
      found.insert({diagnostic.range.line, diagnostic.code});
      EXPECT_FALSE(StringRef(diagnostic.message).ends_with("."));
    }
  }
  EXPECT_EQ(found, expected) << log;
}

static std::vector<std::string> filesIn(const char *folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           it(llvm::Twine(TW_FRONTEND_TESTS) + "/" + folder, error),
       end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".py"))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

static std::string nameOf(const testing::TestParamInfo<std::string> &info) {
  std::string name = llvm::sys::path::stem(info.param).str();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Frontend, LanguageFile,
                         testing::ValuesIn(filesIn("language")), nameOf);
INSTANTIATE_TEST_SUITE_P(Frontend, ErrorFile,
                         testing::ValuesIn(filesIn("errors")), nameOf);
