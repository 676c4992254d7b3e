// Tests that stored outputs are read as Jupyter shows them. The expected texts follow its
// fixOverwrittenChars.
#include <gtest/gtest.h>
#include <tools/import/shown_text.h>

#include <string>

namespace torchbook::importing {
namespace {

TEST(ShownText, WithoutControlCharactersIsTheSame) {
  EXPECT_EQ(shown_text("a\n\n tensor([1])\tä\n"), "a\n\n tensor([1])\tä\n");
  EXPECT_EQ(shown_text(""), "");
}

TEST(ShownText, OfACarriageReturnIsWhatOverwroteTheLine) {
  EXPECT_EQ(shown_text("10%\r100%\n"), "100%\n");
  EXPECT_EQ(shown_text("epoch 10\rdone"), "doneh 10");
  EXPECT_EQ(shown_text("kept\nabc\rx\ny"), "kept\nxbc\ny");
  EXPECT_EQ(shown_text("a\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(shown_text("abc\r"), "abc");
  EXPECT_EQ(shown_text("äöü\rx"), "xöü");
}

TEST(ShownText, OfABackspaceLacksTheCharacterBeforeIt) {
  EXPECT_EQ(shown_text("abc\b\bx"), "ax");
  EXPECT_EQ(shown_text("a\n\bb"), "a\nb");
  EXPECT_EQ(shown_text("\b\ba"), "a");
  EXPECT_EQ(shown_text("aä\bb"), "ab");
}

TEST(ShownText, HasNoEscapeSequences) {
  EXPECT_EQ(shown_text("\x1b[1;31mred\x1b[0m plain"), "red plain");
  EXPECT_EQ(shown_text("\x1b]8;;http://a\x1b\\link\x1b]8;;\a"), "link");
  EXPECT_EQ(shown_text("\x1b(Ba"), "Ba");
  EXPECT_EQ(shown_text("a\x1b"), "a");
  EXPECT_EQ(shown_text("a\x1b[31"), "a");
}

TEST(ShownText, IsMadeInLinearTime) {
  std::string text(1000000, 'x');
  for (int i = 0; i < 1000000; ++i) text += "\ry";
  EXPECT_EQ(shown_text(text).size(), 1000000U);
}

}  // namespace
}  // namespace torchbook::importing
