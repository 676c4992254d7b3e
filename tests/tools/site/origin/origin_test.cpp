// Tests which origins the operations of a run give, and where nothing is claimed.
#include <gtest/gtest.h>
#include <tools/site/origin/traced_run.h>

#include <cmath>
#include <cstring>

namespace torchbook::test {
namespace {

using notebook::Notebook;
using Words = std::vector<std::string>;

/// Returns the origin of the last picture of one cell that displays a tensor.
std::string origin_of(const std::function<at::Tensor(Notebook&)>& body) {
  const auto words = origins({[&](Notebook& nb) {
    const at::Tensor tensor = body(nb);
    nb.print(tensor);
  }});
  const auto& last = words.back();
  const auto equals = last.find(" = ");
  return equals == std::string::npos ? "" : last.substr(equals + 3);
}

/// Prints a tensor and returns it, so that it has a picture.
at::Tensor shown(Notebook& nb, at::Tensor tensor) {
  nb.print(tensor);
  return tensor;
}

TEST(Origin, ProductsWithTheirOperands) {
  EXPECT_EQ(origins({[](Notebook& nb) { nb.print(at::matmul(counted(2, 3), counted(3, 2))); }}),
            (Words{"u1-1", "u1-2", "t1-1 = u1-1 @ u1-2"}));
  EXPECT_EQ(origins({[](Notebook& nb) { nb.print(at::matmul(counted(2, 3), counted(4, 3).t())); }}),
            (Words{"u1-1", "u1-2", "t1-1 = u1-1 @ u1-2.T"}));
  EXPECT_EQ(origins({[](Notebook& nb) { nb.print(at::linear(counted(2, 3), counted(4, 3))); }}),
            (Words{"u1-1", "u1-2", "t1-1 = u1-1 @ u1-2.T"}));
  EXPECT_EQ(origins({[](Notebook& nb) { nb.print(at::linear(counted(2, 3), counted(3, 4).t())); }}),
            (Words{"u1-1", "u1-2", "t1-1 = u1-1 @ u1-2"}));
  EXPECT_EQ(origins({[](Notebook& nb) { nb.print(at::mv(counted(2, 3), at::ones({3}))); }}),
            (Words{"u1-1", "u1-2", "t1-1 = u1-1 @ u1-2"}));
  EXPECT_EQ(origins({[](Notebook& nb) {
              const auto q = counted(4, 3).view({2, 2, 3});
              nb.print(at::bmm(q, q.transpose(-2, -1)));
            }}),
            (Words{"u1-1", "t1-1 = u1-1 @ u1-1.T"}));
}

TEST(Origin, RowsOfAMatrixStandForIt) {
  EXPECT_EQ(origins({[](Notebook& nb) {
              const auto x = counted(3, 2);
              nb.print(at::matmul(x[-1], x.t()));
            }}),
            (Words{"u1-1", "t1-1 = u1-1[2] @ u1-1.T"}));
}

TEST(Origin, IsToldByTheOperationAndNotByItsNumbers) {
  // Both products are equal. The operands of the wrong one, a and b, were shown more recently.
  const auto words = origins({[](Notebook& nb) {
    const auto c = shown(nb, at::full({2, 2}, 2.F) + at::eye(2));
    const auto d = shown(nb, at::eye(2) * 3);
    const auto a = shown(nb, at::eye(2) * 3 + 0);
    const auto b = shown(nb, at::full({2, 2}, 2.F) + at::eye(2) * 1);
    ASSERT_TRUE(at::equal(at::matmul(a, b), at::matmul(c, d)));
    nb.print(at::matmul(c, d));
  }});
  EXPECT_EQ(words.back(), "t1-5 = t1-1 @ t1-2");
}

TEST(Origin, SoftmaxesAndTheirDimension) {
  EXPECT_EQ(origin_of([](Notebook& nb) { return at::softmax(shown(nb, counted(2, 3)), -1); }),
            "softmax(t1-1, 1)");
  EXPECT_EQ(origin_of([](Notebook& nb) { return at::softmax(shown(nb, counted(2, 3)), 0); }),
            "softmax(t1-1, 0)");
}

TEST(Origin, ExponentialsByTheirSumAreASoftmaxIfTheSumsAreTheirs) {
  const auto quotient = [](std::int64_t dim, bool keepdim) {
    return origin_of([=](Notebook& nb) {
      const auto x = shown(nb, counted(2, 2) + counted(2, 2).t());  // symmetric, so the numbers do not tell
      return at::exp(x) / at::exp(x).sum(dim, keepdim);
    });
  };
  EXPECT_EQ(quotient(1, true), "softmax(t1-1, 1) by hand");
  EXPECT_EQ(quotient(0, false), "softmax(t1-1, 0) by hand");
  EXPECT_EQ(quotient(1, false), "formula: exp(t1-1) / sum(exp(t1-1), 1)");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, counted(2, 2));
              return at::exp(x) / at::exp(x).sum();
            }),
            "formula: exp(t1-1) / sum(exp(t1-1))");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, counted(1, 2)[0]);
              return at::exp(x) / at::exp(x).sum();
            }),
            "softmax(t1-1, 0) by hand");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, at::ones({2}));
              const auto y = shown(nb, at::zeros({2}));
              return at::exp(x) / at::exp(y).sum(0);
            }),
            "formula: exp(t1-1) / sum(exp(t1-2), 0)");
}

