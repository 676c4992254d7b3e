// Tests that the twin is valid Python with the notebook's cells, whatever these contain.
#include <gtest/gtest.h>
#include <tools/import/notebooks.h>
#include <torchbook/notebook/cells/twin.h>

#include <string>
#include <vector>

namespace torchbook::importing {
namespace {

using Texts = std::vector<std::string>;

TEST(TwinSource, KeepsPython) {
  for (const std::string python :
       {"", "a = 1", "def f():\n    return 1\n\nf()", "a = '''\n# %% [2]\n%time\n'''", "x = (3\n% 2)",
        "y = 3 \\\n% 2", "# what?", "d = {'a': '%s'}", "a != b", "s = f'{x!r}'", "x = y == '!'"}) {
    EXPECT_EQ(twin_source(python).text, python);
    EXPECT_EQ(twin_source(python).commented.first, Texts{});
  }
  EXPECT_EQ(twin_source("a\r\nb\rc\n\n").text, "a\nb\nc");
}

TEST(TwinSource, MakesCommentsOfWhatOnlyJupyterRuns) {
  const auto expect = [](const std::string& python, const std::string& text, const Texts& commented) {
    EXPECT_EQ(twin_source(python).text, text);
    EXPECT_EQ(twin_source(python).commented.first, commented);
  };
  expect("%matplotlib inline\na", "# %matplotlib inline\na", {"%matplotlib inline"});
  expect("!pip install a \\\n  b\nc", "# !pip install a \\\n#   b\nc", {"!pip install a \\"});
  expect("if a:\n    !ls\n", "if a:\n    pass  # !ls", {"!ls"});
  expect("files = !ls\nt = %timeit -o f()", "# files = !ls\n# t = %timeit -o f()",
         {"files = !ls", "t = %timeit -o f()"});
  expect("torch.softmax?\n?x\nx??", "# torch.softmax?\n# ?x\n# x??", {"torch.softmax?", "?x", "x??"});
  expect("\n%%time\na", "#  %%time\na", {"%%time"});
}

TEST(TwinSource, MakesACommentOfAWholeCellThatIsNoPython) {
  EXPECT_EQ(twin_source("%%bash\nls 'a").text, "#  %%bash\n# ls 'a");
  EXPECT_EQ(twin_source("%%bash\nls").why_all, "it is not Python: %%bash");
  EXPECT_EQ(twin_source("a = (1,\n\n'b'").text, "# a = (1,\n#\n# 'b'");
  EXPECT_EQ(twin_source("a = '''b").why_all,
            "it is not Python as a whole: a bracket or a quote has no counterpart");
  EXPECT_EQ(twin_source("x = await f()").why_all,
            "only Jupyter knows await outside of a function: x = await f()");
  EXPECT_EQ(twin_source("async def f():\n    await g()").why_all, "");
  EXPECT_EQ(twin_source(std::string("a\0b", 3)).text, "# ab");
}

TEST(TwinSource, KnowsAutomagic) {
  const Texts commands = {"pip install x", "cd ..", "ls", "ls -l", "who", "pwd()", "mkdir a"};
  for (const auto& python : commands) EXPECT_EQ(twin_source(python).commented.first, Texts{python}) << python;
  EXPECT_EQ(twin_source("import torch\npip install x").text, "import torch\n# pip install x");
  for (const auto& python : {"ls = 1", "time, x = f()", "pip.main()", "x = 1\nls in names", "a\nls"}) {
    EXPECT_EQ(twin_source(python).commented.first, Texts{}) << python;
  }
  EXPECT_EQ(twin_source("ls", {"ls"}).commented.first, Texts{});
  EXPECT_EQ(twin_source("pip install x", {"pip"}).commented.first, Texts{"pip install x"});
}

TEST(TwinSource, TakesPromptsAndTheIndentationAway) {
  EXPECT_EQ(twin_source("\n    x = 1\n    if x:\n        y").text, "x = 1\nif x:\n    y");
  EXPECT_EQ(twin_source(">>> x = 1\n>>> if x:\n...     y\n...\nz").text, "x = 1\nif x:\n    y\n\nz");
  EXPECT_EQ(twin_source("In [1]: x = 1\n   ...: y").text, "x = 1\ny");
  EXPECT_EQ(twin_source("  %%time\n  x").text, "#  %%time\nx");
  EXPECT_EQ(twin_source("%%time\n\n    x").text, "#  %%time\nx");
  EXPECT_EQ(twin_source("\v\n\u2028 \n\fx\ny").text, "x\ny");
  for (const auto& python : {"...", "x[...]\ny", "a = 1\n....real"}) {
    EXPECT_EQ(twin_source(python).text, python);
  }
}

TEST(TwinSource, KeepsWhatMagicsRun) {
  const auto expect = [](const std::string& python, const std::string& text) {
    EXPECT_EQ(twin_source(python).text, text);
    EXPECT_EQ(twin_source(python).timed.count, 1U) << python;
  };
  expect("%time x = f()", "x = f()");
  expect("for i in x:\n    %time y = f(i)", "for i in x:\n    y = f(i)");
  expect("x = %time f()", "x = f()");
  expect("time x = f()", "x = f()");
  EXPECT_EQ(twin_source("%timeit x = f()").text, "# %timeit x = f()");
  EXPECT_EQ(twin_source("%time").text, "# %time");
  EXPECT_EQ(twin_source("%%timeit\nx = f()").text, "#  %%timeit\n# x = f()");
  EXPECT_EQ(twin_source("%%timeit\nx").why_all, "Jupyter runs it apart, so its names are lost: %%timeit");
  EXPECT_EQ(twin_source("%%capture out\nx").hidden_by, "%%capture out");
}

TEST(TwinSource, KnowsAllFormsOfCommands) {
  for (const std::string python : {"a, b = !ls", "x[0] = !ls", "x: list = !ls", "torch.*soft*?", "x[0]?",
                                   "a = b?", ",f a b", ";f a b", "/f a b", "!!ls"}) {
    EXPECT_EQ(twin_source(python).text, "# " + python);
  }
}

TEST(TwinText, GivesItsCellsBack) {
  const Texts sources = {"# %% [3]\na",        "#%% b", "'''\n# %% [x]\n'''",
                         "x = [\n# %% [5]\n]", "# %%",  "a\n\n# %% z\n\nb",
                         "%%time\nc",          "'''",   "# %% [markdown]"};
  std::string cells;
  for (const auto& source : sources)
    cells += (cells.empty() ? "" : ",") + test::code_cell(source, "", "null");
  const auto draft = test::draft_of_cells(cells);
  const auto twin = notebook::parse_twin(twin_text(draft));
  ASSERT_EQ(twin.size(), sources.size());
  for (std::size_t i = 0; i < twin.size(); ++i) {
    EXPECT_EQ(twin[i].source, draft.cells[i].twin.text);
    EXPECT_EQ(twin[i].label, std::to_string(i + 1));  // as a run numbers them
    EXPECT_FALSE(twin[i].restored);
  }
  EXPECT_EQ(twin[0].source, "#  %% [3]\na");
  EXPECT_EQ(twin[1].source, "#  %% b");
}

}  // namespace
}  // namespace torchbook::importing
