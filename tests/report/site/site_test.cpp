// Tests what the pages say, and that no text can act as markup.
#include <gtest/gtest.h>
#include <report/markup.h>
#include <report/site/site_content.h>
#include <report/traced_run.h>

#include <algorithm>

namespace torchbook::test {
namespace {

report::SiteContent content_of(notebook::Transcript transcript, const golden::Golden& golden) {
  report::SiteContent content;
  content.not_compared = "there was none.";
  content.notebooks.push_back({.judged = golden::judge(std::move(transcript), golden)});
  return content;
}

report::SiteContent sample_content(bool different = false) {
  report::SiteContent content;
  content.not_compared = "there was none.";
  content.notebooks.push_back({.judged = sample(different)});
  return content;
}

std::string text_of(const report::SiteContent& content, const std::string& name) {
  for (const auto& file : report::site_files(content)) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Returns a cell that displays a matrix and a cell that displays its softmax.
/// Returns a trace of the cells of content_with_tensors(). `second` runs in the second of them, and `third`
/// shows the tensor of the third.
std::string trace_of_tensors(
    const std::function<void(notebook::Notebook&)>& second,
    const std::function<void(notebook::Notebook&, const at::Tensor&)>& third =
        [](notebook::Notebook& nb, const at::Tensor& scores) { nb.display(at::softmax(scores, 0)); }) {
  const auto scores = at::tensor({0.F, 0.F, 1.F, 1.F}).view({2, 2});
  return traced_run({[&](notebook::Notebook& nb) { nb.display(scores); },
                     [&](notebook::Notebook& nb) {
                       second(nb);
                       nb.print(at::ones({2, 2}));
                     },
                     [&](notebook::Notebook& nb) { third(nb, scores); }})
      .transcript.trace;
}

report::SiteContent content_with_tensors() {
  notebook::Cell scores = cell(1, "1", "", "tensor([[0., 0.],\n        [1., 1.]])");
  scores.tensors = {tensor({2, 2}, {0, 0, 1, 1})};
  notebook::Cell weights =
      cell(2, "2", "a = tensor([[0.5000, 0.5000],\n        [0.2689, 0.7311]])\n", std::nullopt);
  weights.tensors = {tensor({2, 2}, {0.5F, 0.5F, 0.268941432F, 0.731058598F})};
  notebook::Cell other = cell(3, "None", "", "tensor([[0.2689, 0.2689],\n        [0.7311, 0.7311]])");
  other.tensors = {tensor({2, 2}, {0.268941432F, 0.268941432F, 0.731058598F, 0.731058598F})};
  notebook::Transcript transcript{
      .slug = "tensors", .document = "000.txt", .items = {scores, weights, other}};
  transcript.trace = trace_of_tensors([](notebook::Notebook&) {});
  golden::Golden golden{.slug = "tensors", .document = "000.txt", .cells = {}};
  for (const notebook::Cell& one : {scores, weights, other}) {
    golden.cells.push_back(
        {.position = one.position, .label = one.label, .out = one.out, .result = one.result});
  }
  return content_of(std::move(transcript), golden);
}

TEST(Site, HasAnIndexAPageForEachNotebookAndWhatTheyLoad) {
  std::vector<std::string> names;
  for (const auto& file : report::site_files(sample_content())) names.push_back(file.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"colours.css", "style.css", "theme.js", "switches.js", "steps.js",
                                      "tables.js", "origins.js", "sample.html", "index.html"}));
  const auto index = text_of(sample_content(), "index.html");
  EXPECT_TRUE(has(index, "<a href=\"sample.html\">Sample</a>"));
  EXPECT_FALSE(has(index, "porting.html"));
}

TEST(Site, TellsEachCellsVerdict) {
  const auto equal = text_of(sample_content(), "sample.html");
  EXPECT_EQ(occurrences(equal, "equals the document"), 2U);  // the first of the three cells has no output
  EXPECT_EQ(occurrences(equal, "differs from the document"), 0U);
  EXPECT_TRUE(has(equal, "all 2 outputs equal the document"));
  const auto different = text_of(sample_content(true), "sample.html");
  EXPECT_EQ(occurrences(different, "equals the document"), 1U);
  EXPECT_EQ(occurrences(different, "differs from the document"), 1U);
  EXPECT_TRUE(has(different, "1 of 2 outputs equal the document"));
  EXPECT_TRUE(has(different,
                  "<p>Line 2 of its stdout differs:</p><dl><dt>document</dt><dd><samp>B</samp></dd>"
                  "<dt>here</dt><dd><samp>b</samp></dd></dl>"));
}

/// Returns the site of a notebook whose second cell has an exception.
report::SiteContent excepted_content(golden::ExceptionKind kind, bool hold) {
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
  EXPECT_TRUE(
      has(differs,
          "neither\"><span aria-hidden=\"true\">–</span> differs from the document, as expected: the *why*"))
      << differs;
  EXPECT_TRUE(has(
      differs,
      "good\"><span aria-hidden=\"true\">✓</span> 1 of 2 outputs equal the document, 1 as expected does not"))
      << differs;
  EXPECT_TRUE(has(page_with(ExceptionKind::picture, true),
                  "is not compared with the document, a picture: the *why*"));
  EXPECT_TRUE(has(page_with(ExceptionKind::not_ported, true), "is not ported, as expected: the *why*"));
  const auto untrue = page_with(ExceptionKind::differs, false);
  EXPECT_TRUE(has(untrue, "equals the document, but sample.exceptions:3 says that it differs")) << untrue;
  EXPECT_TRUE(has(untrue, "bad\"><span aria-hidden=\"true\">✗</span> 1 exception no longer true")) << untrue;
  EXPECT_TRUE(has(untrue, "class=\"bad\">In [7]")) << untrue;
  auto content = sample_content();
  content.notebooks[0].judged = sample_not_ported();
  const auto not_ported = text_of(content, "sample.html");
  EXPECT_TRUE(has(not_ported, "is not ported: needs *x*")) << not_ported;
  EXPECT_TRUE(has(not_ported, "1 cell not ported")) << not_ported;
}

TEST(Site, TellsWhyNoPyTorchWasThere) {
  EXPECT_TRUE(
      has(text_of(sample_content(), "index.html"), "Not compared with a live PyTorch: there was none."));
  EXPECT_TRUE(has(text_of(sample_content(), "sample.html"), "not compared with a live PyTorch"));
}

TEST(Site, TellsTheVerdictOfALivePyTorch) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  content.notebooks[0].live[2].verdict = golden::Verdict::equal;
  content.notebooks[0].live[3].verdict =
      golden::Verdict::equal_as_printed;  // its text is equal; only bits differ
  const auto page = text_of(content, "sample.html");
  EXPECT_EQ(occurrences(page, "equals PyTorch 9.8.7, text and bits"), 1U);
  EXPECT_EQ(occurrences(page, "equals the text of PyTorch 9.8.7, not its bits"), 1U);
  EXPECT_TRUE(has(page, "1 of 2 outputs equal PyTorch 9.8.7, text and bits, 1 agrees as printed"));
  EXPECT_FALSE(has(page, "not compared"));
}

