// Tests the report for programs, key by key and in order.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/programs/json.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace torchbook::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class Judged>
OrderedJson report_of(const Judged& judged, Sources sources = Sources::cpp) {
  return OrderedJson::parse(json_report(judged, sources, test::sample_fingerprint()));
}

TEST(JsonReport, HoldsTheDocumentsCellsAndTheRestoredStateBesideThem) {
  const OrderedJson expected = OrderedJson::parse(R"json({
    "notebook": "sample",
    "document": "000.txt",
    "cells": [
      {"position": 1, "label": "3", "source": "return f(1);\n// done", "stdout": "", "result": null,
       "verdict": "no-output"},
      {"position": 2, "label": "7", "source": "return f(2);\n// done", "stdout": "a\nb\n", "result": "tensor([1.])",
       "verdict": "different",
       "difference": {"error": null,
                      "text": {"output": "stdout", "line": 2, "column": 1, "golden": "B", "here": "b"},
                      "values": []}},
      {"position": 3, "label": "None", "source": "return f(3);\n// done", "stdout": "", "result": "True",
       "verdict": "equal"}
    ],
    "restored": [{"note": "The seed.", "source": "seed(1);"}],
    "fingerprint": {"torch": "LibTorch 1.13.1", "build": "GCC 12.2, \"-O2\"", "cpu_capability": "AVX2", "onednn": "AVX512_CORE",
                    "blas": "libopenblas.so.0", "threads": 2, "compiler": "g++ 12.2.0"}
})json");
  EXPECT_EQ(report_of(test::sample(true)).dump(), expected.dump());
}

TEST(JsonReport, OfValuesThatDifferHoldsAllThatIsKnown) {
  const OrderedJson cell = report_of(test::sample_of_other_bits())["cells"][1];
  EXPECT_EQ(cell["verdict"], "equal-as-printed");
  EXPECT_EQ(
      cell["difference"].dump(),
      R"({"error":null,"text":null,"values":[{"output":"result","tensor":1,"mismatch":null,"index":[0,1],)"
      R"("golden":"1.0","here":"1.0000001","absolute_error":1.1920928955078125e-07,)"
      R"("relative_error":1.1920928955078125e-07,"ulps":1,"elements":4,"differing":2,"largest_ulps":3,)"
      R"("largest_ulps_index":[1,1],"against":"recording"}]})");
}

TEST(JsonReport, HasNullForWhatIsNotKnownOrNotFinite) {
  golden::JudgedTranscript judged = test::sample_of_other_bits();
  auto& elements = judged.judgements.at(2).elements;
  elements[0] = {.where = "stdout",
                 .tensor = 0,
                 .values = {.golden = "0.", .actual = "1.", .absolute = 1, .relative = HUGE_VAL}};
  elements.push_back(
      {.where = "result", .tensor = 2, .values = {.mismatch = golden::Mismatch{"shape (2,)", "(1,)"}}});
  const OrderedJson values = report_of(judged)["cells"][1]["difference"]["values"];
  EXPECT_EQ(
      values.dump(),
      R"([{"output":"stdout","tensor":null,"mismatch":null,"index":null,"golden":"0.","here":"1.",)"
      R"("absolute_error":1.0,"relative_error":null,"ulps":null,"elements":null,"differing":null,)"
      R"("largest_ulps":null,"largest_ulps_index":null,"against":"golden"},)"
      R"({"output":"result","tensor":2,"mismatch":"shape (2,) here, (1,) in the golden","index":null,)"
      R"("golden":null,"here":null,"absolute_error":null,"relative_error":null,"ulps":null,"elements":null,)"
      R"("differing":null,"largest_ulps":null,"largest_ulps_index":null,"against":"golden"}])");
}

TEST(JsonReport, IsIndentedAndEndsWithANewline) {
  const std::vector all = {test::sample()};
  const std::vector outlines = {all[0].transcript};
  for (const auto& text : {json_report(all[0], Sources::cpp, {}), json_report(all, Sources::cpp, {}),
                           json_outline(outlines[0]), json_outline(outlines)}) {
    EXPECT_TRUE(text.starts_with("{\n  \"notebook")) << text;
    EXPECT_TRUE(text.ends_with("}\n")) << text;
  }
}

TEST(JsonReport, WithoutSourceHasNull) {
  const OrderedJson report = report_of(test::sample(), Sources::none);
  for (const auto& cell : report["cells"]) EXPECT_TRUE(cell.at("source").is_null());
  EXPECT_TRUE(report["restored"][0].at("source").is_null());
}

TEST(JsonReport, HasTheTwinsWhereTheyAreAskedFor) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Restored>(judged.transcript.items[2]).twin = "seed(1)";
  std::get<notebook::Cell>(judged.transcript.items[3]).twin = "f(2)";
  const OrderedJson both = OrderedJson::parse(json_report(judged, Sources::both, {}));
  const std::string sources = both["cells"][1].dump().substr(0, 72);
  EXPECT_EQ(sources,
            "{\"position\":2,\"label\":\"7\",\"source\":\"return f(2);\\n// done\",\"twin\":\"f(2)\"");
  EXPECT_EQ(both["cells"][0]["twin"], "");
  EXPECT_EQ(both["restored"][0]["twin"], "seed(1)");
  EXPECT_EQ(both["restored"][0]["source"], "seed(1);");
  const OrderedJson python = OrderedJson::parse(json_report(judged, Sources::python, {}));
  EXPECT_TRUE(python["cells"][1]["source"].is_null());
  EXPECT_EQ(python["cells"][1]["twin"], "f(2)");
}

