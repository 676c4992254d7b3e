// Tests texts that are escaped for Markdown, as they are written. tests/tools/site reads them with a reader
// of Markdown.
#include <gtest/gtest.h>
#include <torchbook/report/documents/markdown.h>

#include <string>
#include <utility>

namespace torchbook::report {
namespace {

TEST(MarkdownParagraph, EscapesWhatCommonMarkWouldRead) {
  const std::string prose =
      "K_1 are keys (3, 3), one a word: 13 against 9. What `a_b * c` does, and W_k1 - it's C++!";
  const std::pair<const char*, std::string> texts[] = {
      {"", ""},
      {prose.c_str(), prose},
      {" a \n\n b\t\r\n", "a b"},
      {"<b>&", "&lt;b&gt;&amp;"},
      {"*a* ~b~ |c| $d$ [e]", "\\*a\\* \\~b\\~ \\|c\\| \\$d\\$ \\[e]"},
      {"\\n", "\\\\n"},
      {"_a_ _b c_d", "\\_a\\_ \\_b c_d"},  // within a word, no emphasis begins or ends
      {"# a # b", "\\# a # b"},            // a heading or an item begins a line
      {"+ a", "\\+ a"},
      {"- a - b", "\\- a - b"},
      {"12. a", "12\\. a"},
      {"12) a", "12\\) a"},
      {"1.", "1\\."},
      {". a", ". a"},
      {"12", "12"},
      {"1.5", "1.5"},
      {"1, a", "1, a"},
      {"a 1. b", "a 1. b"},
      {"a `*b*` *c*", "a `*b*` \\*c\\*"},      // code stays as it is
      {"`<a>``b`", "\\`&lt;a&gt;\\`\\`b\\`"},  // two backticks do not close one
      {"``*a*``", "\\`\\`\\*a\\*\\`\\`"},
      {"`a` `b", "`a` \\`b"},
  };
  for (const auto& [text, expected] : texts) EXPECT_EQ(markdown_paragraph(text), expected) << text;
}

TEST(MarkdownFence, IsLongerThanWhatItHolds) {
  EXPECT_EQ(markdown_fence("a", "cpp"), "```cpp\na\n```");
  EXPECT_EQ(markdown_fence("a\n", "cpp"), "```cpp\na\n```");
  EXPECT_EQ(markdown_fence("```", "text"), "````text\n```\n````");
  EXPECT_EQ(markdown_fence("```\n`````", "text"), "``````text\n```\n`````\n``````");
}

}  // namespace
}  // namespace torchbook::report
