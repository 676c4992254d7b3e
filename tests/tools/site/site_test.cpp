// Tests what the pages say, and that no text can act as markup.
#include <gtest/gtest.h>
#include <report/markup.h>
#include <support/texts.h>
#include <tools/site/site_content.h>

#include <algorithm>

namespace torchbook::test {
namespace {

site::SiteContent sample_content(bool different = false) {
  site::SiteContent content;
  content.not_compared = "there was none.";
  content.notebooks.push_back({.judged = sample(different)});
  return content;
}

TEST(Site, HasAnIndexAPageForEachNotebookAndWhatTheyLoad) {
  std::vector<std::string> names;
  for (const auto& file : site::site_files(sample_content())) names.push_back(file.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "colours.css", "style.css", "theme.js", "switches.js", "steps.js", "tables.js",
                       "origins.js", "engine.js", "computing.js", "computing.css", "lines.js", "lines.css",
                       "attention.js", "attention.css", "reading.css", "sample.html", "index.html"}));
  const auto index = text_of(sample_content(), "index.html");
  expect_part(index, "<a href=\"sample.html\">Sample</a>");
  EXPECT_FALSE(has(index, "porting.html"));
}

TEST(Site, APageReloadsOnlyIfTheContentHasAStamp) {
  auto content = sample_content();
  EXPECT_FALSE(has(text_of(content, "sample.html"), "reload"));
  content.stamp = "7";
  const auto files = site::site_files(content);
  EXPECT_EQ(files.back().name, "stamp.js");
  EXPECT_EQ(files.back().text, "torchbookStamp(\"7\");\n");
  for (const auto* page : {"sample.html", "index.html"})
    EXPECT_EQ(occurrences(text_of(content, page), "<script src=\"reload.js\" defer></script>"), 1) << page;
}

/// Returns the sample as the notebook that the index quotes.
site::SiteContent lesson_content() {
  auto content = sample_content();
  content.notebooks[0].judged.transcript.slug = "attention_by_hand";
  return content;
}

TEST(Site, HasASmallGptAfterTheLessons) {
  const auto content = lesson_content();
  expect_part(text_of(content, "index.html"), "<a href=\"small_gpt.html\">small GPT</a>");
  expect_part(text_of(content, "attention_by_hand.html"),
              "<a rel=\"next\" href=\"small_gpt.html\">A small GPT ");
  const auto page = text_of(content, "small_gpt.html");
  expect_part(page, "<a rel=\"prev\" href=\"attention_by_hand.html\">");
  for (const auto* name : {"gpt.js", "gpt_weights.js", "gpt.css"}) {
    expect_part(page, name);
    EXPECT_FALSE(text_of(content, name).empty()) << name;
  }
}

TEST(Site, ReservesTheSlugsOfItsOwnPages) {
  auto content = lesson_content();
  content.guide = "# Guide";
  for (const auto& [name, text] : site::site_files(content)) {
    const bool is_page = name.ends_with(".html") && name != "attention_by_hand.html";
    EXPECT_EQ(site::is_reserved(name.substr(0, name.find('.'))), is_page) << name;
  }
}

/// Returns the sample with notes: these above its cells, and one after them.
site::SiteContent content_with_notes(const std::vector<std::string>& notes) {
  auto content = sample_content();
  auto& items = content.notebooks[0].judged.transcript.items;
  std::erase_if(items, [](const auto& item) { return std::holds_alternative<notebook::Note>(item); });
  std::vector<std::variant<notebook::Cell, notebook::Note, notebook::Restored>> all;
  for (const auto& note : notes) all.emplace_back(notebook::Note{note});
  all.insert(all.end(), items.begin(), items.end());
  all.emplace_back(notebook::Note{"The end"});
  items = std::move(all);
  return content;
}

TEST(Site, ShowsTheMarkdownOfNotes) {
  const auto content = content_with_notes(
      {"# One & two", "An *idea* with `code`, $x_i$ and <b>\n\n1. a\n   - b\n\n```python\nx = 1\n```",
       "## Part\n\n![map](map.png)[here](part.html) [there](https://pytorch.org) [bad](javascript:x)\n\n| a "
       "|\n|---|\n| 1 |"});
  const auto page = text_of(content, "sample.html");
  expect_part(page,
              "<em>idea</em> with <code>code</code>, <code class=\"tex\">x_i</code> and "
              "&lt;b&gt;</p>\n<ol>\n<li>a<ul>");
  expect_part(page, "<pre><code>x = <span");
  expect_part(page, "<h2>Part</h2>\n<p>maphere <a href=\"https://pytorch.org\">there</a> bad</p>\n<table>");
}

