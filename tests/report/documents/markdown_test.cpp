// Tests the Markdown report as it is written, and as md4c reads it with GitHub's extensions.
#include <gtest/gtest.h>
#include <md4c-html.h>
#include <md4c.h>
#include <report/samples.h>
#include <support/texts.h>
#include <torchbook/report/documents/markdown.h>

#include <string>
#include <vector>

namespace torchbook::report {
namespace {

std::string report(const golden::JudgedTranscript& judged, Sources sources = Sources::both) {
  return markdown_report(std::span(&judged, 1), sources);
}

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

TEST(Markdown, ShowsNotesSourcesAndOutputs) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Cell>(judged.transcript.items[3]).twin = "f(2)";
  EXPECT_EQ(report(judged),
            "# sample\n"
            "\n"
            "000.txt, ported to LibTorch. This run: 1 notebook, 3 cells, 2 outputs: 2 equal.\n"
            "\n"
            "## In \\[3]\n"
            "\n"
            "```cpp\nreturn f(1);\n// done\n```\n"
            "\n"
            "What comes next.\n"
            "\n"
            "## Restored state\n"
            "\n"
            "The seed.\n"
            "\n"
            "```cpp\nseed(1);\n```\n"
            "\n"
            "## In \\[7]\n"
            "\n"
            "```python\nf(2)\n```\n"
            "\n"
            "```cpp\nreturn f(2);\n// done\n```\n"
            "\n"
            "Prints:\n"
            "\n"
            "```text\na\nb\n```\n"
            "\n"
            "Displays:\n"
            "\n"
            "```text\ntensor([1.])\n```\n"
            "\n"
            "## In \\[None]\n"
            "\n"
            "```cpp\nreturn f(3);\n// done\n```\n"
            "\n"
            "Displays:\n"
            "\n"
            "```text\nTrue\n```\n");
}

TEST(Markdown, ShowsTheSourcesAskedFor) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Cell>(judged.transcript.items[3]).twin = "f(2)";
  const auto python = report(judged, Sources::python);
  test::expect_part(python, "```python\nf(2)\n```");
  EXPECT_EQ(python.find("```cpp"), python.npos);
  const auto cpp = report(judged, Sources::cpp);
  EXPECT_EQ(cpp.find("```python"), cpp.npos);
  test::expect_part(cpp, "```cpp");
  const auto none = report(judged, Sources::none);
  EXPECT_EQ(none.find("f("), none.npos);
  test::expect_part(none, "tensor([1.])");
}

TEST(Markdown, OfSeveralRunsHasAHeadingForEach) {
  const std::vector<golden::JudgedTranscript> runs = {test::sample(), test::sample()};
  EXPECT_EQ(markdown_report(runs, Sources::both), report(runs[0]) + "\n" + report(runs[1]));
}

TEST(Markdown, SaysWhatDiffersAndWhatThrew) {
  const auto different = report(test::sample(true));
  test::expect_part(
      different,
      "```\n\n**The cell differs from its golden.**\n\n```text\n  line 2 of its stdout:\n    golden  B\n"
      "    here    b\n            ^\n```\n\n## In \\[None]");
  const auto bits = report(test::sample_of_other_bits());
  test::expect_part(bits,
                    "**The cell prints what its golden has, of other bits.**\n\n```text\n"
                    "  tensor 1 of its result, element [0, 1]:\n    golden  1.0\n    here    1.0000001\n");
  const auto threw = report(test::sample_that_threw());
  EXPECT_TRUE(threw.ends_with("Threw:\n\n```text\nboom\n```\n")) << threw;
}

TEST(Markdown, SaysWhyItWasNotJudged) {
  const auto text = report(test::sample_not_judged());
  test::expect_part(text,
                    "0 equal, 1 notebook not judged.\n\n"
                    "**Not judged**: sample.txt:4: expected a cell's &lt;heading&gt;\n");
}

