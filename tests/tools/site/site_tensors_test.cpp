// Tests how pages show tensors and their origins.
#include <gtest/gtest.h>
#include <support/texts.h>
#include <tools/site/origin/traced_run.h>
#include <tools/site/site_content.h>

#include <functional>

namespace torchbook::test {
namespace {

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

/// Returns a site with one notebook whose cells equal their golden.
site::SiteContent content_of(const std::string& slug, const std::vector<notebook::Cell>& cells,
                             const std::string& trace = "") {
  notebook::Transcript transcript{.slug = slug, .document = "000.txt", .items = {}, .trace = trace};
  golden::Golden golden{.slug = slug, .document = "000.txt", .cells = {}};
  for (const auto& cell : cells) {
    transcript.items.emplace_back(cell);
    golden.cells.push_back(
        {.position = cell.position, .label = cell.label, .out = cell.out, .result = cell.result});
  }
  return {.notebooks = {{.judged = golden::judge(std::move(transcript), golden)}},
          .not_compared = "there was none."};
}

/// Returns a notebook with a cell that displays a matrix, and one that displays its softmax.
site::SiteContent content_with_tensors() {
  notebook::Cell scores = cell(1, "1", "", "tensor([[0., 0.],\n        [1., 1.]])");
  scores.tensors = {tensor({2, 2}, {0, 0, 1, 1})};
  notebook::Cell weights =
      cell(2, "2", "a = tensor([[0.5000, 0.5000],\n        [0.2689, 0.7311]])\n", std::nullopt);
  weights.tensors = {tensor({2, 2}, {0.5F, 0.5F, 0.268941432F, 0.731058598F})};
  notebook::Cell other = cell(3, "None", "", "tensor([[0.2689, 0.2689],\n        [0.7311, 0.7311]])");
  other.tensors = {tensor({2, 2}, {0.268941432F, 0.268941432F, 0.731058598F, 0.731058598F})};
  return content_of("tensors", {scores, weights, other}, trace_of_tensors([](notebook::Notebook&) {}));
}

TEST(SiteTensors, ShowsTensorsAsTablesWithTheirPrintedNumbers) {
  const auto page = text_of(content_with_tensors(), "tensors.html");
  EXPECT_EQ(occurrences(page, "<table class=\"heat\""), 3U);
  expect_part(page, "<th scope=\"col\">1</th>");
  expect_part(page, "<th scope=\"row\">1</th><td style=\"background:#08306b;color:#ffffff\">1.</td>");
  expect_part(page, "<span data-of=\"t2-1\" data-i=\"3\">0.7311</span>");
  expect_part(page, "data-values=\"0.5 0.5 0.26894143 0.7310586\"");
}

TEST(SiteTensors, ClaimsTheOriginThatIsThere) {
  const auto page = text_of(content_with_tensors(), "tensors.html");
  EXPECT_EQ(occurrences(page, "data-origin="), 1U);
  expect_part(page, "id=\"t3-1\" data-name=\"cell 3\" data-shape=\"2 2\"");
  expect_part(page, "= softmax of <a href=\"#t1-1\">In [1]</a> along dim 0");
}

TEST(SiteTensors, SaysWhatIsNoProductAsAFormulaWithoutNumbers) {
  auto content = content_with_tensors();
  const auto with_formula = [](notebook::Notebook& nb, const at::Tensor& scores) {
    nb.display(scores.exp() / 2);
  };
  content.notebooks[0].judged.transcript.trace = trace_of_tensors([](notebook::Notebook&) {}, with_formula);
  const auto page = text_of(content, "tensors.html");
  EXPECT_EQ(occurrences(page, "data-origin="), 0U);
  expect_part(page, "<p class=\"origin\">= exp(<a href=\"#t1-1\">In [1]</a>) / 2</p>");
}

TEST(SiteTensors, ShowsWhatACellComputedOnTheWay) {
  auto content = content_with_tensors();
  content.notebooks[0].judged.transcript.trace =
      trace_of_tensors([](notebook::Notebook&) { at::softmax(counted(2, 2), 1); });
  const auto page = text_of(content, "tensors.html");
  expect_part(page, "<summary>2 tensors inside: view, softmax</summary>");
  expect_part(page, "id=\"u2-1\" data-name=\"view of In [2]\"");
  expect_part(page, "view: torch.float32, 2 × 2</caption>");
  EXPECT_EQ(occurrences(text_of(content_with_tensors(), "tensors.html"), "inside:"), 0U);
}

TEST(SiteTensors, ShowsAMatrixAfterTheOtherOfRankThreeAndRoundsWhatASummaryHides) {
  notebook::Cell cube = cell(1, "1", "", "tensor([[[1.]],\n\n        [[2.]]])");
  cube.tensors = {tensor({2, 1, 1}, {1, 2})};
  notebook::Cell summary = cell(2, "2", "", "tensor([0.1000, 0.2000, 0.3000,  ..., 0.4000, 0.5000, 0.6000])");
  summary.tensors = {tensor({8}, {0.1F, 0.2F, 0.3F, 0.35F, 0.123456F, 0.4F, 0.5F, 0.6F})};
  notebook::Cell large = cell(3, "3", "", "tensor([...])");
  large.tensors = {tensor({1025}, std::vector<float>(1025, 1))};
  const auto page = text_of(content_of("ranks", {cube, summary, large}), "ranks.html");
  expect_part(page, "<p class=\"slices\">torch.float32, 2 × 1 × 1</p>");
  expect_part(page, "[0]</caption>");
  expect_part(page, "[1]</caption>");
  expect_part(page, "data-first=\"1\" data-columns=\"1\"");
  expect_part(page, "<span data-of=\"t1-1\" data-i=\"1\">2.</span>");
  expect_part(page, ">0.1235</td>");
  EXPECT_FALSE(has(page, "data-of=\"t2-1\""));
  EXPECT_FALSE(has(page, "id=\"t3-1\""));
}

}  // namespace
}  // namespace torchbook::test