TEST(Site, HasTheTitleAndTheSectionsOfTheNotebooksHeadings) {
  const auto content = content_with_notes({"# One & *two*", "An `idea`: it.", "Some words.\n\n### A *part*"});
  const auto page = text_of(content, "sample.html"), index = text_of(content, "index.html");
  expect_part(page, "<title>One &amp; two · torchbook</title>");
  expect_part(page, "<h1>One &amp; two</h1>");
  EXPECT_EQ(occurrences(page, "<h2 class=\"part\">"), 0U);
  expect_part(page, "<a href=\"#section-1\" title=\"One &amp; two\">One &amp; <em>two</em></a>");
  expect_part(page, "<a href=\"#section-2\" title=\"A part\">A <em>part</em></a>");
  EXPECT_FALSE(has(page, "section-3"));
  expect_part(
      index,
      "<h3><a href=\"sample.html\">One &amp; two</a></h3>\n<p class=\"intro\">An <code>idea</code>: it.</p>");
}

TEST(Site, HasASectionForEachNoteOfANotebookWithoutHeadings) {
  const auto page = text_of(content_with_notes({"An `idea`: it.", "1. More"}), "sample.html");
  expect_part(page, "<h1>Sample</h1>");
  expect_part(page, "<a href=\"#section-1\" title=\"An idea\">An <code>idea</code></a>");
  expect_part(page, "<a href=\"#section-3\" title=\"The end\">The end</a>");
}

TEST(Site, TellsEachCellsVerdict) {
  const auto equal = text_of(sample_content(), "sample.html");
  EXPECT_EQ(occurrences(equal, "equals the document"), 2U);  // the first of the three cells has no output
  EXPECT_EQ(occurrences(equal, "differs from the document"), 0U);
  expect_part(equal, "all 2 outputs equal the document");
  const auto different = text_of(sample_content(true), "sample.html");
  EXPECT_EQ(occurrences(different, "equals the document"), 1U);
  EXPECT_EQ(occurrences(different, "differs from the document"), 1U);
  expect_part(different, "1 of 2 outputs equal the document");
  expect_part(different,
              "<p>Line 2 of its stdout differs:</p><dl><dt>document</dt><dd><samp>B</samp></dd>"
              "<dt>here</dt><dd><samp>b</samp></dd></dl>");
}

