// A traced run keeps what products and softmaxes take and give, and knows which cell made it.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/trace.h>

#include <cstring>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace torchbook {

bool operator==(const TracedTensor& a, const TracedTensor& b) {
  return a.tensor == b.tensor && a.position == b.position && a.shown == b.shown && a.given == b.given;
}

void PrintTo(const TracedTensor& traced, std::ostream* to) {
  *to << traced.tensor.dtype << " of " << traced.tensor.shape.size()
      << (traced.given ? " dims, given, made by cell " : " dims, taken, made by cell ") << traced.position
      << " after " << traced.shown << " shown:";
  for (const double value : values(traced.tensor).value_or(std::vector<double>{})) *to << ' ' << value;
}

namespace {

using Cells = std::vector<std::function<void(Notebook&)>>;

/// What a notebook of these cells leaves in a trace.
std::vector<TracedTensor> traced(const Cells& cells) {
  Notebook nb("nb.cell(\"1\", [&] {\n});\n", {});
  const Trace trace(nb);
  for (const auto& body : cells) {
    nb.cell(
        "1", [&] { body(nb); }, 1);
  }
  EXPECT_FALSE(nb.transcript().error()) << *nb.transcript().error();
  return trace.tensors();
}

TracedTensor floats(std::vector<std::int64_t> shape, const std::vector<float>& values, std::size_t position,
                    std::size_t shown = 0) {
  RecordedTensor tensor{.dtype = "torch.float32", .shape = std::move(shape), .bytes = {}};
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return {.tensor = std::move(tensor), .position = position, .shown = shown};
}

TracedTensor given(TracedTensor tensor) {
  tensor.given = true;
  return tensor;
}

using Traced = std::vector<TracedTensor>;

at::Tensor matrix() { return at::tensor({1.F, 2.F, 3.F, 4.F, 5.F, 6.F}).view({3, 2}); }

TEST(Trace, KeepsWhatAProductTakesAndGives) {
  at::Tensor a, b;
  EXPECT_EQ(traced({[&](Notebook&) {
                      a = at::ones({2, 2});
                    },
                    [&](Notebook&) { b = at::full({2}, 3.F); }, [&](Notebook&) { at::matmul(a, b); }}),
            (Traced{floats({2, 2}, {1, 1, 1, 1}, 1), floats({2}, {3, 3}, 2), given(floats({2}, {6, 6}, 3))}));
}

TEST(Trace, KeepsWhatASoftmaxTakesAndGives) {
  EXPECT_EQ(traced({[](Notebook&) {
              at::softmax(at::zeros({1, 2}), 1);
            }}),
            (Traced{floats({1, 2}, {0, 0}, 1), given(floats({1, 2}, {0.5F, 0.5F}, 1))}));
}

TEST(Trace, KeepsTheWholeOfWhichAViewIsAPartAndKeepsItOnce) {
  at::Tensor inputs;
  const TracedTensor all = floats({3, 2}, {1, 2, 3, 4, 5, 6}, 1);
  EXPECT_EQ(traced({[&](Notebook&) {
                      inputs = at::empty({3, 2}).copy_(matrix());
                    },
                    [&](Notebook&) {
                      for (int i = 0; i < 3; ++i) at::dot(inputs[i], inputs[1]);
                    },
                    [&](Notebook&) { at::matmul(inputs, inputs.t()); }}),
            (Traced{all, given(floats({3, 3}, {5, 11, 17, 11, 25, 39, 17, 39, 61}, 3))}));
}

TEST(Trace, KnowsTheCellThatWroteLast) {
  at::Tensor scores;
  EXPECT_EQ(traced({[&](Notebook&) { scores = at::empty({2}); },
                    [&](Notebook&) {
                      scores[0] = 1;
                      scores[1] = 1;
                    },
                    [&](Notebook&) { at::softmax(scores, 0); }, [&](Notebook&) { scores += 1; },
                    [&](Notebook&) { at::softmax(scores, 0); }}),
            (Traced{floats({2}, {1, 1}, 2), given(floats({2}, {0.5F, 0.5F}, 3)), floats({2}, {2, 2}, 4),
                    given(floats({2}, {0.5F, 0.5F}, 5))}));
}

TEST(Trace, KnowsHowManyTensorsTheCellHadShown) {
  EXPECT_EQ(traced({[](Notebook& nb) {
              const auto before = at::ones({2});
              nb.print(before);
              const auto between = at::zeros({2});
              nb.print(between);
              at::matmul(at::ones({1, 2}), between);  // its result has one element only
              at::dot(before, between);
            }}),
            (Traced{floats({2}, {1, 1}, 1, 0), floats({2}, {0, 0}, 1, 1), floats({1, 2}, {1, 1}, 1, 2)}));
}

TEST(Trace, TakesABatchOfProductsForOne) {
  EXPECT_EQ(traced({[](Notebook&) {
              at::matmul(at::ones({2, 2}), at::full({2, 2, 1}, 4.F));
            }}),
            (Traced{floats({2, 2}, {1, 1, 1, 1}, 1), floats({2, 2, 1}, {4, 4, 4, 4}, 1),
                    given(floats({2, 2, 1}, {8, 8, 8, 8}, 1))}));
}

TEST(Trace, LeavesOutWhatNobodyCouldLookAt) {
  EXPECT_EQ(
      traced({[](Notebook&) {
        at::matmul(at::ones({1, 1, 1, 2}), at::ones({1, 1, 2, 1}));                     // four dimensions
        at::matmul(at::ones({1, 1025}), at::ones({1025, 1}));                           // too many elements
        at::mv(at::ones({1, 2}, at::kComplexFloat), at::ones({2}, at::kComplexFloat));  // no real numbers
        at::mm(at::empty({2, 2}, at::kMeta), at::empty({2, 2}, at::kMeta));             // no numbers at all
        at::mm(at::eye(2).to_sparse(), at::full({2, 1}, 7.F));  // the first one is sparse
      }}),
      (Traced{floats({2, 1}, {7, 7}, 1), given(floats({2, 1}, {7, 7}, 1))}));
}

TEST(Trace, KeepsNothingOfOtherOperations) {
  EXPECT_EQ(traced({[](Notebook& nb) { nb.print((at::ones({2}) + 1).sum()); }}), Traced{});
}

TEST(Trace, GivesWhatNoCellWroteToTheFirstThatUsedIt) {
  at::Tensor known = at::ones({2}), restored;
  Notebook nb("nb.cell(\"1\", [&] {\n});\n", {});
  const Trace trace(nb);
  const auto line = 1;
  nb.restored(
      "ones",
      [&] {
        restored = at::full({2}, 2.F);
        at::dot(restored, known);
      },
      line);
  nb.cell(
      "1", [] {}, line);
  nb.cell(
      "2", [&] { at::dot(known, restored); }, line);
  EXPECT_EQ(trace.tensors(), (Traced{floats({2}, {1, 1}, 2), floats({2}, {2, 2}, 2)}));
}

TEST(Trace, GoesOnAfterAProductThatThrew) {
  EXPECT_EQ(traced({[](Notebook&) {
              const auto two = at::ones({2});
              EXPECT_THROW(at::dot(two, at::zeros({3})), std::exception);
              at::dot(two, at::full({2}, 7.F));
            }}),
            (Traced{floats({2}, {1, 1}, 1), floats({3}, {0, 0, 0}, 1), floats({2}, {7, 7}, 1)}));
}

TEST(Trace, IsOverWithItsLife) {
  const auto one = traced({[](Notebook&) { at::dot(at::ones({2}), at::ones({2})); }});
  at::dot(at::ones({2}), at::ones({2}));
  EXPECT_EQ(one.size(), 2U);
  EXPECT_EQ(traced({[](Notebook&) {}}), Traced{});
}

TEST(Trace, KeepsTheLastEightOfACell) {
  const auto kept = traced({[](Notebook&) {
    const auto ones = at::ones({1, 2});
    for (int i = 0; i < 100; ++i) at::mm(at::full({2, 1}, static_cast<float>(i)), ones);
  }});
  ASSERT_EQ(kept.size(), 8U);
  EXPECT_EQ(kept[6], floats({2, 1}, {99, 99}, 1));
  EXPECT_EQ(kept[7], given(floats({2, 2}, {99, 99, 99, 99}, 1)));
}

TEST(Trace, RemembersNoMoreThanLives) {
  at::Tensor last;
  const auto kept = traced({[&](Notebook&) {
    for (int i = 0; i < 5000; ++i) last = at::full({2}, static_cast<float>(i));
    at::dot(last, last);
  }});
  EXPECT_EQ(kept, Traced{floats({2}, {4999, 4999}, 1)});
}

}  // namespace
}  // namespace torchbook