TEST(Markdown, OfSomeCellsHasThoseOnly) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Cell>(judged.transcript.items[0]).selected = false;
  judged.judgements.erase(1);
  const auto text = report(judged);
  EXPECT_EQ(text.find("In \\[3]"), text.npos);
  EXPECT_EQ(text.find("What comes next."), text.npos);
  test::expect_part(text, "In \\[7]");
}

TEST(MarkdownParagraph, LeavesProseAsItIs) {
  const std::string prose =
      "Keys (3, 3), one a word: 13 against 9. What `a_b * c` does, and W_k1 - it's C++!";
  EXPECT_EQ(markdown_paragraph(prose), prose);
}

TEST(MarkdownParagraph, IsReadAsTheTextThatItWasMadeOf) {
  EXPECT_EQ(paragraph("*a* **b** _c_ __d__ e_f ~~g~~ ~h~"), "<p>*a* **b** _c_ __d__ e_f ~~g~~ ~h~</p>\n");
  EXPECT_EQ(paragraph("<b>a</b> <!-- b --> &amp; &#36; a < b"),
            "<p>&lt;b&gt;a&lt;/b&gt; &lt;!-- b --&gt; &amp;amp; &amp;#36; a &lt; b</p>\n");
  EXPECT_EQ(paragraph("[a](b) ![c](d) [e]: f <http://g>"), "<p>[a](b) ![c](d) [e]: f &lt;http://g&gt;</p>\n");
  EXPECT_EQ(paragraph("$a$ $$b$$ \\(c\\) \\* |d|e|"), "<p>$a$ $$b$$ \\(c\\) \\* |d|e|</p>\n");
}

TEST(MarkdownParagraph, IsNoHeadingListOrQuote) {
  for (const std::string start : {"# a", "- a", "+ a", "* a", "1. a", "12) a", "> a", "===", "---", "***",
                                  "| a |", "``` a", "~~~ a", "[ ] a"}) {
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
}

TEST(MarkdownFence, IsLongerThanWhatItHolds) {
  EXPECT_EQ(markdown_fence("a", "cpp"), "```cpp\na\n```\n");
  EXPECT_EQ(markdown_fence("a\n", "cpp"), "```cpp\na\n```\n");
  EXPECT_EQ(markdown_fence("```\n`````", "text"), "``````text\n```\n`````\n``````\n");
}

TEST(Markdown, OfHostileTextIsReadAsText) {
  const std::string text =
      "```\n&lt;script&gt;alert(1)&lt;/script&gt; $x_1$ *a* ␛[31mred␛[0m␇␍&lt;0xFF&gt; &amp;amp; ````\n# h\n";
  const auto code = [&](const std::string& language) {
    return "<pre><code class=\"language-" + language + "\">" + text + "</code></pre>\n";
  };
  EXPECT_EQ(html(report(test::hostile())),
            "<h1>a_b&lt;i&gt;</h1>\n"
            "<p>*000*.txt, ported to LibTorch. This run: 1 notebook, 1 cell, 1 output: 1 equal.</p>\n"
            "<p>- &lt;b&gt;*a*&lt;/b&gt; _b_ [c](d) $e$ ~~f~~ &amp;amp; <code>g&lt;i&gt;</code> `` | \\ "
            "␛&lt;0xFF&gt; # "
            "h</p>\n"
            "<h2>Restored state</h2>\n"
            "<p>1. `</p>\n" +
                code("python") + code("cpp") + "<h2>In [&lt;u&gt;]</h2>\n" + code("python") + code("cpp") +
                "<p>Prints:</p>\n" + code("text") + "<p>Displays:</p>\n" + code("text"));
}

TEST(Markdown, EscapesWhatIsKnownOfACell) {
  const auto run = test::sample_excepted(golden::ExceptionKind::not_ported, true);
  const auto text = markdown_report(std::span(&run, 1), Sources::none);
  test::expect_part(text, "**The cell is not ported, as expected: the \\*why\\*.**\n");
}

}  // namespace
}  // namespace torchbook::report
