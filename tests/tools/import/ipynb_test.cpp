// Tests which parts of Jupyter notebooks are imported, and which are listed as left out or changed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tools/import/notebooks.h>

#include <optional>
#include <string>

namespace torchbook::importing {
namespace {

using test::code_cell;
using test::draft_of_cells;
using test::remarks_of;

TEST(Ipynb, HasCellsWithTheirLabelsAndPositions) {
  const auto draft =
      draft_of_cells(code_cell("a = 1", "", "7") + "," + test::markdown_cell("# A *title*") + "," +
                     code_cell("a", test::result_of("1"), "12") + "," + code_cell("b", "", "null"));
  ASSERT_EQ(draft.golden.cells.size(), 3U);
  EXPECT_EQ(draft.golden.cells[0].label, "7");
  EXPECT_EQ(draft.golden.cells[1].label, "12");
  EXPECT_EQ(draft.golden.cells[1].position, 2U);
  EXPECT_EQ(draft.golden.cells[1].result, "1");
  EXPECT_EQ(draft.golden.cells[2].label, "None");
  EXPECT_EQ(draft.notes, 1U);
  EXPECT_EQ(draft.cells[1].notes, std::vector<std::string>{"# A *title*"});
  EXPECT_EQ(remarks_of(draft), "");
}

TEST(Ipynb, EmptyCellsAreNone) {
  const auto draft = draft_of_cells(code_cell("a = 1", "", "7") + "," + code_cell(" \n", "", "null") + "," +
                                    code_cell("", test::stdout_of("shown"), "8"));
  ASSERT_EQ(draft.golden.cells.size(), 2U);
  EXPECT_EQ(draft.golden.cells[1].label, "8");
}
TEST(Ipynb, SourceAndTextMayBeLists) {
  const auto draft = draft_of_cells(
      R"({"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["a = 1\n", "a"],
          "outputs": [{"output_type": "execute_result", "data": {"text/plain": ["[1,\n", " 2]"]}}]})");
  EXPECT_EQ(draft.cells[0].twin.text, "a = 1\na");
  EXPECT_EQ(draft.golden.cells[0].result, "[1,\n 2]");
}

/// A cell, and all that is taken of it.
struct Taken {
  std::string cell, out;
  std::optional<std::string> result;
  std::string exception, remarks;
};

TEST(Ipynb, OutputsAreTakenAsTextsExceptionsAndRemarks) {
  const std::string command = "@1 [1] a comment in the twin, because only Jupyter runs it: ";
  const Taken table[] = {
      {code_cell("f()", test::stdout_of("one ") + "," + test::stdout_of("line\ntwo\n") + "," +
                            test::result_of("3") + "," + test::stdout_of("late")),
       "one line\ntwo\nlate", "3", "", ""},
      {code_cell("f()", R"({"output_type": "stream", "name": "stderr", "text": "UserWarning: x\nmore"})",
                 "3"),
       "", std::nullopt, "", "@1 [3] stderr: UserWarning: x\n"},
      {code_cell("frame", R"({"output_type": "execute_result",
           "data": {"text/plain": "   a\n0  1", "text/html": "<table></table>"}})"),
       "", std::nullopt, "picture: text/html", "@1 [1] a rich output (text/html): C++ prints text only\n"},
      {code_cell("s", R"({"output_type": "execute_result", "data": {"text/plain": "'a'",
           "application/vnd.google.colaboratory.intrinsic+json": {"type": "string"}}})"),
       "", "'a'", "", ""},
      {code_cell(
           "display(x)",
           R"json({"output_type": "display_data", "data": {"text/plain": ["tensor(", "1" , ")" ]}})json"),
       "tensor(1)\n", std::nullopt, "", "@1 [1] display() is taken as print(): tensor(1)\n"},
      {code_cell("f()", test::stdout_of("50%\r") + "," + test::stdout_of("100%\r\n\x1b[31mred\x1b[0m\n")),
       "100%\nred\n", std::nullopt, "",
       "@1 [1] carriage returns, backspaces or colours: the text is taken as Jupyter shows it\n"},
      {code_cell("object()", test::result_of("<object at 0x7f0000000000>")), "", "<object at 0x7f0000000000>",
       "varies /<[^<>]* at 0x[0-9a-f]+>/: it shows an address", ""},
      {code_cell("s = !ls\n%time f()", test::stdout_of("Wall time: 2 s\n")), "Wall time: 2 s\n", std::nullopt,
       "varies: %time f() prints how long it took",
       command + "s = !ls\n@1 [1] without its magic in the twin: %time f()\n"},
      {code_cell("%%capture\nprint(1)"), "", std::nullopt, "",
       command + "%%capture\n@1 [1] %%capture hides what the cell shows; its twin shows it\n"}};
  for (const auto& [cell, out, result, exception, remarks] : table) {
    const auto draft = draft_of_cells(cell);
    EXPECT_EQ(draft.golden.cells[0].out, out) << cell;
    EXPECT_EQ(draft.golden.cells[0].result, result) << cell;
    EXPECT_EQ(draft.cells[0].exception, exception) << cell;
    EXPECT_EQ(remarks_of(draft), remarks) << cell;
  }
}

