// Tests which cells may raise in a golden of PyTorch. compare.cases has the command `torchbook golden`.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/temporary_folder.h>
#include <support/texts.h>
#include <torchbook/cli/commands/golden.h>

#include <algorithm>
#include <fstream>

namespace torchbook::cli {
namespace {

TEST(PythonGolden, HasCellsThatRaiseIfTheyNeedNoPort) {
  const auto notebooks = notebook::linked_notebooks();
  auto notebook = *std::find_if(notebooks.begin(), notebooks.end(),
                                [](const auto& one) { return one.slug == "mathematical_trick"; });
  notebook.exceptions = "exceptions of mathematical_trick\n@14 not ported: it raised ZeroDivisionError\n";
  notebook.exceptions_file = "mathematical_trick.exceptions";
  const test::TemporaryFolder twins;
  std::ofstream(twins.path() / "mathematical_trick.py")
      << test::read_file(test::source_folder() + "/notebooks_ported/mathematical_trick.py") << "1 / 0\n";
  const auto made = python_golden(notebook, {.named = std::nullopt, .twins = twins.path().string()});
  EXPECT_TRUE(made.raised.empty());
  test::expect_end(made.text, "\n@14 In [76]\n\nend: 14 cells, 11 with output\n");
}

}  // namespace
}  // namespace torchbook::cli
