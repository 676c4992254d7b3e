// Tests Jupyter notebooks key by key. jupyter_test.py tests what Jupyter makes of the real ones.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/documents/ipynb.h>
#include <torchbook/report/terminal/heatmap.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace torchbook::report {
namespace {

using Json = nlohmann::json;

/// Returns the sample with a twin for the second cell and a tensor that it displayed.
golden::JudgedTranscript sample() {
  golden::JudgedTranscript judged = test::sample();
  auto& cell = std::get<notebook::Cell>(judged.transcript.items[3]);
  cell.twin = "f(2)\n# done";
  cell.tensors = {test::tensor({}, {7}), test::tensor({1, 2}, {1, 2})};
  std::get<notebook::Restored>(judged.transcript.items[2]).twin = "seed(1)";
  return judged;
}

Json notebook(const golden::JudgedTranscript& judged, NotebookLanguage language = NotebookLanguage::cpp) {
  return Json::parse(ipynb_report(judged, language));
}

std::vector<std::string> ids(const Json& notebook) {
  std::vector<std::string> ids;
  for (const auto& cell : notebook.at("cells")) ids.push_back(cell.at("id"));
  return ids;
}

Json cell(const Json& notebook, const std::string& id) {
  for (const auto& cell : notebook.at("cells")) {
    if (cell.at("id") == id) return cell;
  }
  ADD_FAILURE() << "no cell " << id;
  return {};
}

TEST(Ipynb, IsOfFormatFourPointFive) {
  const auto written = notebook(sample());
  EXPECT_EQ(written.at("nbformat"), 4);
  EXPECT_EQ(written.at("nbformat_minor"), 5);
  EXPECT_EQ(written.at("metadata").at("torchbook"),
            Json::parse(R"({"notebook": "sample", "document": "000.txt"})"));
  const auto text = ipynb_report(sample(), NotebookLanguage::cpp);
  EXPECT_TRUE(text.starts_with("{\n \"cells\": [\n  {\n")) << text;  // indented as Jupyter does
}

TEST(Ipynb, HasTheRunsItemsInTheirOrder) {
  EXPECT_EQ(ids(notebook(sample())), (std::vector<std::string>{"title", "cell-1", "note-1", "restored-1-note",
                                                               "restored-1", "cell-2", "cell-3"}));
  EXPECT_EQ(ids(notebook(sample(), NotebookLanguage::python)),
            (std::vector<std::string>{"title", "cell-1-cpp", "cell-1", "note-1", "restored-1-note",
                                      "restored-1-cpp", "restored-1", "cell-2-cpp", "cell-2", "cell-3-cpp",
                                      "cell-3"}));
}

TEST(Ipynb, HasCppCellsWithTheTwinBesideThem) {
  auto written = cell(notebook(sample()), "cell-2");
  ASSERT_EQ(written["outputs"].size(), 3U);
  written["outputs"].erase(2);  // the heatmap
  EXPECT_EQ(written, Json::parse(R"json({
    "cell_type": "code", "id": "cell-2", "execution_count": 7,
    "metadata": {"torchbook": {"label": "7", "position": 2, "verdict": "equal", "twin": "f(2)\n# done"}},
    "source": ["return f(2);\n", "// done"],
    "outputs": [
      {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
      {"output_type": "execute_result", "execution_count": 7, "metadata": {}, "data": {"text/plain": ["tensor([1.])"]}}
    ]})json"));
}

TEST(Ipynb, HasPythonCellsWithTheirPortAbove) {
  const auto written = notebook(sample(), NotebookLanguage::python);
  EXPECT_EQ(cell(written, "cell-2-cpp"), Json::parse(R"({
    "cell_type": "markdown", "id": "cell-2-cpp", "metadata": {},
    "source": ["```cpp\n", "return f(2);\n", "// done\n", "```"]})"));
  const auto code = cell(written, "cell-2");
  EXPECT_EQ(code["source"], Json::parse(R"(["f(2)\n", "# done"])"));
  EXPECT_EQ(code["outputs"], cell(notebook(sample()), "cell-2")["outputs"]);
}

TEST(Ipynb, CountsOnlyLabelsThatAreNumbers) {
  const auto written = notebook(sample());
  EXPECT_EQ(cell(written, "cell-1")["execution_count"], 3);
  EXPECT_EQ(cell(written, "cell-3")["execution_count"], nullptr);
  EXPECT_EQ(cell(written, "cell-3")["outputs"][0]["execution_count"], nullptr);
}

TEST(Ipynb, MarksRestoredState) {
  const auto written = notebook(sample());
  EXPECT_EQ(cell(written, "restored-1-note")["source"][0], "**Restored state.** The seed.");
  EXPECT_EQ(cell(written, "restored-1-note")["metadata"]["torchbook"]["restored"], true);
  const auto state = cell(written, "restored-1");
  EXPECT_EQ(state["metadata"]["torchbook"], Json({{"restored", true}, {"twin", "seed(1)"}}));
  EXPECT_EQ(state["source"][0], "seed(1);");
  EXPECT_EQ(state["outputs"], Json::array());
}

TEST(Ipynb, HasAHeatmapOfEachTensorThatHasOne) {
  auto drawn = cell(notebook(sample()), "cell-2")["outputs"][2];
  std::string text;
  for (const auto& line : drawn["data"]["text/plain"]) text += line.get<std::string>();
  EXPECT_EQ(text, heatmap_text(test::tensor({1, 2}, {1, 2}), {}));
  drawn["data"]["text/plain"] = nullptr;
  EXPECT_EQ(drawn,
            Json::parse(R"({"output_type": "display_data", "metadata": {}, "data": {"text/plain": null}})"));
}

TEST(Ipynb, SaysWhichLanguageItIs) {
  const auto cpp = notebook(sample()).at("metadata");
  EXPECT_EQ(cpp["language_info"]["name"], "C++");
  EXPECT_EQ(cpp["language_info"]["codemirror_mode"], "text/x-c++src");
  const auto python = notebook(sample(), NotebookLanguage::python).at("metadata");
  EXPECT_EQ(python["language_info"]["name"], "python");
  EXPECT_EQ(python["kernelspec"]["name"], "python3");
}

TEST(Ipynb, SaysWhatDiffersAndWhatThrew) {
  const auto different = notebook(test::sample(true));
  EXPECT_EQ(cell(different, "cell-2")["metadata"]["torchbook"]["verdict"], "different");
  EXPECT_EQ(cell(different, "cell-2-difference")["source"],
            Json::parse(R"(["**The cell differs from its golden.**\n", "\n", "```text\n",
                            "  line 2 of its stdout:\n", "    golden  B\n", "    here    b\n",
                            "            ^\n", "```"])"));
  const auto threw = notebook(test::sample_that_threw());
  EXPECT_EQ(ids(threw).back(), "cell-2");
  EXPECT_EQ(threw["cells"].back()["outputs"].back(), Json::parse(R"({
    "output_type": "error", "ename": "Error", "evalue": "boom", "traceback": ["boom"]})"));
}

TEST(Ipynb, SaysWhyItWasNotJudged) {
  const auto judged = notebook(test::sample_not_judged());
  EXPECT_EQ(cell(judged, "not-judged")["source"][0],
            "**Not judged**: sample.txt:4: expected a cell's &lt;heading&gt;");
}

TEST(Ipynb, SaysWhatIsKnownOfACell) {
  const auto known = notebook(test::sample_excepted(golden::ExceptionKind::not_ported, true));
  EXPECT_EQ(cell(known, "cell-2-difference")["source"],
            Json::array({"**The cell is not ported, as expected: the \\*why\\*.**"}));
}

TEST(Ipynb, HasOtherIdsForOtherCells) {
  for (const auto language : {NotebookLanguage::cpp, NotebookLanguage::python}) {
    for (const auto& judged : {sample(), test::sample(true), test::hostile()}) {
      const auto all = ids(notebook(judged, language));
      EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    }
  }
}

TEST(Ipynb, KeepsIdsWhereSomeCellsAreAskedFor) {
  golden::JudgedTranscript judged = sample();
  std::get<notebook::Cell>(judged.transcript.items[0]).selected = false;
  judged.judgements.erase(1);
  EXPECT_EQ(ids(notebook(judged)), (std::vector<std::string>{"title", "cell-2", "cell-3"}));
}

TEST(Ipynb, KeepsWhatTextHolds) {
  const std::string text =
      "```\n<script>alert(1)</script> $x_1$ *a* \x1b[31mred\x1b[0m\a\r\uFFFD &amp; ````\n# h";
  const auto whole = [](const Json& lines) {
    std::string joined;
    for (const auto& line : lines) joined += line.get<std::string>();
    return joined;
  };
  const auto written = cell(notebook(test::hostile()), "cell-1");
  EXPECT_EQ(whole(written["source"]), text);
  EXPECT_EQ(written["metadata"]["torchbook"]["twin"], text);
  EXPECT_EQ(whole(written["outputs"][0]["text"]), text + "\n");
  EXPECT_EQ(whole(written["outputs"][1]["data"]["text/plain"]), text);
  EXPECT_EQ(whole(cell(notebook(test::hostile()), "note-1")["source"]),
            "- <b>*a*</b> _b_ [c](d) $e$ ~~f~~ &amp; `g<i>` `` | \\ ␛<0xFF>\n\n# h");  // Markdown stays
}

}  // namespace
}  // namespace torchbook::report
