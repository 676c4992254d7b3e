// Tests that pictures have the names of the port's variables, and that a doubtful statement names nothing.
// Its CMake options keep the lines of its code, which a trace has.
#include <gtest/gtest.h>
#include <tools/site/origin/traced_run.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/normalization.h>

#include <cmath>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

using at::Tensor;
using notebook::Notebook;
using Texts = std::vector<std::string>;

/// A cell, with its text and its line in this file.
struct Ported {
  std::string source;
  std::size_t line;
  std::function<void(Notebook&)> body;
};

#define CELL(...)                                                    \
  Ported {                                                           \
#__VA_ARGS__, __LINE__, [&](Notebook & nb) { (void)nb; __VA_ARGS__ } \
  }

/// Returns the titles of all pictures.
Texts titles(const std::vector<Ported>& cells, std::size_t shift = 0) {
  TracedCells bodies;
  for (const auto& cell : cells) bodies.push_back(cell.body);
  auto judged = traced_run(bodies);
  judged.transcript.port_file = "variables_test.cpp";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto& cell = std::get<notebook::Cell>(judged.transcript.items[i]);
    cell.source = cells[i].source;
    cell.source_line = cells[i].line + shift;
  }
  Texts all;
  for (const auto& picture : site::pictures_of(judged)) all.push_back(picture.title);
  return all;
}

// Each cell has a line of its own, as a statement of a port has.

TEST(Variables, NameWhatAStatementAssigns) {
  Tensor x, y, z;
  const auto ones = CELL(x = at::ones({2, 2}););
  const auto softmax = CELL(y = x.softmax(1););
  const auto product = CELL(z = at::matmul(x, y););
  EXPECT_EQ(titles({ones, softmax, product}), (Texts{"x", "y", "z"}));
  const auto quotient = CELL(x = at::ones({2, 2}) / 2;);
  const auto masked = CELL(y = at::softmax(x.masked_fill(x == 1, -9), 1););
  EXPECT_EQ(titles({quotient, masked}), (Texts{"masked_fill", "y"}));
  const auto again = CELL(y = at::softmax(x, 1););
  EXPECT_EQ(titles({quotient, again}), (Texts{"x", "y"}));
}

TEST(Variables, NameWhatIsWrittenToThemAndTheirElements) {
  Tensor x, y;
  const auto zeros = CELL(x = at::zeros({2, 2}););
  const auto write = CELL(x[0] = 1;);
  const auto softmax = CELL(y = at::softmax(x, 1););
  const auto print = CELL(nb.print(x[1]););
  EXPECT_EQ(titles({zeros, write, softmax, print}), (Texts{"x", "y", "x[1]"}));
}

TEST(Variables, NameWhatIsDividedByAFunctionOfNumbers) {
  Tensor x, y;
  const auto quotient = CELL(x = at::ones({2, 2}) / std::pow(4, 0.5););
  const auto softmax = CELL(y = at::softmax(x, 1););
  EXPECT_EQ(titles({quotient, softmax}), (Texts{"x", "y"}));
}

TEST(Variables, NameTheLastOfSeveralOperations) {
  Tensor x, y;
  const auto twice = CELL(y = at::softmax(at::softmax(at::ones({2, 2}), 1), 1););
  EXPECT_EQ(titles({twice}), (Texts{"ones", "softmax", "y"}));
  const auto sum = CELL(x = at::ones({2, 2}) + at::eye(2) + at::ones({2, 2}) * 2;);
  const auto softmax = CELL(y = at::softmax(x, 1););
  EXPECT_EQ(titles({sum, softmax}), (Texts{"x", "y"}));
}

TEST(Variables, NameWhatLayersGiveAndTheirWeights) {
  torch::nn::Embedding table(3, 2);
  torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({2}));
  const auto ids = at::arange(2);
  const auto shown = CELL(nb.print(table->weight, norm->bias););
  Tensor q, k;
  auto both = CELL(q = table(ids), k = norm(q););
  const auto print = CELL(nb.print(q, k););
  both.source =
      "Embedding table(3, 2); LayerNorm norm({2});\n" + both.source;  // as the port declares the layers
  --both.line;
  EXPECT_EQ(titles({shown, both, print}), (Texts{"table.weight", "norm.bias", "q", "k"}));
}

Tensor weights_of(const Tensor& x) { return at::softmax(x, 1); }

TEST(Variables, NameNothingThatIsInDoubt) {
  Tensor x, y;
  const Texts none{"ones", "softmax"};
  const auto function = CELL(y = weights_of(at::ones({2, 2})););
  EXPECT_EQ(titles({function}), none);
  const auto nested = CELL(y = at::softmax(x = at::ones({2, 2}), 1););
  EXPECT_EQ(titles({nested}), none);
  const auto two_on_a_line = CELL(x = at::ones({2, 2}); y = at::softmax(x, 1););
  EXPECT_EQ(titles({two_on_a_line}), none);
  const auto softmax = CELL(y = at::softmax(at::ones({2, 2}), 1););
  EXPECT_EQ(titles({softmax}), (Texts{"ones", "y"}));
  EXPECT_EQ(titles({softmax}, 1), none);  // another line
}

}  // namespace
}  // namespace torchbook::test
