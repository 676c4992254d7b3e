// Tests the sources of the five notebooks. torchbook_add_tests makes the tests of their outputs.
#include <gtest/gtest.h>
#include <report/markup.h>
#include <support/goldens.h>
#include <torchbook/cli/shared/cell_tests.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/report/highlight.h>

#include <string>
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

}  // namespace
}  // namespace torchbook::test
