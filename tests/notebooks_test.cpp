// Tests every cell of every notebook. cell_tests.cmake makes each cell a test of ctest:
// `ctest -R 'mathematical_trick.*In_49'` runs the notebook and tells what this cell gave.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <report/markup.h>
#include <support/goldens.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/terminal/terminal.h>

#include <map>
#include <string>
#include <variant>

namespace torchbook::test {
namespace {

/// Returns the notebook, run and judged. It runs once for all tests.
const golden::JudgedTranscript& whole_run(const notebook::PortedNotebook& notebook) {
  static std::map<std::string_view, golden::JudgedTranscript> runs;
  if (!runs.contains(notebook.slug))
    runs[notebook.slug] = golden::judge(notebook::run(notebook), golden::parse_golden(notebook.golden));
  return runs[notebook.slug];
}

/// Returns the command that shows one cell again.
std::string again(const notebook::PortedNotebook& notebook) {
  return fmt::format("{}/{}", TORCHBOOK_BIN, notebook.slug);
}

class CellTest : public testing::Test {
 public:
  CellTest(const notebook::PortedNotebook& notebook, const golden::GoldenCell& golden)
      : notebook_(notebook), golden_(golden) {}

  void TestBody() override {
    const auto& judged = whole_run(notebook_);
    const auto found = judged.judgements.find(golden_.position);
    ASSERT_NE(found, judged.judgements.end())
        << judged.transcript.error().value_or("the cell was not reached");
    const auto expected = golden_.has_output() ? golden::Verdict::equal : golden::Verdict::no_output;
    EXPECT_EQ(golden::verdict_name(found->second.verdict), golden::verdict_name(expected))
        << report::difference_text(only_this_cell(judged), again(notebook_), {});
  }

 private:
  golden::JudgedTranscript only_this_cell(const golden::JudgedTranscript& judged) const {
    golden::JudgedTranscript one{judged.transcript, {*judged.judgements.find(golden_.position)}};
    return one;
  }

  notebook::PortedNotebook notebook_;
  golden::GoldenCell golden_;
};

/// Registers the test of one cell as `mathematical_trick.cell_11_In_49`.
void register_cell(const notebook::PortedNotebook& notebook, const golden::GoldenCell& golden) {
  const std::string test = fmt::format("cell_{:02}_In_{}", golden.position, golden.label);
  testing::RegisterTest(std::string(notebook.slug).c_str(), test.c_str(), nullptr, nullptr, __FILE__,
                        __LINE__,
                        [notebook, golden]() -> testing::Test* { return new CellTest(notebook, golden); });
}

TEST(Notebooks, AreThoseOfTheGoldensAndEqual) {
  report::Summary summary;
  for (const auto& notebook : notebook::linked_notebooks()) summary.add(whole_run(notebook));
  EXPECT_EQ(summary.text(), summary_of_equal());
}

TEST(Notebooks, ShowASourceForEveryCell) {
  for (const auto& notebook : notebook::linked_notebooks()) {
    const notebook::Transcript cells = notebook::outline(notebook);
    for (const notebook::Cell* cell : cells.cells()) {
      EXPECT_FALSE(cell->source.empty()) << notebook.slug << " @" << cell->position;
      EXPECT_EQ(cell->source.find("nb.cell("), std::string::npos) << notebook.slug << " @" << cell->position;
    }
  }
}

/// Highlights a text. Fails if the text differs after the marks are removed. Returns whether there are marks:
/// a cell that is a bare name has none.
bool expect_nothing_lost(const std::string& text, report::Language language) {
  const auto ansi = report::highlighted(text, language, report::Markup::ansi);
  const auto html = report::highlighted(text, language, report::Markup::html);
  EXPECT_EQ(test::without_ansi(ansi), text);
  EXPECT_EQ(test::without_html(html), text);
  return html != text;
}

TEST(Notebooks, LoseNothingWhenTheirSourcesAreHighlighted) {
  int marked_cpp = 0;
  int marked_python = 0;
  for (const auto& notebook : notebook::linked_notebooks()) {
    for (const auto& item : notebook::outline(notebook).items) {
      std::visit(
          [&](const auto& it) {
            if constexpr (requires { it.source; }) {
              marked_cpp += expect_nothing_lost(it.source, report::Language::cpp) ? 1 : 0;
              marked_python += expect_nothing_lost(it.twin, report::Language::python) ? 1 : 0;
            }
          },
          item);
    }
  }
  const int cells = static_cast<int>(cell_count());
  EXPECT_GE(marked_cpp, cells);
  EXPECT_GE(marked_python, cells * 2 / 3);
}

}  // namespace
}  // namespace torchbook::test

int main(int argc, char** argv) {
  for (const auto& notebook : torchbook::notebook::linked_notebooks()) {
    for (const auto& cell : torchbook::golden::parse_golden(notebook.golden).cells)
      torchbook::test::register_cell(notebook, cell);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