TEST(Ipynb, APictureIsAnException) {
  const auto draft = draft_of_cells(
      code_cell("plt.plot(x)", test::result_of("[<Line2D>]") +
                                   R"(,{"output_type": "display_data", "data": {"image/png": "aGVsbG8=",
                             "text/plain": ["<Figure size 640x480 with 1 Axes>"]}})"));
  EXPECT_EQ(draft.golden.cells[0].out, "");
  EXPECT_EQ(draft.golden.cells[0].result, "[<Line2D>]");
  EXPECT_EQ(draft.cells[0].exception, "picture");
  EXPECT_EQ(draft.cells[0].why, "it shows a picture");
  EXPECT_EQ(remarks_of(draft), "@1 [1] a picture (image/png): C++ prints text only\n");
}

TEST(Ipynb, AnErrorIsListedAndWhatWasPrintedBeforeCounts) {
  const auto draft = draft_of_cells(code_cell(
      "print(1); 1 / 0", test::stdout_of("1\n") + R"(,{"output_type": "error", "ename": "ZeroDivisionError",
                          "evalue": "division by zero", "traceback": ["\u001b[31mred"]})"));
  EXPECT_EQ(draft.golden.cells[0].out, "1\n");
  EXPECT_EQ(draft.cells[0].exception, "not ported: it raised ZeroDivisionError");
  EXPECT_EQ(draft.cells[0].why, "it raised ZeroDivisionError");
  EXPECT_EQ(remarks_of(draft), "@1 [1] it raised ZeroDivisionError: division by zero\n");
}

TEST(Ipynb, ACellThatPythonCannotReadIsAComment) {
  const auto draft = draft_of_cells(code_cell(
      "x = = 1",
      R"({"output_type": "error", "ename": "SyntaxError", "evalue": "invalid syntax", "traceback": []})"));
  EXPECT_EQ(draft.cells[0].twin.text, "# x = = 1");
}

TEST(Ipynb, RawCellsAttachmentsAndUnknownThingsAreListed) {
  const auto draft = draft_of_cells(
      code_cell("1", R"({"output_type": "sound"},{"output_type": "execute_result", "data": {}})", "4") +
      R"json(,{"cell_type": "raw", "source": "---\ntitle: x"},{"cell_type": "poem", "source": ""},
         {"cell_type": "markdown", "source": "![m](attachment:map.png)", "attachments": {
  "map.png" : {}}})json");
  EXPECT_EQ(remarks_of(draft),
            "@1 [4] an output of the unknown type 'sound'\n"
            "@1 [4] a result without text\n"
            "@1 [] a raw cell: ---\n"
            "@1 [] a cell of the unknown type 'poem'\n"
            "@1 [] an attachment: map.png\n"
            "@1 [] a picture in the text: attachment:map.png\n");
}

TEST(Ipynb, CommandsOfJupyterAreListed) {
  const auto draft =
      draft_of_cells(code_cell("%matplotlib inline\n!nvidia-smi", test::stdout_of("no GPU\n")));
  EXPECT_EQ(draft.cells[0].twin.text, "# %matplotlib inline\n# !nvidia-smi");
  EXPECT_EQ(draft.cells[0].exception, "not ported: only Jupyter runs %matplotlib inline and 1 more");
  EXPECT_EQ(remarks_of(draft),
            "@1 [1] a comment in the twin, because only Jupyter runs it: %matplotlib inline\n"
            "@1 [1] a comment in the twin, because only Jupyter runs it: !nvidia-smi\n");
}

TEST(Ipynb, TimesDiffer) {
  const auto draft =
      draft_of_cells(code_cell("%%time\nf()", test::stdout_of("CPU times: 1 s\nWall time: 2 s\n")));
  EXPECT_EQ(draft.cells[0].exception, "varies: %%time prints how long it took");
  EXPECT_EQ(draft.cells[0].twin.text, "#  %%time\nf()");
}

