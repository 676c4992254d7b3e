// Tests that two public notebooks are imported completely. Skips one whose file is missing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>
#include <tools/import/notebooks.h>
#include <torchbook/notebook/cells/twin.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace torchbook::importing {
namespace {

/// A notebook, and its number of code cells and of outputs.
struct Counts {
  std::string name;
  std::size_t cells, outputs;
  std::string document;
};

class PublicNotebooksTest : public testing::TestWithParam<Counts> {};

TEST_P(PublicNotebooksTest, AreImportedWhole) {
  const auto& [name, cells, outputs, document] = GetParam();
  const auto path =
      std::filesystem::path(test::documents_folder()).parent_path() / "notebooks" / (name + ".ipynb");
  if (!std::filesystem::exists(path)) TORCHBOOK_CANNOT_TEST("there is no " << path);
  const auto draft = read_notebook(test::read_file(path), name, path.filename().string());
  EXPECT_EQ(draft.cells.size(), cells);
  const auto with_output = std::count_if(draft.golden.cells.begin(), draft.golden.cells.end(),
                                         [](const auto& cell) { return cell.has_output(); });
  EXPECT_EQ(static_cast<std::size_t>(with_output), outputs);
  EXPECT_EQ(draft.golden.document, document);
  EXPECT_EQ(notebook::parse_twin(twin_text(draft)).size(), cells);
}

INSTANTIATE_TEST_SUITE_P(Notebooks, PublicNotebooksTest,
                         testing::Values(Counts{"llms_from_scratch_ch03", 38, 35,
                                                "llms_from_scratch_ch03.ipynb (PyTorch 2.4.0)"},
                                         Counts{"pytorch_fundamentals", 80, 77,
                                                "pytorch_fundamentals.ipynb (PyTorch 1.13.1+cu116)"}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace torchbook::importing