TEST(Site, TellsAgreementAsPrintedFromADifference) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  golden::Judgement as_printed{.verdict = golden::Verdict::equal_as_printed,
                               .difference = golden::Difference{.where = "stdout"}};
  golden::Judgement different{.verdict = golden::Verdict::different,
                              .difference = golden::Difference{.where = "stdout"}};
  content.notebooks[0].judged.judgements[2] = content.notebooks[0].live[2] = as_printed;
  content.notebooks[0].live[3] = different;
  const auto page = text_of(content, "sample.html");
  EXPECT_TRUE(has(page, "agrees with the document as printed, not byte for byte"));
  EXPECT_TRUE(has(page, "agrees with PyTorch 9.8.7 as printed, not byte for byte"));
  EXPECT_TRUE(has(page, "differs from PyTorch 9.8.7"));
  EXPECT_FALSE(has(page, "differs from the document"));
  EXPECT_TRUE(has(page, "1 of 2 outputs equal the document, 1 agrees as printed"));
  EXPECT_TRUE(has(page, "0 of 2 outputs equal PyTorch 9.8.7, text and bits, 1 agrees as printed"));
}

TEST(Site, OneThatThrewSaysSoAndWhatDidNotRun) {
  report::SiteContent content;
  content.notebooks.push_back({.judged = sample_that_threw()});
  const auto page = text_of(content, "sample.html");
  EXPECT_TRUE(has(page, "It threw: boom"));
  EXPECT_TRUE(has(page, "did not run"));
  EXPECT_TRUE(has(page, "1 cell did not run"));
  EXPECT_TRUE(has(page, "1 cell threw"));
  EXPECT_FALSE(has(page, "differs from the document"));
}

