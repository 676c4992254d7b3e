// Tests quoted texts: invisible characters become visible, long texts are cut, and the marker is at the
// difference.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/utf8.h>
#include <torchbook/report/quoted.h>

#include <optional>
#include <string>

namespace torchbook::report {
namespace {

TEST(Pictured, IsEveryControlCharacterOfBothPlanes) {
  EXPECT_EQ(pictured(std::string("a\0\a\b\r\x1b[31m\x7f", 11)), "a\u2400\u2407\u2408\u240d\u241b[31m\u2421");
  EXPECT_EQ(pictured("\u0080\u0085\u009b\u009f"), "<U+0080><U+0085><U+009B><U+009F>");
  EXPECT_EQ(pictured("\u00a0\u00e9\u2603\U0001F600"),
            "\u00a0\u00e9\u2603\U0001F600");  // visible characters stay
  for (int code = 0; code < 0x20; ++code) {
    if (code == '\n' || code == '\t') continue;
    EXPECT_EQ(pictured(std::string(1, static_cast<char>(code))).size(), 3U) << code;
  }
}

TEST(Pictured, IsEveryMarkOfDirection) {
  EXPECT_EQ(pictured("\u061c\u200e\u200f"), "<U+061C><U+200E><U+200F>");
  EXPECT_EQ(pictured("\u202a\u202b\u202c\u202d\u202e"), "<U+202A><U+202B><U+202C><U+202D><U+202E>");
  EXPECT_EQ(pictured("\u2066\u2067\u2068\u2069"), "<U+2066><U+2067><U+2068><U+2069>");
  EXPECT_EQ(pictured("\u200d\u2029\u202f\u206a"), "\u200d\u2029\u202f\u206a");  // the neighbours of these
                                                                                // characters stay
}

TEST(Pictured, IsWhatNoTextCanHold) {
  EXPECT_EQ(pictured("\xff|\xc3(|\xed\xa0\x80"), "<0xFF>|<0xC3>(|<0xED><0xA0><0x80>");
  EXPECT_EQ(pictured("\xc0\x80|\xf4\x90\x80\x80"), "<0xC0><0x80>|<0xF4><0x90><0x80><0x80>");
  EXPECT_EQ(pictured("\x9b"), "<0x9B>");  // some terminals obey it
  EXPECT_EQ(pictured("\ufffe\uffff\ufdd0\U0001FFFF\ufffd"), "<U+FFFE><U+FFFF><U+FDD0><U+1FFFF>\ufffd");
}

TEST(Pictured, BreaksAsAskedFor) {
  EXPECT_EQ(pictured("a\tb\n"), "a\tb\n");
  EXPECT_EQ(pictured("a\tb\n", Breaks::pictured), "a\u2409b\u240a");
  EXPECT_EQ(pictured(""), "");
}

TEST(Shortened, IsCutInItsMiddleWhereItIsLong) {
  EXPECT_EQ(shortened("1.25"), "1.25");
  EXPECT_EQ(shortened("a\nb"), "a\u240ab");
  EXPECT_EQ(shortened(std::string(400, '7')), std::string(400, '7'));
  EXPECT_EQ(shortened("1" + std::string(998, '7') + "2"),
            "1" + std::string(99, '7') + "…" + std::string(99, '7') + "2 (1000 characters)");
  std::string accents;
  for (int i = 0; i < 500; ++i) accents += "é";
  EXPECT_EQ(shortened(accents), accents.substr(0, 200) + "…" + accents.substr(0, 200) + " (500 characters)");
}

golden::LineDifference differing(const std::optional<std::string>& golden,
                                 const std::optional<std::string>& actual, std::size_t column) {
  return {.where = "stdout", .line = 1, .column = column, .golden = golden, .actual = actual};
}

/// Returns the character above the marker.
std::string marked(const QuotedLines& lines, std::string line) {
  for (std::size_t column = lines.marker.size() - 1; column > 0; --column) {
    line.erase(0, pyrepr::detail::first_character(line).length);
  }
  return line.substr(0, line.empty() ? 0 : pyrepr::detail::first_character(line).length);
}

TEST(QuotedLines, MarkTheCharacterThatDiffers) {
  const auto plain = quoted_lines(differing("tensor(1.0)", "tensor(1.5)", 10));
  EXPECT_EQ(plain.golden, "tensor(1.0)");
  EXPECT_EQ(plain.actual, "tensor(1.5)");
  EXPECT_EQ(plain.marker, "         ^");
  const auto pictures = quoted_lines(differing("\u202e\u0085\x1b\xffx", "\u202e\u0085\x1b\xffy", 8));
  EXPECT_EQ(pictures.golden, "<U+202E><U+0085>\u241b<0xFF>x");
  EXPECT_EQ(marked(pictures, pictures.golden), "x");
  EXPECT_EQ(marked(pictures, pictures.actual), "y");
}

TEST(QuotedLines, DoNotCutACharacterInTwo) {
  const auto accents = quoted_lines(differing("aé", "aè", 3));  // the second byte of either letter
  EXPECT_EQ(accents.golden, "aé");
  EXPECT_EQ(accents.actual, "aè");
  EXPECT_EQ(accents.marker, " ^");
  const auto faces = quoted_lines(differing("a\U0001F600", "a\U0001F601", 5));  // the last of four bytes
  EXPECT_EQ(faces.golden, "a\U0001F600");
  EXPECT_EQ(faces.actual, "a\U0001F601");
  EXPECT_EQ(faces.marker, " ^");
  const auto torn = quoted_lines(differing("é", "\xc3", 2));  // a whole character and its first byte
  EXPECT_EQ(torn.golden, "é");
  EXPECT_EQ(torn.actual, "<0xC3>");
  EXPECT_EQ(torn.marker, "^");
}

TEST(QuotedLines, MarkTheByteThatDiffersWhereNoneIsUtf8) {
  const auto bytes = quoted_lines(differing("\x80\x81\x82\x83\x84", "\x80\x81\x82\x83\x85", 5));
  EXPECT_EQ(bytes.golden, "<0x80><0x81><0x82><0x83><0x84>");
  EXPECT_EQ(bytes.marker, std::string(24, ' ') + '^');
}

TEST(QuotedLines, OfALineThatOneSideLacks) {
  const auto ended = quoted_lines(differing("b", std::nullopt, 1));
  EXPECT_EQ(ended.golden, "b");
  EXPECT_EQ(ended.actual, "(nothing more)");
  const auto empty = quoted_lines(differing("", "a", 1));
  EXPECT_EQ(empty.golden, "(an empty line)");
  EXPECT_EQ(empty.actual, "a");
  EXPECT_EQ(quoted_lines(differing("a", "ab", 9)).marker, " ^");  // a column after the end of both
  EXPECT_EQ(ended.marker, "^");
}

TEST(QuotedLines, AreCutAroundTheDifferenceWhereTheyAreHuge) {
  const std::string before(100000, 'a');
  const std::string behind(100000, 'z');
  const auto lines = quoted_lines(differing(before + '1' + behind, before + '2' + behind, before.size() + 1));
  EXPECT_EQ(lines.golden, "…" + std::string(100, 'a') + '1' + std::string(99, 'z') + "… (200001 characters)");
  EXPECT_EQ(lines.actual, "…" + std::string(100, 'a') + '2' + std::string(99, 'z') + "… (200001 characters)");
  EXPECT_EQ(marked(lines, lines.golden), "1");
  const auto shorter = quoted_lines(differing("ab", "ab" + behind, 3));
  EXPECT_EQ(shorter.golden, "ab (2 characters)");
  EXPECT_EQ(shorter.actual, "ab" + std::string(100, 'z') + "… (100002 characters)");
  EXPECT_EQ(shorter.marker, "  ^");
}

}  // namespace
}  // namespace torchbook::report
