// Tests how the trace of a run becomes the program of a page.
#include <gtest/gtest.h>
#include <tools/site/computing/page_program.h>
#include <tools/site/origin/traced_run.h>
#include <torch/torch.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

using nlohmann::json;

json program_of(const TracedCells& cells) {
  return json::parse(site::program_of(traced_run(cells).transcript, {}).json);
}

/// Returns the tensor that the first cell shows.
json shown_in(const json& program) {
  return program["tensors"][program["cells"][0]["shown"][0].get<std::size_t>()];
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

TEST(PageProgram, APictureKeepsTheNodeOfItsMoment) {
  const auto judged = traced_run({[](notebook::Notebook& nb) {
    auto x = torch::ones({2, 2}).exp();
    const auto y = torch::matmul(x, x);
    x[0] = torch::zeros({2});
    nb.display(y + x);
  }});
  const auto pictures = site::pictures_of(judged);
  const auto program = site::program_of(judged.transcript, pictures);
  ASSERT_EQ(program.tensors.size(), pictures.size());
  ASSERT_EQ(pictures[0].exact[0], "2.7182817");
  ASSERT_TRUE(program.tensors[0]);
  EXPECT_EQ(json::parse(program.json)["tensors"][*program.tensors[0]]["op"], "aten::exp");
}

TEST(PageProgram, ATensorOfAnotherDtypeHasNoValues) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    const auto x = torch::ones({2});
    nb.print(x.to(torch::kHalf));
    nb.display((x * 2).exp());
  }});
  EXPECT_EQ(shown_in(program)["dtype"], "float16");
  EXPECT_FALSE(shown_in(program).contains("values"));
  EXPECT_EQ(program["tensors"].back()["op"], "aten::exp");
  EXPECT_TRUE(program["tensors"].back().contains("values"));
}

TEST(PageProgram, AConstantThatTheTraceLacksIsAWall) {
  const auto program =
      program_of({[](notebook::Notebook& nb) { nb.display(torch::ones({2}, torch::kDouble).sum()); }});
  EXPECT_EQ(program["tensors"].back()["op"], "aten::sum");
  EXPECT_EQ(site::program_of(notebook::Transcript{}, {}).json, "");
}

// Batch normalization writes its running mean, and returns something else.
TEST(PageProgram, WhatChangedUnseenIsAWallWithWhatItMayDependOn) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    const auto x = torch::arange(6.).view({3, 2});
    const auto mean = torch::zeros({2}).exp();
    const auto variance = torch::ones({2}).exp();
    nb.print(torch::batch_norm(x, {}, {}, mean, variance, true, 0.5, 1e-5, false));
    nb.display(mean);
  }});
  const auto shown = program["tensors"][program["cells"][0]["shown"][1].get<std::size_t>()];
  EXPECT_EQ(shown["wall"], "a tensor was changed by an operation that does not return it");
  EXPECT_EQ(shown["args"].size(), 3U);
  EXPECT_EQ(shown["values"].size(), 2U);
}

TEST(PageProgram, WhatNeedsATakenNumberSaysSinceWhen) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    const auto x = torch::ones({2}).exp();
    const auto before = x * 0.5;
    const auto scaled = x * x.sum().item<float>();
    nb.print(before);
    nb.print(scaled);
    nb.display(x * 0.5);
  }});
  ASSERT_EQ(program["taken"].size(), 1U);
  const auto from = program["taken"][0][1].get<std::size_t>();
  std::vector<std::size_t> loose;
  for (const auto& tensor : program["tensors"]) {
    if (tensor.contains("since")) loose.push_back(tensor["since"].get<std::size_t>());
  }
  ASSERT_EQ(loose.size(), 1U);  // 0.5 was there before
  EXPECT_GE(loose[0], from);
  EXPECT_EQ(program["cells"][0]["taken"].size(), 1U);
}

TEST(PageProgram, AnIndexThatIsATensorIsATakenNumber) {
  const auto program = program_of({[](notebook::Notebook& nb) {
    const auto x = torch::ones({2, 2}).exp();
    nb.print(x.index({x[1].argmax()}).exp());  // 0
  }});
  ASSERT_EQ(program["taken"].size(), 1U);
  const auto& tensors = program["tensors"];
  const auto from = program["taken"][0][1].get<std::size_t>();
  ASSERT_LT(from, tensors.size());
  EXPECT_EQ(tensors[from]["op"], "aten::select.int");
  EXPECT_EQ(tensors[from]["since"], from);
}

TEST(PageProgram, ACellOfManyOperationsIsCutOut) {
  const auto program = program_of({[](notebook::Notebook& nb) {
                                     torch::manual_seed(1);
                                     const auto x = torch::ones({20}).exp();
                                     nb.display(x);
                                   },
                                   [](notebook::Notebook& nb) {
                                     auto y = torch::ones({20}).exp() * 3;
                                     for (int i = 0; i < 4000; ++i) y = y.cos() + torch::rand({20});
                                     nb.display(y);
                                   },
                                   [](notebook::Notebook& nb) { nb.display(torch::rand({2}).exp()); }});
  const auto& tensors = program["tensors"];
  ASSERT_LT(tensors.size(), 100U);
  const auto shown = [&](std::size_t cell) {
    return tensors[program["cells"][cell]["shown"][0].get<std::size_t>()];
  };
  EXPECT_EQ(shown(0)["op"], "aten::exp");
  EXPECT_EQ(shown(1)["wall"], "too many operations ran");
  EXPECT_EQ(shown(1)["values"].size(), 20U);
  const auto drawn = tensors[shown(2)["args"][0]["tensor"].get<std::size_t>()];
  EXPECT_EQ(tensors[drawn["follows"]["tensor"].get<std::size_t>()]["wall"], "too many operations ran");
  EXPECT_EQ(shown(2)["op"], "aten::exp");
}

}  // namespace
}  // namespace torchbook::test