TEST(Ipynb, NamesThatOnlyJupyterSetsAreListed) {
  const auto listed = [](const std::string& python) {
    return remarks_of(draft_of_cells(code_cell("a = 1") + "," + code_cell(python, "", "2")));
  };
  const std::string what = "@2 [2] a name that only Jupyter sets, so the twin lacks it: ";
  EXPECT_EQ(listed("_ + 1"), what + "_\n");
  EXPECT_EQ(listed("f(__, Out[3])"), what + "Out\n");
  EXPECT_EQ(listed("x = _3 + _3 == 1"), what + "_3\n");
  EXPECT_EQ(listed("f(x, _) == 1"), what + "_\n");
  for (const auto& python : {"for _ in x: _ + 1", "a, _ = f()\n_", "(a, _) = f()", "for i, (a, _) in b: _",
                             "_, a = f()", "x._ + y.Out", "'_'  # _"}) {
    EXPECT_EQ(listed(python), "") << python;
  }
}

TEST(Ipynb, ACellInAnotherLanguageIsAComment) {
  const auto draft = draft_of_cells(
      R"({"cell_type": "code", "execution_count": 1, "metadata": {"vscode": {"languageId": "html"}},
          "source": "<b>x</b>", "outputs": []})");
  EXPECT_EQ(draft.cells[0].twin.text, "# <b>x</b>");
  EXPECT_EQ(draft.cells[0].why, "");
  EXPECT_EQ(remarks_of(draft), "@1 [1] a comment in the twin: it is not Python: VS Code runs it as html\n");
}

TEST(Ipynb, WhatIsStrangeIsListed) {
  const auto draft = draft_of_cells(
      code_cell("1", R"({"output_type": "stream", "name": "stdout", "text": null})", R"("7")") + "," +
      code_cell("2"));
  EXPECT_EQ(draft.golden.cells[0].label, "None");
  EXPECT_EQ(remarks_of(draft),
            "@1 [None] its execution_count is \"7\", which is not the number of a run\n"
            "@1 [None] a stream without text\n");
}

TEST(Ipynb, CellsThatWereNotRunHaveTheNumbersOfARunIfNoneHasOne) {
  const auto unrun = code_cell("1", "", "null"), run = code_cell("1", "", "7");
  const auto labels = [](const Draft& draft) {
    std::string all;
    for (const auto& cell : draft.golden.cells) all += cell.label + ' ';
    return all;
  };
  EXPECT_EQ(labels(draft_of_cells(unrun + "," + unrun)), "1 2 ");
  EXPECT_EQ(labels(draft_of_cells(run + "," + unrun)), "7 None ");
}

TEST(Ipynb, ManyCommandsAreListedInPart) {
  std::string python;
  for (int i = 0; i < 30; ++i) python += "!ls\n";
  const auto draft = draft_of_cells(code_cell(python));
  ASSERT_EQ(draft.remarks.size(), 21U);
  EXPECT_EQ(draft.remarks.back().what, "a comment in the twin, because only Jupyter runs it: 10 more lines");
}

TEST(Ipynb, OfNbformat3IsRead) {
  const auto draft =
      read_notebook(R"({"metadata": {"name": "old"}, "nbformat": 3, "nbformat_minor": 0, "worksheets":
    [{"cells": [
      {"cell_type": "heading", "level": 2, "source": "Old"},
      {"cell_type": "code", "collapsed": false, "input": ["x\n", "y"], "language": "python", "prompt_number": 5,
       "outputs": [{"output_type": "stream", "stream": "stdout", "text": "hi\n"},
                   {"output_type": "pyout", "prompt_number": 5, "text": "3"},
                   {"output_type": "display_data", "png": "aGVsbG8=", "text": "<Figure>"},
                   {"output_type": "pyerr", "ename": "NameError", "evalue": "y", "traceback": []}]}]}]})",
                    "nb", "nb.ipynb");
  ASSERT_EQ(draft.cells.size(), 1U);
  EXPECT_EQ(draft.cells[0].notes, std::vector<std::string>{"## Old"});
  EXPECT_EQ(draft.cells[0].twin.text, "x\ny");
  EXPECT_EQ(draft.golden.cells[0].label, "5");
  EXPECT_EQ(draft.golden.cells[0].out, "hi\n");
  EXPECT_EQ(draft.golden.cells[0].result, "3");
  EXPECT_EQ(draft.cells[0].exception, "not ported: it raised NameError");
}