TEST(Origin, QuotientsByNumbersAndRoots) {
  const auto by = [](double number) {
    return origin_of([=](Notebook& nb) { return shown(nb, counted(2, 3)) / number; });
  };
  EXPECT_EQ(by(std::sqrt(24)), "t1-1 / √24");
  EXPECT_EQ(by(2), "t1-1 / 2");
  EXPECT_EQ(by(-2), "formula: t1-1 / -2");
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(2, 3)) * std::pow(24, -0.5); }),
            "t1-1 / √24");
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(2, 3)) * 3; }), "formula: t1-1 × 3");
  EXPECT_EQ(origin_of([](Notebook& nb) { return at::div(shown(nb, counted(2, 3)), 2, "floor"); }),
            "formula: div(t1-1, 2)");
}

TEST(Origin, LoopsOfDotProducts) {
  const auto loop = [](const auto& at_end) {
    return origin_of([&](Notebook& nb) {
      const auto x = shown(nb, counted(3, 2));
      const auto y = shown(nb, counted(3, 2) + 1);
      auto scores = at::empty({3, 3});
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) scores[i][j] = at::dot(x[i], y[j]);
      }
      at_end(scores, x);
      return scores;
    });
  };
  EXPECT_EQ(loop([](auto&&...) {}), "t1-1 @ t1-2.T");
  EXPECT_EQ(loop([](at::Tensor& scores, const at::Tensor&) { scores[1][2] = 7; }), "");
  EXPECT_EQ(loop([](at::Tensor& scores, const at::Tensor& x) { scores[1][2] = at::dot(x[1], x[2]); }), "");
  EXPECT_EQ(loop([](at::Tensor& scores, const at::Tensor&) { scores.data_ptr<float>()[4] = 0; }), "");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, counted(3, 2));
              const auto scores = at::empty({3});
              for (int i = 0; i < 3; ++i) scores[i] = at::dot(x[i], x[1]);
              return scores;
            }),
            "t1-1[1] @ t1-1.T");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, counted(3, 2));
              auto scores = at::empty({3});
              for (int i = 0; const auto& row : x.unbind()) scores[i++] = at::dot(x[1], row);
              return scores;
            }),
            "t1-1[1] @ t1-1.T");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, counted(3, 2));
              const auto scores = at::zeros({3});
              for (int i = 0; i < 2; ++i) scores[i] = at::dot(x[i], x[1]);
              return scores;
            }),
            "");
}

