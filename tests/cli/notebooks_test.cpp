// Tests the sources of the five notebooks. torchbook_add_tests makes the tests of their outputs.
#include <gtest/gtest.h>
#include <report/markup.h>
#include <support/goldens.h>
#include <torchbook/cli/shared/cell_tests.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/report/highlight.h>

#include <cctype>
#include <string>
#include <utility>
#include <variant>

namespace torchbook::test {
namespace {

TEST(Notebooks, HaveATestForEachCellOfTheirGoldens) { EXPECT_EQ(cell_tests().size(), cell_count()); }

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

/// Expects that a golden with another digit in this text of a cell makes that cell different, and no other.
/// Tries one of seven digits, which comes to every column.
void expect_digits_count(const notebook::Transcript& run, const golden::Golden& golden, std::size_t position,
                         std::string& text) {
  std::size_t digits = 0;
  for (char& digit : text) {
    if (std::isdigit(static_cast<unsigned char>(digit)) == 0 || digits++ % 7 != 0) continue;
    const char right = std::exchange(digit, digit == '9' ? '0' : static_cast<char>(digit + 1));
    for (const auto& [at, judgement] : golden::judge(run, golden).judgements) {
      EXPECT_EQ(judgement.verdict == golden::Verdict::different, at == position)
          << golden.slug << " @" << at << ", with\n"
          << text;
    }
    digit = right;
  }
}

TEST(Notebooks, DifferFromAGoldenInWhichOneDigitIsAnother) {
  for (const auto& notebook : notebook::linked_notebooks()) {
    const auto run = notebook::run(notebook);
    auto golden = golden::parse_golden(notebook.golden);
    for (auto& cell : golden.cells) {
      expect_digits_count(run, golden, cell.position, cell.out);
      if (cell.result) expect_digits_count(run, golden, cell.position, *cell.result);
    }
  }
}

}  // namespace
}  // namespace torchbook::test