TEST(Site, TellsWhatATwinRaised) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  content.notebooks[0].live = sample_whose_twin_raised().judgements;
  const auto page = text_of(content, "sample.html");
  EXPECT_TRUE(has(page, "Its PyTorch failed: sample.py:7: ValueError: no"));
  EXPECT_TRUE(has(page, "threw in PyTorch 9.8.7"));
  EXPECT_TRUE(has(page, "1 cell threw"));
  EXPECT_TRUE(has(page, "equals the document"));
}

TEST(Site, TellsWhyANotebookWasNotJudged) {
  auto content = sample_content();
  content.pytorch.emplace().torch = "PyTorch 9.8.7";
  content.notebooks[0].judged = sample_not_judged();
  content.notebooks[0].live_failure = "sample.py:2: no <cell>";
  const auto page = text_of(content, "sample.html");
  EXPECT_TRUE(
      has(page, "Not compared with the document: sample.txt:4: expected a cell&#39;s &lt;heading&gt;"));
  EXPECT_TRUE(has(page, "Not compared with PyTorch: sample.py:2: no &lt;cell&gt;"));
  EXPECT_TRUE(has(page, "not compared with the document"));
  EXPECT_FALSE(has(page, "did not run"));
  const auto index = text_of(content, "index.html");
  EXPECT_TRUE(has(index, "1 notebook not compared with the document"));
  EXPECT_TRUE(has(index, "1 notebook not compared with PyTorch"));
}

TEST(Site, ShowsTensorsAsTablesWithTheirPrintedNumbers) {
  const auto page = text_of(content_with_tensors(), "tensors.html");
  EXPECT_EQ(occurrences(page, "<table class=\"heat\""), 3U);
  EXPECT_TRUE(has(page, "<th scope=\"col\">1</th>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">1</th><td style=\"background:#08306b;color:#ffffff\">1.</td>"));
  EXPECT_TRUE(has(page, "<span data-of=\"t2-1\" data-i=\"3\">0.7311</span>"));
  EXPECT_TRUE(has(page, "data-values=\"0.5 0.5 0.26894143 0.7310586\""));
}

TEST(Site, ClaimsTheOriginThatIsThere) {
  const auto page = text_of(content_with_tensors(), "tensors.html");
  EXPECT_EQ(occurrences(page, "data-origin="), 1U);
  EXPECT_TRUE(has(page, "id=\"t3-1\" data-name=\"cell 3\" data-shape=\"2 2\""));
  EXPECT_TRUE(has(page, "= softmax of <a href=\"#t1-1\">In [1]</a> along dim 0"));
}

