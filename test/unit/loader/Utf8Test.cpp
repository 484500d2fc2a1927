//===- Utf8Test.cpp - Texts that plugins give -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The borders of Unicode's table 3-7 (well-formed UTF-8 byte sequences).
//===----------------------------------------------------------------------===//
#include "plugins/loader/Utf8.h"

#include "plugins/loader/Problem.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::plugins;

TEST(Utf8, TakesTheFirstAndLastCharacterOfEachLength) {
  for (const char *text :
       {"", "plain", "two\n\tlines", "~", "\xc2\xa0", "\xdf\xbf",
        "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
        "a\xe2\x82\xac"
        "b"}) {
    EXPECT_TRUE(isUtf8(text) && isText(text)) << text;
    EXPECT_EQ(readable(tw_string(text)), text);
  }
  EXPECT_TRUE(isUtf8(std::string_view("\0", 1)));
}

TEST(Utf8, ReplacesControlCharacters) {
  const std::string mark = "\xef\xbf\xbd";
  for (std::string_view text :
       {std::string_view("\0", 1), std::string_view("\r"),
        std::string_view("\x1b"), std::string_view("\x7f"),
        std::string_view("\xc2\x80"), std::string_view("\xc2\x9f")}) {
    EXPECT_TRUE(isUtf8(text) && !isText(text)) << text;
    EXPECT_EQ(readable(toStr(text)).find(mark), 0u) << text;
  }
  EXPECT_EQ(readable(tw_string("a\x1b[2Jb")), "a" + mark + "[2Jb");
}

TEST(Utf8, ReplacesWhatIsNoCharacter) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(readable(tw_string("caf\xe9!")), "caf" + mark + "!");
  EXPECT_EQ(readable(tw_string("\xe2\x82")), mark + mark);
  EXPECT_EQ(readable({nullptr, 0}), "");
  for (const char *text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
        "\xc2",
        "\xc2"
        "a",
        "\xf0\x90\x80"}) {
    EXPECT_FALSE(isUtf8(text)) << text;
    std::string shown = readable(tw_string(text));
    EXPECT_TRUE(isUtf8(shown) && shown.find(mark) == 0) << text;
  }
}