TEST(Ipynb, TellsTheReleaseThatMadeIt) {
  const auto document = [](const std::string& cells) { return draft_of_cells(cells).golden.document; };
  EXPECT_EQ(document(code_cell("torch.__version__", test::result_of("'1.13.1+cu116'"))),
            "nb.ipynb (PyTorch 1.13.1+cu116)");
  EXPECT_EQ(document(code_cell("print(f'{np.__version__} {torch.__version__}')",
                               test::stdout_of("numpy 1.2.3\ntorch version: 2.4.0\n"))),
            "nb.ipynb (PyTorch 2.4.0)");
  EXPECT_EQ(document(code_cell("np.__version__", test::result_of("'1.2.3'"))), "nb.ipynb");
}

TEST(Ipynb, ThatIsBrokenIsRefused) {
  EXPECT_EQ(test::error_of("{"),
            "1: column 2: syntax error while parsing object key - unexpected end of input; expected string "
            "literal");
  EXPECT_EQ(test::error_of("[]"), "the notebook: it must be of type object, not array");
  EXPECT_EQ(test::error_of("{}"), "the notebook: the field \"nbformat\" is missing");
  EXPECT_EQ(test::error_of(R"({"nbformat": null})"), "the notebook: the field \"nbformat\" is null");
  EXPECT_EQ(test::error_of(R"({"nbformat": "4"})"),
            "the notebook: its nbformat is of type string; it must be the number 3 or 4");
  EXPECT_EQ(test::error_of(R"({"nbformat": 2})"),
            "the notebook: its nbformat is 2; it must be 3 or 4 (Jupyter converts others when it saves "
            "them)");
  EXPECT_EQ(test::error_of(R"({"nbformat": 4, "cells": null})"), "the notebook: the field \"cells\" is null");
  EXPECT_EQ(test::error_of("{\"a\": [1,\n NaN]}"),
            "2: column 2: syntax error while parsing value - invalid literal");
  EXPECT_EQ(test::error_of("{\"a\": -Infinity}"),
            "1: column 8: syntax error while parsing value - invalid number; expected digit after '-'");
  EXPECT_EQ(test::error_of(R"({"a": "\ud83d!"})"),
            "1: column 14: syntax error while parsing value - invalid string: surrogate U+D800..U+DBFF must "
            "be followed by U+DC00..U+DFFF");
  EXPECT_EQ(test::error_of(R"({"nbformat": 4})"), "the notebook: the field \"cells\" is missing");
  EXPECT_EQ(test::error_of(R"({"nbformat": 4, "cells": {}})"),
            "the notebook: its cells must be of type array, not object");
  EXPECT_EQ(test::error_of(test::notebook_of("")), "it has no cell of code, so there is nothing to port");
  EXPECT_EQ(test::error_of(test::notebook_of("3")),
            "cell 1 of the file: it must be of type object, not number");
  EXPECT_EQ(test::error_of(test::notebook_of(R"({"cell_type": "code"})")),
            "cell 1 of the file: the field \"source\" is missing");
  EXPECT_EQ(test::error_of(test::notebook_of(R"({"cell_type": "code", "source": [1]})")),
            "cell 1 of the file: its source must be an array of strings; an item is of type number");
  EXPECT_EQ(test::error_of(test::notebook_of(code_cell("1", "2"))),
            "cell 1 of the file: an output: it must be of type object, not number");
  EXPECT_EQ(test::error_of(R"({"nbformat": 4, "cells": [], "metadata": {"kernelspec": {"language": "R"}}})"),
            "the notebook: its language is R; only notebooks in Python can be imported");
}

TEST(Ipynb, IsBounded) {
  std::string deep = R"({"nbformat": 4, "cells": )";
  for (int i = 0; i < 100000; ++i) deep += '[';
  EXPECT_EQ(test::error_of(deep), "1: it is nested deeper than 200 brackets");
  std::string lines;
  for (int i = 0; i < 100001; ++i) lines += "!\n";
  EXPECT_EQ(test::error_of(test::notebook_of(code_cell("1") + "," + code_cell(lines))),
            "cell @2 has more than 100000 lines");
  std::string many = R"({"nbformat": 4, "cells": [)";
  for (int i = 0; i < 2000001; ++i) many += "1,";
  EXPECT_NE(test::error_of(many + "1]}").find("it has more than 2000000 values"), std::string::npos);
}

}  // namespace
}  // namespace torchbook::importing
