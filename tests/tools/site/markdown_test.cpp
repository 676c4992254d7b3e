// Tests texts that are escaped for Markdown, as md4c reads them with GitHub's extensions.
#include <gtest/gtest.h>
#include <md4c-html.h>
#include <md4c.h>
#include <torchbook/report/documents/markdown.h>

#include <string>

namespace torchbook::report {
namespace {

/// Returns the Markdown as rendered HTML.
std::string html(const std::string& markdown) {
  std::string html;
  const auto append = [](const char* text, unsigned size, void* to) {
    static_cast<std::string*>(to)->append(text, size);
  };
  EXPECT_EQ(md_html(markdown.data(), static_cast<unsigned>(markdown.size()), append, &html,
                    MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS, 0),
            0);
  return html;
}

std::string paragraph(const std::string& text) { return html(markdown_paragraph(text)); }

TEST(MarkdownParagraph, IsReadAsTheTextThatItWasMadeOf) {
  EXPECT_EQ(paragraph("*a* **b** _c_ __d__ e_f ~~g~~ ~h~"), "<p>*a* **b** _c_ __d__ e_f ~~g~~ ~h~</p>\n");
  EXPECT_EQ(paragraph("<b>a</b> <!-- b --> &amp; &#36; a < b"),
            "<p>&lt;b&gt;a&lt;/b&gt; &lt;!-- b --&gt; &amp;amp; &amp;#36; a &lt; b</p>\n");
  EXPECT_EQ(paragraph("[a](b) ![c](d) [e]: f <http://g>"), "<p>[a](b) ![c](d) [e]: f &lt;http://g&gt;</p>\n");
  EXPECT_EQ(paragraph("$a$ $$b$$ \\(c\\) \\* |d|e|"), "<p>$a$ $$b$$ \\(c\\) \\* |d|e|</p>\n");
}

TEST(MarkdownParagraph, IsNoHeadingListOrQuote) {
  for (const std::string start : {"# a", "- a", "+ a", "* a", "1. a", "12) a", "1.", "12)", "> a",
                                  "===", "---", "***", "| a |", "``` a", "~~~ a", "[ ] a"}) {
    const auto read = paragraph(start);
    EXPECT_EQ(read.find("<p>"), 0U) << start << " is read as " << read;
    EXPECT_EQ(read.find('<', 1), read.size() - 5) << start << " is read as " << read;
  }
  EXPECT_EQ(paragraph("    indented"), "<p>indented</p>\n");
  EXPECT_EQ(paragraph("1. a"), "<p>1. a</p>\n");
}

TEST(MarkdownParagraph, IsOneLine) { EXPECT_EQ(paragraph("a\n\n# b\r\nc\t d \n"), "<p>a # b c d</p>\n"); }

TEST(MarkdownParagraph, HasCodeBetweenTwoBackticks) {
  EXPECT_EQ(paragraph("`a<b>*c*` d"), "<p><code>a&lt;b&gt;*c*</code> d</p>\n");
  EXPECT_EQ(paragraph("a ` b"), "<p>a ` b</p>\n");
  EXPECT_EQ(paragraph("a `b` c ` d"), "<p>a <code>b</code> c ` d</p>\n");
  EXPECT_EQ(paragraph("``a``"), "<p>``a``</p>\n");
  EXPECT_EQ(paragraph("`a`` <b>"), "<p>`a`` &lt;b&gt;</p>\n");
  EXPECT_EQ(paragraph("``a` b"), "<p>``a` b</p>\n");
}

TEST(MarkdownFence, ShowsHostileTextAsText) {
  EXPECT_EQ(html(markdown_fence(
                "```\n<script>alert(1)</script> $x_1$ *a* \x1b[31mred\a\r\xff &amp; ````\n# h", "cpp")),
            "<pre><code class=\"language-cpp\">```\n&lt;script&gt;alert(1)&lt;/script&gt; $x_1$ *a* "
            "␛[31mred␇␍&lt;0xFF&gt; &amp;amp; ````\n# h\n</code></pre>\n");
}

}  // namespace
}  // namespace torchbook::report
