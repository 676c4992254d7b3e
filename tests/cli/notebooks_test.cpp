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
