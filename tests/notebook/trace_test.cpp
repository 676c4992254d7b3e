// Tests that a traced run keeps the operands and results of products and softmaxes, and which cell made them.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <notebook/table_of_ones.h>
#include <support/recorded_tensor.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/trace.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace torchbook::notebook {

bool operator==(const TracedTensor& a, const TracedTensor& b) {
  return a.tensor == b.tensor && a.position == b.position && a.shown_before == b.shown_before;
}

void PrintTo(const TracedTensor& traced, std::ostream* to) {
  *to << traced.tensor.dtype << " of " << traced.tensor.shape.size() << " dims, written by cell "
      << traced.position << " after " << traced.shown_before << " shown:";
  for (const double value : elements_of(traced.tensor).value_or(std::vector<double>{})) *to << ' ' << value;
}

namespace {

using Cells = std::vector<std::function<void(Notebook&)>>;

/// Returns the trace of a notebook with these cells.
std::vector<TracedTensor> traced(const Cells& cells) {
  Notebook nb(test::table_of_ones(cells.size()));
  const Trace trace(nb);
  for (const auto& body : cells) {
    nb.cell("1");
    body(nb);
  }
  nb.finish();
  return trace.tensors();
}

TracedTensor floats(std::vector<std::int64_t> shape, const std::vector<float>& values, std::size_t position,
                    std::size_t shown = 0) {
  return {.tensor = test::tensor(std::move(shape), values), .position = position, .shown_before = shown};
}

using Traced = std::vector<TracedTensor>;

at::Tensor matrix() { return at::tensor({1.F, 2.F, 3.F, 4.F, 5.F, 6.F}).view({3, 2}); }

TEST(Trace, KeepsWhatAProductTakesAndGives) {
  at::Tensor a, b;
  EXPECT_EQ(traced({[&](Notebook&) {
                      a = at::ones({2, 2});
                    },
                    [&](Notebook&) { b = at::full({2}, 3.F); }, [&](Notebook&) { at::matmul(a, b); }}),
            (Traced{floats({2, 2}, {1, 1, 1, 1}, 1), floats({2}, {3, 3}, 2), floats({2}, {6, 6}, 3)}));
}

TEST(Trace, KeepsWhatASoftmaxTakesAndGives) {
  EXPECT_EQ(traced({[](Notebook&) {
              at::softmax(at::zeros({1, 2}), 1);
            }}),
            (Traced{floats({1, 2}, {0, 0}, 1), floats({1, 2}, {0.5F, 0.5F}, 1)}));
}

TEST(Trace, KeepsTheMatrixOfARowAndKeepsItOnce) {
  at::Tensor inputs;
  EXPECT_EQ(traced({[&](Notebook&) { inputs = matrix(); },
                    [&](Notebook&) {
                      for (int i = 0; i < 3; ++i) at::dot(inputs[i], inputs[1]);
                    },
                    [&](Notebook&) { at::matmul(inputs, inputs.t()); }}),
            (Traced{floats({3, 2}, {1, 2, 3, 4, 5, 6}, 1),
                    floats({3, 3}, {5, 11, 17, 11, 25, 39, 17, 39, 61}, 3)}));
}

TEST(Trace, KeepsAnyOtherViewAsItIs) {
  EXPECT_EQ(
      traced({[](Notebook&) { at::mv(matrix().t(), at::ones({3})); }}),
      (Traced{floats({2, 3}, {1, 3, 5, 2, 4, 6}, 1), floats({3}, {1, 1, 1}, 1), floats({2}, {9, 12}, 1)}));
  EXPECT_EQ(traced({[](Notebook&) { at::dot(matrix().select(1, 0), at::full({3}, 2.F)); }}),
            (Traced{floats({3}, {1, 3, 5}, 1), floats({3}, {2, 2, 2}, 1)}));
  EXPECT_EQ(traced({[](Notebook&) {
              at::mm(matrix().slice(0, 1, 3), at::ones({2, 1}));
            }}),
            (Traced{floats({2, 2}, {3, 4, 5, 6}, 1), floats({2, 1}, {1, 1}, 1), floats({2, 1}, {7, 11}, 1)}));
  EXPECT_EQ(traced({[](Notebook&) {
              at::dot(at::ones({2, 3, 2})[1][2], at::full({2}, 2.F));
            }}),
            (Traced{floats({2}, {1, 1}, 1), floats({2}, {2, 2}, 1)}));
}

TEST(Trace, KeepsQueriesAndKeysThatShareTheirMemory) {
  EXPECT_EQ(
      traced({[](Notebook&) {
        const auto both = at::mm(at::ones({2, 1}), at::tensor({1.F, 2.F, 3.F, 4.F}).view({1, 4})).chunk(2, 1);
        at::mm(both[0], both[1].t());
      }}),
      (Traced{floats({2, 1}, {1, 1}, 1), floats({1, 4}, {1, 2, 3, 4}, 1),
              floats({2, 4}, {1, 2, 3, 4, 1, 2, 3, 4}, 1), floats({2, 2}, {1, 2, 1, 2}, 1),
              floats({2, 2}, {3, 4, 3, 4}, 1), floats({2, 2}, {11, 11, 11, 11}, 1)}));
}

TEST(Trace, KeepsPartsOfWhatIsTooLarge) {
  EXPECT_EQ(traced({[](Notebook&) {
              const auto large = at::arange(2048, at::kFloat).view({1024, 2});
              at::dot(large[0], large[1023]);
            }}),
            (Traced{floats({2}, {0, 1}, 1), floats({2}, {2046, 2047}, 1)}));
}

TEST(Trace, TakesNoOutputForAnOperand) {
  EXPECT_EQ(traced({[](Notebook&) {
              auto out = at::full({2, 1}, 1234.F);
              at::mm_out(out, at::ones({2, 2}), at::full({2, 1}, 3.F));
            }}),
            (Traced{floats({2, 2}, {1, 1, 1, 1}, 1), floats({2, 1}, {3, 3}, 1), floats({2, 1}, {6, 6}, 1)}));
}

TEST(Trace, SeesWhatIsWrittenByAPointer) {
  auto memory = at::zeros({2});
  const auto set = [&](float value) { memory.data_ptr<float>()[0] = memory.data_ptr<float>()[1] = value; };
  const auto kept = traced({[&](Notebook&) { at::dot(memory, memory); },
                            [&](Notebook&) {
                              set(7);
                              at::dot(memory, memory);
                            }});
  EXPECT_EQ(kept, (Traced{floats({2}, {0, 0}, 1), floats({2}, {7, 7}, 1)}));
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
            (Traced{floats({2}, {1, 1}, 2), floats({2}, {0.5F, 0.5F}, 3), floats({2}, {2, 2}, 4),
                    floats({2}, {0.5F, 0.5F}, 5)}));
}