TEST(JsonReport, NamesTheCellThatThrew) {
  const OrderedJson report = report_of(test::sample_that_threw());
  EXPECT_EQ(report["cells"].size(), 2U);
  EXPECT_EQ(report["error"], "sample.cpp:20: cell In [7] (@2) threw: boom");
  EXPECT_EQ(report["cells"][1]["verdict"], "threw");
  EXPECT_EQ(report["cells"][1]["difference"]["error"], "boom");
  EXPECT_FALSE(report_of(test::sample()).contains("error"));
}

TEST(JsonReport, TellsWhatATwinRaised) {
  const OrderedJson report = report_of(test::sample_whose_twin_raised());
  ASSERT_EQ(report["cells"].size(), 2U);
  EXPECT_EQ(report["error"], "the twin's cell In [7] (@2) failed: sample.py:7: ValueError: no");
  EXPECT_EQ(report["cells"][1]["verdict"], "threw");
  EXPECT_EQ(report["cells"][1]["difference"].dump(),
            R"({"error":null,"text":null,"values":[],"raised":"sample.py:7: ValueError: no"})");
}

TEST(JsonReport, TellsWhyANotebookWasNotJudged) {
  const OrderedJson report = report_of(test::sample_not_judged());
  EXPECT_EQ(report["failure"], "sample.txt:4: expected a cell's <heading>");
  EXPECT_TRUE(report["cells"].empty());
  EXPECT_FALSE(report_of(test::sample(true)).contains("failure"));
}

TEST(JsonReport, OfSeveralNotebooksIsAList) {
  const std::vector<golden::JudgedTranscript> runs = {test::sample(), test::sample(true)};
  const OrderedJson report = report_of(runs);
  ASSERT_EQ(report.size(), 2U);
  ASSERT_EQ(report["notebooks"].size(), 2U);
  OrderedJson first = report_of(test::sample());
  EXPECT_EQ(report["fingerprint"], first["fingerprint"]);
  first.erase("fingerprint");
  EXPECT_EQ(report["notebooks"][0], first);
}

TEST(JsonReport, HoldsWhyBitsDiffer) {
  const std::vector<golden::JudgedTranscript> runs = {test::sample_of_other_bits()};
  Explanation explanation{.causes = {{.about = "torch", .text = "release 2"},
                                     {.about = "threads", .text = "2", .setting = "OMP_NUM_THREADS=1"}}};
  const auto report = [&] {
    return OrderedJson::parse(json_report(runs, Sources::cpp, test::sample_fingerprint(), explanation));
  };
  EXPECT_EQ(report()["causes"].dump(), R"([{"about":"torch","text":"release 2","setting":null},)"
                                       R"({"about":"threads","text":"2","setting":"OMP_NUM_THREADS=1"}])");
  EXPECT_FALSE(report().contains("run_again"));
  explanation.trials = {{.settings = {"A=b"}, .outputs = 3, .equal = 2, .different = {"book @2"}}};
  EXPECT_EQ(report()["run_again"].dump(),
            R"({"settings":["A=b"],"outputs":3,"equal":2,"different":["book @2"],"failure":null,)"
            R"("beyond_rounding":[],"not_judged":null})");
  explanation.trials = {{.settings = {"A=b"}, .failure = "ended"}};
  explanation.beyond_rounding = {"exp"};
  explanation.not_judged = "why";
  EXPECT_EQ(
      report()["run_again"].dump(),
      R"({"settings":["A=b"],"outputs":0,"equal":0,"different":[],"failure":"ended","beyond_rounding":["exp"],)"
      R"("not_judged":"why"})");
  explanation = {};
  EXPECT_EQ(report()["causes"].dump(), "[]");
}

TEST(JsonReport, KeepsEveryCharacter) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Cell>(judged.transcript.items[3]).out = "\"\\\t\x01 ä <b>\n";
  EXPECT_EQ(report_of(judged)["cells"][1]["stdout"], "\"\\\t\x01 ä <b>\n");
}

TEST(JsonOutline, HoldsThePositionsLabelsAndSources) {
  const OrderedJson outline = OrderedJson::parse(json_outline(test::sample().transcript));
  EXPECT_EQ(outline.dump(), R"({"notebook":"sample","document":"000.txt","cells":[)"
                            R"({"position":1,"label":"3","source":"return f(1);\n// done"},)"
                            R"({"position":2,"label":"7","source":"return f(2);\n// done"},)"
                            R"({"position":3,"label":"None","source":"return f(3);\n// done"}]})");
}

}  // namespace
}  // namespace torchbook::report