TEST(Origin, LoopsThatAddUpRows) {
  const auto loop = [](std::int64_t rows, std::int64_t first) {
    return origin_of([=](Notebook& nb) {
      const auto x = shown(nb, counted(3, 2));
      const auto weights = shown(nb, at::ones({3}));
      auto total = at::zeros({2});
      for (std::int64_t i = 0; i < rows; ++i) total += weights[i] * x[(i + first) % 3];
      return total;
    });
  };
  EXPECT_EQ(loop(3, 0), "t1-2 @ t1-1");
  EXPECT_EQ(loop(3, 1).substr(0, 7), "formula");  // another weight for each row
  EXPECT_EQ(loop(2, 0).substr(0, 7), "formula");  // not all of the rows
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto x = shown(nb, counted(3, 2));
              const auto weights = shown(nb, at::ones({3}));
              auto total = at::zeros({2});
              for (int i = 0; const auto& row : x.unbind()) total += weights[i++] * row;
              return total;
            }),
            "t1-2 @ t1-1");
}

TEST(Origin, AnyOtherOperationIsAFormula) {
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(3, 2)).mean(0); }),
            "formula: mean(t1-1, 0)");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto scores = shown(nb, counted(2, 2));
              return scores.masked_fill(at::tril(at::ones({2, 2})) == 0, -INFINITY);
            }),
            "formula: masked_fill(t1-1, (tril(ones([2, 2]), 0) == 0), -inf)");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              const auto tokens = shown(nb, counted(2, 3)), places = shown(nb, counted(2, 3));
              return (tokens + places) * 2;
            }),
            "formula: (t1-1 + t1-2) × 2");
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(3, 2))[1]; }), "formula: row 1 of t1-1");
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(3, 2)).to(at::kLong); }),
            "formula: t1-1 as int64");
}

TEST(Origin, AProductThatIsChangedIsNoProduct) {
  EXPECT_EQ(origin_of([](Notebook& nb) {
              auto product = at::matmul(shown(nb, counted(2, 2)), shown(nb, counted(2, 2)));
              product += 1;
              return product;
            }),
            "formula: u1-1 + 1");
  EXPECT_EQ(origin_of([](Notebook& nb) {
              auto product = at::matmul(shown(nb, counted(2, 2)), shown(nb, counted(2, 2)));
              std::memset(product.data_ptr(), 0, product.nbytes());
              return product;
            }),
            "");
}

TEST(Origin, AFormulaShowsNoDtypesAndNoSecondResults) {
  EXPECT_EQ(origin_of([](Notebook& nb) {
              return shown(nb, counted(2, 2)).masked_fill(at::ones({2, 2}, at::kBool), 0);
            }),
            "formula: masked_fill(t1-1, ones([2, 2]), 0)");
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(2, 2)).sum(0, false, at::kDouble); }),
            "formula: sum(t1-1, 0)");
  EXPECT_EQ(origin_of([](Notebook& nb) { return std::get<0>(shown(nb, counted(2, 2)).max(0)); }),
            "formula: max(t1-1, 0)");
  EXPECT_EQ(origin_of([](Notebook& nb) { return std::get<1>(shown(nb, counted(2, 2)).max(0)); }), "");
}

TEST(Origin, WhatIsOverwrittenIsNotComputedFromWhatItWas) {
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(2, 2)).zero_(); }), "");
  EXPECT_EQ(origin_of([](Notebook& nb) { return shown(nb, counted(2, 2)).fill_(3); }), "");
}

TEST(Origin, NothingIsSaidThatNobodyCouldRead) {
  EXPECT_EQ(origin_of([](Notebook& nb) {
              auto x = shown(nb, counted(2, 2));
              for (int i = 0; i < 10; ++i) x = x + 1;
              return x;
            }),
            "");
  EXPECT_EQ(origin_of([](Notebook&) { return at::ones({2, 2}) + 1; }), "");  // of no other tensor
}

}  // namespace
}  // namespace torchbook::test