TEST(Trace, KnowsHowManyTensorsTheCellHadShown) {
  EXPECT_EQ(traced({[](Notebook& nb) {
              const auto before = at::ones({2});
              nb.print(before);
              const auto between = at::zeros({2});
              nb.print(between);
              at::matmul(at::ones({1, 2}), between);  // its result has only one element
              at::dot(before, between);
            }}),
            (Traced{floats({2}, {1, 1}, 1, 0), floats({2}, {0, 0}, 1, 1), floats({1, 2}, {1, 1}, 1, 2)}));
}

TEST(Trace, TakesABatchOfProductsForOne) {
  EXPECT_EQ(traced({[](Notebook&) {
              at::matmul(at::ones({2, 2}), at::full({2, 2, 1}, 4.F));
            }}),
            (Traced{floats({2, 2}, {1, 1, 1, 1}, 1), floats({2, 2, 1}, {4, 4, 4, 4}, 1),
                    floats({2, 2, 1}, {8, 8, 8, 8}, 1)}));
}

TEST(Trace, KeepsWhatIsJustSmallEnough) {
  const auto traces = traced({[](Notebook&) { at::matmul(at::ones({1, 1, 1024}), at::ones({1, 1024, 1})); }});
  ASSERT_EQ(traces.size(), 2U);  // the result is a single number
  EXPECT_EQ(traces[0].tensor.shape, (std::vector<std::int64_t>{1, 1, 1024}));
  EXPECT_EQ(traces[1].tensor.shape, (std::vector<std::int64_t>{1, 1024, 1}));
}

TEST(Trace, LeavesOutWhatNobodyCouldLookAt) {
  EXPECT_EQ(
      traced({[](Notebook&) {
        at::matmul(at::ones({1, 1, 1, 2}), at::ones({1, 1, 2, 1}));                     // four dimensions
        at::matmul(at::ones({1, 1025}), at::ones({1025, 1}));                           // too many elements
        at::mv(at::ones({1, 2}, at::kComplexFloat), at::ones({2}, at::kComplexFloat));  // no real numbers
        at::mm(at::empty({2, 2}, at::kMeta), at::empty({2, 2}, at::kMeta));             // no numbers at all
        at::mm(at::full({2, 2}, 2.F).to_sparse(), at::full({2, 1}, 7.F));  // the first one is sparse
      }}),
      (Traced{floats({2, 1}, {7, 7}, 1), floats({2, 1}, {28, 28}, 1)}));
}

TEST(Trace, KeepsNothingOfOtherOperations) {
  EXPECT_EQ(traced({[](Notebook& nb) { nb.print((at::ones({2}) + 1).sum()); }}), Traced{});
}

TEST(Trace, GivesWhatNoCellWroteToTheFirstThatUsedIt) {
  at::Tensor known = at::ones({2}), restored;
  constexpr TableEntry table[] = {{.restored = true}, {.label = "1"}, {.label = "2"}};
  Notebook nb(table);
  const Trace trace(nb);
  nb.restored("ones");
  restored = at::full({2}, 2.F);
  at::dot(restored, known);
  nb.cell("1");
  nb.cell("2");
  at::dot(known, restored);
  nb.finish();
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
  EXPECT_EQ(one, Traced{floats({2}, {1, 1}, 1)});
  EXPECT_EQ(traced({[](Notebook&) {}}), Traced{});
}

TEST(Trace, KeepsTheSixteenOfACellThatWereUsedLast) {
  at::Tensor ones;
  const auto kept = traced({[&](Notebook&) {
                              ones = at::ones({1, 2});
                              for (int i = 0; i < 100; ++i)
                                at::mm(at::full({2, 1}, static_cast<float>(i)), ones);
                            },
                            [&](Notebook&) {
                              at::mm(at::zeros({2, 1}), ones);
                            }});
  ASSERT_EQ(kept.size(), 18U);
  EXPECT_EQ(kept[0], floats({1, 2}, {1, 1}, 1));
  EXPECT_EQ(kept[14], floats({2, 1}, {99, 99}, 1));
  EXPECT_EQ(kept[15], floats({2, 2}, {99, 99, 99, 99}, 1));
  EXPECT_EQ(kept[16], floats({2, 1}, {0, 0}, 2));
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
}  // namespace torchbook::notebook