TEST(SiteNotes, StayMarkdownIfTheirHtmlWouldBeFarLonger) {
  std::string table = "|";
  for (int i = 0; i < 100; ++i) table += "a|";  // MD4C 0.5 makes no table with more than 128
  table += "\n|";
  for (int i = 0; i < 100; ++i) table += "---|";
  for (int i = 0; i < 2000; ++i) table += "\na|b|";
  std::string links = "[a]: http://" + std::string(20'000, 'x') + "\n\n";
  for (int i = 0; i < 2000; ++i) links += "[a]";
  for (const auto& note : {table, links}) {
    const auto page = text_of(content_with_notes({note}), "sample.html");
    const bool md4c_stopped =
        page.find("</a>[a]") != page.npos;  // 0.5.3 leaves links as text at 16 times the note
    EXPECT_LT(page.size(), md4c_stopped ? 20 * note.size() : 200'000U);
    if (!md4c_stopped) expect_part(page, "<pre>" + note.substr(0, 20));
  }
}

/// Returns the site of a notebook whose second cell has an exception.
site::SiteContent excepted_content(golden::ExceptionKind kind, bool hold) {
  auto content = sample_content();
  content.notebooks[0].judged = sample_excepted(kind, hold);
  return content;
}

TEST(Site, TellsWhatIsKnownOfACell) {
  using golden::ExceptionKind;
  const auto page_with = [](ExceptionKind kind, bool hold) {
    return text_of(excepted_content(kind, hold), "sample.html");
  };
  const auto differs = page_with(ExceptionKind::differs, true);
  expect_part(
      differs,
      "neither\"><span aria-hidden=\"true\">–</span> differs from the document, as expected: the *why*");
  expect_part(
      differs,
      "good\"><span aria-hidden=\"true\">✓</span> 1 of 2 outputs equal the document, 1 as expected does not");
  expect_part(page_with(ExceptionKind::picture, true),
              "is not compared with the document, a picture: the *why*");
  expect_part(page_with(ExceptionKind::not_ported, true), "is not ported, as expected: the *why*");
  const auto untrue = page_with(ExceptionKind::differs, false);
  expect_part(untrue, "equals the document, but sample.exceptions:3, compiled in, says that it differs");
  expect_part(untrue, "bad\"><span aria-hidden=\"true\">✗</span> 1 exception no longer true");
  expect_part(untrue, "class=\"bad\">In [7]");
  auto content = sample_content();
  content.notebooks[0].judged = sample_not_ported();
  const auto not_ported = text_of(content, "sample.html");
  expect_part(not_ported, "is not ported: needs *x*");
  expect_part(not_ported, "1 cell not ported");
}

TEST(Site, TellsTheVerdictOfALivePyTorch) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  content.notebooks[0].live[2].verdict = golden::Verdict::equal;
  auto& other_bits = content.notebooks[0].live[3];  // its text is equal
  other_bits.verdict = golden::Verdict::equal_as_printed;
  other_bits.elements.push_back({.where = "stdout",
                                 .tensor = 1,
                                 .recorded = true,
                                 .values = {.index = {0}, .golden = "0.5", .actual = "0.50000006"}});
  const auto page = text_of(content, "sample.html");
  EXPECT_EQ(occurrences(page, "equals PyTorch 9.8.7, text and bits"), 1U);
  EXPECT_EQ(occurrences(page, "equals the text of PyTorch 9.8.7, not its bits"), 1U);
  expect_part(page, "1 of 2 outputs equal PyTorch 9.8.7, text and bits, 1 agrees as printed");
  EXPECT_FALSE(has(page, "not compared"));
}

TEST(Site, TellsAgreementAsPrintedFromADifference) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  golden::Judgement as_printed{.verdict = golden::Verdict::equal_as_printed,
                               .difference = golden::LineDifference{.where = "stdout"},
                               .golden_has_output = true};
  golden::Judgement different{.verdict = golden::Verdict::different,
                              .difference = golden::LineDifference{.where = "stdout"}};
  content.notebooks[0].judged.judgements[2] = content.notebooks[0].live[2] = as_printed;
  content.notebooks[0].live[3] = different;
  const auto page = text_of(content, "sample.html");
  expect_part(page, "equals the document as printed, not in every byte");
  expect_part(page, "equals PyTorch 9.8.7 as printed, not in every byte");
  expect_part(page, "differs from PyTorch 9.8.7");
  EXPECT_FALSE(has(page, "differs from the document"));
  expect_part(page, "1 of 2 outputs equal the document, 1 agrees as printed");
  expect_part(page, "0 of 2 outputs equal PyTorch 9.8.7, text and bits, 1 agrees as printed");
}

/// Returns the cells that are marked in the table of contents, or those that have a ✗ in their
/// heading.
std::vector<int> bad_cells(const std::string& page, bool in_contents) {
  std::vector<int> bad;
  for (int position = 1; position <= 3; ++position) {
    const auto link = "<a href=\"#cell-" + std::to_string(position) + "\"";
    const auto entry = page.find(link);
    const auto heading = page.find(link, entry + 1);
    const auto part = in_contents ? page.substr(entry, page.find("</li>", entry) - entry)
                                  : page.substr(heading, page.find("</div>", heading) - heading);
    if (has(part, in_contents ? "class=\"bad\"" : "✗")) bad.push_back(position);
  }
  return bad;
}

TEST(Site, MarksACellInTheContentsIfItsHeadingHasACross) {
  using Cells = std::vector<int>;
  const auto expect_bad = [](const site::SiteContent& content, const Cells& cells) {
    const auto page = text_of(content, "sample.html");
    EXPECT_EQ(bad_cells(page, true), cells) << page;
    EXPECT_EQ(bad_cells(page, false), cells) << page;
  };
  const auto judged = [](golden::JudgedTranscript one) {
    auto content = sample_content();
    content.notebooks[0].judged = std::move(one);
    return content;
  };
  expect_bad(sample_content(), {});
  expect_bad(judged(sample(true)), {2});
  expect_bad(judged(sample_of_other_bits()), {2});  // equal as printed
  expect_bad(judged(sample_that_threw()), {2, 3});
  expect_bad(judged(sample_not_ported()), {2});
  expect_bad(judged(sample_not_judged()), {1, 2, 3});
  for (const auto kind :
       {golden::ExceptionKind::differs, golden::ExceptionKind::picture, golden::ExceptionKind::not_ported}) {
    expect_bad(judged(sample_excepted(kind, true)), {});
    expect_bad(judged(sample_excepted(kind, false)), {2});
  }
  auto untrue = sample();  // the first cell has no output, though an exception says that it differs
  untrue.judgements.at(1).exception = {.position = 1, .reason = "why", .line = 3, .place = "s.exceptions:3"};
  EXPECT_FALSE(golden::passes(untrue, golden::Accept::printed));
  expect_bad(judged(untrue), {1});
  auto live = sample_content();
  live.pytorch.emplace().torch = "PyTorch 9.8.7";
  live.notebooks[0].live = sample_of_other_bits().judgements;
  expect_bad(live, {2});
}

