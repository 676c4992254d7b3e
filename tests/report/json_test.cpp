// The report for programs, key by key and in order.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/json.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace torchbook {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonReport, HoldsTheDocumentsCellsAndTheRestoredStateBesideThem) {
  const Json expected = Json::parse(R"json({
    "notebook": "sample",
    "document": "000.txt",
    "cells": [
      {"position": 1, "label": "3", "source": "return f(1);\n// done", "stdout": "", "result": null,
       "verdict": "no-output"},
      {"position": 2, "label": "7", "source": "return f(2);\n// done", "stdout": "a\nb\n", "result": "tensor([1.])",
       "verdict": "different"},
      {"position": 3, "label": "None", "source": "return f(3);\n// done", "stdout": "", "result": "True",
       "verdict": "equal"}
    ],
    "restored": [{"note": "The seed.", "source": "seed(1);"}]
})json");
  EXPECT_EQ(Json::parse(json_report(test::sample(true), Sources::cpp)).dump(), expected.dump());
}

TEST(JsonReport, EndsWithANewline) {
  EXPECT_TRUE(json_report(test::sample(), Sources::cpp).ends_with("}\n"));
}

TEST(JsonReport, WithoutSourceHasNull) {
  const Json report = Json::parse(json_report(test::sample(), Sources::none));
  for (const auto& cell : report["cells"]) EXPECT_TRUE(cell.at("source").is_null());
  EXPECT_TRUE(report["restored"][0].at("source").is_null());
}

TEST(JsonReport, HasTheTwinsWhereTheyAreAskedFor) {
  JudgedTranscript judged = test::sample();
  std::get<Restored>(judged.transcript.items[2]).twin = "seed(1)";
  std::get<Cell>(judged.transcript.items[3]).twin = "f(2)";
  const Json both = Json::parse(json_report(judged, Sources::both));
  const std::string sources = both["cells"][1].dump().substr(0, 72);
  EXPECT_EQ(sources,
            "{\"position\":2,\"label\":\"7\",\"source\":\"return f(2);\\n// done\",\"twin\":\"f(2)\"");
  EXPECT_EQ(both["cells"][0]["twin"], "");
  EXPECT_EQ(both["restored"][0]["twin"], "seed(1)");
  EXPECT_EQ(both["restored"][0]["source"], "seed(1);");
  const Json python = Json::parse(json_report(judged, Sources::python));
  EXPECT_TRUE(python["cells"][1]["source"].is_null());
  EXPECT_EQ(python["cells"][1]["twin"], "f(2)");
}

TEST(JsonReport, NamesTheCellThatThrew) {
  const Json report = Json::parse(json_report(test::sample_that_threw(), Sources::cpp));
  EXPECT_EQ(report["cells"].size(), 2U);
  EXPECT_EQ(report["error"], "cell In [7] (@2) threw: boom");
  EXPECT_FALSE(Json::parse(json_report(test::sample(), Sources::cpp)).contains("error"));
}

TEST(JsonReport, OfSeveralNotebooksIsAList) {
  const std::vector<JudgedTranscript> runs = {test::sample(), test::sample(true)};
  const Json report = Json::parse(json_report(runs, Sources::cpp));
  ASSERT_EQ(report.size(), 1U);
  ASSERT_EQ(report["notebooks"].size(), 2U);
  EXPECT_EQ(report["notebooks"][0], Json::parse(json_report(test::sample(), Sources::cpp)));
}

TEST(JsonReport, KeepsEveryCharacter) {
  JudgedTranscript judged = test::sample();
  std::get<Cell>(judged.transcript.items[3]).out = "\"\\\t\x01 ä <b>\n";
  EXPECT_EQ(Json::parse(json_report(judged, Sources::cpp))["cells"][1]["stdout"], "\"\\\t\x01 ä <b>\n");
}

TEST(JsonOutline, HoldsThePositionsLabelsAndSources) {
  const Json outline = Json::parse(json_outline(test::sample().transcript));
  EXPECT_EQ(outline.dump(), R"({"notebook":"sample","document":"000.txt","cells":[)"
                            R"({"position":1,"label":"3","source":"return f(1);\n// done"},)"
                            R"({"position":2,"label":"7","source":"return f(2);\n// done"},)"
                            R"({"position":3,"label":"None","source":"return f(3);\n// done"}]})");
}

}  // namespace
}  // namespace torchbook
