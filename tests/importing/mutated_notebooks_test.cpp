// Tests that any notebook, however broken, is either read or rejected, and that the build can read
// the resulting files.
#include <gtest/gtest.h>
#include <importing/notebooks.h>
#include <support/mutator.h>
#include <support/texts.h>

#include <string>

namespace torchbook::importing {
namespace {

/// Calls the reader with many changed texts.
void expect_read_or_refused(const std::string& text, const std::string& file) {
  int taken = 0, refused = 0;
  for (int seed = 0; seed < test::mutants(); ++seed) {
    const auto changed = test::Mutator(static_cast<unsigned>(seed)).changed(text);
    SCOPED_TRACE(seed);
    try {
      EXPECT_EQ(test::fault_of(read_notebook(changed, "nb", file)), "") << changed;
      ++taken;
    } catch (const notebook::TextError& error) {
      ++refused;
      EXPECT_LE(std::string_view(error.what()).size(), 400U) << error.what();
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused + (file.ends_with(".txt") ? 1 : 0), 0);  // nearly every text is a printed notebook
}

TEST(MutatedNotebooks, OfJupyterAreReadOrRefused) {
  expect_read_or_refused(
      test::notebook_of(test::markdown_cell("# Title\n\n- [a](b) `c`\n\n![d](e.png)") + ",\n" +
                        test::code_cell("%%time\nx = '''\n# %% [2]\n'''\nprint(x)",
                                        test::stdout_of("a\r\x1b[1mb\b\n"), "12") +
                        ",\n" +
                        test::code_cell("def f(x):\n    !ls \\\n    return (x,\n            1)\n",
                                        test::result_of("tensor([[1.],\n [2.]])")) +
                        ",\n" +
                        test::code_cell("x?\n#%% y\n",
                                        R"({"output_type": "error", "ename": "KeyError", "evalue": "'a'"})")),
      "nb.ipynb");
}

TEST(MutatedNotebooks, ThatArePrintedAreReadOrRefused) {
  expect_read_or_refused(
      "# Title\n\nIn [1]:\nimport torch\n\nprint(f\"a: {torch.ones(2)}\")\ntorch.ones(2)\n\na: tensor([1., "
      "1.])\n\n\n"
      "tensor([1., 1.])\n\nProse with `code`.\n\nIn [None]:\nx = '''\n\na'''\n\nx\n\n'\\n\\na'\n\n## "
      "Heading\n\nIn [3]:\n"
      "for i in range(2):\n    print(i)\n\n0\n1\n\n\nIn [4]:\ny\n\n---------------------------\nNameError   "
      "Traceback (most "
      "recent call last)\n----> 1 y\n\nNameError: name 'y' is not defined\n",
      "nb.txt");
}

}  // namespace
}  // namespace torchbook::importing
