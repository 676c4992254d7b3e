// Tests how the trace of a run becomes the program of a page.
#include <gtest/gtest.h>
#include <tools/site/computing/page_program.h>
#include <tools/site/origin/traced_run.h>
#include <torch/torch.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::test {
namespace {

using nlohmann::json;

json program_of(const TracedCells& cells) {
  const auto program = site::program_of(traced_run(cells).transcript.trace, {});
  EXPECT_EQ(program.why, "");
  return json::parse(program.json.empty() ? "{}" : program.json);
}

std::string why_not(const TracedCells& cells) {
  return site::program_of(traced_run(cells).transcript.trace, {}).why;
}

TEST(PageProgram, ALiteralIsOneConstant) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    nb.display(torch::tensor({{0.43, 0.15}, {0.55, 0.87}}).softmax(-1));
  }});
  ASSERT_EQ(program["tensors"].size(), 2U);
  const json literal{{"values", {0.43, 0.15, 0.55, 0.87}}, {"dtype", "float32"}, {"shape", {2, 2}}};
  EXPECT_EQ(program["tensors"][0], literal);
  EXPECT_EQ(program["tensors"][1]["op"], "aten::softmax.int");
  EXPECT_EQ(program["tensors"][1]["args"], json::parse(R"([{"tensor": 0}, -1, null])"));
  EXPECT_EQ(program["cells"], json::parse(R"([{"cell": 1, "shown": [1]}])"));
}

// Their bytes, shapes and strides are equal. Only the offset in the memory distinguishes them.
TEST(PageProgram, EqualRowsAreDistinguished) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    const auto x = torch::ones({2, 3});
    const auto first = x[0];
    const auto second = x[1];
    nb.print(first * 2);
    nb.print(second * 3);
  }});
  std::map<std::string, json> factor;
  for (const auto& node : program["tensors"]) {
    if (!node.value("op", "").starts_with("aten::mul")) continue;
    const auto view = program["tensors"][node["args"][0]["tensor"].get<std::size_t>()];
    factor[node["values"].dump()] = view["args"];
  }
  EXPECT_EQ(factor["[2.0,2.0,2.0]"][2], 0);
  EXPECT_EQ(factor["[3.0,3.0,3.0]"][2], 1);
}

TEST(PageProgram, AWriteToAPartIsAnInsertionThatViewsSee) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    auto x = torch::zeros({3, 2});
    const auto row = x[1];
    x[1] = torch::ones({2}).exp();
    nb.display(row);
  }});
  const auto& tensors = program["tensors"];
  const auto& shown = tensors[program["cells"][0]["shown"][0].get<std::size_t>()];
  EXPECT_EQ(shown["op"], "aten::select.int");
  const auto& whole = tensors[shown["args"][0]["tensor"].get<std::size_t>()];
  EXPECT_EQ(whole["op"], "insert");
  EXPECT_EQ(whole["through"], json::parse(R"([["aten::select.int", 0, 1]])"));
  EXPECT_EQ(tensors[whole["args"][1]["tensor"].get<std::size_t>()]["op"], "aten::exp");
}

TEST(PageProgram, APictureKeepsTheNodeOfItsMoment) {
  const auto judged = traced_run({[](notebook::Notebook& nb) {
    auto x = torch::ones({2, 2}).exp();
    const auto y = torch::matmul(x, x);
    x[0] = torch::zeros({2});
    nb.display(y + x);
  }});
  const auto pictures = site::pictures_of(judged);
  const auto program = site::program_of(judged.transcript.trace, pictures);
  ASSERT_EQ(program.why, "");
  ASSERT_EQ(program.tensors.size(), pictures.size());
  ASSERT_EQ(pictures[0].exact[0], "2.7182817");
  ASSERT_TRUE(program.tensors[0]);
  EXPECT_EQ(json::parse(program.json)["tensors"][*program.tensors[0]]["op"], "aten::exp");
}

TEST(PageProgram, ADrawHasItsSeedAndTheNextContinues) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    torch::manual_seed(7);
    const auto first = torch::rand({2});
    nb.display(first + torch::rand({2}));
  }});
  EXPECT_EQ(program["tensors"][0]["seed"], 7);
  EXPECT_EQ(program["tensors"][1]["op"], "aten::rand");
  EXPECT_FALSE(program["tensors"][1].contains("seed"));
}

TEST(PageProgram, WhatIsNotCertainHasNone) {
  EXPECT_EQ(why_not({[](notebook::Notebook& nb) { nb.display(torch::ones({2}, torch::kDouble)); }}),
            "a tensor is of dtype float64");
  EXPECT_EQ(why_not({[](notebook::Notebook& nb) {
              const auto x = torch::ones({2});
              nb.display(x * x.sum().item<float>());
            }}),
            "the notebook takes a number out of a tensor, and the trace does not show its use");
  EXPECT_EQ(site::program_of("", {}).json, "");
}

}  // namespace
}  // namespace torchbook::test
