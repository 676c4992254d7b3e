// Tests that any notebook, however broken, is either read or rejected, and that the build can read
// the resulting files.
#include <gtest/gtest.h>
#include <support/mutator.h>
#include <support/texts.h>
#include <tools/import/notebooks.h>

#include <string>

namespace torchbook::importing {
namespace {

/// Calls the reader with many changed texts.
void expect_read_or_refused(const std::string& text, const std::string& file, int fewest_refused) {
  const auto read = [&](const std::string& changed) {
    EXPECT_EQ(test::fault_of(read_notebook(changed, "nb", file)), "") << changed;
  };
  test::expect_read_or_refused(text, read, fewest_refused);
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
      "nb.ipynb", 1);
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
      "nb.txt", 0);  // nearly every text is a printed notebook
}

}  // namespace
}  // namespace torchbook::importing