TEST(Site, TellsWhereTheOperationsPart) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  golden::Judgement live{.verdict = golden::Verdict::different};
  live.partings.push_back({.kind = "random",
                           .what = "seeds",
                           .from = "@1",
                           .lines = {"follows from In [3] (@1): seeds", "  here  a < b", "  there c"}});
  live.partings.push_back({.kind = "text", .what = "only text", .lines = {"only text"}});
  content.notebooks[0].live[2] = live;
  const auto page = text_of(content, "sample.html");
  expect_part(page,
              "<p class=\"parting\"><a href=\"#cell-1\">follows from In [3] (@1): seeds</a></p>\n"
              "<pre>  here  a &lt; b\n  there c\n</pre>\n"
              "<p class=\"parting\">only text</p>\n</div>");
  EXPECT_EQ(occurrences(page, "Where its operations part"), 1U);
}

TEST(Site, OneThatThrewSaysSoAndWhatDidNotRun) {
  site::SiteContent content;
  content.notebooks.push_back({.judged = sample_that_threw()});
  const auto page = text_of(content, "sample.html");
  expect_part(page, "It threw: boom");
  expect_part(page, "did not run");
  expect_part(page, "1 cell did not run");
  expect_part(page, "1 cell threw");
  EXPECT_FALSE(has(page, "differs from the document"));
}

TEST(Site, TellsWhatATwinRaised) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  content.notebooks[0].live = sample_whose_twin_raised().judgements;
  const auto page = text_of(content, "sample.html");
  expect_part(page, "Its twin failed: sample.py:7: ValueError: no");
  expect_part(page, "threw in PyTorch 9.8.7");
  expect_part(page, "1 cell threw");
  expect_part(page, "equals the document");
}

TEST(Site, TellsWhyANotebookWasNotJudged) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  content.notebooks[0].judged = sample_not_judged();
  content.notebooks[0].live_failure = "sample.py:2: no <cell>";
  const auto page = text_of(content, "sample.html");
  expect_part(page, "Not compared with the document: sample.txt:4: expected a cell&#39;s &lt;heading&gt;");
  expect_part(page, "Not compared with PyTorch: sample.py:2: no &lt;cell&gt;");
  expect_part(page, "not compared with the document");
  EXPECT_FALSE(has(page, "did not run"));
  const auto index = text_of(content, "index.html");
  expect_part(index, "1 notebook not compared with the document");
  expect_part(index, "1 notebook not compared with PyTorch");
}

TEST(Site, HostileTextStaysText) {
  for (const auto& [name, text] : site::site_files(hostile_content())) {
    if (!name.ends_with(".html")) continue;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."),
              name.npos);
    EXPECT_FALSE(has(text, "<script>")) << name;
    EXPECT_FALSE(has(text, "<!-- ")) << name;
    EXPECT_FALSE(has(text, "<b onclick")) << name;
    EXPECT_FALSE(has(text, "href=\"javascript:")) << name;
    EXPECT_FALSE(has(text, "\x01")) << name;
    EXPECT_FALSE(has(text, "\xff")) << name;
    EXPECT_FALSE(has(text, "\u202e") || has(text, "\u009b")) << name;
    expect_part(text, "&lt;/script&gt;");
  }
}

TEST(Site, EveryFieldIsOnAPageAsItStandsOrPictured) {
  const auto files = site::site_files(hostile_content());
  std::string shown;
  for (const auto& file : files) {
    if (file.name.ends_with(".html")) shown += without_html(file.text);
  }
  for (const char* field :
       {"label",           "stdout",        "result",         "source",         "twin",
        "error",           "document",      "note",           "code in a note", "restored",
        "restored source", "restored twin", "restored error", "golden",         "actual",
        "here torch",      "here build",    "here cpu",       "here blas",      "here compiler",
        "pytorch torch",   "pytorch build", "guide code"}) {
    std::string expected = hostile(field);
    using Picture = std::pair<std::string, std::string>;
    for (const auto& [byte, picture] : {Picture{"\x01", "␁"},
                                        {"\x7f", "␡"},
                                        {"\xff", "<0xFF>"},
                                        {"\u202e", "<U+202E>"},
                                        {"\u009b", "<U+009B>"}}) {
      expected.replace(expected.find(byte), byte.size(), picture);
    }
    expect_part(shown, expected);
  }
}

}  // namespace
}  // namespace torchbook::test