TEST(Site, SaysWhatIsNoProductAsAFormulaWithoutNumbers) {
  auto content = content_with_tensors();
  const auto with_formula = [](notebook::Notebook& nb, const at::Tensor& scores) {
    nb.display(scores.exp() / 2);
  };
  content.notebooks[0].judged.transcript.trace = trace_of_tensors([](notebook::Notebook&) {}, with_formula);
  const auto page = text_of(content, "tensors.html");
  EXPECT_EQ(occurrences(page, "data-origin="), 0U);
  EXPECT_TRUE(has(page, "<p class=\"origin\">= exp(<a href=\"#t1-1\">In [1]</a>) / 2</p>"));
}

TEST(Site, ShowsWhatACellComputedOnTheWay) {
  auto content = content_with_tensors();
  content.notebooks[0].judged.transcript.trace =
      trace_of_tensors([](notebook::Notebook&) { at::softmax(counted(2, 2), 1); });
  const auto page = text_of(content, "tensors.html");
  EXPECT_EQ(occurrences(page, "Used here but not shown:"), 1U);
  EXPECT_TRUE(has(page, "id=\"u2-1\" data-name=\"unshown tensor 1 of In [2]\""));
  EXPECT_TRUE(has(page, "unshown tensor 1: torch.float32, 2 × 2</caption>"));
  EXPECT_EQ(occurrences(text_of(content_with_tensors(), "tensors.html"), "Used here"), 0U);
}

TEST(Site, ShowsAMatrixAfterTheOtherOfRankThreeAndRoundsWhatASummaryHides) {
  notebook::Cell cube = cell(1, "1", "", "tensor([[[1.]],\n\n        [[2.]]])");
  cube.tensors = {tensor({2, 1, 1}, {1, 2})};
  notebook::Cell summary = cell(2, "2", "", "tensor([0.1000, 0.2000, 0.3000,  ..., 0.4000, 0.5000, 0.6000])");
  summary.tensors = {tensor({8}, {0.1F, 0.2F, 0.3F, 0.35F, 0.123456F, 0.4F, 0.5F, 0.6F})};
  notebook::Cell large = cell(3, "3", "", "tensor([...])");
  large.tensors = {tensor({1025}, std::vector<float>(1025, 1))};
  notebook::Transcript transcript{.slug = "ranks", .document = "000.txt", .items = {cube, summary, large}};
  golden::Golden golden{.slug = "ranks", .document = "000.txt", .cells = {}};
  for (const notebook::Cell& one : {cube, summary, large}) {
    golden.cells.push_back({.position = one.position, .label = one.label, .out = "", .result = one.result});
  }
  const auto page = text_of(content_of(std::move(transcript), golden), "ranks.html");
  EXPECT_TRUE(has(page, "<p class=\"slices\">torch.float32, 2 × 1 × 1</p>"));
  EXPECT_TRUE(has(page, "[0]</caption>"));
  EXPECT_TRUE(has(page, "[1]</caption>"));
  EXPECT_TRUE(has(page, "data-first=\"1\" data-columns=\"1\""));
  EXPECT_TRUE(has(page, "<span data-of=\"t1-1\" data-i=\"1\">2.</span>"));
  EXPECT_TRUE(has(page, ">0.1235</td>"));
  EXPECT_FALSE(has(page, "data-of=\"t2-1\""));
  EXPECT_FALSE(has(page, "id=\"t3-1\""));
}

TEST(Site, GivesTheSameBytesAgain) {
  const auto first = report::site_files(content_with_tensors());
  const auto again = report::site_files(content_with_tensors());
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].text, again[i].text) << first[i].name;
}

TEST(Site, HostileTextStaysText) {
  for (const auto& [name, text] : report::site_files(hostile_content())) {
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
    EXPECT_TRUE(has(text, "&lt;/script&gt;")) << name;
  }
}

TEST(Site, EveryFieldIsOnAPageAsItStandsOrPictured) {
  const auto files = report::site_files(hostile_content());
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
    EXPECT_TRUE(has(shown, expected)) << field;
  }
}

}  // namespace
}  // namespace torchbook::test
